//! Poses of frames in frames. A pose is named after both: `world_from_hand` takes a point given in the hand to the
//! world, and `world_from_chest * chest_from_hand` is `world_from_hand`. Lengths in metres, angles in radians; files
//! people read hold degrees.

mod angles;
pub mod exact;
mod pose;
mod serial;

pub use angles::RollPitchYaw;
pub use nalgebra::{Matrix3, Point3, Unit, UnitQuaternion, Vector3};
pub use pose::{Distance, Pose};
