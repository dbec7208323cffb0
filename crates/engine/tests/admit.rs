//! Who is not in control starts nothing by an edit.

use expect_test::expect;
use testkit::check;

/// A branch of a running composite is held until it is admitted; the others run on.
#[test]
fn a_new_branch() {
    check(
        "
        sequence Root
          parallel P
            wait A duration_s=0.2
          wait B duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert P 1 wait New duration_s=0.1
         0.2 why
         0.4 admit",
        expect![[r#""#]],
    );
}

/// A step that becomes next and is held by nothing else.
#[test]
fn a_step_that_becomes_next() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.3
          wait C duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert Root 1 wait Now duration_s=0.1 after=Beginning
         0.2 why
         0.5 admit Now",
        expect![[r#""#]],
    );
}

/// Further ahead it runs in its turn; so does what waits for something else at next.
#[test]
fn further_ahead() {
    check(
        "
        sequence Root
          wait A duration_s=0.3
          wait B duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert Root 1 wait Next duration_s=0.1
         0.1 insert Root 3 wait Last duration_s=0.1",
        expect![[r#""#]],
    );
}

/// Freed by a changed execute after, by a deletion of the one waited for, of next, of a gate.
#[test]
fn freed_by_an_edit() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.5
          wait Arm duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 setting Arm after Beginning
         0.2 why
         0.3 admit",
        expect![[r#""#]],
    );
    check(
        "
        sequence Root
          stand_in Walk duration_s=0.5 halt_s=0.2
          wait Arm duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 delete Walk
         0.2 why
         0.4 why
         0.5 admit",
        expect![[r#""#]],
    );
    check(
        "
        sequence Root
          wait A duration_s=0.1
          wait Held autonomy=high
          wait C duration_s=0.1
        ",
        "0 level low
         0.2 edits by Bob
         0.2 delete Held
         0.3 why
         0.4 admit",
        expect![[r#""#]],
    );
}

/// A deletion that ends a composite, decides a try, or takes what was called starts nothing behind it.
#[test]
fn freed_by_the_end_of_what_is_around() {
    check(
        "
        sequence Root
          parallel P
            wait A duration_s=0.1
            wait B
          wait C duration_s=0.1
        ",
        "0.2 edits by Bob
         0.2 delete B
         0.3 why
         0.4 admit",
        expect![[r#""#]],
    );
    check(
        "
        sequence Root
          fallback F
            stand_in Try halt_s=0.2
            wait Catch
          wait D duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 delete Try
         0.2 why
         0.4 why
         0.5 admit",
        expect![[r#""#]],
    );
    check(
        "
        fallback F
          gosub G target=S
          wait Catch duration_s=0.1
        sequence S
          wait E duration_s=0.3
        ",
        "0.1 edits by Bob
         0.1 delete S
         0.2 why
         0.3 admit",
        expect![[r#""#]],
    );
    check(
        "
        loop L
          wait A duration_s=0.1
          wait B
        ",
        "0.2 edits by Bob
         0.2 delete B
         0.3 why
         0.4 stop",
        expect![[r#""#]],
    );
}

/// A claim that a deletion makes free.
#[test]
fn freed_by_a_claim() {
    check(
        r#"
        parallel P
          stand_in A claims=["x"]
          sequence S
            wait Z duration_s=0.1
            stand_in B claims=["x"] duration_s=0.1
        "#,
        "0.2 edits by Bob
         0.2 delete A
         0.3 why
         0.4 admit",
        expect![[r#""#]],
    );
}

/// A press passes the gate; taken back, nothing is held.
#[test]
fn pressed_or_taken_back() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.3
          wait C duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert Root 1 wait Now duration_s=0.1 after=Beginning
         0.2 press",
        expect![[r#""#]],
    );
    check(
        "
        sequence Root
          wait Walk duration_s=0.3
          wait C duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert Root 1 wait Now duration_s=0.1 after=Beginning
         0.2 edits by Bob
         0.2 delete Now",
        expect![[r#""#]],
    );
    check(
        "
        sequence Root
          wait Walk duration_s=0.5
          wait Arm duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 setting Arm after Beginning
         0.2 edits by Bob
         0.2 setting Arm after -
         0.2 why",
        expect![[r#""#]],
    );
}

/// What would have started anyway in that tick does; edits of whoever is in control start what they start.
#[test]
fn what_starts_anyway() {
    check(
        "
        sequence Root
          wait A duration_s=0.2
          wait B duration_s=0.1
        ",
        "0.2 edits by Bob
         0.2 insert Root 2 wait Last duration_s=0.1
         0.2 edits
         0.2 insert Root 0 wait Up",
        expect![[r#""#]],
    );
}

/// A branch that has ended stays ended, whoever appends to it.
#[test]
fn an_ended_branch() {
    check(
        "
        parallel P
          sequence S
            wait A duration_s=0.1
          wait B duration_s=0.3
        ",
        "0.2 edits by Bob
         0.2 insert S 1 wait More",
        expect![[r#""#]],
    );
}

/// Stopped, what was held is part of the tree like anything else; nothing held is nothing to admit.
#[test]
fn after_a_stop() {
    check(
        "
        sequence Root
          parallel P
            wait A duration_s=0.2
          wait B duration_s=0.1
        ",
        "0.1 edits by Bob
         0.1 insert P 1 wait New duration_s=0.1
         0.2 admit A
         0.3 stop
         0.4 admit
         0.5 automatic on",
        expect![[r#""#]],
    );
}
