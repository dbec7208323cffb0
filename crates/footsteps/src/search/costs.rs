//! What a step costs, and what it risks. Costs stack; risk does not buy anything: above its limit a step is not taken.

use robot::Side;

use crate::parameters::{Cost, Parameters, Risk};
use crate::reach::{Reach, outward};
use crate::terrain::{Foothold, Sampling};

/// A whole step: both feet, before and after.
pub(super) struct StepView<'a> {
    pub side: Side,
    pub reach: &'a Reach,
    pub stance: &'a Foothold,
    pub landing: &'a Foothold,
    pub from: &'a Foothold,
    /// Where the stance foot stood before its own swing.
    pub before: Option<&'a Foothold>,
}

type Term = fn(&StepView, &Cost) -> f64;

const TERMS: &[Term] = &[step, distance, yaw, height, boundary, dynamics, contact, tilt];

type RiskTerm = fn(&StepView, &Risk, &Sampling) -> f64;

const RISKS: &[RiskTerm] = &[boundary_risk, contact_risk, tilt_risk, height_risk];

pub(super) fn cost(view: &StepView, parameters: &Parameters) -> f64 {
    TERMS.iter().map(|term| term(view, &parameters.cost)).sum()
}

pub(super) fn risk(view: &StepView, parameters: &Parameters) -> f64 {
    RISKS.iter().map(|term| term(view, &parameters.risk, &parameters.sole)).sum()
}

/// What every step costs that moves the hips this far: never more than all terms together.
pub(super) fn least_cost(cost: &Cost, distance_m: f64) -> f64 {
    cost.step + cost.distance * distance_m
}

fn step(_: &StepView, weights: &Cost) -> f64 {
    weights.step
}

fn distance(view: &StepView, weights: &Cost) -> f64 {
    // The hips go half as far as the foot.
    weights.distance * view.from.sole.at.distance_m(&view.landing.sole.at) / 2.0
}

fn yaw(view: &StepView, weights: &Cost) -> f64 {
    weights.yaw * view.from.sole.at.turn_rad(&view.landing.sole.at).abs() / 2.0
}

fn height(view: &StepView, weights: &Cost) -> f64 {
    weights.height * (view.landing.sole.z_m - view.stance.sole.z_m).abs()
}

fn boundary(view: &StepView, weights: &Cost) -> f64 {
    weights.boundary * at_limit(view)
}

fn dynamics(view: &StepView, weights: &Cost) -> f64 {
    let Some(before) = view.before else { return 0.0 };
    let swing = |from: &Foothold, to: &Foothold| [to.sole.at.x_m - from.sole.at.x_m, to.sole.at.y_m - from.sole.at.y_m];
    let (last, this) = (swing(before, view.stance), swing(view.from, view.landing));
    weights.dynamics * libm::hypot(this[0] - last[0], this[1] - last[1])
}

fn contact(view: &StepView, weights: &Cost) -> f64 {
    weights.contact * (1.0 - view.landing.support)
}

fn tilt(view: &StepView, weights: &Cost) -> f64 {
    if view.landing.slope == [0.0, 0.0] { 0.0 } else { weights.tilt * view.landing.tilt_rad() }
}

fn boundary_risk(view: &StepView, weights: &Risk, _: &Sampling) -> f64 {
    weights.boundary * at_limit(view)
}

fn contact_risk(view: &StepView, weights: &Risk, _: &Sampling) -> f64 {
    weights.contact * (1.0 - view.landing.support)
}

fn tilt_risk(view: &StepView, weights: &Risk, sampling: &Sampling) -> f64 {
    if view.landing.slope == [0.0, 0.0] {
        return 0.0;
    }
    weights.tilt * view.landing.tilt_rad() / sampling.max_tilt_deg.to_radians().max(1e-3)
}

fn height_risk(view: &StepView, weights: &Risk, _: &Sampling) -> f64 {
    let up_m = view.landing.sole.z_m - view.stance.sole.z_m;
    let limits = &view.reach.limits;
    let limit_m = if up_m > 0.0 { limits.max_step_up_m } else { limits.max_step_down_m };
    weights.height * up_m.abs() / limit_m.max(1e-3)
}

/// 0 well inside of all limits, 1 at one of them: how far into its last tenth the step goes.
fn at_limit(view: &StepView) -> f64 {
    let limits = &view.reach.limits;
    let [ahead_m, left_m] = view.stance.sole.at.local(view.landing.sole.at.x_m, view.landing.sole.at.y_m);
    let beside_m = left_m * outward(view.side);
    let shares = [
        ahead_m / limits.max_forward_m,
        -ahead_m / limits.max_backward_m.max(1e-3),
        beside_m / limits.max_width_m,
        (limits.stance_width_m - beside_m) / (limits.stance_width_m - limits.min_width_m).max(1e-3),
    ];
    let most = shares.into_iter().fold(0.0, f64::max);
    ((most - 0.9) / 0.1).clamp(0.0, 1.0)
}
