//! Rays against simple shapes. Each shape is tried only where it can be in the picture: with a hundred of them that is
//! many times faster than every ray against every shape.

use geometry::{Matrix3, Pose, Vector3};

/// A shape in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    /// Seen from above; half sizes along x and y, without end where zero.
    Plane([f64; 2]),
    Sphere(f64),
    /// Along z: radius, and half of its length without the caps.
    Capsule(f64, f64),
    Cylinder(f64, f64),
    /// Half sizes.
    Box(Vector3<f64>),
}

/// One shape where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    pub form: Form,
    pub at_m: Vector3<f64>,
    pub turn: Matrix3<f64>,
}

/// What each pixel shows.
#[derive(Clone, Debug, Default)]
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

    /// Rows and columns in which slopes between these can be seen.
    fn window(&self, left: [f64; 2], up: [f64; 2]) -> [std::ops::Range<usize>; 2] {
        let place = |slope: f64, count: usize| 0.5 * count as f64 - slope / self.pixel;
        let clipped = |from: f64, to: f64, count: usize| {
            (from.floor().clamp(0.0, count as f64) as usize)..(to.ceil().clamp(0.0, count as f64) as usize)
        };
        [
            clipped(place(up[1], self.height), place(up[0], self.height), self.height),
            clipped(place(left[1], self.width), place(left[0], self.width), self.width),
        ]
    }
}

impl Hits {
    /// Of the shapes with their numbers, those no further than `far_m`.
    pub fn cast(
        &mut self,
        grid: &Grid,
        world_from_camera: &Pose,
        solids: impl Iterator<Item = (u32, Solid)>,
        far_m: f64,
    ) {
        let count = grid.rays.len();
        self.geoms.clear();
        self.geoms.resize(count, None);
        self.distances_m.clear();
        self.distances_m.resize(count, f64::INFINITY);
        self.facing.clear();
        self.facing.resize(count, 0.0);
        let world_from_lens = world_from_camera.rotation().to_rotation_matrix().into_inner();
        let camera_m = world_from_camera.translation_m();
        for (number, solid) in solids {
            // The camera in the frame of the shape.
            let shape_from_world = solid.turn.transpose();
            let shape_from_lens = shape_from_world * world_from_lens;
            let from_m = shape_from_world * (camera_m - solid.at_m);
            let Some([rows, columns]) = window(grid, &solid.form, &shape_from_lens, &from_m, far_m) else { continue };
            for row in rows {
                for pixel in row * grid.width + columns.start..row * grid.width + columns.end {
                    let along = shape_from_lens * grid.rays[pixel];
                    let Some(away_m) = solid.form.meets(&from_m, &along) else { continue };
                    if away_m < self.distances_m[pixel] && away_m <= far_m {
                        self.distances_m[pixel] = away_m;
                        self.geoms[pixel] = Some(number);
                        self.facing[pixel] = solid.form.normal(&(from_m + along * away_m)).dot(&along).abs();
                    }
                }
            }
        }
    }
}

/// None: out of the picture.
fn window(
    grid: &Grid,
    form: &Form,
    shape_from_lens: &Matrix3<f64>,
    from_m: &Vector3<f64>,
    far_m: f64,
) -> Option<[std::ops::Range<usize>; 2]> {
    let whole = || Some([0..grid.height, 0..grid.width]);
    let Some(half_m) = form.half_m() else { return whole() };
    if from_m.norm() - half_m.norm() > far_m {
        return None;
    }
    let (mut left, mut up) = ([f64::INFINITY, f64::NEG_INFINITY], [f64::INFINITY, f64::NEG_INFINITY]);
    let (mut before, mut behind) = (0, 0);
    for corner in 0..8 {
        let sign = |bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
        let corner_m = Vector3::new(sign(0) * half_m.x, sign(1) * half_m.y, sign(2) * half_m.z);
        let seen_m = shape_from_lens.transpose() * (corner_m - from_m);
        if seen_m.x < 1e-3 {
            behind += 1;
            continue;
        }
        before += 1;
        let (y, z) = (seen_m.y / seen_m.x, seen_m.z / seen_m.x);
        left = [left[0].min(y), left[1].max(y)];
        up = [up[0].min(z), up[1].max(z)];
    }
    match (before, behind) {
        (0, _) => None,
        (_, 0) => Some(grid.window(left, up)).filter(|[rows, columns]| !rows.is_empty() && !columns.is_empty()),
        // It reaches past the camera: its corners do not bound it.
        _ => whole(),
    }
}

impl Form {
    /// Of the box around it; None: it has no end.
    fn half_m(&self) -> Option<Vector3<f64>> {
        Some(match self {
            Form::Plane([x, y]) if *x > 0.0 && *y > 0.0 => Vector3::new(*x, *y, 0.0),
            Form::Plane(_) => return None,
            Form::Sphere(radius_m) => Vector3::repeat(*radius_m),
            Form::Capsule(radius_m, half_m) => Vector3::new(*radius_m, *radius_m, half_m + radius_m),
            Form::Cylinder(radius_m, half_m) => Vector3::new(*radius_m, *radius_m, *half_m),
            Form::Box(half_m) => *half_m,
        })
    }

    /// How far along a ray of length 1; of what the ray begins in, the far side.
    fn meets(&self, from: &Vector3<f64>, along: &Vector3<f64>) -> Option<f64> {
        match self {
            Form::Plane([x, y]) => {
                let away = -from.z / along.z;
                let within = |half: f64, at: f64| half <= 0.0 || at.abs() <= half;
                (along.z < 0.0 && away >= 0.0)
                    .then_some(away)
                    .filter(|away| within(*x, from.x + along.x * away) && within(*y, from.y + along.y * away))
            }
            Form::Sphere(radius) => nearest(roots(1.0, from.dot(along), from.dot(from) - radius * radius)?),
            Form::Capsule(radius, half) => {
                let side = tube(from, along, *radius).and_then(|roots| {
                    roots.into_iter().find(|away| *away >= 0.0 && (from.z + along.z * away).abs() <= *half)
                });
                let cap = |end: f64| {
                    let from = from - Vector3::z() * end;
                    let both = roots(1.0, from.dot(along), from.dot(&from) - radius * radius)?;
                    both.into_iter().find(|away| *away >= 0.0 && (from.z + along.z * away) * end >= 0.0)
                };
                least([side, cap(*half), cap(-half)])
            }
            Form::Cylinder(radius, half) => {
                let side = tube(from, along, *radius).and_then(|roots| {
                    roots.into_iter().find(|away| *away >= 0.0 && (from.z + along.z * away).abs() <= *half)
                });
                let end = |end: f64| {
                    let away = (end - from.z) / along.z;
                    let (x, y) = (from.x + along.x * away, from.y + along.y * away);
                    (away >= 0.0 && x * x + y * y <= radius * radius).then_some(away)
                };
                least([side, end(*half), end(-half)])
            }
            Form::Box(half) => slabs(from, along, half),
        }
    }

    /// At a point of its surface.
    fn normal(&self, at: &Vector3<f64>) -> Vector3<f64> {
        let unit = |vector: Vector3<f64>| vector.try_normalize(1e-12).unwrap_or_else(Vector3::z);
        match self {
            Form::Plane(_) => Vector3::z(),
            Form::Sphere(_) => unit(*at),
            Form::Capsule(_, half) => unit(at - Vector3::z() * at.z.clamp(-half, *half)),
            Form::Cylinder(_, half) if at.z.abs() >= half - 1e-9 => Vector3::z(),
            Form::Cylinder(..) => unit(Vector3::new(at.x, at.y, 0.0)),
            Form::Box(half) => {
                let outwards = at.component_div(&half.map(|half| half.max(1e-9))).abs();
                Vector3::ith(outwards.imax(), 1.0)
            }
        }
    }
}

/// Of `a t² + 2 b t + c`, the smaller first.
fn roots(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let inner = b * b - a * c;
    if inner < 0.0 || a < 1e-15 {
        return None;
    }
    let root = inner.sqrt();
    Some([(-b - root) / a, (-b + root) / a])
}

fn nearest(roots: [f64; 2]) -> Option<f64> {
    roots.into_iter().find(|away| *away >= 0.0)
}

fn least<const N: usize>(all: [Option<f64>; N]) -> Option<f64> {
    all.into_iter().flatten().reduce(f64::min)
}

/// With the tube without ends around z.
fn tube(from: &Vector3<f64>, along: &Vector3<f64>, radius: f64) -> Option<[f64; 2]> {
    let a = along.x * along.x + along.y * along.y;
    let b = from.x * along.x + from.y * along.y;
    roots(a, b, from.x * from.x + from.y * from.y - radius * radius)
}

fn slabs(from: &Vector3<f64>, along: &Vector3<f64>, half: &Vector3<f64>) -> Option<f64> {
    let (mut enters, mut leaves) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        if along[axis].abs() < 1e-15 {
            if from[axis].abs() > half[axis] {
                return None;
            }
            continue;
        }
        let inverse = 1.0 / along[axis];
        let (one, other) = ((-half[axis] - from[axis]) * inverse, (half[axis] - from[axis]) * inverse);
        enters = enters.max(one.min(other));
        leaves = leaves.min(one.max(other));
    }
    if enters > leaves || leaves < 0.0 {
        return None;
    }
    Some(if enters >= 0.0 { enters } else { leaves })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_met_where_they_begin() {
        let from = Vector3::new(-3.0, 0.0, 0.0);
        let ahead = Vector3::x();
        for (form, away) in [
            (Form::Sphere(0.5), 2.5),
            (Form::Capsule(0.25, 1.0), 2.75),
            (Form::Cylinder(0.5, 1.0), 2.5),
            (Form::Box(Vector3::new(1.0, 0.1, 0.1)), 2.0),
        ] {
            assert!((form.meets(&from, &ahead).expect("met") - away).abs() < 1e-12, "{form:?}");
            assert_eq!(form.meets(&from, &-ahead), None, "{form:?}");
            assert_eq!(form.meets(&Vector3::new(-3.0, 1.6, 1.6), &ahead), None, "{form:?}");
            assert!(form.meets(&Vector3::zeros(), &ahead).is_some_and(|away| away > 0.0), "{form:?} from inside");
        }
        let down = Vector3::new(0.6, 0.0, -0.8);
        assert_eq!(Form::Plane([0.0; 2]).meets(&Vector3::new(0.0, 0.0, 1.6), &down), Some(2.0));
        assert_eq!(Form::Plane([0.5, 0.5]).meets(&Vector3::new(0.0, 0.0, 1.6), &down), None);
        let above = Vector3::new(0.0, 0.1, 3.0);
        assert_eq!(Form::Cylinder(0.5, 1.0).meets(&above, &-Vector3::z()), Some(2.0));
        assert!(
            (Form::Capsule(0.5, 1.0).meets(&(Vector3::z() * 3.0), &-Vector3::z()).expect("met") - 1.5).abs() < 1e-12
        );
    }

    #[test]
    fn the_window_of_a_shape_holds_all_of_it() {
        let grid = Grid::new(64, 48, 1.2);
        let turn = Pose::from_axis_angle(Vector3::zeros(), Vector3::new(0.3, -0.7, 0.5));
        let turn = turn.rotation().to_rotation_matrix().into_inner();
        let camera = Pose::from_axis_angle(Vector3::new(0.1, -0.2, 0.3), Vector3::new(0.05, 0.1, -0.2));
        for form in [
            Form::Sphere(0.2),
            Form::Capsule(0.1, 0.4),
            Form::Cylinder(0.3, 0.1),
            Form::Box(Vector3::new(0.4, 0.1, 0.2)),
        ] {
            let solid = Solid { form, at_m: Vector3::new(1.5, 0.1, 0.2), turn };
            let mut hits = Hits::default();
            hits.cast(&grid, &camera, [(3, solid)].into_iter(), 10.0);
            let world_from_lens = camera.rotation();
            let mut seen = 0;
            for (pixel, ray) in grid.rays.iter().enumerate() {
                let from = turn.transpose() * (camera.translation_m() - solid.at_m);
                let along = turn.transpose() * (world_from_lens * ray);
                assert_eq!(hits.geoms[pixel].is_some(), form.meets(&from, &along).is_some(), "{form:?} {pixel}");
                seen += usize::from(hits.geoms[pixel].is_some());
            }
            assert!(seen > 20, "{form:?}: {seen} pixels");
        }
    }
}
