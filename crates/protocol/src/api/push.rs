//! What the server says unasked.

use engine::{RunFact, Verdict};
use model::{Autonomy, NodeId};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;

use super::PoseView;
use super::body::BodyView;
use super::view::*;
use crate::Role;
use crate::report::RunMode;
use crate::talk::{AnswerKind, AskedOf, AskedPart, ControlFact, Form, HeldBy, NoteKind};

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
        /// All of them, or none where they are as they were.
        files: Vec<FileView>,
        /// New ones, and those that are different; the latter without their children.
        #[ts(type = "(Omit<NodeView, \"children\"> & Partial<Pick<NodeView, \"children\">>)[]")]
        nodes: Vec<NodeView>,
        #[ts(type = "string[]")]
        removed: Vec<NodeId>,
        /// Of those that were there before and have others now.
        children: Vec<ChildrenView>,
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
        detections: Vec<DetectionView>,
        /// Those of the body that every robot has.
        frames: Vec<FrameView>,
        /// Where cameras are: x forward, y left, z up.
        cameras: Vec<FrameView>,
    },
    /// What is around, as far as it has changed.
    World {
        /// Nothing of before counts.
        whole: bool,
        /// Of a simulated world, as it truly is; no robot knows this.
        solids: Vec<SolidView>,
        /// Of the terrain that the robot was given.
        outlines: Vec<OutlineView>,
    },
    /// Of the robot's body, as often as `body_hz` of [`Topics`](super::Topics) asks.
    Body(BodyView),
    People {
        people: Vec<PersonView>,
    },
    /// The robot has said who it is.
    RobotIs {
        robot: String,
        simulated: bool,
        /// Its world can begin anew.
        resets: bool,
    },
    /// The robot process is another one, or tells everything again: nothing that was told of the run counts any more.
    RobotAnew,
    Link(LinkView),
    /// The preview of this session began, is faster or slower, or has ended.
    PreviewMode {
        on: Option<PreviewModeView>,
        /// Why it ended, where nobody ended it.
        ended: Option<String>,
    },
    /// `run`, `happened`, `variables` or `scene` of this session's preview; not of the robot.
    Preview {
        told: Box<Push>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PreviewModeView {
    /// Times the clock.
    pub speed: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct RunView {
    pub mode: RunMode,
    /// The engine's clock.
    pub time_s: f64,
    /// How long the run takes or took, by the same clock; none: none began since this operator process looks.
    pub run_s: Option<f64>,
    pub automatic: bool,
    pub paused: bool,
    pub concurrency: bool,
    /// off, low, high, full.
    pub autonomy: Autonomy,
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
    /// What waits for `continue`.
    pub held: Vec<HeldView>,
    pub locks: Vec<InstanceView>,
    pub breakpoints: Vec<InstanceView>,
    pub measured: Vec<MeasuredView>,
    /// How the run ended, where it has.
    pub ended: Option<RunEnd>,
    /// Runs that began since this operator process looks.
    pub runs: u32,
    /// Ticks of the robot that took too long; none: there was none.
    pub late: Option<LateView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunEnd {
    pub result: Verdict,
    /// Why it did not succeed.
    pub reason: Option<String>,
    /// Somebody or something stopped it; else it came to its own end.
    pub stopped: bool,
    /// All of it, for a person.
    pub text: String,
}

/// Ticks that took longer than the time between two.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct LateView {
    pub count: u32,
    pub worst_ms: f64,
    pub last_ms: f64,
    /// In the engine's time.
    pub last_at_s: f64,
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
    pub result: Verdict,
    pub outcome: Option<String>,
    pub reason: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TrackView {
    pub owner: Option<InstanceView>,
    pub next: Option<InstanceView>,
    pub automatic: bool,
    pub waits: String,
    /// Where next goes when the lock that keeps it opens.
    pub kept_next: Option<InstanceView>,
    /// Who added or freed the step at next without being in control: `admit` lets it start.
    pub added_by: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct QuestionView {
    pub step: InstanceView,
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

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HeldView {
    pub step: InstanceView,
    pub by: HeldBy,
    /// For people.
    pub reason: String,
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
        result: Verdict,
        outcome: Option<String>,
        reason: Option<String>,
    },
    Note {
        kind: NoteKind,
        step: Option<InstanceView>,
        text: String,
    },
    /// What became of the run, or of a step beside its start and end; `text` says it to a person.
    Run {
        step: Option<InstanceView>,
        fact: RunFact,
        text: String,
    },
    Control {
        fact: ControlFact,
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
    #[ts(as = "Option<Vec<f64>>")]
    pub pose: Option<PoseView>,
    pub class: Option<String>,
    pub stale: bool,
    pub frozen: bool,
}

/// A thing that detectors see, followed over pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DetectionView {
    /// Names it for as long as the robot follows it.
    pub number: u32,
    pub class: String,
    /// 0 to 1.
    pub confidence: f64,
    /// x, y, z, qx, qy, qz, qw in the world.
    #[ts(as = "Vec<f64>")]
    pub pose: PoseView,
    /// An object can be set up from it.
    pub stable: bool,
    /// Where in the picture of which camera it was last seen.
    pub seen_in: Option<SeenInView>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SeenInView {
    pub camera: String,
    /// Left, top, right, bottom as shares of the picture.
    #[serde(rename = "box")]
    pub shares: [f64; 4],
}

/// A body of a simulated world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SolidView {
    pub number: u32,
    pub name: String,
    pub form: Form,
    /// Red, green, blue, alpha, 0 to 255.
    pub colour: [u8; 4],
    /// x, y, z, qx, qy, qz, qw in the world.
    #[ts(as = "Vec<f64>")]
    pub pose: PoseView,
}

/// Something of the robot's terrain, seen from above.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct OutlineView {
    pub number: u32,
    pub name: String,
    /// In the way; else something to step on.
    pub obstacle: bool,
    /// x and y in the world.
    pub corners: Vec<[f64; 2]>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FrameView {
    pub name: String,
    /// x, y, z, qx, qy, qz, qw in the world.
    #[ts(as = "Vec<f64>")]
    pub pose: PoseView,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PersonView {
    pub name: String,
    /// Names this session for `give_control`; no secret.
    pub session: String,
    pub role: Role,
    /// What they do in the team, as they say themselves.
    pub team_role: Option<String>,
    #[ts(type = "string | null")]
    pub node: Option<NodeId>,
    pub edits: bool,
    /// They ask whoever is in control for it.
    pub wants_control: bool,
    pub in_control: bool,
    /// The session this is sent to.
    pub me: bool,
    /// Another session of the person this is sent to.
    pub other_window: bool,
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
    /// The one that carries everything first, then the fast one where there is one.
    pub channels: Vec<ChannelView>,
    /// Clouds and pictures come only one at a time, when asked for by `look`.
    pub narrow: bool,
    /// What is left of the bytes that this operator process may send and get, where a budget was set.
    pub budget_left_bytes: Option<f64>,
}

/// Bytes on the wire, headers counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ChannelView {
    /// It gets through, as far as is known.
    pub up: bool,
    /// In the last whole second.
    pub sent_bytes_s: f64,
    pub received_bytes_s: f64,
    /// Never more than this is sent in a second; zero: nothing is sent on it from here.
    pub most_bytes_s: f64,
    /// Since this operator process began.
    pub sent_bytes: f64,
    pub received_bytes: f64,
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
