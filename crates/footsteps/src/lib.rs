//! Where the feet go. A [`Problem`] and a [`Planner`] give a [`Plan`] or say why and where there is none; [`reachable`]
//! is the one judge of what a robot can step.

mod around;
mod check;
mod obstacles;
mod optimum;
mod ordered;
mod parameters;
mod plan;
mod planar;
mod planning;
mod problem;
mod quick;
mod reach;
mod search;
mod services;
mod setup;
mod shapes;
mod svg;
pub mod table;
pub mod terrain;
mod timing;
mod view;

pub use check::{StepFault, StepProblem, check_plan, foothold_at};
pub use obstacles::{Hit, Obstacle, Obstacles};
pub use optimum::Optimum;
pub use parameters::{BodyBox, Cost, Parameters, Risk, Search, Timing, Tolerance};
pub use plan::{Improvement, Plan, PlanFailure, Reason, SearchReport, WayEnd};
pub use planar::{Planar, wrap_rad};
pub use planning::{GoingThrough, Legs, Planned, Planning, Work, judged};
pub use problem::{First, Goal, Planner, Problem, Waypoint, goal_feet, stance_feet};
pub use reach::{Reach, Sole, Unreachable, reachable};
pub use services::{
    Direction, ManualStep, Pattern, Revised, edit_step, feet_after, footsteps_of, manual_steps, pattern, replan,
    revalidate, stitch,
};
pub use shapes::Rectangle;
pub use svg::svg;
pub use timing::swing_s;

/// Looks for a plan. `stop` is asked again and again by planners that search; once it says yes, the best plan so far
/// is the answer.
pub fn plan(problem: &Problem, planner: Planner, stop: &dyn Fn() -> bool) -> Result<Plan, PlanFailure> {
    plan_counted(problem, planner, stop).0
}

/// As [`plan`]; `first_plan` is called when there is a plan that better ones may follow.
pub fn plan_watched(
    problem: &Problem,
    planner: Planner,
    stop: &dyn Fn() -> bool,
    first_plan: &dyn Fn(),
) -> Result<Plan, PlanFailure> {
    solved(problem, planner, stop, first_plan).0
}

/// As [`plan`], with how much was looked at for it.
pub fn plan_counted(problem: &Problem, planner: Planner, stop: &dyn Fn() -> bool) -> (Result<Plan, PlanFailure>, Work) {
    solved(problem, planner, stop, &|| {})
}

fn solved(
    problem: &Problem,
    planner: Planner,
    stop: &dyn Fn() -> bool,
    first_plan: &dyn Fn(),
) -> (Result<Plan, PlanFailure>, Work) {
    let setup = match setup::Setup::of(problem, first_plan) {
        Ok(setup) => setup,
        Err(failure) => return (Err(failure), Work::default()),
    };
    let plan = match planner {
        Planner::Quick => quick::plan(&setup),
        Planner::TurnWalkTurn => quick::turn_walk_turn(&setup),
        Planner::AStar => search::plan(&setup, stop),
    };
    if plan.as_ref().is_ok_and(|plan| plan.search.improvements.is_empty()) {
        first_plan();
    }
    (plan.map(|plan| Plan { goal_moved_m: setup.goal_moved_m, ..plan }), setup.work.get())
}
