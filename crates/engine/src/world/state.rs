use std::cell::RefCell;
use std::sync::Arc;

use expression::{Env, Expression, Query, Slot, frame_of, pose_of};
use model::{Random, Value};
use robot::interface::RobotState;
use rustc_hash::FxHashMap;
use scene::SceneUpdate;
use scene::points::{Shape, count};

use super::asking;
use super::blackboard::{Blackboard, Update};
use super::body::{Body, Frames, PoseFrames};
use super::claims::Claims;
use super::remembered::Remembered;
use super::senses::Sense;
use crate::door::{
    Asked, Change, InstanceId, Job, JobAnswer, JobId, Measured, NO_DETAIL, Note, ObjectChange, Recording, RunFact,
    Sent, TickOutput, Told, What,
};
use crate::ids::{ScopeId, StepId, TrackId};
use crate::types::Effects;
use crate::{Cannot, Verdict};

/// The last result of a node that an expression asks about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    pub running: bool,
    pub verdict: Option<Verdict>,
    pub outcome: Option<Arc<str>>,
    /// Of an organising node without a guard: a failure has left it.
    pub failed: bool,
    /// The same: a jump has.
    pub left: bool,
}

/// A job that a step waits for.
#[derive(Debug)]
pub(crate) struct Pending {
    pub id: JobId,
    pub step: InstanceId,
    pub word: &'static str,
    pub answer: Option<JobAnswer>,
}

/// All that steps see and write, apart from the tracks.
#[derive(Debug)]
pub(crate) struct World {
    pub tick: u64,
    /// Steps started in this tick.
    pub starts: u32,
    pub time_ns: i64,
    /// Stands still while paused: what step timers count.
    pub active_ns: i64,
    pub paused: bool,
    /// An operator is there to answer.
    pub attended: bool,
    pub board: Blackboard,
    /// Of each scope whether its expressions see the other side.
    pub mirrored: Vec<bool>,
    pub claims: Claims,
    pub record: Recording,
    pub out: TickOutput,
    pub received: Vec<Sent>,
    pub asked: Vec<Asked>,
    pub answers: Vec<(InstanceId, Value)>,
    pub watches: Vec<Watch>,
    /// None: no robot is there.
    pub body: Option<Body>,
    /// What expressions ask of the body, and where they find it.
    pub senses: Vec<(Slot, Sense)>,
    pub commands_given: u64,
    pub jobs_given: u64,
    /// Given away, and not taken back yet.
    pub jobs: Vec<Pending>,
    /// What steps ask of the scene in this tick, in their order.
    pub scene_queue: Vec<(InstanceId, SceneUpdate)>,
    /// What the scene did not do of what was asked in the tick before, and why.
    pub scene_refused: Vec<(InstanceId, String)>,
    /// Objects have nominal poses, and no camera is there.
    pub preview: bool,
    /// Steps only pass the time.
    pub dry: bool,
    /// Of running steps that judge it.
    pub measured: FxHashMap<InstanceId, Measured>,
    /// Of running steps that tell it.
    pub progress: FxHashMap<InstanceId, f64>,
    pub random: RefCell<Random>,
    /// Of the tick of a step that is going on; else there are none.
    pub effects: Effects,
    /// Variables that hold poses, by scope.
    pub pose_frames: FxHashMap<ScopeId, Arc<PoseFrames>>,
    /// What attempts at tasks have shown.
    pub remembered: Remembered,
    /// Whose variables the body takes for frames now.
    pub shown_scope: Option<ScopeId>,
}

impl World {
    /// A variable that holds a pose may be named wherever a frame is.
    pub fn note_pose(&mut self, scope: ScopeId, slot: Slot, value: Option<&Value>) {
        if Blackboard::is_world(slot) {
            return;
        }
        let pose = value.filter(|value| matches!(value, Value::Map(_))).and_then(pose_of);
        if pose.is_none() && !self.pose_frames.contains_key(&scope) {
            return;
        }
        let name = self.board.name(scope, slot).clone();
        let given_in = value.and_then(frame_of).cloned();
        let there = self.body.as_ref().filter(|_| self.is_mirrored(scope)).map(|body| {
            let frame = |frame: &Arc<str>| asking::mirrored::frame(body.robot(), frame).into();
            (given_in.as_ref().map(frame), pose.map(|pose| pose.mirrored()))
        });
        let (given_in, pose) = there.unwrap_or((given_in, pose));
        let frames = Arc::make_mut(self.pose_frames.entry(scope).or_default());
        match pose {
            Some(pose) => drop(frames.insert(name, (given_in, pose))),
            None => drop(frames.remove(&name)),
        }
        self.shown_scope = None;
    }

    fn is_mirrored(&self, scope: ScopeId) -> bool {
        self.mirrored.get(scope.index()).copied().unwrap_or_default()
    }

    /// Sets unrecorded: what a run begins with.
    pub fn begin_with(&mut self, scope: ScopeId, slot: Slot, value: Option<Value>) {
        self.note_pose(scope, slot, value.as_ref());
        self.board.set(scope, slot, value);
    }

    /// The body takes the variables of this scope for frames.
    #[inline]
    pub fn show_poses(&mut self, scope: ScopeId) {
        // Most files have none.
        if !self.pose_frames.is_empty() {
            self.show_poses_of(scope);
        }
    }

    fn show_poses_of(&mut self, scope: ScopeId) {
        if self.shown_scope.replace(scope) == Some(scope) {
            return;
        }
        if let Some(body) = &mut self.body {
            body.show_variables(&self.pose_frames.get(&scope).cloned().unwrap_or_default());
        }
    }

    pub fn take_effects(&mut self) -> Effects {
        if self.effects.any { std::mem::take(&mut self.effects) } else { Effects::default() }
    }

    pub fn tell(&mut self, step: Option<InstanceId>, told: Told) {
        self.record.note(self.tick, self.time_ns, Note { step, told });
    }

    pub fn warn(&mut self, step: InstanceId, text: impl Into<String>) {
        self.tell(Some(step), Told::Warning(text.into().into_boxed_str()));
    }

    pub fn tell_run(&mut self, fact: RunFact) {
        self.tell(None, Told::Run(fact));
    }

    pub fn give_job(&mut self, step: InstanceId, job: Job) -> JobId {
        self.jobs_given += 1;
        let id = JobId(self.jobs_given);
        self.jobs.push(Pending { id, step, word: job.word(), answer: None });
        self.out.jobs.push((id, job));
        id
    }

    pub fn take_answer(&mut self, id: JobId) -> Option<JobAnswer> {
        let place = self.jobs.iter().position(|job| job.id == id && job.answer.is_some())?;
        self.jobs.remove(place).answer
    }

    /// Neither asked nor answered any more; nobody waits for its jobs.
    #[inline]
    pub fn forget_question(&mut self, step: InstanceId) {
        if !(self.jobs.is_empty() && self.asked.is_empty() && self.answers.is_empty()) {
            self.forget_what_was_asked(step);
        }
    }

    fn forget_what_was_asked(&mut self, step: InstanceId) {
        if !self.jobs.is_empty() {
            let (gone, jobs) = std::mem::take(&mut self.jobs).into_iter().partition(|job| job.step == step);
            self.jobs = jobs;
            let gone: Vec<Pending> = gone;
            let unanswered = gone.iter().filter(|job| job.answer.is_none());
            self.out.cancelled_jobs.extend(unanswered.map(|job| job.id));
        }
        if !self.asked.is_empty() || !self.answers.is_empty() {
            self.asked.retain(|asked| asked.step != step);
            self.answers.retain(|(to, _)| *to != step);
        }
    }

    #[inline]
    pub fn started(&mut self, step: InstanceId) {
        self.starts += 1;
        self.record.push(self.tick, self.time_ns, What::Started(step));
    }

    /// It has ended with success, and there is nothing else to tell of it.
    #[inline]
    pub fn succeeded(&mut self, step: InstanceId) {
        self.forget_question(step);
        let plainly = What::Ended { step, verdict: Verdict::Success, detail: NO_DETAIL };
        self.record.push(self.tick, self.time_ns, plainly);
    }

    /// Sets at once and records: for inputs, and for a scope nobody reads yet.
    pub fn set_now(&mut self, scope: ScopeId, slot: Slot, value: Option<Value>, by: Option<InstanceId>) {
        if self.board.get(scope, slot) != value.as_ref() {
            self.board.set(scope, slot, value.clone());
            self.note_pose(scope, slot, value.as_ref());
            let name = self.board.name(scope, slot).clone();
            let scope = (!Blackboard::is_world(slot)).then_some(scope);
            self.record.changed(self.tick, self.time_ns, Change { scope, name, value, by });
        }
    }

    /// A variable that expressions read and only the robot changes. False: the robot has no such sense.
    pub fn add_sense(&mut self, name: &str) -> bool {
        let Some(body) = &self.body else { return false };
        let Some(sense) = Sense::named(body.robot(), name) else { return false };
        let value = sense.value(body.state());
        let slot = self.board.add_world(name);
        self.board.set(ScopeId(0), slot, Some(value));
        self.senses.push((slot, sense));
        true
    }

    /// Unrecorded: the robot's state is recorded whole.
    pub fn sense(&mut self, state: Arc<RobotState>) {
        let Some(body) = &mut self.body else { return };
        body.update(state);
        for (slot, sense) in &self.senses {
            self.board.set(ScopeId(0), *slot, Some(sense.value(body.state())));
        }
    }

    /// Objects are where what is seen now says they are.
    pub fn look(&mut self) {
        let Some(body) = &mut self.body else { return };
        self.out.frames.extend(body.advance(self.time_ns));
        self.tell_scene(None);
    }

    /// In the order the steps asked; what the scene refuses is told to the step in the next tick.
    pub fn apply_scene_updates(&mut self) {
        self.scene_refused.clear();
        if self.scene_queue.is_empty() {
            return;
        }
        for (by, update) in std::mem::take(&mut self.scene_queue) {
            let Some(body) = &mut self.body else { continue };
            if let Err(refused) = body.apply(&update) {
                self.scene_refused.push((by, refused.to_string()));
            }
            self.tell_scene(Some(by));
        }
    }

    fn tell_scene(&mut self, by: Option<InstanceId>) {
        let Some(body) = &mut self.body else { return };
        for change in body.take_scene_changes() {
            self.record.object(self.tick, self.time_ns, ObjectChange { change, by });
        }
    }

    pub fn apply_updates(&mut self) {
        if self.board.queue.is_empty() {
            return;
        }
        let mut queue = std::mem::take(&mut self.board.queue);
        for Update { scope, slot, value, by } in queue.drain(..) {
            let name = self.board.name(scope, slot).clone();
            let world = Blackboard::is_world(slot);
            self.board.set(scope, slot, value.clone());
            self.note_pose(scope, slot, value.as_ref());
            let scope = (!world).then_some(scope);
            self.record.changed(self.tick, self.time_ns, Change { scope, name, value, by: Some(by) });
        }
        self.board.queue = queue;
    }

    pub fn holds(&self, scope: ScopeId, expression: &Expression) -> Result<bool, Cannot> {
        Ok(expression.holds(&View { world: self, scope })?)
    }

    /// Whether it has this value now; false also where it has none.
    pub fn gives(&self, scope: ScopeId, expression: &Expression, value: &Value) -> bool {
        expression.gives(&View { world: self, scope }, value).unwrap_or_default()
    }

    pub fn value(&self, scope: ScopeId, expression: &Expression) -> Result<Value, Cannot> {
        Ok(expression.value(&View { world: self, scope })?)
    }
}

/// What an expression of one scope sees.
struct View<'a> {
    world: &'a World,
    scope: ScopeId,
}

impl View<'_> {
    fn frames(&self) -> Result<Frames<'_>, Cannot> {
        static NONE: PoseFrames = PoseFrames::new();
        let body = self.world.body.as_ref().ok_or(Cannot::NoRobotToAsk)?;
        Ok(Frames { body, variables: self.world.pose_frames.get(&self.scope).map_or(&NONE, |frames| &**frames) })
    }

    fn is_mirrored(&self) -> bool {
        self.world.is_mirrored(self.scope)
    }

    fn world_from(&self, frame: &str) -> Result<geometry::Pose, Cannot> {
        let frames = self.frames()?;
        match self.is_mirrored() {
            true => frames.world_from(&asking::mirrored::frame(frames.body.robot(), frame)),
            false => frames.world_from(frame),
        }
    }
}

impl Env for View<'_> {
    fn variable(&self, slot: Slot) -> Option<&Value> {
        self.world.board.get(self.scope, slot)
    }

    fn is_free(&self, token: u32) -> bool {
        self.world.claims.is_free(token)
    }

    fn outcome(&self, node: u32) -> &str {
        self.world.watches[node as usize].outcome.as_deref().unwrap_or("")
    }

    fn result(&self, node: u32) -> &'static str {
        let watch = &self.world.watches[node as usize];
        match (watch.running, watch.verdict) {
            (true, _) => "running",
            (false, Some(verdict)) => verdict.word(),
            (false, None) => "",
        }
    }

    fn time_s(&self) -> f64 {
        self.world.time_ns as f64 / 1e9
    }

    fn random(&self) -> f64 {
        self.world.random.borrow_mut().share()
    }

    fn distance_m(&self, a: &str, b: &str) -> Result<f64, String> {
        Ok((self.world_from(a)?.translation_m() - self.world_from(b)?.translation_m()).norm())
    }

    fn points(&self, frame: &str, radius_m: f64) -> Result<usize, String> {
        let world_from_frame = self.world_from(frame)?;
        let cloud = self.frames()?.body.scene().latest_cloud(None).ok_or(Cannot::NoPicture)?;
        Ok(count(cloud, &Shape::Sphere { radius_m }, &world_from_frame, None))
    }

    fn ask(&self, query: Query, about: &[Value]) -> Result<Value, String> {
        let frames = self.frames()?;
        Ok(match self.is_mirrored() {
            true => asking::mirrored::of_body(frames, query, about),
            false => asking::of_body(frames, query, about),
        }?)
    }
}

/// Which step is being ticked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct At {
    pub step: StepId,
    pub track: TrackId,
    pub scope: ScopeId,
    pub instance: InstanceId,
    pub started_ns: i64,
}
