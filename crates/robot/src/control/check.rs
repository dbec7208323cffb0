//! The gate in front of every command: what is let through can be done, or fails by what the world does to it.

use std::sync::Arc;

use geometry::Pose;

use super::hand::Place;
use crate::interface::{
    Capabilities, Capability, Command, CommandId, ControlMode, Frame, HandPath, JointPath, Order, Reach, Refusal,
    Wrench,
};
use crate::{Limits, MovingKind, PartName, Robot, Side};

/// Longer than an hour is a mistake in a number.
const LONGEST_S: f64 = 3600.0;
/// Positions people wrote in degrees still count as within a limit.
const ROUNDING: f64 = 1e-6;
const MOST_WAYPOINTS: usize = 100_000;

/// What the gate needs to know beside the robot.
pub(crate) struct Gate<'a> {
    pub robot: &'a Robot,
    pub capabilities: &'a Capabilities,
    pub last_id: Option<CommandId>,
    /// Sorted.
    pub leg_joints: &'a [usize],
    pub placed: &'a dyn Fn(&str) -> bool,
}

type Checked = Result<(), Refusal>;

fn refuse(reason: impl Into<String>) -> Checked {
    Err(Refusal(reason.into()))
}

pub(crate) fn check(gate: &Gate<'_>, command: &Command) -> Checked {
    if let Some(last) = gate.last_id.filter(|last| *last >= command.id) {
        return refuse(format!("command {} comes after command {}: ids must rise", command.id.0, last.0));
    }
    if let Some(missing) = needs(&command.order).into_iter().flatten().find(|need| !gate.capabilities.can(*need)) {
        return refuse(format!("the robot cannot {}", missing.deed()));
    }
    match &command.order {
        Order::Joints(path) => gate.joints(path),
        Order::Hand(path) => gate.hand(path),
        Order::Footsteps { .. } => Ok(()),
        Order::Fingers { side, targets, speeds } => gate.fingers(*side, targets, speeds),
        Order::Gripper { side, opening_rad, force_limit_n } => gate.gripper(*side, *opening_rad, *force_limit_n),
        Order::Pelvis { frame, frame_from_pelvis, duration_s, .. } => {
            gate.pose("the pelvis", frame, frame_from_pelvis)?;
            duration("the pelvis", *duration_s)
        }
        Order::Foot { side, frame, frame_from_sole, duration_s } => {
            let what = format!("the {} foot", side.word());
            gate.pose(&what, frame, frame_from_sole)?;
            duration(&what, *duration_s)
        }
        Order::Wrench { side, frame, wrench, duration_s } => gate.wrench(*side, frame, wrench, *duration_s),
        Order::Stiffness { joints, share } => {
            gate.known(joints)?;
            let fits = (0.0..=1.0).contains(share);
            if fits { Ok(()) } else { refuse(format!("a stiffness of {share}: from 0 to 1")) }
        }
        Order::Stop { joints } => {
            if joints.is_empty() {
                return refuse("names no joint to stop");
            }
            gate.known(joints).map(|_| ())
        }
        Order::Mode { mode: ControlMode::Active | ControlMode::Frozen } => Ok(()),
    }
}

/// What a frozen robot does not do. Softer joints would sag: that is a motion, too.
pub(crate) fn moves(order: &Order) -> bool {
    match order {
        Order::Joints(_)
        | Order::Hand(_)
        | Order::Footsteps { .. }
        | Order::Fingers { .. }
        | Order::Gripper { .. }
        | Order::Pelvis { .. }
        | Order::Foot { .. }
        | Order::Wrench { .. }
        | Order::Stiffness { .. } => true,
        Order::Stop { .. } | Order::Mode { .. } => false,
    }
}

fn needs(order: &Order) -> [Option<Capability>; 2] {
    match order {
        Order::Joints(_) => [Some(Capability::JointPath), None],
        Order::Hand(path) => [Some(Capability::HandPath), path.follow.then_some(Capability::FollowFrame)],
        Order::Footsteps { .. } => [Some(Capability::Footsteps), None],
        Order::Fingers { .. } => [Some(Capability::Fingers), None],
        Order::Gripper { .. } => [Some(Capability::Gripper), None],
        Order::Pelvis { .. } => [Some(Capability::Pelvis), None],
        Order::Foot { .. } => [Some(Capability::Foot), None],
        Order::Wrench { .. } => [Some(Capability::Wrench), None],
        Order::Stiffness { .. } => [Some(Capability::Stiffness), None],
        Order::Stop { .. } => [None, None],
        Order::Mode { .. } => [Some(Capability::ControlMode), None],
    }
}

fn duration(what: &str, duration_s: f64) -> Checked {
    if duration_s > 0.0 && duration_s <= LONGEST_S {
        return Ok(());
    }
    refuse(format!("{what}: a duration of {duration_s} s; more than 0 s and at most {LONGEST_S} s"))
}

fn times(what: &str, times_s: impl Iterator<Item = f64>) -> Checked {
    let mut before_s = None;
    let mut count = 0;
    for (index, time_s) in times_s.enumerate() {
        if !(0.0..=LONGEST_S).contains(&time_s) {
            return refuse(format!("{what}, waypoint {}: at {time_s} s; from 0 s to {LONGEST_S} s", index + 1));
        }
        if before_s.is_some_and(|before_s| time_s <= before_s) {
            return refuse(format!("{what}, waypoint {}: at {time_s} s, not later than the one before", index + 1));
        }
        before_s = Some(time_s);
        count = index + 1;
    }
    match count {
        0 => refuse(format!("{what}: the path has no waypoint; give at least one")),
        count if count > MOST_WAYPOINTS => refuse(format!("{what}: {count} waypoints; at most {MOST_WAYPOINTS}")),
        _ => Ok(()),
    }
}

/// As people read it: degrees for joints that turn.
fn shown(kind: MovingKind, position: f64) -> String {
    match kind {
        MovingKind::Revolute | MovingKind::Continuous => format!("{:.1}°", position.to_degrees()),
        MovingKind::Prismatic => format!("{position:.4} m"),
    }
}

impl Gate<'_> {
    fn coordinate(&self, joint: &str) -> Result<usize, Refusal> {
        self.robot.model.coordinate(joint).ok_or_else(|| Refusal(format!("the robot has no joint `{joint}`")))
    }

    fn known(&self, joints: &[Arc<str>]) -> Result<Vec<usize>, Refusal> {
        joints.iter().map(|joint| self.coordinate(joint)).collect()
    }

    fn within(&self, coordinate: usize, position: f64) -> Checked {
        let joint = &self.robot.model.coordinates()[coordinate];
        let Limits { lower, upper, .. } = joint.limits;
        if (lower - ROUNDING..=upper + ROUNDING).contains(&position) && position.is_finite() {
            return Ok(());
        }
        let [position, lower, upper] = [position, lower, upper].map(|at| shown(joint.kind, at));
        refuse(format!("joint `{}` cannot go to {position}: it goes from {lower} to {upper}", joint.name))
    }

    fn joints(&self, path: &JointPath) -> Checked {
        let coordinates = self.known(&path.joints)?;
        if coordinates.is_empty() {
            return refuse("the path names no joint");
        }
        for (index, coordinate) in coordinates.iter().enumerate() {
            if coordinates[..index].contains(coordinate) {
                return refuse(format!("joint `{}` is named twice", path.joints[index]));
            }
            if self.leg_joints.contains(coordinate) {
                return refuse(format!(
                    "joint `{}` is of a leg the robot stands on: move the pelvis, a foot, or walk",
                    path.joints[index]
                ));
            }
        }
        times("joints", path.waypoints.iter().map(|waypoint| waypoint.time_s))?;
        for (index, waypoint) in path.waypoints.iter().enumerate() {
            if waypoint.positions.len() != coordinates.len() {
                let (positions, joints) = (waypoint.positions.len(), coordinates.len());
                return refuse(format!("waypoint {} has {positions} positions for {joints} joints", index + 1));
            }
            for (coordinate, position) in coordinates.iter().zip(&waypoint.positions) {
                self.within(*coordinate, *position)
                    .map_err(|Refusal(reason)| Refusal(format!("waypoint {}: {reason}", index + 1)))?;
            }
        }
        Ok(())
    }

    fn frame(&self, frame: &Frame) -> Checked {
        match Place::of(self.robot, frame) {
            None => {
                let Frame::Link(name) = frame else { return Ok(()) };
                refuse(format!("the robot has no link `{name}`"))
            }
            Some(Place::Named(name)) if !(self.placed)(&name) => {
                refuse(format!("frame `{name}` is not known yet: it has to be seen or placed first"))
            }
            Some(_) => Ok(()),
        }
    }

    fn pose(&self, what: &str, frame: &Frame, pose: &Pose) -> Checked {
        self.frame(frame)?;
        if pose.is_finite() { Ok(()) } else { refuse(format!("{what}: a pose with a number that is not finite")) }
    }

    fn hand(&self, path: &HandPath) -> Checked {
        let what = format!("the {} hand", path.side.word());
        if self.robot.part(PartName::Arm(path.side)).is_none() {
            return refuse(format!("the robot has no {} arm", path.side.word()));
        }
        if path.reach == Reach::ArmAndSpine && self.robot.part(PartName::Spine).is_none() {
            return refuse("the robot has no spine: reach with the arm alone");
        }
        times(&what, path.waypoints.iter().map(|waypoint| waypoint.time_s))?;
        self.frame(&path.frame)?;
        path.waypoints.iter().try_for_each(|waypoint| self.pose(&what, &Frame::World, &waypoint.frame_from_hand))
    }

    fn fingers(&self, side: Side, targets: &[(Arc<str>, f64)], speeds: &[f64]) -> Checked {
        let Some(hand) = self.robot.part(PartName::Hand(side)) else {
            return refuse(format!("the {} hand has no fingers", side.word()));
        };
        if targets.is_empty() || targets.len() != speeds.len() {
            return refuse(format!("{} targets and {} speeds: one speed for each joint", targets.len(), speeds.len()));
        }
        for (index, ((joint, position), speed)) in targets.iter().zip(speeds).enumerate() {
            let coordinate = self.coordinate(joint)?;
            if !hand.coordinates.contains(&coordinate) {
                return refuse(format!("joint `{joint}` is not of the {} hand", side.word()));
            }
            if targets[..index].iter().any(|(other, _)| other == joint) {
                return refuse(format!("joint `{joint}` is named twice"));
            }
            self.within(coordinate, *position)?;
            if !(speed.is_finite() && *speed > 0.0) {
                return refuse(format!("joint `{joint}`: a speed of {speed}; more than 0"));
            }
        }
        Ok(())
    }

    fn gripper(&self, side: Side, opening_rad: f64, force_limit_n: f64) -> Checked {
        if self.robot.part(PartName::Hand(side)).is_none() {
            return refuse(format!("the {} hand has no fingers", side.word()));
        }
        if !(0.0..=std::f64::consts::TAU).contains(&opening_rad) {
            return refuse(format!(
                "an opening of {opening_rad} rad: 0 is closed, at most {:.2}",
                std::f64::consts::TAU
            ));
        }
        let fits = force_limit_n.is_finite() && force_limit_n >= 0.0;
        if fits { Ok(()) } else { refuse(format!("a force limit of {force_limit_n} N: finite, at least 0 N")) }
    }

    fn wrench(&self, side: Side, frame: &Frame, wrench: &Wrench, duration_s: f64) -> Checked {
        let what = format!("the {} hand", side.word());
        self.frame(frame)?;
        duration(&what, duration_s)?;
        let (force_n, torque_nm) = (wrench.force_n.norm(), wrench.torque_nm.norm());
        let limits = &self.robot.hands;
        if !force_n.is_finite() || force_n > limits.max_force_n {
            return refuse(format!("{what} would press with {force_n:.1} N: at most {} N", limits.max_force_n));
        }
        if !torque_nm.is_finite() || torque_nm > limits.max_torque_nm {
            return refuse(format!("{what} would turn with {torque_nm:.1} N·m: at most {} N·m", limits.max_torque_nm));
        }
        Ok(())
    }
}
