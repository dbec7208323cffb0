//! What is told of a guess: the value, why it is thought so, how sure that is, and what else it might be.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::said::FrameName;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Confidence {
    /// It was not found, or is not there.
    Missing,
    /// Little more than a default: to be looked at first.
    Doubtful,
    /// The shape says so, or the names, but not both.
    Likely,
    /// Shape and names agree, or it was measured.
    Sure,
}

/// What something that was guessed is about, and so how a person says it otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Topic {
    Frame { frame: FrameName },
    Palm,
    Part,
    Preset,
    Grip,
    Camera,
    Walking,
}

/// One value of the proposed `robot.json`, or what it follows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Guessed {
    /// Where it stands in the file: `frames.left_hand`, `presets_deg.home`, `walking`.
    pub key: String,
    pub topic: Topic,
    /// None: it was not found.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub value: Value,
    pub reason: String,
    pub confidence: Confidence,
    /// Links of the robot that the value is about, to be shown on it.
    pub links: Vec<String>,
    /// All links that are fixed to those, or that a part of the body moves.
    pub shown: Vec<String>,
    /// Likeliest first.
    pub alternatives: Vec<Alternative>,
}

/// Another value that may stand in the same place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Alternative {
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub value: Value,
    /// To be clicked on; none: it is no other link.
    pub link: Option<String>,
    pub reason: String,
}

impl Confidence {
    pub fn word(self) -> &'static str {
        match self {
            Confidence::Missing => "missing",
            Confidence::Doubtful => "doubtful",
            Confidence::Likely => "likely",
            Confidence::Sure => "sure",
        }
    }
}

impl Guessed {
    /// As the file that is written says it, for a person.
    pub fn note(&self) -> String {
        format!("{}: {}", self.confidence.word(), self.reason)
    }
}
