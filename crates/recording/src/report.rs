use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{
    Detail, Engine, InstanceId, Measured, ObjectChange, RunFact, RunState, Sent, Told, Verdict, What, ns_to_seconds,
};
use geometry::Pose;
use model::{Library, NodeId, Value};
use serde::{Deserialize, Serialize};

use crate::rows::{self, Row};

/// All of a run that people and scripts ask about. Its JSON form is a contract: keys are added, never changed.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub result: Verdict,
    pub reason: String,
    /// What ended it before its own end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StoppedBy>,
    /// The named outcome that the behavior ended with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Arc<str>>,
    pub duration_s: f64,
    pub ticks: u64,
    pub seed: u64,
    /// The robot it ran on; none: it needs none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<String>,
    /// The world with physics that it ran in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world: Option<String>,
    /// How near the robot came to falling, where there is physics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<BalanceReport>,
    /// What was to be true of the world, and whether it is, where there is physics.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub truths: Vec<TruthReport>,
    /// In the order they started.
    pub steps: Vec<StepRun>,
    pub blackboard: BTreeMap<Arc<str>, Value>,
    pub changes: Vec<Changed>,
    pub holds: Vec<Held>,
    pub sent: Vec<SentCommand>,
    pub log: Vec<Logged>,
    /// What became of the objects of the scene.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scene: Vec<ObjectChanged>,
    /// The values that conditions judged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<MeasuredAt>,
    #[serde(skip)]
    pub rows: Vec<Row>,
}

/// What ends a run that does not end by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// Somebody, from outside.
    Interrupt,
    /// Its time was over.
    Time,
    /// Nothing was left that could go on.
    Standstill,
    /// The robot or the world around it.
    World,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BalanceReport {
    /// The smallest of the run, from the centre of pressure to the edge of the feet; below zero: outside.
    pub min_margin_m: f64,
    pub at_s: f64,
    /// The longest time in a row outside, and when it ended; above 0.1 s the robot falls.
    pub longest_outside_s: f64,
    pub outside_at_s: f64,
    /// Horizontal over vertical force.
    pub max_friction: f64,
}

/// Something that was to be true of the world, whatever the behavior believes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TruthReport {
    pub truth: String,
    /// It is the one about the robot: that it did not fall.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_balance: bool,
    pub met: bool,
    /// When it became true, unless it was from the start; of what must not be, when it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_s: Option<f64>,
    /// How many of how many, where it is about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub things: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// One execution of a step.
#[derive(Clone, Debug, Serialize)]
pub struct StepRun {
    /// What people call it.
    pub node: Arc<str>,
    pub id: NodeId,
    pub path: String,
    #[serde(rename = "type")]
    pub kind: Arc<str>,
    pub start_s: f64,
    /// None: it still ran when the report was made.
    pub end_s: Option<f64>,
    pub result: Option<Verdict>,
    pub reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Arc<str>>,
    /// Place in [`Report::rows`].
    #[serde(skip)]
    pub row: usize,
}

/// A variable got another value.
#[derive(Clone, Debug, Serialize)]
pub struct Changed {
    pub time_s: f64,
    pub name: Arc<str>,
    /// None: it has no value any more.
    pub value: Option<Value>,
    /// Path of the skill use it belongs to, `/` for the behavior's own; none: a world variable.
    pub scope: Option<String>,
    /// Path of the step that set it; none: it came from outside.
    pub by: Option<String>,
}

/// A gate or a claim kept a step from starting.
#[derive(Clone, Debug, Serialize)]
pub struct Held {
    pub time_s: f64,
    pub node: Arc<str>,
    pub path: String,
    pub why: String,
}

/// A command that went out.
#[derive(Clone, Debug, Serialize)]
pub struct SentCommand {
    pub time_s: f64,
    pub command: Arc<str>,
    pub values: BTreeMap<Arc<str>, Value>,
}

impl SentCommand {
    pub fn new(time_ns: i64, sent: &Sent) -> SentCommand {
        let values = sent.values.iter().cloned().collect();
        SentCommand { time_s: ns_to_seconds(time_ns), command: sent.command.clone(), values }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Logged {
    pub time_s: f64,
    /// `log`, `warning`, `run` or `world`, of what happened around the robot.
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    pub text: String,
    /// Which attempt of a step that failed follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
}

/// Something became of an object.
#[derive(Clone, Debug, Serialize)]
pub struct ObjectChanged {
    pub time_s: f64,
    /// None: of the scene as a whole.
    pub object: Option<Arc<str>>,
    pub what: &'static str,
    /// In the world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<Pose>,
    /// Path of the step that made it so; none: what was seen did.
    pub by: Option<String>,
}

/// The value of a condition, from then on.
#[derive(Clone, Debug, Serialize)]
pub struct MeasuredAt {
    pub time_s: f64,
    pub path: String,
    #[serde(flatten)]
    pub measured: Measured,
}

impl Report {
    /// What the engine has recorded so far. `sent` is not in the recording: whoever ticks the engine collects it.
    pub fn new(engine: &Engine, seed: u64, sent: Vec<SentCommand>) -> Report {
        let (result, reason) = match engine.run_state() {
            RunState::Ended(end) => (end.verdict, end.reason_text().to_owned()),
            RunState::Active => (Verdict::Halted, "it still runs".to_owned()),
            RunState::Idle => (Verdict::Halted, "it was not started".to_owned()),
        };
        let outcome = match engine.run_state() {
            RunState::Ended(end) => end.outcome.clone(),
            RunState::Active | RunState::Idle => None,
        };
        let mut collected =
            Collected { engine, names: BTreeMap::new(), open: BTreeMap::new(), events: Events::default() };
        for event in &engine.recording().events {
            collected.take(event.time_ns, event.what);
        }
        let Events { mut steps, changes, holds, log, scene, measured, order } = collected.events;
        let rows = rows::build(engine, &order, &mut steps);
        Report {
            result,
            reason,
            outcome,
            duration_s: ns_to_seconds(engine.time_ns()),
            ticks: engine.tick_count(),
            seed,
            robot: None,
            world: None,
            balance: None,
            stopped: None,
            truths: Vec::new(),
            steps,
            blackboard: engine.variables().into_iter().collect(),
            changes,
            holds,
            sent,
            log,
            scene,
            measured,
            rows,
        }
    }

    /// Adds a warning of what surrounds the behavior, at its time.
    pub fn warn(&mut self, time_ns: i64, text: String) {
        self.note(time_ns, "warning", text);
    }

    /// Adds a line to the log, at its time.
    pub fn note(&mut self, time_ns: i64, kind: &'static str, text: String) {
        let time_s = ns_to_seconds(time_ns);
        let place = self.log.partition_point(|note| note.time_s <= time_s);
        self.log.insert(place, Logged { time_s, kind, path: None, text, attempt: None });
    }

    /// One line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[derive(Default)]
struct Events {
    steps: Vec<StepRun>,
    /// The instance of each of `steps`.
    order: Vec<InstanceId>,
    changes: Vec<Changed>,
    holds: Vec<Held>,
    log: Vec<Logged>,
    scene: Vec<ObjectChanged>,
    measured: Vec<MeasuredAt>,
}

/// A path is put together from the tree; a run of a loop asks for the same one thousands of times.
#[derive(Clone)]
struct Name {
    label: Arc<str>,
    kind: Arc<str>,
    path: String,
    node: NodeId,
}

struct Collected<'a> {
    engine: &'a Engine,
    names: BTreeMap<InstanceId, Name>,
    /// Steps that have started and not ended: place in `steps`.
    open: BTreeMap<InstanceId, usize>,
    events: Events,
}

impl Collected<'_> {
    fn name(&mut self, id: InstanceId) -> Name {
        let engine = self.engine;
        let name = self.names.entry(id).or_insert_with(|| Name {
            label: engine.label_of(id),
            kind: engine.kind_of(id),
            path: engine.path_of(id),
            node: engine.instance_of_id(id).node,
        });
        name.clone()
    }

    fn detail(&self, detail: u32) -> Detail {
        self.engine.recording().detail(detail).cloned().unwrap_or_default()
    }

    fn take(&mut self, time_ns: i64, what: What) {
        let time_s = ns_to_seconds(time_ns);
        match what {
            What::Started(id) => {
                let place = self.start(id, time_s);
                self.open.insert(id, place);
            }
            What::Ended { step: id, verdict, detail } => {
                // A guard can end a step that never started.
                let place = self.open.remove(&id).unwrap_or_else(|| self.start(id, time_s));
                let Detail { outcome, reason } = self.detail(detail);
                let step = &mut self.events.steps[place];
                step.end_s = Some(time_s);
                step.result = Some(verdict);
                step.outcome = outcome;
                step.reason = reason.map(String::from).unwrap_or_default();
            }
            What::Held { step, detail } => {
                let Name { label, path, .. } = self.name(step);
                let why = self.detail(detail).reason.map(String::from).unwrap_or_default();
                self.events.holds.push(Held { time_s, node: label, path, why });
            }
            What::Changed(index) => {
                let change = &self.engine.recording().changes[index as usize];
                let scope = self.engine.scope_of(change).map(|uses| scope_path(self.engine.library(), &uses));
                let by = change.by.map(|by| self.name(by).path);
                let (name, value) = (change.name.clone(), change.value.clone());
                self.events.changes.push(Changed { time_s, name, value, scope, by });
            }
            What::Note(index) => {
                let note = &self.engine.recording().notes[index as usize];
                let (kind, text) = match &note.told {
                    Told::Log(text) => ("log", text.to_string()),
                    Told::Warning(text) => ("warning", text.to_string()),
                    Told::Run(fact) => ("run", fact.to_string()),
                };
                let attempt = match note.told {
                    Told::Run(RunFact::Again { attempt, .. }) => Some(attempt),
                    _ => None,
                };
                let path = note.step.map(|step| self.name(step).path);
                self.events.log.push(Logged { time_s, kind, path, text, attempt });
            }
            What::Scene(index) => {
                let ObjectChange { change, by } = &self.engine.recording().scene[index as usize];
                let by = by.map(|by| self.name(by).path);
                let (object, what, pose) = (change.object.clone(), change.what.word(), change.world_from_object);
                self.events.scene.push(ObjectChanged { time_s, object, what, pose, by });
            }
            What::Measured(index) => {
                let (step, measured) = self.engine.recording().measured[index as usize];
                let path = self.name(step).path;
                self.events.measured.push(MeasuredAt { time_s, path, measured });
            }
        }
    }

    fn start(&mut self, id: InstanceId, start_s: f64) -> usize {
        let Name { label, kind, path, node } = self.name(id);
        self.events.order.push(id);
        self.events.steps.push(StepRun {
            node: label,
            id: node,
            path,
            kind,
            start_s,
            end_s: None,
            result: None,
            reason: String::new(),
            outcome: None,
            row: 0,
        });
        self.events.steps.len() - 1
    }
}

/// Names from the root down through the skill uses that lead to a scope.
fn scope_path(library: &Library, uses: &[NodeId]) -> String {
    let mut path = String::new();
    for via in uses {
        let Some(owner) = library.owner_of(*via) else { continue };
        let definition = library.get(owner);
        if *via != definition.root {
            path += &definition.path(*via);
        }
    }
    if path.is_empty() { "/".to_owned() } else { path }
}
