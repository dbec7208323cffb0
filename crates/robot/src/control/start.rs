//! From an order to the work that does it.

use geometry::{Pose, Vector3};

use super::Controller;
use super::hand::{Arm, HandMotion, HandStart, Place};
use super::joints::{FingerMotion, JointMotion};
use super::lower::Task;
use super::work::{Press, Work};
use crate::interface::{CommandId, ControlMode, Frame, HandPath, HandWaypoint, JointPath, JointWaypoint, Order};
use crate::{BodyFrame, Side};

/// Of a gripper: it says nothing about speed.
const GRIPPER_RAD_S: f64 = 2.0;

impl Controller {
    /// Refused: nothing has changed.
    pub(super) fn start(&mut self, id: CommandId, order: &Order) -> Result<Work, String> {
        match order {
            Order::Joints(path) => Ok(Work::Joints(self.joint_motion(path))),
            Order::Hand(path) => self.hand_motion(path).map(Work::Hand),
            Order::Footsteps { steps } => self.lower_task(id, &Task::Steps(steps.clone())),
            Order::Pelvis { frame, frame_from_pelvis, moves_sideways, duration_s } => {
                let world_from_pelvis = self.world_from_frame(frame)? * *frame_from_pelvis;
                let (moves_sideways, duration_s) = (*moves_sideways, *duration_s);
                self.lower_task(id, &Task::Pelvis { world_from_pelvis, moves_sideways, duration_s })
            }
            Order::Foot { side, frame, frame_from_sole, duration_s } => {
                let world_from_sole = self.world_from_frame(frame)? * *frame_from_sole;
                self.lower_task(id, &Task::Foot { side: *side, world_from_sole, duration_s: *duration_s })
            }
            Order::Fingers { targets, speeds, .. } => {
                let target = |((joint, position), speed): (&(std::sync::Arc<str>, f64), &f64)| {
                    self.robot.model.coordinate(joint).map(|coordinate| (coordinate, *position, *speed))
                };
                let targets: Vec<_> = targets.iter().zip(speeds).filter_map(target).collect();
                Ok(Work::Fingers(self.finger_motion(&targets)))
            }
            Order::Gripper { side, opening_rad, .. } => {
                Ok(Work::Fingers(self.finger_motion(&self.gripper_targets(*side, *opening_rad))))
            }
            Order::Wrench { side, frame, wrench, duration_s } => {
                let world_from_frame = self.world_from_frame(frame)?;
                let (side, wrench, duration_s) = (*side, *wrench, *duration_s);
                Ok(Work::Press(Press { side, world_from_frame, wrench, time_s: 0.0, duration_s }))
            }
            Order::Stiffness { joints, share } => {
                for joint in joints {
                    if let Some(coordinate) = self.robot.model.coordinate(joint) {
                        self.stiffness[coordinate] = *share;
                    }
                }
                Ok(Work::Nothing)
            }
            Order::Stop { .. } => Ok(Work::Stop),
            Order::Mode { mode } => {
                self.control_mode = *mode;
                Ok(match mode {
                    ControlMode::Active => Work::Nothing,
                    ControlMode::Frozen => Work::Stop,
                })
            }
        }
    }

    fn lower_task(&mut self, id: CommandId, task: &Task) -> Result<Work, String> {
        let lower = self.lower.as_mut().ok_or("the robot has no legs")?;
        let gone_through = match task {
            Task::Steps(steps) => self.standing.get().and_then(|standing| standing.take(steps)),
            Task::Pelvis { .. } | Task::Foot { .. } => None,
        };
        lower.begin(id, task, gone_through)?;
        self.standing.take();
        Ok(Work::Lower)
    }

    fn joint_motion(&self, path: &JointPath) -> JointMotion {
        let model = &self.robot.model;
        let coordinates: Vec<usize> = path.joints.iter().filter_map(|joint| model.coordinate(joint)).collect();
        // The gate lets roundings through.
        let within = |waypoint: &JointWaypoint| JointWaypoint {
            time_s: waypoint.time_s,
            positions: coordinates
                .iter()
                .zip(&waypoint.positions)
                .map(|(at, position)| position.max(self.limits[*at].lower).min(self.limits[*at].upper))
                .collect(),
        };
        let waypoints: Vec<JointWaypoint> = path.waypoints.iter().map(within).collect();
        let start = (self.desired.positions.as_slice(), self.desired.velocities.as_slice());
        JointMotion::new(coordinates, &waypoints, start, &self.limits)
    }

    fn finger_motion(&self, targets: &[(usize, f64, f64)]) -> FingerMotion {
        let within = |&(at, position, speed): &(usize, f64, f64)| {
            let limits = &self.limits[at];
            (at, position.max(limits.lower).min(limits.upper), speed.min(limits.pace.speed))
        };
        let targets: Vec<_> = targets.iter().map(within).collect();
        FingerMotion::new(&targets, &self.desired.positions)
    }

    fn gripper_targets(&self, side: Side, opening_rad: f64) -> Vec<(usize, f64, f64)> {
        let gripper = self.robot.gripper(side);
        let positions = gripper.iter().flat_map(|gripper| gripper.positions(opening_rad));
        positions.map(|(at, position)| (at, position, GRIPPER_RAD_S)).collect()
    }

    pub(crate) fn world_from_frame(&self, frame: &Frame) -> Result<Pose, String> {
        let place = Place::of(&self.robot, frame).ok_or("a frame of the command is gone")?;
        self.world_from_place(&place).ok_or_else(|| "a frame of the command is gone".to_owned())
    }

    pub(super) fn world_from_place(&self, place: &Place) -> Option<Pose> {
        match place {
            Place::Body(frame) => Some(self.poses.world_from(*frame)),
            Place::Named(name) => self.frames.get(name).copied(),
        }
    }

    fn hand_motion(&mut self, path: &HandPath) -> Result<HandMotion, String> {
        let arm = self.arms.get(path.reach, path.side).ok_or("the robot has no such arm")?;
        let place = Place::of(&self.robot, &path.frame).ok_or("a frame of the command is gone")?;
        let world_from_frame = self.world_from_frame(&path.frame)?;
        let world_from_base = self.poses.world_from_link(arm.base);
        let hopeless =
            |waypoint: &HandWaypoint| arm.is_hopeless(&world_from_base, &(world_from_frame * waypoint.frame_from_hand));
        if path.waypoints.iter().all(hopeless) {
            let side = path.side.word();
            return Err(format!("the {side} hand is metres from reaching any of it: come nearer, or check the frame"));
        }
        let (hand, solution) = (arm.hand, arm.solver.chain().pick(&self.desired.positions));
        let moves_along = path.follow || matches!(&place, Place::Body(frame) if frame.link(&self.robot).is_some());
        let in_world = |waypoint: &HandWaypoint| HandWaypoint {
            time_s: waypoint.time_s,
            frame_from_hand: world_from_frame * waypoint.frame_from_hand,
        };
        let (place, waypoints) = if moves_along {
            (place, path.waypoints.clone())
        } else {
            (Place::Body(BodyFrame::World), path.waypoints.iter().map(in_world).collect())
        };
        let start = self.hand_start(&place, hand);
        let base_from_frame = world_from_base.inverse() * self.world_from_place(&place).unwrap_or_default();
        let mut motion = HandMotion::new(path, (place, &waypoints), &start, &self.robot.hands, solution);
        if let Some(arm) = self.arms.get(path.reach, path.side) {
            motion.find_way(arm, &base_from_frame);
        }
        Ok(motion)
    }

    /// Of the first hand that moves: its coordinates, and the configurations that it goes through at times.
    pub(crate) fn way_of_hand(&self) -> (Vec<usize>, &[(f64, Vec<f64>)]) {
        let hand = self.first_hand();
        let coordinates = hand.map_or_else(Vec::new, |(_, arm)| arm.solver.chain().coordinates().to_vec());
        (coordinates, hand.map_or(&[], |(motion, _)| motion.knots()))
    }

    /// Whether a joint moves the shoulder of the first hand that moves.
    pub(crate) fn is_below_hand(&self, coordinate: usize) -> bool {
        let Some((_, arm)) = self.first_hand() else { return false };
        let links = &self.robot.model.links;
        let above = std::iter::successors(Some(arm.base), |link| links[*link].parent);
        let drives = |link: usize| links[link].drive.is_some_and(|drive| drive.coordinate == coordinate);
        above.into_iter().any(drives)
    }

    /// Of the first hand that moves: what its joints are at a time of its path, with the rest of the body so, from where
    /// this led them last.
    pub(crate) fn lead_hand(&mut self, time_s: f64, positions: &[f64]) -> Option<Vec<f64>> {
        self.poses.place(positions, &self.desired.world_from_base);
        let at = self.running.iter().position(|running| matches!(running.work, Work::Hand(_)))?;
        let Work::Hand(motion) = &self.running[at].work else { return None };
        let world_from_frame = self.world_from_place(&motion.place)?;
        let Work::Hand(motion) = &mut self.running[at].work else { return None };
        let arm = self.arms.get_mut(motion.reach, motion.side)?;
        motion.lead(arm, &self.poses, &world_from_frame, time_s);
        Some(motion.aims().to_vec())
    }

    fn first_hand(&self) -> Option<(&HandMotion, &Arm)> {
        let motion = self.running.iter().find_map(|running| match &running.work {
            Work::Hand(motion) => Some(motion),
            _ => None,
        })?;
        Some((motion, self.arms.get(motion.reach, motion.side)?))
    }

    fn hand_start(&mut self, place: &Place, hand: usize) -> HandStart {
        let seen = |controller: &Controller| {
            let world_from_frame = controller.world_from_place(place).unwrap_or_default();
            world_from_frame.inverse() * controller.poses.world_from_link(hand)
        };
        let frame_from_hand = seen(self);
        let mut velocity_m_s = Vector3::zeros();
        if let Some(before) = self.before.filter(|_| self.desired.velocities.iter().any(|speed| *speed != 0.0)) {
            let back = |(position, velocity): (&f64, &f64)| position - velocity * before.dt_s;
            let positions: Vec<f64> = self.desired.positions.iter().zip(&self.desired.velocities).map(back).collect();
            self.poses.place(&positions, &before.world_from_base);
            velocity_m_s = (frame_from_hand.translation_m() - seen(self).translation_m()) / before.dt_s;
            self.poses.place(&self.desired.positions, &self.desired.world_from_base);
        }
        HandStart { frame_from_hand, velocity_m_s }
    }
}
