//! No insert and no move lets a step start earlier that waits for one that runs.

use expect_test::expect;
use testkit::check;

/// What is put in between may start and end at once: who waited before still waits.
#[test]
fn something_quick_in_between() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.4
          wait Arm duration_s=0.1
        ",
        "0.1 insert Root 1 wait Quick duration_s=0.1 after=Beginning
         0.3 why",
        expect![[r#"
            0.0 + Walk
            0.1 + Quick
            0.2 - Quick success
            0.3 > root at Arm: waits until `Walk` has ended
            0.4 - Walk success
            0.4 + Arm
            0.5 - Arm success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// The one waited for is moved up: another step stands between now.
#[test]
fn the_running_one_is_moved_up() {
    check(
        "
        sequence Root
          wait A duration_s=0.1
          wait Walk duration_s=0.4
          wait Arm duration_s=0.1
        ",
        "0.2 move_node Walk Root 0
         0.2 why",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + Walk
            0.2 > root at Arm: waits until `Walk` has ended
            0.5 - Walk success
            0.5 + Arm
            0.6 - Arm success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// The one waited for is moved behind the one that waits. There it is ahead, and runs again in its turn.
#[test]
fn the_running_one_is_moved_behind() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.4
          wait Arm duration_s=0.1
          wait C duration_s=0.1
        ",
        "0.2 move_node Walk Root 1
         0.2 why",
        expect![[r#"
            0.0 + Walk
            0.2 > root at Arm: waits until `Walk` has ended
            0.4 - Walk success
            0.4 + Arm
            0.5 - Arm success
            0.5 + Walk
            0.9 - Walk success
            0.9 + C
            1.0 - C success
            1.0 # the behavior succeeded
        "#]],
    );
}

/// Moved out of its track it halts, and is waited for until it has; moved into a branch, the one that waits does so
/// there.
#[test]
fn moved_to_another_track() {
    check(
        "
        sequence Root
          parallel P
            wait Q duration_s=0.6
          stand_in Walk duration_s=0.9 halt_s=0.2 after=Beginning
          wait Arm duration_s=0.1
        ",
        "0.1 move_node Walk P 1
         0.2 why",
        expect![[r#"
            0.0 + P
            0.0 + Q
            0.0 + Walk
            0.2 > root at Arm: waits until `P` has ended
            0.2 > P at the end: the end is reached
            0.2 > P at Walk: it still runs
            0.3 - Walk halted: it was deleted or moved out of its track
            0.3 + Walk
            0.6 - Q success
            1.2 - Walk success
            1.2 - P success
            1.2 + Arm
            1.3 - Arm success
            1.3 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          parallel P
            wait Q duration_s=0.6
          wait Walk duration_s=0.3 after=Beginning
          wait Arm duration_s=0.1
        ",
        "0.1 move_node Arm P 1
         0.1 why",
        expect![[r#"
            0.0 + P
            0.0 + Q
            0.0 + Walk
            0.1 > root at the end: the end is reached
            0.1 > P at the end: the end is reached
            0.1 > P at Arm: waits until `Walk` has ended
            0.3 - Walk success
            0.4 + Arm
            0.5 - Arm success
            0.6 - Q success
            0.6 - P success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Moved into what it waits for, it cannot wait for that.
#[test]
fn moved_into_what_it_waits_for() {
    check(
        "
        sequence Root
          parallel P
            wait Q duration_s=0.3
          wait Arm duration_s=0.1
        ",
        "0.1 move_node Arm P 1",
        expect![[r#"
            0.0 + P
            0.0 + Q
            0.1 + Arm
            0.2 - Arm success
            0.3 - Q success
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// A try is not decided before what was moved out of it has ended.
#[test]
fn moved_out_of_a_try() {
    check(
        "
        sequence Root
          wait Z duration_s=0.1
          fallback F
            sequence S
              wait First duration_s=0.1
              wait Try duration_s=0.4
            wait Catch
          wait D duration_s=0.1
        ",
        "0.3 move_node Try Root 0
         0.3 why",
        expect![[r#"
            0.0 + Z
            0.1 - Z success
            0.1 + First
            0.2 - First success
            0.2 + Try
            0.3 > root at Catch: waits until `Try` has ended
            0.6 - Try success
            0.6 + D
            0.7 - D success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// A name that finds another node after an edit.
#[test]
fn a_reference_that_finds_another() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.4
          wait Beside duration_s=0.1 after=Beginning
          sequence S
            wait Arm duration_s=0.1 after=Walk
        ",
        "0.2 insert S 0 wait Walk duration_s=0.1 after=Beginning",
        expect![[r#"
            0.0 + Walk
            0.0 + Beside
            0.1 - Beside success
            0.2 + Walk
            0.3 - Walk success
            0.4 - Walk success
            0.4 + Arm
            0.5 - Arm success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Deleting the one waited for frees, when it has halted.
#[test]
fn deleting_the_one_waited_for_frees() {
    check(
        "
        sequence Root
          stand_in Walk duration_s=0.9 halt_s=0.2
          wait Arm duration_s=0.1
        ",
        "0.1 delete Walk
         0.2 why",
        expect![[r#"
            0.0 + Walk
            0.2 > root at Arm: waits until `Walk` has ended
            0.3 - Walk halted: it was deleted or moved out of its track
            0.3 + Arm
            0.4 - Arm success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Deleting what stood at next frees what follows it.
#[test]
fn deleting_next_frees_what_follows() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.4
          wait Arm duration_s=0.1
          wait C duration_s=0.1 after=Beginning
        ",
        "0.1 delete Arm",
        expect![[r#"
            0.0 + Walk
            0.1 + C
            0.2 - C success
            0.4 - Walk success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Changing its own execute after frees, or that of the sequence it is the first of; another setting does not.
#[test]
fn its_own_execute_after_frees() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.6
          sequence S
            wait Arm duration_s=0.1
            wait C duration_s=0.1
        ",
        "0.1 insert Root 0 wait Up
         0.2 setting Arm duration_s 0.2
         0.3 setting S after Beginning",
        expect![[r#"
            0.0 + Walk
            0.3 + Arm
            0.5 - Arm success
            0.5 + C
            0.6 - Walk success
            0.6 - C success
            0.6 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          wait Walk duration_s=0.6
          wait Arm duration_s=0.1
        ",
        "0.2 setting Arm after Beginning",
        expect![[r#"
            0.0 + Walk
            0.2 + Arm
            0.3 - Arm success
            0.6 - Walk success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A step that runs and was set next is waited for also where a move puts it behind another one.
#[test]
fn a_running_step_at_next_is_moved_on() {
    check(
        "
        sequence Root
          wait A duration_s=0.5
          wait B duration_s=0.1
        ",
        "0.1 next A
         0.2 move_node A Root 1
         0.3 why",
        expect![[r#"
            0.0 + A
            0.3 > root at B: waits until `A` has ended
            0.5 - A success
            0.5 + B
            0.6 - B success
            0.6 + A
            1.1 - A success
            1.1 # the behavior succeeded
        "#]],
    );
}
