//! Run control: taken, handed over, lost.

use engine::Control;
use onboard::WhenLost;
use protocol::Role;
use protocol::report::RunMode;
use protocol::talk::{Detail, Heir, Want};

use crate::bench::{Bench, THREE_WAITS, automatic, run};

const LONG: &str = r#"{"version": 1, "type": "sequence", "children": [{"type": "wait", "duration_s": 60}]}"#;

fn holder(bench: &Bench) -> Option<&str> {
    bench.robot.desk.in_control().map(|name| &**name)
}

#[test]
fn control_is_taken_given_and_taken_away() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.presence(ben, 1, "ben", Role::Operator);
    bench.presence(ben, 2, "guest", Role::Observer);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", Want::TakeControl);
    assert_eq!(
        bench.refused(ana, "ana", Role::Operator, Want::GiveControl(Some("guest".into()))),
        "guest is an observer, who cannot run"
    );
    assert_eq!(
        bench.refused(ana, "ana", Role::Operator, Want::GiveControl(Some("cy".into()))),
        "nobody named cy is here"
    );
    assert!(bench.refused(ben, "ben", Role::Operator, Want::GiveControl(None)).contains("ana is in control"));
    bench.done(ana, "ana", Want::GiveControl(Some("ben".into())));
    assert_eq!(holder(&bench), Some("ben"));
    bench.done(ben, "ben", automatic());
    assert!(bench.refused(ana, "ana", Role::Operator, automatic()).contains("ben is in control"));
    bench.done(ana, "ana", Want::TakeControl);
    assert_eq!(holder(&bench), Some("ana"), "a supervisor takes it");
    bench.run_s(0.2);
    let told = bench.details(ben).into_values().find_map(|detail| match detail {
        Detail::Run(run) => run.in_control.map(|holder| holder.name),
        _ => None,
    });
    assert_eq!(told.as_deref(), Some("ana"));
}

#[test]
fn without_its_operator_an_automatic_run_goes_on_and_control_becomes_free() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    bench.set_down(ana, true);
    bench.run_s(5.0);
    assert!(bench.last_run(ben).tick > 500);
    assert_eq!(bench.last_run(ben).mode, RunMode::Stopped, "it came to its end by itself");
    assert_eq!(bench.last_run(ben).next, None, "it ran all steps");
    assert_eq!(holder(&bench), Some("ana"), "a short blackout takes nothing away");
    bench.run_s(6.0);
    assert_eq!(holder(&bench), None);
    bench.done(ben, "ben", Want::TakeControl);
}

#[test]
fn a_blackout_shorter_than_that_changes_nothing() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    for _ in 0..10 {
        bench.set_down(ana, true);
        bench.run_s(2.0);
        bench.set_down(ana, false);
        bench.run_s(0.1);
    }
    assert_eq!(holder(&bench), Some("ana"));
}

#[test]
fn what_is_led_step_by_step_does_not_go_on_without_whoever_leads() {
    let text = r#"{"version": 1, "type": "sequence", "children": [
        {"type": "parallel", "name": "both", "children": [
            {"type": "sequence", "children": [{"type": "wait", "name": "a", "duration_s": 5}, {"type": "wait", "name": "b", "duration_s": 5}]},
            {"type": "wait", "name": "c", "duration_s": 9}]}]}"#;
    let mut bench = Bench::new(text);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", run(Control::Press { track: None, into: false }));
    bench.set_down(ana, true);
    bench.run_s(1.0);
    assert_eq!(bench.last_run(ben).running.len(), 3);
    bench.run_s(6.0);
    let engine = bench.robot.runner.engine();
    let running: Vec<String> = engine.running().into_iter().map(|id| engine.label_of(id).to_string()).collect();
    assert_eq!(running, ["both", "c"], "a came to its end, b did not start");
    assert!(bench.notes(ben).iter().any(|text| text.contains("nobody leads these steps")), "{:?}", bench.notes(ben));
}

#[test]
fn a_part_that_is_run_alone_starts_nothing_more_without_its_operator() {
    let text = r#"{"version": 1, "type": "sequence", "children": [{"type": "sequence", "name": "part", "children": [
        {"type": "wait", "name": "a", "duration_s": 5}, {"type": "wait", "name": "b", "duration_s": 5}]}]}"#;
    let mut bench = Bench::new(text);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    let node = bench.instance("part");
    bench.done(ana, "ana", run(Control::RunOnly { node }));
    bench.set_down(ana, true);
    bench.run_s(8.0);
    assert!(!bench.is_running(), "a came to its end, b did not start");
    assert_ne!(bench.last_run(ben).next, None);
}

#[test]
fn the_robot_stops_instead_where_that_is_wanted() {
    let mut bench = Bench::with_settings(LONG, |settings| settings.when_lost = WhenLost::Stop);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    bench.run_s(0.2);
    bench.leaves(ana, 1, "ana");
    bench.run_s(2.5);
    assert!(bench.is_running());
    bench.run_s(1.0);
    assert!(!bench.is_running(), "said goodbye, and is not missed before the time");
}

#[test]
fn whoever_gives_control_to_nobody_leaves_no_press_behind() {
    let text = r#"{"version": 1, "type": "sequence", "children": [{"type": "loop", "name": "round", "count": 100, "children": [
        {"type": "wait", "name": "a", "duration_s": 0.5}]}]}"#;
    let mut bench = Bench::new(text);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", run(Control::Press { track: None, into: false }));
    bench.run_s(1.0);
    bench.done(ana, "ana", Want::GiveControl(None));
    bench.run_s(2.0);
    let engine = bench.robot.runner.engine();
    assert!(engine.running().iter().all(|id| *engine.label_of(*id) == *"round"), "no further round");
}

#[test]
fn two_operators_on_this_machine_are_two() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, _ben) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    bench.set_down(ana, true);
    bench.run_s(12.0);
    assert_eq!(holder(&bench), None, "another one being there does not keep her in control");
}

#[test]
fn whoever_comes_back_in_a_new_process_is_still_in_control() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.set_down(ana, true);
    bench.run_s(5.0);
    let again = bench.connect(2);
    bench.presence(again, 1, "ana", Role::Operator);
    bench.run_s(20.0);
    assert_eq!(holder(&bench), Some("ana"));
    bench.done(again, "ana", automatic());
}

#[test]
fn closing_one_of_two_windows_of_a_name_leaves_control_with_the_other() {
    let mut bench = Bench::with_settings(LONG, |settings| settings.when_lost = WhenLost::Stop);
    let desk = bench.connect(1);
    bench.presence(desk, 1, "ana#1", Role::Operator);
    bench.presence(desk, 2, "ana#2", Role::Operator);
    bench.done(desk, "ana#2", Want::TakeControl);
    bench.done(desk, "ana#2", automatic());
    bench.leaves(desk, 1, "ana#1");
    bench.run_s(20.0);
    assert_eq!(holder(&bench), Some("ana"));
    assert!(bench.is_running(), "the window that leads it is there");
    bench.leaves(desk, 2, "ana#2");
    bench.presence(desk, 1, "ana#1", Role::Operator);
    bench.run_s(4.0);
    assert!(!bench.is_running(), "another window of the same person does not keep it going");
}

#[test]
fn two_windows_of_one_name_are_not_both_in_control() {
    let mut bench = Bench::new(THREE_WAITS);
    let desk = bench.connect(1);
    bench.done(desk, "operator#1", Want::TakeControl);
    let why = bench.refused(desk, "operator#2", Role::Operator, automatic());
    assert_eq!(why, "you are in control in another window: take control here first");
    assert_eq!(bench.ask(desk, "operator#2", Role::Operator, Want::TakeControl), protocol::talk::Reply::Done);
    assert_eq!(bench.ask(desk, "operator#2", Role::Operator, automatic()), protocol::talk::Reply::Done);
    assert!(bench.refused(desk, "operator#1", Role::Operator, automatic()).contains("another window"));
    assert!(bench.refused(desk, "ben", Role::Operator, Want::TakeControl).contains("operator is in control"));
}

#[test]
fn control_is_handed_to_the_window_that_did_something_last_or_to_the_one_that_is_named() {
    let mut bench = Bench::new(THREE_WAITS);
    let (desk, other) = (bench.connect(1), bench.connect(2));
    for (key, name) in [(1, "ben#1"), (2, "ben#2"), (3, "ben#3")] {
        bench.presence(other, key, name, Role::Operator);
    }
    bench.refused(other, "ben#2", Role::Operator, automatic());
    bench.done(desk, "ana", Want::TakeControl);
    bench.done(desk, "ana", Want::GiveControl(Some("ben".into())));
    assert_eq!(bench.ask(other, "ben#2", Role::Operator, automatic()), protocol::talk::Reply::Done);
    let session = bench.session("ben#1");
    let heir = Heir { name: "ben".into(), session: Some(session) };
    bench.done(other, "ben#2", Want::GiveControl(Some(heir.clone())));
    assert!(bench.refused(other, "ben#2", Role::Operator, automatic()).contains("another window"));
    assert_eq!(bench.ask(other, "ben#1", Role::Operator, automatic()), protocol::talk::Reply::Done);
    bench.leaves(other, 1, "ben#1");
    let why = bench.refused(desk, "ana", Role::Supervisor, Want::GiveControl(Some(heir)));
    assert_eq!(why, "ben is not here in that window any more");
}
