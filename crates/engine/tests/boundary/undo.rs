//! Undo of an edit that moved next moves it back, if nothing was triggered since.

use expect_test::expect;
use testkit::check;

/// A step inserted directly before next, and taken away again.
#[test]
fn of_an_insert() {
    check(
        "
        sequence Root
          wait A duration_s=0.3
          wait B duration_s=0.1
        ",
        "0.1 insert Root 1 wait X
         0.2 delete X
         0.2 why",
        expect![[r#"
            0.0 + A
            0.2 > root at B: waits until `A` has ended
            0.3 - A success
            0.3 + B
            0.4 - B success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// An ended step moved to directly before next, and back: it does not run again.
#[test]
fn of_a_move() {
    check(
        "
        sequence Root
          wait A duration_s=0.1
          wait B duration_s=0.4
          wait C duration_s=0.1
        ",
        "0.2 move_node A Root 1
         0.2 why
         0.3 move_node A Root 0
         0.3 why",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + B
            0.2 > root at A: waits until `B` has ended
            0.3 > root at C: waits until `B` has ended
            0.5 - B success
            0.5 + C
            0.6 - C success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Next moved within its track, and back.
#[test]
fn of_a_move_of_next() {
    check(
        "
        sequence Root
          wait A duration_s=0.4
          wait B duration_s=0.1
          wait C duration_s=0.1
        ",
        "0.1 move_node B Root 0
         0.1 why
         0.2 move_node B Root 1
         0.2 why",
        expect![[r#"
            0.0 + A
            0.1 > root at C: waits until `A` has ended
            0.2 > root at B: waits until `A` has ended
            0.4 - A success
            0.4 + B
            0.5 - B success
            0.5 + C
            0.6 - C success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// An ended step that stood directly before next was moved away and is put back: nobody asked for it to run.
#[test]
fn of_a_move_that_did_not_move_next() {
    check(
        "
        sequence Root
          wait A duration_s=0.1
          wait B duration_s=0.1
          wait C duration_s=0.1
        ",
        "0 break C
         0.3 move_node B Root 0
         0.4 move_node B Root 1
         0.4 why",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + B
            0.2 - B success
            0.2 ! C held: held at `C`: breakpoint
            0.3 ! C held: held at `C`: breakpoint
            0.4 ! C held: held at `C`: breakpoint
            0.4 > root at C: held at `C`: breakpoint
        "#]],
    );
}

/// Something was triggered since: an undo is an edit like any other.
#[test]
fn after_a_start() {
    check(
        "
        sequence Root
          wait A duration_s=0.2
          wait B duration_s=0.1
          wait C duration_s=0.3
          wait D duration_s=0.1
        ",
        "0.1 move_node B Root 2
         0.1 why
         0.3 move_node B Root 1
         0.3 why",
        expect![[r#"
            0.0 + A
            0.1 > root at C: waits until `A` has ended
            0.2 - A success
            0.2 + C
            0.3 > root at D: waits until `C` has ended
            0.5 - C success
            0.5 + D
            0.6 - D success
            0.6 # the behavior succeeded
        "#]],
    );
}
