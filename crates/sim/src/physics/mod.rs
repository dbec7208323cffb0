//! Worlds with physics, by MuJoCo.

#[cfg(feature = "mujoco")]
mod alone;
#[cfg(feature = "mujoco")]
mod balance;
#[cfg(feature = "mujoco")]
mod body;
#[cfg(feature = "mujoco")]
mod disturb;
#[cfg(feature = "mujoco")]
mod engine;
#[cfg(feature = "mujoco")]
mod eyes;
#[cfg(feature = "mujoco")]
mod fingers;
#[cfg(feature = "mujoco")]
mod furniture;
#[cfg(feature = "mujoco")]
mod judge;
#[cfg(feature = "mujoco")]
mod library;
#[cfg(feature = "mujoco")]
mod line;
#[cfg(not(feature = "mujoco"))]
mod missing;
#[cfg(feature = "mujoco")]
mod report;
#[cfg(feature = "mujoco")]
mod robot;
#[cfg(feature = "mujoco")]
mod solids;
#[cfg(feature = "mujoco")]
mod touch;
#[cfg(feature = "mujoco")]
mod truths;

use std::sync::Arc;

use ::robot::Robot;
use thiserror::Error;

#[cfg(feature = "mujoco")]
use library::ready;
#[cfg(not(feature = "mujoco"))]
pub use missing::PhysicsRobot;
#[cfg(not(feature = "mujoco"))]
use missing::ready;
#[cfg(feature = "mujoco")]
pub use robot::PhysicsRobot;

use crate::fault::{FaultPlan, FaultPlanError};
use crate::world::World;

/// Of control and of physics.
pub const PHYSICS_PERIOD_NS: i64 = 2_000_000;

#[derive(Debug, Error)]
pub enum PhysicsError {
    #[error(
        "this program was built without physics: run `./dev setup`, then build it with ./dev, or with `--features mujoco`"
    )]
    Missing,
    #[error("MuJoCo, which worlds with physics need, cannot be used: {why}")]
    Library { why: String },
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
    #[error("the robot `{robot}` has no camera `{camera}`, which the world names; it has {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    NoCamera { robot: String, camera: String, known: Vec<String> },
    #[error("the world has no body `{body}`, which `detector.bodies` names: those of an MJCF file are `own/NAME`")]
    NoBody { body: String },
    #[error(
        "the world has no body `{body}`, which is expected to stay untouched: those of an MJCF file are `own/NAME`"
    )]
    NoUntouched { body: String },
    #[error(
        "the camera `{camera}` has no view: {why}. Move it in the robot file, or change `camera` in the world file"
    )]
    NoView { camera: String, why: String },
    #[error(transparent)]
    Faults(#[from] FaultPlanError),
}

/// How near a run came to falling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// From the centre of pressure to the edge of the support; below zero: outside.
    pub margin_m: f64,
    pub min_margin_m: f64,
    pub min_margin_at_s: f64,
    /// The longest time in a row with the centre of pressure outside; above 0.1 s the robot falls.
    pub longest_outside_s: f64,
    pub longest_outside_at_s: f64,
    /// Horizontal over vertical force.
    pub friction: f64,
    pub max_friction: f64,
    pub centre_of_pressure_m: [f64; 2],
}

/// Something happened to the world that the robot did not do.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldNote {
    pub time_ns: i64,
    pub text: String,
}

/// What became of something that the world file expects.
#[derive(Clone, Debug, PartialEq)]
pub struct TruthSeen {
    pub text: String,
    pub met: bool,
    /// When it became true, unless it was from the start; of what must not be, when it happened.
    pub at_s: Option<f64>,
    /// How many of how many, where it is about several.
    pub things: Option<(usize, usize)>,
    /// What keeps it from being true; empty if it is.
    pub why: String,
}

/// Opens worlds.
pub struct PhysicsWorld;

impl PhysicsWorld {
    /// Why no world can be opened on this machine, if none can.
    pub fn ready() -> Result<(), PhysicsError> {
        ready()
    }

    /// A robot in a world, as the seed has it.
    pub fn open(world: &World, robot: Arc<Robot>, seed: u64) -> Result<PhysicsRobot, PhysicsError> {
        PhysicsRobot::new(world.draw(seed), robot, &FaultPlan::default())
    }

    /// The same world with a start where the robot is in nothing, and where that is; none: its start is free, or its file
    /// says it, and then it is meant. Whoever writes an MJCF file has thought of another robot than ours.
    pub fn free_start(world: &World, robot: &Arc<Robot>) -> Result<Option<(World, String)>, PhysicsError> {
        crate::start::free(world, &|world| {
            PhysicsRobot::new(world.draw(0), Arc::clone(robot), &FaultPlan::default()).map(drop)
        })
    }

    /// What MuJoCo says of an MJCF file by itself; none: it takes it.
    #[cfg(feature = "mujoco")]
    pub fn message_on(file: &std::path::Path) -> Option<String> {
        alone::message(file)
    }

    #[cfg(not(feature = "mujoco"))]
    pub fn message_on(_file: &std::path::Path) -> Option<String> {
        None
    }

    /// As [`Self::open`], with a robot that does not do all it should.
    pub fn open_faulty(
        world: &World,
        robot: Arc<Robot>,
        seed: u64,
        plan: &FaultPlan,
    ) -> Result<PhysicsRobot, PhysicsError> {
        PhysicsRobot::new(world.draw(seed), robot, plan)
    }
}
