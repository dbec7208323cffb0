//! What lies between a behavior and its equipment. A [`Cell`] says what input signals mean as variables, and which
//! output signals a command sets. [`Wires`] hold the signals of a run. [`Surroundings`] are what a run loop asks before
//! each tick: the wires and, in a simulation, an environment, which is a behavior tree itself.
#![allow(
    clippy::result_large_err,
    reason = "a file that does not open is one error per run; a box would spare nothing"
)]

mod cell;
mod check;
mod evaluate;
mod json;
mod load;
mod read;
mod signals;
mod surroundings;
mod wires;

pub use cell::{Case, Cell, Command, Reading, Variable};
pub use load::VERSION;
pub use signals::{Signal, SignalKind, Signals};
pub use surroundings::{EnvironmentState, Setup, Surroundings};
pub use wires::Wires;
