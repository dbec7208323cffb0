//! Next is a boundary between what was triggered in this pass and what was not, whatever is edited.

use expect_test::expect;
use testkit::check;

mod keeps_waiting;
mod regions;
mod undo;

/// What is put directly before next becomes next: the arm does not move before the wait is over.
#[test]
fn inserted_directly_before_next() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.3
          wait Arm duration_s=0.1
        ",
        "0.1 insert Root 1 wait Between duration_s=0.2
         0.1 why",
        expect![[r#"
            0.0 + Walk
            0.1 > root at Between: waits until `Walk` has ended
            0.3 - Walk success
            0.3 + Between
            0.5 - Between success
            0.5 + Arm
            0.6 - Arm success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Several at once: the first of them.
#[test]
fn several_directly_before_next() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.3
          wait Arm duration_s=0.1
        ",
        "0.1 edits
         0.1 insert Root 1 wait X duration_s=0.1
         0.1 insert Root 2 wait Y duration_s=0.1
         0.2 insert Root 1 wait W duration_s=0.1",
        expect![[r#"
            0.0 + Walk
            0.3 - Walk success
            0.3 + W
            0.4 - W success
            0.4 + X
            0.5 - X success
            0.5 + Y
            0.6 - Y success
            0.6 + Arm
            0.7 - Arm success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// Also when next was set by hand, forward or back.
#[test]
fn next_set_by_hand() {
    check(
        "
        sequence Root
          wait A duration_s=0.1
          wait B duration_s=0.1
          wait C duration_s=0.1
          wait D duration_s=0.1
        ",
        "manual
         0 press
         0.2 next C
         0.2 insert Root 2 wait X duration_s=0.1
         0.3 why
         0.4 next A
         0.5 insert Root 0 wait Y duration_s=0.1
         0.5 why
         0.6 next B
         0.7 insert Root 1 wait Up duration_s=0.1
         0.7 why",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.3 > root at C: automatic is off
            0.5 > root at Y: automatic is off
            0.7 > root at B: automatic is off
        "#]],
    );
}

/// What is inserted or moved further up is behind the boundary and does not run.
#[test]
fn further_up() {
    check(
        "
        sequence Root
          wait A duration_s=0.1
          wait B duration_s=0.3
          wait C duration_s=0.1
          wait D duration_s=0.1
        ",
        "0.2 insert Root 0 wait X duration_s=0.1
         0.2 insert Root 2 wait Y duration_s=0.1
         0.3 move_node D Root 1
         0.3 why",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + B
            0.3 > root at C: waits until `B` has ended
            0.4 - B success
            0.4 + C
            0.5 - C success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A step from further ahead, or from another track, moved to directly before next runs before it.
#[test]
fn moved_directly_before_next() {
    check(
        "
        sequence Root
          wait A duration_s=0.3
          wait B duration_s=0.1
          parallel P
            wait Q duration_s=0.1
            wait R duration_s=0.1
          wait D duration_s=0.1
        ",
        "0.1 move_node D Root 1
         0.2 move_node R Root 1
         0.2 why",
        expect![[r#"
            0.0 + A
            0.2 > root at R: waits until `A` has ended
            0.3 - A success
            0.3 + R
            0.4 - R success
            0.4 + D
            0.5 - D success
            0.5 + B
            0.6 - B success
            0.6 + P
            0.6 + Q
            0.7 - Q success
            0.7 - P success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// A running step that is moved there counts as triggered and does not become next; one that has ended runs again.
#[test]
fn moved_there_running_or_ended() {
    check(
        "
        sequence Root
          wait Ended duration_s=0.1
          wait Walk duration_s=0.5
          wait Beside duration_s=0.6 after=Ended
          wait Arm duration_s=0.1
        ",
        "0.2 move_node Walk Root 2
         0.2 why
         0.3 move_node Ended Root 2
         0.3 why",
        expect![[r#"
            0.0 + Ended
            0.1 - Ended success
            0.1 + Walk
            0.1 + Beside
            0.2 > root at Arm: waits until `Walk` has ended
            0.3 > root at Ended: waits until `Walk` has ended
            0.6 - Walk success
            0.6 + Ended
            0.7 - Beside success
            0.7 - Ended success
            0.7 + Arm
            0.8 - Arm success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// Moved, but not to another place in its track: nothing runs again.
#[test]
fn wrapped_in_a_sequence() {
    check(
        "
        sequence Root
          sequence S
            wait Z duration_s=0.1
          wait A duration_s=0.1
          wait B duration_s=0.1
        ",
        "0 break B
         0.3 move_node A S 1
         0.3 why",
        expect![[r#"
            0.0 + Z
            0.1 - Z success
            0.1 + A
            0.2 - A success
            0.2 ! B held: held at `B`: breakpoint
            0.3 ! B held: held at `B`: breakpoint
            0.3 > root at B: held at `B`: breakpoint
        "#]],
    );
}

/// Next itself moved within its track: the boundary stays where it is. Down: what follows it there is next. Up: it is
/// behind, and does not run.
#[test]
fn next_moved_within_its_track() {
    check(
        "
        sequence Root
          wait A duration_s=0.3
          wait B duration_s=0.1
          wait C duration_s=0.1
          wait D duration_s=0.1
        ",
        "0.1 move_node B Root 2
         0.1 why
         0.2 move_node C Root 0
         0.2 why",
        expect![[r#"
            0.0 + A
            0.1 > root at C: waits until `A` has ended
            0.2 > root at B: waits until `A` has ended
            0.3 - A success
            0.3 + B
            0.4 - B success
            0.4 + D
            0.5 - D success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Next deleted or moved to another track: the following surviving step.
#[test]
fn next_deleted_or_moved_to_another_track() {
    check(
        "
        sequence Root
          wait A duration_s=0.3
          wait B
          wait C
          wait D duration_s=0.1
          parallel P
            wait Q duration_s=0.1
        ",
        "0.1 delete B
         0.1 why
         0.2 setting C duration_s 0.1
         0.2 move_node C P 0
         0.2 why",
        expect![[r#"
            0.0 + A
            0.1 > root at C: waits until `A` has ended
            0.2 > root at D: waits until `A` has ended
            0.3 - A success
            0.3 + D
            0.4 - D success
            0.4 + P
            0.4 + C
            0.4 + Q
            0.5 - C success
            0.5 - Q success
            0.5 - P success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// At the end next stays behind the last step: an appended step becomes next, one before the last does not.
#[test]
fn at_the_end() {
    check(
        "
        sequence Root
          wait A duration_s=0.1
          wait B duration_s=0.5
        ",
        "0.2 insert Root 1 wait Up duration_s=0.1
         0.3 insert Root 3 wait X duration_s=0.1
         0.3 why",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + B
            0.3 > root at X: waits until `B` has ended
            0.6 - B success
            0.6 + X
            0.7 - X success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// Before anything was triggered everything that is put to the front runs, also into what was empty.
#[test]
fn before_the_first_step() {
    check(
        "
        sequence Root
          fallback F
          wait A duration_s=0.1
        ",
        "manual
         0 insert F 0 wait Try duration_s=0.1
         0.1 insert Root 0 wait First duration_s=0.1
         0.2 automatic on",
        expect![[r#"
            0.2 + First
            0.3 - First success
            0.3 + Try
            0.4 - Try success
            0.4 + A
            0.5 - A success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Also in front of the first step a running one counts as triggered.
#[test]
fn a_running_step_moved_to_the_front() {
    check(
        "
        sequence Root
          wait A duration_s=0.1
          wait Walk duration_s=0.4
          wait C duration_s=0.1
        ",
        "manual
         0 next Walk
         0 press
         0.1 next A
         0.2 move_node Walk Root 0
         0.2 why
         0.2 press",
        expect![[r#"
            0.0 + Walk
            0.2 > refused `press`: waits until `Walk` has ended
            0.2 > root at A: automatic is off
            0.4 - Walk success
        "#]],
    );
}

/// A sequence that gets its first guard, or loses its last, is what it was: done or still to come.
#[test]
fn regrouped() {
    check(
        "
        sequence Root
          sequence Done
            wait A duration_s=0.1
          wait B duration_s=0.5
          sequence Ahead
            wait C duration_s=0.1
            wait D duration_s=0.1
          wait E duration_s=0.1
        ",
        "0.2 setting Done timeout_s 9
         0.2 setting Ahead timeout_s 9
         0.2 why
         0.3 setting Done timeout_s -
         0.3 setting Ahead timeout_s -
         0.3 why",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + B
            0.2 > root at Ahead: waits until `B` has ended
            0.3 > root at C: waits until `B` has ended
            0.6 - B success
            0.6 + C
            0.7 - C success
            0.7 + D
            0.8 - D success
            0.8 + E
            0.9 - E success
            0.9 # the behavior succeeded
        "#]],
    );
}
