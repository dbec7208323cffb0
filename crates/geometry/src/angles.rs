use nalgebra::{Matrix3, UnitQuaternion};

/// Turn about the fixed x, then the fixed y, then the fixed z axis, as URDF has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RollPitchYaw {
    pub roll_rad: f64,
    pub pitch_rad: f64,
    pub yaw_rad: f64,
}

impl RollPitchYaw {
    pub fn new(roll_rad: f64, pitch_rad: f64, yaw_rad: f64) -> RollPitchYaw {
        RollPitchYaw { roll_rad, pitch_rad, yaw_rad }
    }

    pub fn to_quaternion(self) -> UnitQuaternion<f64> {
        UnitQuaternion::from_euler_angles(self.roll_rad, self.pitch_rad, self.yaw_rad)
    }

    pub fn of(rotation: &UnitQuaternion<f64>) -> RollPitchYaw {
        RollPitchYaw::of_matrix(rotation.to_rotation_matrix().matrix())
    }

    /// Roll is what remains once yaw is taken away: with pitch near ±90° both are uncertain, but together still exact.
    /// The arc sine of the usual formulas would lose half of the digits there.
    pub fn of_matrix(rotation: &Matrix3<f64>) -> RollPitchYaw {
        let horizontal = libm::hypot(rotation[(0, 0)], rotation[(1, 0)]);
        let yaw_rad = if horizontal == 0.0 { 0.0 } else { libm::atan2(rotation[(1, 0)], rotation[(0, 0)]) };
        let (sin, cos) = libm::sincos(yaw_rad);
        RollPitchYaw {
            roll_rad: libm::atan2(
                sin * rotation[(0, 2)] - cos * rotation[(1, 2)],
                cos * rotation[(1, 1)] - sin * rotation[(0, 1)],
            ),
            pitch_rad: libm::atan2(-rotation[(2, 0)], horizontal),
            yaw_rad,
        }
    }
}
