//! Faults that random trees and inputs have found.

use engine::{Command, Control, EditBatch, TickInput};
use expect_test::expect;
use model::{Edit, NodeId, Subtree};
use testkit::check;

#[test]
fn next_moves_no_further_than_the_ends() {
    check("wait A", "manual\n0 move 9223372036854775807\n0.1 move -9223372036854775808\nend 0.2", expect![[""]]);
}

#[test]
fn a_setting_that_is_its_default_makes_no_group() {
    check(
        "sequence Root\n  sequence S claims=[] retry=0\n    checkpoint A",
        "",
        expect![[r#"
              0.0 + A
              0.0 - A success
              0.0 # the behavior succeeded
        "#]],
    );
}

#[test]
fn the_children_of_an_edited_composite_stay_known() {
    check(
        "
        sequence Root
          parallel P
            checkpoint A
            checkpoint B
        ",
        "
        manual
        0 setting P policy one
        0.1 break A
        0.1 automatic on
        end 0.3
        ",
        expect![[r#"
            0.1 + P
            0.1 ! A held: held at `A`: breakpoint
            0.1 + B
            0.1 - B success
            0.1 - P success
            0.1 # the behavior succeeded
        "#]],
    );
}

#[test]
fn a_group_that_becomes_a_broken_skill_is_no_step_of_itself() {
    check(
        "
        sequence Root
          fallback F timeout_s=9
            wait A duration_s=0.3
            wait B after=A
        ",
        "0.1 retype F skill",
        expect![[r#"
              0.0 + F
              0.0 + A
              0.1 - A halted: it was deleted or moved out of its track
              0.1 - F success
              0.1 # the behavior succeeded
        "#]],
    );
}

#[test]
fn a_new_attempt_begins_when_the_last_has_come_to_rest() {
    check(
        "
        parallel P retry=1
          stand_in Slow duration_s=5 halt_s=0.3 claims=[\"arm\"]
          stand_in Bad duration_s=0.2 fails_if=true
        ",
        "",
        expect![[r#"
              0.0 + P
              0.0 + Slow
              0.0 + Bad
              0.2 - Bad failure: `true` holds
              0.2 # P: failed; attempt 2 of 2 follows
              0.5 - Slow halted: what it belongs to was halted
              0.5 + Slow
              0.5 + Bad
              0.7 - Bad failure: `true` holds
              1.0 - Slow halted: what it belongs to was halted
              1.0 - P failure: `true` holds
              1.0 # the behavior ended: failure: `true` holds
        "#]],
    );
    check(
        "
        parallel P retry=1 timeout_s=0.4
          stand_in Slow duration_s=5 halt_s=0.6
          stand_in Bad duration_s=0.2 fails_if=true
        ",
        "",
        expect![[r#"
              0.0 + P
              0.0 + Slow
              0.0 + Bad
              0.2 - Bad failure: `true` holds
              0.2 # P: failed; attempt 2 of 2 follows
              0.8 - Slow halted: what it belongs to was halted
              0.8 - P failure "timeout": timed out after 0.4 s
              0.8 # the behavior ended: failure: timed out after 0.4 s
        "#]],
    );
}

#[test]
fn a_jump_into_what_is_deleted_is_forgotten() {
    check(
        "
        sequence Root
          checkpoint A
          parallel P
            checkpoint B
          checkpoint C
        ",
        "
        manual
        0 next B
        0.1 delete P
        0.2 automatic on
        ",
        expect![[r#"
              0.2 + C
              0.2 - C success
              0.2 # the behavior succeeded
        "#]],
    );
}

#[test]
fn what_one_edit_changes_and_another_of_the_batch_deletes() {
    check(
        "
        sequence Root
          parallel P
            choose C
              wait A
          wait B duration_s=0.2
        ",
        "
        0 rename A D
        0 delete C
        ",
        expect![[r#"
              0.0 + P
              0.0 - P success
              0.0 + B
              0.2 - B success
              0.2 # the behavior succeeded
        "#]],
    );
}

#[test]
fn a_reference_to_a_deleted_node_means_what_its_name_finds() {
    check(
        "
        sequence Root
          wait A duration_s=0.5
          sequence S
            wait A duration_s=0.2 after=Beginning
            wait B duration_s=0.1 after=A
        ",
        "
        manual
        0 delete A
        0.1 automatic on
        ",
        expect![[r#"
              0.1 + A
              0.3 - A success
              0.3 + B
              0.4 - B success
              0.4 # the behavior succeeded
        "#]],
    );
}

#[test]
fn a_call_whose_target_is_deleted_halts() {
    check(
        "
        sequence Root
          gosub G target=S
          always_succeed End
          sequence S
            stand_in A duration_s=5
        ",
        "0.2 delete S",
        expect![[r#"
              0.0 + G
              0.0 + G/A
              0.2 - G/A halted: it was deleted or moved out of its track
              0.2 - G failure: there is no node `S` to call
              0.2 # the behavior ended: failure: there is no node `S` to call
        "#]],
    );
}

/// Its nodes run anew elsewhere while it halts: it must not take them.
#[test]
fn a_composite_that_left_its_track_does_not_follow_edits() {
    check(
        "
        sequence Root
          loop L count=1
            stand_in A duration_s=0.5 halt_s=0.3
            wait B duration_s=0.1 after=A
          parallel P
            checkpoint C
          parallel Q
            wait D duration_s=0.1
        ",
        "
        0.2 edits
        0.2 move_node P L 1
        0.2 move_node L Q 0
        ",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.5 - A halted: what it belongs to was halted
            0.5 - L halted: it was deleted or moved out of its track
            0.5 + Q
            0.5 + L
            0.5 + A
            0.5 + D
            0.6 - D success
            1.0 - A success
            1.0 + P
            1.0 + C
            1.0 - C success
            1.0 - P success
            1.0 + B
            1.1 - B success
            1.1 - L success
            1.1 - Q success
            1.1 # the behavior succeeded
        "#]],
    );
}

/// A use of a file that comes and goes while it runs.
#[test]
fn files_come_and_go() {
    let mut engine = testkit::load("sequence Root\n  skill Use file=new.json", &engine::Options::default());
    let single = |id: u64, kind: &str, children: Vec<Subtree>| Subtree {
        id: NodeId(id),
        kind: kind.into(),
        name: "N".into(),
        notes: "".into(),
        fields: model::Fields::default(),
        id_written: false,
        children,
    };
    let root = single(1, "sequence", vec![single(2, "wait", Vec::new())]);
    let add = Edit::AddFile { file: "new.json".into(), header: Box::default(), root };
    let remove = Edit::RemoveFile { file: "new.json".into() };
    let rename = Edit::Rename { node: NodeId(2), name: "M".into() };
    let batches = [vec![add.clone()], vec![remove.clone()], vec![add, rename, remove]];
    for (tick, edits) in batches.into_iter().enumerate() {
        let mut input = TickInput { time_ns: tick as i64 * testkit::TICK_NS, ..TickInput::default() };
        input.edits.push(EditBatch { id: 1, edits, by: None });
        input.commands.push(Command { id: 2, what: Control::Automatic { on: true } });
        assert_eq!(engine.tick(&input).answers[0].refused, None);
        assert_eq!(engine.check_invariants(), Ok(()));
    }
    expect![[r#"
          0.0 + Use/N
          0.1 - Use/N halted: it was deleted or moved out of its track
          0.1 + Use
          0.1 - Use failure: skill file `new.json` could not be loaded
          0.1 # the behavior ended: failure: skill file `new.json` could not be loaded
          0.2 + Use
          0.2 - Use failure: skill file `new.json` could not be loaded
          0.2 # the behavior ended: failure: skill file `new.json` could not be loaded
    "#]]
    .assert_eq(&testkit::trace(&engine, &[]));
}

/// The header of a skill is edited after a use of it was deleted.
#[test]
fn a_deleted_use_does_not_ask_for_its_skill() {
    let outline = "sequence Root\n  skill Use file=s.json\n  wait A\n--- s.json\ncheckpoint C";
    let mut engine = testkit::load(outline, &engine::Options::default());
    let main = engine.library().main();
    let node = main.node(main.root).children[0];
    let skill = engine.library().find("s.json").expect("it is loaded");
    let header = Edit::Header { definition: skill, header: Box::default() };
    let edits = vec![EditBatch { id: 1, edits: vec![Edit::Delete { node }, header], by: None }];
    assert_eq!(engine.tick(&TickInput { edits, ..TickInput::default() }).answers[0].refused, None);
    assert_eq!(engine.check_invariants(), Ok(()));
}

/// A batch touches the track first into which it moves a running step of another.
#[test]
fn a_running_step_goes_where_the_same_batch_inserts() {
    check(
        "
        sequence Root
          sequence G end_as=success
            wait A
            wait B
          sequence S
            wait P
            wait X duration_s=1
            wait Y duration_s=0.1
        ",
        "
        0.3 edits
        0.3 insert G 0 wait N
        0.3 move_node X G 0
        0.4 why
        ",
        expect![[r#"
            0.0 + G
            0.0 + A
            0.4 > root at P: waits until `G` has ended
            0.4 > G at B: waits until `A` has ended
            4.0 - A success
            4.0 + B
            8.0 - B success
            8.0 - G success
            8.0 + P
            12.0 - P success
            12.0 + Y
            12.1 - Y success
            12.1 # the behavior succeeded
        "#]],
    );
}

/// What runs keeps its shape, but the names that it will use in its new one can be set at once.
#[test]
fn a_sequence_that_runs_and_becomes_a_choose_knows_the_names_of_its_cases() {
    check(
        r#"
        sequence Root
          sequence S
            wait A duration_s=0.5
            wait B duration_s=0.1 when="later > 1"
        "#,
        "
        0.1 retype S choose
        0.3 set later 2
        ",
        expect![[r#"
            0.0 + A
            0.3 = later 2
            0.5 - A success
            0.5 + B
            0.6 - B success
            0.6 # the behavior succeeded
        "#]],
    );
}

#[test]
fn the_condition_of_a_case_that_is_a_sequence_is_edited() {
    check(
        r#"
        sequence Root
          wait First duration_s=0.3
          choose C
            sequence S when="1 > 2"
              wait A duration_s=0.1
            wait B duration_s=0.1
        "#,
        r#"
        0.1 setting S when "1 < 2"
        "#,
        expect![[r#"
            0.0 + First
            0.3 - First success
            0.3 + C
            0.3 + A
            0.4 - A success
            0.4 - C success
            0.4 # the behavior succeeded
        "#]],
    );
}
