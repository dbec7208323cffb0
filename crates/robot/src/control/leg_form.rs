//! The joints of a leg in closed form, for legs as most are built: the axes of the hip meet in a point, at right angles,
//! those of the ankle in another, and hip, knee and ankle pitch about parallel axes.

use geometry::{Matrix3, Pose, Vector3};

use crate::Chain;
use crate::sine::sin_cos;
use crate::trajectory::rotation::wrapped_rad;
use crate::transform::Transform;

const JOINTS: usize = 6;
const KNEE: usize = 3;
/// Of axes that should meet, m, or be parallel or at right angles.
const ROUNDING: f64 = 1e-9;
/// Up to this beyond a limit, rad or m, a numeric solver may still call it reached.
const NEAR: f64 = 1e-3;

/// What can be said about a pose of the sole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Found {
    /// Within all limits.
    Reached([f64; JOINTS]),
    /// Right at a limit: within the tolerance of a numeric solver it may be reached.
    Near,
    OutOfReach(Miss),
}

/// What would help where a leg does not reach; nothing is set where that is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Miss {
    /// The leg is too straight: the pelvis has to be nearer to the foot, by this at least.
    pub nearer_m: Option<f64>,
    /// The leg is bent too much: the pelvis has to be further from the foot.
    pub further: bool,
}

/// Axes and points as they are with all joints at zero.
#[derive(Clone, Debug)]
pub(crate) struct LegForm {
    axes: [Vector3<f64>; JOINTS],
    hip_m: Vector3<f64>,
    knee_m: Vector3<f64>,
    ankle_m: Vector3<f64>,
    tip_from_base: Transform,
    /// Angles about the axes.
    limits: [[f64; 2]; JOINTS],
    /// From angles to positions: factor, then what is added.
    drives: [(f64, f64); JOINTS],
    /// Of the first three axes.
    handed: f64,
    /// Which way about its axis each joint that pitches bends the leg; 0: it does not pitch.
    bends: [f64; JOINTS],
}

impl LegForm {
    /// None: built otherwise.
    pub fn of(chain: &Chain) -> Option<LegForm> {
        let plain = chain.joints.iter().enumerate().all(|(at, joint)| joint.coordinate == at && !joint.slides);
        if !plain || chain.joints.len() != JOINTS || chain.len() != JOINTS {
            return None;
        }
        let mut at = Transform::identity();
        let frames: [Transform; JOINTS] = std::array::from_fn(|index| {
            at = at.then(&chain.joints[index].last_from_this);
            at
        });
        let axes = frames.map(|frame| frame.rotation.column(2).into_owned());
        let points_m = frames.map(|frame| frame.translation_m);
        let meet = |joints: std::ops::Range<usize>| {
            let on_all = |point_m: &Vector3<f64>| {
                joints.clone().all(|at| axes[at].cross(&(point_m - points_m[at])).norm() < ROUNDING)
            };
            points_m[joints.clone()].iter().copied().find(on_all)
        };
        let square = |one: usize, other: usize| axes[one].dot(&axes[other]).abs() < ROUNDING;
        let parallel = |one: usize, other: usize| axes[one].cross(&axes[other]).norm() < ROUNDING;
        if !(square(0, 1) && square(1, 2) && square(0, 2) && square(4, 5) && parallel(2, 3) && parallel(3, 4)) {
            return None;
        }
        let drives = std::array::from_fn(|at| {
            let (multiplier, offset) = (chain.joints[at].multiplier, chain.joints[at].offset);
            (1.0 / multiplier, -offset / multiplier)
        });
        let limits: [[f64; 2]; JOINTS] = std::array::from_fn(|at| {
            let (joint, limits) = (&chain.joints[at], &chain.limits[at]);
            let ends = [limits.lower, limits.upper].map(|position| joint.multiplier * position + joint.offset);
            [ends[0].min(ends[1]), ends[0].max(ends[1])]
        });
        // A second joint of the hip that turns further has two answers.
        let one_answer = limits[1].iter().all(|limit| limit.abs() < std::f64::consts::FRAC_PI_2)
            && limits.iter().flatten().all(|limit| limit.abs() < std::f64::consts::PI);
        let tip = at.then(&chain.last_from_tip);
        let knee_bends = (limits[KNEE][0] + limits[KNEE][1]).signum();
        let bends = [2, KNEE, 4].map(|at| knee_bends * axes[at].dot(&axes[KNEE]).signum());
        one_answer.then_some(LegForm {
            hip_m: meet(0..3)?,
            ankle_m: meet(4..6)?,
            knee_m: points_m[KNEE],
            tip_from_base: inverse(&tip),
            limits,
            drives,
            handed: axes[0].cross(&axes[1]).dot(&axes[2]).signum(),
            axes,
            // Thigh and foot turn against the knee.
            bends: [0.0, 0.0, -bends[0], bends[1], -bends[2], 0.0],
        })
    }

    pub fn solve(&self, base_from_tip: &Pose) -> Found {
        let moved = Transform::from(base_from_tip).then(&self.tip_from_base);
        let (knees_rad, beyond_m) = self.knee(&moved);
        if beyond_m.abs() > NEAR {
            let miss = Miss { nearer_m: (beyond_m > 0.0).then_some(beyond_m), further: beyond_m < 0.0 };
            return Found::OutOfReach(miss);
        }
        let mut least = (f64::INFINITY, [0.0; JOINTS]);
        for knee_rad in knees_rad {
            for ankle_rad in self.ankle(&moved, knee_rad) {
                let angles = self.hip(&moved, knee_rad, ankle_rad);
                let beyond = |(angle, [lower, upper]): (&f64, &[f64; 2])| (lower - angle).max(angle - upper);
                let beyond = angles.iter().zip(&self.limits).map(beyond).fold(beyond_m.abs(), f64::max);
                if beyond <= 0.0 {
                    let position = |at: usize| angles[at] * self.drives[at].0 + self.drives[at].1;
                    return Found::Reached(std::array::from_fn(position));
                }
                if beyond < least.0 {
                    least = (beyond, angles);
                }
            }
        }
        if least.0 < NEAR { Found::Near } else { Found::OutOfReach(self.miss(&least.1)) }
    }

    fn miss(&self, angles: &[f64; JOINTS]) -> Miss {
        let mut miss = Miss::default();
        for ((angle, [lower, upper]), bends) in angles.iter().zip(&self.limits).zip(&self.bends) {
            let beyond = bends * ((angle - upper).max(0.0) - (lower - angle).max(0.0));
            if beyond < -NEAR {
                miss.nearer_m = Some(0.0);
            }
            miss.further |= beyond > NEAR;
        }
        miss
    }

    /// Both ways to bend it so that hip and ankle are as far from each other as they should be, and by how much that is
    /// too far; below zero: too near.
    fn knee(&self, moved: &Transform) -> ([f64; 2], f64) {
        let axis = &self.axes[KNEE];
        let across = |from: Vector3<f64>| from - axis * axis.dot(&from);
        let (shin, thigh) = (across(self.ankle_m - self.knee_m), across(self.hip_m - self.knee_m));
        let aside_m = axis.dot(&(self.ankle_m - self.hip_m));
        let squared = (moved.point(&self.ankle_m) - self.hip_m).norm_squared() - aside_m * aside_m;
        let (shin_m, thigh_m) = (shin.norm(), thigh.norm());
        let distance_m = squared.max(0.0).sqrt();
        let (too_far_m, too_near_m) = (distance_m - shin_m - thigh_m, (shin_m - thigh_m).abs() - distance_m);
        let cosine = (shin_m * shin_m + thigh_m * thigh_m - squared) / (2.0 * shin_m * thigh_m);
        let (straight, bent) = (turn(axis, &shin, &thigh), libm::acos(cosine.clamp(-1.0, 1.0)));
        ([straight - bent, straight + bent].map(wrapped_rad), too_far_m.max(0.0) - too_near_m.max(0.0))
    }

    /// Pitch and roll, both ways.
    fn ankle(&self, moved: &Transform, knee_rad: f64) -> [[f64; 2]; 2] {
        let [pitch, roll] = [self.axes[4], self.axes[5]];
        let to_hip = moved.rotation.transpose() * (self.hip_m - moved.point(&self.ankle_m));
        let bent = about(&self.axes[KNEE], -knee_rad) * (self.hip_m - self.knee_m) + self.knee_m - self.ankle_m;
        let (along, across) = (pitch.dot(&to_hip), roll.cross(&pitch).dot(&to_hip));
        let (length_m, phase) = (libm::hypot(along, across), libm::atan2(across, along));
        let half = libm::acos((pitch.dot(&bent) / length_m.max(ROUNDING)).clamp(-1.0, 1.0));
        [half, -half].map(|half| {
            let roll_rad = wrapped_rad(half - phase);
            [-turn(&pitch, &bent, &(about(&roll, roll_rad) * to_hip)), roll_rad]
        })
    }

    fn hip(&self, moved: &Transform, knee_rad: f64, [pitch_rad, roll_rad]: [f64; 2]) -> [f64; JOINTS] {
        let [first, second, third, ..] = self.axes;
        let below = about(&self.axes[3], knee_rad) * about(&self.axes[4], pitch_rad) * about(&self.axes[5], roll_rad);
        let hip = moved.rotation * below.transpose();
        let (third_turned, first_back) = (hip * third, hip.transpose() * first);
        [
            libm::atan2(-self.handed * second.dot(&third_turned), third.dot(&third_turned)),
            libm::asin((self.handed * first.dot(&third_turned)).clamp(-1.0, 1.0)),
            libm::atan2(-self.handed * second.dot(&first_back), first.dot(&first_back)),
            knee_rad,
            pitch_rad,
            roll_rad,
        ]
    }
}

fn inverse(transform: &Transform) -> Transform {
    let rotation = transform.rotation.transpose();
    Transform { rotation, translation_m: -(rotation * transform.translation_m) }
}

fn about(axis: &Vector3<f64>, angle_rad: f64) -> Matrix3<f64> {
    let (sin, cos) = sin_cos(angle_rad);
    let turned = axis * axis.transpose() * (1.0 - cos) + axis.cross_matrix() * sin;
    turned + Matrix3::from_diagonal_element(cos)
}

/// About the axis, from one direction to the other.
fn turn(axis: &Vector3<f64>, from: &Vector3<f64>, to: &Vector3<f64>) -> f64 {
    let along = axis.dot(from) * axis.dot(to);
    libm::atan2(axis.dot(&from.cross(to)), from.dot(to) - along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PartName, Robot, Side};

    #[test]
    fn finds_every_configuration_from_the_pose_of_its_sole() {
        let robot = Robot::builtin("coact-one").expect("our own");
        for side in Side::BOTH {
            let base = robot.part(PartName::Leg(side)).expect("a leg").base;
            let chain = Chain::new(&robot.model, base, robot.frames.soles[side.index()]).expect("a leg");
            let form = LegForm::of(&chain).expect("a leg as most are");
            let mut random = model::Random::new(3);
            for _ in 0..1_000 {
                let wanted: Vec<f64> =
                    chain.limits().iter().map(|limits| random.between(limits.lower, limits.upper)).collect();
                let Found::Reached(found) = form.solve(&chain.base_from_tip(&wanted)) else {
                    panic!("not found: {wanted:?}")
                };
                for (wanted, found) in wanted.iter().zip(found) {
                    assert!((wanted - found).abs() < 1e-6, "{wanted} {found}");
                }
            }
        }
    }

    #[test]
    fn what_is_beyond_a_limit_is_out_of_reach() {
        let robot = Robot::builtin("coact-one").expect("our own");
        let base = robot.part(PartName::Leg(Side::Left)).expect("a leg").base;
        let chain = Chain::new(&robot.model, base, robot.frames.soles[0]).expect("a leg");
        let form = LegForm::of(&chain).expect("a leg as most are");
        let bent = vec![0.0, 0.0, -0.5, 1.0, -0.5, 0.0];
        assert!(matches!(form.solve(&chain.base_from_tip(&bent)), Found::Reached(_)));
        let nearer = Miss { nearer_m: Some(0.0), further: false };
        let further = Miss { nearer_m: None, further: true };
        let wants = [Miss::default(), Miss::default(), nearer, further, nearer, Miss::default()];
        for (joint, wants) in wants.into_iter().enumerate() {
            let mut beyond = bent.clone();
            beyond[joint] = chain.limits()[joint].upper + 0.01;
            assert_eq!(form.solve(&chain.base_from_tip(&beyond)), Found::OutOfReach(wants), "joint {joint}");
        }
        let straight = chain.base_from_tip(&[0.0; JOINTS]);
        let away = |away_m: f64| form.solve(&(Pose::from_translation(0.0, 0.0, -away_m) * straight));
        assert_eq!(away(1e-5), Found::Near);
        let Found::OutOfReach(Miss { nearer_m: Some(nearer_m), further: false }) = away(0.01) else {
            panic!("{:?}", away(0.01))
        };
        assert!((nearer_m - 0.01).abs() < 1e-9, "{nearer_m}");
    }
}
