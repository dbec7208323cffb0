//! What is told of a guess: the value, why it is thought so, how sure that is, and what else it might be.

use serde::Serialize;
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Little more than a default: to be looked at first.
    Doubtful,
    /// The shape says so, or the names, but not both.
    Likely,
    /// Shape and names agree, or it was measured.
    Sure,
}

/// One value of the proposed `robot.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Guessed {
    /// Where it stands in the file: `frames.left_hand`, `presets_deg.home`, `walking`.
    pub key: String,
    pub value: Value,
    pub reason: String,
    pub confidence: Confidence,
    /// Links of the robot that the value is about, to be shown on it.
    pub links: Vec<String>,
    /// Likeliest first.
    pub alternatives: Vec<Alternative>,
}

/// Another value that may stand in the same place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alternative {
    pub value: Value,
    /// To be clicked on.
    pub link: String,
    pub reason: String,
}

impl Confidence {
    pub fn word(self) -> &'static str {
        match self {
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
