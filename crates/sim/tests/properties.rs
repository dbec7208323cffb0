//! Whatever is commanded, in whatever order: within the limits, never too fast, soles planted, all repeatable.

use crate::common;

use std::sync::Arc;

use common::{Watched, robots, walk};
use geometry::{Pose, Vector3};
use robot::interface::{
    ControlMode, Footstep, Frame, HandPath, HandWaypoint, JointPath, JointWaypoint, Mode, Order, Queueing, Reach,
    RobotState, Wrench,
};
use robot::{BodyFrame, PartName, Robot, Side};
use sim::FaultPlan;
use site::Driver;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count
    }

    fn between(&mut self, lower: f64, upper: f64) -> f64 {
        lower + (upper - lower) * (self.next() as f64 / f64::from(1_u32 << 31))
    }

    fn side(&mut self) -> Side {
        Side::BOTH[self.below(2)]
    }

    fn vector(&mut self, size: f64) -> Vector3<f64> {
        Vector3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }
}

fn frame(random: &mut Random) -> Frame {
    match random.below(5) {
        0 => Frame::World,
        1 => Frame::Walking,
        2 => Frame::Named("cart".into()),
        3 => Frame::Link("left_hand".into()),
        _ => Frame::Link("chest".into()),
    }
}

fn joint_path(watched: &Watched, random: &mut Random) -> Order {
    let robot = watched.poses.robot();
    let coordinates = robot.model.coordinates();
    let legs: Vec<usize> = Side::BOTH
        .iter()
        .flat_map(|side| robot.part(PartName::Leg(*side)).expect("it walks").coordinates.clone())
        .collect();
    let count = 1 + random.below(6);
    let mut chosen: Vec<usize> = (0..count).map(|_| random.below(coordinates.len())).collect();
    chosen.retain(|coordinate| !legs.contains(coordinate));
    chosen.sort_unstable();
    chosen.dedup();
    let mut time_s = if random.below(4) == 0 { 0.0 } else { random.between(0.01, 1.0) };
    let mut waypoints = Vec::new();
    for _ in 0..=random.below(4) {
        let position = |coordinate: &usize| {
            let limits = coordinates[*coordinate].limits;
            random.between(limits.lower.max(-3.0), limits.upper.min(3.0))
        };
        waypoints.push(JointWaypoint { time_s, positions: chosen.iter().map(position).collect() });
        time_s += random.between(0.01, 1.0);
    }
    let joints = chosen.iter().map(|coordinate| coordinates[*coordinate].name.as_str().into()).collect();
    Order::Joints(JointPath { joints, waypoints })
}

fn hand_path(watched: &Watched, random: &mut Random) -> Order {
    let side = random.side();
    let frame = frame(random);
    let world_from_frame = match &frame {
        Frame::World | Frame::Named(_) => Pose::identity(),
        Frame::Walking => watched.world_from(BodyFrame::Walking),
        Frame::Link(name) => watched.world_from(BodyFrame::find(watched.poses.robot(), name).expect("a frame")),
    };
    let start = world_from_frame.inverse() * watched.world_from(BodyFrame::Hand(side));
    let mut time_s = random.between(0.0, 0.5);
    let mut waypoints = Vec::new();
    for _ in 0..=random.below(4) {
        let frame_from_hand = start * Pose::from_axis_angle(random.vector(0.4), random.vector(1.0));
        waypoints.push(HandWaypoint { time_s, frame_from_hand });
        time_s += random.between(0.05, 1.0);
    }
    let reach = if random.below(3) == 0 { Reach::ArmAndSpine } else { Reach::Arm };
    Order::Hand(HandPath { side, reach, frame, waypoints, follow: random.below(2) == 0, hold: random.below(4) == 0 })
}

fn steps(watched: &Watched, random: &mut Random) -> Order {
    let robot = watched.poses.robot();
    let way = match random.below(3) {
        0 => (random.between(-0.15, 0.3), 0.0, 0.0),
        1 => (0.0, random.between(-0.1, 0.1), 0.0),
        _ => (0.0, 0.0, random.between(-0.3, 0.3)),
    };
    let world_from_walking = watched.world_from(BodyFrame::Walking);
    let placed = |step: Footstep| Footstep { world_from_sole: world_from_walking * step.world_from_sole, ..step };
    Order::Footsteps { steps: walk(robot, 1 + random.below(4), way).into_iter().map(placed).collect() }
}

fn order(watched: &Watched, random: &mut Random) -> Order {
    let robot = watched.poses.robot().clone();
    let name = |coordinate: usize| Arc::from(robot.model.coordinates()[coordinate].name.as_str());
    let side = random.side();
    match random.below(12) {
        0..3 => joint_path(watched, random),
        3..6 => hand_path(watched, random),
        6 => steps(watched, random),
        7 => Order::Gripper { side, opening_rad: random.between(0.0, 2.0), force_limit_n: 10.0 },
        8 => {
            let height_m = watched.world_from(BodyFrame::Pelvis).translation_m().z;
            let at_m = Vector3::new(0.0, 0.0, height_m + random.between(-0.2, 0.05)) + random.vector(0.05);
            Order::Pelvis {
                frame: Frame::Walking,
                frame_from_pelvis: Pose::from_axis_angle(at_m, random.vector(0.2)),
                moves_sideways: random.below(2) == 0,
                duration_s: random.between(0.05, 2.0),
            }
        }
        9 => {
            let sole = watched.soles()[side.index()];
            let lift_m = if random.below(2) == 0 { 0.0 } else { random.between(0.02, 0.2) };
            let to_m = sole.translation_m() + random.vector(0.1);
            let frame_from_sole = Pose::new(Vector3::new(to_m.x, to_m.y, lift_m), sole.rotation());
            Order::Foot { side, frame: Frame::World, frame_from_sole, duration_s: random.between(0.1, 2.0) }
        }
        10 => Order::Stop { joints: vec![name(random.below(robot.model.coordinates().len()))] },
        _ => {
            let wrench = Wrench { force_n: random.vector(20.0), torque_nm: random.vector(2.0) };
            Order::Wrench { side, frame: Frame::World, wrench, duration_s: 0.5 }
        }
    }
}

fn mode(mode: ControlMode) -> Order {
    Order::Mode { mode }
}

/// Limits and speeds are looked at by `Watched` in every step.
fn run(robot: &Arc<Robot>, seed: u64, steps: usize) -> Vec<Arc<RobotState>> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut watched = Watched::new(robot.clone(), &FaultPlan::default());
    watched.sim.place_frame("cart", &Pose::from_translation(0.4, 0.1, 1.0));
    let mut planted = watched.soles();
    let mut states = Vec::new();
    for step in 0..steps {
        if random.below(40) == 0 {
            let queueing = if random.below(3) == 0 { Queueing::Queue } else { Queueing::Override };
            let order = order(&watched, &mut random);
            // Refused is fine: then nothing happens.
            let _ = watched.try_send(queueing, order);
        }
        match random.below(400) {
            0 => watched.sim.stop(),
            1 => watched.sim.hold(true),
            2..5 => watched.sim.hold(false),
            5..50 => watched.sim.place_frame(
                "cart",
                &Pose::new(Vector3::new(0.4, 0.1, 1.0) + random.vector(0.3), Pose::identity().rotation()),
            ),
            50 => drop(watched.try_send(Queueing::Override, mode(ControlMode::Frozen))),
            51 => drop(watched.try_send(Queueing::Queue, mode(ControlMode::Frozen))),
            52..58 => drop(watched.try_send(Queueing::Override, mode(ControlMode::Active))),
            _ => {}
        }
        let frozen = (watched.state().mode == Mode::Frozen).then(|| watched.state().positions.clone());
        let contacts = watched.state().feet.map(|foot| foot.contact);
        watched.step();
        if let Some(before) = frozen {
            let still = |(now, before): (&f64, &f64)| (now - before).abs() < 1e-6;
            let positions = &watched.state().positions;
            assert!(positions.iter().zip(&before).all(still), "seed {seed} step {step}: it moves while frozen");
        }
        let now = watched.state().feet.map(|foot| foot.contact);
        for side in Side::BOTH.map(Side::index) {
            let sole = watched.soles()[side];
            if contacts[side] && now[side] {
                let slip = sole.distance(&planted[side]);
                assert!(slip.position_m < 1e-3 && slip.angle_rad < 2e-3, "seed {seed} step {step}: {slip:?}");
            } else {
                planted[side] = sole;
            }
        }
        assert!(now != [false; 2], "it stands on something");
        states.push(watched.sim.state().clone());
    }
    watched.sim.hold(false);
    watched.try_send(Queueing::Override, mode(ControlMode::Active)).expect("taken in any mode");
    watched.sim.stop();
    for _ in 0..1000 {
        watched.step();
    }
    assert_eq!(watched.state().mode, Mode::Standing, "seed {seed}: it comes to rest");
    assert!(watched.at_rest());
    states
}

#[test]
fn random_commands_keep_every_limit() {
    for robot in robots() {
        for seed in 1..=8 {
            run(&robot, seed, 3000);
        }
    }
}

#[test]
fn the_same_commands_give_the_same_bits() {
    let robot = robots().remove(0);
    let (one, other) = (run(&robot, 99, 2000), run(&robot, 99, 2000));
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(serde_json::to_string(&**one).unwrap(), serde_json::to_string(&**other).unwrap());
        assert!(one.positions.iter().zip(&other.positions).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
}
