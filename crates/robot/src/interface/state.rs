use geometry::{Pose, Vector3};
use serde::{Deserialize, Serialize};

use crate::Side;
use crate::control::Standing;
use crate::interface::CommandId;

/// All that a robot tells of itself, at its control rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RobotState {
    pub time_ns: i64,
    /// One for each coordinate of the model; rad or m.
    pub positions: Vec<f64>,
    pub velocities: Vec<f64>,
    /// N·m or N.
    pub efforts: Vec<f64>,
    /// Where the root link of the model is.
    #[serde(with = "geometry::exact")]
    pub world_from_base: Pose,
    /// What the world does to each hand, in the frame of the hand; left, right.
    pub hand_wrenches: [Wrench; 2],
    pub feet: [FootState; 2],
    pub walking: WalkingState,
    /// Of commands that have not ended, and of those that ended lately, by rising id.
    pub commands: Vec<CommandStatus>,
    pub faults: Vec<Fault>,
    pub mode: Mode,
    #[serde(default, skip_serializing_if = "Vitals::is_empty")]
    pub vitals: Vitals,
}

/// What not every robot can tell of itself: what is not here is not known, and nobody makes it up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Vitals {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressure: Option<Pressure>,
    /// Of joints, or whatever else it has a name for, in degrees Celsius.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub temperatures_c: Vec<(String, f64)>,
    /// How full it is: 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub battery: Option<f64>,
}

/// Where the feet press on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pressure {
    /// Its centre: x and y in the world.
    pub centre_m: [f64; 2],
    /// From there to the edge of what the feet stand on; below zero: outside of it.
    pub margin_m: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wrench {
    pub force_n: Vector3<f64>,
    pub torque_nm: Vector3<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FootState {
    pub contact: bool,
    pub load_n: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WalkingState {
    /// Of the present walk; 0: it stands.
    pub steps: usize,
    pub steps_done: usize,
    pub swinging: Option<Side>,
    /// Steps that it cannot take in balance are refused.
    #[serde(default)]
    pub must_balance: bool,
    /// Where whoever hears of it shares memory with the robot's controller: there a walk can be gone through ahead.
    #[serde(default)]
    pub standing: Standing,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommandStatus {
    pub id: CommandId,
    pub phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    Queued,
    /// `progress` from 0 to 1 of the time it will take.
    Running {
        progress: f64,
    },
    Done,
    /// It ended before its time: overridden or stopped.
    Ended {
        reason: String,
    },
    /// Nothing of it was done.
    Refused {
        reason: String,
    },
    Failed {
        reason: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// The joint, hand or sensor.
    pub place: String,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    #[default]
    Standing,
    Walking,
    /// Was told to stop; takes commands again when at rest.
    Stopping,
    /// At rest, and takes no command that would move it until its control mode is active again.
    Frozen,
    /// Takes no commands: the faults say why.
    Faulted,
}

impl Vitals {
    pub fn is_empty(&self) -> bool {
        *self == Vitals::default()
    }
}

impl Wrench {
    pub const NONE: Wrench = Wrench { force_n: Vector3::new(0.0, 0.0, 0.0), torque_nm: Vector3::new(0.0, 0.0, 0.0) };
}

impl RobotState {
    pub fn command(&self, id: CommandId) -> Option<&Phase> {
        let place = self.commands.binary_search_by_key(&id, |status| status.id).ok()?;
        Some(&self.commands[place].phase)
    }

    /// At rest, with both feet on the ground and nothing to do.
    pub fn standing(positions: &[f64], world_from_base: &Pose) -> RobotState {
        RobotState {
            time_ns: 0,
            positions: positions.to_vec(),
            velocities: vec![0.0; positions.len()],
            efforts: vec![0.0; positions.len()],
            world_from_base: *world_from_base,
            hand_wrenches: [Wrench::NONE; 2],
            feet: [FootState { contact: true, load_n: 0.0 }; 2],
            walking: WalkingState::default(),
            commands: Vec::new(),
            faults: Vec::new(),
            mode: Mode::default(),
            vitals: Vitals::default(),
        }
    }
}
