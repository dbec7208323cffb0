//! Paths of a hand that are known to be possible: the tests walk some, the benchmark many.

use geometry::Pose;
use robot::Chain;

/// Between two poses of a path.
pub const STEP_M: f64 = 0.01;
pub const STEP_RAD: f64 = 2.0 * std::f64::consts::PI / 180.0;
/// The most that a joint moves between two poses on the way that made the path.
pub const JOINT_STEP: f64 = 0.1;

#[derive(Debug)]
pub struct HandPath {
    pub start: Vec<f64>,
    /// Without that of the start.
    pub base_from_hand: Vec<Pose>,
}

/// Numbers from 0 to 1, the same everywhere.
pub fn shares(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

pub fn configuration(chain: &Chain, share: &mut impl FnMut() -> f64) -> Vec<f64> {
    chain.limits().iter().map(|limits| limits.lower + share() * (limits.upper - limits.lower)).collect()
}

/// What the hand does while all joints go evenly from one configuration to another.
pub fn by_joints(chain: &Chain, from: &[f64], to: &[f64]) -> HandPath {
    let at = |share: f64| -> Vec<f64> { from.iter().zip(to).map(|(from, to)| from + share * (to - from)).collect() };
    let furthest = from.iter().zip(to).fold(0.0_f64, |furthest, (from, to)| furthest.max((to - from).abs()));
    let mut path = HandPath { start: from.to_vec(), base_from_hand: Vec::new() };
    let (mut gone, mut last) = (0.0, chain.base_from_tip(from));
    while gone < 1.0 - 1e-9 {
        let mut step = (JOINT_STEP / furthest).min(1.0 - gone);
        loop {
            let next = chain.base_from_tip(&at(gone + step));
            let way = last.distance(&next);
            if way.position_m <= STEP_M && way.angle_rad <= STEP_RAD {
                (gone, last) = (gone + step, next);
                break;
            }
            step *= 0.9;
        }
        path.base_from_hand.push(last);
    }
    path
}

/// Straight, and turning evenly, from where one configuration has the hand towards where another has it, no further
/// than given. That every pose of it can be reached does not say that one motion reaches them all.
pub fn straight(chain: &Chain, from: &[f64], to: &[f64], most: (f64, f64)) -> HandPath {
    let (first, last) = (chain.base_from_tip(from), chain.base_from_tip(to));
    let whole = first.distance(&last);
    let share = (most.0 / whole.position_m).min(most.1 / whole.angle_rad).min(1.0);
    let steps = (share * whole.position_m / STEP_M).max(share * whole.angle_rad / STEP_RAD).ceil() as usize;
    let pose = |step: usize| first.interpolate(&last, share * step as f64 / steps as f64);
    HandPath { start: from.to_vec(), base_from_hand: (1..=steps).map(pose).collect() }
}

/// The furthest that a joint goes between two configurations that follow each other.
pub fn largest_step(start: &[f64], configurations: &[Vec<f64>]) -> f64 {
    let mut largest = 0.0_f64;
    let mut last = start;
    for next in configurations {
        largest = last.iter().zip(next).fold(largest, |largest, (last, next)| largest.max((next - last).abs()));
        last = next;
    }
    largest
}
