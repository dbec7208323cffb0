#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::Arc;

use geometry::{Pose, Vector3};
use robot::interface::{
    Command, CommandId, Footstep, Frame, HandPath, HandWaypoint, JointPath, JointWaypoint, Order, Phase, Queueing,
    Reach, RobotState,
};
use robot::{BodyFrame, BodyPoses, Robot, Side};
use sim::{CONTROL_PERIOD_NS, FaultPlan, KinematicRobot};
use site::Driver;

pub const DT_S: f64 = CONTROL_PERIOD_NS as f64 * 1e-9;

/// A robot that is watched: after every control step its joints are within their limits, and none was too fast.
pub struct Watched {
    pub sim: KinematicRobot,
    pub poses: BodyPoses,
    next_id: u64,
    last: Vec<f64>,
}

pub fn robots() -> Vec<Arc<Robot>> {
    Robot::names().into_iter().map(|name| Arc::new(Robot::builtin(name).expect("it is built in"))).collect()
}

pub fn standing() -> Watched {
    Watched::new(robots().remove(0), &FaultPlan::default())
}

impl Watched {
    pub fn new(robot: Arc<Robot>, plan: &FaultPlan) -> Watched {
        let preset = if robot.presets.contains_key("ready") { "ready" } else { "home" };
        let positions = robot.configuration(preset).expect("a posture to stand in");
        let sim = KinematicRobot::new(robot.clone(), &positions, &Pose::identity(), plan).expect("a good plan");
        let last = sim.state().positions.clone();
        let mut watched = Watched { sim, poses: BodyPoses::new(robot), next_id: 1, last };
        watched.look();
        watched
    }

    pub fn state(&self) -> &RobotState {
        self.sim.state()
    }

    pub fn try_send(&mut self, queueing: Queueing, order: Order) -> Result<CommandId, String> {
        let id = CommandId(self.next_id);
        self.next_id += 1;
        self.sim.command(&Command { id, queueing, order }).map(|()| id).map_err(|refusal| refusal.0)
    }

    #[track_caller]
    pub fn send(&mut self, order: Order) -> CommandId {
        self.try_send(Queueing::Override, order).expect("taken")
    }

    #[track_caller]
    pub fn queue(&mut self, order: Order) -> CommandId {
        self.try_send(Queueing::Queue, order).expect("taken")
    }

    #[track_caller]
    pub fn refused(&mut self, order: Order) -> String {
        self.try_send(Queueing::Override, order).expect_err("refused")
    }

    #[track_caller]
    pub fn step(&mut self) {
        let time_ns = self.state().time_ns + CONTROL_PERIOD_NS;
        self.sim.advance(time_ns);
        self.look();
    }

    #[track_caller]
    fn look(&mut self) {
        let state = self.sim.state().clone();
        let model = &self.poses.robot().model;
        assert!(model.within_limits(&state.positions), "within limits at {} ns", state.time_ns);
        for ((now, last), coordinate) in state.positions.iter().zip(&self.last).zip(model.coordinates()) {
            let speed = (now - last).abs() / DT_S;
            let limit = coordinate.limits.speed;
            assert!(speed <= limit * (1.0 + 1e-9) + 1e-9, "{} at {speed}, limit {limit}", coordinate.name);
        }
        self.last.clone_from(&state.positions);
        self.poses.update(&state);
    }

    #[track_caller]
    pub fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / DT_S).round() as usize {
            self.step();
        }
    }

    pub fn phase(&self, id: CommandId) -> Phase {
        self.state().command(id).cloned().expect("its state is told")
    }

    /// Until the command has ended; how long that took, s.
    #[track_caller]
    pub fn finish(&mut self, id: CommandId) -> f64 {
        let start_ns = self.state().time_ns;
        while matches!(self.phase(id), Phase::Running { .. } | Phase::Queued) {
            self.step();
            assert!(self.state().time_ns - start_ns < 120_000_000_000, "it does not end");
        }
        (self.state().time_ns - start_ns) as f64 * 1e-9
    }

    pub fn world_from(&self, frame: BodyFrame) -> Pose {
        self.poses.world_from(frame)
    }

    pub fn soles(&self) -> [Pose; 2] {
        Side::BOTH.map(|side| self.world_from(BodyFrame::Sole(side)))
    }

    pub fn position(&self, joint: &str) -> f64 {
        self.state().positions[self.coordinate(joint)]
    }

    pub fn velocity(&self, joint: &str) -> f64 {
        self.state().velocities[self.coordinate(joint)]
    }

    pub fn coordinate(&self, joint: &str) -> usize {
        self.poses.robot().model.coordinate(joint).expect("a joint of the robot")
    }

    pub fn at_rest(&self) -> bool {
        self.state().velocities.iter().all(|velocity| velocity.abs() < 1e-3)
    }
}

pub fn joints(joint: &str, waypoints: &[(f64, f64)]) -> Order {
    let waypoint = |&(time_s, position): &(f64, f64)| JointWaypoint { time_s, positions: vec![position] };
    Order::Joints(JointPath { joints: vec![joint.into()], waypoints: waypoints.iter().map(waypoint).collect() })
}

pub fn hand(side: Side, frame: Frame, waypoints: &[(f64, Pose)]) -> Order {
    let waypoint = |&(time_s, frame_from_hand): &(f64, Pose)| HandWaypoint { time_s, frame_from_hand };
    Order::Hand(HandPath {
        side,
        reach: Reach::Arm,
        frame,
        waypoints: waypoints.iter().map(waypoint).collect(),
        follow: false,
        hold: false,
    })
}

/// Feet alternate, left first; each step takes the middle of the feet further by (x, y, yaw) in its own frame.
pub fn walk(robot: &Robot, count: usize, (x_m, y_m, yaw_rad): (f64, f64, f64)) -> Vec<Footstep> {
    let mut middle = Pose::identity();
    let first = if y_m < 0.0 || yaw_rad < 0.0 { Side::Right } else { Side::Left };
    let mut side = first;
    let mut steps = Vec::new();
    for _ in 0..count {
        let further = Pose::from_axis_angle(Vector3::new(x_m, y_m, 0.0), Vector3::new(0.0, 0.0, yaw_rad));
        // Sideways and turning: the foot in front opens, the other one closes up.
        if side == first || (y_m == 0.0 && yaw_rad == 0.0) {
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
