//! A pose in a file: metres and degrees, what is zero left out.

use nalgebra::Vector3;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Pose, RollPitchYaw};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default, skip_serializing_if = "is_zero")]
    x_m: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    y_m: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    z_m: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    roll_deg: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pitch_deg: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    yaw_deg: f64,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

impl Serialize for Pose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let translation_m = self.translation_m();
        let rpy = self.rpy();
        Written {
            x_m: translation_m.x,
            y_m: translation_m.y,
            z_m: translation_m.z,
            roll_deg: rpy.roll_rad.to_degrees(),
            pitch_deg: rpy.pitch_rad.to_degrees(),
            yaw_deg: rpy.yaw_rad.to_degrees(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Pose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pose, D::Error> {
        let written = Written::deserialize(deserializer)?;
        let rpy = RollPitchYaw::new(
            written.roll_deg.to_radians(),
            written.pitch_deg.to_radians(),
            written.yaw_deg.to_radians(),
        );
        let pose = Pose::from_rpy(Vector3::new(written.x_m, written.y_m, written.z_m), rpy);
        if pose.is_finite() { Ok(pose) } else { Err(serde::de::Error::custom("a pose needs finite numbers")) }
    }
}
