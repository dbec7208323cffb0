#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::Path;
use std::sync::Arc;

use footsteps::terrain::{World, world_from_text};
use footsteps::{
    Goal, Parameters, Planar, Plan, PlanFailure, Planner, Problem, Sole, check_plan, feet_after, foothold_at,
    stance_feet,
};
use robot::WalkingLimits;

/// A robot half as large.
pub fn small() -> WalkingLimits {
    WalkingLimits {
        foot_length_m: 0.16,
        foot_width_m: 0.08,
        stance_width_m: 0.16,
        min_width_m: 0.11,
        max_width_m: 0.26,
        max_forward_m: 0.28,
        max_backward_m: 0.18,
        max_step_up_m: 0.12,
        max_step_down_m: 0.1,
        max_turn_out_deg: 35.0,
        max_turn_in_deg: 5.0,
        min_swing_s: 0.4,
        min_transfer_s: 0.1,
        swing_height_m: 0.04,
    }
}

pub fn at(x_m: f64, y_m: f64, yaw_deg: f64) -> Planar {
    Planar::new(x_m, y_m, yaw_deg.to_radians())
}

/// On a level floor, from a square stance at the origin.
pub fn flat(limits: &WalkingLimits, goal: Goal) -> Problem {
    let start = stance_feet(limits, &at(0.0, 0.0, 0.0)).map(|foot| foot.level(0.0));
    Problem::new(limits.clone(), start, goal)
}

pub fn world(file: &str) -> World {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../terrains").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    world_from_text(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// In one of our terrains, feet on its ground.
pub fn inside(file: &str, parameters: &str, from: Planar, goal: Goal) -> Problem {
    let world = world(file);
    let limits = WalkingLimits::default();
    let mut problem = flat(&limits, goal);
    problem.terrain = Some(Arc::new(world.terrain));
    problem.obstacles = Arc::new(world.obstacles);
    problem.parameters = Parameters::built_in(parameters).unwrap();
    let feet = stance_feet(&limits, &from);
    problem.start = feet.map(|foot| foothold_at(&problem, &foot).unwrap().pose());
    problem
}

pub fn planned(problem: &Problem, planner: Planner) -> Result<Plan, PlanFailure> {
    footsteps::plan(problem, planner, &|| false)
}

/// Possible step by step, and the feet end where they shall.
#[track_caller]
pub fn assert_good(problem: &Problem, plan: &Plan) {
    let problems = check_plan(problem, &plan.steps);
    assert!(problems.is_empty(), "{}\n{:?}", problems[0], problem.goal);
    let feet = feet_after(problem.start, &plan.steps).map(|pose| Sole::of(&pose).at);
    for (foot, goal) in feet.iter().zip(problem.goal.feet(&problem.limits)) {
        assert!(foot.distance_m(&goal) < 0.01, "{foot:?} {goal:?}");
        assert!(foot.turn_rad(&goal).abs().to_degrees() < 5.0, "{foot:?} {goal:?}");
    }
    for pair in plan.steps.windows(2) {
        assert_ne!(pair[0].side, pair[1].side, "feet take turns");
    }
}
