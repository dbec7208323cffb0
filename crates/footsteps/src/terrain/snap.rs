//! From a place on the floor plan to a sole on the ground: how high, how tilted, and how much of it is held.

use geometry::{Matrix3, Pose, UnitQuaternion, Vector3};
use nalgebra::Rotation3;

use super::height_map::Sums;
use crate::planar::Planar;
use crate::reach::Sole;

/// A sole that rests on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foothold {
    pub sole: Sole,
    /// Rise of the ground along the foot and toward its left.
    pub slope: [f64; 2],
    /// Share of the sole in contact.
    pub support: f64,
}

/// Why a sole cannot stand somewhere.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FootholdProblem {
    #[error("there is no ground")]
    NoGround,
    #[error("only {:.0} % of the sole is held, {:.0} % is needed", .is * 100.0, .limit * 100.0)]
    Support { is: f64, limit: f64 },
    #[error("the middle of the sole is not held")]
    Tips,
    #[error("the ground is tilted by {is_deg:.0}°, the limit is {limit_deg:.0}°")]
    Tilt { is_deg: f64, limit_deg: f64 },
    #[error("the ground sticks {is_m:.3} m into the sole")]
    Collision { is_m: f64 },
    #[error("a riser is nearer than {room_m:.2} m before the toe")]
    Toe { room_m: f64 },
}

/// How a sole is judged. Wider thresholds for worse data.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sampling {
    /// Ground that comes higher than this above the sole collides.
    pub collision_m: f64,
    /// Ground deeper than this below the sole does not hold it.
    pub overhang_m: f64,
    /// Least share of the sole that must be held.
    pub min_support: f64,
    pub max_tilt_deg: f64,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling { collision_m: 0.0075, overhang_m: 0.01, min_support: 0.75, max_tilt_deg: 25.0 }
    }
}

const ALONG: usize = 7;
const ACROSS: usize = 5;
const SAMPLES: usize = ALONG * ACROSS;

/// A step in height this large between samples is an edge, however steep the ground.
const EDGE_M: f64 = 0.025;

type Samples = [Option<(f64, f64, f64)>; SAMPLES];

impl Foothold {
    pub fn level(sole: Sole) -> Foothold {
        Foothold { sole, slope: [0.0, 0.0], support: 1.0 }
    }

    pub fn tilt_rad(&self) -> f64 {
        libm::atan(libm::hypot(self.slope[0], self.slope[1]))
    }

    /// The sole lies in the ground and still heads where it is told to.
    pub fn pose(&self) -> Pose {
        let at = &self.sole.at;
        let [along, across] = self.slope;
        let ahead = Vector3::new(at.cos, at.sin, along).normalize();
        let left = Vector3::new(-at.sin, at.cos, across);
        let up = ahead.cross(&left).normalize();
        let axes = Matrix3::from_columns(&[ahead, up.cross(&ahead), up]);
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
        Pose::new(Vector3::new(at.x_m, at.y_m, self.sole.z_m), turn)
    }

    #[must_use]
    pub fn mirrored(&self) -> Foothold {
        Foothold { sole: self.sole.mirrored(), slope: [self.slope[0], -self.slope[1]], support: self.support }
    }
}

/// Roll and pitch of a foot with this heading on ground with this normal, turned about the heading first.
pub fn tilt_of(normal: &Vector3<f64>, yaw_rad: f64) -> (f64, f64) {
    let (sin, cos) = libm::sincos(yaw_rad);
    let (ahead, left) = (normal.x * cos + normal.y * sin, -normal.x * sin + normal.y * cos);
    let pitch_rad = libm::atan2(ahead, normal.z);
    (-libm::atan2(left, libm::hypot(ahead, normal.z)), pitch_rad)
}

/// Whether the ground rises by more than an edge before the toe, this near.
pub(crate) fn is_before_riser(
    height_m: impl Fn(f64, f64) -> Option<f64>,
    foothold: &Foothold,
    [length_m, width_m]: [f64; 2],
    room_m: f64,
) -> bool {
    let rises = |ahead_m: f64, aside_m: f64| {
        let [world_x, world_y] = foothold.sole.at.point(ahead_m, aside_m);
        let sole_m = foothold.sole.z_m + foothold.slope[0] * ahead_m + foothold.slope[1] * aside_m;
        height_m(world_x, world_y).is_some_and(|z_m| z_m - sole_m > EDGE_M)
    };
    let aside_m = |index: usize| (index as f64 / (ACROSS - 1) as f64 - 0.5) * width_m * 0.96;
    [0.5, 1.0].iter().any(|share| (0..ACROSS).any(|index| rises(0.5 * length_m + share * room_m, aside_m(index))))
}

/// Rests a sole on the highest surface under it.
pub(crate) fn snap(
    height_m: impl Fn(f64, f64) -> Option<f64>,
    at: Planar,
    foot_m: [f64; 2],
    sampling: &Sampling,
) -> Result<Foothold, FootholdProblem> {
    let samples = sample(height_m, at, foot_m);
    let Some(lowest_m) = lowest_of_top_surface(&samples) else { return Err(FootholdProblem::NoGround) };
    let mut sums = Sums::default();
    let mut top_m = f64::NEG_INFINITY;
    for (x, y, z) in samples.iter().flatten().filter(|(_, _, z)| *z >= lowest_m) {
        sums.add(*x, *y, *z);
        top_m = top_m.max(*z);
    }
    // Held along a line or by a point only: no tilt to be known.
    let (z_m, slope) = sums.plane().map_or((top_m, [0.0, 0.0]), |plane| (plane.height_m, plane.slope));
    let foothold = Foothold { sole: Sole { at, z_m }, slope, support: 0.0 };
    judge(foothold, &samples, sampling)
}

fn sample(height_m: impl Fn(f64, f64) -> Option<f64>, at: Planar, [length_m, width_m]: [f64; 2]) -> Samples {
    let mut samples = [None; SAMPLES];
    for (index, sample) in samples.iter_mut().enumerate() {
        // The outermost samples lie a little inside: a foot may stand flush with an edge.
        let x = ((index % ALONG) as f64 / (ALONG - 1) as f64 - 0.5) * length_m * 0.96;
        let y = ((index / ALONG) as f64 / (ACROSS - 1) as f64 - 0.5) * width_m * 0.96;
        let [world_x, world_y] = at.point(x, y);
        *sample = height_m(world_x, world_y).map(|z| (x, y, z));
    }
    samples
}

/// Heights, sorted, fall into surfaces at every gap; the sole meets the uppermost first.
fn lowest_of_top_surface(samples: &Samples) -> Option<f64> {
    let mut heights = [f64::NEG_INFINITY; SAMPLES];
    let mut count = 0;
    for (_, _, z) in samples.iter().flatten() {
        heights[count] = *z;
        count += 1;
    }
    let heights = &mut heights[..count];
    let (low, high) = heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), z| (l.min(*z), h.max(*z)));
    if count == 0 || high - low <= EDGE_M {
        return (count > 0).then_some(low);
    }
    heights.sort_by(|one, other| other.total_cmp(one));
    let edge = heights.windows(2).position(|pair| pair[0] - pair[1] > EDGE_M);
    Some(heights[edge.unwrap_or(count - 1)])
}

fn judge(mut foothold: Foothold, samples: &Samples, sampling: &Sampling) -> Result<Foothold, FootholdProblem> {
    let mut held = 0;
    let mut highest_m = f64::NEG_INFINITY;
    let mut middle_held = false;
    for (index, sample) in samples.iter().enumerate() {
        let Some((x, y, z)) = sample else { continue };
        let above_m = z - (foothold.sole.z_m + foothold.slope[0] * x + foothold.slope[1] * y);
        highest_m = highest_m.max(above_m);
        if above_m >= -sampling.overhang_m {
            held += 1;
            middle_held |= index == SAMPLES / 2;
        }
    }
    foothold.support = f64::from(held) / SAMPLES as f64;
    let tilt_deg = foothold.tilt_rad().to_degrees();
    if foothold.support < sampling.min_support {
        return Err(FootholdProblem::Support { is: foothold.support, limit: sampling.min_support });
    }
    if highest_m > sampling.collision_m {
        return Err(FootholdProblem::Collision { is_m: highest_m });
    }
    if !middle_held {
        return Err(FootholdProblem::Tips);
    }
    if tilt_deg > sampling.max_tilt_deg {
        return Err(FootholdProblem::Tilt { is_deg: tilt_deg, limit_deg: sampling.max_tilt_deg });
    }
    Ok(foothold)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOOT_M: [f64; 2] = [0.2, 0.1];

    fn at(height: impl Fn(f64, f64) -> Option<f64>, x_m: f64) -> Result<Foothold, FootholdProblem> {
        snap(height, Planar::new(x_m, 0.0, 0.0), FOOT_M, &Sampling::default())
    }

    #[test]
    fn on_a_slope_the_sole_lies_in_it() {
        let foothold = snap(|x, _| Some(0.2 * x), Planar::new(1.0, 0.5, 0.6), FOOT_M, &Sampling::default()).unwrap();
        assert!((foothold.sole.z_m - 0.2).abs() < 1e-12);
        let pose = foothold.pose();
        let up = pose.transform_vector(&Vector3::z());
        let normal = Vector3::new(-0.2, 0.0, 1.0).normalize();
        assert!((up - normal).norm() < 1e-12);
        assert!((Planar::of(&pose).yaw_rad - 0.6).abs() < 1e-12);
        let (roll_rad, pitch_rad) = tilt_of(&normal, 0.6);
        let rpy = pose.rpy();
        assert!((rpy.pitch_rad - pitch_rad).abs() < 1e-12 && (rpy.roll_rad - roll_rad).abs() < 1e-12, "{rpy:?}");
    }

    #[test]
    fn an_edge_under_the_sole_is_overhang_until_it_is_too_much() {
        let stair = |x: f64, _| Some(if x > 0.0 { 0.15 } else { 0.0 });
        let foothold = at(stair, 0.07).unwrap();
        assert_eq!(foothold.sole.z_m, 0.15);
        assert!(foothold.support > 0.75 && foothold.support < 0.9);
        assert!(matches!(at(stair, 0.03), Err(FootholdProblem::Support { .. })));
        assert!(matches!(at(stair, -0.08), Err(FootholdProblem::Support { .. })));
        assert_eq!(at(stair, -0.101).unwrap().sole.z_m, 0.0);
    }

    #[test]
    fn a_riser_is_seen_before_the_toe_and_not_behind_the_heel() {
        let stair = |x: f64, _| Some(if x > 0.0 { 0.15 } else { 0.0 });
        let is_near = |x_m: f64| is_before_riser(stair, &at(stair, x_m).unwrap(), FOOT_M, 0.04);
        assert!(is_near(-0.101) && is_near(-0.135));
        assert!(!is_near(-0.145) && !is_near(0.101));
        let slope = |x: f64, _| Some(0.4 * x);
        assert!(!is_before_riser(slope, &at(slope, 0.0).unwrap(), FOOT_M, 0.04));
    }

    #[test]
    fn a_stone_under_the_sole_collides_and_a_hole_is_no_ground() {
        let stone = |x: f64, y: f64| Some(if x.abs() < 0.02 && y.abs() < 0.03 { 0.02 } else { 0.0 });
        assert!(matches!(at(stone, 0.0), Err(FootholdProblem::Collision { .. })));
        assert_eq!(at(|_, _| None, 0.0), Err(FootholdProblem::NoGround));
        assert!(matches!(at(|x, _| Some(0.6 * x), 0.0), Err(FootholdProblem::Tilt { .. })));
    }
}
