use std::fmt;
use std::sync::Arc;

use model::Value;
use serde::{Deserialize, Serialize};

use crate::{End, Verdict};

/// What became of the run, or of a step beside its start and its end. Shown, it is its sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RunFact {
    Began,
    /// By itself.
    Ended {
        result: Verdict,
        reason: Option<Box<str>>,
    },
    Stopped {
        why: Box<str>,
    },
    Paused,
    Resumed,
    Edited,
    /// The step failed and is tried again.
    Again {
        attempt: u32,
        of: u32,
    },
    /// What the settings of the step that are values of the moment are from here on, by their places.
    With {
        #[cfg_attr(feature = "typescript", ts(type = "Array<[string, unknown]>"))]
        values: Arc<[(Arc<str>, Value)]>,
    },
}

impl RunFact {
    pub(crate) fn ended(end: &End) -> RunFact {
        RunFact::Ended { result: end.verdict, reason: end.reason.clone() }
    }
}

impl fmt::Display for RunFact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunFact::Began => out.write_str("the behavior runs"),
            RunFact::Ended { result: Verdict::Success, .. } => out.write_str("the behavior succeeded"),
            RunFact::Ended { result, reason: Some(reason) } if !reason.is_empty() => {
                write!(out, "the behavior ended: {}: {reason}", result.word())
            }
            RunFact::Ended { result, .. } => write!(out, "the behavior ended: {}", result.word()),
            RunFact::Stopped { why } => write!(out, "stopped: {why}"),
            RunFact::Paused => out.write_str("paused"),
            RunFact::Resumed => out.write_str("resumed"),
            RunFact::Edited => out.write_str("the tree was edited"),
            RunFact::Again { attempt, of } => write!(out, "failed; attempt {attempt} of {of} follows"),
            RunFact::With { values } => {
                let named: Vec<String> = values.iter().map(|(place, value)| format!("{place} = {value}")).collect();
                write!(out, "with {}", named.join(", "))
            }
        }
    }
}
