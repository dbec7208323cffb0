//! Who is not in control starts nothing by an edit.

use engine::Control;
use link::udp::PeerId;
use model::{Edit, NodeId, Subtree};
use protocol::Role;
use protocol::talk::{Detail, Reply, Sent, TrackAt, Want};
use replica::Peer;

use crate::bench::{Bench, Copy, automatic, run};

const TWO_BRANCHES: &str = r#"{"version": 1, "type": "sequence", "name": "all", "children": [
    {"type": "parallel", "name": "both", "children": [
        {"type": "wait", "name": "left", "duration_s": 2},
        {"type": "wait", "name": "right", "duration_s": 3}]},
    {"type": "wait", "name": "after", "duration_s": 1}]}"#;

fn wait(name: &str) -> Subtree {
    Subtree {
        id: NodeId(0xb0b),
        kind: "wait".into(),
        name: name.into(),
        notes: "".into(),
        fields: model::Fields::default(),
        id_written: false,
        children: Vec::new(),
    }
}

/// A copy whose edits are of this person.
fn copy_of(bench: &Bench, of: PeerId, name: &str) -> Copy {
    let mut copy = bench.copy(of);
    let number = 2000 + of.0 + name.len() as u64;
    copy.replica.speak_as(&Peer { number, name: name.into() }).unwrap();
    copy
}

fn runs(bench: &Bench, name: &str) -> bool {
    let engine = bench.robot.runner.engine();
    engine.running().iter().any(|id| *engine.label_of(*id) == *name)
}

fn added(bench: &Bench, to: PeerId) -> Vec<(String, String)> {
    let details = bench.details(to);
    let at = details.values().filter_map(|detail| match detail {
        Detail::Track { at: Some(TrackAt { added_by: Some(by), waits, .. }), .. } => {
            Some((by.to_string(), waits.clone()))
        }
        _ => None,
    });
    at.collect()
}

fn new_branch(bench: &Bench, copy: &mut Copy) -> Sent {
    copy.edit(Edit::Insert { parent: bench.node("both"), index: 2, subtree: wait("new") })
}

#[test]
fn a_branch_of_somebody_else_is_held_until_the_holder_admits_it() {
    let mut bench = Bench::new(TWO_BRANCHES);
    let (ana, bob) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    let mut copy = copy_of(&bench, bob, "Bob");
    let update = new_branch(&bench, &mut copy);
    bench.send_edit(bob, &update);
    bench.run_s(0.3);
    assert!(!runs(&bench, "new"), "Bob is not in control");
    for to in [ana, bob] {
        assert_eq!(added(&bench, to), [("Bob".to_owned(), "added by Bob: waits to be admitted".to_owned())]);
    }
    let admit = || run(Control::Admit { step: None });
    assert!(matches!(bench.ask(bob, "Bob", Role::Operator, admit()), Reply::Refused(_)), "nor may Bob admit it");
    bench.done(ana, "ana", admit());
    assert!(runs(&bench, "new"));
    bench.run_s(0.1);
    assert!(added(&bench, bob).is_empty());
}

/// Both arrive in one tick: it is the first that added it.
#[test]
fn a_branch_that_is_edited_at_once_is_still_an_added_one() {
    let mut bench = Bench::new(TWO_BRANCHES);
    let (ana, bob) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    let mut copy = copy_of(&bench, bob, "Bob");
    let inserted = new_branch(&bench, &mut copy);
    let renamed = copy.edit(Edit::Rename { node: NodeId(0xb0b), name: "third".into() });
    bench.send_edit(bob, &inserted);
    bench.send_edit(bob, &renamed);
    bench.run_s(0.3);
    assert_eq!(added(&bench, ana), [("Bob".to_owned(), "added by Bob: waits to be admitted".to_owned())]);
}

#[test]
fn the_edit_of_whoever_is_in_control_starts_what_it_starts() {
    let mut bench = Bench::new(TWO_BRANCHES);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    let mut copy = copy_of(&bench, ana, "ana");
    let update = new_branch(&bench, &mut copy);
    bench.send_edit(ana, &update);
    bench.tick();
    assert!(runs(&bench, "new"));
}

/// Two people at one operator process: the edit's author counts, not the key it came with.
#[test]
fn the_person_counts_and_not_the_operator_process() {
    let mut bench = Bench::new(TWO_BRANCHES);
    let desk = bench.connect(1);
    bench.done(desk, "ana", Want::TakeControl);
    bench.done(desk, "ana", automatic());
    let mut copy = copy_of(&bench, desk, "Bob");
    let update = new_branch(&bench, &mut copy);
    bench.send_edit(desk, &update);
    bench.run_s(0.1);
    assert!(!runs(&bench, "new"));
    let taken_back = copy.edit(Edit::Delete { node: NodeId(0xb0b) });
    bench.send_edit(desk, &taken_back);
    bench.run_s(0.1);
    assert!(added(&bench, desk).is_empty());
}

#[test]
fn with_nobody_in_control_it_is_held() {
    let mut bench = Bench::new(TWO_BRANCHES);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    bench.done(ana, "ana", Want::GiveControl(None));
    let mut copy = copy_of(&bench, ana, "ana");
    let update = new_branch(&bench, &mut copy);
    bench.send_edit(ana, &update);
    bench.run_s(0.1);
    assert!(!runs(&bench, "new"));
}

/// What is put further ahead runs in its turn, whoever put it there.
#[test]
fn further_ahead_it_runs_in_its_turn() {
    let mut bench = Bench::new(TWO_BRANCHES);
    let (ana, bob) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    let mut copy = copy_of(&bench, bob, "Bob");
    let update = copy.edit(Edit::Insert { parent: bench.node("all"), index: 1, subtree: wait("new") });
    bench.send_edit(bob, &update);
    bench.run_s(2.5);
    assert!(!runs(&bench, "new") && !runs(&bench, "after"));
    bench.run_s(0.7);
    assert!(runs(&bench, "new") && !runs(&bench, "after"), "before what waited there");
}

/// Of two neighbours that change places it counts which was moved: one that runs does not start again, one that has
/// ended does.
#[test]
fn which_of_two_neighbours_was_moved() {
    let steps = r#"{"version": 1, "type": "sequence", "name": "all", "children": [
        {"type": "wait", "name": "ended", "duration_s": 0.1},
        {"type": "wait", "name": "walk", "duration_s": 1},
        {"type": "wait", "name": "arm", "duration_s": 1}]}"#;
    for (moved, index, next) in [("ended", 1, "ended"), ("walk", 0, "arm")] {
        let mut bench = Bench::new(steps);
        let ana = bench.connect(1);
        bench.done(ana, "ana", Want::TakeControl);
        bench.done(ana, "ana", automatic());
        bench.run_s(0.5);
        let mut copy = copy_of(&bench, ana, "ana");
        let edit = Edit::Move { node: bench.node(moved), parent: bench.node("all"), index };
        let update = copy.edit(edit);
        bench.send_edit(ana, &update);
        bench.tick();
        let engine = bench.robot.runner.engine();
        assert_eq!(&*engine.label_of(engine.root().next.unwrap()), next, "{moved} was moved");
    }
}
