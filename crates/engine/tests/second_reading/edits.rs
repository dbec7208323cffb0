//! Edits: what runs keeps what it started with, who waits waits, next is where it belongs.

use engine::{EditBatch, TickInput};
use expect_test::expect;
use model::Edit;
use testkit::{Script, TICK_NS, check};

/// A plain sequence that gets its first guard while it runs: it keeps the settings it started with.
#[test]
fn the_first_guard_of_a_sequence_that_runs() {
    check(
        "
        sequence Root
          sequence S
            wait A duration_s=0.3
            wait B duration_s=0.1
          wait C duration_s=0.1
        ",
        "0.1 setting S timeout_s 0.1
         0.1 why",
        expect![[r#"
            0.0 + A
            0.1 > root at B: waits until `A` has ended
            0.3 - A success
            0.3 + B
            0.4 - B success
            0.4 + C
            0.5 - C success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Its next start has the guard.
#[test]
fn the_next_pass_has_the_guard() {
    check(
        "
        loop L count=2
          sequence S
            wait A duration_s=0.2
            wait B duration_s=0.1
        ",
        "0.1 setting S timeout_s 0.1",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.2 - A success
            0.2 + B
            0.3 - B success
            0.3 + S
            0.3 + A
            0.4 - A halted: what it belongs to was halted
            0.4 - S failure "timeout": timed out after 0.1 s
            0.4 - L failure "timeout": timed out after 0.1 s
            0.4 # the behavior ended: failure: timed out after 0.1 s
        "#]],
    );
}

/// A sequence that loses its last guard while it runs keeps it to its end; then it is plain.
#[test]
fn the_last_guard_of_a_sequence_that_runs() {
    check(
        "
        sequence Root
          sequence S timeout_s=0.3
            wait A duration_s=0.2
            wait B duration_s=0.4
          wait C duration_s=0.1
        ",
        "0.1 setting S timeout_s -",
        expect![[r#"
            0.0 + S
            0.0 + A
            0.2 - A success
            0.2 + B
            0.3 - B halted: what it belongs to was halted
            0.3 - S failure "timeout": timed out after 0.3 s
            0.3 # the behavior ended: failure: timed out after 0.3 s
        "#]],
    );
    check(
        "
        loop L count=2
          sequence S timeout_s=9
            wait A duration_s=0.2
        ",
        "0.1 setting S timeout_s -",
        expect![[r#"
            0.0 + L
            0.0 + S
            0.0 + A
            0.2 - A success
            0.2 - S success
            0.2 + A
            0.4 - A success
            0.4 - L success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A type is a setting like any other: a step that becomes an organising node, a fallback that becomes a sequence, a
/// parallel that does, each goes on as what it started as.
#[test]
fn retyped_while_it_runs() {
    check(
        "
        sequence Root
          wait A duration_s=0.3
          wait B duration_s=0.1
        ",
        "0.1 retype A sequence",
        expect![[r#"
            0.0 + A
            0.3 - A success
            0.3 + B
            0.4 - B success
            0.4 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          fallback F
            stand_in A duration_s=0.2 fails_if=bad
            wait Catch duration_s=0.1
          wait C duration_s=0.1
        @variables {\"bad\": true}
        ",
        "0.1 retype F sequence",
        expect![[r#"
            0.0 + A
            0.2 - A failure: `bad` holds
            0.2 + Catch
            0.3 - Catch success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          parallel P
            wait A duration_s=0.2
            wait B duration_s=0.3
          wait C duration_s=0.1
        ",
        "0.1 retype P sequence",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.2 - A success
            0.3 - B success
            0.3 - P success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Nothing of it has started: it gets its guard at once, and starts where next was put.
#[test]
fn a_guard_where_next_was_set() {
    check(
        "
        sequence Root
          wait Z duration_s=0.1
          sequence S
            wait A duration_s=0.1
            wait B duration_s=0.1
          wait C duration_s=0.1
        ",
        "manual
         0 next B
         0.1 setting S timeout_s 9
         0.1 why
         0.2 automatic on",
        expect![[r#"
            0.1 > root at S: automatic is off
            0.2 + S
            0.2 + B
            0.3 - B success
            0.3 - S success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Deleting what is waited for by name, or the sequence that holds it: who waits does so until it has halted.
#[test]
fn what_is_waited_for_is_deleted() {
    check(
        "
        sequence Root
          stand_in Walk duration_s=0.9 halt_s=0.3
          wait Beside duration_s=0.1 after=Beginning
          wait Arm duration_s=0.1 after=Walk
        ",
        "0.2 delete Walk
         0.3 why",
        expect![[r#"
            0.0 + Walk
            0.0 + Beside
            0.1 - Beside success
            0.3 > root at Arm: waits until `Walk` has ended
            0.5 - Walk halted: it was deleted or moved out of its track
            0.5 + Arm
            0.6 - Arm success
            0.6 # the behavior succeeded
        "#]],
    );
    check(
        "
        sequence Root
          sequence S
            wait Z duration_s=0.1
            stand_in Walk duration_s=0.9 halt_s=0.2
          wait Arm duration_s=0.1
        ",
        "0.2 delete S",
        expect![[r#"
            0.0 + Z
            0.1 - Z success
            0.1 + Walk
            0.4 - Walk halted: it was deleted or moved out of its track
            0.4 + Arm
            0.5 - Arm success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Replaced in one edit: the new one stands directly before next and waits for nothing; who waited for the old one still
/// does.
#[test]
fn what_is_waited_for_is_replaced() {
    check(
        "
        sequence Root
          stand_in Walk duration_s=0.9 halt_s=0.3
          wait Arm duration_s=0.1
        ",
        "0.1 edits
         0.1 delete Walk
         0.1 insert Root 0 wait New duration_s=0.1
         0.3 why",
        expect![[r#"
            0.0 + Walk
            0.1 + New
            0.2 - New success
            0.3 > root at Arm: waits until `Walk` has ended
            0.4 - Walk halted: it was deleted or moved out of its track
            0.4 + Arm
            0.5 - Arm success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Next moved to another track frees nobody: what follows it waits for what it waited for, as it would have.
#[test]
fn next_is_moved_to_another_track() {
    check(
        "
        sequence Root
          wait Walk duration_s=0.4
          wait Arm duration_s=0.1
          wait C duration_s=0.1 after=Beginning
          parallel P
            wait Q duration_s=0.1
        ",
        "0.1 move_node Arm P 0
         0.2 why",
        expect![[r#"
            0.0 + Walk
            0.2 > root at C: waits until `Walk` has ended
            0.4 - Walk success
            0.4 + C
            0.5 - C success
            0.5 + P
            0.5 + Arm
            0.5 + Q
            0.6 - Arm success
            0.6 - Q success
            0.6 - P success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// A name that finds its node only after a rename frees nobody who waits.
#[test]
fn a_rename_frees_nobody() {
    check(
        "
        sequence Root
          wait A duration_s=0.3
          wait B duration_s=0.6 after=Beginning
          wait C duration_s=0.1 after=X
        ",
        "0.1 rename A X",
        expect![[r#"
            0.0 + X
            0.0 + B
            0.3 - X success
            0.6 - B success
            0.6 + C
            0.7 - C success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// Inserted directly before a next that was set by hand earlier.
#[test]
fn before_a_next_set_by_hand() {
    check(
        "
        sequence Root
          wait A duration_s=0.1
          wait B duration_s=0.1
          wait C duration_s=0.1
        ",
        "manual
         0 next C
         0.1 insert Root 2 wait X duration_s=0.1
         0.1 why
         0.2 automatic on",
        expect![[r#"
            0.1 > root at X: automatic is off
            0.2 + X
            0.3 - X success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// The condition of a case, edited before the choose is reached.
#[test]
fn the_condition_of_a_case() {
    check(
        "
        sequence Root
          wait A duration_s=0.2
          choose C
            wait B duration_s=0.1 when=\"1 > 2\"
            wait D duration_s=0.1
        ",
        "0.1 setting B when \"2 > 1\"",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + C
            0.2 + B
            0.3 - B success
            0.3 - C success
            0.3 # the behavior succeeded
        "#]],
    );
}

const THREE: &str = "
    sequence Root
      wait A duration_s=0.1
      wait B duration_s=0.4
      wait C duration_s=0.1
      wait D duration_s=0.1
";

/// A deletion at 0.2 s, taken back at 0.3 s.
fn deleted_and_undone(name: &str) -> String {
    let script = Script::parse("0.3 why");
    let mut engine = testkit::load(THREE, &script.options);
    let tree = engine.library().main();
    let node = tree.walk(tree.root).find(|id| &**tree.node(*id).label() == name).expect("it is in the outline");
    let delete = Edit::Delete { node };
    let (back, _) = engine.library().clone().apply(&delete).expect("it is there");
    for tick in 0..10 {
        let (input, _) = script.input_at(tick * TICK_NS, &engine);
        let edits = match tick {
            2 => vec![EditBatch { id: 7, edits: vec![delete.clone()], by: None }],
            3 => vec![EditBatch { id: 8, edits: vec![back.clone()], by: None }],
            _ => Vec::new(),
        };
        engine.tick(&TickInput { time_ns: tick * TICK_NS, edits, ..input });
    }
    testkit::trace(&engine, &[])
}

/// Undo of a deletion of next brings it back as next; that of an ended step directly before next runs nothing again.
#[test]
fn undo_of_a_deletion() {
    expect![[r#"
        0.0 + A
        0.1 - A success
        0.1 + B
        0.5 - B success
        0.5 + C
        0.6 - C success
        0.6 + D
        0.7 - D success
        0.7 # the behavior succeeded
    "#]]
    .assert_eq(&deleted_and_undone("C"));
    expect![[r#"
        0.0 + A
        0.1 - A success
        0.1 + B
        0.5 - B success
        0.5 + C
        0.6 - C success
        0.6 + D
        0.7 - D success
        0.7 # the behavior succeeded
    "#]]
    .assert_eq(&deleted_and_undone("A"));
}

/// Appended to an ended branch while its composite runs, twice, and to one that has not: only the latter runs.
#[test]
fn appended_to_branches() {
    check(
        "
        parallel P
          sequence S
            wait A duration_s=0.1
          sequence T
            wait B duration_s=0.4
        ",
        "0.2 insert S 1 wait More
         0.3 insert S 2 wait Yet
         0.3 insert T 1 wait Runs duration_s=0.1",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.1 - A success
            0.4 - B success
            0.4 + Runs
            0.5 - Runs success
            0.5 - P success
            0.5 # the behavior succeeded
        "#]],
    );
}
