//! The link over Zenoh, for networks of many robots and operators with routers between them.
//!
//! Zenoh finds robots by name and carries the link's own datagrams; everything the link promises (sealed, done once,
//! never late, stop first) holds as over UDP, because it is the same link on both ends. A gateway stands beside each
//! process and speaks UDP with it on the loopback interface:
//!
//! ```text
//! coact operator ──udp── gateway ──zenoh, routers── gateway ──udp── coact robot
//! ```
//!
//! Nothing of it is built without the feature `zenoh`.

#[cfg(feature = "zenoh")]
mod gateway;
#[cfg(feature = "zenoh")]
mod names;
#[cfg(feature = "zenoh")]
mod session;

#[cfg(feature = "zenoh")]
pub use gateway::{OperatorGateway, RobotGateway};
#[cfg(feature = "zenoh")]
pub use session::{Mesh, MeshConfig, MeshError};
