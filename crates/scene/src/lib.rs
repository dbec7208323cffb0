//! What the robot has seen, as objects a behavior can use. Pure logic: what cameras and detectors saw comes in as
//! [`Sight`], frames of objects come out.

mod cloud;
pub mod derived;
pub mod points;
mod sight;
pub mod template;

pub use cloud::Cloud;
pub use points::{ColourRange, Shape};
pub use sight::{Detection, DetectorSettings, Sight};
