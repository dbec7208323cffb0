//! Places on the ground as people write them.

use engine::{Body, Cannot, Mirror};
use geometry::Pose;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::setting::{FrameName, PoseSetting, degrees};

/// A point in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PointSetting {
    #[schemars(extend("x-unit" = "m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub x_m: f64,
    #[schemars(extend("x-unit" = "m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub y_m: f64,
    /// The feet stay on the ground whatever it is.
    #[schemars(extend("x-unit" = "m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub z_m: f64,
}

/// A place on the ground to pass on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WaypointSetting {
    #[schemars(extend("x-unit" = "m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub x_m: f64,
    #[schemars(extend("x-unit" = "m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub y_m: f64,
    /// Which way it faces there; left out, however the way leads through.
    #[schemars(extend("x-unit" = "deg"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw_deg: Option<f64>,
}

/// Where a foot stands, seen from between the feet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FootSetting {
    #[schemars(extend("x-unit" = "m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub x_m: f64,
    #[schemars(extend("x-unit" = "m"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub y_m: f64,
    #[schemars(extend("x-unit" = "deg"))]
    #[serde(skip_serializing_if = "is_zero")]
    pub yaw_deg: f64,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

impl PointSetting {
    pub fn pose(&self) -> Pose {
        Pose::from_translation(self.x_m, self.y_m, self.z_m)
    }

    fn written(self) -> PoseSetting {
        PoseSetting { x_m: self.x_m, y_m: self.y_m, z_m: self.z_m, ..PoseSetting::default() }
    }

    fn take(&mut self, pose: &PoseSetting) {
        (self.x_m, self.y_m, self.z_m) = (pose.x_m, pose.y_m, pose.z_m);
    }

    pub fn mirror(&mut self, frame: &FrameName, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        let mut pose = self.written();
        pose.mirror(frame, mirror)?;
        self.take(&pose);
        Ok(())
    }

    pub fn change_frame(&mut self, from: &FrameName, to: &str, body: &Body) -> Result<(), Cannot> {
        let mut pose = self.written();
        pose.change_frame(from, to, body)?;
        self.take(&pose);
        Ok(())
    }

    pub fn measured(pose: &Pose) -> PointSetting {
        let mut point = PointSetting::default();
        point.take(&PoseSetting::measured(pose));
        point
    }
}

impl WaypointSetting {
    pub fn pose(&self) -> Pose {
        self.written().pose()
    }

    fn written(self) -> PoseSetting {
        let yaw_deg = self.yaw_deg.unwrap_or_default();
        PoseSetting { x_m: self.x_m, y_m: self.y_m, yaw_deg, ..PoseSetting::default() }
    }

    fn take(&mut self, pose: &PoseSetting) {
        (self.x_m, self.y_m) = (pose.x_m, pose.y_m);
        self.yaw_deg = self.yaw_deg.map(|_| pose.yaw_deg);
    }

    pub fn mirror(&mut self, frame: &FrameName, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        let mut pose = self.written();
        pose.mirror(frame, mirror)?;
        self.take(&pose);
        Ok(())
    }

    pub fn change_frame(&mut self, from: &FrameName, to: &str, body: &Body) -> Result<(), Cannot> {
        let mut pose = self.written();
        pose.change_frame(from, to, body)?;
        self.take(&pose);
        Ok(())
    }
}

impl FootSetting {
    pub fn pose(&self) -> Pose {
        let FootSetting { x_m, y_m, yaw_deg } = *self;
        PoseSetting { x_m, y_m, yaw_deg, ..PoseSetting::default() }.pose()
    }

    #[must_use]
    pub fn mirrored(&self) -> FootSetting {
        FootSetting { x_m: self.x_m, y_m: 0.0 - self.y_m, yaw_deg: 0.0 - self.yaw_deg }
    }

    pub fn measured(middle_from_sole: &Pose) -> FootSetting {
        let PoseSetting { x_m, y_m, .. } = PoseSetting::measured(middle_from_sole);
        FootSetting { x_m, y_m, yaw_deg: degrees(middle_from_sole.rpy().yaw_rad) }
    }
}
