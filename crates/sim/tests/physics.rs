#![cfg(feature = "mujoco")]
//! A robot with weight in a world with physics.

use crate::physics_common;

use geometry::{Pose, Vector3};
use physics_common::*;
use robot::Side;
use robot::interface::{ControlMode, Footstep, Mode, Order};
use site::Driver;

#[test]
fn stands_where_the_controller_has_it_and_carries_its_weight() {
    let mut sim = open(r#"{"version": 1}"#);
    run(&mut sim, 1.0);
    let state = sim.state().clone();
    let worst = sim.tracking_errors().fold(0.0_f64, |worst, error| worst.max(error.abs()));
    assert!(worst < 2e-3, "{worst} rad off");
    let weight_n = sim.robot().model.mass_kg() * 9.81;
    let load_n = state.feet[0].load_n + state.feet[1].load_n;
    assert!((load_n / weight_n - 1.0).abs() < 0.01, "{load_n} of {weight_n}");
    assert!(sim.balance().min_margin_m > 0.05, "{:?}", sim.balance());
    assert_eq!(state.mode, Mode::Standing);
}

#[test]
fn moves_its_arms_as_told() {
    let mut sim = open(r#"{"version": 1, "robot": {"preset": "ready"}}"#);
    let id = send(&mut sim, 1, joints(&[("left_shoulder_pitch", -1.2), ("left_elbow_pitch", -0.5)], 1.0));
    let mut worst = 0.0_f64;
    for _ in 0..60 {
        run(&mut sim, 0.02);
        worst = sim.tracking_errors().fold(worst, |worst, error| worst.max(error.abs()));
    }
    assert!(worst < 0.05, "{worst} rad behind on the way");
    finish(&mut sim, id);
    run(&mut sim, 0.5);
    let left = sim.tracking_errors().fold(0.0_f64, |worst, error| worst.max(error.abs()));
    assert!(left < 3e-3, "{left} rad off at its end");
}

#[test]
fn frozen_it_comes_to_rest_and_stays_there() {
    let mut sim = open(r#"{"version": 1, "robot": {"preset": "ready"}}"#);
    send(&mut sim, 1, joints(&[("left_shoulder_pitch", -1.2)], 1.0));
    run(&mut sim, 0.4);
    let freeze = send(&mut sim, 2, Order::Mode { mode: ControlMode::Frozen });
    finish(&mut sim, freeze);
    run(&mut sim, 0.5);
    assert_eq!(sim.state().mode, Mode::Frozen);
    let there = sim.state().positions.clone();
    let order = joints(&[("left_shoulder_pitch", -0.5)], 1.0);
    let command = robot::interface::Command { id: robot::interface::CommandId(3), queueing: Default::default(), order };
    assert!(sim.command(&command).expect_err("refused").0.contains("frozen"));
    run(&mut sim, 0.5);
    let moved = sim.state().positions.iter().zip(&there).map(|(now, there)| (now - there).abs()).fold(0.0, f64::max);
    assert!(moved < 2e-3, "{moved} rad");
    send(&mut sim, 4, Order::Mode { mode: ControlMode::Active });
    let id = send(&mut sim, 5, joints(&[("left_shoulder_pitch", -0.5)], 0.5));
    finish(&mut sim, id);
    assert_eq!(sim.state().mode, Mode::Standing);
}

#[test]
fn a_run_is_the_same_to_the_last_bit() {
    let world = std::fs::read_to_string("../../worlds/table-balls.json").expect("a world of our own");
    let states = [7, 7, 8].map(|seed| {
        let mut sim = open_seed(&world, seed);
        send(&mut sim, 1, joints(&[("right_shoulder_pitch", -1.4), ("right_elbow_pitch", -0.3)], 0.8));
        run(&mut sim, 1.0);
        (sim.state().clone(), sim.world_from_body("ball-1").expect("a ball"), sim.balance())
    });
    assert_eq!(states[0], states[1]);
    assert_ne!(states[0].1, states[2].1);
}

#[test]
fn a_push_that_the_stance_can_hold_is_felt_and_one_that_it_cannot_is_a_fall() {
    let push = |force_n: f64| {
        let world = format!(
            r#"{{"version": 1, "robot": {{"preset": "ready"}}, "disturbances": [
                {{"at_s": 0.2, "do": "push_hand", "side": "right", "force_n": [{force_n}, 0, 0], "duration_s": 1.5}}]}}"#
        );
        let mut sim = open(&world);
        run(&mut sim, 1.5);
        sim
    };
    let held = push(25.0);
    assert_eq!(held.fallen(), None, "{:?}", held.balance());
    let felt_n = held.state().hand_wrenches[1].force_n.norm();
    assert!((felt_n - 25.0).abs() < 1.0, "{felt_n} N");
    assert!(held.tracking_errors().any(|error| error.abs() > 0.002), "the arm gives");
    let mut fallen = push(150.0);
    let why = fallen.fallen().expect("a fall").to_owned();
    assert!(why.contains("centre of pressure"), "{why}");
    assert_eq!(fallen.state().mode, Mode::Faulted);
    assert_eq!(fallen.state().faults[0].text, why);
    let order = joints(&[("neck_yaw", 0.1)], 1.0);
    let command = robot::interface::Command { id: robot::interface::CommandId(9), queueing: Default::default(), order };
    assert_eq!(fallen.command(&command).expect_err("refused").0, why);
    assert!(fallen.balance().min_margin_m < 0.0);
}

#[test]
fn speed_of_the_arms_is_not_free() {
    let mut sim = open(r#"{"version": 1, "robot": {"preset": "ready"}}"#);
    let before = sim.balance();
    send(&mut sim, 1, joints(&[("left_shoulder_pitch", -2.0), ("right_shoulder_pitch", -2.0)], 0.6));
    run(&mut sim, 1.0);
    let after = sim.balance();
    assert!(after.min_margin_m < before.min_margin_m - 0.01, "{after:?}");
}

#[test]
fn walks_without_falling() {
    for (name, steps) in [("forward", (0.25, 0.0, 0.0)), ("back", (-0.2, 0.0, 0.0)), ("turning", (0.1, 0.0, 0.12))] {
        let mut sim = open(r#"{"version": 1}"#);
        let steps = walk(&sim.robot().clone(), 6, steps);
        let id = send(&mut sim, 1, Order::Footsteps { steps });
        finish(&mut sim, id);
        assert_eq!(sim.fallen(), None, "{name}: {:?}", sim.balance());
    }
}

#[test]
fn walks_in_the_longest_steps_that_its_file_allows_without_falling() {
    for name in ["coact-one", "coact-mini"] {
        let robot = std::sync::Arc::new(robot::Robot::builtin(name).expect("it is built in"));
        for share in [0.6, 0.8, 0.9, 1.0] {
            let step_m = share * robot.walking.max_forward_m;
            let world = sim::World::from_json("test.json", r#"{"version": 1}"#).expect("a world");
            let mut sim = sim::PhysicsWorld::open(&world, robot.clone(), 0).expect("it opens");
            let steps = walk(&robot, 5, (step_m, 0.0, 0.0));
            let id = send(&mut sim, 1, Order::Footsteps { steps });
            finish(&mut sim, id);
            assert_eq!(sim.fallen(), None, "{name} {step_m} m: {:?}", sim.balance());
        }
    }
}

#[test]
fn walks_as_fast_as_it_may_without_falling() {
    for name in ["coact-one", "coact-mini"] {
        let robot = std::sync::Arc::new(robot::Robot::builtin(name).expect("it is built in"));
        for (walk, way) in WALKS {
            for share in [0.5, 1.0] {
                let (outcome, balance) = gone(&robot, way(&robot.walking), share, (0.6, 0.2));
                // What its legs cannot do in balance is refused, and not tried.
                let refused = outcome.contains("does not reach") && name == "coact-mini" && walk == "sideways";
                assert!(outcome.is_empty() || refused, "{name} {walk}, {share} of the longest: {outcome} {balance:?}");
                assert!(balance.min_margin_m > 0.0, "{name} {walk}, {share} of the longest: {balance:?}");
            }
        }
    }
}

#[test]
fn a_foot_that_cannot_follow_its_path_in_the_air_does_not_stop_the_pelvis() {
    let robot = std::sync::Arc::new(robot::Robot::builtin("coact-mini").expect("it is built in"));
    // Sideways and turned: the ankle of the fourth step is at its limit for some 10 ms.
    let steps = [
        (Side::Left, 0.058, 0.1725, 15.04),
        (Side::Right, 0.1828, 0.0706, 25.04),
        (Side::Left, 0.2503, 0.3928, 39.31),
        (Side::Right, 0.4991, 0.413, 15.31),
        (Side::Left, 0.5756, 0.7035, 5.31),
        (Side::Right, 0.5965, 0.5723, -18.69),
        (Side::Left, 0.6869, 0.7659, -24.05),
        (Side::Right, 0.6135, 0.6015, -24.05),
    ];
    let steps = steps.map(|(side, x_m, y_m, yaw_deg): (Side, f64, f64, f64)| Footstep {
        side,
        world_from_sole: Pose::from_axis_angle(
            Vector3::new(x_m, y_m, 0.0),
            Vector3::new(0.0, 0.0, yaw_deg.to_radians()),
        ),
        swing_s: 0.6,
        transfer_s: 0.2,
        swing_height_m: robot.walking.swing_height_m,
    });
    let (outcome, balance) = walked(&robot, steps.to_vec());
    assert!(outcome.is_empty() && balance.max_friction < 0.3, "{outcome} {balance:?}");
}

/// Just before a foot leaves the ground there is no time left to stop the pelvis: it would throw the robot over.
#[test]
fn a_walk_is_stopped_in_balance_whenever_that_is() {
    for name in ["coact-one", "coact-mini"] {
        let robot = std::sync::Arc::new(robot::Robot::builtin(name).expect("it is built in"));
        let mut steps = walk(&robot, 5, (0.26, 0.0, 0.0));
        for step in &mut steps {
            (step.swing_s, step.transfer_s) = (0.65, 0.25);
        }
        // From one landing to the next lift, and a little more.
        for ticks in 0..16 {
            let world = sim::World::from_json("test.json", r#"{"version": 1}"#).expect("a world");
            let mut sim = sim::PhysicsWorld::open(&world, robot.clone(), 0).expect("it opens");
            send(&mut sim, 1, Order::Footsteps { steps: steps.clone() });
            let stopped_s = 1.84 + 0.02 * f64::from(ticks);
            run(&mut sim, stopped_s);
            sim.stop();
            run(&mut sim, 2.0);
            let balance = sim.balance();
            assert_eq!(sim.fallen(), None, "{name}, stopped after {stopped_s} s: {balance:?}");
            // Half of the time that makes it fall.
            assert!(balance.longest_outside_s < 0.05, "{name}, stopped after {stopped_s} s: {balance:?}");
        }
    }
}
