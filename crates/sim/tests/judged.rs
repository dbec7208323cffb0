#![cfg(feature = "mujoco")]
//! Legs, feet and trunk go through nothing, whatever carries the pelvis.

use crate::physics_common;

use geometry::Pose;
use physics_common::*;
use robot::Side;
use robot::interface::{Footstep, Mode, Order};
use sim::{PhysicsError, PhysicsRobot, PhysicsWorld, World};
use site::Driver;

const STAIRS: &str = r#"{"type": "stairs", "at": {"x_m": 0.6}, "count": 4, "rise_m": 0.12, "run_m": 0.3}"#;

fn world(objects: &str, expect: &str) -> String {
    format!(r#"{{"version": 1, "robot": {{"preset": "ready"}}, "objects": [{objects}], "expect": [{expect}]}}"#)
}

fn walk_ahead(sim: &mut PhysicsRobot, count: usize) {
    let steps = walk(&coact_one(), count, (0.2, 0.0, 0.0));
    send(sim, 1, Order::Footsteps { steps });
}

/// Until it has fallen; whether it has.
fn until_fallen(sim: &mut PhysicsRobot, seconds: f64) -> Option<String> {
    for _ in 0..(seconds / 0.02) as usize {
        run(sim, 0.02);
        if let Some(why) = sim.fallen() {
            return Some(why.to_owned());
        }
    }
    None
}

#[test]
fn who_walks_into_stairs_falls_and_both_are_named() {
    let mut sim = open(&world(STAIRS, r#"{"untouched": "stairs"}"#));
    walk_ahead(&mut sim, 8);
    let why = until_fallen(&mut sim, 12.0).expect("it goes into the stairs");
    assert!(
        why.starts_with("the robot fell: its ") && why.contains("_foot was ") && why.ends_with("inside stairs"),
        "{why}"
    );
    assert_eq!(sim.state().mode, Mode::Faulted);
    let [truth] = sim.truths().try_into().expect("one is expected");
    assert!(!truth.met && truth.why.contains("_foot touched stairs"), "{truth:?}");
    let refused = sim.command(&robot::interface::Command {
        id: robot::interface::CommandId(2),
        queueing: robot::interface::Queueing::Override,
        order: joints(&[("neck_yaw", 0.1)], 1.0),
    });
    assert!(refused.is_err_and(|refusal| refusal.0.contains("inside stairs")));
}

#[test]
fn before_the_stairs_nothing_is_touched() {
    let mut sim = open(&world(STAIRS, r#"{"untouched": "stairs"}"#));
    walk_ahead(&mut sim, 3);
    assert_eq!(until_fallen(&mut sim, 6.0), None);
    let [truth] = sim.truths().try_into().expect("one is expected");
    assert!(truth.met, "{truth:?}");
}

#[test]
fn soles_on_a_block_stand_and_beyond_its_edge_fall() {
    let block = r#"{"type": "block", "at": {"x_m": 0.55}, "length_m": 0.6, "width_m": 1.0, "height_m": 0.1}"#;
    let robot = coact_one();
    let half_m = 0.5 * robot.walking.stance_width_m;
    let step = |side: Side, x_m: f64, z_m: f64| Footstep {
        side,
        world_from_sole: Pose::from_translation(x_m, if side == Side::Left { half_m } else { -half_m }, z_m),
        swing_s: 1.2,
        transfer_s: 0.6,
        swing_height_m: 0.1,
    };
    let up = [
        step(Side::Left, 0.1, 0.0),
        step(Side::Right, 0.1, 0.0),
        step(Side::Left, 0.4, 0.1),
        step(Side::Right, 0.4, 0.1),
    ];
    let mut sim = open(&world(block, ""));
    send(&mut sim, 1, Order::Footsteps { steps: up.to_vec() });
    assert_eq!(until_fallen(&mut sim, 9.0), None);

    let on = [step(Side::Left, 0.6, 0.1), step(Side::Right, 0.75, 0.1), step(Side::Left, 0.98, 0.1)];
    send(&mut sim, 2, Order::Footsteps { steps: on.to_vec() });
    let why = until_fallen(&mut sim, 9.0).expect("there is nothing beyond the block");
    assert!(why.contains("left_foot stands on nothing") && why.contains("cm above "), "{why}");
}

#[test]
fn who_walks_into_a_wall_is_told_so() {
    let mut sim = open(&world(r#"{"type": "wall", "at": {"x_m": 0.7}}"#, ""));
    walk_ahead(&mut sim, 8);
    let why = until_fallen(&mut sim, 12.0).expect("it goes against the wall");
    assert!(why.starts_with("the robot fell: ") && why.ends_with(" wall"), "{why}");
}

#[test]
fn a_start_in_the_stairs_is_refused() {
    let world = world(&STAIRS.replace("0.6", "-0.1"), "");
    let world = World::from_json("test.json", &world).expect("a good world");
    let opened = PhysicsWorld::open(&world, coact_one(), 1).map(|_| ());
    assert!(
        matches!(&opened, Err(PhysicsError::Inside { pairs }) if pairs.iter().any(|(_, thing, _)| thing == "stairs")),
        "{opened:?}"
    );
}
