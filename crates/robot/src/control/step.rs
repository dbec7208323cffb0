//! One control step: legs, then joints, then hands, then what has ended by it.

use super::follow::{Aim, JointLimits, JointState};
use super::hand::{self, Place};
use super::lower::{LowerBody, Outcome};
use super::work::{Running, Waiting, Work};
use super::{Before, Controller, Desired};
use crate::interface::{Order, Phase, Reach};
use crate::{BodyFrame, Side};

/// From full pace to standing still, and back, when held.
const HOLD_RAMP_S: f64 = 0.2;
/// A joint this near to where it should be, and this slow, has come to rest.
const SETTLED: f64 = 1e-6;
pub(super) const AT_REST: f64 = 1e-4;

impl Controller {
    /// One control step; what is desired at its end. Nothing happens in a step without time.
    pub fn step(&mut self, dt_ns: i64) -> &Desired {
        if dt_ns <= 0 {
            return &self.desired;
        }
        let dt_s = dt_ns as f64 * 1e-9;
        self.time_ns += dt_ns;
        self.book.forget(self.time_ns);
        if !self.waiting.is_empty() {
            self.refresh();
            self.start_waiting();
        }
        let change = dt_s / HOLD_RAMP_S;
        self.rate = (self.rate + if self.held { -change } else { change }).clamp(0.0, 1.0);
        let before = Before { world_from_base: self.desired.world_from_base, dt_s };
        self.step_legs(dt_s);
        self.step_joints(dt_s);
        self.place();
        self.step_hands(dt_s);
        self.before = Some(before);
        self.end_done(dt_s);
        if self.stopping && self.is_at_rest() {
            self.stopping = false;
        }
        &self.desired
    }

    fn start_waiting(&mut self) {
        let mut index = 0;
        while index < self.waiting.len() {
            let order = &self.waiting[index].order;
            let waits = match order {
                Order::Stiffness { .. } => index > 0 || self.waits_for_joints(order),
                _ => self.meets_earlier(&self.waiting[index].claim, index),
            };
            if waits {
                index += 1;
                continue;
            }
            let Waiting { id, claim, order } = self.waiting.remove(index);
            match self.start(id, &order) {
                Ok(work) => self.enter(id, claim, work),
                Err(reason) => self.book.end(id, Phase::Failed { reason }, self.time_ns),
            }
        }
    }

    fn step_legs(&mut self, dt_s: f64) {
        let Some(lower) = &mut self.lower else { return };
        if !lower.is_at_rest() {
            self.standing.take();
        }
        lower.step(dt_s, self.held);
        for side in Side::BOTH {
            for (coordinate, position) in lower.coordinates(side).iter().zip(&lower.positions[side.index()]) {
                self.desired.velocities[*coordinate] = (position - self.desired.positions[*coordinate]) / dt_s;
                self.desired.positions[*coordinate] = *position;
            }
        }
    }

    fn step_joints(&mut self, dt_s: f64) {
        let passed_s = dt_s * self.rate;
        self.aims.fill(None);
        let aims = &mut self.aims;
        let mut of_hands: [&[usize]; 4] = [&[]; 4];
        let mut hands = 0;
        for running in &mut self.running {
            match &mut running.work {
                Work::Joints(motion) => motion.aim(passed_s, dt_s, |coordinate, aim| aims[coordinate] = Some(aim)),
                Work::Fingers(motion) => motion.aim(passed_s, dt_s, |coordinate, aim| aims[coordinate] = Some(aim)),
                Work::Press(press) => press.time_s += passed_s,
                Work::Hand(_) if hands < of_hands.len() => {
                    of_hands[hands] = &running.claim.joints;
                    hands += 1;
                }
                Work::Hand(_) | Work::Lower | Work::Stop | Work::Nothing => {}
            }
        }
        for coordinate in 0..self.aims.len() {
            let elsewhere = self.leg_joints.binary_search(&coordinate).is_ok()
                || of_hands.iter().any(|joints| joints.binary_search(&coordinate).is_ok());
            if !elsewhere {
                let aim = self.aims[coordinate];
                move_joint(&mut self.desired, &self.limits, coordinate, aim.as_ref(), dt_s);
            }
        }
    }

    /// After the joints of the legs and the trunk: where the robot is, and its links.
    fn place(&mut self) {
        if let Some(lower) = &self.lower {
            let world_from_pelvis = lower.world_from_pelvis();
            self.desired.world_from_base = if self.base_from_pelvis_fixed {
                world_from_pelvis
            } else {
                self.poses.place(&self.desired.positions, &self.desired.world_from_base);
                world_from_pelvis * self.poses.base_from_link(self.robot.frames.pelvis).inverse()
            };
        }
        self.poses.place(&self.desired.positions, &self.desired.world_from_base);
        self.hands_moved = false;
    }

    fn step_hands(&mut self, dt_s: f64) {
        let passed_s = dt_s * self.rate;
        for index in 0..self.running.len() {
            let Work::Hand(motion) = &self.running[index].work else { continue };
            let (reach, side) = (motion.reach, motion.side);
            // Another hand may be what this one is placed by.
            if matches!(motion.place, Place::Body(BodyFrame::Hand(_) | BodyFrame::Link(_))) {
                self.refresh();
            }
            let Work::Hand(motion) = &self.running[index].work else { continue };
            let world_from_frame = self.world_from_place(&motion.place);
            let Work::Hand(motion) = &mut self.running[index].work else { continue };
            let target = motion.pass(passed_s).zip(world_from_frame);
            let Some(arm) = self.arms.get_mut(reach, side) else { continue };
            if let Some((frame_from_hand, world_from_frame)) = target {
                motion.solve(arm, &self.poses, &world_from_frame, &frame_from_hand);
            }
            let (desired, limits) = (&mut self.desired, &self.limits);
            motion.aim(arm, dt_s, |coordinate, aim| move_joint(desired, limits, coordinate, Some(&aim), dt_s));
            self.hands_moved = true;
            if reach == Reach::ArmAndSpine {
                self.place();
            }
        }
        if self.running.iter().any(|running| matches!(running.work, Work::Press(_))) {
            self.refresh();
        }
    }

    pub(super) fn progress(&self, running: &Running) -> f64 {
        match &running.work {
            Work::Joints(motion) => motion.progress(),
            Work::Hand(motion) => motion.progress(),
            Work::Fingers(motion) => motion.progress(),
            Work::Press(press) => press.time_s / press.duration_s,
            Work::Lower => self.lower.as_ref().map_or(1.0, LowerBody::progress),
            Work::Stop | Work::Nothing => 0.0,
        }
    }

    fn end_done(&mut self, dt_s: f64) {
        let outcomes = self.lower.as_mut().map_or_else(Vec::new, LowerBody::take_outcomes);
        for (id, outcome) in outcomes {
            let phase = match outcome {
                Outcome::Done => Phase::Done,
                Outcome::Failed(reason) => Phase::Failed { reason },
            };
            self.running.retain(|running| running.holds || running.id != id);
            self.book.end(id, phase, self.time_ns);
        }
        let mut index = 0;
        while index < self.running.len() {
            let running = &self.running[index];
            if running.holds || !self.is_done(running, dt_s) {
                index += 1;
                continue;
            }
            self.book.end(running.id, Phase::Done, self.time_ns);
            if self.hold_hand(index) {
                index += 1;
            } else {
                self.running.remove(index);
            }
        }
    }

    /// From here on in the world, if its command wants that.
    fn hold_hand(&mut self, index: usize) -> bool {
        self.refresh();
        let running = &mut self.running[index];
        let Work::Hand(motion) = &mut running.work else { return false };
        if motion.hold {
            let hand = self.robot.frames.hands[motion.side.index()];
            motion.hold_at(&self.poses.world_from_link(hand), &self.robot.hands);
            running.holds = true;
        }
        motion.hold
    }

    fn is_done(&self, running: &Running, dt_s: f64) -> bool {
        let settled = |coordinates: &[usize], aims: &[f64]| {
            coordinates.iter().zip(aims).all(|(coordinate, aim)| {
                let near = (self.desired.positions[*coordinate] - aim).abs() < SETTLED;
                near && self.desired.velocities[*coordinate].abs() < AT_REST.max(SETTLED / dt_s)
            })
        };
        match &running.work {
            Work::Joints(motion) => motion.progress() >= 1.0 && settled(motion.coordinates(), motion.aims()),
            Work::Fingers(motion) => motion.progress() >= 1.0 && settled(motion.coordinates(), motion.aims()),
            Work::Hand(motion) => {
                let arm = self.arms.get(motion.reach, motion.side);
                let settled = |arm: &hand::Arm| settled(arm.solver.chain().coordinates(), motion.aims());
                motion.is_over() || motion.progress() >= 1.0 && arm.is_none_or(settled)
            }
            Work::Press(press) => press.time_s >= press.duration_s,
            Work::Lower | Work::Nothing => false,
            Work::Stop => {
                let on_legs = running.claim.joints.iter().any(|joint| self.leg_joints.binary_search(joint).is_ok());
                let legs_rest = !on_legs || self.lower.as_ref().is_none_or(LowerBody::is_at_rest);
                let slow = |joint: &usize| self.desired.velocities[*joint].abs() < AT_REST;
                legs_rest && running.claim.joints.iter().all(slow)
            }
        }
    }
}

fn move_joint(
    desired: &mut Desired,
    limits: &[JointLimits],
    coordinate: usize,
    aim: Option<&Aim>,
    dt_s: f64,
) -> JointState {
    let now = JointState { position: desired.positions[coordinate], velocity: desired.velocities[coordinate] };
    let limits = &limits[coordinate];
    let next = match aim {
        Some(aim) => limits.follow(now, aim, dt_s),
        None if now.velocity == 0.0 => now,
        None => limits.brake(now, dt_s),
    };
    (desired.positions[coordinate], desired.velocities[coordinate]) = (next.position, next.velocity);
    next
}
