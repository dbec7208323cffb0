#![cfg(feature = "mujoco")]
//! Every disturbance happens as written.

use crate::physics_common;

use physics_common::*;
use robot::interface::Order;
use robot::{PartName, Side};
use sim::PhysicsRobot;
use site::Driver;

fn world(objects: &str, disturbances: &str) -> PhysicsRobot {
    open(&format!(
        r#"{{"version": 1, "robot": {{"preset": "ready"}}, "objects": [{objects}], "disturbances": [{disturbances}]}}"#
    ))
}

const DOOR: &str = r#"{"type": "door", "at": {"x_m": 2.5}, "handle": "fixed", "friction_nm": 0.2}"#;

fn angle_deg(sim: &PhysicsRobot) -> f64 {
    sim.world_joint("door/hinge").expect("a hinge").to_degrees()
}

#[test]
fn a_door_is_held_shut_for_a_time_and_up_to_a_force() {
    for (effort_nm, holds) in [(30.0, true), (60.0, false)] {
        let mut sim =
            world(DOOR, r#"{"at_s": 0.5, "do": "hold_door", "object": "door", "force_n": 50, "duration_s": 1}"#);
        run(&mut sim, 0.6);
        sim.work_joint("door/hinge", effort_nm);
        run(&mut sim, 0.8);
        assert_eq!(angle_deg(&sim) < 1.0, holds, "{effort_nm} N·m: {}°", angle_deg(&sim));
        run(&mut sim, 1.0);
        assert!(angle_deg(&sim) > 20.0, "{}° though nobody holds it", angle_deg(&sim));
    }
}

#[test]
fn a_door_is_pulled_closed_once_it_is_open() {
    let event = r#"{"event": "door_opens", "object": "door", "past_deg": 30}"#;
    let pull = r#""do": "close_door", "object": "door", "speed_deg_s": 60, "duration_s": 3"#;
    let mut sim = world(DOOR, &format!(r#"{{"on": {event}, "after_s": 0.2, {pull}}}"#));
    sim.work_joint("door/hinge", 6.0);
    let mut widest_deg = 0.0_f64;
    while angle_deg(&sim) < 31.0 {
        run(&mut sim, 0.02);
        assert!(sim.state().time_ns < 10_000_000_000, "{}°", angle_deg(&sim));
    }
    sim.work_joint("door/hinge", 0.0);
    for _ in 0..20 {
        run(&mut sim, 0.1);
        widest_deg = widest_deg.max(angle_deg(&sim));
    }
    assert!(widest_deg > 31.0 && angle_deg(&sim) < 1.0, "{widest_deg}° and then {}°", angle_deg(&sim));
}

#[test]
fn a_hand_is_pushed_by_a_force_or_by_a_distance() {
    let mut sim =
        world("", r#"{"at_s": 0.2, "do": "push_hand", "side": "left", "by_m": [0, 0, -0.06], "duration_s": 1}"#);
    let hand = sim.robot().description.links[sim.robot().frames.hands[0]].name.clone();
    let hand_z_m =
        |sim: &PhysicsRobot| sim.world_from_body(&format!("robot/{hand}")).expect("a hand").translation_m().z;
    let before_m = hand_z_m(&sim);
    run(&mut sim, 1.0);
    let down_m = before_m - hand_z_m(&sim);
    assert!((0.02..0.065).contains(&down_m), "{down_m} m");
    assert!(sim.state().hand_wrenches[Side::Left.index()].force_n.norm() > 10.0);
    run(&mut sim, 1.0);
    assert!((before_m - hand_z_m(&sim)).abs() < 2e-3, "and comes back");
}

/// A push that shakes the hand throws the robot over, however soft the arm is.
#[test]
fn a_soft_arm_gives_way_to_a_hand_that_is_pushed() {
    for by_m in ["0, 0.1, 0", "0, 0, 0.1", "0, -0.1, 0", "0, 0, -0.1"] {
        let push =
            format!(r#"{{"at_s": 0.5, "do": "push_hand", "side": "left", "by_m": [{by_m}], "duration_s": 0.5}}"#);
        let mut sim = world("", &push);
        let names = sim.robot().model.coordinates();
        let arm = &sim.robot().part(PartName::Arm(Side::Left)).expect("an arm").coordinates;
        let joints = arm.iter().map(|at| names[*at].name.as_str().into()).collect();
        send(&mut sim, 1, Order::Stiffness { joints, share: 0.1 });
        let hand = sim.robot().description.links[sim.robot().frames.hands[0]].name.clone();
        let hand_m =
            |sim: &PhysicsRobot| sim.world_from_body(&format!("robot/{hand}")).expect("a hand").translation_m();
        let before_m = hand_m(&sim);
        let (mut furthest_m, mut hardest_n) = (0.0_f64, 0.0_f64);
        for _ in 0..100 {
            run(&mut sim, 0.01);
            furthest_m = furthest_m.max((hand_m(&sim) - before_m).norm());
            hardest_n = hardest_n.max(sim.state().hand_wrenches[Side::Left.index()].force_n.norm());
        }
        assert!((0.08..0.12).contains(&furthest_m) && hardest_n < 80.0, "{by_m}: {furthest_m} m, {hardest_n} N");
        assert_eq!(sim.fallen(), None, "{by_m}");
    }
}

#[test]
fn a_ball_is_taken_when_a_hand_comes_near() {
    let ball = r#"{"type": "ball", "at": {"x_m": 3, "y_m": 1}}"#;
    let mut sim = world(ball, r#"{"at_s": 0.5, "do": "take_away", "object": "ball"}"#);
    let away_m = |sim: &PhysicsRobot| sim.world_from_body("ball").expect("a ball").translation_m().norm();
    run(&mut sim, 0.4);
    assert!(away_m(&sim) < 4.0);
    run(&mut sim, 1.0);
    assert!(away_m(&sim) > 50.0);
    // Without its event nothing happens.
    let event = r#"{"event": "hand_near", "object": "ball", "within_m": 0.1}"#;
    let mut sim = world(ball, &format!(r#"{{"on": {event}, "do": "take_away", "object": "ball"}}"#));
    run(&mut sim, 1.0);
    assert!(away_m(&sim) < 4.0);
}

#[test]
fn a_table_moves_with_what_is_on_it() {
    let objects = r#"{"type": "table", "at": {"x_m": 2}}, {"type": "box", "on": "table"}"#;
    let deed = r#"{"at_s": 0.5, "do": "move_table", "object": "table", "x_m": 0.2, "yaw_deg": 10, "duration_s": 2}"#;
    let mut sim = world(objects, deed);
    let x_m = |sim: &PhysicsRobot, body: &str| sim.world_from_body(body).expect("it is there").translation_m().x;
    run(&mut sim, 0.5);
    let before_m = ["table", "box"].map(|body| x_m(&sim, body));
    run(&mut sim, 2.5);
    let moved_m = [x_m(&sim, "table") - before_m[0], x_m(&sim, "box") - before_m[1]];
    assert!((moved_m[0] - 0.2).abs() < 5e-3, "{moved_m:?}");
    assert!((moved_m[1] - 0.2).abs() < 2e-2, "{moved_m:?}");
    let yaw_deg = sim.world_from_body("table").expect("a table").rpy().yaw_rad.to_degrees();
    assert!((yaw_deg - 10.0).abs() < 0.5, "{yaw_deg}°");
}

/// One after the other, and both at once.
#[test]
fn moves_of_one_table_add_up() {
    for second_s in [2.0, 0.8] {
        let deed = |at_s: f64, y_m: f64| {
            format!(r#"{{"at_s": {at_s}, "do": "move_table", "object": "table", "y_m": {y_m}, "duration_s": 1}}"#)
        };
        let deeds = format!("{}, {}", deed(0.5, 0.1), deed(second_s, 0.15));
        let mut sim = world(r#"{"type": "table", "at": {"x_m": 2}}"#, &deeds);
        let y_m = |sim: &PhysicsRobot| sim.world_from_body("table").expect("a table").translation_m().y;
        let before_m = y_m(&sim);
        run(&mut sim, 4.0);
        assert!((y_m(&sim) - before_m - 0.25).abs() < 5e-3, "{} m", y_m(&sim) - before_m);
    }
}

#[test]
fn a_doorway_is_blocked_and_a_camera_blinded_for_a_time() {
    let deeds = r#"{"at_s": 0.5, "do": "block_doorway", "object": "door", "duration_s": 1},
                   {"at_s": 0.5, "do": "blind_camera", "camera": "head", "duration_s": 1}"#;
    let mut sim = world(DOOR, deeds);
    for (until_s, on) in [(0.4, false), (0.6, true), (1.4, true), (1.6, false)] {
        sim.advance((until_s * 1e9) as i64);
        let z_m = sim.world_from_body("door/blocker").expect("a blocker").translation_m().z;
        assert_eq!(z_m > -1.0, on, "at {until_s} s");
        assert_eq!(sim.is_blind("head"), on, "at {until_s} s");
        assert!(!sim.is_blind("chest"));
    }
}

#[test]
fn someone_crosses_on_a_path() {
    let path = r#"[{"time_s": 1, "x_m": 2, "y_m": -1}, {"time_s": 3, "x_m": 2, "y_m": 1}]"#;
    let mut sim = world(&format!(r#"{{"type": "person", "path": {path}}}"#), "");
    for (until_s, y_m) in [(0.5, -1.0), (2.0, 0.0), (4.0, 1.0)] {
        sim.advance((until_s * 1e9) as i64);
        let at_m = sim.world_from_body("person").expect("someone").translation_m();
        assert!((at_m.y - y_m).abs() < 0.01, "{at_m} at {until_s} s");
    }
}

/// How a disturbance starts: at a time, or half a second after an event that the test brings about at once.
fn starts(event: &str) -> [String; 2] {
    [r#""at_s": 0.5"#.to_owned(), format!(r#""on": {event}, "after_s": 0.5"#)]
}

const NEAR_BALL: &str = r#"{"event": "hand_near", "object": "ball", "within_m": 4}"#;
const HANDLE_TURNS: &str = r#"{"event": "handle_turns", "object": "door", "past_share": 0.4}"#;
const LEVER: &str = r#"{"type": "door", "at": {"x_m": 2.5}, "handle": "lever", "friction_nm": 0.2}"#;

/// Until a time in the run, with what was told of the world by then.
fn until(sim: &mut PhysicsRobot, time_s: f64, told: &mut Vec<String>) {
    sim.advance((time_s * 1e9).round() as i64);
    told.extend(sim.take_notes().into_iter().map(|note| note.text));
}

#[test]
fn holding_a_door_starts_at_a_time_or_when_its_handle_turns() {
    for start in starts(HANDLE_TURNS) {
        let mut sim = world(
            LEVER,
            &format!(r#"{{{start}, "do": "hold_door", "object": "door", "force_n": 100, "duration_s": 1.5}}"#),
        );
        let mut told = Vec::new();
        sim.work_joint("door/handle", 0.9);
        until(&mut sim, 0.6, &mut told);
        sim.work_joint("door/hinge", 30.0);
        until(&mut sim, 1.9, &mut told);
        assert!(angle_deg(&sim) < 2.0, "{start}: {}° though held", angle_deg(&sim));
        assert_eq!(told, ["someone holds door shut with up to 100 N"], "{start}");
        until(&mut sim, 3.5, &mut told);
        assert!(angle_deg(&sim) > 20.0, "{start}: {}° though let go", angle_deg(&sim));
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[1].starts_with("no more: "), "{told:?}");
    }
}

#[test]
fn pulling_a_door_closed_starts_at_a_time_or_when_it_opens() {
    let open = DOOR.replace(r#""handle""#, r#""open_deg": 50, "handle""#);
    for start in starts(r#"{"event": "door_opens", "object": "door", "past_deg": 20}"#) {
        let mut sim = world(&open, &format!(r#"{{{start}, "do": "close_door", "object": "door", "duration_s": 3}}"#));
        let mut told = Vec::new();
        until(&mut sim, 0.45, &mut told);
        assert!(angle_deg(&sim) > 48.0 && told.is_empty(), "{start}: {}° {told:?}", angle_deg(&sim));
        until(&mut sim, 3.0, &mut told);
        assert!(angle_deg(&sim) < 1.0, "{start}: {}°", angle_deg(&sim));
        assert_eq!(told, ["someone pulls door closed with up to 60 N"]);
    }
}

#[test]
fn pushing_a_hand_starts_at_a_time_or_when_it_comes_near() {
    for start in starts(NEAR_BALL) {
        let mut sim = world(
            r#"{"type": "ball", "at": {"x_m": 2}}"#,
            &format!(r#"{{{start}, "do": "push_hand", "side": "left", "force_n": [0, 0, -30], "duration_s": 1}}"#),
        );
        let force_n = |sim: &PhysicsRobot| sim.state().hand_wrenches[Side::Left.index()].force_n.norm();
        for (until_s, wanted_n) in [(0.45, 0.0), (1.0, 30.0), (1.9, 0.0)] {
            until(&mut sim, until_s, &mut Vec::new());
            assert!((force_n(&sim) - wanted_n).abs() < 1.0, "{start}: {} N at {until_s} s", force_n(&sim));
        }
    }
}

#[test]
fn taking_a_ball_away_starts_at_a_time_or_when_a_hand_is_near() {
    let lifted = r#"{"event": "lifted", "object": "ball", "by_m": 0.05}"#;
    let two = r#"{"type": "table", "at": {"x_m": 2}}, {"type": "ball", "on": "table"}"#;
    let [at, near] = starts(NEAR_BALL);
    for (objects, start) in [(two, &at), (two, &near)] {
        let mut sim = world(objects, &format!(r#"{{{start}, "do": "take_away", "object": "ball"}}"#));
        let away_m = |sim: &PhysicsRobot| sim.world_from_body("ball").expect("a ball").translation_m().norm();
        until(&mut sim, 0.45, &mut Vec::new());
        assert!(away_m(&sim) < 4.0, "{start}");
        until(&mut sim, 0.6, &mut Vec::new());
        assert!(away_m(&sim) > 50.0, "{start}");
    }
    let dropped = r#"{"type": "table", "at": {"x_m": 2}}, {"type": "ball", "on": "table", "at": {"z_m": 0.3}}"#;
    let mut falls = world(dropped, &format!(r#"{{"on": {lifted}, "do": "take_away", "object": "ball"}}"#));
    let mut told = Vec::new();
    until(&mut falls, 1.0, &mut told);
    assert!(told.is_empty(), "what falls is not lifted: {told:?}");
}

#[test]
fn moving_a_table_starts_at_a_time_or_on_an_event() {
    for start in starts(r#"{"event": "hand_near", "object": "table", "within_m": 4}"#) {
        let deed = format!(r#"{{{start}, "do": "move_table", "object": "table", "y_m": -0.3, "duration_s": 1}}"#);
        let mut sim = world(r#"{"type": "table", "at": {"x_m": 2}}"#, &deed);
        let y_m = |sim: &PhysicsRobot| sim.world_from_body("table").expect("a table").translation_m().y;
        until(&mut sim, 0.45, &mut Vec::new());
        assert!(y_m(&sim).abs() < 1e-3, "{start}");
        until(&mut sim, 2.0, &mut Vec::new());
        assert!((y_m(&sim) + 0.3).abs() < 5e-3, "{start}: {} m", y_m(&sim));
    }
}

#[test]
fn blocking_a_doorway_starts_at_a_time_or_on_an_event_and_stops_the_door() {
    let open = DOOR.replace(r#""handle""#, r#""open_deg": 8, "handle""#);
    for start in starts(r#"{"event": "door_opens", "object": "door", "past_deg": 5}"#) {
        let deed = format!(r#"{{{start}, "do": "block_doorway", "object": "door", "duration_s": 3}}"#);
        let mut sim = world(&open, &deed);
        until(&mut sim, 0.6, &mut Vec::new());
        sim.work_joint("door/hinge", 10.0);
        until(&mut sim, 3.0, &mut Vec::new());
        assert!(angle_deg(&sim) < 60.0, "{start}: {}° through what stands there", angle_deg(&sim));
        until(&mut sim, 6.0, &mut Vec::new());
        assert!(angle_deg(&sim) > 80.0, "{start}: {}° though it is gone", angle_deg(&sim));
    }
}
