//! Worlds with physics, by MuJoCo.

#[cfg(feature = "mujoco")]
mod balance;
#[cfg(feature = "mujoco")]
mod body;
#[cfg(feature = "mujoco")]
mod disturb;
#[cfg(feature = "mujoco")]
mod engine;
#[cfg(feature = "mujoco")]
mod furniture;
#[cfg(not(feature = "mujoco"))]
mod missing;
#[cfg(feature = "mujoco")]
mod robot;
#[cfg(feature = "mujoco")]
mod touch;

use std::sync::Arc;

use ::robot::Robot;
use thiserror::Error;

#[cfg(feature = "mujoco")]
pub use balance::Balance;
#[cfg(not(feature = "mujoco"))]
pub use missing::PhysicsRobot;
#[cfg(feature = "mujoco")]
pub use robot::PhysicsRobot;

use crate::world::World;

/// Of control and of physics.
pub const PHYSICS_PERIOD_NS: i64 = 2_000_000;

#[derive(Debug, Error)]
pub enum PhysicsError {
    #[error("this program was built without physics: run `./dev setup`, then build it with ./dev")]
    Missing,
    #[error("the robot `{robot}` has no preset `{preset}` for the world to start it in; it has {}", known.join(", "))]
    NoPreset { robot: String, preset: String, known: Vec<String> },
    #[error("MuJoCo does not take the world `{world}`: {error}", error = error.trim())]
    World { world: String, error: String },
    #[error("not as MuJoCo wants it: {message}")]
    Mjcf { message: String },
    #[error(
        "the robot starts inside of something: {}. Move its start or the object in the world file",
        pairs.iter().map(|(link, thing, m)| format!("{link} is {:.0} mm in {thing}", m * 1e3)).collect::<Vec<_>>().join(", ")
    )]
    Inside { pairs: Vec<(String, String, f64)> },
}

/// Opens worlds.
pub struct PhysicsWorld;

impl PhysicsWorld {
    /// A robot in a world, as the seed has it.
    pub fn open(world: &World, robot: Arc<Robot>, seed: u64) -> Result<PhysicsRobot, PhysicsError> {
        PhysicsRobot::new(world.draw(seed), robot)
    }
}
