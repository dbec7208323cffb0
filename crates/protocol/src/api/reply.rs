//! What it gets for it.

use model::NodeId;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;

use super::recorded::*;
use super::trials::*;
use super::view::*;
use super::workshop::RobotGuessView;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Reply {
    /// Of the request.
    pub reply: u32,
    #[serde(flatten)]
    pub outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "one is made, written as text and gone")]
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
    /// Other files use it: ask the person, then do it `anyway`.
    InUse,
    /// The robot refused it, or it came too late.
    RobotRefused,
    /// No link to the robot now.
    NoRobot,
    /// Too many requests, or more edits than the robot takes: wait a moment, then do it again.
    TooMany,
    /// Page, client, operator process and robot process are not of one version.
    OtherVersion,
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
        /// Those without files, too.
        #[serde(default)]
        folders: Vec<String>,
    },
    /// Text for the clipboard.
    Copied {
        text: String,
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
    /// One of them: what it gives, or why it gives nothing.
    Value {
        #[ts(type = "unknown")]
        value: Json,
        why: Option<String>,
    },
    Robot(RobotView),
    RobotGuess(Box<RobotGuessView>),
    /// Where it is now.
    RobotWritten {
        file: String,
        path: String,
    },
    Preview {
        steps: Vec<PreviewView>,
    },
    /// In the order in which they begin.
    Expected {
        steps: Vec<ExpectedView>,
    },
    Capabilities {
        /// In the folder `capabilities`.
        files: Vec<String>,
        told: Option<CapabilitiesView>,
    },
    Synthesized(SynthesizedView),
    Recordings {
        recordings: Vec<RecordingEntry>,
        /// Where they are.
        folder: String,
        bytes: f64,
        /// Above this the oldest go.
        most_bytes: f64,
    },
    Recording(Box<RecordingView>),
    Moment(Box<MomentView>),
    Range(RangeView),
    Picture(PictureView),
    Cloud(CloudView),
    Marks {
        marks: Vec<MarkView>,
    },
    /// None: the same steps did the same things in the same ticks.
    Compared {
        difference: Option<DifferenceView>,
    },
    Replayed(ReplayedView),
    WhatIf(Box<WhatIfView>),
    Suites {
        suites: Vec<SuiteView>,
    },
    /// None: no trial was started since this operator process began.
    Trial {
        trial: Option<TrialView>,
    },
}
