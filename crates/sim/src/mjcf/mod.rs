//! Worlds and robots as MJCF, the files MuJoCo reads.

mod element;
mod limits;
mod parts;
mod robot;
mod scene;
pub(crate) mod wxyz;

pub(crate) use element::Element;
pub(crate) use limits::check;
pub(crate) use parts::{Sections, Surface, armature_with, body, free_body, touch};
pub(crate) use robot::{RobotNames, Servo, UNSEEN_GROUP, body_links, hand_links, rigid_links};
pub use scene::scene_mjcf;
pub(crate) use scene::{OWN_PREFIX, PARKED_M, blocker_name, is_robot};
