//! What an edit frees is held.

use expect_test::expect;
use testkit::check;

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
        expect![[r#"
            0.0 + Walk
            0.1 ! Arm held: freed by an edit of Bob: waits to be admitted
            0.2 > root at Arm: freed by an edit of Bob: waits to be admitted
            0.3 + Arm
            0.4 - Arm success
            0.5 - Walk success
            0.5 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + Walk
            0.2 > root at Arm: waits until `Walk` has ended
            0.3 - Walk halted: it was deleted or moved out of its track
            0.3 ! Arm held: freed by an edit of Bob: waits to be admitted
            0.4 > root at Arm: freed by an edit of Bob: waits to be admitted
            0.5 + Arm
            0.6 - Arm success
            0.6 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 ! Held held: needs an autonomy level above high, the operator's is low
            0.2 ! C held: freed by an edit of Bob: waits to be admitted
            0.3 > root at C: freed by an edit of Bob: waits to be admitted
            0.4 + C
            0.5 - C success
            0.5 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.1 - A success
            0.2 - B halted: it was deleted or moved out of its track
            0.2 - P success
            0.2 ! C held: freed by an edit of Bob: waits to be admitted
            0.3 > root at C: freed by an edit of Bob: waits to be admitted
            0.4 + C
            0.5 - C success
            0.5 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + Try
            0.2 > root at Catch: waits until `Try` has ended
            0.3 - Try halted: it was deleted or moved out of its track
            0.3 ! Catch held: freed by an edit of Bob: waits to be admitted
            0.4 > root at Catch: freed by an edit of Bob: waits to be admitted
            0.5 + Catch
            4.5 - Catch success
            4.5 + D
            4.6 - D success
            4.6 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + G
            0.0 + G/E
            0.1 - G/E halted: it was deleted or moved out of its track
            0.1 - G failure: there is no node `S` to call
            0.1 ! Catch held: freed by an edit of Bob: waits to be admitted
            0.2 > root at Catch: freed by an edit of Bob: waits to be admitted
            0.3 + Catch
            0.4 - Catch success
            0.4 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + L
            0.0 + A
            0.1 - A success
            0.1 + B
            0.2 - B halted: it was deleted or moved out of its track
            0.2 ! A held: freed by an edit of Bob: waits to be admitted
            0.3 > root at the end: the end is reached
            0.3 > L at A: freed by an edit of Bob: waits to be admitted
            0.4 - L halted: stop was pressed
            0.4 # stopped: stop was pressed
            0.4 > robot stop
        "#]],
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
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + Z
            0.1 - Z success
            0.1 ! B held: `x` is held by `A`
            0.2 - A halted: it was deleted or moved out of its track
            0.2 ! B held: freed by an edit of Bob: waits to be admitted
            0.3 > root at the end: the end is reached
            0.3 > P at B: freed by an edit of Bob: waits to be admitted
            0.4 + B
            0.5 - B success
            0.5 - P success
            0.5 # the behavior succeeded
        "#]],
    );
}
