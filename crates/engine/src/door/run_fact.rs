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
    /// What the step chose among its strategies.
    Chose(Chose),
    /// An attempt of the step has ended.
    Tried(Tried),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Chose {
    /// How far the task is; none: it has no states.
    #[cfg_attr(feature = "typescript", ts(type = "number | string | null"))]
    pub state: Option<Value>,
    /// None: no strategy is safe.
    pub strategy: Option<Arc<str>>,
    pub among: Arc<[Considered]>,
}

/// A strategy, and what is expected of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Considered {
    pub strategy: Arc<str>,
    pub expected_s: f64,
    /// Why it is not safe there; none: it is, as far as anybody knows.
    pub not_safe: Option<NotSafe>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NotSafe {
    #[cfg_attr(feature = "typescript", ts(type = "number | string"))]
    pub at: Value,
    pub sense: Arc<str>,
    pub expected: f64,
    pub max: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Tried {
    pub strategy: Arc<str>,
    /// From 1 on.
    pub attempt: u32,
    /// How many have counted so far, this one with them.
    pub counted: u32,
    pub why: Arc<str>,
    /// Samples that were kept of it.
    pub samples: u32,
}

impl fmt::Display for NotSafe {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotSafe { at, sense, expected, max } = self;
        if *at != Value::Text("".into()) {
            write!(out, "at {at} ")?;
        }
        write!(out, "{expected:.1} of `{sense}` is expected, and its limit is {max:.1}")
    }
}

impl fmt::Display for Chose {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.strategy {
            Some(strategy) => write!(out, "chose `{strategy}`")?,
            None => out.write_str("no strategy is safe")?,
        }
        if let Some(state) = &self.state {
            write!(out, " at {state}")?;
        }
        for (index, each) in self.among.iter().enumerate() {
            out.write_str(if index == 0 { ": " } else { "; " })?;
            match &each.not_safe {
                Some(why) => write!(out, "`{}` is not safe, {why}", each.strategy)?,
                None => write!(out, "`{}` {:.0} s", each.strategy, each.expected_s)?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tried { strategy, attempt, counted, why, samples } = self;
        write!(out, "attempt {attempt} with `{strategy}`: {why}; {counted} counted, {samples} samples kept")
    }
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
            RunFact::Chose(chose) => chose.fmt(out),
            RunFact::Tried(tried) => tried.fmt(out),
            RunFact::With { values } => {
                let named: Vec<String> = values.iter().map(|(place, value)| format!("{place} = {value}")).collect();
                write!(out, "with {}", named.join(", "))
            }
        }
    }
}
