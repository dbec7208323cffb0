//! A pose written so that reading it gives the same bits: for records that are run again. Files people write hold
//! degrees instead.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Pose;

/// x, y, z in metres, then the quaternion x, y, z, w.
pub fn numbers(pose: &Pose) -> [f64; 7] {
    let (at, turn) = (pose.translation_m(), pose.rotation());
    [at.x, at.y, at.z, turn.i, turn.j, turn.k, turn.w]
}

/// None: the quaternion has not the length 1.
pub fn pose([x, y, z, i, j, k, w]: [f64; 7]) -> Option<Pose> {
    let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k));
    let is_turn = (rotation.norm() - 1.0).abs() <= 1e-6;
    is_turn.then(|| Pose::from_isometry(Isometry3::from_parts(Translation3::new(x, y, z), rotation)))
}

pub fn serialize<S: Serializer>(pose: &Pose, serializer: S) -> Result<S::Ok, S::Error> {
    numbers(pose).serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pose, D::Error> {
    let wrong = || serde::de::Error::custom("the quaternion of a pose must have length 1");
    pose(<[f64; 7]>::deserialize(deserializer)?).ok_or_else(wrong)
}

/// A pose that may be missing, written as exactly.
pub mod option {
    use super::{Deserialize, Deserializer, Pose, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Exact(#[serde(with = "super")] Pose);

    pub fn serialize<S: Serializer>(pose: &Option<Pose>, serializer: S) -> Result<S::Ok, S::Error> {
        pose.map(Exact).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Pose>, D::Error> {
        Ok(Option::<Exact>::deserialize(deserializer)?.map(|exact| exact.0))
    }
}
