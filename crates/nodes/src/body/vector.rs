//! Forces and torques as people write them.

use engine::{Cannot, Mirror};
use geometry::{Pose, Vector3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::setting::{FrameName, is_zero, round};

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ForceSetting {
    #[schemars(extend("x-unit" = "N"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub x_n: f64,
    #[schemars(extend("x-unit" = "N"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub y_n: f64,
    #[schemars(extend("x-unit" = "N"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub z_n: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TorqueSetting {
    #[schemars(extend("x-unit" = "N·m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub x_nm: f64,
    #[schemars(extend("x-unit" = "N·m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub y_nm: f64,
    #[schemars(extend("x-unit" = "N·m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub z_nm: f64,
}

impl ForceSetting {
    pub fn vector(&self) -> Vector3<f64> {
        Vector3::new(self.x_n, self.y_n, self.z_n)
    }

    fn set(&mut self, vector: &Vector3<f64>) {
        [self.x_n, self.y_n, self.z_n] = rounded(vector);
    }

    pub fn turn(&mut self, to_from_frame: &Pose) {
        self.set(&to_from_frame.transform_vector(&self.vector()));
    }

    pub fn mirror(&mut self, frame: &FrameName, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        self.set(&reflected(&self.vector(), frame, mirror)?);
        Ok(())
    }
}

impl TorqueSetting {
    pub fn vector(&self) -> Vector3<f64> {
        Vector3::new(self.x_nm, self.y_nm, self.z_nm)
    }

    fn set(&mut self, vector: &Vector3<f64>) {
        [self.x_nm, self.y_nm, self.z_nm] = rounded(vector);
    }

    pub fn turn(&mut self, to_from_frame: &Pose) {
        self.set(&to_from_frame.transform_vector(&self.vector()));
    }

    /// In a mirror what turns right turns left.
    pub fn mirror(&mut self, frame: &FrameName, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        self.set(&-reflected(&self.vector(), frame, mirror)?);
        Ok(())
    }
}

/// A direction has no place: what counts is the way from where the frame's origin goes to where the vector's tip goes.
fn reflected(vector: &Vector3<f64>, frame: &FrameName, mirror: &Mirror<'_>) -> Result<Vector3<f64>, Cannot> {
    let mirrored_m = |at: &Vector3<f64>| {
        let pose = mirror.pose(&frame.0, &Pose::from_translation(at.x, at.y, at.z))?;
        Ok::<_, Cannot>(pose.translation_m())
    };
    Ok(mirrored_m(vector)? - mirrored_m(&Vector3::zeros())?)
}

fn rounded(vector: &Vector3<f64>) -> [f64; 3] {
    [vector.x, vector.y, vector.z].map(|number| round(number, 1e7))
}
