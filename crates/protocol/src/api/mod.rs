//! Between an operator process and its clients: the page and scripts.
//!
//! A client opens the web socket `/api/v1`, sends [`Request`]s as JSON text and gets for each one [`Reply`] with its
//! number, and [`Push`]es in between. The first request is [`Ask::Hello`]. Robot states come as binary messages of
//! [`crate::api::ROBOT_STATE`]'s form on the same socket; clouds and pictures on `/api/v1/bulk`, acknowledged one by one.

mod ask;
mod body;
mod push;
mod recorded;
mod reply;
mod trials;
mod view;
mod workshop;

pub use ask::*;
pub use body::*;
pub use push::*;
pub use recorded::*;
pub use reply::*;
pub use trials::*;
pub use view::*;
pub use workshop::*;

/// A client says it in its hello; one that speaks another is told to reload or to be updated.
pub const VERSION: u32 = 5;

/// x, y, z in metres, then the quaternion x, y, z, w, as `Pose::numbers` gives them.
pub type PoseView = [f64; 7];

/// First byte of a binary message: then little-endian `f64` engine time in seconds, `f32` base pose (x, y, z, qx, qy,
/// qz, qw), `u16` flags, `u16` number of joints, `f32` each joint in the robot's order.
pub const ROBOT_STATE: u8 = 1;
/// `f64` time, `f32` origin x, y, z, `u32` points, `i16` millimetres from the origin x of all, y of all, z of all, then
/// `u8` red, green, blue, alpha of each.
pub const CLOUD: u8 = 2;
/// `f64` time, `u16` width, `u16` height, name of the camera as `u8` length and text, then `u8` red, green, blue of each.
pub const PICTURE: u8 = 3;
/// As [`ROBOT_STATE`]: the robot of this session's preview, in the time of its engine.
pub const PREVIEW_STATE: u8 = 4;
