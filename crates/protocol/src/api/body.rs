//! A robot's body as it is told to clients, live and of a recorded moment.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::body::SourceKind;

/// What the robot feels and how it is. What it does not tell is empty or none, and is not to be shown as if it were well.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct BodyView {
    /// The engine's clock.
    pub at_s: f64,
    /// In the robot's order of joints: rad/s or m/s.
    pub velocities: Vec<f64>,
    /// N·m or N.
    pub efforts: Vec<f64>,
    /// Left, right.
    pub hands: Vec<HandView>,
    pub feet: Vec<FootView>,
    pub pressure: Option<PressureView>,
    /// Corners of what it stands on, x and y in the world, counterclockwise.
    pub support: Vec<[f64; 2]>,
    /// How high that is.
    pub ground_m: f64,
    pub faults: Vec<FaultView>,
    /// Beyond those that there was room for.
    pub more_faults: u32,
    pub temperatures: Vec<TemperatureView>,
    /// 0 to 1.
    pub battery: Option<f64>,
    /// What tells again and again, as it reaches the behavior; of a recorded moment there are none.
    pub sources: Vec<SourceView>,
}

/// What the world does to a hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct HandView {
    /// Along x, y, z of the hand: N, and N·m.
    pub force: [f64; 3],
    pub torque: [f64; 3],
    /// Where the hand is, and the force, in the world.
    pub at: [f64; 3],
    pub world_force: [f64; 3],
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct FootView {
    pub contact: bool,
    /// N.
    pub load: f64,
    /// Where its sole is, in the world.
    pub at: [f64; 3],
}

/// The centre of pressure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct PressureView {
    /// x and y in the world.
    pub at: [f64; 2],
    /// In m, to the edge of what it stands on; below zero: outside.
    pub margin: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FaultView {
    pub place: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TemperatureView {
    pub place: String,
    pub celsius: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SourceView {
    pub kind: SourceKind,
    pub name: String,
    pub per_s: f64,
    /// From when it was so until it reached the behavior.
    pub delay_ms: f64,
}
