//! Where the feet go. A [`Problem`] and a [`Planner`] give a [`Plan`] or say why and where there is none; [`reachable`]
//! is the one judge of what a robot can step.

mod around;
mod obstacles;
mod optimum;
mod parameters;
mod plan;
mod planar;
mod problem;
mod quick;
mod reach;
mod search;
mod setup;
mod shapes;
pub mod table;
pub mod terrain;
mod timing;
mod view;

pub use obstacles::{Hit, Obstacle, Obstacles};
pub use optimum::Optimum;
pub use parameters::{Body, Cost, Parameters, Risk, Search, Timing, Tolerance};
pub use plan::{Improvement, Plan, PlanFailure, Reason, SearchReport};
pub use planar::{Planar, wrap_rad};
pub use problem::{First, Goal, Planner, Problem, Waypoint, goal_feet, stance_feet};
pub use reach::{Reach, Sole, Unreachable, reachable};
pub use shapes::Rectangle;
pub use timing::swing_s;

/// Looks for a plan. `stop` is asked again and again by planners that search; once it says yes, the best plan so far
/// is the answer.
pub fn plan(problem: &Problem, planner: Planner, stop: &dyn Fn() -> bool) -> Result<Plan, PlanFailure> {
    let setup = setup::Setup::of(problem)?;
    match planner {
        Planner::Quick => quick::plan(&setup),
        Planner::TurnWalkTurn => quick::turn_walk_turn(&setup),
        Planner::AStar => search::plan(&setup, stop),
    }
}
