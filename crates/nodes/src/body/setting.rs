use engine::{Body, Cannot, Mirror};
use geometry::{Pose, RollPitchYaw, Vector3};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::body::frame::converted;

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

pub fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

impl PoseSetting {
    pub fn pose(&self) -> Pose {
        let rpy = RollPitchYaw::new(self.roll_deg.to_radians(), self.pitch_deg.to_radians(), self.yaw_deg.to_radians());
        Pose::from_rpy(Vector3::new(self.x_m, self.y_m, self.z_m), rpy)
    }

    /// As it was measured: to a hundredth of a millimetre and a thousandth of a degree, what a person would keep.
    pub fn measured(pose: &Pose) -> PoseSetting {
        PoseSetting::rounded(pose, 1e5, 1e3)
    }

    /// As it was computed: there and back again it is the same to a person.
    fn computed(pose: &Pose) -> PoseSetting {
        PoseSetting::rounded(pose, 1e7, 1e7)
    }

    fn rounded(pose: &Pose, per_m: f64, per_deg: f64) -> PoseSetting {
        let (at, rpy) = (pose.translation_m(), pose.rpy());
        PoseSetting {
            x_m: round(at.x, per_m),
            y_m: round(at.y, per_m),
            z_m: round(at.z, per_m),
            roll_deg: round(rpy.roll_rad.to_degrees(), per_deg),
            pitch_deg: round(rpy.pitch_rad.to_degrees(), per_deg),
            yaw_deg: round(rpy.yaw_rad.to_degrees(), per_deg),
        }
    }

    /// On the other side, in [`Mirror::frame`] of its frame.
    pub fn mirror(&mut self, frame: &FrameName, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        let mirrored = mirror.pose(&frame.0, &self.pose())?;
        let negative = |number: f64| 0.0 - number;
        let flipped = PoseSetting {
            y_m: negative(self.y_m),
            roll_deg: negative(self.roll_deg),
            yaw_deg: negative(self.yaw_deg),
            ..*self
        };
        let error = mirrored.distance(&flipped.pose());
        let same = error.position_m < 1e-9 && error.angle_rad < 1e-7;
        *self = if same { flipped } else { PoseSetting::computed(&mirrored) };
        Ok(())
    }

    /// In another frame, where it is now.
    pub fn change_frame(&mut self, from: &FrameName, to: &str, body: &Body) -> Result<(), Cannot> {
        *self = PoseSetting::computed(&converted(body, &from.0, to, &self.pose())?);
        Ok(())
    }

    /// Where one of the body's own frames is in the frame of the setting.
    pub fn set_to_robot(&mut self, frame: &FrameName, thing: &str, body: &Body) -> Result<(), Cannot> {
        *self = PoseSetting::measured(&converted(body, thing, &frame.0, &Pose::identity())?);
        Ok(())
    }
}

/// Minus zero is zero to a person.
pub fn round(number: f64, per_unit: f64) -> f64 {
    (number * per_unit).round() / per_unit + 0.0
}

/// An angle as a person would keep it.
pub fn degrees(angle_rad: f64) -> f64 {
    round(angle_rad.to_degrees(), 1e3)
}

/// A length as a person would keep it.
pub fn metres(length_m: f64) -> f64 {
    round(length_m, 1e5)
}

/// A setting that names a frame: of the body, or of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FrameName(pub String);

impl FrameName {
    pub fn named(name: &str) -> FrameName {
        FrameName(name.to_owned())
    }

    pub fn mirror(&mut self, mirror: &Mirror<'_>) {
        self.0 = mirror.frame(&self.0);
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
