//! A pose written so that reading it gives the same bits: for records that are run again. Files people write hold
//! degrees instead.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Pose;

/// x, y, z in metres, then the quaternion x, y, z, w.
pub fn serialize<S: Serializer>(pose: &Pose, serializer: S) -> Result<S::Ok, S::Error> {
    let (at, turn) = (pose.translation_m(), pose.rotation());
    [at.x, at.y, at.z, turn.i, turn.j, turn.k, turn.w].serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pose, D::Error> {
    let [x, y, z, i, j, k, w] = <[f64; 7]>::deserialize(deserializer)?;
    let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k));
    if (rotation.norm() - 1.0).abs() > 1e-6 {
        return Err(serde::de::Error::custom("the quaternion of a pose must have length 1"));
    }
    Ok(Pose::from_isometry(Isometry3::from_parts(Translation3::new(x, y, z), rotation)))
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
