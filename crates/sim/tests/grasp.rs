#![cfg(feature = "mujoco")]
//! Grasps hold by friction.

use crate::physics_common;

use geometry::{Point3, Pose, Vector3};
use physics_common::*;
use robot::interface::Order;
use robot::{BodyFrame, BodyPoses, Side};
use sim::{PhysicsRobot, PhysicsWorld, World};
use site::Driver;

const RADIUS_M: f64 = 0.033;

/// A ball on a thin post, where the right hand closes.
fn ball_in_hand(disturbances: &str) -> PhysicsRobot {
    let robot = coact_one();
    let mut poses = BodyPoses::new(robot.clone());
    poses.place(&robot.configuration("ready").expect("a preset"), &Pose::identity());
    let walking_from_hand =
        poses.world_from(BodyFrame::Walking).inverse() * poses.world_from(BodyFrame::Hand(Side::Right));
    let ball = walking_from_hand.transform_point(&Point3::new(0.0, RADIUS_M - 0.004, -0.01));
    let world = format!(
        r#"{{"version": 1, "robot": {{"preset": "ready"}}, "objects": [
            {{"type": "block", "name": "post", "at": {{"x_m": {}, "y_m": {}}},
              "length_m": 0.02, "width_m": 0.02, "height_m": {}}},
            {{"type": "ball", "on": "post", "radius_m": {RADIUS_M}, "friction": 0.7, "mass_kg": 0.1}}],
            "disturbances": [{disturbances}]}}"#,
        ball.x,
        ball.y,
        ball.z - RADIUS_M
    );
    let world = World::from_json("test.json", &world).expect("a good world");
    PhysicsWorld::open(&world, robot, 0).expect("it opens")
}

fn hand_from_ball_m(sim: &PhysicsRobot) -> Vector3<f64> {
    let mut poses = BodyPoses::new(sim.robot().clone());
    poses.update(sim.state());
    let world_from_ball = sim.world_from_body("ball").expect("a ball");
    (poses.world_from(BodyFrame::Hand(Side::Right)).inverse() * world_from_ball).translation_m()
}

#[test]
fn a_grasped_ball_stays_through_a_fast_swing_and_drops_when_the_hand_opens() {
    let mut sim = ball_in_hand("");
    let robot = sim.robot().clone();
    send(&mut sim, 1, grip(&robot, Side::Right, "close"));
    run(&mut sim, 1.5);
    let id = send(&mut sim, 2, joints(&[("right_elbow_pitch", -1.9), ("right_shoulder_roll", -0.9)], 1.5));
    finish(&mut sim, id);
    let lifted_m = hand_from_ball_m(&sim);
    let mut id = 3;
    for (shoulder, elbow) in [(-1.3, -0.7), (-0.2, -1.6), (-1.3, -0.7), (-0.3, -1.6)] {
        let command =
            send(&mut sim, id, joints(&[("right_shoulder_pitch", shoulder), ("right_elbow_pitch", elbow)], 0.6));
        finish(&mut sim, command);
        id += 1;
    }
    let slipped_m = (hand_from_ball_m(&sim) - lifted_m).norm();
    assert!(slipped_m < 1e-2, "{slipped_m} m; {:?}", sim.balance());
    let down = [("right_shoulder_pitch", -0.3), ("right_elbow_pitch", 0.0), ("right_shoulder_roll", -1.2)];
    let command = send(&mut sim, id, joints(&down, 1.0));
    finish(&mut sim, command);
    let held_m = (hand_from_ball_m(&sim) - lifted_m).norm();
    assert!(held_m < 1e-2, "{held_m} m");
    // Slowly: fingers that snap open take the ball along.
    let mut open = grip(&robot, Side::Right, "open");
    if let Order::Fingers { speeds, .. } = &mut open {
        speeds.fill(0.4);
    }
    send(&mut sim, id + 1, open);
    run(&mut sim, 5.0);
    let fallen_m = sim.world_from_body("ball").expect("a ball").translation_m().z;
    assert!(fallen_m < 0.2, "{fallen_m} m above the floor");
}

#[test]
fn a_gripper_holds_no_harder_than_it_is_told() {
    let efforts = |force_limit_n: f64| {
        let mut sim = ball_in_hand("");
        let order = Order::Gripper { side: Side::Right, opening_rad: 0.0, force_limit_n };
        send(&mut sim, 1, order);
        run(&mut sim, 2.5);
        let robot = sim.robot().clone();
        let hand = robot.part(robot::PartName::Hand(Side::Right)).expect("a hand");
        hand.coordinates.iter().map(|coordinate| sim.state().efforts[*coordinate].abs()).fold(0.0, f64::max)
    };
    let [soft, firm] = [2.0, 10.0].map(efforts);
    // Fingers are about 10 cm long.
    assert!((0.05..0.35).contains(&soft), "{soft} N·m");
    assert!(firm > 2.0 * soft, "{soft} N·m and {firm} N·m");
}

#[test]
fn a_ball_is_taken_away_when_it_is_lifted() {
    let event = r#"{"event": "lifted", "object": "ball", "by_m": 0.05}"#;
    let mut sim = ball_in_hand(&format!(r#"{{"on": {event}, "do": "take_away", "object": "ball"}}"#));
    let robot = sim.robot().clone();
    send(&mut sim, 1, grip(&robot, Side::Right, "close"));
    run(&mut sim, 1.5);
    assert!(sim.take_notes().is_empty(), "gripping is not lifting");
    let id = send(&mut sim, 2, joints(&[("right_elbow_pitch", -1.9), ("right_shoulder_roll", -0.9)], 1.5));
    finish(&mut sim, id);
    let told: Vec<String> = sim.take_notes().into_iter().map(|note| note.text).collect();
    assert_eq!(told, ["someone takes ball away"]);
    assert!(sim.world_from_body("ball").expect("a ball").translation_m().norm() > 50.0);
}
