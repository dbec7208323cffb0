#![cfg(feature = "mujoco")]
//! What a world expects is judged by the truth.

use crate::physics_common;

use physics_common::*;
use robot::interface::Order;
use sim::{PhysicsRobot, TruthSeen};
use site::Driver;

fn world(objects: &str, expect: &str) -> PhysicsRobot {
    disturbed(objects, expect, "")
}

fn disturbed(objects: &str, expect: &str, disturbances: &str) -> PhysicsRobot {
    open(&format!(
        r#"{{"version": 1, "robot": {{"preset": "ready"}}, "objects": [{objects}], "expect": [{expect}],
            "disturbances": [{disturbances}]}}"#
    ))
}

#[track_caller]
fn only(sim: &PhysicsRobot) -> TruthSeen {
    let [truth] = sim.truths().try_into().expect("one is expected");
    truth
}

fn walk_ahead(sim: &mut PhysicsRobot, count: usize) {
    let steps = walk(&coact_one(), count, (0.2, 0.0, 0.0));
    send(sim, 1, Order::Footsteps { steps });
}

const OPEN: &str =
    r#"{"type": "door", "at": {"x_m": 0.9}, "width_m": 1.6, "handle": "fixed", "open_deg": 100, "friction_nm": 5}"#;

#[test]
fn through_is_both_heels_beyond_the_frame() {
    let expect = r#"{"through": "door"}, {"untouched": ["door/frame", "door/wall", "door/lintel"]}"#;
    let mut sim = world(OPEN, expect);
    walk_ahead(&mut sim, 12);
    run(&mut sim, 3.0);
    let [through, untouched] = sim.truths().try_into().expect("two are expected");
    assert!(!through.met && untouched.met, "{through:?} {untouched:?}");
    run(&mut sim, 12.0);
    assert_eq!(sim.fallen(), None);
    let [through, untouched] = sim.truths().try_into().expect("two are expected");
    assert!(through.met && untouched.met, "{through:?} {untouched:?}");
    // The last foot comes down more than half a metre beyond: it was true before the walk had ended.
    assert!(through.at_s.is_some_and(|at_s| (8.0..14.0).contains(&at_s)), "{through:?}");
    assert_eq!(untouched.at_s, None);
}

#[test]
fn who_goes_around_a_door_has_not_gone_through_it() {
    let aside = OPEN.replace(r#""x_m": 0.9"#, r#""x_m": 0.9, "y_m": 1.7"#).replace(r#""open"#, r#""wall_m": 0, "open"#);
    let mut sim = world(&aside, r#"{"through": "door"}"#);
    walk_ahead(&mut sim, 12);
    run(&mut sim, 15.0);
    assert_eq!(sim.fallen(), None);
    let truth = only(&sim);
    assert_eq!((truth.met, &*truth.why), (false, "the robot did not go through the doorway"));
}

#[test]
fn a_touch_of_the_frame_is_told_with_its_time_and_the_link() {
    let aside = OPEN.replace(r#""x_m": 0.9"#, r#""x_m": 0.9, "y_m": 0.6"#);
    let mut sim = world(&aside, r#"{"untouched": ["door/frame", "door/wall"]}"#);
    walk_ahead(&mut sim, 12);
    run(&mut sim, 12.0);
    let truth = only(&sim);
    assert!(!truth.met && truth.why.contains("touched door/") && truth.why.contains("/right"), "{truth:?}");
    assert!(truth.at_s.is_some_and(|at_s| (1.0..10.0).contains(&at_s)), "{truth:?}");
}

const TABLE: &str = r#"{"type": "table", "at": {"x_m": 2}},
    {"type": "container", "on": "table", "at": {"y_m": 0.4}},
    {"type": "ball", "name": "in", "on": "container", "colour": "red"},
    {"type": "ball", "name": "beside", "on": "table", "colour": "blue"},
    {"type": "box", "on": "table", "at": {"y_m": -0.4}}"#;

#[test]
fn things_are_counted_where_they_are() {
    let expect = r#"
        {"inside": "in", "of": "container"},
        {"inside": {"class": "ball"}, "of": "container"},
        {"sorted": {"red": "container"}},
        {"on": ["beside", "box", "in"], "of": "table"},
        {"inside": {"class": "ball", "colour": "green"}, "of": "container"}"#;
    let mut sim = world(TABLE, expect);
    run(&mut sim, 0.2);
    let truths = sim.truths();
    assert!(truths.iter().all(|truth| truth.at_s.is_none()), "it was so from the start: {truths:?}");
    let told: Vec<_> = truths.iter().map(|truth| (truth.met, truth.things, &*truth.why)).collect();
    assert_eq!(
        told,
        [
            (true, Some((1, 1)), ""),
            (false, Some((1, 2)), "not so: beside"),
            (true, Some((1, 1)), ""),
            (false, Some((2, 3)), "not so: in"),
            (true, Some((0, 0)), ""),
        ]
    );
}

#[test]
fn what_was_taken_away_is_not_expected_any_more() {
    let expect = r#"{"inside": {"class": "ball"}, "of": "container"}"#;
    let mut sim = disturbed(TABLE, expect, r#"{"at_s": 0.5, "do": "take_away", "object": "beside"}"#);
    run(&mut sim, 0.4);
    assert_eq!(only(&sim).things, Some((1, 2)));
    run(&mut sim, 0.4);
    let truth = only(&sim);
    assert_eq!((truth.met, truth.things), (true, Some((1, 1))));
    assert!(truth.at_s.is_some_and(|at_s| (at_s - 0.5).abs() < 0.02), "{truth:?}");
}

#[test]
fn a_door_counts_as_opened_again_only_once_it_was_shut() {
    let door = r#"{"type": "door", "at": {"x_m": 2.5}, "handle": "fixed", "friction_nm": 0.1, "mass_kg": 5}"#;
    let mut sim = world(door, r#"{"opened": "door", "times": 2, "past_deg": 20}"#);
    let work = |sim: &mut PhysicsRobot, effort_nm: f64, seconds: f64| {
        sim.work_joint("door/hinge", effort_nm);
        run(sim, seconds);
    };
    work(&mut sim, 4.0, 1.0);
    work(&mut sim, -2.0, 0.3);
    work(&mut sim, 4.0, 0.5);
    assert_eq!((only(&sim).met, only(&sim).things), (false, Some((1, 2))));
    work(&mut sim, -6.0, 3.0);
    work(&mut sim, 4.0, 1.0);
    let truth = only(&sim);
    assert_eq!((truth.met, truth.things), (true, Some((2, 2))));
    assert!(truth.at_s.is_some_and(|at_s| at_s > 4.8), "{truth:?}");
}

#[test]
fn valves_buttons_and_events() {
    let objects = r#"{"type": "valve", "at": {"x_m": 2}, "travel_deg": 90, "rise_nm_per_rad": 0},
        {"type": "button", "at": {"x_m": 2, "y_m": 1}}, {"type": "ball", "at": {"x_m": 3}}"#;
    let expect = r#"{"turned": "valve"}, {"turned": "valve", "to_deg": 30}, {"pressed": "button", "times": 2},
        {"happened": {"event": "lifted", "object": "ball"}}"#;
    let mut sim = world(objects, expect);
    let met = |sim: &PhysicsRobot| sim.truths().iter().map(|truth| truth.met).collect::<Vec<_>>();
    run(&mut sim, 0.2);
    assert_eq!(met(&sim), [false; 4]);
    sim.work_joint("valve/wheel", 1.3);
    while !met(&sim)[1] {
        run(&mut sim, 0.02);
        assert!(sim.state().time_ns < 20_000_000_000);
    }
    assert_eq!(met(&sim), [false, true, false, false]);
    sim.work_joint("valve/wheel", 6.0);
    for force_n in [20.0, 0.0, 20.0] {
        assert_eq!(met(&sim)[2..], [false; 2]);
        sim.work_joint("button/cap", force_n);
        run(&mut sim, 1.0);
    }
    assert_eq!(met(&sim), [true, true, true, false]);
    assert_eq!(sim.truths()[3].why, "it did not happen");
}
