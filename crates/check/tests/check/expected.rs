//! When steps are expected to run: the engine's own rules, without a robot.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::Body;
use expect_test::{Expect, expect};
use geometry::Pose;
use model::file::{Disk, MemoryFiles, load};
use model::{Library, Role};
use robot::Robot;
use robot::interface::RobotState;

fn library(outline: &str) -> Library {
    let files = testkit::to_json(outline);
    let mut memory = MemoryFiles::default();
    for (name, json) in &files {
        memory.insert(name, json.to_string());
    }
    load(&files[0].0, &memory, testkit::registry().catalogue()).expect("an outline makes a file").library
}

#[track_caller]
fn bars(outline: &str, wanted: Expect) {
    let library = library(outline);
    let mut text = String::new();
    for bar in check::expected(&library, &testkit::registry(), None) {
        let owner = library.owner_of(bar.step.node).expect("it is in the tree");
        let label = library.get(owner).node(bar.step.node).label().clone();
        text += &format!("{label} {:.2}–{:.2}\n", bar.start_s, bar.end_s);
    }
    wanted.assert_eq(&text);
}

#[test]
fn what_executes_after_the_beginning_begins_with_it() {
    bars(
        "
         stand_in Walk duration_s=7.5
         wait Wait duration_s=1 after=Beginning
         stand_in Arm duration_s=2 after=Wait
         wait Last duration_s=1 after=Walk",
        expect![[r#"
            Walk 0.00–7.50
            Wait 0.00–1.00
            Arm 1.00–3.00
            Last 7.50–8.50
        "#]],
    );
}

#[test]
fn a_catch_is_left_out_and_branches_go_side_by_side() {
    bars(
        "
         wait A duration_s=1
         fallback Try
           stand_in First duration_s=2
           stand_in Otherwise duration_s=50
         parallel Both
           wait Left duration_s=3
           wait Right duration_s=4
         wait B duration_s=1",
        expect![[r#"
            A 0.00–1.00
            First 1.00–3.00
            Both 3.00–7.00
            Left 3.00–6.00
            Right 3.00–7.00
            B 7.00–8.00
        "#]],
    );
}

#[test]
fn what_halts_the_others_ends_their_bars() {
    bars(
        "
         parallel Race policy=one
           wait Slow duration_s=9
           wait Quick duration_s=2
         wait B duration_s=1",
        expect![[r#"
            Race 0.00–2.00
            Slow 0.00–2.00
            Quick 0.00–2.00
            B 2.00–3.00
        "#]],
    );
}

#[test]
fn a_loop_goes_as_often_as_its_variables_say() {
    bars(
        "
         @variables {\"n\": 0}
         loop Again condition=\"n < 2\"
           wait A duration_s=1
           set Count values={\"n\": \"n + 1\"}
         wait B duration_s=1",
        expect![[r#"
            Again 0.00–2.00
            A 0.00–1.00
            Count 1.00–1.00
            A 1.00–2.00
            Count 2.00–2.00
            B 2.00–3.00
        "#]],
    );
}

#[test]
fn of_an_endless_loop_ten_passes_are_shown() {
    let library = library(
        "
         loop Ever
           wait A duration_s=1",
    );
    assert_eq!(check::expected(&library, &testkit::registry(), None).len(), 1 + 11);
}

#[test]
fn the_first_case_that_may_hold_is_taken_and_jumps_are_made() {
    bars(
        "
         @variables {\"seen\": null, \"big\": false}
         choose C
           wait Big duration_s=1 when=\"big\"
           wait Seen duration_s=2 when=\"seen > 1\"
           wait Else duration_s=3
         goto Over target=End
         wait Never duration_s=9
         wait End duration_s=1",
        expect![[r#"
            C 0.00–2.00
            Seen 0.00–2.00
            Over 2.00–2.00
            End 2.00–3.00
        "#]],
    );
}

#[test]
fn claims_make_one_wait_for_the_other() {
    bars(
        "
         stand_in A duration_s=2 claims=[\"tool\"]
         stand_in B duration_s=2 claims=[\"tool\"] after=Beginning on_conflict=wait",
        expect![[r#"
            A 0.00–2.00
            B 2.00–4.00
        "#]],
    );
}

fn behaviors(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            behaviors(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "json") {
            found.push(path);
        }
    }
}

fn body() -> Body {
    let robot = Arc::new(Robot::builtin("coact-one").expect("our own"));
    let positions = robot.configuration("home").expect("a preset");
    let state = RobotState::standing(&positions, &Pose::identity());
    Body::new(robot, Arc::default(), Arc::new(state))
}

/// What a run without a mishap would do is foreseen to its end, whatever the behavior.
#[test]
fn every_shipped_behavior_is_foreseen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let registry = testkit::registry();
    let mut files = Vec::new();
    behaviors(&root.join("skills"), &mut files);
    behaviors(&root.join("examples"), &mut files);
    files.sort();
    let mut seen = 0;
    for path in files {
        let Ok(loaded) = load(path.to_str().expect("UTF-8"), &Disk, registry.catalogue()) else {
            continue;
        };
        let library = loaded.library;
        let main = library.main();
        let is_step = |node| registry.catalogue().role(&main.node(node).kind) == Some(Role::Step);
        // Where steps ask the robot for a value, nothing is foreseen without one.
        let without = check::expected(&library, &registry, None);
        let bars = if without.is_empty() { check::expected(&library, &registry, Some(body())) } else { without };
        let shown: BTreeSet<_> = bars.iter().map(|bar| bar.step.node).collect();
        assert!(bars.iter().all(|bar| bar.end_s >= bar.start_s), "{}: a bar ends before it begins", path.display());
        if main.walk(main.root).any(is_step) {
            assert!(!shown.is_empty(), "{}: nothing is foreseen", path.display());
        }
        seen += 1;
    }
    assert!(seen > 60, "{seen} behaviors");
}
