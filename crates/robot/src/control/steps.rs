//! Whether a robot can do the steps it is asked for, before it does the first.

use geometry::Pose;

use crate::interface::Footstep;
use crate::trajectory::rotation::{wrapped_rad, yaw_rad};
use crate::{Side, WalkingLimits};

const LONGEST_S: f64 = 60.0;
const HIGHEST_M: f64 = 0.6;
/// Times that people or planners rounded still count as within a limit.
const ROUNDING_S: f64 = 1e-6;
/// Steps are planned from where the feet were meant to stand, and judged from where they are.
const MEASURED_M: f64 = 0.002;
const MEASURED_DEG: f64 = 0.2;

/// The soles after the steps, or what is wrong with the first that cannot be done.
pub(crate) fn check(steps: &[Footstep], mut soles: [Pose; 2], limits: &WalkingLimits) -> Result<[Pose; 2], String> {
    if steps.is_empty() {
        return Err("there are no footsteps: give at least one".to_owned());
    }
    for (index, step) in steps.iter().enumerate() {
        let stance = &soles[step.side.other().index()];
        let problem = problem_with_numbers(step, limits).or_else(|| problem_with_place(step, stance, limits));
        if let Some(problem) = problem {
            return Err(format!("footstep {} of {} ({}): {problem}", index + 1, steps.len(), step.side.word()));
        }
        soles[step.side.index()] = step.world_from_sole;
    }
    Ok(soles)
}

fn problem_with_numbers(step: &Footstep, limits: &WalkingLimits) -> Option<String> {
    let numbers = [step.swing_s, step.transfer_s, step.swing_height_m];
    if !step.world_from_sole.is_finite() || numbers.iter().any(|number| !number.is_finite()) {
        return Some("a number is not finite".to_owned());
    }
    if step.swing_s < limits.min_swing_s - ROUNDING_S {
        return Some(format!("swing of {} s: at least {} s", step.swing_s, limits.min_swing_s));
    }
    if step.transfer_s < limits.min_transfer_s - ROUNDING_S {
        return Some(format!("transfer of {} s: at least {} s", step.transfer_s, limits.min_transfer_s));
    }
    if step.swing_s > LONGEST_S || step.transfer_s > LONGEST_S {
        return Some(format!("longer than {LONGEST_S} s"));
    }
    let high = !(0.0..=HIGHEST_M).contains(&step.swing_height_m);
    high.then(|| format!("swing height of {} m: from 0 to {HIGHEST_M} m", step.swing_height_m))
}

fn problem_with_place(step: &Footstep, stance: &Pose, limits: &WalkingLimits) -> Option<String> {
    let outward = match step.side {
        Side::Left => 1.0,
        Side::Right => -1.0,
    };
    let stance_yaw_rad = yaw_rad(&stance.rotation());
    let way_m = step.world_from_sole.translation_m() - stance.translation_m();
    let (sin, cos) = (libm::sin(stance_yaw_rad), libm::cos(stance_yaw_rad));
    let (forward_m, width_m) = (cos * way_m.x + sin * way_m.y, outward * (cos * way_m.y - sin * way_m.x));
    let out_deg = outward * wrapped_rad(yaw_rad(&step.world_from_sole.rotation()) - stance_yaw_rad).to_degrees();
    let bounds = [
        ("forward of the other foot", forward_m, limits.max_forward_m, "m"),
        ("behind the other foot", -forward_m, limits.max_backward_m, "m"),
        ("beside the other foot", width_m, limits.max_width_m, "m"),
        ("above the other foot", way_m.z, limits.max_step_up_m, "m"),
        ("below the other foot", -way_m.z, limits.max_step_down_m, "m"),
        ("turned outward", out_deg, limits.max_turn_out_deg, "°"),
        ("turned inward", -out_deg, limits.max_turn_in_deg, "°"),
    ];
    for (what, value, limit, unit) in bounds {
        let measured = if unit == "°" { MEASURED_DEG } else { MEASURED_M };
        if value > limit + measured {
            return Some(format!("{value:.3} {unit} {what}: at most {limit} {unit}"));
        }
    }
    (width_m < limits.min_width_m - MEASURED_M)
        .then(|| format!("{width_m:.3} m beside the other foot: at least {} m", limits.min_width_m))
}

#[cfg(test)]
mod tests {
    use geometry::Vector3;

    use super::*;

    /// The left foot stands turned outward by `off_deg` of what the plan believed.
    fn turned_in(off_deg: f64) -> Result<[Pose; 2], String> {
        let limits = WalkingLimits::default();
        let yaw = |deg: f64| Vector3::new(0.0, 0.0, deg.to_radians());
        let left = Pose::from_axis_angle(Vector3::new(0.0, 0.1, 0.0), yaw(off_deg));
        let right = Pose::from_axis_angle(Vector3::new(0.0, -0.1, 0.0), yaw(limits.max_turn_in_deg));
        let step = Footstep {
            side: Side::Right,
            world_from_sole: right,
            swing_s: limits.min_swing_s,
            transfer_s: limits.min_transfer_s,
            swing_height_m: 0.05,
        };
        check(&[step], [left, Pose::from_translation(0.0, -0.1, 0.0)], &limits)
    }

    #[test]
    fn a_step_at_the_limit_may_be_judged_from_feet_that_stand_a_little_off() {
        assert_eq!(turned_in(-0.05).map(|_| ()), Ok(()));
        assert!(turned_in(-1.0).is_err_and(|why| why.contains("turned inward")));
    }
}
