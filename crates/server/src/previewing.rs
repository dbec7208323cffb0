//! Previews as sessions have them: begun, commanded, told of and ended with the session.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use engine::Control;
use model::{Beside, Edit, Value};
use onboard::{Marks, Ticked};
use protocol::api::{Answer, Failure, FailureCode, HappeningView, PREVIEW_STATE, PreviewFrom, PreviewModeView, Push};
use protocol::talk::{Detail, RunDetail, instance_number};
use robot::BodyFrame;

use crate::numbers::Numbers;
use crate::operator::{Effect, Now, Operator, failure};
use crate::pushes::Next;
use crate::rehearsal::{Beginning, MOST, RehearsalOrder, Rehearsed, SPEEDS};
use crate::robot_seen::RobotSeen;
use crate::run_seen::{RunSeen, happening_view};
use crate::session::SessionId;

const MOST_HAPPENINGS: usize = 5_000;
const STATE_NS: u64 = 30_000_000;
const RUN_NS: u64 = 50_000_000;

/// The preview of one session, as it was last told.
pub struct PreviewSeen {
    number: u64,
    speed: f64,
    robot: RobotSeen,
    run: RunSeen,
    /// Requests by the number of the command.
    waiting: BTreeMap<u64, u32>,
    last_command: u64,
    due: Due,
}

#[derive(Default)]
struct Due {
    happenings: VecDeque<HappeningView>,
    robot: bool,
    run: bool,
    scene: bool,
    variables: bool,
    told_ns: u64,
    run_ns: u64,
}

impl std::fmt::Debug for PreviewSeen {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "preview {}", self.number)
    }
}

impl PreviewSeen {
    fn take(&mut self, seen: Ticked, numbers: &Numbers) {
        for happening in &seen.happenings {
            self.run.happening(happening);
            self.due.happenings.extend(happening_view(happening, numbers));
        }
        while self.due.happenings.len() > MOST_HAPPENINGS {
            self.due.happenings.pop_front();
        }
        if let Some(marks) = &seen.marks {
            self.run.detail(Detail::Run(run_detail(marks)));
        }
        self.due.variables |= !seen.variables.is_empty();
        for detail in seen.variables.into_values() {
            self.run.detail(detail);
        }
        if let Some(details) = seen.details {
            self.due.variables |= self.run.details(details);
        }
        if let Some(state) = seen.state {
            if let Some(report) = &state.robot {
                self.robot.report(report, state.time_ns);
                self.due.robot = true;
            }
            self.run.report(state.run);
        }
        if let Some(objects) = seen.things.objects {
            self.robot.put_objects(objects);
            self.due.scene = true;
        }
        self.due.run = true;
    }
}

pub(crate) fn run_detail(marks: &Marks) -> RunDetail {
    let numbers = |instances: &[engine::Instance]| instances.iter().map(instance_number).collect();
    RunDetail {
        in_control: None,
        autonomy: marks.autonomy,
        concurrency: marks.concurrency,
        paused: marks.paused,
        locks: numbers(&marks.locks),
        breakpoints: numbers(&marks.breakpoints),
    }
}

impl Operator {
    pub(crate) fn start_preview(
        &mut self,
        session: SessionId,
        from: PreviewFrom,
        speed: Option<f64>,
    ) -> Result<Answer, Failure> {
        let speed = checked(speed.unwrap_or(1.0))?;
        let Some(seen) = &self.robot else {
            let text = "nothing is known of the robot yet: a preview begins where it is";
            return Err(failure(FailureCode::NoRobot, text));
        };
        let others = self.sessions.iter().filter(|(id, other)| **id != session && other.preview.is_some());
        if others.count() >= MOST {
            let text = format!("{MOST} people preview already: wait until one of them ends");
            return Err(failure(FailureCode::TooMany, text));
        }
        let library = self.shared.document().library();
        let beside = Beside::gather(library, &*self.setup.store);
        let beside = beside.map_err(|problem| failure(FailureCode::Refused, problem.to_string()))?;
        let body = seen.body();
        let own = |(name, json): (&str, &str)| {
            let value = Value::from_json(&serde_json::from_str(json).ok()?)?;
            Some((Arc::<str>::from(name), value))
        };
        let (next, variables) = match from {
            PreviewFrom::Beginning => (None, Vec::new()),
            PreviewFrom::Next => (self.run.next(), self.run.own_variables().filter_map(own).collect()),
        };
        self.last_preview += 1;
        let beginning = Beginning {
            number: self.last_preview,
            beside: Some(beside),
            registry: Arc::clone(&self.setup.registry),
            robot: Arc::clone(&seen.robot),
            positions: body.state().positions.clone(),
            world_from_walking: body.poses().world_from(BodyFrame::Walking),
            ground: body.ground().clone(),
            objects: seen.placements(),
            variables,
            next: None,
            speed,
            library: library.clone(),
        };
        let robot = RobotSeen::new(Arc::clone(&seen.robot));
        self.refresh_numbers();
        let next = next.and_then(|number| self.numbers.get(number));
        let next = next.map(|view| engine::Instance { uses: view.uses, node: view.node });
        let preview = PreviewSeen {
            number: self.last_preview,
            speed,
            robot,
            run: RunSeen::default(),
            waiting: BTreeMap::new(),
            last_command: 0,
            due: Due::default(),
        };
        self.end_preview(session);
        if let Some(session) = self.sessions.get_mut(&session) {
            session.preview = Some(Box::new(preview));
        }
        self.effects.push(Effect::Rehearse(Box::new(Beginning { next, ..beginning })));
        self.tell_preview_mode(session, None);
        Ok(Answer::Done)
    }

    /// Answered when the preview has it.
    pub(crate) fn command_preview(&mut self, session: SessionId, request: u32, what: Control) -> Result<(), Failure> {
        let preview = self.preview_of(session)?;
        preview.last_command += 1;
        let (number, id) = (preview.number, preview.last_command);
        preview.waiting.insert(id, request);
        self.effects.push(Effect::Rehearsal(number, RehearsalOrder::Control { id, what }));
        Ok(())
    }

    pub(crate) fn speed_preview(&mut self, session: SessionId, speed: f64) -> Result<Answer, Failure> {
        let speed = checked(speed)?;
        let preview = self.preview_of(session)?;
        preview.speed = speed;
        let number = preview.number;
        self.effects.push(Effect::Rehearsal(number, RehearsalOrder::Speed(speed)));
        self.tell_preview_mode(session, None);
        Ok(Answer::Done)
    }

    pub(crate) fn is_previewing(&self, session: SessionId) -> bool {
        self.sessions.get(&session).is_some_and(|session| session.preview.is_some())
    }

    fn preview_of(&mut self, session: SessionId) -> Result<&mut PreviewSeen, Failure> {
        let preview = self.sessions.get_mut(&session).and_then(|session| session.preview.as_deref_mut());
        preview.ok_or_else(|| failure(FailureCode::Refused, "there is no preview here: start one"))
    }

    /// Whether there is one or not.
    pub(crate) fn end_preview(&mut self, session: SessionId) {
        let preview = self.sessions.get_mut(&session).and_then(|session| session.preview.take());
        if let Some(preview) = preview {
            self.effects.push(Effect::Rehearsal(preview.number, RehearsalOrder::End));
            for request in preview.waiting.into_values() {
                self.reply(session, request, Err(failure(FailureCode::Refused, "the preview has ended")));
            }
        }
    }

    pub(crate) fn end_preview_for(&mut self, session: SessionId, why: Option<&str>) {
        if self.is_previewing(session) {
            self.end_preview(session);
            self.tell_preview_mode(session, why.map(str::to_owned));
        }
    }

    /// The tree is another one.
    pub(crate) fn end_previews(&mut self, why: &str) {
        let sessions: Vec<SessionId> = self.sessions.keys().copied().collect();
        sessions.into_iter().for_each(|session| self.end_preview_for(session, Some(why)));
    }

    /// What is edited reaches a preview as it reaches the robot.
    pub(crate) fn edit_previews(&mut self, edits: &[Edit]) {
        let previews = self.sessions.values().filter_map(|session| session.preview.as_ref());
        let numbers: Vec<u64> = previews.map(|preview| preview.number).collect();
        let effect = |number| Effect::Rehearsal(number, RehearsalOrder::Edits(edits.to_vec()));
        self.effects.extend(numbers.into_iter().map(effect));
    }

    fn tell_preview_mode(&mut self, session: SessionId, ended: Option<String>) {
        let on = self.preview_of(session).ok().map(|preview| PreviewModeView { speed: preview.speed });
        self.push(session, &Push::PreviewMode { on, ended });
    }

    /// What a preview told.
    pub fn rehearsed(&mut self, now: Now, number: u64, told: Rehearsed) {
        let has_it = |preview: &PreviewSeen| preview.number == number;
        let session = self.sessions.iter().find(|(_, session)| session.preview.as_deref().is_some_and(has_it));
        let Some(session) = session.map(|(id, _)| *id) else { return };
        match told {
            Rehearsed::Failed(why) => self.end_preview_for(session, Some(&why)),
            Rehearsed::Seen(mut seen) => {
                self.refresh_numbers();
                let answers = std::mem::take(&mut seen.answers);
                let preview = self.sessions.get_mut(&session).and_then(|session| session.preview.as_deref_mut());
                let Some(preview) = preview else { return };
                preview.take(*seen, &self.numbers);
                let of = |answer: engine::Answer| Some((preview.waiting.remove(&answer.id)?, answer.refused));
                let answers: Vec<(u32, Option<String>)> = answers.into_iter().filter_map(of).collect();
                for (request, refused) in answers {
                    let refused = refused.map(|why| failure(FailureCode::RobotRefused, why));
                    self.reply(session, request, refused.map_or(Ok(Answer::Done), Err));
                }
            }
        }
        self.flush_all(now);
    }

    pub(crate) fn next_of_preview(&mut self, now: Now, to: SessionId) -> Option<Next> {
        let session = self.sessions.get_mut(&to)?;
        let (topics, preview) = (&session.topics, session.preview.as_deref_mut()?);
        let PreviewSeen { run, robot, due, .. } = preview;
        let told = |told: Push| Some(Next::Push(Push::Preview { told: Box::new(told) }));
        if !due.happenings.is_empty() {
            let happenings = due.happenings.drain(..).collect();
            return told(Push::Happened { happenings });
        }
        if due.run && now.ns.saturating_sub(due.run_ns) >= RUN_NS {
            (due.run, due.run_ns) = (false, now.ns);
            return told(Push::Run(run.view(&self.numbers)));
        }
        if std::mem::take(&mut due.variables) && topics.variables {
            let (variables, tokens) = run.variables(&self.numbers);
            return told(Push::Variables { variables, tokens });
        }
        if std::mem::take(&mut due.scene) && topics.scene {
            let (objects, frames) = (robot.objects(), robot.frames());
            return told(Push::Scene { objects, frames, detections: Vec::new(), cameras: robot.cameras() });
        }
        if due.robot && now.ns.saturating_sub(due.told_ns) >= STATE_NS {
            (due.robot, due.told_ns) = (false, now.ns);
            return Some(Next::Robot(robot.packed(PREVIEW_STATE)));
        }
        None
    }
}

fn checked(speed: f64) -> Result<f64, Failure> {
    let text = format!("a preview is {} to {} times as fast as the clock", SPEEDS.start(), SPEEDS.end());
    SPEEDS.contains(&speed).then_some(speed).ok_or_else(|| failure(FailureCode::BadRequest, text))
}
