//! A robot as behaviors know it: its URDF, and one small file that says what is an arm.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Description, Model, Side};

#[derive(Clone, Debug)]
pub struct Robot {
    /// Of its folder.
    pub name: String,
    pub description: Description,
    pub model: Model,
    pub frames: BodyFrames,
    pub parts: Vec<Part>,
    /// By name, sorted.
    pub presets: BTreeMap<String, Preset>,
    /// Finger postures by name, for either hand.
    pub grips: BTreeMap<String, [Preset; 2]>,
    /// One for each coordinate of the model.
    pub mirror: Vec<Mirrored>,
    pub cameras: Vec<Camera>,
    pub walking: WalkingLimits,
    pub hands: HandLimits,
}

/// Links of the model that frames are named after.
#[derive(Clone, Debug)]
pub struct BodyFrames {
    pub pelvis: usize,
    pub chest: usize,
    pub head: usize,
    /// Left, right.
    pub hands: [usize; 2],
    pub soles: [usize; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartName {
    Arm(Side),
    Hand(Side),
    Leg(Side),
    Spine,
    Neck,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub name: PartName,
    /// Of the model, from the trunk outward.
    pub coordinates: Vec<usize>,
    /// The link it hangs on.
    pub base: usize,
    /// The link it moves: palm, sole, chest, head.
    pub tip: usize,
}

/// Positions of some coordinates of the model, rad or m, by rising coordinate.
pub type Preset = Vec<(usize, f64)>;

/// What a position becomes on the other side: the coordinate there, and the sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mirrored {
    pub coordinate: usize,
    pub sign: f64,
}

#[derive(Clone, Debug)]
pub struct Camera {
    pub name: String,
    /// x forward, y left, z up.
    pub link: usize,
    pub horizontal_view_rad: f64,
    pub width: u32,
    pub height: u32,
}

/// What a robot can do with its feet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WalkingLimits {
    /// Of the sole, centred on the sole frame.
    pub foot_length_m: f64,
    pub foot_width_m: f64,
    /// Between the soles when it stands.
    pub stance_width_m: f64,
    /// Between the soles, sideways, in a step.
    pub min_width_m: f64,
    pub max_width_m: f64,
    /// Of one foot past the other.
    pub max_forward_m: f64,
    pub max_backward_m: f64,
    pub max_step_up_m: f64,
    pub max_step_down_m: f64,
    /// Of a foot against the other.
    pub max_turn_out_deg: f64,
    pub max_turn_in_deg: f64,
    pub min_swing_s: f64,
    pub min_transfer_s: f64,
    pub swing_height_m: f64,
}

impl Default for WalkingLimits {
    fn default() -> WalkingLimits {
        WalkingLimits {
            foot_length_m: 0.2,
            foot_width_m: 0.1,
            stance_width_m: 0.24,
            min_width_m: 0.16,
            max_width_m: 0.42,
            max_forward_m: 0.45,
            max_backward_m: 0.3,
            max_step_up_m: 0.25,
            max_step_down_m: 0.2,
            max_turn_out_deg: 50.0,
            max_turn_in_deg: 10.0,
            min_swing_s: 0.6,
            min_transfer_s: 0.2,
            swing_height_m: 0.08,
        }
    }
}

/// What behaviors may ask of a hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HandLimits {
    pub max_force_n: f64,
    pub max_torque_nm: f64,
    pub max_linear_m_s: f64,
    pub max_angular_rad_s: f64,
}

impl Default for HandLimits {
    fn default() -> HandLimits {
        HandLimits { max_force_n: 100.0, max_torque_nm: 20.0, max_linear_m_s: 1.5, max_angular_rad_s: 4.0 }
    }
}

impl PartName {
    pub const ALL: [PartName; 8] = [
        PartName::Arm(Side::Left),
        PartName::Arm(Side::Right),
        PartName::Hand(Side::Left),
        PartName::Hand(Side::Right),
        PartName::Leg(Side::Left),
        PartName::Leg(Side::Right),
        PartName::Spine,
        PartName::Neck,
    ];

    /// As files write it: `left_arm`.
    pub fn word(self) -> &'static str {
        match self {
            PartName::Arm(Side::Left) => "left_arm",
            PartName::Arm(Side::Right) => "right_arm",
            PartName::Hand(Side::Left) => "left_hand",
            PartName::Hand(Side::Right) => "right_hand",
            PartName::Leg(Side::Left) => "left_leg",
            PartName::Leg(Side::Right) => "right_leg",
            PartName::Spine => "spine",
            PartName::Neck => "neck",
        }
    }

    pub fn from_word(word: &str) -> Option<PartName> {
        PartName::ALL.into_iter().find(|name| name.word() == word)
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.word().replace('_', " "))
    }
}

impl Robot {
    /// None: this robot has no such part.
    pub fn part(&self, name: PartName) -> Option<&Part> {
        self.parts.iter().find(|part| part.name == name)
    }

    /// A configuration of the whole robot in a preset; what the preset leaves open is neutral.
    pub fn configuration(&self, preset: &str) -> Option<Vec<f64>> {
        let mut positions = self.model.neutral();
        for (coordinate, position) in self.presets.get(preset)? {
            positions[*coordinate] = *position;
        }
        Some(positions)
    }
}
