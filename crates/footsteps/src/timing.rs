//! How long and how high each step goes.

use geometry::Pose;
use robot::interface::Footstep;
use robot::{Side, WalkingLimits};

use crate::parameters::Timing;
use crate::planar::Planar;
use crate::problem::Problem;

/// Longer steps take longer.
pub fn swing_s(timing: &Timing, limits: &WalkingLimits, length_m: f64) -> f64 {
    let (short_m, long_m) = timing.length_m;
    let (quick_s, slow_s) = timing.swing_s;
    let share = ((length_m - short_m) / (long_m - short_m).max(1e-9)).clamp(0.0, 1.0);
    (quick_s + (slow_s - quick_s) * share).max(limits.min_swing_s)
}

/// Adds times and heights to places.
pub(crate) fn timed(problem: &Problem, places: Vec<(Side, Pose)>) -> Vec<Footstep> {
    let mut feet = problem.start;
    let mut steps = Vec::with_capacity(places.len());
    for (side, world_from_sole) in places {
        steps.push(timed_step(problem, side, &feet[side.index()], world_from_sole));
        feet[side.index()] = world_from_sole;
    }
    steps
}

pub(crate) fn timed_step(problem: &Problem, side: Side, from: &Pose, world_from_sole: Pose) -> Footstep {
    let limits = &problem.limits;
    let timing = &problem.parameters.timing;
    let length_m = from.distance(&world_from_sole).position_m;
    Footstep {
        side,
        world_from_sole,
        swing_s: problem.swing_s.unwrap_or_else(|| swing_s(timing, limits, length_m)),
        transfer_s: problem.transfer_s.unwrap_or(timing.transfer_s).max(limits.min_transfer_s),
        swing_height_m: swing_height_m(problem, from, &world_from_sole),
    }
}

/// Over the highest ground on the straight way.
fn swing_height_m(problem: &Problem, from: &Pose, to: &Pose) -> f64 {
    let usual_m = problem.limits.swing_height_m;
    let Some(terrain) = &problem.terrain else { return usual_m };
    let (begin, end) = (Planar::of(from), Planar::of(to));
    let higher_m = from.translation_m().z.max(to.translation_m().z);
    let parts = (begin.distance_m(&end) / 0.02) as u32 + 1;
    let on_the_way = (0..=parts).filter_map(|part| {
        let at = begin.toward(&end, f64::from(part) / f64::from(parts));
        terrain.height_m(at.x_m, at.y_m)
    });
    let highest_m = on_the_way.fold(higher_m, f64::max);
    // Half of the usual height is enough above what is stepped over, all of it above what is stood on.
    usual_m.max(highest_m - higher_m + usual_m * 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swings_grow_with_the_step_between_two_bounds() {
        let (timing, limits) = (Timing::default(), WalkingLimits::default());
        let times = [0.0, 0.3, 0.5, 0.7, 2.0].map(|length_m| swing_s(&timing, &limits, length_m));
        for (is, expected) in times.iter().zip([0.8, 0.8, 1.0, 1.2, 1.2]) {
            assert!((is - expected).abs() < 1e-12, "{times:?}");
        }
    }
}
