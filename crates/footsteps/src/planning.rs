//! Planning as a job: all it needs in one value, to be done anywhere, with a duration that is modelled, not measured.

use robot::interface::Footstep;

use crate::check::{StepProblem, check_plan};
use crate::problem::{Planner, Problem};

/// Steps to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Planning {
    pub problem: Problem,
    pub planner: Planner,
    /// A search gives the best plan it has by then.
    pub limit_s: f64,
}

pub struct Planned {
    /// None at all if the feet are there already.
    pub steps: Result<Vec<Footstep>, String>,
    pub modelled_s: f64,
}

/// How much a planner had to look at. Counted, so that the same problem always counts the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Places the search went on from.
    pub expansions: usize,
    /// Places looked at for a way around obstacles.
    pub places: usize,
}

/// What these take on the machine of the benchmarks, with room for a slower one.
const LEVEL_EXPANSION_S: f64 = 0.2e-3;
/// Soles are laid onto the ground, each with its samples.
const UNEVEN_EXPANSION_S: f64 = 1e-3;
const PLACE_S: f64 = 2e-6;
/// Everything else: reading the ground, judging the steps.
const REST_S: f64 = 0.005;

impl Planning {
    /// Too long for a tick: it searches, or lays many soles onto the ground.
    pub fn is_long(&self) -> bool {
        self.planner == Planner::AStar || !self.is_level() || !self.problem.obstacles.is_empty()
    }

    fn is_level(&self) -> bool {
        self.problem.terrain.as_ref().is_none_or(|terrain| terrain.is_floor())
    }

    pub fn run(&self, stop: &dyn Fn() -> bool) -> Planned {
        let mut problem = self.problem.clone();
        // A clock would end the search elsewhere each time; a count ends it in the same place.
        let expansion_s = if self.is_level() { LEVEL_EXPANSION_S } else { UNEVEN_EXPANSION_S };
        let most = (self.limit_s.max(0.0) / expansion_s) as usize;
        problem.parameters.search.max_expansions = problem.parameters.search.max_expansions.min(most);
        let (found, work) = crate::plan_counted(&problem, self.planner, stop);
        let found = found.map_err(|failure| format!("no steps lead there: {failure}"));
        let steps = found.and_then(|plan| judged(&check_plan(&problem, &plan.steps)).map(|()| plan.steps));
        let modelled_s = REST_S + work.expansions as f64 * expansion_s + work.places as f64 * PLACE_S;
        Planned { steps, modelled_s }
    }
}

/// Err: the first few of what is wrong, for a step that is wrong often makes those after it wrong.
pub fn judged(problems: &[StepProblem]) -> Result<(), String> {
    const TOLD: usize = 3;
    if problems.is_empty() {
        return Ok(());
    }
    let mut told: Vec<String> = problems.iter().take(TOLD).map(ToString::to_string).collect();
    if problems.len() > TOLD {
        told.push(format!("and {} more", problems.len() - TOLD));
    }
    Err(told.join("; "))
}
