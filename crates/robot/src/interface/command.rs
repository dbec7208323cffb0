use std::sync::Arc;

use geometry::Pose;
use serde::{Deserialize, Serialize};

use crate::Side;
use crate::interface::{Footstep, Wrench};

/// Given by the engine, counting up: the same run gives the same ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommandId(pub u64);

/// What a robot is told to do with some of its joints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Command {
    pub id: CommandId,
    pub queueing: Queueing,
    pub order: Order,
}

/// What happens to earlier commands that move one of the same joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Queueing {
    /// They end; this one starts from where they have come.
    #[default]
    Override,
    /// They finish first.
    Queue,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Order {
    /// Arms, spine, neck, any set of joints; not the legs of a robot that stands on them.
    Joints(JointPath),
    Hand(HandPath),
    /// One after the other; the pelvis goes along.
    Footsteps {
        steps: Vec<Footstep>,
    },
    /// Finger joints of a hand, each to its position at its own speed, rad/s.
    Fingers {
        side: Side,
        targets: Vec<(Arc<str>, f64)>,
        speeds: Vec<f64>,
    },
    /// Opening as an angle between the fingers, force at which closing gives way.
    Gripper {
        side: Side,
        opening_rad: f64,
        force_limit_n: f64,
    },
    /// The feet stay where they are; `frame_from_pelvis` holds the height and orientation wanted, x and y are kept
    /// unless `moves_sideways`.
    Pelvis {
        frame: Frame,
        #[serde(with = "geometry::exact")]
        frame_from_pelvis: Pose,
        moves_sideways: bool,
        duration_s: f64,
    },
    /// The foot leaves the ground; the robot stands on the other one.
    Foot {
        side: Side,
        frame: Frame,
        #[serde(with = "geometry::exact")]
        frame_from_sole: Pose,
        duration_s: f64,
    },
    /// Presses with a hand, as well as it can be done by joint efforts, for a time.
    Wrench {
        side: Side,
        frame: Frame,
        wrench: Wrench,
        duration_s: f64,
    },
    /// 1: as built; smaller is softer.
    Stiffness {
        joints: Vec<Arc<str>>,
        share: f64,
    },
    /// These joints come to rest and their commands end.
    Stop {
        joints: Vec<Arc<str>>,
    },
    /// Of the whole robot, until told otherwise.
    Mode {
        mode: ControlMode,
    },
}

/// Whether a robot moves when it is told to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ControlMode {
    /// It does what it is told.
    #[default]
    Active,
    /// Everything comes to rest as after a stop and stays there: whatever would move it is refused.
    Frozen,
}

/// What a pose is given in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    World,
    Link(Arc<str>),
    /// On the ground between the feet, facing as the pelvis.
    Walking,
    /// An object; whoever commands the robot tells it where that is.
    Named(Arc<str>),
}

/// Positions at times; between them smooth, through each without stopping but the last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointPath {
    pub joints: Vec<Arc<str>>,
    pub waypoints: Vec<JointWaypoint>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointWaypoint {
    /// From the start of the command; rising.
    pub time_s: f64,
    /// One for each joint of the path.
    pub positions: Vec<f64>,
}

/// Poses of a hand at times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandPath {
    pub side: Side,
    pub reach: Reach,
    pub frame: Frame,
    pub waypoints: Vec<HandWaypoint>,
    /// Solved anew while the frame moves; else the path is fixed in the world when the command starts.
    pub follow: bool,
    /// When the command is done, the hand stays where it is in the world while the body moves, until its arm is told
    /// something else.
    #[serde(default)]
    pub hold: bool,
}

/// What moves for a hand to get somewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    #[default]
    Arm,
    ArmAndSpine,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandWaypoint {
    pub time_s: f64,
    #[serde(with = "geometry::exact")]
    pub frame_from_hand: Pose,
}
