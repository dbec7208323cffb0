//! Simulated robots and the worlds they are in, behind [`site::Driver`], as every robot is.
//!
//! [`KinematicRobot`] goes exactly where its controller wants it, in simulated time, as fast as it is asked to. What goes
//! wrong with it is a [`FaultPlan`]. [`PhysicsRobot`] has weight and motors and is in a [`World`] that pushes back.

mod fault;
mod injection;
mod kinematic;
#[cfg_attr(not(feature = "mujoco"), expect(dead_code, unused_imports, reason = "the physics reads them"))]
mod mjcf;
mod physics;
#[cfg_attr(not(feature = "mujoco"), expect(dead_code, unused_imports, reason = "the physics reads them"))]
mod sight;
mod start;
pub mod world;

pub use fault::{FaultKind, FaultPlan, FaultPlanError, PlannedFault};
pub use kinematic::{CONTROL_PERIOD_NS, KinematicRobot};
pub use mjcf::scene_mjcf;
pub use physics::{Balance, PHYSICS_PERIOD_NS, PhysicsError, PhysicsRobot, PhysicsWorld, TruthSeen, WorldNote};
pub use sight::SimulatedDetector;
pub use world::{PlacedWorld, World, WorldError};
