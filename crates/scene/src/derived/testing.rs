//! Clouds made from geometry: boxes, a pinhole camera, and depth noise that grows with the square of distance.

use geometry::{Point3, Pose, RollPitchYaw, Vector3};
use model::Random;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{HingeSide, direction, level};
use crate::Cloud;

/// Bounds on noise hold for nearly all seeds: always the same ones, so that a test does not fail by chance.
pub fn cases() -> ProptestConfig {
    ProptestConfig { cases: 64, rng_seed: RngSeed::Fixed(5), failure_persistence: None, ..ProptestConfig::default() }
}

pub struct Solid {
    name: &'static str,
    box_from_world: Pose,
    size_m: Vector3<f64>,
}

impl Solid {
    fn new(name: &'static str, world_from_box: Pose, size_m: [f64; 3]) -> Solid {
        Solid { name, box_from_world: world_from_box.inverse(), size_m: Vector3::from(size_m) }
    }

    /// Along the ray, in its lengths.
    fn hit(&self, from: &Point3<f64>, ray: &Vector3<f64>) -> Option<f64> {
        let (from, ray) = (self.box_from_world.transform_point(from), self.box_from_world.transform_vector(ray));
        let (mut near, mut far) = (0.0_f64, f64::INFINITY);
        for axis in 0..3 {
            let half_m = self.size_m[axis] / 2.0;
            let a = (-half_m - from[axis]) / ray[axis];
            let b = (half_m - from[axis]) / ray[axis];
            near = near.max(a.min(b));
            far = far.min(a.max(b));
        }
        (near <= far && near > 0.0).then_some(near)
    }
}

pub struct Seen {
    pub cloud: Cloud,
    names: Vec<Option<&'static str>>,
}

impl Seen {
    /// Of the points seen of one solid.
    pub fn centroid(&self, name: &str) -> Option<Point3<f64>> {
        let points: Vec<Vector3<f64>> = (0..self.cloud.len())
            .filter(|index| self.names[*index] == Some(name))
            .filter_map(|index| self.cloud.point(index))
            .map(|point| Vector3::from(point.map(f64::from)))
            .collect();
        let sum: Vector3<f64> = points.iter().sum();
        (!points.is_empty()).then(|| Point3::from(sum / points.len() as f64))
    }
}

pub struct Camera {
    world_from_camera: Pose,
    width: u32,
    height: u32,
}

impl Camera {
    pub fn at(world_from_camera: &Pose, fine: bool) -> Camera {
        let (width, height) = if fine { (320, 240) } else { (160, 120) };
        Camera { world_from_camera: *world_from_camera, width, height }
    }

    /// Before a doorway, looking at its middle.
    pub fn before(door: &Door, distance_m: f64, aside_m: f64, fine: bool) -> Camera {
        let rpy = RollPitchYaw::new(0.0, libm::atan2(0.5, distance_m), -libm::atan2(aside_m, distance_m));
        let door_from_camera = Pose::from_rpy(Vector3::new(-distance_m, aside_m, 1.5), rpy);
        Camera::at(&(door.world_from_doorway * door_from_camera), fine)
    }

    /// 90° wide; the noise is 1 cm at 1 m.
    pub fn look(&self, solids: &[Solid], seed: u64) -> Seen {
        let mut cloud = Cloud::new(0, self.world_from_camera, self.width, self.height);
        let mut names = vec![None; cloud.len()];
        let mut random = Random::new(seed);
        let from = Point3::from(self.world_from_camera.translation_m());
        let pixels = (0..self.height).flat_map(|row| (0..self.width).map(move |column| (column, row)));
        for (column, row) in pixels {
            let across = 1.0 - (f64::from(column) + 0.5) * 2.0 / f64::from(self.width);
            let up = (f64::from(self.height) - (f64::from(row) + 0.5) * 2.0) / f64::from(self.width);
            let ray = self.world_from_camera.transform_vector(&Vector3::new(1.0, across, up).normalize());
            let hits = solids.iter().filter_map(|solid| Some((solid.hit(&from, &ray)?, solid.name)));
            let Some((depth_m, name)) = hits.min_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            let point = from + (depth_m + 0.01 * depth_m * depth_m * normal(&mut random)) * ray;
            let index = cloud.index(column, row);
            cloud.set(index, Some([point.x, point.y, point.z].map(|number| number as f32)), [128; 3]);
            names[index] = Some(name);
        }
        Seen { cloud, names }
    }
}

pub fn mirrored_point(point: &Point3<f64>) -> Point3<f64> {
    Point3::new(point.x, -point.y, point.z)
}

pub fn mirrored_cloud(cloud: &Cloud) -> Cloud {
    let mut mirrored = Cloud::new(cloud.time_ns, cloud.world_from_camera.mirrored(), cloud.width(), cloud.height());
    for (index, [x, y, z], colour) in cloud.points() {
        mirrored.set(index, Some([x, -y, z]), colour);
    }
    mirrored
}

/// Of deviation 1.
fn normal(random: &mut Random) -> f64 {
    let (a, b) = (1.0 - random.share(), random.share());
    libm::sqrt(-2.0 * libm::log(a)) * libm::cos(std::f64::consts::TAU * b)
}

const PANEL_M: f64 = 0.04;
const INSET_M: f64 = 0.08;

#[derive(Clone, Debug)]
pub struct Door {
    /// On the floor in the middle of the doorway, x through it away from who comes.
    world_from_doorway: Pose,
    pub hinge: HingeSide,
    width_m: f64,
    standoff_m: f64,
    /// Above zero away from who comes.
    pub open_rad: f64,
}

impl Door {
    pub fn closed() -> Door {
        let world_from_doorway = Pose::from_translation(2.0, 0.0, 0.0);
        Door { world_from_doorway, hinge: HingeSide::Left, width_m: 0.9, standoff_m: 0.055, open_rad: 0.0 }
    }

    pub fn closed_with(hinge: HingeSide, width_m: f64) -> Door {
        Door { hinge, width_m, ..Door::closed() }
    }

    pub fn width_m(&self) -> f64 {
        self.width_m
    }

    pub fn any() -> impl Strategy<Value = Door> {
        let place = (-3.0..3.0_f64, -4.0..4.0_f64, -4.0..4.0_f64);
        (place, any::<bool>(), 0.8..1.0_f64, 0.04..0.07_f64, prop_oneof![Just(0.0), -30.0..45.0_f64]).prop_map(
            |((yaw_rad, x_m, y_m), left, width_m, standoff_m, open_deg)| Door {
                world_from_doorway: level(Vector3::new(x_m, y_m, 0.0), yaw_rad),
                hinge: if left { HingeSide::Left } else { HingeSide::Right },
                width_m,
                standoff_m,
                open_rad: open_deg.to_radians(),
            },
        )
    }

    pub fn hinge_from_handle_m(&self) -> f64 {
        self.width_m - INSET_M
    }

    pub fn frame_yaw_rad(&self) -> f64 {
        self.world_from_doorway.rpy().yaw_rad
    }

    pub fn panel_yaw_rad(&self) -> f64 {
        self.world_from_hinge().rpy().yaw_rad
    }

    pub fn world_from_hinge(&self) -> Pose {
        let side = self.hinge.sign();
        let at_m = Vector3::new(0.0, side * self.width_m / 2.0, 1.0);
        self.world_from_doorway * level(at_m, side * self.open_rad)
    }

    /// Of what is seen of the handle.
    pub fn handle_middle(&self, standoff_m: f64) -> Point3<f64> {
        let local = Point3::new(-(PANEL_M / 2.0 + standoff_m), -self.hinge.sign() * self.hinge_from_handle_m(), 0.0);
        self.world_from_hinge().transform_point(&local)
    }

    pub fn solids(&self) -> Vec<Solid> {
        let side = self.hinge.sign();
        let panel = self.world_from_hinge();
        let handle_depth_m = 0.02;
        let handle_m = -(PANEL_M / 2.0 + self.standoff_m + handle_depth_m / 2.0);
        let handle_aside_m = -side * self.hinge_from_handle_m();
        let panel_size_m = [PANEL_M, self.width_m - 0.01, 2.0];
        let mut solids = vec![
            Solid::new("panel", panel * Pose::from_translation(0.0, -side * self.width_m / 2.0, 0.0), panel_size_m),
            Solid::new(
                "handle",
                panel * Pose::from_translation(handle_m, handle_aside_m, 0.0),
                [handle_depth_m, 0.12, 0.05],
            ),
        ];
        for (name, left) in [("wall left", 1.0), ("wall right", -1.0)] {
            let at = Pose::from_translation(0.0, left * (self.width_m / 2.0 + 0.54), 1.1);
            solids.push(Solid::new(name, self.world_from_doorway * at, [0.1, 1.08, 2.2]));
        }
        solids.push(Solid::new(
            "floor",
            self.world_from_doorway * Pose::from_translation(0.0, 0.0, -0.05),
            [9.0, 9.0, 0.1],
        ));
        solids
    }
}

#[derive(Clone, Debug)]
pub struct TestTable {
    pub world_from_walking: Pose,
    away_m: f64,
    turned_rad: f64,
    pub height_m: f64,
    size_m: [f64; 2],
    thick_m: f64,
    look_down_rad: f64,
}

impl TestTable {
    pub fn any() -> impl Strategy<Value = TestTable> {
        let place = (-3.0..3.0_f64, -4.0..4.0_f64, -4.0..4.0_f64, -0.2..0.2_f64);
        let table = (0.5..0.9_f64, 1.2..1.8_f64, 0.6..0.95_f64, 0.02..0.06_f64);
        (place, table, 0.5..1.4_f64, -20.0..20.0_f64, 30.0..45.0_f64).prop_map(
            |((yaw_rad, x_m, y_m, z_m), (deep_m, wide_m, height_m, thick_m), away_m, turned_deg, down_deg)| TestTable {
                world_from_walking: level(Vector3::new(x_m, y_m, z_m), yaw_rad),
                away_m,
                turned_rad: turned_deg.to_radians(),
                height_m,
                size_m: [deep_m, wide_m],
                thick_m,
                look_down_rad: down_deg.to_radians(),
            },
        )
    }

    pub fn world_from_camera(&self) -> Pose {
        let rpy = RollPitchYaw::new(0.0, self.look_down_rad, 0.0);
        self.world_from_walking * Pose::from_rpy(Vector3::new(0.1, 0.0, 1.5), rpy)
    }

    /// Below its middle.
    pub fn world_from_edge(&self) -> Pose {
        self.world_from_walking * level(Vector3::new(self.away_m, 0.0, 0.0), self.turned_rad)
    }

    pub fn solids(&self) -> Vec<Solid> {
        let ([deep_m, wide_m], edge) = (self.size_m, self.world_from_edge());
        let at = |x_m: f64, y_m: f64, z_m: f64| edge * Pose::from_translation(x_m, y_m, z_m);
        let below_m = self.height_m - self.thick_m;
        let mut solids = vec![
            Solid::new("top", at(deep_m / 2.0, 0.0, below_m + self.thick_m / 2.0), [deep_m, wide_m, self.thick_m]),
            Solid::new("floor", at(0.0, 0.0, -0.05), [9.0, 9.0, 0.1]),
        ];
        for corner in 0..4 {
            let heading = direction(std::f64::consts::FRAC_PI_4 + f64::from(corner) * std::f64::consts::FRAC_PI_2);
            let x_m = deep_m / 2.0 + heading.x.signum() * (deep_m / 2.0 - 0.08);
            let leg = at(x_m, heading.y.signum() * (wide_m / 2.0 - 0.08), below_m / 2.0);
            solids.push(Solid::new("leg", leg, [0.05, 0.05, below_m]));
        }
        solids
    }
}
