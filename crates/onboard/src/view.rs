//! From the engine to what operators are told.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Accepts, Engine, InstanceId, RunState, Told, What as Event};
use model::Value;
use protocol::MOST_NAME;
use protocol::report::{RobotReport, RunMode, RunReport, RunningStep};
use protocol::talk::{
    AnswerKind, AskedPart, Detail, Happening, Held, InstanceNumber, Measured, NoteKind, Question, TrackAt, What, flags,
    instance_number,
};
use robot::interface::{Mode, RobotState};

use crate::runner::to_ms;
use crate::seen::{State, Ticked};

/// Of one tick: a tree gone wild makes hundreds of thousands.
const MAX_EVENTS: usize = 2_000;

/// Those of deleted nodes are never asked for again.
const MAX_NUMBERS: usize = 8_192;

/// Reports count hundredths of a second, however often the engine ticks and whatever it misses: what is told with a
/// time and what is told with a tick go together.
const TICK_NS: u64 = 10_000_000;

/// Whose variable, and its name.
type VariableOf = (Option<InstanceNumber>, Arc<str>);

#[derive(Default)]
pub struct Viewer {
    /// Numbers of instances that were asked for lately.
    numbers: BTreeMap<InstanceId, InstanceNumber>,
    /// Not told yet.
    variables: BTreeMap<VariableOf, Option<Value>>,
}

impl Viewer {
    fn number(&mut self, engine: &Engine, id: InstanceId) -> InstanceNumber {
        if self.numbers.len() >= MAX_NUMBERS {
            self.numbers.clear();
        }
        *self.numbers.entry(id).or_insert_with(|| instance_number(&engine.instance_of_id(id)))
    }

    pub fn all_variables(&mut self, engine: &Engine) {
        let header = &engine.library().main().header;
        for (name, value) in engine.variables() {
            let own = header.variables.iter().any(|(own, _)| *own == name)
                || header.inputs.iter().any(|(own, _)| *own == name)
                || header.outputs.iter().any(|(own, _)| *own == name);
            let of = own.then_some(0);
            self.variables.insert((of, name), Some(value));
        }
    }

    /// True: something happened.
    pub fn take_recording(&mut self, engine: &mut Engine, seen: &mut Ticked) -> bool {
        let happened = self.note_events(engine, 0, seen);
        if happened {
            engine.clear_recording();
        }
        happened
    }

    /// What happened from this event of the engine's recording on. True: something did.
    pub fn note_events(&mut self, engine: &Engine, since: usize, seen: &mut Ticked) -> bool {
        let record = engine.recording();
        let events = record.events.get(since..).unwrap_or_default();
        for event in events {
            let what = match event.what {
                Event::Started(step) => What::Started(self.number(engine, step)),
                Event::Ended { step, verdict, detail } => {
                    let detail = record.detail(detail);
                    What::Ended {
                        step: self.number(engine, step),
                        result: verdict,
                        outcome: detail.and_then(|detail| detail.outcome.clone()),
                        reason: detail.and_then(|detail| detail.reason.as_deref().map(Arc::from)),
                    }
                }
                Event::Note(index) => {
                    let note = &record.notes[index as usize];
                    let step = note.step.map(|step| self.number(engine, step));
                    match &note.told {
                        Told::Log(text) => What::Note { kind: NoteKind::Log, step, text: Arc::from(&**text) },
                        Told::Warning(text) => What::Note { kind: NoteKind::Warning, step, text: Arc::from(&**text) },
                        Told::Run(fact) => What::Run { step, fact: fact.clone() },
                    }
                }
                Event::Changed(index) => {
                    let change = &record.changes[index as usize];
                    let of = engine.scope_of(change).map(|uses| number_of_use(&uses));
                    self.variables.insert((of, Arc::clone(&change.name)), change.value.clone());
                    continue;
                }
                Event::Scene(_) | Event::Held { .. } | Event::Measured(_) => continue,
            };
            if seen.happenings.len() < MAX_EVENTS {
                seen.happened(Happening { at_ms: to_ms(event.time_ns), what });
            } else {
                seen.left_out += 1;
            }
        }
        !events.is_empty()
    }

    pub fn state(&mut self, engine: &Engine, document_version: u32) -> State {
        let running = engine.running();
        let root = engine.root();
        let percent = |id| engine.progress_of(id).map(|part: f64| (part * 100.0).clamp(0.0, 100.0) as u8);
        let steps = running.iter().take(255);
        let steps: Vec<RunningStep> =
            steps.map(|id| RunningStep { node: self.number(engine, *id), progress_percent: percent(*id) }).collect();
        let active = *engine.run_state() == RunState::Active;
        let at_rest = running.is_empty() && !root.automatic;
        State {
            time_ns: engine.time_ns(),
            robot: engine.body().map(|body| robot_report(body.state())),
            run: RunReport {
                mode: mode(engine, root.automatic, running.is_empty()),
                tick: u64::try_from(engine.time_ns()).unwrap_or(0) / TICK_NS,
                next: root.next.map(|next| self.number(engine, next)),
                document_version,
                running: steps,
            },
            at_rest,
            needs_operator: active && !running.is_empty() && (!root.automatic || engine.runs_only()),
        }
    }

    pub fn details(&mut self, engine: &Engine) -> Vec<Detail> {
        let mut details = Vec::new();
        let mut branches: BTreeMap<Option<InstanceNumber>, u16> = BTreeMap::new();
        for track in engine.tracks() {
            let owner = track.owner.map(|owner| self.number(engine, owner));
            let before = branches.entry(owner).or_default();
            let branch = std::mem::replace(before, before.saturating_add(1));
            let next = track.next.map(|next| self.number(engine, next));
            let kept_next = track.kept_next.as_ref().map(instance_number);
            let held = track.held.iter().map(|held| self.held(engine, held)).collect();
            let (automatic, waits, added_by) = (track.automatic, track.waits, track.added_by);
            let at = Some(TrackAt { next, automatic, waits, kept_next, added_by, held });
            details.push(Detail::Track { owner, branch, at });
        }
        for (name, holder) in engine.tokens() {
            if holder.is_some() {
                details.push(Detail::Token { name, holder });
            }
        }
        for asked in engine.asked() {
            details.push(Detail::Question { step: self.number(engine, asked.step), asked: Some(question(asked)) });
        }
        for id in engine.running() {
            if let Some(measured) = engine.measured_of(id) {
                let value = Measured { value: measured.value, unit: measured.unit.to_owned(), holds: measured.holds };
                details.push(Detail::Measured { step: self.number(engine, id), value: Some(value) });
            }
        }
        details
    }

    fn held(&mut self, engine: &Engine, held: &engine::HeldView) -> Held {
        Held { step: self.number(engine, held.step), by: held.by, reason: held.reason.clone() }
    }

    pub fn take_variables(&mut self) -> Vec<Detail> {
        let changed = std::mem::take(&mut self.variables).into_iter();
        let detail = |((of, name), value): (VariableOf, Option<Value>)| Detail::Variable {
            of,
            name,
            value: value.map(|value| value.to_json().to_string()),
        };
        changed.map(detail).collect()
    }
}

/// Of a scope: 0 is the behavior itself, else the number of the skill use.
fn number_of_use(uses: &[model::NodeId]) -> InstanceNumber {
    match uses.split_last() {
        None => 0,
        Some((node, uses)) => instance_number(&engine::Instance { uses: uses.to_vec(), node: *node }),
    }
}

fn question(asked: &engine::Asked) -> Question {
    let (kind, class) = kind_of(&asked.accepts);
    let options = if let Accepts::OneOf(options) = &asked.accepts { options.clone() } else { Vec::new() };
    let parts =
        if let Accepts::Several(parts) = &asked.accepts { parts.iter().map(part).collect() } else { Vec::new() };
    // As long as what a person can say of themselves.
    let team_role = asked.team_role.chars().take(MOST_NAME).collect();
    Question { text: asked.text.clone(), options, kind, class, of: asked.of, team_role, parts }
}

fn part(part: &engine::Part) -> AskedPart {
    let (kind, class) = kind_of(&part.accepts);
    AskedPart { name: part.name.clone(), kind, class }
}

/// With the class of what is asked for.
fn kind_of(accepts: &Accepts) -> (AnswerKind, Option<String>) {
    match accepts {
        Accepts::OneOf(_) => (AnswerKind::Choice, None),
        Accepts::Number => (AnswerKind::Number, None),
        Accepts::Text => (AnswerKind::Text, None),
        Accepts::Bool => (AnswerKind::Bool, None),
        Accepts::Pose => (AnswerKind::Pose, None),
        Accepts::Point => (AnswerKind::Point, None),
        Accepts::Object(class) => (AnswerKind::Object, class.clone()),
        Accepts::Template(class) => (AnswerKind::Template, class.clone()),
        Accepts::Frame => (AnswerKind::Frame, None),
        Accepts::Several(_) => (AnswerKind::Several, None),
    }
}

fn mode(engine: &Engine, automatic: bool, nothing_runs: bool) -> RunMode {
    let active = *engine.run_state() == RunState::Active;
    match engine.run_state() {
        _ if engine.is_paused() => RunMode::Paused,
        _ if automatic => RunMode::Automatic,
        _ if !nothing_runs && !active => RunMode::Stopping,
        RunState::Active => RunMode::Manual,
        RunState::Ended(end) if end.verdict == engine::Verdict::Failure => RunMode::Failed,
        RunState::Idle | RunState::Ended(_) => RunMode::Stopped,
    }
}

pub fn robot_report(state: &RobotState) -> RobotReport {
    let mode = match state.mode {
        Mode::Standing => 0,
        Mode::Walking => flags::WALKING,
        Mode::Stopping => flags::STOPPING,
        Mode::Frozen => flags::FROZEN,
        Mode::Faulted => flags::FAULTED,
    };
    let when = |condition: bool, flag: u16| if condition { flag } else { 0 };
    RobotReport {
        world_from_base: state.world_from_base,
        joints_rad: state.positions.clone(),
        flags: mode
            | when(state.feet[0].contact, flags::LEFT_FOOT_DOWN)
            | when(state.feet[1].contact, flags::RIGHT_FOOT_DOWN)
            | when(!state.faults.is_empty(), flags::HAS_FAULTS),
    }
}
