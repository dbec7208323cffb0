use geometry::{Pose, UnitQuaternion, Vector3};

use nalgebra::Quaternion;
use serde::{Deserialize, Serialize};

/// A place on the floor and a heading: a foot or a body, seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planar {
    pub x_m: f64,
    pub y_m: f64,
    pub yaw_rad: f64,
    pub(crate) cos: f64,
    pub(crate) sin: f64,
}

impl Planar {
    pub fn new(x_m: f64, y_m: f64, yaw_rad: f64) -> Planar {
        let (sin, cos) = libm::sincos(yaw_rad);
        Planar { x_m, y_m, yaw_rad, cos, sin }
    }

    /// The heading is where the x axis points when it is seen from above, so that tilt does not turn it.
    pub fn of(pose: &Pose) -> Planar {
        let at = pose.translation_m();
        let ahead = pose.transform_vector(&Vector3::x());
        Planar::new(at.x, at.y, libm::atan2(ahead.y, ahead.x))
    }

    /// Level, at a height.
    pub fn level(&self, z_m: f64) -> Pose {
        let (sin, cos) = libm::sincos(self.yaw_rad / 2.0);
        let turn = UnitQuaternion::new_normalize(Quaternion::new(cos, 0.0, 0.0, sin));
        Pose::new(Vector3::new(self.x_m, self.y_m, z_m), turn)
    }

    /// A point given here, in the frame this is given in.
    pub fn point(&self, x_m: f64, y_m: f64) -> [f64; 2] {
        [self.x_m + self.cos * x_m - self.sin * y_m, self.y_m + self.sin * x_m + self.cos * y_m]
    }

    /// The other way: a point of the outer frame, seen from here.
    pub fn local(&self, x_m: f64, y_m: f64) -> [f64; 2] {
        let (dx, dy) = (x_m - self.x_m, y_m - self.y_m);
        [self.cos * dx + self.sin * dy, -self.sin * dx + self.cos * dy]
    }

    /// `world_from_body.then(&body_from_foot)` is `world_from_foot`.
    #[must_use]
    pub fn then(&self, inner: &Planar) -> Planar {
        let [x_m, y_m] = self.point(inner.x_m, inner.y_m);
        Planar::new(x_m, y_m, self.yaw_rad + inner.yaw_rad)
    }

    /// Sideways, to the left if positive; the heading stays.
    #[must_use]
    pub fn beside(&self, left_m: f64) -> Planar {
        let [x_m, y_m] = self.point(0.0, left_m);
        Planar { x_m, y_m, ..*self }
    }

    /// Another one of the outer frame, seen from here.
    #[must_use]
    pub fn seen(&self, other: &Planar) -> Planar {
        let [x_m, y_m] = self.local(other.x_m, other.y_m);
        Planar::new(x_m, y_m, wrap_rad(other.yaw_rad - self.yaw_rad))
    }

    #[must_use]
    pub fn mirrored(&self) -> Planar {
        Planar { y_m: -self.y_m, yaw_rad: -self.yaw_rad, sin: -self.sin, ..*self }
    }

    /// Between the two, the shorter way round.
    #[must_use]
    pub fn middle(&self, other: &Planar) -> Planar {
        self.toward(other, 0.5)
    }

    #[must_use]
    pub fn toward(&self, other: &Planar, share: f64) -> Planar {
        Planar::new(
            self.x_m + (other.x_m - self.x_m) * share,
            self.y_m + (other.y_m - self.y_m) * share,
            self.yaw_rad + wrap_rad(other.yaw_rad - self.yaw_rad) * share,
        )
    }

    pub fn distance_m(&self, other: &Planar) -> f64 {
        libm::hypot(other.x_m - self.x_m, other.y_m - self.y_m)
    }

    pub fn turn_rad(&self, other: &Planar) -> f64 {
        wrap_rad(other.yaw_rad - self.yaw_rad)
    }

    pub fn is_finite(&self) -> bool {
        self.x_m.is_finite() && self.y_m.is_finite() && self.yaw_rad.is_finite()
    }
}

/// Into (−π, π].
pub fn wrap_rad(angle_rad: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    if angle_rad > -PI && angle_rad <= PI {
        return angle_rad;
    }
    let wrapped = angle_rad - TAU * libm::floor(angle_rad / TAU);
    if wrapped > PI { wrapped - TAU } else { wrapped }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn seen_undoes_then() {
        let body = Planar::new(1.0, -2.0, 2.5);
        let foot = Planar::new(0.3, 0.1, -0.4);
        let back = body.seen(&body.then(&foot));
        assert!(back.distance_m(&foot) < 1e-12 && back.turn_rad(&foot).abs() < 1e-12);
    }

    #[test]
    fn a_tilted_sole_keeps_its_heading() {
        let level = Planar::new(0.2, 0.1, 0.7).level(0.05);
        let tilted = level * Pose::from_axis_angle(Vector3::zeros(), Vector3::new(0.0, 0.3, 0.0));
        assert!((Planar::of(&tilted).yaw_rad - 0.7).abs() < 1e-12);
    }

    #[test]
    fn angles_wrap_to_one_turn() {
        assert_eq!(wrap_rad(-PI), PI);
        assert!((wrap_rad(7.0 * PI + 0.25) - (-PI + 0.25)).abs() < 1e-12);
    }
}
