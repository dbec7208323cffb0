//! What an edit alone would start is held.

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
        expect![[r#"
            0.0 + P
            0.0 + A
            0.1 ! New held: added by Bob: waits to be admitted
            0.2 - A success
            0.2 > root at B: waits until `P` has ended
            0.2 > P at New: added by Bob: waits to be admitted
            0.4 + New
            0.5 - New success
            0.5 - P success
            0.5 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + Walk
            0.1 ! Now held: added by Bob: waits to be admitted
            0.2 > root at Now: added by Bob: waits to be admitted
            0.3 - Walk success
            0.5 + Now
            0.6 - Now success
            0.6 + C
            0.7 - C success
            0.7 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + A
            0.3 - A success
            0.3 + Next
            0.4 - Next success
            0.4 + B
            0.5 - B success
            0.5 + Last
            0.6 - Last success
            0.6 # the behavior succeeded
        "#]],
    );
}
