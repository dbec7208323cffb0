//! Pressed, taken back, stopped, or started anyway.

use expect_test::expect;
use testkit::check;

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
        expect![[r#"
            0.0 + Walk
            0.1 ! Now held: added by Bob: waits to be admitted
            0.2 + Now
            0.3 - Walk success
            0.3 - Now success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + Walk
            0.1 ! Now held: added by Bob: waits to be admitted
            0.3 - Walk success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + Walk
            0.1 ! Arm held: freed by an edit of Bob: waits to be admitted
            0.2 > root at Arm: waits until `Walk` has ended
            0.5 - Walk success
            0.5 + Arm
            0.6 - Arm success
            0.6 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + B
            0.3 - B success
            0.3 + Last
            0.4 - Last success
            0.4 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.1 - A success
            0.3 - B success
            0.3 - P success
            0.3 # the behavior succeeded
        "#]],
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
        expect![[r#"
            0.0 + P
            0.0 + A
            0.1 ! New held: added by Bob: waits to be admitted
            0.2 - A success
            0.2 > refused `admit A`: it is not held for being added by somebody else
            0.3 - P halted: stop was pressed
            0.3 # stopped: stop was pressed
            0.3 > robot stop
            0.4 > refused `admit`: nothing is held for being added by somebody else
            0.5 + P
            0.5 + A
            0.5 + New
            0.6 - New success
            0.7 - A success
            0.7 - P success
            0.7 + B
            0.8 - B success
            0.8 # the behavior succeeded
        "#]],
    );
}
