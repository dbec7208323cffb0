//! Simulated robots, behind the interface every robot implements.
//!
//! [`KinematicRobot`] goes exactly where its controller wants it, in simulated time, as fast as it is asked to. What goes
//! wrong with it is a [`FaultPlan`].

mod fault;
mod injection;
mod kinematic;

pub use fault::{FaultKind, FaultPlan, FaultPlanError, PlannedFault};
pub use kinematic::{CONTROL_PERIOD_NS, KinematicRobot};
