//! What a restart finds, and that nothing runs after it.

use engine::Control;
use link::Stream;
use model::{Autonomy, Beside, Value};
use onboard::Shared;
use protocol::Role;
use protocol::talk::{News, Overview, Want, unpack};
use replica::Peer;

use crate::bench::{Bench, Copy, THREE_WAITS, automatic, library, run};

#[test]
fn the_tree_and_what_was_set_are_there_again_and_nothing_runs() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    let update = bench.copy(ana).rename("second", "middle");
    bench.send_edit(ana, &update);
    let node = bench.instance("third");
    bench.done(ana, "ana", run(Control::Breakpoint { node: node.clone(), on: true }));
    bench.done(ana, "ana", run(Control::Lock { node: bench.instance("first"), on: true }));
    bench.done(ana, "ana", run(Control::AutonomyLevel { level: Autonomy::High }));
    bench.done(ana, "ana", automatic());
    bench.run_s(0.5);
    assert!(bench.is_running());
    let mut again = Bench::again(&mut bench);
    again.run_s(1.0);
    assert!(!again.is_running());
    assert_eq!(again.node("middle"), bench.node("middle"));
    let engine = again.robot.runner.engine();
    assert_eq!(engine.autonomy(), Autonomy::High);
    assert_eq!(engine.marks(), (vec![again.instance("first")], vec![node]));
    assert_eq!(again.robot.desk.in_control(), None, "control is for those who are there");
}

#[test]
fn edits_made_while_the_robot_was_away_are_taken_afterwards() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    let mut copy = bench.copy(ana);
    let first = copy.rename("first", "one");
    bench.send_edit(ana, &first);
    bench.run_s(0.5);
    copy.rename("second", "two");
    let mut again = Bench::again(&mut bench);
    let ana = again.connect(1);
    // All of them: the first is known already.
    copy.unsent().iter().for_each(|sent| again.send_edit(ana, sent));
    again.tick();
    assert_eq!(again.news(ana), [News::Kept { number: 1 }, News::Kept { number: 2 }]);
    assert_eq!(&**copy.library.main().node(again.node("two")).label(), "two");
}

/// Before the first edit nothing was written: a robot that was killed then came back with an empty tree, and operators
/// took that over.
#[test]
fn what_it_began_with_is_kept_before_anybody_edits() {
    let mut bench = Bench::new(THREE_WAITS);
    bench.connect(1);
    bench.run_s(0.5);
    assert!(bench.tree.is_some());
}

const IN_A_CELL: &str = r#"{"version": 1, "type": "sequence", "name": "all", "cell": "cell.json", "children": [
    {"type": "wait", "name": "first", "duration_s": 1}]}"#;

#[test]
fn what_lies_beside_a_behavior_comes_with_it_and_is_there_again() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    let mut beside = Beside::default();
    let cell = r#"{"version": 1, "signals": {"READY": {"kind": "bool", "initial": true}},
        "variables": {"ready": {"signal": "READY"}}}"#;
    beside.insert("cell.json", cell);
    let peer = Peer { number: 77, name: "ana".into() };
    let offered = Shared::from_library(library(IN_A_CELL), peer, 200).unwrap().with_beside(beside.clone());
    bench.offer(ana, &offered.kept().unwrap());
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", Want::Open { epoch: 200, world: None });
    assert_eq!(
        bench.robot.runner.engine().variable("ready"),
        Some(&Value::Bool(true)),
        "of the cell that came with it"
    );
    let overview: Overview = unpack(bench.documents(ana, Stream::Overview).last().unwrap()).unwrap();
    assert_eq!(overview.beside, Some(beside.digest()), "who joins knows whether it is theirs");
    assert_eq!(bench.wholes(ana).pop(), Some(offered.whole().unwrap()), "the tree alone");
    bench.run_s(0.5);
    let kept = Shared::from_update(&bench.tree.take().unwrap(), Peer { number: 2, name: "robot".into() }).unwrap();
    assert_eq!(kept.beside().map(|beside| &**beside), Some(&beside));
    // As a folder of before has it.
    let older = Shared::from_update(&kept.whole().unwrap(), Peer { number: 3, name: "robot".into() }).unwrap();
    assert_eq!(older.beside(), None);
}

#[test]
fn more_beside_a_behavior_than_a_robot_takes_is_refused_with_what_helps() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    let mut beside = Beside::default();
    beside.insert("templates/large.json", &"x".repeat(3 << 20));
    let peer = Peer { number: 77, name: "ana".into() };
    let offered = Shared::from_library(library(THREE_WAITS), peer, 200).unwrap().with_beside(beside);
    bench.offer(ana, &offered.kept().unwrap());
    bench.done(ana, "ana", Want::TakeControl);
    let why = bench.refused(ana, "ana", Role::Supervisor, Want::Open { epoch: 200, world: None });
    assert!(why.contains("a robot takes at most") && why.contains("out of the folder `templates`"), "{why}");
}

/// Edits that came before the tree they belong to was written were said to be on disk, and were of no use there.
#[test]
fn the_tree_is_written_before_the_first_edit_of_it() {
    let mut bench = Bench::new(THREE_WAITS);
    bench.disk_hangs = true;
    let ana = bench.connect(1);
    assert!(bench.wholes(ana).is_empty(), "what it says to be decided is to be on disk");
    // Of somebody who has the tree from the process before.
    let before = bench.robot.desk.shared().whole().unwrap();
    let update = Copy::from_update(&before, 1).rename("second", "middle");
    bench.send_edit(ana, &update);
    bench.disk_hangs = false;
    bench.tick();
    assert!(bench.tree.is_some());
    Bench::again(&mut bench).node("middle");
}

/// A robot said to have an edit must have it after a power cut in the next moment.
#[test]
fn an_edit_is_acknowledged_when_it_is_on_disk_and_not_before() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let mut copy = bench.copy(ana);
    let (first, second) = (copy.rename("first", "one"), copy.rename("second", "two"));
    bench.send_edit(ana, &first);
    bench.tick();
    bench.disk_hangs = true;
    bench.send_edit(ana, &second);
    bench.run_s(1.0);
    assert_eq!(
        &**bench.robot.runner.engine().library().main().node(bench.node("two")).label(),
        "two",
        "it is in force"
    );
    assert_eq!(bench.news(ana), [News::Kept { number: 1 }], "but not on disk");
    assert_eq!(bench.news(ben).len(), 2, "the others see it");

    let mut again = Bench::again(&mut bench);
    assert_eq!(again.robot.desk.shared().library().main().node(again.node("one")).name, "one".into());
    let ana = again.connect(1);
    copy.unsent().iter().for_each(|sent| again.send_edit(ana, sent));
    again.tick();
    again.node("two");
    assert_eq!(again.news(ana).last(), Some(&News::Kept { number: 2 }));
}

/// A whole tree says which edits are decided: sent from memory alone, they would be given up by whoever made them.
#[test]
fn a_disk_that_is_silent_is_told_and_no_tree_goes_out_that_it_does_not_have() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    let mut copy = bench.copy(ana);
    bench.disk_hangs = true;
    bench.send_edit(ana, &copy.rename("first", "one"));
    bench.tick();
    let ben = bench.connect(2);
    bench.run_s(20.0);
    assert!(bench.wholes(ben).is_empty());
    let told = |bench: &Bench, text: &str| bench.notes(ana).iter().filter(|note| note.contains(text)).count();
    assert_eq!(told(&bench, "has not answered for 5 s"), 1, "once");
    bench.disk_hangs = false;
    bench.run_s(1.0);
    assert_eq!(bench.wholes(ben).len(), 1);
    assert_eq!(told(&bench, "answers again"), 1);
}

/// A folder of the form before this one.
#[test]
fn a_state_folder_of_an_older_version_is_taken_over() {
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/state_v1");
    let folder = std::env::temp_dir().join(format!("coact-state-v1-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for file in ["tree", "marks.json", "audit.jsonl"] {
        std::fs::copy(kept.join(file), folder.join(file)).unwrap();
    }
    let mut store = onboard::Store::open(&folder).unwrap();
    let found = store.load();
    let problems: Vec<&String> = found.problems.iter().filter(|text| !text.contains("it is private now")).collect();
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(found.marks.unwrap().breakpoints.len(), 1);
    let peer = replica::Peer { number: 3, name: "robot".into() };
    let shared = onboard::Shared::from_update(&found.tree.unwrap(), peer.clone()).unwrap();
    let names = |shared: &onboard::Shared| -> Vec<String> {
        let trees = shared.library().iter();
        trees.flat_map(|(_, tree)| tree.walk(tree.root).map(|id| tree.node(id).name.to_string())).collect()
    };
    let expected = ["all", "renamed", "added", "second", "second", "use", "Nod", "inside"];
    assert_eq!(names(&shared), expected);
    // As it is written now, it is read again.
    store.save_tree(&shared.whole().unwrap()).unwrap();
    let again = onboard::Shared::from_update(&store.load().tree.unwrap(), peer).unwrap();
    assert_eq!(names(&again), expected);
    std::fs::remove_dir_all(&folder).unwrap();
}
