//! What a robot is: its description, read from a URDF, and its kinematics.
//!
//! [`Description`] is the file, as far as it is usable, with everything wrong told.

mod description;
mod mesh;
mod problem;
mod urdf;

pub use description::{Description, Geometry, Inertial, Joint, Limits, Link, Mimic, Motion, Moving, MovingKind, Shape};
pub use mesh::MeshPath;
pub use problem::{Problem, Severity};
pub use urdf::UrdfError;
