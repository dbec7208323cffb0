//! How many simulated seconds pass in one: `cargo run --release -p sim --example speed`.
#![allow(clippy::disallowed_methods, reason = "it measures by the clock of the machine")]

use std::sync::Arc;
use std::time::Instant;

use geometry::{Pose, Vector3};
use robot::interface::{Command, CommandId, Footstep, Frame, HandPath, HandWaypoint, Order, Queueing, Reach};
use robot::{BodyFrame, BodyPoses, Robot, Side};
use sim::{FaultPlan, KinematicRobot};
use site::Driver;

const TICK_NS: i64 = 10_000_000;
const SIMULATED_S: i64 = 60;

fn main() {
    println!("| robot | what | simulated s in 1 s | µs a control step |\n|---|---|---|---|");
    for name in Robot::names() {
        for (what, arms, walks) in [
            ("standing", false, false),
            ("both hands on paths", true, false),
            ("walking", false, true),
            ("walking, both hands on paths", true, true),
        ] {
            let times_real = (0..3).map(|_| run(name, arms, walks)).fold(0.0, f64::max);
            println!("| {name} | {what} | {times_real:.0} | {:.1} |", 5000.0 / times_real);
        }
    }
}

fn run(name: &str, arms: bool, walks: bool) -> f64 {
    let robot = Arc::new(Robot::builtin(name).expect("one of our own"));
    let positions = robot.configuration("ready").expect("every robot of ours has it");
    let mut sim = KinematicRobot::new(robot.clone(), &positions, &Pose::identity(), &FaultPlan::default())
        .expect("no faults are fine");
    let mut poses = BodyPoses::new(robot.clone());
    poses.update(sim.state());
    let mut orders = Vec::new();
    if arms {
        orders.extend(Side::BOTH.map(|side| circles(&poses, side)));
    }
    if walks {
        orders.push(Order::Footsteps { steps: steps(&robot) });
    }
    for (index, order) in orders.into_iter().enumerate() {
        let command = Command { id: CommandId(index as u64), queueing: Queueing::Queue, order };
        sim.command(&command).expect("it can be done");
    }
    let start = Instant::now();
    for tick in 1..=SIMULATED_S * 1_000_000_000 / TICK_NS {
        sim.advance(tick * TICK_NS);
    }
    SIMULATED_S as f64 / start.elapsed().as_secs_f64()
}

fn circles(poses: &BodyPoses, side: Side) -> Order {
    let chest_from_hand = poses.world_from(BodyFrame::Chest).inverse() * poses.world_from(BodyFrame::Hand(side));
    let waypoint = |index: i32| {
        let angle_rad = 0.5 * f64::from(index);
        let way_m = Vector3::new(0.0, 0.06 * angle_rad.sin(), 0.06 * (1.0 - angle_rad.cos()));
        HandWaypoint {
            time_s: 0.25 * f64::from(index),
            frame_from_hand: Pose::new(way_m, Pose::identity().rotation()) * chest_from_hand,
        }
    };
    let waypoints = (1..=4 * SIMULATED_S as i32).map(waypoint).collect();
    Order::Hand(HandPath {
        side,
        reach: Reach::Arm,
        frame: Frame::Link("chest".into()),
        waypoints,
        follow: false,
        hold: false,
    })
}

fn steps(robot: &Robot) -> Vec<Footstep> {
    let limits = &robot.walking;
    let step = |index: i32| {
        let side = Side::BOTH[(index % 2) as usize];
        let y_m = if side == Side::Left { 0.5 } else { -0.5 } * limits.stance_width_m;
        Footstep {
            side,
            world_from_sole: Pose::from_translation(0.15 * f64::from(index + 1), y_m, 0.0),
            swing_s: 0.8,
            transfer_s: 0.3,
            swing_height_m: limits.swing_height_m,
        }
    };
    (0..50).map(step).collect()
}
