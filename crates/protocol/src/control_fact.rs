use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What became of run control, and what the robot does for it by itself. Shown, it is its sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ControlFact {
    HeldBy(Arc<str>),
    Free,
    /// The robot stops, because whoever is in control is out of reach.
    StoppedWithout(Arc<str>),
    /// Steps that somebody led one by one do not go on without them.
    NobodyLeads,
    /// The engine did not take an edit: it stops and gets the tree anew.
    TreeAnew {
        why: String,
    },
}

impl fmt::Display for ControlFact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ControlFact::HeldBy(name) => write!(out, "{name} is in control"),
            ControlFact::Free => out.write_str("nobody is in control"),
            ControlFact::StoppedWithout(name) => write!(out, "{name} is out of reach: stopped"),
            ControlFact::NobodyLeads => out.write_str("nobody leads these steps: nothing more starts"),
            ControlFact::TreeAnew { why } => {
                write!(out, "an edit was not taken by the engine, which stops and gets the whole tree anew: {why}")
            }
        }
    }
}
