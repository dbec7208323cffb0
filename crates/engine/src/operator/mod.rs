//! What operators may tell the engine, and what waits for them.

mod by_hand;
mod control;
mod held;
mod kept_jump;
mod variables;

pub(crate) use by_hand::MOST_NAME;
pub(crate) use control::Pressed;
pub use held::{HeldBy, HeldView};
pub(crate) use kept_jump::{JumpTo, KeptJump};
