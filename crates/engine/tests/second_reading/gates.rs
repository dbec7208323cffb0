//! Gates: locks and breakpoints with edits, and what is added by who is not in control.

use expect_test::expect;
use testkit::check;

const LOCKED_GOTO: &str = "
    sequence Root
      sequence S
        wait A duration_s=0.1
        goto Out target=D
      wait C duration_s=0.1
      wait D duration_s=0.1
";

/// A goto that was kept goes before what was spliced.
#[test]
fn a_kept_goto_goes_before_a_splice() {
    check(
        LOCKED_GOTO,
        "0 lock S
         0.2 insert Root 1 wait X duration_s=0.1
         0.4 unlock S",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + Out
            0.1 ! C held: `S` is locked; when it opens, next goes to `D`
            0.2 ! X held: `S` is locked; when it opens, next goes to `D`
            0.4 - Out success
            0.4 + D
            0.5 - D success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Stop drops it.
#[test]
fn stop_drops_a_kept_goto() {
    check(
        LOCKED_GOTO,
        "0 lock S
         0.2 stop
         0.3 unlock S
         0.3 why
         0.4 next C
         0.5 automatic on",
        expect![[r#"
            0.0 + A
            0.1 - A success
            0.1 + Out
            0.1 ! C held: `S` is locked; when it opens, next goes to `D`
            0.2 - Out halted: stop was pressed
            0.2 # stopped: stop was pressed
            0.2 > robot stop
            0.3 > root at Out: automatic is off
            0.5 + C
            0.6 - C success
            0.6 + D
            0.7 - D success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// A locked container with a guard is a locked container: a step appended to it runs.
#[test]
fn appended_to_a_locked_container_with_a_guard() {
    check(
        "
        sequence Root
          sequence S timeout_s=9
            wait A duration_s=0.1
          wait B duration_s=0.1
        ",
        "0 lock S
         0.2 insert S 1 wait X duration_s=0.1
         0.5 unlock S",
        expect![[r#"
            0.0 + S
            0.0 + A
            0.1 - A success
            0.1 ! B held: `S` is locked
            0.2 + X
            0.3 - X success
            0.3 ! B held: `S` is locked
            0.5 - S success
            0.5 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          skill Use file=skill.json timeout_s=9
          wait B duration_s=0.1
        --- skill.json
        @variables {\"n\": 1}
        set A values={\"n\":\"n+1\"}
        ",
        "0 lock Use
         0.3 insert Use/root 1 log X value=n
         0.5 unlock Use",
        expect![[r#"
            0.0 + Use
            0.0 = n 1
            0.0 + Use/A
            0.0 = n 2
            0.1 - Use/A success
            0.1 ! B held: `Use` is locked
            0.3 + Use/X
            0.3 # Use/X:  2
            0.3 - Use/X success
            0.5 - Use success
            0.5 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Set next out of a locked composite: kept, and done when the lock opens; back into it at once.
#[test]
fn set_next_out_of_a_locked_composite() {
    check(
        "
        sequence Root
          sequence S timeout_s=9
            wait A duration_s=0.1
          wait B duration_s=0.1
          wait C duration_s=0.1
        ",
        "0 lock S
         0.2 next C
         0.2 why
         0.4 unlock S",
        expect![[r#"
            0.0 + S
            0.0 + A
            0.1 - A success
            0.1 ! B held: `S` is locked
            0.2 > root at B: `S` is locked; when it opens, next goes to `C`
            0.2 > S at the end: the end is reached
            0.4 - S success
            0.4 + C
            0.5 - C success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Breakpoints and locks belong to the node: they go with it to another track.
#[test]
fn marks_go_with_a_moved_node() {
    check(
        "
        sequence Root
          wait A duration_s=0.2
          wait B duration_s=0.1
          parallel P
            wait Q duration_s=0.1
        ",
        "0 break B
         0.1 move_node B P 0
         0.5 continue",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + P
            0.2 ! B held: held at `B`: breakpoint
            0.2 + Q
            0.3 - Q success
            0.5 + B
            0.6 - B success
            0.6 - P success
            0.6 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          wait A duration_s=0.2
          parallel P
            wait Q duration_s=0.1
          sequence S
            wait B duration_s=0.1
        ",
        "0 lock S
         0.1 move_node S P 0
         0.6 unlock S",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + P
            0.2 + B
            0.2 + Q
            0.3 - B success
            0.3 - Q success
            0.6 - P success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Out of a branch into the root, with the node that holds it, and where its node becomes a step.
#[test]
fn marks_go_with_what_is_around() {
    check(
        "
        sequence Root
          wait A duration_s=0.2
          parallel P
            sequence S
              wait B duration_s=0.1
            wait Q duration_s=0.1
        ",
        "0 break B
         0 lock S
         0.1 edits
         0.1 move_node S Root 1
         0.1 setting S timeout_s 9
         0.3 continue
         0.6 unlock S",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + S
            0.2 ! B held: held at `B`: breakpoint
            0.3 + B
            0.4 - B success
            0.4 ! P held: `S` is locked
            0.6 - S success
            0.6 + P
            0.6 + Q
            0.7 - Q success
            0.7 - P success
            0.7 # the behavior succeeded
        "#]],
    );
}

const ADDED: &str = "
    sequence Root
      parallel P
        wait A duration_s=0.5
      wait B duration_s=0.1
";

/// A press on its track starts a branch that was added; taken back, the others go on.
#[test]
fn an_added_branch_is_pressed_or_taken_back() {
    check(
        ADDED,
        "0.1 edits by Bob
         0.1 insert P 1 wait New duration_s=0.1
         0.2 press New",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.1 ! New held: added by Bob: waits to be admitted
            0.2 + New
            0.3 - New success
            0.5 - A success
            0.5 - P success
            0.5 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
    check(
        ADDED,
        "0.1 edits by Bob
         0.1 insert P 1 wait New
         0.3 edits by Bob
         0.3 delete New",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.1 ! New held: added by Bob: waits to be admitted
            0.5 - A success
            0.5 - P success
            0.5 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// What was added stays held when its settings are edited, by whoever edits them.
#[test]
fn what_was_added_is_edited() {
    check(
        ADDED,
        "0.1 edits by Bob
         0.1 insert P 1 wait New
         0.2 setting New duration_s 0.1
         0.2 why
         0.4 admit New",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.1 ! New held: added by Bob: waits to be admitted
            0.2 > root at B: waits until `P` has ended
            0.2 > P at the end: the end is reached
            0.2 > P at New: added by Bob: waits to be admitted
            0.4 + New
            0.5 - A success
            0.5 - New success
            0.5 - P success
            0.5 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
}
