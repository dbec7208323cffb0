//! What steps see and write: variables, claims, robot and scene.

mod asking;
mod blackboard;
mod body;
mod claims;
mod remembered;
pub(crate) mod senses;
mod state;

pub(crate) use asking::mirrored;
pub use asking::{RobotOnly, can_answer, evaluate};
pub(crate) use blackboard::{Blackboard, Update};
pub use body::{Body, FrameAt};
pub(crate) use claims::{Claims, Grant, Holder};
pub(crate) use remembered::Remembered;
pub(crate) use senses::Sense;
pub use senses::sense_names;
pub(crate) use state::{At, Watch, World};
