//! What operators and behaviors do with plans besides asking for one.

use geometry::Pose;
use robot::Side;
use robot::interface::Footstep;
use serde::{Deserialize, Serialize};

use crate::check::{StepProblem, check_plan, view_of};
use crate::plan::{Plan, PlanFailure};
use crate::planar::Planar;
use crate::problem::{Planner, Problem, stance_feet};
use crate::reach::{Reach, Sole};
use crate::timing::timed_step;

/// A plan somebody changed, and everything that is wrong with it now.
#[derive(Clone, Debug, PartialEq)]
pub struct Revised {
    pub steps: Vec<Footstep>,
    pub problems: Vec<StepProblem>,
}

/// A new way to the goal while a plan is walked. What is done or in the air stays; the rest is planned from there.
pub fn replan(
    problem: &Problem,
    steps: &[Footstep],
    begun: usize,
    planner: Planner,
    stop: &dyn Fn() -> bool,
) -> Result<Plan, PlanFailure> {
    let kept = &steps[..begun.min(steps.len())];
    let mut rest = problem.clone();
    rest.start = feet_after(problem.start, kept);
    if let Some(last) = kept.last() {
        // Feet take turns.
        rest.first = match last.side.other() {
            Side::Left => crate::problem::First::Left,
            Side::Right => crate::problem::First::Right,
        };
    }
    let planned = crate::plan(&rest, planner, stop).or_else(|failure| {
        rest.first = crate::problem::First::Auto;
        crate::plan(&rest, planner, stop).map_err(|_| failure)
    })?;
    let steps = kept.iter().cloned().chain(planned.steps).collect();
    Ok(Plan { steps, ..planned })
}

/// Left, right, once these steps are walked.
pub fn feet_after(start: [Pose; 2], steps: &[Footstep]) -> [Pose; 2] {
    let mut feet = start;
    for step in steps {
        feet[step.side.index()] = step.world_from_sole;
    }
    feet
}

/// One plan after another. Steps at the seam that move no foot are left out.
pub fn stitch(problem: &Problem, first: &[Footstep], second: &[Footstep]) -> Revised {
    let mut steps = first.to_vec();
    let mut feet = feet_after(problem.start, first);
    for step in second {
        let foot = &mut feet[step.side.index()];
        let apart = foot.distance(&step.world_from_sole);
        if apart.position_m > 1e-3 || apart.angle_rad > 1e-3 {
            steps.push(step.clone());
        }
        *foot = step.world_from_sole;
    }
    let problems = check_plan(problem, &steps);
    Revised { steps, problems }
}

/// The same places on the ground as it is known now: heights and tilts follow it. Where there is no foothold any more,
/// a step stays as it was and is told.
pub fn revalidate(problem: &Problem, steps: &[Footstep]) -> Revised {
    let view = view_of(problem);
    let mut feet = problem.start;
    let mut revised = Vec::with_capacity(steps.len());
    for step in steps {
        let found = view.foothold(&Planar::of(&step.world_from_sole));
        let world_from_sole = found.map_or(step.world_from_sole, |foothold| foothold.pose());
        let mut again = timed_step(problem, step.side, &feet[step.side.index()], world_from_sole);
        (again.swing_s, again.transfer_s) = (step.swing_s, step.transfer_s);
        feet[step.side.index()] = world_from_sole;
        revised.push(again);
    }
    let problems = check_plan(problem, &revised);
    Revised { steps: revised, problems }
}

/// One step moved by hand. The ground gives its height and tilt; times follow its new length.
pub fn edit_step(problem: &Problem, steps: &[Footstep], index: usize, at: &Planar) -> Option<Revised> {
    let mut steps = steps.to_vec();
    let step = steps.get(index)?.clone();
    let feet = feet_after(problem.start, &steps[..index]);
    let level = at.level(step.world_from_sole.translation_m().z);
    let world_from_sole = view_of(problem).foothold(at).map_or(level, |foothold| foothold.pose());
    steps[index] = timed_step(problem, step.side, &feet[step.side.index()], world_from_sole);
    let problems = check_plan(problem, &steps);
    Some(Revised { steps, problems })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Forward,
    Backward,
    Left,
    Right,
    TurnLeft,
    TurnRight,
}

/// Steps by count, not by goal: `count` in a direction, then one that squares up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    pub direction: Direction,
    pub count: usize,
    /// Metres, or radians to turn, of each step; as much as the robot can if there is none or it is too much.
    pub stride: Option<f64>,
    pub square_up: bool,
}

pub fn pattern(problem: &Problem, pattern: &Pattern) -> Revised {
    let reach = Reach::of(&problem.limits);
    let view = view_of(problem);
    let mut feet = problem.start.map(|pose| Sole::of(&pose));
    let mut side = match pattern.direction {
        Direction::Left | Direction::TurnLeft => Side::Left,
        Direction::Right | Direction::TurnRight => Side::Right,
        Direction::Forward | Direction::Backward => problem.first.side().unwrap_or(Side::Left),
    };
    let mut places = Vec::new();
    let squaring = usize::from(pattern.square_up && pattern.count > 0);
    for index in 0..pattern.count + squaring {
        let stance = feet[side.other().index()];
        let stride = if index < pattern.count { stride(&reach, pattern, side) } else { 0.0 };
        let hips = moved(&hips_beside(&reach, side.other(), &stance.at), pattern.direction, stride);
        let at = stance_feet(&reach.limits, &hips)[side.index()];
        let z_m = stance.z_m;
        let world_from_sole = view.foothold(&at).map_or(at.level(z_m), |foothold| foothold.pose());
        feet[side.index()] = Sole::of(&world_from_sole);
        places.push((side, world_from_sole));
        side = side.other();
    }
    let steps = crate::timing::timed(problem, places);
    let problems = check_plan(problem, &steps);
    Revised { steps, problems }
}

fn hips_beside(reach: &Reach, stance_side: Side, stance: &Planar) -> Planar {
    stance.beside(-crate::reach::outward(stance_side) * reach.limits.stance_width_m / 2.0)
}

/// What one step does; sideways and turning, the outer foot leads and the inner one only follows.
fn stride(reach: &Reach, pattern: &Pattern, side: Side) -> f64 {
    let limits = &reach.limits;
    let leads = match pattern.direction {
        Direction::Left | Direction::TurnLeft => side == Side::Left,
        Direction::Right | Direction::TurnRight => side == Side::Right,
        Direction::Forward | Direction::Backward => true,
    };
    let most = match pattern.direction {
        Direction::Forward => limits.max_forward_m,
        Direction::Backward => limits.max_backward_m,
        Direction::Left | Direction::Right => limits.max_width_m - limits.stance_width_m,
        Direction::TurnLeft | Direction::TurnRight => limits.max_turn_out_deg.to_radians(),
    };
    if leads { pattern.stride.map_or(most, |stride| stride.abs().min(most)) } else { 0.0 }
}

fn moved(hips: &Planar, direction: Direction, stride: f64) -> Planar {
    let (x, y, yaw) = match direction {
        Direction::Forward => (stride, 0.0, 0.0),
        Direction::Backward => (-stride, 0.0, 0.0),
        Direction::Left => (0.0, stride, 0.0),
        Direction::Right => (0.0, -stride, 0.0),
        Direction::TurnLeft => (0.0, 0.0, stride),
        Direction::TurnRight => (0.0, 0.0, -stride),
    };
    hips.then(&Planar::new(x, y, yaw))
}

/// A step as an author keeps it: in a frame of the scene, so that it moves with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManualStep {
    pub side: Side,
    /// Frame from sole.
    pub sole: Pose,
    pub swing_s: f64,
    pub transfer_s: f64,
    pub swing_height_m: f64,
}

pub fn manual_steps(steps: &[Footstep], world_from_frame: &Pose) -> Vec<ManualStep> {
    let frame_from_world = world_from_frame.inverse();
    let manual = steps.iter().map(|step| ManualStep {
        side: step.side,
        sole: frame_from_world * step.world_from_sole,
        swing_s: step.swing_s,
        transfer_s: step.transfer_s,
        swing_height_m: step.swing_height_m,
    });
    manual.collect()
}

/// Back to the world, wherever the frame is by then.
pub fn footsteps_of(manual: &[ManualStep], world_from_frame: &Pose) -> Vec<Footstep> {
    let steps = manual.iter().map(|step| Footstep {
        side: step.side,
        world_from_sole: *world_from_frame * step.sole,
        swing_s: step.swing_s,
        transfer_s: step.transfer_s,
        swing_height_m: step.swing_height_m,
    });
    steps.collect()
}
