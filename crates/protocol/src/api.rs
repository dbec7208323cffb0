//! Between an operator process and its clients: the page and scripts. Version 1.
//!
//! A client opens the web socket `/api/v1`, sends [`Request`]s as JSON text and gets for each one [`Reply`] with its
//! number, and [`Push`]es in between. The first request is [`Ask::Hello`]. Robot states come as binary messages of
//! [`crate::api::ROBOT_STATE`]'s form on the same socket; clouds and pictures on `/api/v1/bulk`, acknowledged one by one.

use std::collections::BTreeMap;

use engine::Control;
use model::NodeId;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;

use crate::{Result as StepResult, Role, talk::NoteKind};

pub const VERSION: u32 = 1;

/// First byte of a binary message: then little-endian `f64` engine time in seconds, `f32` base pose (x, y, z, qx, qy,
/// qz, qw), `u16` flags, `u16` number of joints, `f32` each joint in the robot's order.
pub const ROBOT_STATE: u8 = 1;
/// `f64` time, `f32` origin x, y, z, `u32` points, `i16` millimetres from the origin x of all, y of all, z of all, then
/// `u8` red, green, blue, alpha of each.
pub const CLOUD: u8 = 2;
/// `f64` time, `u16` width, `u16` height, name of the camera as `u8` length and text, then `u8` red, green, blue of each.
pub const PICTURE: u8 = 3;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Request {
    /// The reply carries it.
    pub id: u32,
    #[serde(flatten)]
    pub ask: Ask,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Ask {
    /// Who this is. The token decides the role; without one only a client on this machine is let in.
    Hello {
        version: u32,
        #[serde(default)]
        #[ts(optional)]
        token: Option<String>,
        #[serde(default)]
        #[ts(optional)]
        name: Option<String>,
    },
    /// Behaviors and skills in the folder of this operator: [`Answer::Files`].
    Files,
    /// Loads a file onto the robot, which must have stopped; needs run control. Refused while changes are not saved,
    /// unless they are to be discarded.
    Open {
        file: String,
        #[serde(default)]
        discard: bool,
    },
    /// An empty behavior of this name, loaded onto the robot as by `open`.
    New {
        file: String,
        #[serde(default)]
        discard: bool,
    },
    /// Writes changed files, all or those named. `overwrite`: also those that changed on disk meanwhile.
    Save {
        #[serde(default)]
        #[ts(optional)]
        files: Option<Vec<String>>,
        #[serde(default)]
        overwrite: bool,
    },
    /// The whole document again: [`Answer::Document`].
    Document,
    /// Changes the tree: [`Answer::Edited`].
    Edit {
        operation: Operation,
    },
    /// Takes back this person's last operation.
    Undo,
    Redo,
    /// Everything wrong with the behavior: [`Answer::Problems`].
    Check,
    /// Who changed what, newest first: [`Answer::History`].
    History {
        most: u32,
    },
    /// Every node type with its settings and their JSON Schema: [`Answer::NodeTypes`].
    NodeTypes,
    /// What the robot is made of, to draw it: [`Answer::Robot`].
    Robot,
    /// Needs run control; refused by the robot when it arrives later than `valid_for_s` (2 s unless given).
    Run {
        #[ts(type = "Control")]
        control: Control,
        #[serde(default)]
        #[ts(optional)]
        valid_for_s: Option<f64>,
    },
    /// Allowed to everybody, always. Answered when the robot has it.
    Stop,
    TakeControl,
    /// To a person by name, or to nobody.
    GiveControl {
        to: Option<String>,
    },
    /// What is pushed, and how often at most; nothing but the document, the run and the link until asked.
    Watch {
        topics: Topics,
    },
    /// What steps would do, from where each before would leave the robot, or one step from where it is now:
    /// [`Answer::Preview`]. Computed here.
    Preview {
        #[serde(default)]
        #[ts(type = "string | null")]
        node: Option<NodeId>,
    },
    /// On the bulk socket: one message was taken, another may come. Not replied to.
    Ack,
    /// Where this person looks, for the others.
    Presence {
        #[ts(type = "string | null")]
        node: Option<NodeId>,
        #[serde(default)]
        edits: bool,
    },
}

/// What a person does to the tree. Each is one step of undo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Operation {
    /// A new node of a type, with settings.
    Add {
        #[ts(type = "string")]
        parent: NodeId,
        index: usize,
        kind: String,
        #[serde(default)]
        name: String,
        #[serde(default)]
        #[ts(type = "Record<string, unknown>")]
        settings: serde_json::Map<String, Json>,
    },
    Delete {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
    },
    Move {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
        #[ts(type = "string")]
        parent: NodeId,
        index: usize,
    },
    /// Several settings of one node; null gives the default back.
    Set {
        #[ts(type = "string")]
        node: NodeId,
        #[ts(type = "Record<string, unknown>")]
        settings: serde_json::Map<String, Json>,
    },
    /// A setting that names another node.
    Refer {
        #[ts(type = "string")]
        node: NodeId,
        field: String,
        #[ts(type = "string")]
        target: NodeId,
    },
    Rename {
        #[ts(type = "string")]
        node: NodeId,
        name: String,
    },
    Notes {
        #[ts(type = "string")]
        node: NodeId,
        notes: String,
    },
    Retype {
        #[ts(type = "string")]
        node: NodeId,
        kind: String,
    },
    Duplicate {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
    },
    /// Puts nodes into a new one of this type, in their place.
    Wrap {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
        kind: String,
    },
    Unwrap {
        #[ts(type = "string")]
        node: NodeId,
    },
    /// Left becomes right.
    Mirror {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
        /// A mirrored copy behind the original instead.
        #[serde(default)]
        copy: bool,
    },
    /// A subtree becomes a skill file of its own.
    Extract {
        #[ts(type = "string")]
        node: NodeId,
        file: String,
    },
    /// A use of a skill becomes the skill's own nodes.
    Inline {
        #[ts(type = "string")]
        node: NodeId,
    },
    /// Goals become where the robot is now.
    SetToRobot {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
    },
    /// The same goals, given in another frame.
    ChangeFrame {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
        frame: String,
    },
    /// Variables of a file with their first values.
    Variables {
        file: String,
        #[ts(type = "Record<string, unknown>")]
        variables: serde_json::Map<String, Json>,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Topics {
    /// Robot states a second; 0 none.
    pub robot_hz: f64,
    /// Happenings of the run, for timeline and log.
    pub happenings: bool,
    pub variables: bool,
    pub scene: bool,
    pub clouds: bool,
    pub pictures: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Reply {
    /// Of the request.
    pub reply: u32,
    #[serde(flatten)]
    pub outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Ok(Answer),
    Error(Failure),
}

/// Why something was not done. Nothing of it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Failure {
    pub code: FailureCode,
    /// What is wrong, where, and what to do.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// Not understood, or out of limits.
    BadRequest,
    /// The role or run control is missing.
    NotAllowed,
    /// The tree or a file does not allow it.
    Refused,
    /// A file changed on disk since it was read; ask the person, then save with `overwrite`.
    ChangedOnDisk,
    /// The robot refused it, or it came too late.
    RobotRefused,
    /// No link to the robot now.
    NoRobot,
    /// Too many requests.
    TooMany,
    /// A fault of ours or of the machine, such as a full disk.
    Failed,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Answer {
    Done,
    Welcome(Welcome),
    Files {
        files: Vec<FileEntry>,
    },
    Document(DocumentView),
    /// `created`: the tops of what is new, to be selected.
    Edited {
        #[ts(type = "string[]")]
        created: Vec<NodeId>,
        version: u32,
    },
    Saved {
        files: Vec<String>,
    },
    Problems {
        problems: Vec<ProblemView>,
    },
    History {
        entries: Vec<HistoryEntry>,
    },
    /// `types` as `coact nodes --json` prints them, `common` the settings that every node may have, with their schema,
    /// `functions` what expressions may call.
    NodeTypes {
        #[ts(type = "unknown")]
        types: Json,
        #[ts(type = "unknown")]
        common: Json,
        #[ts(type = "unknown")]
        functions: Json,
    },
    Robot(RobotView),
    Preview {
        steps: Vec<PreviewView>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Welcome {
    pub version: u32,
    pub name: String,
    pub role: Role,
    /// The robot this operator process is for, where it is known yet.
    pub robot: Option<String>,
    /// Whether robot and world are simulated, so that a page may offer a fresh start.
    pub simulated: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FileEntry {
    pub file: String,
    /// A skill declares inputs or outputs, or lies in a folder of skills.
    pub skill: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct DocumentView {
    /// Counts up with every change; `robot_has` in [`Push::Delivery`] is about it.
    pub version: u32,
    /// The behavior first, then its skills.
    pub files: Vec<FileView>,
    pub nodes: Vec<NodeView>,
    pub undo: Option<String>,
    pub redo: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FileView {
    pub file: String,
    #[ts(type = "string")]
    pub root: NodeId,
    pub unsaved: bool,
    #[ts(type = "Record<string, unknown>")]
    pub variables: serde_json::Map<String, Json>,
    #[ts(type = "unknown")]
    pub inputs: Json,
    #[ts(type = "unknown")]
    pub outputs: Json,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct NodeView {
    #[ts(type = "string")]
    pub id: NodeId,
    #[ts(type = "string | null")]
    pub parent: Option<NodeId>,
    /// Index into the document's files.
    pub file: u32,
    pub kind: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(as = "Option<String>", optional)]
    pub notes: String,
    #[ts(type = "string[]")]
    pub children: Vec<NodeId>,
    /// Those written; the rest has its default.
    #[ts(type = "Record<string, unknown>")]
    pub settings: serde_json::Map<String, Json>,
    /// Settings that name another node, with that node's id.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    #[ts(type = "Record<string, string>", optional)]
    pub references: serde_json::Map<String, Json>,
    /// Of a use of a skill: the file it uses, as an index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub skill: Option<u32>,
    /// Of a fallback: how many of its children are its try.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tries: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ProblemView {
    pub error: bool,
    pub file: String,
    #[ts(type = "string | null")]
    pub node: Option<NodeId>,
    pub field: Option<String>,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryEntry {
    pub who: String,
    /// Milliseconds since 1970.
    pub when_ms: f64,
    pub what: String,
    #[ts(type = "string[]")]
    pub nodes: Vec<NodeId>,
}

/// What to draw: links with their shapes, joints with their axes, all in the order of a robot state's joints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RobotView {
    pub name: String,
    /// Its URDF, whose primitives and meshes the page draws.
    pub urdf: String,
    /// Names in the order of the joints of a robot state.
    pub joints: Vec<String>,
    /// Parts of the body with their joints, from the trunk outward.
    pub parts: BTreeMap<String, Vec<String>>,
    pub presets: Vec<String>,
    pub grips: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PreviewView {
    pub step: InstanceView,
    pub path: String,
    pub problem: Option<String>,
    pub duration_s: f64,
    /// 0 to 1 good, above 1 not reached.
    pub quality: f64,
    /// x, y, z, qx, qy, qz, qw.
    pub base: Vec<f64>,
    /// In the order of a robot state's joints.
    pub joints: Vec<f64>,
    /// Each a list of poses as `base`.
    pub hand_paths: Vec<Vec<Vec<f64>>>,
    #[ts(type = "unknown")]
    pub footsteps: Json,
    pub collisions: Vec<(String, String)>,
}

/// A node of the running tree: the skill uses that lead to it, then its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InstanceView {
    #[ts(type = "string[]")]
    pub uses: Vec<NodeId>,
    #[ts(type = "string")]
    pub node: NodeId,
}

/// What the server says unasked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "push", rename_all = "snake_case")]
pub enum Push {
    /// Another behavior is open, or this one was replaced.
    Document(DocumentView),
    /// What an edit changed.
    Changed {
        version: u32,
        by: String,
        what: String,
        files: Vec<FileView>,
        nodes: Vec<NodeView>,
        #[ts(type = "string[]")]
        removed: Vec<NodeId>,
        undo: Option<String>,
        redo: Option<String>,
    },
    /// The robot's replica has everything up to this version.
    Delivery {
        robot_has: u32,
    },
    /// What merging did to somebody's work.
    Notice {
        text: String,
        #[ts(type = "string | null")]
        node: Option<NodeId>,
    },
    Run(RunView),
    Happened {
        happenings: Vec<HappeningView>,
    },
    /// Variables that changed, and tokens.
    Variables {
        variables: Vec<VariableView>,
        tokens: Vec<TokenView>,
    },
    Scene {
        objects: Vec<ObjectView>,
        detections: Vec<ObjectView>,
        /// Those of the body that every robot has.
        frames: Vec<FrameView>,
    },
    People {
        people: Vec<PersonView>,
    },
    Link(LinkView),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct RunView {
    pub mode: Mode,
    pub time_s: f64,
    pub automatic: bool,
    pub paused: bool,
    pub concurrency: bool,
    /// off, low, high, full.
    pub autonomy: String,
    pub in_control: Option<String>,
    /// The root's next; none: behind the last step.
    pub next: Option<InstanceView>,
    /// Why the step at next does not start; empty: nothing holds it.
    pub waits: String,
    pub running: Vec<RunningView>,
    /// Steps that have come to an end, with how, since the run began.
    pub results: Vec<ResultView>,
    pub tracks: Vec<TrackView>,
    pub questions: Vec<QuestionView>,
    pub locks: Vec<InstanceView>,
    pub breakpoints: Vec<InstanceView>,
    pub measured: Vec<MeasuredView>,
    /// How the run ended, where it has: `the behavior succeeded`, `the behavior ended: failure: …`, `stopped: …`.
    pub ended: Option<String>,
    /// Runs that began since this operator process looks.
    pub runs: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    #[default]
    Stopped,
    Manual,
    Automatic,
    Paused,
    Stopping,
    Failed,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RunningView {
    pub step: InstanceView,
    pub since_s: f64,
    /// 0 to 1.
    pub progress: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ResultView {
    pub step: InstanceView,
    pub result: StepResult,
    pub outcome: Option<String>,
    pub reason: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TrackView {
    pub owner: Option<InstanceView>,
    pub next: Option<InstanceView>,
    pub automatic: bool,
    pub waits: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct QuestionView {
    pub step: InstanceView,
    pub text: String,
    pub options: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MeasuredView {
    pub step: InstanceView,
    pub value: f64,
    pub unit: String,
    pub holds: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HappeningView {
    pub at_s: f64,
    #[serde(flatten)]
    pub what: HappenedWhat,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum HappenedWhat {
    Started {
        step: InstanceView,
    },
    Ended {
        step: InstanceView,
        result: StepResult,
        outcome: Option<String>,
        reason: Option<String>,
    },
    Note {
        kind: NoteKind,
        step: Option<InstanceView>,
        text: String,
    },
    /// The run begins anew: clear what was shown.
    Anew,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct VariableView {
    pub name: String,
    /// The skill use it belongs to; none: the behavior's own, or the world's.
    pub of: Option<InstanceView>,
    /// Brought by robot or cell: cannot be set.
    pub world: bool,
    #[ts(type = "unknown")]
    pub value: Json,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TokenView {
    pub name: String,
    pub holder: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ObjectView {
    pub name: String,
    /// x, y, z, qx, qy, qz, qw in the world.
    pub pose: Option<Vec<f64>>,
    pub class: Option<String>,
    pub stale: bool,
    pub frozen: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FrameView {
    pub name: String,
    /// x, y, z, qx, qy, qz, qw in the world.
    pub pose: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PersonView {
    pub name: String,
    pub role: Role,
    #[ts(type = "string | null")]
    pub node: Option<NodeId>,
    pub edits: bool,
    pub in_control: bool,
    /// The person this is sent to.
    pub me: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct LinkView {
    pub quality: Quality,
    pub round_trip_ms: Option<f64>,
    /// 0 to 1.
    pub loss: f64,
    /// How old the robot's state is that is shown.
    pub state_age_ms: Option<f64>,
    pub stop_pending: bool,
    /// Part of the document the robot does not have yet, in bytes.
    pub waiting_bytes: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    #[default]
    NotConnected,
    Down,
    Poor,
    Good,
}
