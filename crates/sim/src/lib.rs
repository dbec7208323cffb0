//! Simulated robots and the worlds they are in, behind the interface every robot implements.

mod fault;
mod injection;
mod kinematic;
mod mjcf;
pub mod world;

pub use fault::{FaultKind, FaultPlan, FaultPlanError, PlannedFault};
pub use kinematic::{CONTROL_PERIOD_NS, KinematicRobot};
pub use mjcf::scene_mjcf;
pub use world::{PlacedWorld, World, WorldError};
