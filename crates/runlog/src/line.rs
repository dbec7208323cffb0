//! What is written of a tick.

use std::sync::Arc;

use engine::{
    Answer, Detail, Engine, FrameAt, Instance, InstanceId, JobId, RunFact, Sent, TickInput, Told, Verdict, What,
};
use geometry::Pose;
use model::{NodeId, Value};
use onboard::Marks;
use protocol::report::RunReport;
use protocol::talk::{Detail as Told10Hz, Happening, SceneAt};
use robot::interface::Command;
use scene::{Changed, DetectorSettings};
use serde::{Deserialize, Serialize};

/// An input of the engine. The joints are in the message of `/joints` of the same time, points in those of `/points/…` as
/// far as anybody looked at them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InputLine {
    pub tick: u64,
    pub input: TickInput,
    /// One for each sight that has a cloud.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clouds: Vec<CloudAt>,
    /// So many ticks before this one, after the last that is on record, had no input but the robot's state, and nothing
    /// ran in them: of these the robot's state is left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub idle: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A cloud without its points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CloudAt {
    /// Place among the sights of the input.
    pub sight: usize,
    pub time_ns: i64,
    #[serde(with = "geometry::exact")]
    pub world_from_camera: Pose,
    pub width: u32,
    pub height: u32,
}

/// What the engine made of an input: two runs that are the same have the same lines, to the last letter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceLine {
    pub tick: u64,
    pub time_ns: i64,
    pub did: Vec<Fact>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Fact {
    Started {
        step: Instance,
        path: String,
        kind: Arc<str>,
    },
    Ended {
        step: Instance,
        path: String,
        result: Verdict,
        outcome: Option<Arc<str>>,
        reason: Option<Box<str>>,
    },
    Held {
        step: Instance,
        path: String,
        reason: Option<Box<str>>,
    },
    Changed {
        name: Arc<str>,
        /// The skill use whose variable it is; none: a world variable.
        of: Option<Vec<NodeId>>,
        value: Option<Value>,
        by: Option<Instance>,
    },
    Log {
        step: Option<Instance>,
        text: Box<str>,
    },
    Warning {
        step: Option<Instance>,
        text: Box<str>,
    },
    Run {
        step: Option<Instance>,
        fact: RunFact,
    },
    Object {
        object: Option<Arc<str>>,
        what: Changed,
        #[serde(default, with = "geometry::exact::option", skip_serializing_if = "Option::is_none")]
        world_from_object: Option<Pose>,
    },
    Measured {
        step: Instance,
        path: String,
        value: f64,
        unit: String,
        holds: bool,
    },
    Commanded {
        command: Command,
    },
    Sent {
        sent: Sent,
    },
    Answered {
        answer: Answer,
    },
    Job {
        id: JobId,
        word: String,
    },
    Cancelled {
        id: JobId,
    },
    Frame {
        frame: FrameAt,
    },
    Detectors {
        settings: DetectorSettings,
    },
    Stop,
    StopPart {
        part: Arc<str>,
    },
    Hold {
        on: bool,
    },
}

/// What the last tick did, from this event of the engine's recording on.
pub fn facts(engine: &Engine, since: usize) -> Vec<Fact> {
    let record = engine.recording();
    let mut did: Vec<Fact> = Vec::new();
    let step = |id: InstanceId| engine.instance_of_id(id);
    for event in record.events.get(since..).unwrap_or_default() {
        did.push(match event.what {
            What::Started(id) => Fact::Started { step: step(id), path: engine.path_of(id), kind: engine.kind_of(id) },
            What::Ended { step: id, verdict, detail } => {
                let Detail { outcome, reason } = record.detail(detail).cloned().unwrap_or_default();
                Fact::Ended { step: step(id), path: engine.path_of(id), result: verdict, outcome, reason }
            }
            What::Held { step: id, detail } => {
                let reason = record.detail(detail).and_then(|detail| detail.reason.clone());
                Fact::Held { step: step(id), path: engine.path_of(id), reason }
            }
            What::Changed(index) => {
                let change = &record.changes[index as usize];
                let (name, value) = (Arc::clone(&change.name), change.value.clone());
                Fact::Changed { name, of: engine.scope_of(change), value, by: change.by.map(step) }
            }
            What::Note(index) => {
                let note = &record.notes[index as usize];
                let step = note.step.map(step);
                match &note.told {
                    Told::Log(text) => Fact::Log { step, text: text.clone() },
                    Told::Warning(text) => Fact::Warning { step, text: text.clone() },
                    Told::Run(fact) => Fact::Run { step, fact: fact.clone() },
                }
            }
            What::Scene(index) => {
                let change = &record.scene[index as usize].change;
                let (object, what) = (change.object.clone(), change.what);
                Fact::Object { object, what, world_from_object: change.world_from_object }
            }
            What::Measured(index) => {
                let (id, measured) = record.measured[index as usize];
                let (value, unit, holds) = (measured.value, measured.unit.to_owned(), measured.holds);
                Fact::Measured { step: step(id), path: engine.path_of(id), value, unit, holds }
            }
        });
    }
    given_out(engine, &mut did);
    did
}

fn given_out(engine: &Engine, did: &mut Vec<Fact>) {
    let out = engine.output();
    did.extend(out.stop.then_some(Fact::Stop));
    did.extend(out.stop_parts.iter().map(|part| Fact::StopPart { part: Arc::clone(part) }));
    did.extend(out.hold.map(|on| Fact::Hold { on }));
    did.extend(out.frames.iter().map(|frame| Fact::Frame { frame: frame.clone() }));
    did.extend(out.detectors.iter().map(|settings| Fact::Detectors { settings: settings.clone() }));
    did.extend(out.commands.iter().map(|command| Fact::Commanded { command: command.clone() }));
    did.extend(out.sent.iter().map(|sent| Fact::Sent { sent: sent.clone() }));
    did.extend(out.answers.iter().map(|answer| Fact::Answered { answer: answer.clone() }));
    did.extend(out.jobs.iter().map(|(id, job)| Fact::Job { id: *id, word: job.word().to_owned() }));
    did.extend(out.cancelled_jobs.iter().map(|id| Fact::Cancelled { id: *id }));
}

/// What people are told of the run, as far as it is another than before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SeenLine {
    pub tick: u64,
    pub time_ns: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub happenings: Vec<Happening>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunReport>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Vec<Told10Hz>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Told10Hz>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objects: Option<Vec<SceneAt>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detections: Option<Vec<SceneAt>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solids: Option<Vec<SceneAt>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlines: Option<Vec<SceneAt>>,
}

impl SeenLine {
    pub fn is_empty(&self) -> bool {
        let SeenLine { tick, time_ns, .. } = *self;
        *self == SeenLine { tick, time_ns, ..SeenLine::default() }
    }
}

/// What somebody did beside the run: who commanded what, questions, the link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Aside {
    /// Who did what, and what became of it.
    Deed {
        by: String,
        text: String,
    },
    /// Whether an operator can be reached, from here on.
    Link {
        operator: String,
        is_up: bool,
    },
    /// Something around the robot.
    Note {
        text: String,
    },
    Warning {
        text: String,
    },
    /// The recorder could not keep up: so many ticks are missing.
    Lost {
        ticks: u64,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    pub at_s: f64,
    pub by: String,
    pub text: String,
}
