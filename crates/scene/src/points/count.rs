use geometry::{Point3, Pose};

use super::{ColourRange, Shape};
use crate::Cloud;
use crate::block::{BLOCK, Block};

/// A point of a cloud that is inside a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inside {
    /// In the cloud.
    pub index: usize,
    pub world_position: Point3<f64>,
    pub colour: [u8; 3],
}

/// How many points of the cloud are inside.
pub fn count(cloud: &Cloud, shape: &Shape, world_from_shape: &Pose, colours: Option<&ColourRange>) -> usize {
    let mut total = 0;
    let test = colours.map(ColourRange::test);
    each_block(cloud, shape, world_from_shape, |first, inside| {
        total += match &test {
            // Colours cost more than places: those of a block that is all outside are not looked at.
            Some(test) if inside.contains(&1) => test.count(inside, cloud.channels().map(|all| &all[first..])),
            Some(_) => 0,
            None => inside.iter().map(|inside| u32::from(*inside)).sum::<u32>(),
        } as usize;
    });
    total
}

/// The points of the cloud that are inside, in its order: as many as [`count`] tells.
pub fn inside(cloud: &Cloud, shape: &Shape, world_from_shape: &Pose, colours: Option<&ColourRange>) -> Vec<Inside> {
    let mut found = Vec::new();
    let test = colours.map(ColourRange::test);
    each_block(cloud, shape, world_from_shape, |first, inside| {
        for index in (first..).zip(inside).filter(|(_, inside)| **inside != 0).map(|(index, _)| index) {
            let colour = cloud.colour(index);
            if let (Some(point), true) = (cloud.point(index), test.as_ref().is_none_or(|test| test.contains(colour))) {
                let world_position = Point3::from(point.map(f64::from));
                found.push(Inside { index, world_position, colour });
            }
        }
    });
    found
}

/// In single precision, with the shape at the origin before anything is turned: what is small stays exact far from the
/// origin of the world.
struct Placed {
    origin_m: [f32; 3],
    /// From the world to the shape, row by row.
    turn: [[f32; 3]; 3],
    /// Of the box around the shape, along its own axes.
    half_m: [f32; 3],
}

impl Placed {
    fn new(shape: &Shape, world_from_shape: &Pose) -> Placed {
        let origin_m: [f64; 3] = world_from_shape.translation_m().into();
        let turn = world_from_shape.rotation().to_rotation_matrix();
        let row = |of: usize| [0, 1, 2].map(|column| turn[(column, of)] as f32);
        let half_m = match *shape {
            Shape::Sphere { radius_m } => [radius_m; 3],
            Shape::Box { size_m } => size_m.map(|size_m| size_m / 2.0),
            Shape::Capsule { radius_m, length_m } => [radius_m, radius_m, radius_m + length_m / 2.0],
            Shape::Cylinder { radius_m, length_m } => [radius_m, radius_m, length_m / 2.0],
        };
        let single = |numbers: [f64; 3]| numbers.map(|number| number as f32);
        Placed { origin_m: single(origin_m), turn: [row(0), row(1), row(2)], half_m: single(half_m) }
    }

    #[inline(always)]
    fn local(&self, x: f32, y: f32, z: f32) -> [f32; 3] {
        let (x, y, z) = (x - self.origin_m[0], y - self.origin_m[1], z - self.origin_m[2]);
        self.turn.map(|[of_x, of_y, of_z]| of_x * x + of_y * y + of_z * z)
    }
}

fn each_block(cloud: &Cloud, shape: &Shape, world_from_shape: &Pose, mut done: impl FnMut(usize, &[u8])) {
    let placed = Placed::new(shape, world_from_shape);
    match *shape {
        Shape::Sphere { radius_m } => {
            let square = (radius_m * radius_m) as f32;
            run(cloud, &placed, &mut done, |[x, y, z]| x * x + y * y + z * z <= square);
        }
        Shape::Box { size_m } => {
            let [a, b, c] = size_m.map(|size_m| (size_m / 2.0) as f32);
            run(cloud, &placed, &mut done, |[x, y, z]| (x.abs() <= a) & (y.abs() <= b) & (z.abs() <= c));
        }
        Shape::Capsule { radius_m, length_m } => {
            let (square, half) = ((radius_m * radius_m) as f32, (length_m / 2.0) as f32);
            run(cloud, &placed, &mut done, |[x, y, z]| {
                let beyond = z.abs() - half;
                let beyond = if beyond > 0.0 { beyond } else { 0.0 };
                x * x + y * y + beyond * beyond <= square
            });
        }
        Shape::Cylinder { radius_m, length_m } => {
            let (square, half) = ((radius_m * radius_m) as f32, (length_m / 2.0) as f32);
            run(cloud, &placed, &mut done, |[x, y, z]| (x * x + y * y <= square) & (z.abs() <= half));
        }
    }
}

/// A point without depth is not a number, and no comparison holds for it.
#[inline(always)]
fn run(cloud: &Cloud, placed: &Placed, done: &mut impl FnMut(usize, &[u8]), inside: impl Fn([f32; 3]) -> bool) {
    let [x, y, z] = cloud.axes_m();
    let mut marks = [0_u8; BLOCK];
    let points = x.chunks(BLOCK).zip(y.chunks(BLOCK)).zip(z.chunks(BLOCK));
    for (index, (((x, y), z), block)) in points.zip(cloud.blocks()).enumerate() {
        let marks = &mut marks[..x.len()];
        match lies(block, placed, &inside) {
            Lies::Outside => continue,
            Lies::Inside if block.with_depth == marks.len() => marks.fill(1),
            Lies::Inside => {
                for (mark, x) in marks.iter_mut().zip(x) {
                    *mark = u8::from(!x.is_nan());
                }
            }
            Lies::Across => {
                for (((mark, x), y), z) in marks.iter_mut().zip(x).zip(y).zip(z) {
                    *mark = u8::from(inside(placed.local(*x, *y, *z)));
                }
            }
        }
        done(index * BLOCK, marks);
    }
}

/// How a block lies to a shape.
enum Lies {
    Inside,
    Outside,
    /// Or perhaps so.
    Across,
}

#[inline(always)]
fn lies(block: &Block, placed: &Placed, inside: impl Fn([f32; 3]) -> bool) -> Lies {
    if block.with_depth == 0 {
        return Lies::Outside;
    }
    let corners = block.corners_m().map(|[x, y, z]| placed.local(x, y, z));
    // No shape has a dent: what is between points inside is inside.
    if corners.iter().all(|corner| inside(*corner)) {
        return Lies::Inside;
    }
    let beyond = |axis: usize| {
        let half_m = placed.half_m[axis];
        corners.iter().all(|corner| corner[axis] > half_m) || corners.iter().all(|corner| corner[axis] < -half_m)
    };
    if (0..3).any(beyond) { Lies::Outside } else { Lies::Across }
}

#[cfg(test)]
mod tests {
    use geometry::{UnitQuaternion, Vector3};
    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use super::*;

    fn pose() -> impl Strategy<Value = Pose> {
        (prop::array::uniform3(-3.0..3.0), prop::array::uniform3(-3.0..3.0))
            .prop_map(|(at, turn)| Pose::new(Vector3::from(at), UnitQuaternion::from_scaled_axis(Vector3::from(turn))))
    }

    fn shape() -> impl Strategy<Value = Shape> {
        let length = || 0.05..1.5;
        prop_oneof![
            length().prop_map(|radius_m| Shape::Sphere { radius_m }),
            prop::array::uniform3(0.05..2.0).prop_map(|size_m| Shape::Box { size_m }),
            (length(), 0.0..2.0).prop_map(|(radius_m, length_m)| Shape::Capsule { radius_m, length_m }),
            (length(), 0.05..2.0).prop_map(|(radius_m, length_m)| Shape::Cylinder { radius_m, length_m }),
        ]
    }

    fn grown(shape: Shape, by_m: f64) -> Shape {
        match shape {
            Shape::Sphere { radius_m } => Shape::Sphere { radius_m: radius_m + by_m },
            Shape::Box { size_m } => Shape::Box { size_m: size_m.map(|size_m| size_m + 2.0 * by_m) },
            Shape::Capsule { radius_m, length_m } => Shape::Capsule { radius_m: radius_m + by_m, length_m },
            Shape::Cylinder { radius_m, length_m } => {
                Shape::Cylinder { radius_m: radius_m + by_m, length_m: length_m + 2.0 * by_m }
            }
        }
    }

    /// One at a time, in double precision.
    fn naive(cloud: &Cloud, shape: &Shape, world_from_shape: &Pose, colours: Option<&ColourRange>) -> usize {
        let fits = |point: [f32; 3], colour: [u8; 3]| {
            let local = world_from_shape.inverse().transform_point(&Point3::from(point.map(f64::from)));
            shape.contains(&local) && colours.is_none_or(|colours| colours.contains(colour))
        };
        cloud.points().filter(|(_, point, colour)| fits(*point, *colour)).count()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

        /// Up to what single precision cannot tell apart, so near to the surface.
        #[test]
        fn as_many_as_one_at_a_time(
            shape in shape(), world_from_shape in pose(), red: bool,
            local in prop::collection::vec((prop::array::uniform3(-1.5_f64..1.5), any::<[u8; 3]>(), 0..8), 1..700),
        ) {
            let mut cloud = Cloud::new(0, Pose::identity(), local.len() as u32, 1);
            for (index, (point, colour, missing)) in local.iter().enumerate() {
                let at = world_from_shape.transform_point(&Point3::from(*point));
                let at = [at.x, at.y, at.z].map(|number| number as f32);
                cloud.set(index, (*missing > 0).then_some(at), *colour);
            }
            let range = ColourRange { hue_from_deg: 300.0, hue_to_deg: 60.0, ..ColourRange::default() };
            let colours = red.then_some(&range);
            let found = count(&cloud, &shape, &world_from_shape, colours);
            let least = naive(&cloud, &grown(shape, -1e-5), &world_from_shape, colours);
            let most = naive(&cloud, &grown(shape, 1e-5), &world_from_shape, colours);
            prop_assert!(least <= found && found <= most, "{least} ≤ {found} ≤ {most}");
            let listed = inside(&cloud, &shape, &world_from_shape, colours);
            prop_assert_eq!(listed.len(), found);
            for point in listed {
                prop_assert_eq!(point.colour, local[point.index].1);
                let local = world_from_shape.inverse().transform_point(&point.world_position);
                prop_assert!(grown(shape, 1e-5).contains(&local));
            }
        }
    }

    #[test]
    fn no_depth_is_nowhere() {
        let cloud = Cloud::new(0, Pose::identity(), 300, 2);
        let everywhere = Shape::Box { size_m: [1e6; 3] };
        assert_eq!(count(&cloud, &everywhere, &Pose::identity(), None), 0);
        assert_eq!(count(&cloud, &Shape::Sphere { radius_m: 1e6 }, &Pose::identity(), None), 0);
        let capsule = Shape::Capsule { radius_m: 1e6, length_m: 1.0 };
        assert_eq!(count(&cloud, &capsule, &Pose::identity(), None), 0);
    }

    /// A wall as a camera sees it: blocks of it are inside, outside and across.
    #[test]
    fn blocks_are_counted_as_their_points_are() {
        let mut cloud = Cloud::new(0, Pose::identity(), 300, 100);
        for index in 0..cloud.len() {
            let (column, row) = (index % 300, index / 300);
            let point = [2.0, 1.5 - 0.01 * column as f32, 0.01 * row as f32];
            cloud.set(index, (column % 37 > 0).then_some(point), [0; 3]);
        }
        let placed = Pose::from_translation(2.0, 0.1, 0.4);
        for size_m in [0.3, 1.1, 2.9, 10.0] {
            let shape = Shape::Box { size_m: [0.2, size_m + 0.003, size_m + 0.003] };
            assert_eq!(count(&cloud, &shape, &placed, None), naive(&cloud, &shape, &placed, None), "{size_m}");
        }
        // What is set anew is where it is now, and what loses its depth is nowhere.
        let far = Shape::Sphere { radius_m: 0.5 };
        let there = Pose::from_translation(-9.0, 0.0, 0.0);
        for index in 0..200 {
            cloud.set(index, (index < 150).then_some([-9.0, 0.0, 0.001 * index as f32]), [0; 3]);
        }
        assert_eq!(count(&cloud, &far, &there, None), 150);
        let all = Shape::Box { size_m: [100.0; 3] };
        assert_eq!(count(&cloud, &all, &Pose::identity(), None), cloud.points().count());
    }

    #[test]
    fn shapes_stand_in_files_as_they_are_read() {
        let text = r#"{"shape":"capsule","radius_m":0.05,"length_m":0.4}"#;
        let shape: Shape = serde_json::from_str(text).unwrap();
        assert_eq!(shape, Shape::Capsule { radius_m: 0.05, length_m: 0.4 });
        assert_eq!(serde_json::to_string(&shape).unwrap(), text);
        assert!(Shape::Box { size_m: [1.0, 0.0, 1.0] }.check().unwrap_err().contains("size_m"));
        assert!(serde_json::from_str::<Shape>(r#"{"shape":"sphere","radius":1}"#).is_err());
    }
}
