//! What is said between the processes: [`talk`] between robot and operator, over the link; [`api`] between an operator
//! process and its clients, the page and scripts. Types only: who may say what is decided where it arrives.

pub mod api;
pub mod body;
mod control_fact;
mod people;
pub mod report;
pub mod talk;
pub mod tiles;
mod tree;
pub mod typescript;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use people::{MOST_NAME, person_name, plain};

/// What a person may do. Each may do what those before it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Looks, and stops.
    #[default]
    Observer,
    /// Edits, and runs when in control.
    Operator,
    /// Takes control from whoever has it.
    Supervisor,
}
