//! Rays against simple shapes. Each shape is tried only at the pixels it can cover: with a hundred of them that is many
//! times faster than every ray against every shape, and the same to the last bit.

use geometry::{Matrix3, Pose, Vector3};
use scene::Pinhole;

use super::cover::Cover;
use super::form::{Form, Solid};

/// What each pixel shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hits {
    pub geoms: Vec<Option<u32>>,
    /// Infinite where there is nothing.
    pub distances_m: Vec<f64>,
    /// How much the surface faces the ray, 0 to 1.
    pub facing: Vec<f64>,
}

/// The pixels of a camera: x forward, y left, z up.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub width: usize,
    pub height: usize,
    /// Size of a pixel at 1 m before the camera.
    pub pixel: f64,
    /// Of length 1, row by row from the top left.
    pub rays: Vec<Vector3<f64>>,
}

impl Grid {
    pub fn new(width: u32, height: u32, view_rad: f64) -> Grid {
        let half = libm::tan(0.5 * view_rad);
        let pixel = 2.0 * half / f64::from(width);
        let ray = |row: u32, column: u32| {
            let left = half - (f64::from(column) + 0.5) * pixel;
            let up = (0.5 * f64::from(height) - (f64::from(row) + 0.5)) * pixel;
            Vector3::new(1.0, left, up).normalize()
        };
        let rays = (0..height).flat_map(|row| (0..width).map(move |column| ray(row, column))).collect();
        Grid { width: width as usize, height: height as usize, pixel, rays }
    }

    /// Through which its rays go.
    pub fn pinhole(&self) -> Pinhole {
        let middle_px = [self.width as f64, self.height as f64].map(|pixels| 0.5 * pixels);
        Pinhole { focal_px: [1.0 / self.pixel; 2], middle_px }
    }
}

/// A shape as the camera meets it.
struct Seen {
    number: u32,
    form: Form,
    shape_from_lens: Matrix3<f64>,
    /// The camera, in the frame of the shape.
    from_m: Vector3<f64>,
}

/// Of a pixel that shows nothing.
const NOTHING: u32 = u32::MAX;

impl Hits {
    /// Of the shapes with their numbers, those no further than `far_m`. Where two are equally far, the first counts.
    pub fn cast(
        &mut self,
        grid: &Grid,
        world_from_camera: &Pose,
        solids: impl Iterator<Item = (u32, Solid)>,
        far_m: f64,
    ) {
        self.distances_m.clear();
        self.distances_m.resize(grid.rays.len(), f64::INFINITY);
        let mut nearest = vec![NOTHING; grid.rays.len()];
        let world_from_lens = world_from_camera.rotation().to_rotation_matrix().into_inner();
        let camera_m = world_from_camera.translation_m();
        let (mut cover, mut all) = (Cover::new(grid), Vec::new());
        for (number, solid) in solids {
            let shape_from_world = solid.turn.transpose();
            let shape_from_lens = shape_from_world * world_from_lens;
            let from_m = shape_from_world * (camera_m - solid.at_m);
            if cover.put(&solid.form, &shape_from_lens, &from_m, far_m) {
                let seen = Seen { number, form: solid.form, shape_from_lens, from_m };
                let mut pixels = Pixels { grid, nearest: &mut nearest, distances_m: &mut self.distances_m };
                pixels.meet(&seen, all.len() as u32, &cover, far_m);
                all.push(seen);
            }
        }
        self.tell(grid, &nearest, &all);
    }

    /// How surfaces face their rays costs a division or more: only of those that are seen in the end.
    fn tell(&mut self, grid: &Grid, nearest: &[u32], all: &[Seen]) {
        self.geoms.clear();
        self.facing.clear();
        for ((index, away_m), ray) in nearest.iter().zip(&self.distances_m).zip(&grid.rays) {
            let seen = all.get(*index as usize);
            self.geoms.push(seen.map(|seen| seen.number));
            self.facing.push(seen.map_or(0.0, |seen| {
                let along = seen.shape_from_lens * ray;
                seen.form.normal(&(seen.from_m + along * *away_m)).dot(&along).abs()
            }));
        }
    }
}

struct Pixels<'a> {
    grid: &'a Grid,
    nearest: &'a mut [u32],
    distances_m: &'a mut [f64],
}

impl Pixels<'_> {
    fn meet(&mut self, seen: &Seen, index: u32, cover: &Cover, far_m: f64) {
        let from_m = &seen.from_m;
        // A loop for each kind of shape, so that none asks at each pixel which it is.
        match &seen.form {
            Form::Plane(half_m) => {
                self.each(seen, index, cover, far_m, |along| Form::Plane(*half_m).meets(from_m, along))
            }
            Form::Sphere(radius_m) => {
                self.each(seen, index, cover, far_m, |along| Form::Sphere(*radius_m).meets(from_m, along))
            }
            Form::Capsule(radius_m, half_m) => {
                self.each(seen, index, cover, far_m, |along| Form::Capsule(*radius_m, *half_m).meets(from_m, along))
            }
            Form::Cylinder(radius_m, half_m) => {
                self.each(seen, index, cover, far_m, |along| Form::Cylinder(*radius_m, *half_m).meets(from_m, along))
            }
            Form::Box(half_m) => self.each(seen, index, cover, far_m, |along| Form::Box(*half_m).meets(from_m, along)),
        }
    }

    #[inline]
    fn each(
        &mut self,
        seen: &Seen,
        index: u32,
        cover: &Cover,
        far_m: f64,
        meets: impl Fn(&Vector3<f64>) -> Option<f64>,
    ) {
        for (row, columns) in cover.rows() {
            let pixels = row * self.grid.width + columns.start..row * self.grid.width + columns.end;
            let rays = &self.grid.rays[pixels.clone()];
            let (distances_m, nearest) = (&mut self.distances_m[pixels.clone()], &mut self.nearest[pixels]);
            for ((ray, distance_m), nearest) in rays.iter().zip(distances_m).zip(nearest) {
                let Some(away_m) = meets(&(seen.shape_from_lens * ray)) else { continue };
                if away_m < *distance_m && away_m <= far_m {
                    (*distance_m, *nearest) = (away_m, index);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::brute;
    use super::*;

    /// Shapes in every direction, some around the camera, some through the plane of its lens, some that touch it.
    #[test]
    fn shows_what_every_ray_against_every_shape_shows() {
        let mut random = model::Random::of_stream(7, "shapes");
        let mut seen = 0;
        for round in 0..300 {
            let mut between = |low: f64, high: f64| low + random.share() * (high - low);
            let grid = Grid::new(40, 30, between(0.5, 2.4));
            let turned = |between: &mut dyn FnMut(f64, f64) -> f64| {
                Vector3::new(between(-3.0, 3.0), between(-3.0, 3.0), between(-3.0, 3.0))
            };
            let camera = Pose::from_axis_angle(Vector3::new(0.1, -0.2, 0.3), turned(&mut between));
            let solids: Vec<(u32, Solid)> = (0..12)
                .map(|number| {
                    let size = [between(0.0, 0.6), between(0.0, 0.6), between(0.0, 4.0)];
                    let form = match number % 6 {
                        0 => Form::Sphere(size[0]),
                        1 => Form::Capsule(size[0], size[2]),
                        2 => Form::Cylinder(size[0], size[1]),
                        3 => Form::Box(Vector3::new(size[0], size[1], size[2])),
                        4 => Form::Plane([size[0], size[2]]),
                        _ => Form::Plane([0.0, size[1] * f64::from(round % 2)]),
                    };
                    let reach_m = between(0.0, 3.0);
                    let at_m = camera.translation_m()
                        + Vector3::new(between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0)) * reach_m;
                    let turn = Pose::from_axis_angle(Vector3::zeros(), turned(&mut between));
                    (number, Solid { form, at_m, turn: turn.rotation().to_rotation_matrix().into_inner() })
                })
                .collect();
            let mut hits = Hits::default();
            hits.cast(&grid, &camera, solids.iter().copied(), 2.5);
            let expected = brute::cast(&grid, &camera, solids.iter().copied(), 2.5);
            assert_eq!(hits, expected, "round {round}");
            seen += hits.geoms.iter().flatten().count();
        }
        assert!(seen > 100_000, "{seen} pixels show something");
    }
}
