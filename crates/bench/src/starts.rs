//! What is done on the thread of the tick before an arm moves: the way is found, and whether it goes into the body.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use geometry::Pose;
use robot::control::Controller;
use robot::interface::{
    Command, CommandId, Frame, HandPath, HandWaypoint, JointPath, JointWaypoint, Order, Queueing, Reach, RobotState,
};
use robot::{BodyPoses, JointWay, OwnTouch, PartName, Robot, Side};
use sim::{FaultPlan, KinematicRobot};
use site::Driver;

use crate::best;
use crate::robot::hand_paths::{configuration, shares};
use crate::robot::through_controller;

const ROBOTS: [&str; 2] = ["coact-one", "coact-mini"];
const HANDS: usize = 200;
const ROUNDS: usize = 5;
const DURATION_S: f64 = 3.0;
/// Of a tick of 10 ms, other steps and the engine need theirs.
const TARGET_MS: f64 = 5.0;

pub fn run() {
    println!("Before an arm moves: the best of {ROUNDS} rounds of each order, then over all orders.\n");
    println!("| what | orders | way found: median | worst | own body: median | worst | target |");
    println!("|---|---|---|---|---|---|---|");
    for name in ROBOTS {
        let robot = Arc::new(Robot::builtin(name).expect("our own"));
        row(&format!("{name}, an arm from every preset to every other"), &robot, &between_presets(&robot));
        for (what, reach) in [("arm", Reach::Arm), ("arm and spine", Reach::ArmAndSpine)] {
            row(&format!("{name}, a palm to a random reachable pose, {what}"), &robot, &to_poses(&robot, reach));
        }
    }
}

fn row(what: &str, robot: &Arc<Robot>, orders: &[(RobotState, Order)]) {
    let timed_ms = |call: &dyn Fn(&RobotState, &Order)| {
        let of_order = |(state, order): &(RobotState, Order)| {
            best(ROUNDS, || {
                let begin = Instant::now();
                call(black_box(state), black_box(order));
                begin.elapsed().as_secs_f64() * 1e3
            })
        };
        let mut times_ms: Vec<f64> = orders.iter().map(of_order).collect();
        times_ms.sort_by(f64::total_cmp);
        (times_ms[times_ms.len() / 2], times_ms[times_ms.len() - 1])
    };
    let begun = timed_ms(&|state, order| {
        let mut controller = Controller::new(robot.clone(), &state.positions, &state.world_from_base);
        let command = Command { id: CommandId(1), queueing: Queueing::Override, order: order.clone() };
        black_box(controller.command(&command).is_ok());
    });
    let spared = timed_ms(&|state, order| {
        let way = JointWay::of(robot, state, std::iter::empty(), order, &[]);
        black_box(way.and_then(|way| OwnTouch::of(robot, &state.positions, &way, &[])));
    });
    let missed = if begun.1.max(spared.1) > TARGET_MS { " (missed)" } else { "" };
    println!(
        "| {what} | {} | {:.2} ms | {:.2} ms | {:.2} ms | {:.2} ms | ≤ {TARGET_MS} ms{missed} |",
        orders.len(),
        begun.0,
        begun.1,
        spared.0,
        spared.1
    );
}

fn state(robot: &Arc<Robot>, positions: &[f64]) -> RobotState {
    let standing = KinematicRobot::new(robot.clone(), positions, &Pose::identity(), &FaultPlan::default());
    (**standing.expect("no faults").state()).clone()
}

fn between_presets(robot: &Arc<Robot>) -> Vec<(RobotState, Order)> {
    let mut orders = Vec::new();
    let all: Vec<Vec<f64>> = robot.presets.keys().filter_map(|preset| robot.configuration(preset)).collect();
    for (from, to) in all.iter().flat_map(|from| all.iter().map(move |to| (from, to))).filter(|(from, to)| from != to) {
        for arm in Side::BOTH.into_iter().filter_map(|side| robot.part(PartName::Arm(side))) {
            let joint = |at: &usize| Arc::from(robot.model.coordinates()[*at].name.as_str());
            let positions = arm.coordinates.iter().map(|at| to[*at]).collect();
            let waypoints = vec![JointWaypoint { time_s: DURATION_S, positions }];
            let path = JointPath { joints: arm.coordinates.iter().map(joint).collect(), waypoints };
            orders.push((state(robot, from), Order::Joints(path)));
        }
    }
    orders
}

fn to_poses(robot: &Arc<Robot>, reach: Reach) -> Vec<(RobotState, Order)> {
    let home = robot.configuration("home").expect("a preset");
    let start = state(robot, &home);
    let chain = through_controller::chain(robot, reach);
    let mut share = shares(3);
    let mut poses = BodyPoses::new(robot.clone());
    let mut order = || {
        let mut positions = home.clone();
        let there = configuration(&chain, &mut share);
        chain.coordinates().iter().zip(&there).for_each(|(at, position)| positions[*at] = *position);
        poses.place(&positions, &start.world_from_base);
        let frame_from_hand = poses.world_from_link(robot.frames.hands[Side::Left.index()]);
        let waypoints = vec![HandWaypoint { time_s: DURATION_S, frame_from_hand }];
        Order::Hand(HandPath { side: Side::Left, reach, frame: Frame::World, waypoints, follow: false, hold: false })
    };
    (0..HANDS).map(|_| (start.clone(), order())).collect()
}
