//! Pelvis and legs: walking, shifting the pelvis, moving one foot. The soles on the ground stay where they are.
//!
//! A stop brings the pelvis to rest within [`RAMP_S`] while both feet are on the ground. A foot in the air finishes its
//! step first, at its pace: where it lands was planned and checked, what is below it now was not.

use std::collections::VecDeque;

use geometry::Pose;

use super::legs::{LegPositions, Legs};
use super::pelvis::{self, PelvisMoment, PelvisPlan};
use super::standing::Stages;
use super::steps;
use super::swing::Swing;
use crate::interface::{CommandId, Footstep, WalkingState};
use crate::trajectory::Moment;
use crate::{BodyPoses, Robot, Side, WalkingLimits};

/// From full pace to standing still, and back.
const RAMP_S: f64 = 0.2;
/// Where a foot is about to leave the ground it goes faster, up to this; else the step is done.
const STEEPEST_PER_S: f64 = 25.0;
/// With weight: a pelvis that is stopped within a few ticks throws the robot over.
const STEEPEST_IN_BALANCE_PER_S: f64 = 6.0;
/// From the last landing to standing.
pub(super) const SETTLE_S: f64 = 0.8;
const STUCK_S: f64 = 1.0;

#[derive(Clone, Debug)]
pub(crate) enum Task {
    Steps(Vec<Footstep>),
    Pelvis { world_from_pelvis: Pose, moves_sideways: bool, duration_s: f64 },
    Foot { side: Side, world_from_sole: Pose, duration_s: f64 },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    Done,
    Failed(String),
}

#[derive(Clone, Debug)]
pub(crate) struct LowerBody {
    pub(super) legs: Legs,
    pub(super) limits: WalkingLimits,
    pub positions: LegPositions,
    /// Where the last rehearsal ended.
    pub(super) rehearsed: LegPositions,
    pelvis: PelvisMoment,
    pub soles: [Pose; 2],
    pub grounded: [bool; 2],
    /// Of the pelvis above the lower sole, as it was told to stand.
    pub(super) standing_m: f64,
    pub(super) stage: Option<Stage>,
    job: Option<Job>,
    /// Takes over when the foot in the air has landed; the stages of a walk are of its rehearsal.
    pending: Option<(CommandId, Task, VecDeque<Stage>)>,
    outcomes: Vec<(CommandId, Outcome)>,
    rate: f64,
    stopping: bool,
    stuck_s: f64,
    /// It has weight: what it cannot do in balance it does not do.
    pub must_balance: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub plan: PelvisPlan,
    pub swing: Option<Swing>,
    pub time_s: f64,
}

#[derive(Clone, Debug)]
struct Job {
    /// None: overridden, it only ends its step.
    id: Option<CommandId>,
    steps: Vec<Footstep>,
    steps_done: usize,
    /// As they were rehearsed, down to standing again.
    ahead: VecDeque<Stage>,
    /// Of the stages before this one.
    passed_s: f64,
    moves_pelvis: bool,
}

impl LowerBody {
    pub fn new(robot: &Robot, neutral: &BodyPoses, placed: &BodyPoses, positions: &[f64]) -> Option<LowerBody> {
        let legs = Legs::new(robot, neutral)?;
        let soles = robot.frames.soles.map(|link| placed.world_from_link(link));
        let world_from_pelvis = placed.world_from_link(robot.frames.pelvis);
        let lower_m = soles[0].translation_m().z.min(soles[1].translation_m().z);
        Some(LowerBody {
            positions: legs.pick(positions),
            rehearsed: legs.pick(positions),
            legs,
            limits: robot.walking.clone(),
            pelvis: pelvis::at_rest(&world_from_pelvis),
            soles,
            grounded: [true; 2],
            standing_m: world_from_pelvis.translation_m().z - lower_m,
            stage: None,
            job: None,
            pending: None,
            outcomes: Vec::new(),
            rate: 1.0,
            stopping: false,
            stuck_s: 0.0,
            must_balance: false,
        })
    }

    pub fn coordinates(&self, side: Side) -> &[usize] {
        self.legs.coordinates(side)
    }

    pub fn world_from_pelvis(&self) -> Pose {
        pelvis::world_from_pelvis(&self.pelvis)
    }

    pub fn is_at_rest(&self) -> bool {
        self.stage.is_none()
    }

    /// The foot in the air, on a step.
    pub fn swinging(&self) -> Option<Side> {
        let stage = self.stage.as_ref()?;
        stage.swing.as_ref().filter(|swing| swing.is_under_way(stage.time_s)).map(|swing| swing.side)
    }

    pub fn walking(&self) -> WalkingState {
        let Some(job) = self.job.as_ref().filter(|job| !job.steps.is_empty()) else {
            return WalkingState { must_balance: self.must_balance, ..WalkingState::default() };
        };
        WalkingState {
            steps: job.steps.len(),
            steps_done: job.steps_done,
            swinging: self.swinging(),
            must_balance: self.must_balance,
            ..WalkingState::default()
        }
    }

    pub fn in_contact(&self, side: Side) -> bool {
        self.grounded[side.index()] && self.swinging() != Some(side)
    }

    /// 0: on the left foot alone, 1: on the right one.
    pub fn weight_on_right(&self) -> f64 {
        match (self.in_contact(Side::Left), self.in_contact(Side::Right)) {
            (true, false) => return 0.0,
            (false, true) => return 1.0,
            _ => {}
        }
        let [left_m, right_m] = self.soles.map(|sole| sole.translation_m().xy());
        let (across, at_m) =
            (right_m - left_m, nalgebra::Vector2::new(self.pelvis[0].position, self.pelvis[1].position));
        let length = across.norm_squared();
        if length < 1e-9 { 0.5 } else { ((at_m - left_m).dot(&across) / length).clamp(0.0, 1.0) }
    }

    /// Where the feet will be when an overriding command gets them; after all steps for one that waits.
    pub fn expected_soles(&self, after_all: bool) -> [Pose; 2] {
        let mut soles = self.soles;
        if let Some(swing) = self.stage.as_ref().and_then(|stage| stage.swing.as_ref())
            && (after_all || self.swinging().is_some())
        {
            soles[swing.side.index()] = swing.world_from_landing;
        }
        if after_all && let Some(job) = self.job.as_ref().filter(|job| job.id.is_some()) {
            for step in &job.steps[job.steps_done..] {
                soles[step.side.index()] = step.world_from_sole;
            }
        }
        match &self.pending {
            Some((_, Task::Steps(steps), _)) if after_all => {
                steps.iter().for_each(|step| soles[step.side.index()] = step.world_from_sole);
            }
            _ => {}
        }
        soles
    }

    /// The earlier one ends, when the foot in the air has landed. Refused: nothing has changed.
    ///
    /// `gone_through`: a walk that begins as this body stands, where somebody has gone through it.
    pub fn begin(&mut self, id: CommandId, task: &Task, gone_through: Option<Stages>) -> Result<(), String> {
        let stages = match task {
            Task::Steps(steps) => {
                steps::check(steps, self.expected_soles(false), &self.limits)?;
                gone_through.unwrap_or_else(|| self.after_swing().plan_walk(steps))?
            }
            Task::Pelvis { .. } | Task::Foot { .. } => VecDeque::new(),
        };
        if self.swinging().is_some() {
            self.pending = Some((id, task.clone(), stages));
            if let Some(job) = &mut self.job {
                job.id = None;
            }
            return Ok(());
        }
        self.start(id, task, stages)
    }

    /// Of a command that has not ended.
    pub fn progress(&self) -> f64 {
        let (Some(job), Some(stage)) = (&self.job, &self.stage) else { return 0.0 };
        let ahead_s: f64 = job.ahead.iter().map(|stage| stage.plan.duration_s()).sum();
        let passed_s = job.passed_s + stage.time_s;
        passed_s / (job.passed_s + stage.plan.duration_s() + ahead_s)
    }

    pub fn take_outcomes(&mut self) -> Vec<(CommandId, Outcome)> {
        std::mem::take(&mut self.outcomes)
    }

    pub fn stop(&mut self) {
        self.pending = None;
        self.stopping = self.stage.is_some();
        if let Some(job) = &mut self.job {
            job.id = None;
        }
    }

    pub fn step(&mut self, dt_s: f64, held: bool) {
        if self.stage.is_none() {
            return;
        }
        let slowing = if held || self.stopping { self.slowing() } else { None };
        let change = slowing.map_or(dt_s / RAMP_S, |slope| -slope * dt_s);
        self.rate = (self.rate + change).clamp(0.0, 1.0);
        if self.rate == 0.0 {
            if self.stopping {
                self.come_to_rest();
            }
            return;
        }
        let begin_s = self.pass(dt_s * self.rate);
        self.place(begin_s, dt_s);
    }

    /// How fast the rate falls so that no foot leaves the ground any more. None: one is in the air, or as good as.
    fn slowing(&self) -> Option<f64> {
        let stage = self.stage.as_ref()?;
        let Some(swing) = &stage.swing else { return Some(1.0 / RAMP_S) };
        let until_swing_s = swing.start_s - stage.time_s;
        let needed = self.rate * self.rate / (2.0 * until_swing_s);
        let steepest = if self.must_balance { STEEPEST_IN_BALANCE_PER_S } else { STEEPEST_PER_S };
        // The margin keeps roundings from lifting the foot after all.
        (until_swing_s > 0.0 && needed <= steepest).then(|| (1.1 * needed).max(1.0 / RAMP_S))
    }

    pub(super) fn forget_job(&mut self) {
        (self.job, self.pending, self.rate) = (None, None, 1.0);
    }

    pub(super) fn stand(&mut self, pelvis: PelvisMoment) {
        self.pelvis = pelvis;
    }

    fn come_to_rest(&mut self) {
        self.pelvis = self.pelvis.map(|moment| Moment::rest(moment.position));
        (self.stage, self.job, self.stopping, self.rate, self.stuck_s) = (None, None, false, 1.0, 0.0);
    }

    /// Moves on in time, from stage to stage; where in the present stage this step began.
    fn pass(&mut self, mut passed_s: f64) -> f64 {
        let mut begin_s = self.stage.as_ref().map_or(0.0, |stage| stage.time_s);
        while let Some(stage) = &mut self.stage {
            let left_s = stage.plan.duration_s() - stage.time_s;
            if passed_s < left_s {
                stage.time_s += passed_s;
                break;
            }
            passed_s -= left_s;
            begin_s = 0.0;
            self.finish_stage();
        }
        begin_s
    }

    /// Puts the joints where the present time of the stage wants them; where they cannot follow on both feet, time goes
    /// slower. Over one foot that would stop the pelvis within a tick, and the robot would fall.
    fn place(&mut self, begin_s: f64, dt_s: f64) {
        let Some(stage) = self.stage.take() else {
            let world_from_pelvis = self.world_from_pelvis();
            let mut positions = self.positions.clone();
            // Where a leg does not reach any more, it goes as near as it can.
            let _ = self.legs.solve(&world_from_pelvis, &self.soles, &mut positions);
            self.legs.towards(&mut self.positions, &positions, dt_s);
            return;
        };
        let mut stage = stage;
        let end_s = stage.time_s;
        let in_the_air = stage.swing.as_ref().is_some_and(|swing| swing.is_under_way(end_s));
        let shares: &[f64] = if in_the_air { &[1.0] } else { &[1.0, 0.5, 0.25, 0.125] };
        let mut positions = self.positions.clone();
        for share in shares {
            stage.time_s = begin_s + (end_s - begin_s) * share;
            positions.clone_from(&self.positions);
            let (moment, soles) = stage.wanted(&self.soles);
            let reached = self.legs.solve(&pelvis::world_from_pelvis(&moment), &soles, &mut positions);
            if reached.is_ok() && self.legs.haste(&self.positions, &positions, dt_s) <= 1.0 {
                self.commit(stage, moment, soles, positions);
                return;
            }
        }
        self.force(stage, begin_s, end_s, dt_s);
    }

    fn commit(&mut self, stage: Stage, moment: PelvisMoment, soles: [Pose; 2], positions: LegPositions) {
        (self.pelvis, self.soles, self.positions, self.stuck_s) = (moment, soles, positions, 0.0);
        self.stage = Some(stage);
    }

    /// A foot in the air goes on as well as it can; on both feet the robot waits, and gives up.
    fn force(&mut self, mut stage: Stage, begin_s: f64, end_s: f64, dt_s: f64) {
        self.stuck_s += dt_s;
        let in_the_air = stage.swing.as_ref().is_some_and(|swing| swing.is_under_way(end_s));
        stage.time_s = if in_the_air { end_s } else { begin_s };
        if in_the_air {
            let (moment, soles) = stage.wanted(&self.soles);
            let mut positions = self.positions.clone();
            let _ = self.legs.solve(&pelvis::world_from_pelvis(&moment), &soles, &mut positions);
            self.legs.towards(&mut self.positions, &positions, dt_s);
            (self.pelvis, self.soles) = (moment, soles);
        }
        self.stage = Some(stage);
        if self.stuck_s > STUCK_S && !in_the_air {
            self.end_job(Outcome::Failed("the legs cannot follow".to_owned()));
            self.come_to_rest();
        }
    }

    fn end_job(&mut self, outcome: Outcome) {
        if let Some(id) = self.job.as_mut().and_then(|job| job.id.take()) {
            self.outcomes.push((id, outcome));
        }
    }

    fn finish_stage(&mut self) {
        let Some(stage) = self.stage.take() else { return };
        self.end(&stage);
        let Some(job) = &mut self.job else { return };
        job.passed_s += stage.plan.duration_s();
        if stage.swing.is_some() && !job.steps.is_empty() {
            job.steps_done += 1;
        }
        if let Some((id, task, stages)) = self.pending.take() {
            if let Err(reason) = self.start(id, &task, stages) {
                self.outcomes.push((id, Outcome::Failed(reason)));
                self.settle();
            }
            return;
        }
        self.next_stage(stage.swing.as_ref().is_some_and(|swing| swing.lands));
    }

    /// Where a stage ends; how the pelvis moves there.
    pub(super) fn end(&mut self, stage: &Stage) -> PelvisMoment {
        self.pelvis = stage.plan.at(stage.plan.duration_s());
        if let Some(swing) = &stage.swing {
            self.soles[swing.side.index()] = swing.world_from_landing;
            self.grounded[swing.side.index()] = swing.lands;
        }
        self.pelvis
    }

    fn next_stage(&mut self, landed: bool) {
        let Some(job) = &mut self.job else { return };
        if job.id.is_some()
            && let Some(stage) = job.ahead.pop_front()
        {
            self.stage = Some(stage);
            return;
        }
        if landed {
            self.settle();
            return;
        }
        if job.moves_pelvis {
            let lower_m = self.soles[0].translation_m().z.min(self.soles[1].translation_m().z);
            self.standing_m = self.pelvis[2].position - lower_m;
        }
        self.end_job(Outcome::Done);
        self.come_to_rest();
    }

    /// To the middle of the feet, at rest.
    fn settle(&mut self) {
        let from = self.present();
        match self.plan_settling(&from) {
            Ok(stage) => self.stage = Some(stage),
            Err(reason) => {
                self.end_job(Outcome::Failed(reason));
                self.come_to_rest();
            }
        }
    }

    fn start(&mut self, id: CommandId, task: &Task, mut stages: VecDeque<Stage>) -> Result<(), String> {
        let (stage, steps) = match task {
            Task::Steps(steps) => {
                // Held half way through the step before, it moves otherwise than in the rehearsal.
                if self.rate != 1.0 {
                    stages = self.plan_walk(steps)?;
                }
                (stages.pop_front().ok_or("there are no footsteps")?, steps.clone())
            }
            Task::Pelvis { world_from_pelvis, moves_sideways, duration_s } => {
                (self.plan_pelvis(world_from_pelvis, *moves_sideways, *duration_s)?, Vec::new())
            }
            Task::Foot { side, world_from_sole, duration_s } => {
                self.check_support(*side)?;
                let stage = self.plan_foot(*side, world_from_sole, *duration_s)?;
                stages.extend(self.plan_after_landing(&stage)?);
                (stage, Vec::new())
            }
        };
        let moves_pelvis = matches!(task, Task::Pelvis { .. });
        (self.rate, self.stopping, self.stuck_s) = (1.0, false, 0.0);
        self.stage = Some(stage);
        self.job = Some(Job { id: Some(id), steps, steps_done: 0, ahead: stages, passed_s: 0.0, moves_pelvis });
        Ok(())
    }

    pub(super) fn check_support(&self, side: Side) -> Result<(), String> {
        let other = side.other();
        if self.grounded[other.index()] {
            return Ok(());
        }
        Err(format!("the {} foot is in the air: put it down first", other.word()))
    }

    /// As it moves now, by the clock.
    pub(super) fn present(&self) -> PelvisMoment {
        if self.stage.is_none() && self.job.is_none() {
            return self.pelvis.map(|moment| Moment::rest(moment.position));
        }
        let rate = self.rate;
        self.pelvis.map(|moment| Moment {
            position: moment.position,
            velocity: moment.velocity * rate,
            acceleration: moment.acceleration * rate * rate,
        })
    }
}

impl Stage {
    pub fn wanted(&self, soles: &[Pose; 2]) -> (PelvisMoment, [Pose; 2]) {
        self.wanted_at(self.time_s, soles)
    }

    pub fn wanted_at(&self, time_s: f64, soles: &[Pose; 2]) -> (PelvisMoment, [Pose; 2]) {
        let mut soles = *soles;
        if let Some(swing) = &self.swing {
            soles[swing.side.index()] = swing.world_from_sole(time_s);
        }
        (self.plan.at(time_s), soles)
    }
}
