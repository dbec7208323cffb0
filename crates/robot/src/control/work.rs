use geometry::Pose;

use super::claim::Claim;
use super::hand::HandMotion;
use super::joints::{FingerMotion, JointMotion};
use crate::Side;
use crate::interface::{CommandId, Order, Wrench};

/// A command that runs.
#[derive(Debug)]
pub(crate) struct Running {
    pub id: CommandId,
    pub claim: Claim,
    pub work: Work,
    /// It is done; its hand stays where it is in the world. Gives way to whatever wants its joints.
    pub holds: bool,
}

/// A command that waits for earlier ones.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub id: CommandId,
    pub claim: Claim,
    pub order: Order,
}

#[derive(Debug)]
pub(crate) enum Work {
    Joints(JointMotion),
    Hand(HandMotion),
    Fingers(FingerMotion),
    /// Done by the lower body.
    Lower,
    Press(Press),
    /// Until its joints are at rest.
    Stop,
    /// Nothing is left to do.
    Nothing,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Press {
    pub side: Side,
    /// As it was when the command began.
    pub world_from_frame: Pose,
    pub wrench: Wrench,
    pub time_s: f64,
    pub duration_s: f64,
}
