//! What every robot implements, simulated or real: commands in, state out, capabilities asked.

mod capabilities;
mod command;
mod footstep;
mod state;

pub use capabilities::{Capabilities, Capability};
pub use command::{
    Command, CommandId, ControlMode, Frame, HandPath, HandWaypoint, JointPath, JointWaypoint, Order, Queueing, Reach,
};
pub use footstep::Footstep;
pub use state::{CommandStatus, Fault, FootState, Mode, Phase, RobotState, WalkingState, Wrench};

use std::sync::Arc;

use geometry::Pose;

use crate::Robot;

/// A command the robot will not do, and why; nothing has moved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// A robot that can be commanded. Commands are asynchronous: what becomes of one is told by the state, by its id.
pub trait RobotInterface: Send {
    fn robot(&self) -> &Arc<Robot>;

    fn capabilities(&self) -> &Capabilities;

    /// The latest there is.
    fn state(&self) -> &Arc<RobotState>;

    /// Taken, or refused with a reason before anything moves. A refusal is told by the state as well.
    fn command(&mut self, command: &Command) -> Result<(), Refusal>;

    /// Everything comes to rest as fast as the robot can, and every command ends. Always works.
    fn stop(&mut self);

    /// Where a frame that commands name is now. One that was never placed makes a command that names it refused.
    fn place_frame(&mut self, name: &str, world_from_frame: &Pose);

    /// Commands stand still where the robot can, and go on later.
    fn hold(&mut self, on: bool);

    /// Lets time pass until then. A real robot reads what has arrived.
    fn advance(&mut self, time_ns: i64);
}
