//! From the corners of a square in a picture to its pose.

use geometry::{Matrix3, Pose, UnitQuaternion, Vector3};
use nalgebra::{Matrix2x3, Matrix3x6, Rotation3, SMatrix, SVector, Unit, Vector2, Vector6};

use crate::intrinsics::Intrinsics;

/// Of the square in the camera's optical axes: right, down, ahead. Its own are its right, its down and into it.
#[derive(Clone, Copy)]
struct Guess {
    rotation: Rotation3<f64>,
    middle_m: Vector3<f64>,
}

/// Right and down of the middle, in half sides: top right, bottom right, bottom left, top left.
const CORNERS: [[f64; 2]; 4] = [[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];

const ROUNDS: usize = 10;

/// The square's frame is in its middle; x points out of its face, z to its upper side. `corners_px` as on the square
/// held upright: top right, bottom right, bottom left, top left. None: these are no corners of a square.
pub fn camera_from_tag(corners_px: &[[f64; 2]; 4], size_m: f64, intrinsics: &Intrinsics) -> Option<Pose> {
    let slopes = corners_px.map(|corner| Vector2::from(intrinsics.slopes(corner)));
    let square = CORNERS.map(|[right, down]| Vector3::new(right, down, 0.0) * (size_m / 2.0));
    let first = decomposed(&slopes, &square)?;
    // Seen from afar, the square tilted the other way looks nearly the same: the better of the two counts.
    let guesses = [first, first.tilted_back()].map(|guess| guess.refined(&slopes, &square));
    let errors = guesses.map(|guess| guess.map_or(f64::INFINITY, |guess| guess.error(&slopes, &square)));
    let best = guesses[usize::from(errors[1] < errors[0])]?;
    let pose = best.camera_from_tag();
    (pose.is_finite() && best.middle_m.z > 0.0).then_some(pose)
}

/// From the plane of the square to the picture there is one homography; its columns are two axes and the middle.
fn decomposed(slopes: &[Vector2<f64>; 4], square: &[Vector3<f64>; 4]) -> Option<Guess> {
    let mut left = SMatrix::<f64, 8, 8>::zeros();
    let mut right = SVector::<f64, 8>::zeros();
    for (index, (slope, corner)) in slopes.iter().zip(square).enumerate() {
        for axis in [0, 1] {
            let row = 2 * index + axis;
            for (column, number) in [corner.x, corner.y, 1.0].into_iter().enumerate() {
                left[(row, 3 * axis + column)] = number;
            }
            left[(row, 6)] = -slope[axis] * corner.x;
            left[(row, 7)] = -slope[axis] * corner.y;
            right[row] = slope[axis];
        }
    }
    let h = left.lu().solve(&right)?;
    let (first, second) = (Vector3::new(h[0], h[3], h[6]), Vector3::new(h[1], h[4], h[7]));
    let scale = 2.0 / (first.norm() + second.norm());
    let (first, second) = (first * scale, second * scale);
    let skewed = Matrix3::from_columns(&[first, second, first.cross(&second)]);
    let parts = skewed.svd(true, true);
    let rotation = parts.u? * parts.v_t?;
    let guess =
        Guess { rotation: Rotation3::from_matrix_unchecked(rotation), middle_m: Vector3::new(h[2], h[5], 1.0) * scale };
    (scale.is_finite() && rotation.determinant() > 0.0).then_some(guess)
}

impl Guess {
    fn tilted_back(&self) -> Guess {
        let half_turn =
            |axis: Vector3<f64>| Rotation3::from_axis_angle(&Unit::new_normalize(axis), std::f64::consts::PI);
        Guess { rotation: half_turn(self.middle_m) * self.rotation * half_turn(Vector3::z()), ..*self }
    }

    /// Gauss and Newton: corners where the picture has them.
    fn refined(mut self, slopes: &[Vector2<f64>; 4], square: &[Vector3<f64>; 4]) -> Option<Guess> {
        for _ in 0..ROUNDS {
            let mut normal = SMatrix::<f64, 6, 6>::zeros();
            let mut pull = Vector6::zeros();
            for (slope, corner) in slopes.iter().zip(square) {
                let turned = self.rotation * corner;
                let point = turned + self.middle_m;
                let (x, y, z) = (point.x, point.y, point.z);
                let by_point = Matrix2x3::new(1.0 / z, 0.0, -x / (z * z), 0.0, 1.0 / z, -y / (z * z));
                let mut point_by_change = Matrix3x6::zeros();
                point_by_change.fixed_view_mut::<3, 3>(0, 0).copy_from(&-turned.cross_matrix());
                point_by_change.fixed_view_mut::<3, 3>(0, 3).copy_from(&Matrix3::identity());
                let change = by_point * point_by_change;
                normal += change.transpose() * change;
                pull += change.transpose() * (slope - Vector2::new(x / z, y / z));
            }
            let step = normal.cholesky()?.solve(&pull);
            self.rotation = Rotation3::new(step.fixed_rows::<3>(0).into_owned()) * self.rotation;
            self.middle_m += step.fixed_rows::<3>(3);
        }
        Some(self)
    }

    fn error(&self, slopes: &[Vector2<f64>; 4], square: &[Vector3<f64>; 4]) -> f64 {
        let off = |(slope, corner): (&Vector2<f64>, &Vector3<f64>)| {
            let point = self.rotation * corner + self.middle_m;
            // Behind the camera is no place to be seen at.
            if point.z > 0.0 { (slope - point.xy() / point.z).norm_squared() } else { f64::INFINITY }
        };
        slopes.iter().zip(square).map(off).sum()
    }

    /// The camera looks along its x, z is up.
    fn camera_from_tag(&self) -> Pose {
        let camera = |optical: Vector3<f64>| Vector3::new(optical.z, -optical.x, -optical.y);
        let axis = |index: usize| camera(self.rotation.matrix().column(index).into_owned());
        let axes = Matrix3::from_columns(&[-axis(2), axis(0), -axis(1)]);
        let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
        Pose::new(camera(self.middle_m), rotation)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use geometry::{Point3, RollPitchYaw};

    use super::*;

    const INTRINSICS: Intrinsics = Intrinsics { focal_px: [600.0, 590.0], centre_px: [320.0, 245.0] };

    fn seen(camera_from_tag: &Pose, size_m: f64) -> [[f64; 2]; 4] {
        CORNERS.map(|[right, down]| {
            let half_m = size_m / 2.0;
            let point = camera_from_tag.transform_point(&Point3::new(0.0, right * half_m, -down * half_m));
            let [across, below] = [-point.y / point.x, -point.z / point.x];
            [320.0 + 600.0 * across, 245.0 + 590.0 * below]
        })
    }

    #[test]
    fn corners_without_noise_give_the_pose() {
        for (x, y, z, roll, pitch, yaw) in [
            (1.0, 0.0, 0.0, 0.0, 0.0, PI),
            (0.5, 0.2, -0.1, 0.3, 0.2, PI - 0.5),
            (3.0, -0.5, 0.4, -1.5, -0.6, PI + 0.7),
            (0.8, 0.1, 0.0, 3.0, 0.9, PI),
        ] {
            let truth = Pose::from_rpy(Vector3::new(x, y, z), RollPitchYaw::new(roll, pitch, yaw));
            let found = camera_from_tag(&seen(&truth, 0.16), 0.16, &INTRINSICS).unwrap();
            let off = found.distance(&truth);
            assert!(off.position_m < 1e-6 && off.angle_rad < 1e-6, "{truth:?}: {off:?}");
        }
    }

    #[test]
    fn no_square_has_no_pose() {
        assert_eq!(camera_from_tag(&[[1.0, 1.0]; 4], 0.1, &INTRINSICS), None);
        let line = [[0.0, 0.0], [10.0, 0.0], [20.0, 0.0], [30.0, 0.0]];
        assert_eq!(camera_from_tag(&line, 0.1, &INTRINSICS), None);
        assert_eq!(camera_from_tag(&[[f64::NAN; 2]; 4], 0.1, &INTRINSICS), None);
    }
}
