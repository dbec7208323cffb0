//! From rays to an organised cloud.

use std::sync::Arc;

use geometry::Pose;
use model::Random;
use scene::{Cloud, Depths, Picture};

use super::cast::{Grid, Hits};
use crate::world::CameraSettings;

/// Where the pixels of a camera look, and how well.
#[derive(Clone, Debug)]
pub(crate) struct Lens {
    pub grid: Grid,
    near_m: f64,
    far_m: f64,
    noise_m: f64,
    random: Random,
}

impl Lens {
    pub fn new(settings: &CameraSettings, robot_view_rad: f64, random: Random) -> Lens {
        let grid = Grid::new(settings.width, settings.height, settings.view_rad.unwrap_or(robot_view_rad));
        let CameraSettings { near_m, far_m, noise_m, .. } = *settings;
        Lens { grid, near_m, far_m, noise_m, random }
    }

    pub fn near_m(&self) -> f64 {
        self.near_m
    }

    pub fn far_m(&self) -> f64 {
        self.far_m
    }

    /// The rays from where the camera is, in the world.
    pub fn world_rays(&self, world_from_camera: &Pose) -> Vec<[f64; 3]> {
        let turn = world_from_camera.rotation().to_rotation_matrix();
        self.grid.rays.iter().map(|ray| (turn * ray).into()).collect()
    }

    /// `colours` are of the geoms, 0 to 1.
    pub fn picture(
        &mut self,
        (camera, time_ns): (&Arc<str>, i64),
        world_from_camera: &Pose,
        hits: &Hits,
        colours: &[[f32; 4]],
    ) -> Picture {
        let count = self.grid.rays.len();
        let (mut along_mm, mut seen_colours, mut labels) = (vec![0; count], vec![[0; 3]; count], vec![None; count]);
        for (pixel, ray) in self.grid.rays.iter().enumerate() {
            // Drawn for every pixel, so that what is seen does not change the noise elsewhere.
            let noise = self.random.normal();
            let distance_m = hits.distances_m[pixel];
            let met = hits.geoms[pixel].filter(|_| (self.near_m..=self.far_m).contains(&distance_m));
            let Some(geom) = met else { continue };
            let away_m = distance_m + noise * self.noise_m * distance_m * distance_m;
            along_mm[pixel] = Depths::delivered_mm(away_m * ray.x);
            seen_colours[pixel] = shaded(&colours[geom as usize], hits.facing[pixel]);
            labels[pixel] = Some(geom);
        }
        let size = (self.grid.width as u32, self.grid.height as u32);
        let depths = Depths { pinhole: self.grid.pinhole(), along_mm };
        let cloud = Cloud::of_depths(time_ns, *world_from_camera, size, depths, &seen_colours)
            .expect("there is one of each for every ray");
        Picture { camera: camera.clone(), cloud: Arc::new(cloud), labels }
    }
}

/// Darker where a surface turns away.
fn shaded(rgba: &[f32; 4], facing: f64) -> [u8; 3] {
    let light = 0.7 + 0.3 * facing.min(1.0) as f32;
    // Rounded half up: `round` is a call where the processor is any x86-64.
    [rgba[0], rgba[1], rgba[2]].map(|part| (f64::from(part * light * 255.0) + 0.5) as u8)
}

#[cfg(test)]
mod tests {
    use geometry::Vector3;

    use super::*;

    #[test]
    fn rays_look_along_x_with_the_first_at_the_top_left() {
        let settings = CameraSettings { width: 16, height: 8, ..CameraSettings::default() };
        let lens = Lens::new(&settings, std::f64::consts::FRAC_PI_2, Random::of_stream(0, ""));
        let rays = lens.world_rays(&Pose::identity());
        assert_eq!(rays.len(), 128);
        assert!(rays[0][1] > 0.0 && rays[0][2] > 0.0 && rays[127][1] < 0.0 && rays[127][2] < 0.0);
        // The middles of the outermost pixels are half a pixel inside of 45°.
        assert!((rays[0][1] / rays[0][0] - 15.0 / 16.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_too_near_or_too_far_has_no_depth_and_noise_grows_with_the_square() {
        let settings = CameraSettings { near_m: 0.5, far_m: 5.0, ..CameraSettings::default() };
        let mut lens = Lens::new(&settings, 1.0, Random::of_stream(3, "head"));
        let count = 160 * 120;
        let rays = lens.world_rays(&Pose::identity());
        let mut deviation_m = |distance_m: f64| {
            let hits =
                Hits { geoms: vec![Some(0); count], distances_m: vec![distance_m; count], facing: vec![1.0; count] };
            let colours = [[1.0, 0.5, 0.0, 1.0]];
            let picture = lens.picture((&"head".into(), 0), &Pose::identity(), &hits, &colours);
            let along = |(pixel, point, _): (usize, [f32; 3], [u8; 3])| {
                Vector3::from(point.map(f64::from)).dot(&Vector3::from(rays[pixel]))
            };
            let points: Vec<f64> = picture.cloud.points().map(along).collect();
            let squares: f64 = points.iter().map(|away_m| (away_m - distance_m) * (away_m - distance_m)).sum();
            (points.len(), (squares / points.len().max(1) as f64).sqrt())
        };
        assert_eq!(deviation_m(0.4).0, 0);
        assert_eq!(deviation_m(5.1).0, 0);
        let (count_1, at_1_m) = deviation_m(1.0);
        let (_, at_2_m) = deviation_m(2.0);
        assert_eq!(count_1, count);
        assert!((at_1_m - 0.01).abs() < 5e-4 && (at_2_m - 0.04).abs() < 2e-3, "{at_1_m} {at_2_m}");
    }
}
