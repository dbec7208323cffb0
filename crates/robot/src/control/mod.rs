//! From commands to set-points of the joints, control step by control step. A simulated robot takes them as they are, a
//! robot with motors follows them.

mod book;
mod check;
mod claim;
mod follow;
mod hand;
mod joints;
mod legs;
mod lower;
mod pelvis;
mod start;
mod steps;
mod swing;
mod work;

use std::collections::BTreeMap;
use std::sync::Arc;

use geometry::Pose;

use crate::interface::{
    Capabilities, Capability, Command, CommandId, CommandStatus, Mode, Order, Phase, Queueing, Reach, Refusal,
    WalkingState, Wrench,
};
use crate::{BodyFrame, BodyPoses, PartName, Robot, Side};
use book::Book;
use claim::Claim;
use follow::{Aim, JointLimits, JointState};
use hand::{Arms, Place};
use lower::{LowerBody, Outcome};
use work::{Running, Waiting, Work};

/// From full pace to standing still, and back, when held.
const HOLD_RAMP_S: f64 = 0.2;
/// A joint this near to where it should be, and this slow, has come to rest.
const SETTLED: f64 = 1e-6;
const AT_REST: f64 = 1e-4;

/// Where the robot should be. Always within the limits of its joints, and never further from the last than the joints
/// can go in the time between.
#[derive(Clone, Debug, PartialEq)]
pub struct Desired {
    pub positions: Vec<f64>,
    pub velocities: Vec<f64>,
    pub world_from_base: Pose,
}

#[derive(Clone, Copy, Debug)]
struct Before {
    world_from_base: Pose,
    dt_s: f64,
}

#[derive(Debug)]
pub struct Controller {
    robot: Arc<Robot>,
    capabilities: Capabilities,
    limits: Vec<JointLimits>,
    desired: Desired,
    before: Option<Before>,
    /// Of `desired`, but for the hands when they have moved since.
    poses: BodyPoses,
    hands_moved: bool,
    arms: Arms,
    lower: Option<LowerBody>,
    base_from_pelvis_fixed: bool,
    stiffness: Vec<f64>,
    frames: BTreeMap<Arc<str>, Pose>,
    running: Vec<Running>,
    waiting: Vec<Waiting>,
    book: Book,
    last_id: Option<CommandId>,
    aims: Vec<Option<Aim>>,
    leg_joints: Vec<usize>,
    rate: f64,
    held: bool,
    stopping: bool,
    time_ns: i64,
}

impl Controller {
    /// Standing still, with both soles on the ground. Positions beyond a limit are taken to it.
    pub fn new(robot: Arc<Robot>, positions: &[f64], world_from_base: &Pose) -> Controller {
        let mut positions = positions.to_vec();
        robot.model.clamp(&mut positions);
        let neutral = BodyPoses::new(robot.clone());
        let mut poses = neutral.clone();
        poses.place(&positions, world_from_base);
        let lower = LowerBody::new(&robot, &neutral, &poses, &positions);
        let mut leg_joints = lower
            .as_ref()
            .map_or_else(Vec::new, |lower| Side::BOTH.map(|side| lower.coordinates(side).to_vec()).concat());
        leg_joints.sort_unstable();
        let count = positions.len();
        Controller {
            capabilities: capabilities(&robot, lower.is_some()),
            limits: robot.model.coordinates().iter().map(|coordinate| JointLimits::of(&coordinate.limits)).collect(),
            desired: Desired { positions, velocities: vec![0.0; count], world_from_base: *world_from_base },
            before: None,
            poses,
            hands_moved: false,
            arms: Arms::new(&robot),
            lower,
            base_from_pelvis_fixed: robot.frames.pelvis == 0,
            stiffness: vec![1.0; count],
            frames: BTreeMap::new(),
            running: Vec::new(),
            waiting: Vec::new(),
            book: Book::default(),
            last_id: None,
            aims: vec![None; count],
            leg_joints,
            rate: 1.0,
            held: false,
            stopping: false,
            time_ns: 0,
            robot,
        }
    }

    pub fn robot(&self) -> &Arc<Robot> {
        &self.robot
    }

    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    pub fn desired(&self) -> &Desired {
        &self.desired
    }

    /// Of what is desired.
    pub fn poses(&mut self) -> &BodyPoses {
        self.refresh();
        &self.poses
    }

    fn refresh(&mut self) {
        if std::mem::take(&mut self.hands_moved) {
            self.poses.place(&self.desired.positions, &self.desired.world_from_base);
        }
    }

    /// One for each coordinate; 1: as built.
    pub fn stiffness(&self) -> &[f64] {
        &self.stiffness
    }

    pub fn walking(&self) -> WalkingState {
        self.lower.as_ref().map_or_else(WalkingState::default, LowerBody::walking)
    }

    /// Whether the sole of a side should be on the ground.
    pub fn in_contact(&self, side: Side) -> bool {
        self.lower.as_ref().is_some_and(|lower| lower.in_contact(side))
    }

    /// Of the weight, on the left and the right sole.
    pub fn weight_shares(&self) -> [f64; 2] {
        let right = self.lower.as_ref().map_or(0.0, LowerBody::weight_on_right);
        if self.lower.is_some() { [1.0 - right, right] } else { [0.0; 2] }
    }

    /// What a hand is told to press with, in the frame of the hand.
    pub fn pressing(&self, side: Side) -> Option<Wrench> {
        let press = self.running.iter().rev().find_map(|running| match &running.work {
            Work::Press(press) if press.side == side => Some(press),
            _ => None,
        })?;
        let hand = self.robot.frames.hands[side.index()];
        let hand_from_frame = self.poses.world_from_link(hand).inverse() * press.world_from_frame;
        Some(Wrench {
            force_n: hand_from_frame.transform_vector(&press.wrench.force_n),
            torque_nm: hand_from_frame.transform_vector(&press.wrench.torque_nm),
        })
    }

    pub fn mode(&self) -> Mode {
        if self.stopping {
            return Mode::Stopping;
        }
        if self.walking().steps > 0 { Mode::Walking } else { Mode::Standing }
    }

    /// By rising id: all that have not ended, and those that ended lately.
    pub fn statuses(&self) -> Vec<CommandStatus> {
        let mut statuses: Vec<CommandStatus> = self.book.statuses().collect();
        statuses.extend(self.running.iter().map(|running| {
            let progress = self.progress(running).clamp(0.0, 1.0);
            CommandStatus { id: running.id, phase: Phase::Running { progress } }
        }));
        statuses.extend(self.waiting.iter().map(|waiting| CommandStatus { id: waiting.id, phase: Phase::Queued }));
        statuses.sort_by_key(|status| status.id);
        statuses
    }

    pub fn place_frame(&mut self, name: &str, world_from_frame: &Pose) {
        if !world_from_frame.is_finite() {
            return;
        }
        match self.frames.get_mut(name) {
            Some(known) => *known = *world_from_frame,
            None => {
                self.frames.insert(name.into(), *world_from_frame);
            }
        }
    }

    /// Taken, or refused with a reason; then nothing has changed but that the refusal is told.
    pub fn command(&mut self, command: &Command) -> Result<(), Refusal> {
        let taken = self.take(command);
        if let Err(Refusal(reason)) = &taken {
            let known = self.book.knows(command.id)
                || self.running.iter().any(|running| running.id == command.id)
                || self.waiting.iter().any(|waiting| waiting.id == command.id);
            if !known {
                self.book.end(command.id, Phase::Refused { reason: reason.clone() }, self.time_ns);
            }
        }
        self.last_id = self.last_id.max(Some(command.id));
        taken
    }

    fn take(&mut self, command: &Command) -> Result<(), Refusal> {
        self.refresh();
        let placed = |name: &str| self.frames.contains_key(name);
        let gate = check::Gate {
            robot: &self.robot,
            capabilities: &self.capabilities,
            last_id: self.last_id,
            leg_joints: &self.leg_joints,
            placed: &placed,
        };
        check::check(&gate, command)?;
        if self.stopping {
            return Err(Refusal("the robot is stopping: command it again when it is at rest".to_owned()));
        }
        let claim = Claim::of(&self.robot, &self.arms, self.lower.as_ref(), &command.order);
        let meets = self.meets_earlier(&claim, self.waiting.len()) || self.waits_for_joints(&command.order);
        if command.queueing == Queueing::Queue && meets {
            self.check_waiting(&command.order)?;
            self.waiting.push(Waiting { id: command.id, claim, order: command.order.clone() });
            return Ok(());
        }
        let work = self.start(command.id, &command.order).map_err(Refusal)?;
        self.end_others(command.id, &claim);
        self.enter(command.id, claim, work);
        Ok(())
    }

    fn meets_earlier(&self, claim: &Claim, waiting: usize) -> bool {
        self.running.iter().any(|running| running.claim.meets(claim))
            || self.waiting[..waiting].iter().any(|waiting| waiting.claim.meets(claim))
    }

    /// A change of stiffness claims nothing, but when queued it comes after the motions of its joints.
    fn waits_for_joints(&self, order: &Order) -> bool {
        let Order::Stiffness { joints, .. } = order else { return false };
        let coordinates = joints.iter().filter_map(|joint| self.robot.model.coordinate(joint)).collect();
        let claim = Claim { joints: coordinates, ..Claim::default() };
        self.meets_earlier(&claim, self.waiting.len())
    }

    /// Steps that wait are checked against where the feet will be.
    fn check_waiting(&self, order: &Order) -> Result<(), Refusal> {
        let (Order::Footsteps { steps }, Some(lower)) = (order, &self.lower) else { return Ok(()) };
        let mut soles = lower.expected_soles(true);
        for waiting in &self.waiting {
            if let Order::Footsteps { steps } = &waiting.order {
                steps.iter().for_each(|step| soles[step.side.index()] = step.world_from_sole);
            }
        }
        steps::check(steps, soles, &self.robot.walking).map(|_| ()).map_err(Refusal)
    }

    fn enter(&mut self, id: CommandId, claim: Claim, work: Work) {
        if claim.stops
            && let Some(lower) = &mut self.lower
            && claim.joints.iter().any(|joint| self.leg_joints.binary_search(joint).is_ok())
        {
            lower.stop();
        }
        match work {
            Work::Nothing => self.book.end(id, Phase::Done, self.time_ns),
            work => self.running.push(Running { id, claim, work }),
        }
    }

    fn end_others(&mut self, by: CommandId, claim: &Claim) {
        let verb = if claim.stops { "stopped" } else { "overridden" };
        let phase = Phase::Ended { reason: format!("{verb} by command {}", by.0) };
        let (book, now_ns) = (&mut self.book, self.time_ns);
        let mut stays = |id: CommandId, other: &Claim| {
            let meets = other.meets(claim);
            if meets {
                book.end(id, phase.clone(), now_ns);
            }
            !meets
        };
        self.running.retain(|running| stays(running.id, &running.claim));
        self.waiting.retain(|waiting| stays(waiting.id, &waiting.claim));
    }

    /// Every command ends. Joints brake at once; a foot in the air finishes its step and the pelvis comes to rest.
    /// Commands are taken again when all is at rest.
    pub fn stop(&mut self) {
        let phase = Phase::Ended { reason: "stopped".to_owned() };
        for id in self.running.drain(..).map(|r| r.id).chain(self.waiting.drain(..).map(|w| w.id)) {
            self.book.end(id, phase.clone(), self.time_ns);
        }
        if let Some(lower) = &mut self.lower {
            lower.stop();
        }
        self.stopping = !self.is_at_rest();
    }

    /// The time of commands stands still, smoothly; a foot in the air lands first.
    pub fn hold(&mut self, on: bool) {
        self.held = on;
    }

    pub fn is_at_rest(&self) -> bool {
        self.lower.as_ref().is_none_or(LowerBody::is_at_rest)
            && self.desired.velocities.iter().all(|velocity| velocity.abs() < AT_REST)
    }

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
                motion.solve(arm, &self.poses, &(world_from_frame * frame_from_hand));
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

    fn progress(&self, running: &Running) -> f64 {
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
            self.running.retain(|running| running.id != id);
            self.book.end(id, phase, self.time_ns);
        }
        let mut index = 0;
        while index < self.running.len() {
            if self.is_done(&self.running[index], dt_s) {
                let done = self.running.remove(index);
                self.book.end(done.id, Phase::Done, self.time_ns);
            } else {
                index += 1;
            }
        }
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

fn capabilities(robot: &Robot, walks: bool) -> Capabilities {
    let mut can = vec![Capability::JointPath, Capability::Stiffness, Capability::Hold];
    let has = |name: fn(Side) -> PartName| Side::BOTH.into_iter().any(|side| robot.part(name(side)).is_some());
    if has(PartName::Arm) {
        can.extend([Capability::HandPath, Capability::FollowFrame, Capability::Wrench, Capability::HandForce]);
    }
    if has(PartName::Hand) {
        can.extend([Capability::Fingers, Capability::Gripper]);
    }
    if walks {
        can.extend([Capability::Footsteps, Capability::Pelvis, Capability::Foot, Capability::FootContact]);
    }
    Capabilities::new(can)
}
