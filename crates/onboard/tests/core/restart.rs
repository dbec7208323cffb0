//! What a restart finds, and that nothing runs after it.

use engine::Control;
use model::Autonomy;
use protocol::talk::Want;

use crate::bench::{Bench, THREE_WAITS, automatic, run};

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
    let (tree, marks) = (bench.tree.take().unwrap(), bench.marks.take().unwrap());

    let mut again = Bench::again(&tree, marks);
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
    let tree = bench.tree.take().unwrap();
    copy.rename("second", "two");
    let mut again = Bench::again(&tree, onboard::Marks::default());
    let ana = again.connect(1);
    let robots = again.copy(ana);
    let missing = copy.replica.updates_since(&robots.replica.version()).unwrap().unwrap();
    again.send_edit(ana, &protocol::talk::Update { epoch: copy.replica.epoch(), bytes: missing });
    again.tick();
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
