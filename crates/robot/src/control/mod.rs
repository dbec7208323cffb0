//! From commands to set-points of the joints, control step by control step. A simulated robot takes them as they are, a
//! robot with motors follows them.

mod book;
mod check;
mod claim;
mod follow;
mod hand;
mod joints;
mod leg_form;
mod legs;
mod lower;
mod pelvis;
mod pendulum;
mod plan;
mod standing;
mod start;
mod step;
mod steps;
mod swing;
mod walk;
mod way;
mod work;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use geometry::Pose;

use crate::interface::{
    Capabilities, Capability, Command, CommandId, CommandStatus, ControlMode, Mode, Order, Phase, Queueing, Refusal,
    WalkingState, Wrench,
};
use crate::{BodyPoses, PartName, Robot, Side};
use book::Book;
use claim::Claim;
use follow::{Aim, JointLimits};
use hand::Arms;
use lower::LowerBody;
pub use standing::Standing;
use step::AT_REST;
pub use walk::rehearse;
use work::{Running, Waiting, Work};

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
    /// While it does not change.
    standing: OnceLock<Standing>,
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
    control_mode: ControlMode,
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
            standing: OnceLock::new(),
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
            control_mode: ControlMode::Active,
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
        let Some(lower) = &self.lower else { return WalkingState::default() };
        let standing = || self.standing.get_or_init(|| Standing::of(lower)).clone();
        let standing = if lower.is_at_rest() { standing() } else { Standing::default() };
        WalkingState { standing, ..lower.walking() }
    }

    /// Whether the sole of a side should be on the ground.
    pub fn in_contact(&self, side: Side) -> bool {
        self.lower.as_ref().is_some_and(|lower| lower.in_contact(side))
    }

    /// The robot has weight from now on: steps that it cannot take in balance are refused.
    pub fn must_balance(&mut self) {
        if let Some(lower) = &mut self.lower {
            lower.must_balance = true;
            self.standing.take();
        }
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
        let frozen = self.control_mode == ControlMode::Frozen;
        if self.stopping || frozen && !self.is_at_rest() {
            return Mode::Stopping;
        }
        if frozen {
            return Mode::Frozen;
        }
        if self.lower.as_ref().is_some_and(|lower| lower.walking().steps > 0) { Mode::Walking } else { Mode::Standing }
    }

    /// By rising id: all that have not ended, and those that ended lately.
    pub fn statuses(&self) -> Vec<CommandStatus> {
        let mut statuses: Vec<CommandStatus> = self.book.statuses().collect();
        statuses.extend(self.running.iter().filter(|running| !running.holds).map(|running| {
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
        if check::moves(&command.order) && self.control_mode == ControlMode::Frozen {
            return Err(Refusal("the robot is frozen: set its control mode to active first".to_owned()));
        }
        if self.stopping && !matches!(command.order, Order::Mode { .. }) {
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
        // To be active again ends nothing that is under way.
        if !matches!(command.order, Order::Mode { mode: ControlMode::Active }) {
            self.end_others(command.id, &claim);
        }
        self.enter(command.id, claim, work);
        Ok(())
    }

    fn meets_earlier(&self, claim: &Claim, waiting: usize) -> bool {
        self.running.iter().any(|running| !running.holds && running.claim.meets(claim))
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
        steps::check(steps, soles, &self.robot.walking).map_err(Refusal)?;
        lower.standing_on(soles).plan_walk(steps).map(|_| ()).map_err(Refusal)
    }

    fn enter(&mut self, id: CommandId, claim: Claim, work: Work) {
        if claim.stops
            && let Some(lower) = &mut self.lower
            && claim.joints.iter().any(|joint| self.leg_joints.binary_search(joint).is_ok())
        {
            lower.stop();
        }
        if self.control_mode == ControlMode::Frozen {
            let phase = Phase::Ended { reason: "the robot is frozen".to_owned() };
            let (book, now_ns) = (&mut self.book, self.time_ns);
            self.waiting.retain(|waiting| {
                let stays = !check::moves(&waiting.order);
                if !stays {
                    book.end(waiting.id, phase.clone(), now_ns);
                }
                stays
            });
        }
        let takes = !matches!(work, Work::Nothing);
        self.running.retain(|running| !(takes && running.holds && running.claim.meets(&claim)));
        match work {
            Work::Nothing => self.book.end(id, Phase::Done, self.time_ns),
            work => self.running.push(Running { id, claim, work, holds: false }),
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
        self.running.retain(|running| running.holds || stays(running.id, &running.claim));
        self.waiting.retain(|waiting| stays(waiting.id, &waiting.claim));
    }

    /// Every command ends. Joints brake at once; a foot in the air finishes its step and the pelvis comes to rest.
    /// Commands are taken again when all is at rest.
    pub fn stop(&mut self) {
        let phase = Phase::Ended { reason: "stopped".to_owned() };
        self.running.retain(|running| !running.holds);
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
}

fn capabilities(robot: &Robot, walks: bool) -> Capabilities {
    let mut can = vec![Capability::JointPath, Capability::Stiffness, Capability::Hold, Capability::ControlMode];
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
