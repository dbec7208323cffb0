//! What the robot has seen, as objects a behavior can use. Pure logic: what cameras and detectors saw comes in as
//! [`Sight`], frames of objects come out.

mod block;
mod cloud;
mod composite;
mod depth;
pub mod derived;
mod detector;
mod measures;
mod object;
pub mod points;
mod scene;
mod sight;
pub mod template;
mod tracking;

pub use cloud::Cloud;
pub use composite::{Composite, CompositeKind};
pub use depth::{Depths, Pinhole};
pub use detector::{DetectError, Detector, Detectors, Found, Picture};
pub use measures::Measures;
pub use object::{Changed, DOOR_FRAME, Object, ObjectKind, SceneChange, SceneUpdate};
pub use points::{ColourRange, Shape};
pub use scene::{Asked, Scene, SceneError};
pub use sight::{Detection, DetectorSettings, Sight};
pub use tracking::{DetectionId, InPicture, PersistentDetection, TrackingSettings};
