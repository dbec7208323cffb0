//! More edits than the robot can take at once: nothing else waits for them.

use engine::Control;
use link::udp::PeerId;
use link::{Event, Stream};
use protocol::Role;
use protocol::talk::{News, Reply, Want};

use crate::bench::{Bench, Copy, THREE_WAITS, automatic, run};

/// What the robot may merge in one tick of a small tree.
const A_TICK: usize = 64;

fn engine_has(bench: &Bench, name: &str) -> bool {
    let main = bench.robot.runner.engine().library().main();
    main.walk(main.root).any(|id| **main.node(id).label() == *name)
}

fn flood(bench: &mut Bench, from: PeerId, copy: &mut Copy, count: usize) {
    let mut name = "second".to_owned();
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
