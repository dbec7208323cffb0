use std::ops::Mul;

use nalgebra::{Isometry3, Point3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3};

use crate::RollPitchYaw;

/// Where one frame is in another: `world_from_hand`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    isometry: Isometry3<f64>,
}

/// How far two poses are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    pub position_m: f64,
    /// The one turn that takes the one orientation to the other, 0 to π.
    pub angle_rad: f64,
}

impl Pose {
    pub const fn from_isometry(isometry: Isometry3<f64>) -> Pose {
        Pose { isometry }
    }

    pub fn identity() -> Pose {
        Pose { isometry: Isometry3::identity() }
    }

    pub fn new(translation_m: Vector3<f64>, rotation: UnitQuaternion<f64>) -> Pose {
        Pose { isometry: Isometry3::from_parts(Translation3::from(translation_m), rotation) }
    }

    pub fn from_translation(x_m: f64, y_m: f64, z_m: f64) -> Pose {
        Pose::new(Vector3::new(x_m, y_m, z_m), UnitQuaternion::identity())
    }

    pub fn from_rpy(translation_m: Vector3<f64>, rpy: RollPitchYaw) -> Pose {
        Pose::new(translation_m, rpy.to_quaternion())
    }

    /// From [`Pose::numbers`], with a quaternion of any length. None if its four numbers are no direction at all: zero or
    /// not finite.
    pub fn from_numbers([x, y, z, qx, qy, qz, qw]: [f64; 7]) -> Option<Pose> {
        let quaternion = Quaternion::new(qw, qx, qy, qz);
        let norm = quaternion.norm();
        (norm.is_finite() && norm > 1e-12)
            .then(|| Pose::new(Vector3::new(x, y, z), UnitQuaternion::new_normalize(quaternion)))
    }

    /// A zero vector turns nothing.
    pub fn from_axis_angle(translation_m: Vector3<f64>, axis_times_angle_rad: Vector3<f64>) -> Pose {
        Pose::new(translation_m, UnitQuaternion::from_scaled_axis(axis_times_angle_rad))
    }

    pub fn isometry(&self) -> &Isometry3<f64> {
        &self.isometry
    }

    pub fn translation_m(&self) -> Vector3<f64> {
        self.isometry.translation.vector
    }

    pub fn rotation(&self) -> UnitQuaternion<f64> {
        self.isometry.rotation
    }

    pub fn rpy(&self) -> RollPitchYaw {
        RollPitchYaw::of(&self.isometry.rotation)
    }

    /// As on every wire: x, y, z in metres, then the quaternion x, y, z, w, with w ≥ 0, so that equal orientations give
    /// equal numbers.
    pub fn numbers(&self) -> [f64; 7] {
        let at = self.isometry.translation.vector;
        let turn = self.isometry.rotation.quaternion();
        let sign = if turn.w < 0.0 { -1.0 } else { 1.0 };
        [at.x, at.y, at.z, turn.i * sign, turn.j * sign, turn.k * sign, turn.w * sign]
    }

    pub fn axis_angle_rad(&self) -> Vector3<f64> {
        self.isometry.rotation.scaled_axis()
    }

    pub fn is_finite(&self) -> bool {
        self.isometry.translation.vector.iter().chain(self.isometry.rotation.coords.iter()).all(|n| n.is_finite())
    }

    /// `world_from_hand` to `hand_from_world`.
    #[must_use]
    pub fn inverse(&self) -> Pose {
        Pose { isometry: self.isometry.inverse() }
    }

    pub fn transform_point(&self, point_m: &Point3<f64>) -> Point3<f64> {
        self.isometry.transform_point(point_m)
    }

    pub fn transform_vector(&self, vector: &Vector3<f64>) -> Vector3<f64> {
        self.isometry.transform_vector(vector)
    }

    /// Straight in position, the shorter way round in orientation at an even rate; at 0 this pose, at 1 the other.
    #[must_use]
    pub fn interpolate(&self, other: &Pose, share: f64) -> Pose {
        let from_this = self.isometry.rotation.inverse() * other.isometry.rotation;
        let rotation = self.isometry.rotation * UnitQuaternion::from_scaled_axis(from_this.scaled_axis() * share);
        Pose::new(self.translation_m().lerp(&other.translation_m(), share), rotation)
    }

    pub fn distance(&self, other: &Pose) -> Distance {
        Distance {
            position_m: (self.translation_m() - other.translation_m()).norm(),
            angle_rad: self.isometry.rotation.angle_to(&other.isometry.rotation),
        }
    }

    /// The pose seen in a mirror that stands on the x-z plane of the frame it is given in. A frame stays right-handed:
    /// its own y axis is turned round as well, so that a left hand becomes a right one.
    #[must_use]
    pub fn mirrored(&self) -> Pose {
        let t = self.translation_m();
        let q = self.isometry.rotation.quaternion();
        let rotation = UnitQuaternion::new_unchecked(Quaternion::new(q.w, -q.i, q.j, -q.k));
        Pose::new(Vector3::new(t.x, -t.y, t.z), rotation)
    }

    /// Across the x-z plane of another frame of the same parent: an object's, or the robot's own.
    #[must_use]
    pub fn mirrored_across(&self, parent_from_plane: &Pose) -> Pose {
        // What is mirrored is a pose in the plane's frame; the frame itself stays where it is.
        *parent_from_plane * (parent_from_plane.inverse() * *self).mirrored()
    }

    /// Turns about the x axis and advances along it.
    pub fn screw(angle_rad: f64, advance_m: f64) -> Pose {
        let rotation = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), angle_rad);
        Pose::new(Vector3::new(advance_m, 0.0, 0.0), rotation)
    }

    /// This pose moved about the x axis of a screw frame of the same parent. The increment acts in the screw frame, so
    /// it multiplies on the left of the pose there.
    #[must_use]
    pub fn moved_about_screw(&self, parent_from_screw: &Pose, angle_rad: f64, advance_m: f64) -> Pose {
        let screw_from_this = parent_from_screw.inverse() * *self;
        *parent_from_screw * Pose::screw(angle_rad, advance_m) * screw_from_this
    }

    /// About any axis through a point.
    pub fn turn_about(point_m: &Point3<f64>, axis: &Unit<Vector3<f64>>, angle_rad: f64) -> Pose {
        let rotation = UnitQuaternion::from_axis_angle(axis, angle_rad);
        Pose::new(point_m.coords - rotation * point_m.coords, rotation)
    }
}

impl Default for Pose {
    fn default() -> Pose {
        Pose::identity()
    }
}

impl Mul for Pose {
    type Output = Pose;

    /// `a_from_b * b_from_c` is `a_from_c`.
    fn mul(self, other: Pose) -> Pose {
        let mut isometry = self.isometry * other.isometry;
        // Products drift off the unit sphere by rounding; a long chain of them must not scale what it carries.
        isometry.rotation.renormalize_fast();
        Pose { isometry }
    }
}
