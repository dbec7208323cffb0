//! Games of a robot against what answers it: formulas of GR(1), the part of temporal logic whose games are quickly won
//! or lost. For requests with sensors and formulas of a user's own; slower than the core, and more general.

mod formula;
mod game;
mod machine;
mod spec;
mod strategy;

pub use formula::{Formula, Unreadable, read};
pub use game::{Answer, TooLarge, solve};
pub use machine::{Machine, State};
pub use spec::{Named, Outside, Part, Spec};
pub use strategy::{NotSteps, Place, Strategy};
