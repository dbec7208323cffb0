use geometry::{Pose, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::{Ball, Capsule, Cuboid, Cylinder, SharedShape};

use crate::description::Geometry;
use crate::mesh_points::outermost_points;
use crate::transform::Transform;

/// A convex shape somewhere on a link or in the world; a ball around it, and a rod around it, which is tighter for limbs.
#[derive(Clone)]
pub(crate) struct Placed {
    shape: SharedShape,
    parent_from_shape: ParryPose,
    pub centre_m: Vector3<f64>,
    pub ball_radius_m: f64,
    /// From the centre to one end of the rod's axis.
    pub rod_half_m: Vector3<f64>,
    pub rod_radius_m: f64,
}

impl Placed {
    /// Of a mesh its hull. An error says what is wrong with it.
    pub fn new(geometry: &Geometry, parent_from_geometry: &Pose) -> Result<Placed, String> {
        let mut parent_from_shape = *parent_from_geometry;
        let shape: SharedShape;
        let (ball_radius_m, rod_half_m, rod_radius_m);
        match geometry {
            Geometry::Box { size_m } => {
                let half_m = 0.5 * size_m;
                let longest = half_m.imax();
                shape = SharedShape::new(Cuboid::new(Vector::new(half_m.x, half_m.y, half_m.z)));
                ball_radius_m = half_m.norm();
                rod_half_m = Vector3::ith(longest, half_m[longest]);
                rod_radius_m = (half_m - rod_half_m).norm();
            }
            Geometry::Cylinder { radius_m, length_m } => {
                // Along z in a URDF, along y in parry.
                let z_from_y = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2);
                parent_from_shape = parent_from_shape * Pose::new(Vector3::zeros(), z_from_y);
                shape = SharedShape::new(Cylinder::new(0.5 * length_m, *radius_m));
                ball_radius_m = (0.25 * length_m * length_m + radius_m * radius_m).sqrt();
                rod_half_m = Vector3::z() * (0.5 * length_m);
                rod_radius_m = *radius_m;
            }
            Geometry::Capsule { radius_m, length_m } => {
                shape = SharedShape::new(Capsule::new_z(0.5 * length_m, *radius_m));
                ball_radius_m = 0.5 * length_m + radius_m;
                rod_half_m = Vector3::z() * (0.5 * length_m);
                rod_radius_m = *radius_m;
            }
            Geometry::Sphere { radius_m } => {
                shape = SharedShape::new(Ball::new(*radius_m));
                ball_radius_m = *radius_m;
                rod_half_m = Vector3::zeros();
                rod_radius_m = *radius_m;
            }
            Geometry::Mesh { path, scale } => {
                return Placed::around(&outermost_points(path, scale)?, &parent_from_shape);
            }
        }
        let usable = ball_radius_m.is_finite() && ball_radius_m > 0.0 && parent_from_shape.is_finite();
        usable.then_some(()).ok_or("it has no extent")?;
        Ok(Placed {
            shape,
            parent_from_shape: parry(&Transform::from(&parent_from_shape)),
            centre_m: parent_from_shape.translation_m(),
            ball_radius_m,
            rod_half_m: parent_from_geometry.transform_vector(&rod_half_m),
            rod_radius_m,
        })
    }

    /// The hull of points, or, where they are flat, the box around them.
    fn around(points: &[Vector3<f64>], parent_from_points: &Pose) -> Result<Placed, String> {
        let (lowest, highest) =
            points.iter().fold((points[0], points[0]), |(low, high), point| (low.inf(point), high.sup(point)));
        let middle_m = 0.5 * (lowest + highest);
        let half_m = 0.5 * (highest - lowest);
        let longest = half_m.imax();
        let rod_half_m = Vector3::ith(longest, half_m[longest]);
        let from_middle = |point: &Vector3<f64>| {
            let away = point - middle_m;
            Vector::new(away.x, away.y, away.z)
        };
        let shape = SharedShape::convex_hull(&points.iter().map(from_middle).collect::<Vec<_>>());
        let shape = shape.unwrap_or_else(|| SharedShape::new(Cuboid::new(Vector::new(half_m.x, half_m.y, half_m.z))));
        let parent_from_shape = *parent_from_points * Pose::from_translation(middle_m.x, middle_m.y, middle_m.z);
        let usable = half_m.norm() > 0.0 && parent_from_shape.is_finite();
        usable.then_some(()).ok_or("it has no extent")?;
        Ok(Placed {
            shape,
            parent_from_shape: parry(&Transform::from(&parent_from_shape)),
            centre_m: parent_from_shape.translation_m(),
            ball_radius_m: half_m.norm(),
            rod_half_m: parent_from_points.transform_vector(&rod_half_m),
            rod_radius_m: (half_m - rod_half_m).norm(),
        })
    }

    pub fn at<'a>(&'a self, base_from_parent: &'a Transform) -> At<'a> {
        At { placed: self, base_from_parent, centre_m: base_from_parent.point(&self.centre_m) }
    }
}

/// A shape where it is now.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    placed: &'a Placed,
    base_from_parent: &'a Transform,
    centre_m: Vector3<f64>,
}

impl At<'_> {
    /// Quickly: are they surely this far apart?
    #[inline]
    pub fn is_beyond(&self, other: &At<'_>, distance_m: f64) -> bool {
        let reach_m = (self.placed.ball_radius_m + other.placed.ball_radius_m + distance_m).max(0.0);
        (self.centre_m - other.centre_m).norm_squared() > reach_m * reach_m || self.rod_is_beyond(other, distance_m)
    }

    fn rod_is_beyond(&self, other: &At<'_>, distance_m: f64) -> bool {
        let reach_m = (self.placed.rod_radius_m + other.placed.rod_radius_m + distance_m).max(0.0);
        let half_m = |at: &At<'_>| at.base_from_parent.rotation * at.placed.rod_half_m;
        let between_m = self.centre_m - other.centre_m;
        squared_between_segments(&between_m, &half_m(self), &half_m(other)) > reach_m * reach_m
    }

    /// A point is in the shape, or nearer to it than the margin.
    pub fn is_within(&self, base_at_m: &Vector3<f64>, margin_m: f64) -> bool {
        let (away_m, reach_m) = (base_at_m - self.centre_m, self.placed.ball_radius_m + margin_m);
        if away_m.norm_squared() > reach_m * reach_m {
            return false;
        }
        let point = Vector::new(base_at_m.x, base_at_m.y, base_at_m.z);
        self.placed.shape.distance_to_point(&self.pose(), point, true) <= margin_m
    }

    fn pose(&self) -> ParryPose {
        parry(self.base_from_parent) * self.placed.parent_from_shape
    }

    /// True as well for what is nowhere: unknown is not free, and parry panics on it.
    pub fn meets(&self, other: &At<'_>) -> bool {
        let (one, two) = (self.pose(), other.pose());
        if !one.is_finite() || !two.is_finite() {
            return true;
        }
        let answer = query::intersection_test(&one, &*self.placed.shape.0, &two, &*other.placed.shape.0);
        answer.is_ok_and(|answer| answer.intersecting)
    }

    /// How deep two shapes are in each other; none when they are not.
    pub fn depth_m(&self, other: &At<'_>) -> Option<f64> {
        // Whether they meet is asked alone: finding the depth may fail, and that must not read as free.
        self.meets(other).then(|| self.contact_depth_m(other))
    }

    /// Below zero: the depth.
    pub fn distance_m(&self, other: &At<'_>) -> f64 {
        if self.meets(other) {
            return -self.contact_depth_m(other);
        }
        let apart = query::distance(&self.pose(), &*self.placed.shape.0, &other.pose(), &*other.placed.shape.0);
        apart.map_or(0.0, |apart| apart.distance)
    }

    fn contact_depth_m(&self, other: &At<'_>) -> f64 {
        let (one, two) = (self.pose(), other.pose());
        if !one.is_finite() || !two.is_finite() {
            return 0.0;
        }
        let contact = query::contact(&one, &*self.placed.shape.0, &two, &*other.placed.shape.0, 0.0);
        contact.ok().flatten().map_or(0.0, |contact| (-contact.dist).max(0.0))
    }
}

/// Of two segments with a common middle but for `between`, each from −half to half.
fn squared_between_segments(between: &Vector3<f64>, one: &Vector3<f64>, two: &Vector3<f64>) -> f64 {
    let (a, b, c) = (one.norm_squared(), one.dot(two), two.norm_squared());
    let (d, e) = (one.dot(between), two.dot(between));
    let clamp = |share: f64| share.clamp(-1.0, 1.0);
    let part = |above: f64, below: f64| if below > 1e-12 { clamp(above / below) } else { 0.0 };
    let first = part(b * e - c * d, a * c - b * b);
    let second = part(b * first + e, c);
    let first = part(b * second - d, a);
    (between + one * first - two * second).norm_squared()
}

fn parry(transform: &Transform) -> ParryPose {
    let [x, y, z] = transform.rotation.data.0.map(Vector::from_array);
    let at = &transform.translation_m;
    ParryPose::from_parts(Vector::new(at.x, at.y, at.z), Rotation::from_rotation_axes(x, y, z))
}
