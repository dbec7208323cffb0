//! A hand path that is known to be possible, through the controller of a robot that follows it perfectly.

use std::sync::Arc;

use geometry::Pose;
use robot::control::Controller;
use robot::interface::{Command, CommandId, Frame, HandPath as Ordered, HandWaypoint, Order, Phase, Queueing, Reach};
use robot::{BodyPoses, Chain, PartName, Robot, Side};

use super::hand_paths::{HandPath, STEP_M, STEP_RAD};

/// More than a joint may move while the hand goes one step of a path.
pub const JUMP_RAD: f64 = 0.2;
/// From one pose of the path to the next: slow enough for the joints.
const POSE_S: f64 = 0.1;
const CONTROL_NS: i64 = 2_000_000;

#[derive(Debug, Default)]
pub struct Followed {
    /// Of the hand, 1 cm or 2° each.
    pub steps: usize,
    pub jumps: usize,
    pub largest_rad: f64,
    /// None: refused. Else how far the hand is from the end of the path, in steps.
    pub off: Option<f64>,
}

impl Followed {
    pub fn arrived(&self) -> bool {
        self.off.is_some_and(|off| off < 0.1)
    }
}

pub fn chain(robot: &Robot, reach: Reach) -> Chain {
    let part = match reach {
        Reach::Arm => PartName::Arm(Side::Left),
        Reach::ArmAndSpine => PartName::Spine,
    };
    let base = robot.part(part).expect("the robot has this part").base;
    Chain::new(&robot.model, base, robot.frames.hands[0]).expect("a chain of the robot")
}

pub fn follow(robot: &Arc<Robot>, reach: Reach, chain: &Chain, path: &HandPath) -> Followed {
    let mut positions = robot.configuration("home").expect("a preset");
    chain.coordinates().iter().zip(&path.start).for_each(|(at, position)| positions[*at] = *position);
    let mut poses = BodyPoses::new(robot.clone());
    poses.place(&positions, &Pose::identity());
    let hand = robot.frames.hands[0];
    let world_from_base = poses.world_from_link(hand) * chain.base_from_tip(&path.start).inverse();
    let waypoint = |(index, base_from_hand): (usize, &Pose)| HandWaypoint {
        time_s: POSE_S * (index + 1) as f64,
        frame_from_hand: world_from_base * *base_from_hand,
    };
    let waypoints: Vec<HandWaypoint> = path.base_from_hand.iter().enumerate().map(waypoint).collect();
    let ordered = Ordered { side: Side::Left, reach, frame: Frame::World, waypoints, follow: false, hold: false };
    let mut controller = Controller::new(robot.clone(), &positions, &Pose::identity());
    let command = Command { id: CommandId(1), queueing: Queueing::Override, order: Order::Hand(ordered) };
    let mut followed = Followed::default();
    if controller.command(&command).is_err() {
        return followed;
    }
    let (mut marked, mut marked_at) = (path.start.clone(), chain.base_from_tip(&path.start));
    loop {
        controller.step(CONTROL_NS);
        let phase = controller.statuses().into_iter().find(|status| status.id == command.id).map(|status| status.phase);
        let ended = !matches!(phase, Some(Phase::Queued | Phase::Running { .. }));
        let now = chain.pick(&controller.desired().positions);
        let at = chain.base_from_tip(&now);
        let gone = marked_at.distance(&at);
        if ended || gone.position_m >= STEP_M || gone.angle_rad >= STEP_RAD {
            let largest_rad = marked.iter().zip(&now).fold(0.0_f64, |most, (from, to)| most.max((to - from).abs()));
            followed.steps += 1;
            followed.jumps += usize::from(largest_rad > JUMP_RAD);
            followed.largest_rad = followed.largest_rad.max(largest_rad);
            (marked, marked_at) = (now, at);
        }
        if ended {
            let off = marked_at.distance(path.base_from_hand.last().expect("a path has poses"));
            let off = (off.position_m / STEP_M).max(off.angle_rad / STEP_RAD);
            followed.off = (phase == Some(Phase::Done)).then_some(off);
            return followed;
        }
    }
}
