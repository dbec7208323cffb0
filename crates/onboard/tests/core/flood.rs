//! More edits than the robot can take at once: nothing else waits for them.

use engine::Control;
use link::udp::PeerId;
use link::{Event, Stream};
use protocol::Role;
use protocol::talk::{News, Reply, Want, Whole, unpack};

use crate::bench::{Bench, Copy, THREE_WAITS, automatic, run};

/// What the robot may merge in one tick of a small tree.
const A_TICK: usize = 64;

fn engine_has(bench: &Bench, name: &str) -> bool {
    let main = bench.robot.runner.engine().library().main();
    main.walk(main.root).any(|id| **main.node(id).label() == *name)
}

fn flood(bench: &mut Bench, from: PeerId, copy: &mut Copy, count: usize) {
    flood_from(bench, from, copy, ("second", count));
}

fn flood_from(bench: &mut Bench, from: PeerId, copy: &mut Copy, (name, count): (&str, usize)) {
    let mut name = name.to_owned();
    for number in 0..count {
        let next = format!("{} {number}", from.0);
        let update = copy.rename(&name, &next);
        bench.send_edit(from, &update);
        name = next;
    }
}

#[test]
fn a_command_behind_a_flood_of_edits_is_answered_within_two_ticks() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let mut copy = bench.copy(ana);
    bench.done(ben, "Ben", Want::TakeControl);
    flood(&mut bench, ana, &mut copy, 2_000);
    let order = bench.order(ben, "Ben", Role::Operator, automatic());
    bench.tick();
    assert_eq!(bench.robot.desk.edits_waiting(), 2_000 - A_TICK, "a turn is bounded");
    bench.tick();
    assert_eq!(bench.answer(order), Reply::Done);
    assert!(bench.is_running() && bench.robot.desk.edits_waiting() > 0);
}

#[test]
fn a_stop_behind_a_flood_of_edits_takes_effect_in_the_next_tick() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let mut copy = bench.copy(ana);
    bench.done(ben, "Ben", Want::TakeControl);
    bench.done(ben, "Ben", automatic());
    assert!(bench.is_running());
    flood(&mut bench, ana, &mut copy, 2_000);
    bench.hear(ben, Event::Stop);
    bench.tick();
    bench.tick();
    assert!(!bench.is_running() && bench.robot.desk.edits_waiting() > 0);
}

#[test]
fn every_edit_of_a_flood_is_taken_in_turn_and_told_to_the_others() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let (mut of_ana, mut of_ben) = (bench.copy(ana), bench.copy(ben));
    flood(&mut bench, ana, &mut of_ana, 500);
    let last = of_ben.rename("third", "Ben's");
    bench.send_edit(ben, &last);
    bench.tick();
    assert!(engine_has(&bench, "Ben's"), "one edit does not wait for a flood of another's");
    for _ in 0..10 {
        bench.tick();
    }
    assert_eq!(bench.robot.desk.edits_waiting(), 0);
    assert!(engine_has(&bench, "1 499"));
    let of_others = bench.news(ben).into_iter().filter(|news| matches!(news, News::Update { .. }));
    assert_eq!(of_others.count(), 500);
    bench.done(ben, "Ben", Want::TakeControl);
    bench.done(ben, "Ben", run(Control::Concurrency { on: false }));
}

/// A process that was killed and comes back at once: what it had sent is in the tree it gets, so that it is not done twice.
#[test]
fn whoever_comes_back_with_the_same_key_gets_the_tree_with_all_that_it_had_sent() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    let mut copy = bench.copy(ana);
    flood(&mut bench, ana, &mut copy, 300);
    bench.tick();
    assert!(bench.robot.desk.edits_waiting() > 0);
    let again = bench.connect(2);
    assert!(bench.wholes(again).is_empty());
    bench.run_s(0.1);
    let whole: Whole = unpack(&bench.wholes(again).last().unwrap().bytes).unwrap();
    assert_eq!(whole.decided_of(copy.replica.peer().number), 300);
    // Also when the one before is given up with what it had sent: it comes again.
    let mut copy = bench.copy(again);
    copy.replica.number_from(300);
    flood_from(&mut bench, again, &mut copy, ("1 299", 300));
    bench.tick();
    let third = bench.connect(3);
    bench.robot.desk.forget(again);
    bench.tick();
    assert_eq!(bench.wholes(third).len(), 1);
}

#[test]
fn who_sends_without_end_begins_anew_and_nobody_else_is_touched() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let mut copy = bench.copy(ana);
    flood(&mut bench, ana, &mut copy, 5_000);
    bench.tick();
    assert_eq!(bench.robot.desk.edits_waiting(), 0, "what it sent is not kept");
    bench.tick();
    bench.run_s(0.2);
    assert!(bench.notes(ben).iter().any(|text| text.contains("more edits than the robot can take")));
    bench.done(ben, "Ben", Want::TakeControl);
    bench.connect(1);
    let mut again = bench.copy(ana);
    let update = again.rename("first", "again");
    bench.send_edit(ana, &update);
    bench.tick();
    assert_eq!(bench.documents(ben, Stream::Edits).len(), 1);
}
