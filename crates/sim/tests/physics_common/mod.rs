#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::Arc;

use geometry::{Pose, Vector3};
use robot::interface::{Command, CommandId, Footstep, JointPath, JointWaypoint, Order, Phase, Queueing};
use robot::{Robot, RobotInterface, Side};
use sim::{PhysicsRobot, PhysicsWorld, World};

pub fn coact_one() -> Arc<Robot> {
    Arc::new(Robot::builtin("coact-one").expect("it is built in"))
}

#[track_caller]
pub fn open(world: &str) -> PhysicsRobot {
    open_seed(world, 1)
}

#[track_caller]
pub fn open_seed(world: &str, seed: u64) -> PhysicsRobot {
    let world = World::from_json("test.json", world).expect("a good world");
    PhysicsWorld::open(&world, coact_one(), seed).expect("it opens")
}

pub fn run(sim: &mut PhysicsRobot, seconds: f64) {
    let time_ns = sim.state().time_ns + (seconds * 1e9).round() as i64;
    sim.advance(time_ns);
}

#[track_caller]
pub fn send(sim: &mut PhysicsRobot, id: u64, order: Order) -> CommandId {
    let id = CommandId(id);
    sim.command(&Command { id, queueing: Queueing::Override, order }).expect("taken");
    id
}

#[track_caller]
pub fn finish(sim: &mut PhysicsRobot, id: CommandId) {
    for _ in 0..6000 {
        match sim.state().command(id).cloned().expect("its state is told") {
            Phase::Running { .. } | Phase::Queued => run(sim, 0.02),
            Phase::Done => return,
            other => panic!("{other:?}; {:?}", sim.fallen()),
        }
    }
    panic!("it does not end");
}

/// To positions of some joints, in a time.
pub fn joints(targets: &[(&str, f64)], time_s: f64) -> Order {
    Order::Joints(JointPath {
        joints: targets.iter().map(|(joint, _)| (*joint).into()).collect(),
        waypoints: vec![JointWaypoint { time_s, positions: targets.iter().map(|(_, at)| *at).collect() }],
    })
}

pub fn grip(robot: &Robot, side: Side, name: &str) -> Order {
    let preset = robot.grip(name, side).expect("a grip");
    let names = robot.model.coordinates();
    Order::Fingers {
        side,
        targets: preset.iter().map(|(coordinate, at)| (names[*coordinate].name.as_str().into(), *at)).collect(),
        speeds: vec![3.0; preset.len()],
    }
}

/// Feet alternate, left first; each step takes the middle of the feet further by (x, y, yaw) in its own frame.
pub fn walk(robot: &Robot, count: usize, (x_m, y_m, yaw_rad): (f64, f64, f64)) -> Vec<Footstep> {
    let mut middle = Pose::identity();
    let mut side = Side::Left;
    let mut steps = Vec::new();
    for step in 0..count {
        let further = Pose::from_axis_angle(Vector3::new(x_m, y_m, 0.0), Vector3::new(0.0, 0.0, yaw_rad));
        // The last one closes up.
        if step + 1 < count {
            middle = middle * further;
        }
        let half_m = 0.5 * robot.walking.stance_width_m * if side == Side::Left { 1.0 } else { -1.0 };
        steps.push(Footstep {
            side,
            world_from_sole: middle * Pose::from_translation(0.0, half_m, 0.0),
            swing_s: 0.8,
            transfer_s: 0.3,
            swing_height_m: robot.walking.swing_height_m,
        });
        side = side.other();
    }
    steps
}
