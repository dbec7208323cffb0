//! Edits of a tree that runs.

use expect_test::expect;
use testkit::check;

/// Applied at once: an edit counts in the tick it arrives in. Next stays on its node, wherever that is now.
#[test]
fn applied_at_once() {
    check(
        "
        sequence Root
          wait A duration_s=0.2
          wait B duration_s=0.1
        ",
        "0.2 insert Root 0 wait Before duration_s=0.1
         0.2 insert Root 2 wait Between duration_s=0.1
         0.2 setting B duration_s 0.3",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 + Between
            0.3 - Between success
            0.3 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Applied whole: of a batch with a mistake nothing is applied, and the refusal says why.
#[test]
fn a_batch_applies_whole_or_not_at_all() {
    check(
        "
        sequence Root
          wait A duration_s=0.2
          wait B duration_s=0.1
        ",
        "0.1 edits
         0.1 delete A
         0.1 rename B New
         0.1 insert Root 9 wait Late
         0.2 edits
         0.2 rename B New
         0.2 setting B duration_s 0.2",
        expect![[r#"
            0.0 + A
            0.1 > refused `edits`: position 9 is past the end: the parent has 1 children
            0.2 - A success
            0.2 + New
            0.4 - New success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A refused edit changes nothing; a batch behind it in the same tick still applies.
#[test]
fn a_refused_edit_changes_nothing() {
    check(
        "
        sequence Root
          wait A duration_s=0.2
        ",
        "0.1 delete Nobody
         0.1 edits
         0.1 rename A New
         0.1 why",
        expect![[r#"
            0.0 + New
            0.1 > refused `delete Nobody`: node 000000000000dead is not in the tree; it may have been deleted meanwhile
            0.1 > root at the end: the end is reached
            0.2 - New success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// A deleted running step halts; it fails nothing, starts no catch, and what was behind it goes on.
#[test]
fn a_deleted_running_step_halts() {
    check(
        "
        fallback F
          sequence Try
            wait A
            wait B duration_s=0.1
          wait Catch
        ",
        "0.1 delete A",
        expect![[r#"
            0.0 + A
            0.1 - A halted: it was deleted or moved out of its track
            0.1 + B
            0.2 - B success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// It halts as a detached instance: it takes its time and keeps its claims, and who waited for it waits until it has.
#[test]
fn a_deleted_step_halts_detached() {
    check(
        r#"
        sequence Root
          stand_in A claims=["x"] halt_s=0.5
          wait B duration_s=0.1
          stand_in C claims=["x"] duration_s=0.1
        "#,
        "0.1 delete A
         0.3 tokens
         0.3 why",
        expect![[r#"
            0.0 + A
            0.3 > x held by `A`
            0.3 > root at B: waits until `A` has ended
            0.6 - A halted: it was deleted or moved out of its track
            0.6 + B
            0.7 - B success
            0.7 + C
            0.8 - C success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// A detached step that does not come to rest is cut off like any other; stop does not lose it.
#[test]
fn a_detached_step_is_cut_off() {
    check(
        r#"
        sequence Root
          stand_in A claims=["x"] halt_s=9
          stand_in C claims=["x"] duration_s=0.1
        "#,
        "0.1 delete A
         0.5 stop
         0.6 automatic on
         2.5 still x",
        expect![[r#"
            0.0 + A
            0.5 # stopped: stop was pressed
            0.5 > robot stop
            2.1 # A: did not come to rest in 2 s: its parts get a robot stop
            2.1 - A halted: it was deleted or moved out of its track
            2.1 ! C held: `x` is held by the robot, which has not come to rest
            2.1 > robot stop of x
            2.5 + C
            2.6 - C success
            2.6 # the behavior succeeded
        "#]],
    );
}

/// A deleted composite halts with all that is in it, and ends only when all has halted.
#[test]
fn a_deleted_composite() {
    check(
        "
        sequence Root
          parallel P
            stand_in A halt_s=0.3
            sequence S until=never
              wait B
          wait C duration_s=0.1
        @variables {\"never\": false}
        ",
        "0.1 delete P",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + S
            0.0 + B
            0.1 - B halted: what it belongs to was halted
            0.1 - S halted: what it belongs to was halted
            0.4 - A halted: what it belongs to was halted
            0.4 - P halted: it was deleted or moved out of its track
            0.4 + C
            0.5 - C success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Moved within its track it keeps running, also into and out of organising nodes.
#[test]
fn moved_within_its_track() {
    check(
        "
        sequence Root
          sequence S
            wait Z duration_s=0.1
          wait A duration_s=0.5
          wait B duration_s=0.1
        ",
        "0.2 move_node A S 0
         0.4 move_node A Root 1
         0.4 why",
        expect![[r#"
            0.0 + Z
            0.1 - Z success
            0.1 + A
            0.4 > root at B: waits until `A` has ended
            0.6 - A success
            0.6 + B
            0.7 - B success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// Moved out of its track it halts; in its new place it is a step like any other, once the old one is at rest.
#[test]
fn moved_out_of_its_track() {
    check(
        "
        sequence Root
          stand_in A duration_s=0.3 halt_s=0.2
          parallel P
            wait B duration_s=0.5
        ",
        "0.1 move_node A P 1
         0.2 why",
        expect![[r#"
            0.0 + A
            0.2 > root at P: waits until `A` has ended
            0.3 - A halted: it was deleted or moved out of its track
            0.3 + P
            0.3 + B
            0.3 + A
            0.6 - A success
            0.8 - B success
            0.8 - P success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// A composite's children are live: a new branch starts, whatever the policy; a deleted one halts and no longer counts.
#[test]
fn branches_are_live() {
    check(
        "
        sequence Root
          parallel P
            wait A duration_s=0.3
            wait B
        ",
        "0.1 insert P 1 wait New duration_s=0.3
         0.2 delete B",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.1 + New
            0.2 - B halted: it was deleted or moved out of its track
            0.3 - A success
            0.4 - New success
            0.4 - P success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Priority branch deleted: all.
#[test]
fn priority_branch_deleted() {
    check(
        "
        sequence Root
          parallel P policy=priority priority=A
            wait A duration_s=0.3
            wait B duration_s=0.2
            wait C duration_s=0.4
        ",
        "0.1 delete A",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + B
            0.0 + C
            0.1 - A halted: it was deleted or moved out of its track
            0.2 - B success
            0.4 - C success
            0.4 - P success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// The last branch, the chosen case, the body of a loop, the target of a gosub deleted while they run.
#[test]
fn everything_inside_deleted() {
    check(
        "
        parallel P
          wait A
        choose C
          wait B
          wait B2
        loop L count=3
          wait D
        gosub G target=S
        sequence S
          wait E duration_s=0.3
        ",
        "0.1 delete A
         0.2 delete B
         0.3 delete D
         0.5 delete S",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.1 - A halted: it was deleted or moved out of its track
            0.1 - P success
            0.1 + C
            0.1 + B
            0.2 - B halted: it was deleted or moved out of its track
            0.2 - C success
            0.2 + L
            0.2 + D
            0.3 - D halted: it was deleted or moved out of its track
            0.3 # L: begins again in the tick in which it began: no time passes in this loop, so it goes once a tick
            0.4 - L success
            0.4 + G
            0.4 + G/E
            0.5 - G/E halted: it was deleted or moved out of its track
            0.5 - G failure: there is no node `S` to call
            0.5 # the behavior ended: failure: there is no node `S` to call
        "#]],
    );
}

/// Next deleted: the following surviving step. Next moved to another track: the same.
#[test]
fn next_deleted_or_moved_away() {
    check(
        "
        sequence Root
          wait A duration_s=0.3
          wait B
          wait C
          wait D duration_s=0.3
          wait E
          parallel P
            wait Q duration_s=0.1
        ",
        "0.1 edits
         0.1 delete B
         0.1 delete C
         0.1 why
         0.4 move_node E P 0
         0.4 setting E duration_s 0.1
         0.4 why",
        expect![[r#"
            0.0 + A
            0.1 > root at D: waits until `A` has ended
            0.3 - A success
            0.3 + D
            0.4 > root at P: waits until `D` has ended
            0.6 - D success
            0.6 + P
            0.6 + E
            0.6 + Q
            0.7 - E success
            0.7 - Q success
            0.7 - P success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// None follows: next is behind the last step. At the end it stays there, so an appended step becomes next.
#[test]
fn appended_at_the_end() {
    check(
        "
        sequence Root
          wait A duration_s=0.3
          wait B
        ",
        "0.1 delete B
         0.2 why
         0.2 insert Root 1 wait C duration_s=0.1
         0.6 insert Root 2 wait D duration_s=0.1
         0.6 why
         0.7 automatic on",
        expect![[r#"
            0.0 + A
            0.2 > root at C: waits until `A` has ended
            0.3 - A success
            0.3 + C
            0.4 - C success
            0.4 # the behavior succeeded
            0.6 > root at D: automatic is off
            0.7 + D
            0.8 - D success
            0.8 # the behavior succeeded
        "#]],
    );
}

/// A skill used twice: one edit changes both uses, each with its own state.
#[test]
fn a_skill_used_twice() {
    check(
        "
        parallel P
          skill One file=skill.json
          sequence S
            wait W duration_s=0.1
            skill Two file=skill.json
        --- skill.json
        wait A duration_s=0.3
        wait B
        ",
        "0.2 insert One/root 1 wait New duration_s=0.1
         0.2 delete One/B
         0.35 why",
        expect![[r#"
            0.0 + P
            0.0 + One/A
            0.0 + W
            0.1 - W success
            0.1 + Two/A
            0.3 - One/A success
            0.3 + One/New
            0.4 - One/New success
            0.4 - Two/A success
            0.4 + Two/New
            0.5 - Two/New success
            0.5 - P success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// A running step of a skill deleted: it halts in every use. Inside a gosub: in the call.
#[test]
fn deleted_in_every_use_and_call() {
    check(
        "
        parallel P
          skill One file=skill.json
          skill Two file=skill.json
          gosub G target=T
        sequence T
          wait C duration_s=0.3
          wait D duration_s=0.1
        --- skill.json
        wait A
        wait B duration_s=0.1
        ",
        "0.1 delete One/A
         0.2 delete C",
        expect![[r#"
            0.0 + P
            0.0 + One/A
            0.0 + Two/A
            0.0 + G
            0.0 + G/C
            0.1 - One/A halted: it was deleted or moved out of its track
            0.1 - Two/A halted: it was deleted or moved out of its track
            0.1 + One/B
            0.1 + Two/B
            0.2 - G/C halted: it was deleted or moved out of its track
            0.2 - One/B success
            0.2 - Two/B success
            0.2 + G/D
            0.3 - G/D success
            0.3 - G success
            0.3 - P success
            0.3 + D
            0.4 - D success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A failure that a fallback or a lock held counts for what is around it when that is taken away.
#[test]
fn a_held_failure_is_not_lost() {
    check(
        "
        sequence Root
          fallback F
            stand_in A duration_s=0.1 fails_if=bad
            wait B duration_s=0.3 after=Beginning
            wait Catch duration_s=0.1
          wait C
        @variables {\"bad\": true}
        ",
        "0.2 edits
         0.2 move_node B Root 0
         0.2 move_node A Root 0
         0.2 delete F",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.1 - A failure: `bad` holds
            0.3 - B success
            0.3 # the behavior ended: failure: `bad` holds
        "#]],
    );
    check(
        "
        sequence Root
          sequence S
            always_fail A
          wait C
        ",
        "0 lock S
         0.2 edits
         0.2 move_node A Root 0
         0.2 delete S",
        expect![[r#"
            0.0 + A
            0.0 - A failure: it is set to always fail
            0.0 ! C held: `S` is locked
            0.2 # the behavior ended: failure: it is set to always fail
        "#]],
    );
}

/// A reference is resolved on an edit, also where the edit touched another track: what was missing is there now.
#[test]
fn a_reference_finds_what_an_edit_brings() {
    check(
        r#"
        sequence Root
          parallel P
            wait X duration_s=0.8
          wait B duration_s=0.3 after=Beginning
          wait C duration_s=0.1 after=New
        "#,
        "0.1 insert P 1 wait New duration_s=0.1",
        expect![[r#"
            0.0 + P
            0.0 + X
            0.0 + B
            0.1 + New
            0.2 - New success
            0.3 - B success
            0.8 - X success
            0.8 - P success
            0.8 + C
            0.9 - C success
            0.9 # the behavior succeeded
        "#]],
    );
}

/// What is inserted beside a skill that was written out finds its place behind all of it.
#[test]
fn beside_a_use_that_was_written_out() {
    check(
        "
        sequence Root
          wait First duration_s=0.1
          sequence Around
            skill Use file=inner.json
            wait B duration_s=0.1
        --- inner.json
        sequence S
          wait In duration_s=0.1
        ",
        "0.0 retype Use sequence
         0.0 insert Use 0 wait A duration_s=0.1
         0.1 insert Around 0 wait Front duration_s=0.1
         0.1 insert Around 2 wait Between duration_s=0.1",
        expect![[r#"
            0.0 + First
            0.1 - First success
            0.1 + Front
            0.2 - Front success
            0.2 + A
            0.3 - A success
            0.3 + Between
            0.4 - Between success
            0.4 + B
            0.5 - B success
            0.5 # the behavior succeeded
        "#]],
    );
}
