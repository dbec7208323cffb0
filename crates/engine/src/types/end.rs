use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// How a step or a track ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Success,
    Failure,
    /// Overridden, deleted, or stopped by a policy or by stop: starts no catch and fails no track.
    Halted,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Success => "success",
            Verdict::Failure => "failure",
            Verdict::Halted => "halted",
        }
    }
}

/// A result, with its named outcome ("slipped", "skipped", an operator's answer) and a sentence a person can act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    pub verdict: Verdict,
    pub outcome: Option<Arc<str>>,
    pub reason: Option<Box<str>>,
}

impl End {
    pub const SUCCESS: End = End { verdict: Verdict::Success, outcome: None, reason: None };

    pub fn failure(reason: impl Into<String>) -> End {
        End { verdict: Verdict::Failure, outcome: None, reason: Some(reason.into().into_boxed_str()) }
    }

    pub fn halted(reason: impl Into<String>) -> End {
        End { verdict: Verdict::Halted, outcome: None, reason: Some(reason.into().into_boxed_str()) }
    }

    pub fn with_outcome(mut self, outcome: &str) -> End {
        self.outcome = (!outcome.is_empty()).then(|| outcome.into());
        self
    }

    pub fn with_reason(mut self, reason: impl Into<String>) -> End {
        self.reason = Some(reason.into().into_boxed_str());
        self
    }

    pub fn reason_text(&self) -> &str {
        self.reason.as_deref().unwrap_or("")
    }
}

/// What a tick of a step gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tick {
    Running,
    Ended(End),
}

impl Tick {
    pub const SUCCESS: Tick = Tick::Ended(End::SUCCESS);

    pub fn failure(reason: impl Into<String>) -> Tick {
        Tick::Ended(End::failure(reason))
    }
}

/// Whether a step that was told to halt has come to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    Done,
    StillHalting,
}
