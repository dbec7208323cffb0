//! What the robot has seen, as objects a behavior can use. Pure logic: what cameras and detectors saw comes in as
//! [`Sight`], frames of objects come out.

mod cloud;
mod detector;
mod sight;

pub use cloud::Cloud;
pub use detector::{Detector, Detectors, Found, Picture, SightSource};
pub use sight::{Detection, DetectorSettings, Sight};
