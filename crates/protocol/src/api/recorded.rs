//! Recorded runs, as they are listed, looked at and run again.

use engine::Verdict;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;

use super::PoseView;
use super::push::Push;
use super::view::{DocumentView, InstanceView};

/// One recording: the life of one behavior that was opened, with each of its runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct RecordingEntry {
    /// Names it in every request: its file without the ending.
    pub name: String,
    /// The behavior file.
    pub behavior: String,
    pub robot: Option<String>,
    pub world: Option<String>,
    pub seed: f64,
    /// Milliseconds since 1970.
    pub began_unix_ms: f64,
    pub duration_s: f64,
    /// Of the last run in it; none: nothing ran, or it was cut off.
    pub result: Option<Verdict>,
    pub reason: String,
    pub runs: Vec<RecordedRun>,
    /// Who commanded, in the order in which they first did.
    pub who: Vec<String>,
    pub bytes: f64,
    /// The budget does not take it.
    pub kept: bool,
    /// It is written now.
    pub live: bool,
    /// It was not closed: the process ended, or the disk was full. What is in it can be looked at.
    pub cut: bool,
    /// Inputs that are missing because the disk was too slow: it cannot be run again behind them.
    pub lost: f64,
    pub marks: u32,
}

/// From a beginning at the first step to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RecordedRun {
    pub began_s: f64,
    /// None: it had not ended.
    pub ended_s: Option<f64>,
    pub result: Option<Verdict>,
    pub reason: String,
}

/// A recording that was opened: all that a page needs before it asks for moments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RecordingView {
    pub entry: RecordingEntry,
    /// Version of the program, digests of program, robot, world and behavior.
    pub versions: VersionsView,
    /// The tree as it was at the beginning. Moments tell which version of the tree they belong to.
    pub document: DocumentView,
    /// Executions of steps, in the order in which they began.
    pub bars: Vec<BarView>,
    /// What happened that is no step: log, warnings, holds, commands and questions of people.
    pub lines: Vec<LineView>,
    pub marks: Vec<MarkView>,
    /// What can be plotted.
    pub channels: Vec<ChannelOf>,
    /// Edits of the tree, with the version that each led to.
    pub edits: Vec<EditedAt>,
    /// Cameras of which there are pictures.
    pub cameras: Vec<String>,
    pub has_clouds: bool,
    pub ticks: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct VersionsView {
    pub program: String,
    pub program_digest: String,
    pub robot_digest: String,
    pub world_digest: String,
    pub behavior_digest: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct BarView {
    pub step: InstanceView,
    pub path: String,
    pub kind: String,
    pub start_s: f64,
    /// None: it still ran at the end.
    pub end_s: Option<f64>,
    pub result: Option<Verdict>,
    pub outcome: Option<String>,
    pub reason: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    Log,
    Warning,
    /// Of the run as a whole: it began, it ended.
    Run,
    /// Somebody commanded something.
    Command,
    /// A step was kept from starting.
    Held,
    Edit,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LineView {
    pub at_s: f64,
    pub kind: LineKind,
    pub step: Option<InstanceView>,
    pub text: String,
}

/// A moment that somebody marked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MarkView {
    pub at_s: f64,
    pub by: String,
    pub text: String,
}

/// A number over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ChannelOf {
    /// As `joint/left_elbow/position`, `hand/left/force_x`, `variable/count`, `condition/…`.
    pub name: String,
    /// Empty: a mere number.
    pub unit: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct EditedAt {
    pub at_s: f64,
    pub version: u32,
    pub by: Option<String>,
}

/// How everything was at one moment, in the form in which it is told live: a page shows it as it shows the present.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MomentView {
    pub at_s: f64,
    pub tick: f64,
    /// Of the tree as it was then: 0 is that of the beginning.
    pub version: u32,
    /// The tree, where it was asked for and is another one than at the beginning.
    pub document: Option<DocumentView>,
    /// `run`, `variables`, `scene`, `world` and `body`.
    pub told: Vec<Push>,
    /// None: there is no robot.
    pub robot: Option<PosedView>,
    /// Where it was commanded to be, where that is known.
    pub commanded: Option<PosedView>,
    /// The newest picture of each camera, with when it was taken.
    pub pictures: Vec<(String, f64)>,
    pub cloud_s: Option<f64>,
}

/// A robot somewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PosedView {
    /// In the world.
    pub base: PoseView,
    /// In the robot's order; rad or m.
    pub joints: Vec<f64>,
    pub flags: u16,
}

/// A channel over a stretch of time, as many values as were asked for: of more, the least and the greatest of each part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RangeView {
    pub channel: String,
    pub unit: String,
    pub times_s: Vec<f64>,
    pub values: Vec<f64>,
    /// Of all values of the stretch, not only of those above.
    pub statistics: StatisticsView,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct StatisticsView {
    pub count: f64,
    pub least: f64,
    pub greatest: f64,
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
}

/// A JPEG picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PictureView {
    pub camera: String,
    pub at_s: f64,
    /// For `data:image/jpeg;base64,`.
    pub jpeg_base64: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CloudView {
    pub at_s: f64,
    /// A message of [`super::CLOUD`]'s form.
    pub points_base64: String,
}

/// Where two runs part, or a run from what it was when it is computed anew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DifferenceView {
    pub at_s: f64,
    pub tick: f64,
    pub step: Option<InstanceView>,
    pub path: String,
    /// What differs: `started`, `ended`, a variable, a command.
    pub what: String,
    #[ts(type = "unknown")]
    pub was: Json,
    #[ts(type = "unknown")]
    pub is: Json,
    /// All of it, for a person.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ReplayedView {
    /// None: it is the same, bit for bit.
    pub difference: Option<DifferenceView>,
    pub ticks: f64,
    pub duration_s: f64,
    /// Times the clock.
    pub speed: f64,
}

/// What becomes of a run with an edited tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct WhatIfView {
    pub from_s: f64,
    /// Until then it is judged by what the robot told in the recording; from then on it commands something else.
    pub recorded_until_s: Option<f64>,
    /// It went on in the simulator.
    pub simulated: bool,
    pub result: Option<Verdict>,
    pub reason: String,
    pub duration_s: f64,
    /// From the beginning, to stand under those of the recording.
    pub bars: Vec<BarView>,
    pub difference: Option<DifferenceView>,
}

/// What a tree that is tried on a recorded run meets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Against {
    /// The simulator where the run was simulated, else what was recorded.
    #[default]
    Best,
    /// What was recorded, as long as it commands the same.
    Recorded,
    Simulated,
}
