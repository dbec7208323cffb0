#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::Arc;

use geometry::{Pose, Vector3};
use robot::interface::{Command, CommandId, Footstep, JointPath, JointWaypoint, Order, Phase, Queueing};
use robot::{Robot, Side, WalkingLimits};
use sim::{PhysicsRobot, PhysicsWorld, World};
use site::Driver;

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

/// One foot goes, the other one closes up.
pub fn shuffle(robot: &Robot, count: usize, way: Way) -> Vec<Footstep> {
    let mut pairs = walk(robot, count / 2 + 1, way);
    pairs.pop();
    let stance_m = robot.walking.stance_width_m;
    let both = |step: Footstep| {
        let half_m = if step.side == Side::Left { 0.5 * stance_m } else { -0.5 * stance_m };
        let middle = step.world_from_sole * Pose::from_translation(0.0, -half_m, 0.0);
        [(Side::Left, 0.5 * stance_m), (Side::Right, -0.5 * stance_m)].map(|(side, half_m)| {
            let world_from_sole = middle * Pose::from_translation(0.0, half_m, 0.0);
            Footstep { side, world_from_sole, ..step.clone() }
        })
    };
    pairs.into_iter().flat_map(both).collect()
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

/// One step, along x, y and yaw.
pub type Way = (f64, f64, f64);

/// Its name, and what the longest step of a robot goes.
pub type Walk = (&'static str, fn(&WalkingLimits) -> Way);

pub const WALKS: [Walk; 5] = [
    ("forward", |limits| (limits.max_forward_m, 0.0, 0.0)),
    ("back", |limits| (-limits.max_backward_m, 0.0, 0.0)),
    ("sideways", |limits| (0.0, limits.max_width_m - limits.stance_width_m, 0.0)),
    ("turning", |limits| (0.0, 0.0, limits.max_turn_out_deg.to_radians())),
    ("diagonal", |limits| (0.7 * limits.max_forward_m, 0.7 * (limits.max_width_m - limits.stance_width_m), 0.0)),
];

/// Steps of a share of the longest, in times of swing and transfer: how it ended, and how near to a fall it came.
pub fn gone(robot: &Arc<Robot>, way: Way, share: f64, (swing_s, transfer_s): (f64, f64)) -> (String, sim::Balance) {
    let way = (share * way.0, share * way.1, share * way.2);
    let mut steps = if way.0 == 0.0 || way.1 != 0.0 { shuffle(robot, 8, way) } else { walk(robot, 8, way) };
    for step in &mut steps {
        (step.swing_s, step.transfer_s) = (swing_s, transfer_s);
    }
    walked(robot, steps)
}

/// From where the robot starts.
pub fn walked(robot: &Arc<Robot>, steps: Vec<Footstep>) -> (String, sim::Balance) {
    let world = World::from_json("test.json", r#"{"version": 1}"#).expect("a world");
    let mut sim = PhysicsWorld::open(&world, robot.clone(), 0).expect("it opens");
    let (id, order) = (CommandId(1), Order::Footsteps { steps });
    if let Err(refusal) = sim.command(&Command { id, queueing: Queueing::Override, order }) {
        return (refusal.0, sim.balance());
    }
    while matches!(sim.state().command(id), Some(Phase::Running { .. } | Phase::Queued)) {
        run(&mut sim, 0.02);
    }
    (sim.fallen().unwrap_or_default().to_owned(), sim.balance())
}
