//! What a robot is told and what it tells, simulated or real.

mod capabilities;
mod command;
mod footstep;
mod state;

pub use capabilities::{Capabilities, Capability};
pub use command::{
    Command, CommandId, ControlMode, Frame, HandPath, HandWaypoint, JointPath, JointWaypoint, Order, Queueing, Reach,
};
pub use footstep::Footstep;
pub use state::{CommandStatus, Fault, FootState, Mode, Phase, Pressure, RobotState, Vitals, WalkingState, Wrench};

/// A command the robot will not do, and why; nothing has moved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);
