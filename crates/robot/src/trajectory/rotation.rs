//! Rotations by the functions that are the same to the last bit on every machine; those of the system are not.

use geometry::{Pose, UnitQuaternion, Vector3};
use nalgebra::Quaternion;

use crate::sine::sin_cos;

/// From axis times angle.
pub(crate) fn exp(turn_rad: &Vector3<f64>) -> UnitQuaternion<f64> {
    let angle_rad = turn_rad.norm();
    if angle_rad < 1e-9 {
        let half = turn_rad * 0.5;
        return UnitQuaternion::new_normalize(Quaternion::new(1.0, half.x, half.y, half.z));
    }
    let (sin, cos) = sin_cos(0.5 * angle_rad);
    let axis = turn_rad * (sin / angle_rad);
    UnitQuaternion::new_normalize(Quaternion::new(cos, axis.x, axis.y, axis.z))
}

/// Axis times angle, the shorter way round.
pub(crate) fn log(rotation: &UnitQuaternion<f64>) -> Vector3<f64> {
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    let axis = Vector3::new(rotation.i, rotation.j, rotation.k) * sign;
    let length = axis.norm();
    if length < 1e-12 { axis * 2.0 } else { axis * (2.0 * libm::atan2(length, rotation.w * sign) / length) }
}

/// What takes an angular velocity in the turning frame to the rate of `log`: the inverse of the right Jacobian.
pub(crate) fn rate_of_log(turn_rad: &Vector3<f64>, angular: &Vector3<f64>) -> Vector3<f64> {
    let angle_rad = turn_rad.norm();
    let cross = turn_rad.cross(angular);
    let factor = if angle_rad < 1e-3 {
        1.0 / 12.0
    } else {
        let (sin, cos) = sin_cos(0.5 * angle_rad);
        (1.0 - 0.5 * angle_rad * cos / sin) / (angle_rad * angle_rad)
    };
    angular + cross * 0.5 + turn_rad.cross(&cross) * factor
}

/// Where the x axis points, about the vertical.
pub(crate) fn yaw_rad(rotation: &UnitQuaternion<f64>) -> f64 {
    let q = rotation.quaternion();
    libm::atan2(2.0 * (q.w * q.k + q.i * q.j), 1.0 - 2.0 * (q.j * q.j + q.k * q.k))
}

pub(crate) fn about_vertical(yaw_rad: f64) -> UnitQuaternion<f64> {
    exp(&Vector3::new(0.0, 0.0, yaw_rad))
}

/// The same angle, from −π to π.
pub(crate) fn wrapped_rad(angle_rad: f64) -> f64 {
    angle_rad - (angle_rad / std::f64::consts::TAU).round() * std::f64::consts::TAU
}

/// `Pose::interpolate` without the functions of the system.
pub(crate) fn between(from: &Pose, to: &Pose, share: f64) -> Pose {
    let turn_rad = log(&(from.rotation().inverse() * to.rotation()));
    let translation_m = from.translation_m().lerp(&to.translation_m(), share);
    Pose::new(translation_m, from.rotation() * exp(&(turn_rad * share)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_system_has_them() {
        for turn in [Vector3::new(0.3, -1.2, 0.7), Vector3::new(1e-7, 0.0, 0.0), Vector3::new(0.0, 3.1, 0.1)] {
            let rotation = exp(&turn);
            assert!(rotation.angle_to(&UnitQuaternion::from_scaled_axis(turn)) < 1e-7);
            assert!((log(&rotation) - turn).norm() < 1e-9);
            assert!((yaw_rad(&rotation) - Pose::new(Vector3::zeros(), rotation).rpy().yaw_rad).abs() < 1e-9);
        }
    }

    #[test]
    fn the_rate_of_log_is_that_of_a_difference() {
        let (turn, angular) = (Vector3::new(0.9, -1.4, 0.5), Vector3::new(-0.3, 0.8, 1.1));
        let later = exp(&turn) * exp(&(angular * 1e-6));
        assert!(((log(&later) - turn) / 1e-6 - rate_of_log(&turn, &angular)).norm() < 1e-4);
    }
}
