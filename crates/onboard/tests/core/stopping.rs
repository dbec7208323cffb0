//! Stop, in every state and from everybody.

use engine::Control;
use link::{Event, Rank};
use protocol::Role;
use protocol::report::RunMode;
use protocol::talk::{Reply, Want};

use crate::bench::{Bench, THREE_WAITS, allowed, automatic, run};

const QUESTION: &str = r#"{"version": 1, "type": "sequence", "children": [
    {"type": "question", "name": "ask", "text": "go on?", "options": ["yes", "no"]}, {"type": "wait", "name": "then", "duration_s": 1}]}"#;
const BRANCHES: &str = r#"{"version": 1, "type": "sequence", "children": [
    {"type": "parallel", "name": "both", "children": [
        {"type": "wait", "name": "left", "duration_s": 9}, {"type": "wait", "name": "right", "duration_s": 9}]}]}"#;

#[test]
fn a_stop_takes_effect_in_the_next_tick_in_any_state() {
    for text in [THREE_WAITS, QUESTION, BRANCHES] {
        for control in [
            None,
            Some(Control::Automatic { on: true }),
            Some(Control::Press { track: None, into: false }),
            Some(Control::Press { track: None, into: true }),
            Some(Control::Pause { on: true }),
        ] {
            let mut bench = Bench::new(text);
            let ana = bench.connect(1);
            bench.done(ana, "ana", Want::TakeControl);
            if let Some(control) = control {
                bench.done(ana, "ana", run(control));
            }
            bench.run_s(0.3);
            bench.hear(ana, Event::Stop);
            bench.tick();
            assert!(!bench.is_running());
            bench.run_s(0.5);
            assert!(!bench.is_running(), "nothing starts again by itself");
        }
    }
}

#[test]
fn an_observer_stops_too_by_message_and_by_command() {
    let mut bench = Bench::with_settings(THREE_WAITS, |settings| {
        settings.allowed = vec![allowed(7, "gallery", Rank::Observer)];
    });
    let ana = bench.connect(1);
    let gallery = bench.connect_as(2, Some(link::PublicKey([7; 32])));
    bench.done(ana, "ana", Want::TakeControl);
    for by_message in [true, false] {
        bench.done(ana, "ana", automatic());
        assert!(bench.is_running());
        if by_message {
            bench.hear(gallery, Event::Stop);
            bench.tick();
        } else {
            assert_eq!(bench.ask(gallery, "guest", Role::Supervisor, run(Control::Stop)), Reply::Done);
        }
        assert!(!bench.is_running());
    }
    assert!(bench.audit.iter().any(|line| line.contains(r#""what":"stop""#) && line.contains("gallery")));
}

#[test]
fn what_arrives_with_a_stop_starts_nothing() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    let before = bench.order(ana, "ana", Role::Operator, automatic());
    bench.hear(ben, Event::Stop);
    let after = bench.order(ana, "ana", Role::Operator, automatic());
    bench.tick();
    bench.tick();
    assert!(matches!(bench.answer(before), Reply::Refused(why) if why.contains("stop")));
    assert!(matches!(bench.answer(after), Reply::Refused(why) if why.contains("stop")));
    assert!(!bench.is_running());
    bench.done(ana, "ana", automatic());
}

#[test]
fn a_command_given_before_somebody_elses_stop_is_refused_though_it_comes_later() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    bench.hear(ben, Event::Stop);
    bench.run_s(0.5);
    let old = bench.order_of_age(ana, "ana", Role::Operator, (automatic(), 1_000_000_000));
    bench.tick();
    bench.tick();
    assert!(matches!(bench.answer(old), Reply::Refused(why) if why.contains("pressed stop after it was given")));
    assert!(!bench.is_running());
    let new = bench.order_of_age(ana, "ana", Role::Operator, (automatic(), 100_000_000));
    bench.tick();
    bench.tick();
    assert_eq!(bench.answer(new), Reply::Done);
}

#[test]
fn a_stop_does_not_wait_for_edits() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    let mut copy = bench.copy(ana);
    let mut name = "third".to_owned();
    for number in 1..=500 {
        let next = format!("n{number}");
        let update = copy.rename(&name, &next);
        bench.send_edit(ana, &update);
        name = next;
    }
    bench.hear(ana, Event::Stop);
    bench.tick();
    assert!(!bench.is_running());
    bench.run_s(0.2);
    assert_eq!(bench.last_run(ana).mode, RunMode::Stopped);
    assert_eq!(bench.last_run(ana).document_version, 500, "and no edit is lost");
    let tree = bench.robot.runner.engine().library().main();
    assert!(tree.walk(tree.root).any(|id| **tree.node(id).label() == *"n500"));
}
