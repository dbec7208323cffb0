//! A driver without a robot behind it: a file says how it answers commands and what it tells when. It proves that nothing
//! here needs a simulator, and lets a behavior meet what a simulator would not do.

mod file;
mod work;

use std::collections::VecDeque;
use std::sync::Arc;

use geometry::Pose;
use robot::interface::{
    Capabilities, Command, CommandStatus, ControlMode, Mode, Order, Phase, Queueing, Refusal, RobotState, Wrench,
};
use robot::{BodyFrame, BodyPoses, Robot};
use scene::Sight;

use crate::driver::{Clock, Driver, Event};
use file::{Answer, Change, Ends, OrderKind, Told};
use work::{Work, goal, kind, moved, own_duration_s};

pub use file::Script;

/// Commands that have ended are told of so long.
const ENDED_TOLD: usize = 64;

pub struct Stub {
    robot: Arc<Robot>,
    capabilities: Capabilities,
    detectors: Vec<Arc<str>>,
    /// With the number of commands that each may still answer.
    answers: Vec<(Answer, u64)>,
    moments: VecDeque<(i64, Arc<Told>)>,
    works: Vec<Work>,
    time_ns: i64,
    held: bool,
    silent: bool,
    failure: Option<String>,
    sights: Vec<Arc<Sight>>,
    events: Vec<Event>,
    /// As it is, whoever knows.
    now: RobotState,
    /// As it was last told.
    state: Arc<RobotState>,
}

impl Stub {
    pub fn new(script: Script) -> Stub {
        let Script { robot, start, capabilities, detectors, answers, moments } = script;
        let mut poses = BodyPoses::new(Arc::clone(&robot));
        poses.place(&start, &Pose::identity());
        let now = RobotState::standing(&start, &poses.world_from(BodyFrame::Walking).inverse());
        Stub {
            capabilities,
            detectors,
            answers: answers.into_iter().map(|answer| (answer.clone(), answer.times.unwrap_or(u64::MAX))).collect(),
            moments: moments.into(),
            works: Vec::new(),
            time_ns: 0,
            held: false,
            silent: false,
            failure: None,
            sights: Vec::new(),
            events: Vec::new(),
            state: Arc::new(now.clone()),
            now,
            robot,
        }
    }

    /// The first that fits and is not used up.
    fn answer(&mut self, order: &Order) -> Option<Answer> {
        let kind = kind(order)?;
        let fits = |answer: &Answer| answer.order == OrderKind::Any || answer.order == kind;
        let (answer, left) = self.answers.iter_mut().find(|(answer, left)| *left > 0 && fits(answer))?;
        *left -= 1;
        Some(answer.clone())
    }

    fn end(&mut self, meets: &[usize], reason: &str) {
        for work in self.works.iter_mut().filter(|work| !work.has_ended() && work.meets(meets)) {
            work.phase = Phase::Ended { reason: reason.to_owned() };
        }
    }

    fn refuse(&mut self, command: &Command, heard_after_s: f64, reason: &str) -> Result<(), Refusal> {
        let mut work = Work::new(command.id, Vec::new(), heard_after_s);
        work.phase = Phase::Refused { reason: reason.to_owned() };
        let known = work.is_heard();
        self.works.push(work);
        if known { Err(Refusal(reason.to_owned())) } else { Ok(()) }
    }

    fn begin(&mut self, command: &Command, answer: Answer) {
        let joints = moved(&self.robot, &command.order);
        if command.queueing == Queueing::Override {
            self.end(&joints, "overridden");
        }
        let takes_s = answer.takes_s.unwrap_or_else(|| own_duration_s(&command.order));
        let mut work = Work::new(command.id, joints, answer.heard_after_s);
        work.goal = if answer.ends == Ends::Done { goal(&self.robot, &command.order) } else { Vec::new() };
        work.goal.extend(answer.then.positions(&self.robot));
        work.takes_s = takes_s;
        (work.ends, work.then) = (answer.ends, answer.then);
        self.works.push(work);
    }

    fn change(&mut self, change: &Change) {
        for (coordinate, position) in change.positions(&self.robot) {
            self.now.positions[coordinate] = position;
        }
        self.now.world_from_base = change.base.unwrap_or(self.now.world_from_base);
        for (side, force_n) in &change.hand_forces_n {
            self.now.hand_wrenches[side.index()] = Wrench { force_n: *force_n, ..Wrench::NONE };
        }
        for (side, contact) in &change.feet_on_ground {
            self.now.feet[side.index()].contact = *contact;
        }
        if let Some(faults) = &change.faults {
            self.now.faults.clone_from(faults);
        }
        self.now.mode = change.mode.unwrap_or(self.now.mode);
    }

    fn happen(&mut self, at_ns: i64, told: &Told) {
        self.change(&told.change);
        self.silent = told.silent.unwrap_or(self.silent);
        self.sights.extend(told.sight.iter().map(|sight| Arc::new(Sight { time_ns: at_ns, ..sight.clone() })));
        self.events.extend(told.place.clone().map(Event::Placed));
        self.events.extend(told.warning.clone().map(Event::Warning));
        self.events.extend(told.note.clone().map(|text| Event::Note { time_ns: at_ns, text }));
        if let Some(failure) = &told.failure {
            self.failure = Some(failure.clone()).filter(|text| !text.is_empty());
        }
    }

    /// Lets this time pass for commands, in their order.
    fn work(&mut self, passed_s: f64) {
        for at in 0..self.works.len() {
            let (before, rest) = self.works.split_at_mut(at);
            let work = &mut rest[0];
            work.hear(passed_s);
            let waits = before.iter().any(|earlier| !earlier.has_ended() && earlier.meets(&work.joints));
            if self.held || work.has_ended() || waits {
                continue;
            }
            work.pass(passed_s, &mut self.now.positions);
            if work.phase == Phase::Done {
                let then = std::mem::take(&mut work.then);
                self.change(&then);
            }
        }
        let ended = self.works.iter().filter(|work| work.has_ended()).count();
        let mut too_many = ended.saturating_sub(ENDED_TOLD);
        self.works.retain(|work| {
            let forgets = too_many > 0 && work.has_ended();
            too_many -= usize::from(forgets);
            !forgets
        });
    }

    fn tell(&mut self) {
        if self.silent {
            return;
        }
        let heard = self.works.iter().filter(|work| work.is_heard() && work.ends != Ends::Lost);
        self.now.commands = heard.map(|work| CommandStatus { id: work.id, phase: work.phase.clone() }).collect();
        self.now.commands.sort_by_key(|status| status.id);
        self.now.time_ns = self.time_ns;
        self.state = Arc::new(self.now.clone());
    }
}

impl Driver for Stub {
    fn robot(&self) -> &Arc<Robot> {
        &self.robot
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn clock(&self) -> Clock {
        Clock::Given
    }

    fn advance(&mut self, time_ns: i64) {
        let passed_s = engine::ns_to_seconds(time_ns - self.time_ns);
        self.time_ns = time_ns;
        let before = self.now.positions.clone();
        self.work(passed_s);
        while self.moments.front().is_some_and(|(at_ns, _)| *at_ns <= time_ns) {
            let Some((at_ns, told)) = self.moments.pop_front() else { break };
            self.happen(at_ns, &told);
        }
        if passed_s > 0.0 {
            let moved = self.now.positions.iter().zip(&before).map(|(now, before)| (now - before) / passed_s);
            self.now.velocities = moved.collect();
        }
        self.tell();
    }

    fn state(&self) -> &Arc<RobotState> {
        &self.state
    }

    fn command(&mut self, command: &Command) -> Result<(), Refusal> {
        match &command.order {
            Order::Stop { .. } => self.end(&moved(&self.robot, &command.order), "stopped"),
            Order::Mode { mode: ControlMode::Frozen } => {
                self.stop();
                self.now.mode = Mode::Frozen;
            }
            Order::Mode { mode: ControlMode::Active } => self.now.mode = Mode::Standing,
            order => {
                let needed = kind(order).and_then(OrderKind::needs);
                if let Some(needed) = needed.filter(|needed| !self.capabilities.can(*needed)) {
                    return self.refuse(command, 0.0, &format!("the robot cannot {}", needed.deed()));
                }
                return match self.answer(order) {
                    None => {
                        let order = kind(order).map_or("", OrderKind::word);
                        self.refuse(command, 0.0, &format!("the stub has no answer to `{order}`: add one to `answers`"))
                    }
                    Some(Answer { ends: Ends::Refused(reason), heard_after_s, .. }) => {
                        self.refuse(command, heard_after_s, &reason)
                    }
                    Some(answer) => {
                        self.begin(command, answer);
                        Ok(())
                    }
                };
            }
        }
        let mut work = Work::new(command.id, Vec::new(), 0.0);
        work.phase = Phase::Done;
        self.works.push(work);
        Ok(())
    }

    fn stop(&mut self) {
        for work in self.works.iter_mut().filter(|work| !work.has_ended()) {
            work.phase = Phase::Ended { reason: "stopped".to_owned() };
        }
    }

    fn hold(&mut self, on: bool) {
        self.held = on;
    }

    /// It goes nowhere by itself.
    fn place_frame(&mut self, _name: &str, _world_from_frame: &Pose) {}

    fn take_sights(&mut self) -> Vec<Arc<Sight>> {
        std::mem::take(&mut self.sights)
    }

    fn detectors(&self) -> Vec<&str> {
        self.detectors.iter().map(|name| &**name).collect()
    }

    fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}
