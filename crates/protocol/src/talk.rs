//! Between robot and operator. What travels on which part of the link:
//!
//! | link | from operator | from robot |
//! |---|---|---|
//! | command, answer | [`Demand`] as JSON | [`Reply`] as JSON |
//! | stream overview | – | [`Overview`] packed, whenever another behavior is opened |
//! | stream edits | [`ToRobot`] packed | [`News`] packed |
//! | stream snapshot | a whole behavior to open, [`Update`] of a packed [`Whole`] with what lies beside it behind, in [`pieces`] | the whole behavior, alone, in pieces too |
//! | stream history | – | [`Happening`]s in order, a packed list |
//! | latest robot, run | – | [`crate::report::RobotReport`], [`crate::report::RunReport`] |
//! | keyed presence | [`Presence`] of a person, packed | of every person |
//! | keyed detail | – | [`Detail`], packed, each under [`Detail::key`] |
//! | keyed scene | – | [`SceneAt`] packed, each under [`SceneAt::key`] |
//! | keyed cloud, image | – | tiles |

use std::sync::Arc;

pub use engine::{AskedOf, HeldBy};
use engine::{Control, Instance, RunFact, Verdict};
use model::NodeId;
use model::hash::{Fnv, spread};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Role;
pub use crate::control_fact::ControlFact;
pub use crate::tree::{MOST_BYTES, MOST_NODES, News, Pieces, Sent, ToRobot, Whole, pieces};

/// Both sides say it, in the overview and in every order; those who differ do nothing but stop.
pub const VERSION: u16 = 7;

/// Where a robot listens unless told otherwise.
pub const PORT: u16 = 4440;

/// Bits of the flags in a robot report.
pub mod flags {
    pub const WALKING: u16 = 1;
    /// Was told to stop and comes to rest.
    pub const STOPPING: u16 = 1 << 1;
    /// Takes no command that would move it.
    pub const FROZEN: u16 = 1 << 2;
    /// Takes no commands at all.
    pub const FAULTED: u16 = 1 << 3;
    pub const LEFT_FOOT_DOWN: u16 = 1 << 4;
    pub const RIGHT_FOOT_DOWN: u16 = 1 << 5;
    /// It has a fault, with which it may yet work.
    pub const HAS_FAULTS: u16 = 1 << 6;
}

/// Something that somebody wants of the robot. A stop is none: it is a message of the link's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Demand {
    /// Who wants it; the operator process vouches for that.
    pub by: Arc<str>,
    pub role: Role,
    /// What they do in the team, as they say themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team_role: Option<Arc<str>>,
    /// In which of their windows.
    pub session: SessionNumber,
    pub what: Want,
}

/// An order with the version that its sender speaks; one that says none speaks an old one.
#[derive(Serialize, Deserialize)]
struct Said<T> {
    #[serde(default)]
    version: u16,
    #[serde(flatten)]
    order: T,
}

impl Demand {
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(&Said { version: VERSION, order: self }).expect("orders have text as keys")
    }

    /// The error is for whoever gave it.
    pub fn from_bytes(bytes: &[u8]) -> std::result::Result<Demand, String> {
        let wrong = |error: serde_json::Error| format!("this is no order: {error}");
        let said: Said<serde_json::Map<String, serde_json::Value>> = serde_json::from_slice(bytes).map_err(wrong)?;
        let is_order = ["by", "role", "what"].iter().all(|part| said.order.contains_key(*part));
        if is_order && said.version != VERSION {
            return Err(other_version(VERSION, said.version));
        }
        serde_json::from_slice::<Said<Demand>>(bytes).map(|said| said.order).map_err(wrong)
    }
}

/// What the people are told where robot and operator differ.
pub fn other_version(robot: u16, operator: u16) -> String {
    let older = if robot < operator { "robot" } else { "operator" };
    // Those before version 3 did not say it.
    let operator = if operator == 0 { "an older one".to_owned() } else { format!("version {operator}") };
    format!(
        "the robot process speaks version {robot} and the operator process {operator}: update the {older} process; until \
         then only stop works"
    )
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    /// Needs run control, but for [`Control::Stop`].
    Run(Control),
    /// Run control for whoever asks. Somebody else's only a supervisor takes.
    TakeControl,
    /// Hands run control to another person, or to nobody.
    GiveControl(Option<Heir>),
    /// Tells who pressed the stop that was sent before as a message of the link: that names an operator process only.
    PressedStop,
    /// Runs the behavior sent before on the stream of snapshots, of this epoch, in the world as it is or in the simulated
    /// one of this name. Needs run control and a robot that has stopped.
    Open { epoch: u64, world: Option<Arc<str>> },
    /// The simulated world begins anew, or another one of this name does. Needs run control and a robot that has stopped.
    ResetWorld(Option<Arc<str>>),
    /// What this operator wants to see beside the state.
    Watch { clouds: bool, images: bool },
    /// One picture or cloud, on any link. Answered when it is on its way.
    Look(Look),
}

/// One picture, or one region of a cloud.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Else a picture.
    pub cloud: bool,
    /// None: the first camera that sees something.
    pub camera: Option<Arc<str>>,
    /// Left, top, right, bottom in 255ths of the picture; none: all of it.
    pub region: Option<[u8; 4]>,
}

/// Names a session among all of a robot: one window of a browser, or one script. The same after a reload, and through
/// another operator process; nobody can choose that of somebody else.
pub type SessionNumber = u64;

/// To whom run control is handed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heir {
    pub name: Arc<str>,
    /// None: the session of that name which was heard last.
    pub session: Option<SessionNumber>,
}

impl From<&str> for Heir {
    fn from(name: &str) -> Heir {
        Heir { name: name.into(), session: None }
    }
}

/// Who has run control, and in which session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    pub name: Arc<str>,
    pub session: SessionNumber,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    Done,
    Refused(String),
}

/// A piece of the shared tree: what the replica gave, for the document of this epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    pub epoch: u64,
    pub bytes: Vec<u8>,
}

impl Update {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut all = Vec::with_capacity(8 + self.bytes.len());
        all.extend(self.epoch.to_le_bytes());
        all.extend(&self.bytes);
        all
    }

    /// None: too short to be one.
    pub fn from_bytes(all: &[u8]) -> Option<Update> {
        let (epoch, bytes) = all.split_first_chunk::<8>()?;
        Some(Update { epoch: u64::from_le_bytes(*epoch), bytes: bytes.to_vec() })
    }
}

/// Bytes as one block: a list of numbers would take two bytes for half of them.
pub(crate) mod bytes {
    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        from.deserialize_bytes(Block)
    }

    struct Block;

    impl Visitor<'_> for Block {
        type Value = Vec<u8>;

        fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            out.write_str("bytes")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }
    }
}

/// Enough to act: who this is, what is loaded, its top levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    pub version: u16,
    /// The robot's name among robots, such as `coact-one at the door`.
    pub name: Arc<str>,
    /// The robot description, by name.
    pub robot: Arc<str>,
    pub file: Arc<str>,
    pub epoch: u64,
    pub nodes: Vec<Top>,
    /// Of the cell and the templates that came with the behavior, [`Beside::digest`]; none: it has its own.
    pub beside: Option<u64>,
    /// The key the operator has here may do this much.
    pub role: Role,
    /// Robot and world are simulated.
    pub simulated: bool,
    /// The world can begin anew.
    pub resets: bool,
}

impl Overview {
    /// Of an overview by whatever version.
    pub fn version_of(bytes: &[u8]) -> Option<u16> {
        postcard::take_from_bytes(bytes).ok().map(|(version, _)| version)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Top {
    pub id: NodeId,
    pub parent: Option<NodeId>,
    pub name: Arc<str>,
    pub kind: Arc<str>,
}

/// Names an instance in what robot and operator tell each other: both compute it from the tree, [`instance_number`]. Of
/// 56 bits, which pack into 8 bytes: among the 200,000 nodes of the largest tree two are equal in one of 3 million trees.
pub type InstanceNumber = u64;

/// Something that happened in the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Happening {
    /// Milliseconds of the engine's time.
    pub at_ms: u64,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum What {
    Started(InstanceNumber),
    Ended {
        step: InstanceNumber,
        result: Verdict,
        outcome: Option<Arc<str>>,
        reason: Option<Arc<str>>,
    },
    Note {
        kind: NoteKind,
        step: Option<InstanceNumber>,
        text: Arc<str>,
    },
    /// None: of the whole run.
    Run {
        step: Option<InstanceNumber>,
        fact: RunFact,
    },
    Control(ControlFact),
    /// Another behavior, or the same from its beginning: nothing of before counts.
    Anew,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    Log,
    Warning,
    /// Who commanded what, and what became of it.
    Audit,
}

/// A latest value beside the packed reports. One with nothing in it has gone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Detail {
    /// `of`: the skill use whose variable it is, 0 the behavior itself; none: a world variable. The value is JSON.
    Variable {
        of: Option<InstanceNumber>,
        name: Arc<str>,
        value: Option<String>,
    },
    Token {
        name: Arc<str>,
        holder: Option<String>,
    },
    /// A track by its owner, none the root: where its next is and why that does not start.
    Track {
        owner: Option<InstanceNumber>,
        /// Which of the owner's tracks, in their order: the branches of a parallel run at once.
        branch: u16,
        at: Option<TrackAt>,
    },
    Question {
        step: InstanceNumber,
        asked: Option<Question>,
    },
    /// What a condition judges; none when it does no longer.
    Measured {
        step: InstanceNumber,
        value: Option<Measured>,
    },
    Run(RunDetail),
    /// Told once there is one.
    Late(LateTicks),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackAt {
    /// None: behind the last step.
    pub next: Option<InstanceNumber>,
    pub automatic: bool,
    pub waits: String,
    /// Where next goes when the lock that keeps it opens.
    pub kept_next: Option<InstanceNumber>,
    /// Who added or freed the step at next without being in control: it waits to be admitted.
    pub added_by: Option<Arc<str>>,
    /// What waits here for *continue*.
    pub held: Vec<Held>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    pub step: InstanceNumber,
    pub by: HeldBy,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    pub text: String,
    /// The answers there are, where it asks to choose.
    pub options: Vec<String>,
    pub kind: AnswerKind,
    /// Of an object or a template: of this class only.
    pub class: Option<String>,
    pub of: AskedOf,
    /// The role in the team that is asked; empty: none.
    pub team_role: String,
    /// Of several: each of them.
    pub parts: Vec<AskedPart>,
}

/// One of several things that are asked for at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AskedPart {
    /// What it is called in the answer.
    pub name: String,
    pub kind: AnswerKind,
    pub class: Option<String>,
}

/// What a question takes for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum AnswerKind {
    /// One of its options.
    Choice,
    Number,
    Text,
    Bool,
    /// A map: x_m, y_m, z_m, roll_deg, pitch_deg, yaw_deg in the world.
    Pose,
    /// A map: x_m, y_m, z_m in the world.
    Point,
    /// The name of an object.
    Object,
    /// The name of an object that is placed as a template.
    Template,
    /// The name of a frame.
    Frame,
    /// A map with each of its parts.
    Several,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    pub value: f64,
    pub unit: String,
    pub holds: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunDetail {
    pub in_control: Option<Holder>,
    pub autonomy: model::Autonomy,
    pub concurrency: bool,
    pub paused: bool,
    pub locks: Vec<InstanceNumber>,
    pub breakpoints: Vec<InstanceNumber>,
}

/// Ticks of the robot's engine that took longer than the time between two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LateTicks {
    pub count: u32,
    pub worst_us: u32,
    pub last_us: u32,
    /// In the engine's time.
    pub last_at_ms: u64,
}

impl Detail {
    /// Equal for two values of one thing.
    pub fn key(&self) -> u32 {
        match self {
            Detail::Variable { of, name, .. } => number(1, &of.unwrap_or(u64::MAX).to_le_bytes(), name.as_bytes()),
            Detail::Token { name, .. } => number(2, &[], name.as_bytes()),
            Detail::Track { owner, branch, .. } => number(3, &owner.unwrap_or(0).to_le_bytes(), &branch.to_le_bytes()),
            Detail::Question { step, .. } => number(4, &step.to_le_bytes(), &[]),
            Detail::Measured { step, .. } => number(5, &step.to_le_bytes(), &[]),
            Detail::Run(_) => number(6, &[], &[]),
            Detail::Late(_) => number(11, &[], &[]),
        }
    }
}

pub fn instance_number(instance: &Instance) -> InstanceNumber {
    let uses: Vec<u8> = instance.uses.iter().flat_map(|id| id.0.to_le_bytes()).collect();
    wide_number(0, &uses, &instance.node.0.to_le_bytes()) >> 8
}

/// The key of a latest value.
fn number(kind: u8, place: &[u8], name: &[u8]) -> u32 {
    (wide_number(kind, place, name) >> 32) as u32
}

/// Near names far apart.
fn wide_number(kind: u8, place: &[u8], name: &[u8]) -> u64 {
    spread(Fnv::new().with(&[kind]).with(place).with(&[0xff]).with(name).finish())
}

/// Packed for the link, small; read back by [`unpack`].
pub fn pack<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("these types have known lengths")
}

/// None: not what the other side packs.
pub fn unpack<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Option<T> {
    unpack_borrowed(bytes)
}

/// The same, where parts of the bytes are used as they are.
pub fn unpack_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// Who looks where, a session each. The key is a number that the operator process gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    pub name: Arc<str>,
    pub role: Role,
    pub team_role: Option<Arc<str>>,
    pub session: SessionNumber,
    /// None: they have left.
    pub at: Option<Looks>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Looks {
    pub node: Option<NodeId>,
    pub edits: bool,
    /// They ask whoever has run control for it.
    pub wants_control: bool,
}

/// Something that is somewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SceneAt {
    Object(ObjectAt),
    Detection(DetectionAt),
    Solid(SolidAt),
    Outline(OutlineAt),
}

impl SceneAt {
    /// Equal for two places of one thing.
    pub fn key(&self) -> u32 {
        match self {
            SceneAt::Object(object) => number(7, &[], object.name.as_bytes()),
            SceneAt::Detection(detection) => number(8, &detection.number.to_le_bytes(), &[]),
            SceneAt::Solid(solid) => number(9, &solid.number.to_le_bytes(), &[]),
            SceneAt::Outline(outline) => number(10, &outline.number.to_le_bytes(), &[]),
        }
    }
}

/// Position in metres, then the quaternion x, y, z, w.
pub type PoseNumbers = [f32; 7];

/// A thing that detectors see, followed over pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DetectionAt {
    /// Names it for the life of the robot's scene.
    pub number: u32,
    /// None: it is not followed any more.
    pub at: Option<Detected>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detected {
    pub class: Arc<str>,
    /// Mean of what counts, in percent.
    pub confidence: u8,
    pub pose: PoseNumbers,
    /// An object can be set up from it.
    pub stable: bool,
    /// Where in the newest picture it was seen in: the camera; left, top, right, bottom in 255ths of the picture.
    pub seen_in: Option<(Arc<str>, [u8; 4])>,
}

/// A body of a simulated world as it truly is. No robot knows this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidAt {
    pub number: u32,
    /// Counts up when the world begins anew: of an older one nothing is there any more.
    pub world: u16,
    /// Of the thing it is a part of.
    pub name: Arc<str>,
    pub form: Form,
    /// Red, green, blue, alpha.
    pub colour: [u8; 4],
    pub pose: PoseNumbers,
}

/// Something of the robot's terrain, seen from above.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutlineAt {
    pub number: u32,
    /// As of a [`SolidAt`].
    pub world: u16,
    pub name: Arc<str>,
    /// In the way; else something to step on.
    pub obstacle: bool,
    /// x and y in the world.
    pub corners_m: Vec<[f32; 2]>,
}

/// In its own frame, about its middle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Sizes along x and y, without end where zero.
    Plane {
        size_m: [f32; 2],
    },
    Sphere {
        radius_m: f32,
    },
    /// Along z; the length is without the caps.
    Capsule {
        radius_m: f32,
        length_m: f32,
    },
    /// Along z.
    Cylinder {
        radius_m: f32,
        length_m: f32,
    },
    Box {
        size_m: [f32; 3],
    },
}

/// An object of the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectAt {
    pub name: Arc<str>,
    /// None: it has gone.
    pub pose: Option<PoseNumbers>,
    pub class: Option<Arc<str>>,
    pub stale: bool,
    pub frozen: bool,
}
