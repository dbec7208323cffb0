//! Where in the picture a direction is.

use geometry::Point3;
use scene::Cloud;
use serde::{Deserialize, Serialize};

/// Of a camera without distortion. Places are in pixels from the top left corner, so that the middle of the first pixel is
/// at a half; calibrations that count from there are half a pixel less.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intrinsics {
    /// Across and down.
    pub focal_px: [f64; 2],
    pub centre_px: [f64; 2],
}

/// Fewer points, and noise would decide.
const LEAST_POINTS: usize = 50;

impl Intrinsics {
    pub fn is_usable(&self) -> bool {
        self.focal_px.iter().all(|focal| focal.is_finite() && *focal > 0.0)
            && self.centre_px.iter().all(|centre| centre.is_finite())
    }

    /// As the points of a picture have it: the line through slope and pixel, across and down. None: too few points, or
    /// all in one row or column.
    pub fn of(cloud: &Cloud) -> Option<Intrinsics> {
        let camera_from_world = cloud.world_from_camera.inverse();
        let mut lines = [Line::default(), Line::default()];
        for (index, point, _) in cloud.points() {
            let point = camera_from_world.transform_point(&Point3::from(point.map(f64::from)));
            if point.x <= 0.0 {
                continue;
            }
            let (column, row) = (index % cloud.width() as usize, index / cloud.width() as usize);
            lines[0].add(-point.y / point.x, column as f64 + 0.5);
            lines[1].add(-point.z / point.x, row as f64 + 0.5);
        }
        let [across, down] = [lines[0].fit()?, lines[1].fit()?];
        let intrinsics = Intrinsics { focal_px: [across[0], down[0]], centre_px: [across[1], down[1]] };
        intrinsics.is_usable().then_some(intrinsics)
    }

    /// Right and down of the middle, per metre ahead.
    pub fn slopes(&self, place_px: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| (place_px[axis] - self.centre_px[axis]) / self.focal_px[axis])
    }
}

/// Least squares.
#[derive(Clone, Copy, Default)]
struct Line {
    count: f64,
    sum: [f64; 2],
    square: f64,
    product: f64,
}

impl Line {
    fn add(&mut self, slope: f64, pixel: f64) {
        self.count += 1.0;
        self.sum[0] += slope;
        self.sum[1] += pixel;
        self.square += slope * slope;
        self.product += slope * pixel;
    }

    /// Pixels per slope, and the pixel at none.
    fn fit(&self) -> Option<[f64; 2]> {
        let spread = self.count * self.square - self.sum[0] * self.sum[0];
        if self.count < LEAST_POINTS as f64 || spread < 1e-9 * self.count * self.count {
            return None;
        }
        let focal = (self.count * self.product - self.sum[0] * self.sum[1]) / spread;
        Some([focal, (self.sum[1] - focal * self.sum[0]) / self.count])
    }
}

#[cfg(test)]
mod tests {
    use geometry::{Pose, RollPitchYaw, Vector3};

    use super::*;

    fn cloud(truth: &Intrinsics, rows: u32) -> Cloud {
        let pose = Pose::from_rpy(Vector3::new(1.0, -2.0, 1.5), RollPitchYaw::new(0.1, 0.3, 2.0));
        let mut cloud = Cloud::new(0, pose, 64, rows);
        for index in 0..cloud.len() {
            let (column, row) = (index % 64, index / 64);
            let [right, down] = truth.slopes([column as f64 + 0.5, row as f64 + 0.5]);
            let ahead_m = 1.0 + (index * 7 % 13) as f64 * 0.1;
            let world = pose.transform_point(&Point3::new(ahead_m, -right * ahead_m, -down * ahead_m));
            let point = [world.x as f32, world.y as f32, world.z as f32];
            cloud.set(index, (index % 3 != 0).then_some(point), [0; 3]);
        }
        cloud
    }

    #[test]
    fn the_points_of_a_picture_tell_the_intrinsics() {
        let truth = Intrinsics { focal_px: [70.0, 68.0], centre_px: [31.0, 25.5] };
        let found = Intrinsics::of(&cloud(&truth, 48)).unwrap();
        for axis in [0, 1] {
            assert!((found.focal_px[axis] - truth.focal_px[axis]).abs() < 0.01, "{found:?}");
            assert!((found.centre_px[axis] - truth.centre_px[axis]).abs() < 0.01, "{found:?}");
        }
    }

    #[test]
    fn too_few_points_tell_nothing() {
        let truth = Intrinsics { focal_px: [70.0, 68.0], centre_px: [31.0, 25.5] };
        assert_eq!(Intrinsics::of(&Cloud::new(0, Pose::identity(), 64, 48)), None);
        assert_eq!(Intrinsics::of(&cloud(&truth, 1)), None);
    }
}
