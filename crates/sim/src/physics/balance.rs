//! Whether the feet could give what carries the pelvis: the centre of pressure, the friction it takes, and the fall
//! where they cannot.

use geometry::{Pose, Vector3};
use nalgebra::Vector2;
use robot::interface::{Pressure, Wrench};

use super::Balance;

const CUTOFF_HZ: f64 = 10.0;
const MAX_FRICTION: f64 = 0.6;
const OUTSIDE_S: f64 = 0.1;
/// Below this the feet are hardly on the ground: no centre of pressure is meant.
const LEAST_LOAD_N: f64 = 20.0;

#[derive(Clone, Debug)]
pub(super) struct Watch {
    share: f64,
    /// At the pelvis, along the axes of the world.
    filtered: Option<Wrench>,
    time_s: f64,
    outside_s: f64,
    pub balance: Balance,
    pub fall: Option<String>,
}

/// The feet on the ground, as the walking generator has them.
#[derive(Clone, Debug, Default)]
pub(super) struct Support {
    corners_m: Vec<Vector2<f64>>,
    height_m: f64,
}

impl Support {
    /// Of soles with the size of a foot.
    pub fn new(world_from_soles: &[Pose], (length_m, width_m): (f64, f64)) -> Support {
        let mut corners_m = Vec::with_capacity(8);
        for sole in world_from_soles {
            for (x, y) in [(0.5, 0.5), (0.5, -0.5), (-0.5, -0.5), (-0.5, 0.5)] {
                let corner = sole.transform_point(&geometry::Point3::new(x * length_m, y * width_m, 0.0));
                corners_m.push(Vector2::new(corner.x, corner.y));
            }
        }
        let count = world_from_soles.len().max(1) as f64;
        let height_m = world_from_soles.iter().map(|sole| sole.translation_m().z).sum::<f64>() / count;
        Support { corners_m: hull(corners_m), height_m }
    }

    /// To the edge; below zero outside.
    pub fn margin_m(&self, point_m: Vector2<f64>) -> f64 {
        let count = self.corners_m.len();
        if count < 3 {
            return f64::NEG_INFINITY;
        }
        let edges = (0..count).map(|index| (self.corners_m[index], self.corners_m[(index + 1) % count]));
        let inside = edges.clone().map(|(from, to)| {
            let along = (to - from).normalize();
            along.perp(&(point_m - from))
        });
        let least = inside.fold(f64::INFINITY, f64::min);
        if least >= 0.0 {
            return least;
        }
        let distance = edges.map(|(from, to)| {
            let along = to - from;
            let share = ((point_m - from).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
            (point_m - from - along * share).norm()
        });
        -distance.fold(f64::INFINITY, f64::min)
    }
}

/// Of corners, m.
const ROUNDING_M: f64 = 1e-9;

/// Counterclockwise.
fn hull(mut points: Vec<Vector2<f64>>) -> Vec<Vector2<f64>> {
    // Corners of two feet side by side are on a line but for roundings: sorted by those, the outer ones would get lost.
    for point in &mut points {
        *point = point.map(|at_m| (at_m / ROUNDING_M).round() * ROUNDING_M);
    }
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut hull: Vec<Vector2<f64>> = Vec::new();
    for forward in [true, false] {
        let start = hull.len();
        let mut add = |point: &Vector2<f64>| {
            while hull.len() >= start + 2 {
                let (last, before) = (hull[hull.len() - 1], hull[hull.len() - 2]);
                if (last - before).perp(&(point - last)) > 1e-12 {
                    break;
                }
                hull.pop();
            }
            hull.push(*point);
        };
        if forward {
            points.iter().for_each(&mut add);
        } else {
            points.iter().rev().for_each(&mut add);
        }
        hull.pop();
    }
    hull
}

impl Watch {
    pub fn new(dt_s: f64) -> Watch {
        Watch {
            share: 1.0 - libm::exp(-std::f64::consts::TAU * CUTOFF_HZ * dt_s),
            filtered: None,
            time_s: 0.0,
            outside_s: 0.0,
            balance: Balance {
                margin_m: f64::INFINITY,
                min_margin_m: f64::INFINITY,
                min_margin_at_s: 0.0,
                longest_outside_s: 0.0,
                longest_outside_at_s: 0.0,
                friction: 0.0,
                max_friction: 0.0,
                centre_of_pressure_m: [0.0; 2],
            },
            fall: None,
        }
    }

    /// What the feet carry, low-passed.
    pub fn load_n(&self) -> f64 {
        self.filtered.map_or(0.0, |wrench| wrench.force_n.z)
    }

    /// None: the feet hardly carry anything.
    pub fn pressure(&self) -> Option<Pressure> {
        let Balance { centre_of_pressure_m: centre_m, margin_m, .. } = self.balance;
        let is_meant = self.load_n() >= LEAST_LOAD_N && margin_m.is_finite();
        is_meant.then_some(Pressure { centre_m, margin_m })
    }

    /// `wrench` carries the pelvis, at `pelvis_m`.
    pub fn see(&mut self, wrench: &Wrench, pelvis_m: Vector3<f64>, support: &Support, dt_s: f64) {
        self.time_s += dt_s;
        let filtered = self.filtered.get_or_insert(*wrench);
        filtered.force_n += (wrench.force_n - filtered.force_n) * self.share;
        filtered.torque_nm += (wrench.torque_nm - filtered.torque_nm) * self.share;
        let (force_n, torque_nm) = (filtered.force_n, filtered.torque_nm);
        let up_m = pelvis_m.z - support.height_m;
        let balance = &mut self.balance;
        if force_n.z < LEAST_LOAD_N {
            (balance.margin_m, balance.friction) = (-1.0, 10.0);
        } else {
            let x_m = pelvis_m.x - (torque_nm.y + up_m * force_n.x) / force_n.z;
            let y_m = pelvis_m.y + (torque_nm.x - up_m * force_n.y) / force_n.z;
            balance.centre_of_pressure_m = [x_m, y_m];
            balance.margin_m = support.margin_m(Vector2::new(x_m, y_m));
            balance.friction = force_n.xy().norm() / force_n.z;
        }
        if balance.margin_m < balance.min_margin_m {
            (balance.min_margin_m, balance.min_margin_at_s) = (balance.margin_m, self.time_s);
        }
        balance.max_friction = balance.max_friction.max(balance.friction);
        self.outside_s = if balance.margin_m < 0.0 { self.outside_s + dt_s } else { 0.0 };
        if self.outside_s > balance.longest_outside_s {
            (balance.longest_outside_s, balance.longest_outside_at_s) = (self.outside_s, self.time_s);
        }
        if self.fall.is_some() {
            return;
        }
        if balance.friction > MAX_FRICTION {
            let friction = balance.friction;
            self.fall = Some(format!("the robot fell: its feet would need a friction of {friction:.2}, and have 0.6"));
        } else if self.outside_s > OUTSIDE_S {
            let out_cm = -100.0 * balance.margin_m;
            self.fall = Some(format!(
                "the robot fell: for 100 ms its centre of pressure was outside its feet, now by {out_cm:.1} cm"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feet() -> Support {
        let soles = [0.1, -0.1].map(|y| Pose::from_translation(0.0, y, 0.0));
        Support::new(&soles, (0.2, 0.1))
    }

    #[test]
    fn margins_of_a_rectangle_of_two_feet() {
        let near = |point: (f64, f64), margin_m: f64| {
            let found = feet().margin_m(Vector2::new(point.0, point.1));
            assert!((found - margin_m).abs() < 1e-9, "{found} at {point:?}");
        };
        near((0.0, 0.0), 0.1);
        near((0.08, 0.0), 0.02);
        near((0.13, 0.0), -0.03);
        near((0.0, 0.2), -0.05);
    }

    #[test]
    fn roundings_of_corners_on_a_line_change_no_margin() {
        let exact = [(0.74, 0.43), (0.74, 0.33), (0.52, 0.33), (0.52, 0.43), (0.74, 0.23), (0.74, 0.13), (0.52, 0.13)];
        for pattern in 0..1_u32 << exact.len() {
            let corner = |(index, (x, y)): (usize, &(f64, f64))| {
                Vector2::new(if pattern >> index & 1 == 1 { f64::next_up(*x) } else { *x }, *y)
            };
            let mut corners_m: Vec<_> = exact.iter().enumerate().map(corner).collect();
            corners_m.push(Vector2::new(0.52, 0.23));
            let support = Support { corners_m: hull(corners_m), height_m: 0.0 };
            let margin_m = support.margin_m(Vector2::new(0.708, 0.36));
            assert!((margin_m - 0.032).abs() < 1e-6, "{margin_m} of {pattern:b}");
        }
    }

    #[test]
    fn a_pull_at_the_hand_moves_the_centre_of_pressure() {
        let mut watch = Watch::new(0.002);
        // 600 N of weight, 50 N pulled forward at 1.2 m, the pelvis at 1 m: the feet hold against both.
        let wrench = Wrench { force_n: Vector3::new(-50.0, 0.0, 600.0), torque_nm: Vector3::new(0.0, -10.0, 0.0) };
        for _ in 0..200 {
            watch.see(&wrench, Vector3::new(0.0, 0.0, 1.0), &feet(), 0.002);
        }
        let [x_m, y_m] = watch.balance.centre_of_pressure_m;
        assert!((x_m - 0.1).abs() < 1e-9 && y_m.abs() < 1e-9, "{x_m} {y_m}");
        assert!(watch.fall.is_none() && watch.balance.longest_outside_s == 0.0);
        let hard = Wrench { force_n: Vector3::new(-80.0, 0.0, 600.0), torque_nm: Vector3::new(0.0, -16.0, 0.0) };
        for _ in 0..200 {
            watch.see(&hard, Vector3::new(0.0, 0.0, 1.0), &feet(), 0.002);
        }
        assert!(watch.fall.as_ref().expect("a fall").contains("centre of pressure"));
        assert!(watch.balance.longest_outside_s > OUTSIDE_S, "{:?}", watch.balance);
    }
}
