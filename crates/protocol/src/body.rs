//! What a robot feels and how it is, for those who look at it: in parts that each fit a datagram, each of which replaces
//! the one before. What nobody looks at is not sent.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Of one unit that is sent: rad/s or m/s.
const SPEED: f64 = 1e-3;
/// N·m or N.
const EFFORT: f64 = 0.05;
/// Of a part beside its joints, at most; and of a joint.
const HEAD_BYTES: usize = 16;
const JOINT_BYTES: usize = 6;

/// More often nobody is told.
pub const MOST_HZ: f64 = 50.0;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum BodyPart {
    /// Of the joints from `first` on, in the robot's order, in the units of [`BodyPart::joints`].
    Joints {
        at_ms: u64,
        first: u16,
        speeds: Vec<i16>,
        efforts: Vec<i16>,
    },
    Forces(Forces),
    Health(Health),
}

/// Left, then right.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Forces {
    pub at_ms: u64,
    /// What the world does to each hand, in its frame: force along x, y, z in N, torque in N·m.
    pub hands: [[f32; 6]; 2],
    pub feet: [Foot; 2],
    /// Where the feet press: x and y in the world, and how far that is from the edge of what they stand on. None: not
    /// told.
    pub pressure: Option<[f32; 3]>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Foot {
    pub contact: bool,
    pub load_n: f32,
}

/// What is not in it was not told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Health {
    /// Where, and what.
    pub faults: Vec<(String, String)>,
    /// Beyond those that there was room for.
    pub more_faults: u16,
    pub temperatures_c: Vec<(String, f32)>,
    /// 0 to 1.
    pub battery: Option<f32>,
    pub sources: Vec<Source>,
}

/// Something that tells again and again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    pub kind: SourceKind,
    pub name: Arc<str>,
    /// In the last whole second.
    pub per_s: f32,
    /// From when it was so until it reached the behavior, the last time.
    pub delay_ms: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// The robot's own state.
    State,
    Camera,
    /// Pictures in which it found something.
    Detector,
}

impl BodyPart {
    /// Equal for two times of one part.
    pub fn key(&self) -> u32 {
        match self {
            BodyPart::Forces(_) => 0,
            BodyPart::Health(_) => 1,
            BodyPart::Joints { first, .. } => 2 + u32::from(*first),
        }
    }

    /// All joints, in parts that have so many bytes at most.
    pub fn joints(at_ms: u64, speeds: &[f64], efforts: &[f64], max_bytes: usize) -> Vec<BodyPart> {
        let most = (max_bytes.saturating_sub(HEAD_BYTES) / JOINT_BYTES).max(1);
        let units = |values: &[f64], unit: f64| values.iter().map(|value| (value / unit).round() as i16).collect();
        let parts = speeds.chunks(most).zip(efforts.chunks(most)).enumerate();
        parts
            .map(|(part, (speeds, efforts))| BodyPart::Joints {
                at_ms,
                first: u16::try_from(part * most).unwrap_or(u16::MAX),
                speeds: units(speeds, SPEED),
                efforts: units(efforts, EFFORT),
            })
            .collect()
    }
}

pub fn speed(units: i16) -> f64 {
    f64::from(units) * SPEED
}

pub fn effort(units: i16) -> f64 {
    f64::from(units) * EFFORT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::talk::{pack, unpack};

    #[test]
    fn joints_come_back_to_what_a_unit_tells_apart_in_parts_that_fit() {
        let speeds: Vec<f64> = (0..53).map(|joint| f64::from(joint - 26) * 0.1234).collect();
        let efforts: Vec<f64> = (0..53).map(|joint| f64::from(26 - joint) * 7.77).collect();
        for max_bytes in [90, 200, 1_200] {
            let (mut back, mut keys) = (Vec::new(), std::collections::BTreeSet::new());
            for part in BodyPart::joints(70_000_000, &speeds, &efforts, max_bytes) {
                let bytes = pack(&part);
                assert!(bytes.len() <= max_bytes, "{} of {max_bytes}", bytes.len());
                assert!(keys.insert(part.key()), "each part has a key of its own");
                let Some(BodyPart::Joints { first, speeds, efforts, .. }) = unpack(&bytes) else { panic!("{part:?}") };
                assert_eq!(usize::from(first), back.len());
                back.extend(speeds.into_iter().zip(efforts));
            }
            assert_eq!(back.len(), 53);
            for (joint, (its_speed, its_effort)) in back.into_iter().enumerate() {
                assert!((speed(its_speed) - speeds[joint]).abs() <= SPEED / 2.0 + 1e-12);
                assert!((effort(its_effort) - efforts[joint]).abs() <= EFFORT / 2.0 + 1e-12);
            }
        }
    }
}
