use geometry::{Pose, RollPitchYaw, Vector3};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A pose as people write it. Kept as written: a pose read and saved is the same text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PoseSetting {
    #[schemars(extend("x-unit" = "m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub x_m: f64,
    #[schemars(extend("x-unit" = "m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub y_m: f64,
    #[schemars(extend("x-unit" = "m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub z_m: f64,
    /// About x, first.
    #[schemars(extend("x-unit" = "deg"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub roll_deg: f64,
    #[schemars(extend("x-unit" = "deg"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub pitch_deg: f64,
    /// About z, last.
    #[schemars(extend("x-unit" = "deg"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub yaw_deg: f64,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

impl PoseSetting {
    pub fn pose(&self) -> Pose {
        let rpy = RollPitchYaw::new(self.roll_deg.to_radians(), self.pitch_deg.to_radians(), self.yaw_deg.to_radians());
        Pose::from_rpy(Vector3::new(self.x_m, self.y_m, self.z_m), rpy)
    }
}

impl From<Pose> for PoseSetting {
    /// To a hundredth of a millimetre and a thousandth of a degree: what a person would keep.
    fn from(pose: Pose) -> PoseSetting {
        let (at, rpy) = (pose.translation_m(), pose.rpy());
        let length = |value: f64| (value * 1e5).round() / 1e5 + 0.0;
        PoseSetting {
            x_m: length(at.x),
            y_m: length(at.y),
            z_m: length(at.z),
            roll_deg: degrees(rpy.roll_rad),
            pitch_deg: degrees(rpy.pitch_rad),
            yaw_deg: degrees(rpy.yaw_rad),
        }
    }
}

/// An angle as a person would keep it.
pub fn degrees(angle_rad: f64) -> f64 {
    (angle_rad.to_degrees() * 1e3).round() / 1e3 + 0.0
}

/// A setting that names a frame: of the body, or of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FrameName(pub String);

impl FrameName {
    pub fn named(name: &str) -> FrameName {
        FrameName(name.to_owned())
    }
}

impl JsonSchema for FrameName {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FrameName".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": "frame"})
    }
}
