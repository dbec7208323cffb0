//! Edits of settings, types, headers and files of a tree that runs.

use expect_test::expect;
use testkit::check;

/// Running steps keep the settings they started with; the next start uses the new ones.
#[test]
fn settings_of_a_running_step() {
    check(
        "
        loop L count=2
          wait A duration_s=0.3
        ",
        "0.1 setting A duration_s 0.1
         0.1 setting A until go
         0.1 set go true",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.1 = go true
            0.3 - A success
            0.3 - A success: not started: `until go` holds
            0.3 - L success
            0.3 # the behavior succeeded
        "#]],
    );
}

/// Running composites keep theirs, too; a type is a setting like any other.
#[test]
fn settings_and_type_of_a_running_composite() {
    check(
        "
        loop Again count=3
          parallel P
            wait A duration_s=0.2
            wait B duration_s=0.4
        ",
        "0.1 setting P policy one
         0.5 retype P loop
         0.5 setting P count 1",
        expect![[r#"
            0.0 + Again
            0.0 + P
            0.0 + A
            0.0 + B
            0.2 - A success
            0.4 - B success
            0.4 - P success
            0.4 + P
            0.4 + A
            0.4 + B
            0.6 - A success
            0.6 - B halted: what it belongs to was halted
            0.6 - P success
            0.6 + P
            0.6 + A
            0.8 - A success
            0.8 + B
            1.2 - B success
            1.2 - P success
            1.2 - Again success
            1.2 # the behavior succeeded
        "#]],
    );
}

/// Retyped while it runs, a step goes on as what it was and starts next time as what it is.
#[test]
fn retyped_while_running() {
    check(
        "
        loop L count=3
          wait A duration_s=0.2
        ",
        "0.1 retype A always_fail
         0.1 rename A New",
        expect![[r#"
            0.0 + L
            0.0 + New
            0.2 - New success
            0.2 + New
            0.2 - New failure: it is set to always fail
            0.2 - L failure: it is set to always fail
            0.2 # the behavior ended: failure: it is set to always fail
        "#]],
    );
}

/// A header edited while it runs: a new variable has its value at once, others keep theirs; a skill's next start
/// gives its own variables their new first values.
#[test]
fn header_edits() {
    check(
        r#"
        loop L count=2
          skill Use file=skill.json
        condition Check condition="y == 3 && x == 1"
        @variables {"x": 0}
        --- skill.json
        wait A duration_s=0.2
        condition B condition="z >= 5"
        @variables {"z": 5}
        "#,
        r#"0.0 set x 1
         0.1 header main.json {"variables":[["x",7],["y",3]]}
         0.1 header skill.json {"variables":[["z",6]]}"#,
        expect![[r#"
            0.0 = x 1
            0.0 + L
            0.0 = z 5
            0.0 + Use/A
            0.1 = y 3
            0.2 - Use/A success
            0.2 + Use/B
            0.2 - Use/B success
            0.2 = z 6
            0.2 + Use/A
            0.4 - Use/A success
            0.4 + Use/B
            0.4 - Use/B success
            0.4 - L success
            0.4 + Check
            0.4 - Check success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Locks and breakpoints stay on their node through edits.
#[test]
fn marks_stay_on_their_node() {
    check(
        "
        sequence Root
          wait A duration_s=0.2
          sequence S
            wait B duration_s=0.1
          wait C duration_s=0.1
        ",
        "0 break B
         0 lock S
         0.1 setting B duration_s 0.2
         0.1 insert Root 0 wait New
         0.4 unbreak B
         0.4 continue
         0.8 unlock S",
        expect![[r#"
            0.0 + A
            0.2 - A success
            0.2 ! B held: held at `B`: breakpoint
            0.4 + B
            0.6 - B success
            0.6 ! C held: `S` is locked
            0.8 + C
            0.9 - C success
            0.9 # the behavior succeeded
        "#]],
    );
}

/// A skill file added while its use is in the tree already is used from then on; removed, what runs in it
/// halts, and what stands in its place says what is missing.
#[test]
fn skill_files_come_and_go() {
    let script = testkit::Script::parse("");
    let mut engine = testkit::load(
        "
        loop L count=3
          wait A duration_s=0.2
          skill Use file=skill.json
        --- skill.json
        wait B duration_s=0.2
        wait C duration_s=0.2
        ",
        &script.options,
    );
    let file: std::sync::Arc<str> = "skill.json".into();
    let remove = model::Edit::RemoveFile { file: file.clone() };
    let (add, _) = engine.library().clone().apply(&remove).expect("it is the newest");
    for tick in 0..10 {
        let (mut input, _) = script.input_at(tick * testkit::TICK_NS, &engine);
        input.time_ns = tick * testkit::TICK_NS;
        match tick {
            1 | 9 => input.edits.push(engine::EditBatch { id: 1, edits: vec![remove.clone()], by: None }),
            2 => input.edits.push(engine::EditBatch { id: 1, edits: vec![add.clone()], by: None }),
            _ => {}
        }
        engine.tick(&input);
    }
    expect![[r#"
        0.0 + L
        0.0 + A
        0.2 - A success
        0.2 + Use/B
        0.4 - Use/B success
        0.4 + Use/C
        0.6 - Use/C success
        0.6 + A
        0.8 - A success
        0.8 + Use/B
        0.9 - Use/B halted: it was deleted or moved out of its track
        0.9 + Use
        0.9 - Use failure: skill file `skill.json` could not be loaded
        0.9 - L failure: skill file `skill.json` could not be loaded
        0.9 # the behavior ended: failure: skill file `skill.json` could not be loaded
    "#]]
    .assert_eq(&testkit::trace(&engine, &[]));
}

/// Settings of a composite edited before it starts: what is inside stays reachable for commands and edits.
#[test]
fn inside_of_an_edited_composite() {
    check(
        "
        sequence Root
          wait First duration_s=0.2
          parallel P
            sequence S
              wait A
              wait B
        @variables {\"go\": false}
        ",
        "0.1 setting P until go
         0.3 force A success
         0.4 delete B",
        expect![[r#"
            0.0 + First
            0.2 - First success
            0.2 + P
            0.2 + A
            0.3 - A success: forced by the operator
            0.3 + B
            0.4 - B halted: it was deleted or moved out of its track
            0.4 - P success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// A skill use with a guard changes its file: its children are live, so the new ones follow at once; with a file that
/// is missing nothing is left to do, and the next start says so.
#[test]
fn another_file_for_a_guarded_skill() {
    check(
        "
        loop L count=3
          skill Use file=one.json timeout_s=9
        skill Other file=two.json
        --- one.json
        wait A duration_s=0.2
        --- two.json
        wait B duration_s=0.2
        ",
        "0.1 setting Use file two.json
         0.2 setting Use file missing.json",
        expect![[r#"
            0.0 + L
            0.0 + Use
            0.0 + Use/A
            0.1 - Use/A halted: it was deleted or moved out of its track
            0.1 + Use/B
            0.2 - Use/B halted: it was deleted or moved out of its track
            0.2 - Use success
            0.2 + Use
            0.2 - Use failure: skill file `missing.json` could not be loaded
            0.2 - L failure: skill file `missing.json` could not be loaded
            0.2 # the behavior ended: failure: skill file `missing.json` could not be loaded
        "#]],
    );
}
