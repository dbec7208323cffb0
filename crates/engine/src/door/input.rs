use std::sync::Arc;

use experience::{Batch, Line};
use model::{Autonomy, Edit, NodeId, Value};
use robot::interface::RobotState;
use serde::{Deserialize, Serialize};

use super::job::{Job, JobAnswer, JobId};
use super::record::InstanceId;
use crate::Verdict;
use crate::world::FrameAt;

/// Names a node of the running tree: the skill uses and gosub calls that lead to it, outermost first, then its id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Instance {
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<NodeId>,
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub node: NodeId,
}

impl From<NodeId> for Instance {
    fn from(node: NodeId) -> Instance {
        Instance { uses: Vec::new(), node }
    }
}

/// Everything that reaches the engine in one tick: one value that can be recorded and given again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TickInput {
    pub time_ns: i64,
    /// First in its tick, whatever else arrives.
    #[serde(default, skip_serializing_if = "is_false")]
    pub stop: bool,
    /// Why, where nobody pressed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_why: Option<Arc<str>>,
    /// New values of world variables: robot state, mapped signals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<(Arc<str>, Value)>,
    /// The robot's state, where there is a robot and it has told a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub robot: Option<Arc<RobotState>>,
    /// Where objects are now: those that are new or have moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<FrameAt>,
    /// What cameras and their detectors told since the last tick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sights: Vec<Arc<scene::Sight>>,
    /// Commands another tree sent, for those who wait for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub received: Vec<Sent>,
    /// Jobs that are done. What nobody waits for any more is passed over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub finished: Vec<(JobId, JobAnswer)>,
    /// Claimed parts the robot reports at rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub still: Vec<Arc<str>>,
    /// Batches: each applies whole or not at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<EditBatch>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Command>,
    /// All that is stored of attempts at tasks, where it was not given yet or has changed otherwise than by this engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experience: Option<Arc<Vec<Batch>>>,
}

fn is_false(value: &bool) -> bool {
    !value
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditBatch {
    pub id: u64,
    pub edits: Vec<Edit>,
    /// None: of whoever is in control, as far as the engine is concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Editor>,
}

/// On whose behalf an edit comes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Editor {
    pub name: Arc<str>,
    /// What the edits of somebody else would start is held until it is admitted.
    pub in_control: bool,
}

impl EditBatch {
    /// Who made it, if that person is not in control.
    pub(crate) fn outsider(&self) -> Option<&Arc<str>> {
        self.by.as_ref().filter(|by| !by.in_control).map(|by| &by.name)
    }
}

/// An output command of a behavior: a name and values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    pub command: Arc<str>,
    #[serde(default)]
    pub values: Vec<(Arc<str>, Value)>,
}

/// An operator's command. The answer carries the id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Command {
    pub id: u64,
    #[serde(flatten)]
    pub what: Control,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Control {
    /// Lets every track trigger by itself, or none.
    Automatic {
        on: bool,
    },
    /// Triggers the next concurrent set of a track; the root's if none is named. `into`: a composite that it starts
    /// waits for presses inside, too.
    Press {
        #[cfg_attr(feature = "typescript", ts(optional))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        track: Option<Instance>,
        #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
        #[serde(default)]
        into: bool,
    },
    /// Lets a held step go on: its track is automatic again and passes the breakpoint once; a held result is reported.
    /// None is named: all that breakpoints hold.
    Continue {
        #[cfg_attr(feature = "typescript", ts(optional))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<Instance>,
    },
    /// Moves a track's next to a node.
    SetNext {
        to: Instance,
    },
    /// The first step is next, and automatic is on. Refused while anything runs.
    FromStart,
    /// Moves the root's next by this many steps.
    MoveNext {
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        by: i64,
    },
    Pause {
        on: bool,
    },
    /// Stops as [`TickInput::stop`] does; there so that every operator verb is a command too.
    Stop,
    ResetFailures,
    /// Turns execute-after layering on or off.
    Concurrency {
        on: bool,
    },
    /// Runs this node and what is below it, then stops.
    RunOnly {
        node: Instance,
    },
    AutonomyLevel {
        level: Autonomy,
    },
    Lock {
        node: Instance,
        on: bool,
    },
    Breakpoint {
        node: Instance,
        on: bool,
    },
    /// Lets a step start that is held because somebody who is not in control added or freed it; all such if none is
    /// named.
    Admit {
        #[cfg_attr(feature = "typescript", ts(optional))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<Instance>,
    },
    /// Ends a running step as the operator says.
    Force {
        step: Instance,
        verdict: Verdict,
        #[cfg_attr(feature = "typescript", ts(optional))]
        #[serde(default)]
        outcome: Option<Arc<str>>,
    },
    /// Answers a question or an input that runs.
    Answer {
        step: Instance,
        #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
        value: Value,
    },
    /// Sets a variable of the behavior or, with `uses`, of a skill use.
    SetVariable {
        #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        uses: Vec<NodeId>,
        name: Arc<str>,
        #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
        value: Value,
    },
    /// Lets an object of the scene stay where it is, or follow again.
    FreezeObject {
        object: Arc<str>,
        on: bool,
    },
    /// Takes an object out of the scene.
    DeleteObject {
        object: Arc<str>,
    },
    /// Puts an object into the scene, in the place of one of the same name.
    PlaceObject(Placement),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Placement {
    pub object: Arc<str>,
    /// What kind of thing it is: a template of that class can be used with it.
    #[cfg_attr(feature = "typescript", ts(optional))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Arc<str>>,
    pub frame: Arc<str>,
    /// In the frame as it is in that tick: x, y, z in metres, then the quaternion x, y, z, w.
    #[cfg_attr(feature = "typescript", ts(type = "number[]"))]
    pub pose: [f64; 7],
}

/// What a tick gives to the outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TickOutput {
    pub sent: Vec<Sent>,
    pub answers: Vec<Answer>,
    /// Work to begin. Its answer comes with a later tick.
    pub jobs: Vec<(JobId, Job)>,
    /// Nobody waits for these any more; they may be among those to begin.
    pub cancelled_jobs: Vec<JobId>,
    /// For the robot, in their order, behind the stops below.
    pub commands: Vec<robot::interface::Command>,
    /// Objects of the scene that are new or have moved, for a robot that follows them.
    pub frames: Vec<FrameAt>,
    /// For the detectors behind the cameras, in their order.
    pub detectors: Vec<scene::DetectorSettings>,
    /// The robot must stop, all of it, now.
    pub stop: bool,
    /// These parts must stop: the step that moves them does not come to rest by itself.
    pub stop_parts: Vec<Arc<str>>,
    /// The robot must hold where it is, or go on.
    pub hold: Option<bool>,
    /// To be stored behind what is there, in their order.
    pub learned: Vec<Line>,
}

impl TickOutput {
    pub(crate) fn clear(&mut self) {
        self.sent.clear();
        self.answers.clear();
        self.jobs.clear();
        self.cancelled_jobs.clear();
        self.commands.clear();
        self.frames.clear();
        self.detectors.clear();
        self.stop = false;
        self.stop_parts.clear();
        self.hold = None;
        self.learned.clear();
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub id: u64,
    /// None: done. Else why it was refused.
    pub refused: Option<String>,
}

/// A question or an input that waits for its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub step: InstanceId,
    pub text: String,
    pub accepts: Accepts,
    pub of: AskedOf,
    /// Of [`AskedOf::TeamRole`], which one.
    pub team_role: String,
}

/// Who may answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AskedOf {
    /// Whoever is in control of the run.
    #[default]
    InControl,
    /// Everybody who is there, also those who only look.
    Anybody,
    /// Every operator and supervisor.
    Operator,
    /// Every supervisor.
    Supervisor,
    /// Whoever has the role in the team that `team_role` names.
    TeamRole,
}

/// One of several things that are asked for at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// What it is called in the answer.
    pub name: String,
    pub accepts: Accepts,
}

/// What answers a question or an input. Anything else is refused, and it goes on asking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Accepts {
    OneOf(Vec<String>),
    Number,
    Text,
    Bool,
    /// Where and how something is in the world: a map with `x_m`, `y_m`, `z_m`, `roll_deg`, `pitch_deg`, `yaw_deg`.
    Pose,
    /// A place in the world: a map with `x_m`, `y_m`, `z_m`.
    Point,
    /// The name of an object of the scene; of this class only, if there is one.
    Object(Option<String>),
    /// The name of an object that is placed as the template of this class; of any class if there is none.
    Template(Option<String>),
    /// The name of a frame.
    Frame,
    /// A map with each of them under its name.
    Several(Vec<Part>),
}

const PLACE: [&str; 3] = ["x_m", "y_m", "z_m"];
const TURN: [&str; 3] = ["roll_deg", "pitch_deg", "yaw_deg"];

impl Accepts {
    /// Why a value is no answer; none: it is one, as far as it says itself what it is.
    pub fn refusal(&self, value: &Value) -> Option<String> {
        let (is_one, wanted) = match self {
            Accepts::OneOf(options) => return not_among(options, value),
            Accepts::Several(parts) => return parts.iter().find_map(|part| part.refusal(value)),
            Accepts::Number => (matches!(value, Value::Number(_)), "a number"),
            Accepts::Text => (matches!(value, Value::Text(_)), "a text"),
            Accepts::Bool => (matches!(value, Value::Bool(_)), "true or false"),
            Accepts::Pose => (has_numbers(value, &PLACE) && has_numbers(value, &TURN), "a pose"),
            Accepts::Point => (has_numbers(value, &PLACE), "a point"),
            Accepts::Object(_) => (is_name(value), "the name of an object"),
            Accepts::Template(_) => (is_name(value), "the name of an object that is placed as a template"),
            Accepts::Frame => (is_name(value), "the name of a frame"),
        };
        (!is_one).then(|| format!("`{value}` is no answer: it asks for {wanted}"))
    }
}

impl Part {
    fn refusal(&self, value: &Value) -> Option<String> {
        let entry = match value {
            Value::Map(entries) => entries.get(&*self.name),
            _ => None,
        };
        match entry {
            None => Some(format!("the answer has no `{}`", self.name)),
            Some(entry) => self.accepts.refusal(entry).map(|why| format!("{}: {why}", self.name)),
        }
    }
}

fn not_among(options: &[String], value: &Value) -> Option<String> {
    if options.is_empty() {
        return Some("the question offers no answers: force its result".to_owned());
    }
    let is_one = matches!(value, Value::Text(text) if options.iter().any(|option| **option == **text));
    (!is_one).then(|| format!("`{value}` is not among the answers: {}", options.join(", ")))
}

fn is_name(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.trim().is_empty())
}

fn has_numbers(value: &Value, names: &[&str]) -> bool {
    let Value::Map(entries) = value else { return false };
    names.iter().all(|name| matches!(entries.get(*name), Some(Value::Number(_))))
}
