//! A hand along a path, by inverse kinematics anew in every control step; on the way that was found for the whole path as
//! long as its frame does not move.

use std::sync::Arc;

use geometry::{Pose, Vector3};

use super::follow::{Aim, JointState};
use super::way::Way;
use crate::interface::{Frame, HandPath, HandWaypoint, Reach};
use crate::trajectory::HandSpline;
use crate::{BodyFrame, BodyPoses, Chain, HandLimits, PartName, PathSettings, PathSolver, Robot, Side};

const POSITION_TOLERANCE_M: f64 = 5e-6;
const ANGLE_TOLERANCE_RAD: f64 = 2e-5;
/// Beyond its reach by this much a hand is not sent at all.
const HOPELESS_M: f64 = 2.0;

/// Solvers of both arms, without and with the spine.
#[derive(Clone, Debug)]
pub(crate) struct Arms {
    arms: [[Option<Arm>; 2]; 2],
}

#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub solver: PathSolver,
    pub base: usize,
    pub hand: usize,
    reach_m: f64,
}

impl Arms {
    pub fn new(robot: &Robot) -> Arms {
        let arm = |reach: Reach, side: Side| {
            let base = match reach {
                Reach::Arm => robot.part(PartName::Arm(side))?.base,
                Reach::ArmAndSpine => robot.part(PartName::Spine)?.base,
            };
            let hand = robot.frames.hands[side.index()];
            let chain = Chain::new(&robot.model, base, hand).ok()?;
            let fixed_m: f64 = chain.joints.iter().map(|joint| joint.last_from_this.translation_m.norm()).sum();
            let reach_m = fixed_m + chain.last_from_tip.translation_m.norm();
            let settings = PathSettings {
                position_tolerance_m: POSITION_TOLERANCE_M,
                angle_tolerance_rad: ANGLE_TOLERANCE_RAD,
                ..PathSettings::default()
            };
            Some(Arm { solver: PathSolver::new(chain, settings), base, hand, reach_m })
        };
        Arms { arms: [Reach::Arm, Reach::ArmAndSpine].map(|reach| Side::BOTH.map(|side| arm(reach, side))) }
    }

    /// None: this robot has no such arm, or no spine.
    pub fn get(&self, reach: Reach, side: Side) -> Option<&Arm> {
        self.arms[reach as usize][side.index()].as_ref()
    }

    pub fn get_mut(&mut self, reach: Reach, side: Side) -> Option<&mut Arm> {
        self.arms[reach as usize][side.index()].as_mut()
    }
}

impl Arm {
    pub fn is_hopeless(&self, world_from_base: &Pose, world_from_hand: &Pose) -> bool {
        world_from_base.distance(world_from_hand).position_m > self.reach_m + HOPELESS_M
    }
}

/// What the poses of a path are given in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    Body(BodyFrame),
    Named(Arc<str>),
}

impl Place {
    /// None: there is no such link. A named frame may not have been placed yet.
    pub fn of(robot: &Robot, frame: &Frame) -> Option<Place> {
        Some(match frame {
            Frame::World => Place::Body(BodyFrame::World),
            Frame::Walking => Place::Body(BodyFrame::Walking),
            Frame::Link(name) => Place::Body(BodyFrame::find(robot, name)?),
            Frame::Named(name) => Place::Named(name.clone()),
        })
    }
}

#[derive(Debug)]
pub(crate) struct HandMotion {
    pub side: Side,
    pub reach: Reach,
    pub place: Place,
    /// After its end.
    pub hold: bool,
    spline: HandSpline,
    time_s: f64,
    /// What inverse kinematics found last: where the arm should be, though it may lag.
    solution: Vec<f64>,
    before: Vec<f64>,
    solved_for: Option<Pose>,
    /// None: its frame has moved.
    way: Option<Way>,
}

/// A hand that is still not at rest this long after the end of its path does not come to rest by itself: it is out of
/// reach, or its frame moves.
const PATIENCE_S: f64 = 1.0;

/// Where a hand is as its path begins, in the frame of the path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandStart {
    pub frame_from_hand: Pose,
    pub velocity_m_s: Vector3<f64>,
}

impl HandMotion {
    /// `waypoints` and `start` are in `place`.
    pub fn new(
        path: &HandPath,
        (place, waypoints): (Place, &[HandWaypoint]),
        start: &HandStart,
        limits: &HandLimits,
        solution: Vec<f64>,
    ) -> HandMotion {
        let spline = HandSpline::through(&start.frame_from_hand, &start.velocity_m_s, waypoints, limits);
        let before = solution.clone();
        HandMotion {
            side: path.side,
            reach: path.reach,
            place,
            hold: path.hold,
            spline,
            time_s: 0.0,
            solution,
            before,
            solved_for: None,
            way: None,
        }
    }

    /// To stay there, whatever moves below it.
    pub fn hold_at(&mut self, world_from_hand: &Pose, limits: &HandLimits) {
        let there = [HandWaypoint { time_s: 0.0, frame_from_hand: *world_from_hand }];
        self.place = Place::Body(BodyFrame::World);
        self.spline = HandSpline::through(world_from_hand, &Vector3::zeros(), &there, limits);
        (self.time_s, self.way, self.solved_for) = (0.0, None, None);
    }

    pub fn find_way(&mut self, arm: &Arm, base_from_frame: &Pose) {
        self.way = Some(Way::along(&self.spline, base_from_frame, arm.solver.chain(), &self.solution));
    }

    /// Where the hand should be after this step; none while time stands still.
    pub fn pass(&mut self, passed_s: f64) -> Option<Pose> {
        self.time_s += passed_s;
        (passed_s > 0.0).then(|| self.spline.at(self.time_s))
    }

    pub fn solve(&mut self, arm: &mut Arm, poses: &BodyPoses, world_from_frame: &Pose, frame_from_hand: &Pose) {
        let base_from_frame = poses.world_from_link(arm.base).inverse() * *world_from_frame;
        let base_from_hand = base_from_frame * *frame_from_hand;
        self.way = self.way.take().filter(|way| way.leads(&base_from_frame));
        // Out of reach, solving again and again would never come to rest.
        if self.solved_for != Some(base_from_hand) {
            if let Some(way) = &self.way {
                way.at(self.time_s, &mut self.solution);
            }
            arm.solver.step(&base_from_hand, &mut self.solution);
            self.solved_for = Some(base_from_hand);
        }
    }

    /// Solves for a time of the path alone, without the way that was found.
    pub fn lead(&mut self, arm: &mut Arm, poses: &BodyPoses, world_from_frame: &Pose, time_s: f64) {
        let base_from_hand = poses.world_from_link(arm.base).inverse() * *world_from_frame * self.spline.at(time_s);
        arm.solver.step(&base_from_hand, &mut self.solution);
    }

    pub fn aim(&mut self, arm: &Arm, dt_s: f64, mut aimed: impl FnMut(usize, Aim) -> JointState) {
        for ((coordinate, position), before) in
            arm.solver.chain().coordinates().iter().zip(&self.solution).zip(&mut self.before)
        {
            aimed(*coordinate, Aim { position: *position, velocity: (position - *before) / dt_s });
            *before = *position;
        }
    }

    /// The configurations it goes through while its frame stands still.
    pub fn knots(&self) -> &[(f64, Vec<f64>)] {
        self.way.as_ref().map_or(&[], |way| &way.knots)
    }

    pub fn progress(&self) -> f64 {
        (self.time_s / self.spline.duration_s()).min(1.0)
    }

    pub fn is_over(&self) -> bool {
        self.time_s >= self.spline.duration_s() + PATIENCE_S
    }

    pub fn aims(&self) -> &[f64] {
        &self.solution
    }
}
