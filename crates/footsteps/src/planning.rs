//! Planning as a job: all it needs in one value, to be done anywhere, with a duration that is modelled, not measured.
//! No planner is quick enough for a tick: where the legs cannot do a plan, they go through several.

use std::sync::Arc;

use geometry::Pose;
use robot::Robot;
use robot::control::Standing;
use robot::interface::Footstep;

use crate::check::{StepProblem, check_plan};
use crate::problem::{Planner, Problem};

/// Steps to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Planning {
    pub problem: Problem,
    pub planner: Planner,
    /// Each search gives the best plan it has by then.
    pub limit_s: f64,
    /// Whose legs go through the steps, without moving, before they count as found.
    pub legs: Legs,
}

/// A robot as it stands before its first step.
#[derive(Clone, Debug)]
pub struct Legs {
    pub robot: Arc<Robot>,
    pub positions: Vec<f64>,
    pub world_from_base: Pose,
    /// The robot refuses steps that it cannot take in balance: smaller ones are found that it can.
    pub must_balance: bool,
    /// Where its controller can be told of a walk that was gone through.
    pub standing: Standing,
}

impl PartialEq for Legs {
    fn eq(&self, other: &Legs) -> bool {
        let of = |legs: &Legs| (legs.positions.clone(), legs.world_from_base, legs.must_balance);
        Arc::ptr_eq(&self.robot, &other.robot) && of(self) == of(other)
    }
}

impl Legs {
    fn rehearse(&self, steps: &[Footstep]) -> Result<(), String> {
        if steps.is_empty() {
            return Ok(());
        }
        let Legs { robot, positions, world_from_base, must_balance, .. } = self;
        robot::control::rehearse(robot, positions, world_from_base, steps, *must_balance)
    }
}

/// Steps that are known, to be gone through by the legs that will walk them.
#[derive(Clone, Debug, PartialEq)]
pub struct GoingThrough {
    pub standing: Standing,
    pub steps: Vec<Footstep>,
}

impl GoingThrough {
    /// The steps as they are: where they cannot be done, the robot says so when they are commanded.
    pub fn run(&self) -> Planned {
        self.standing.go_through(&self.steps);
        Planned { steps: Ok(self.steps.clone()), modelled_s: REST_S + self.steps.len() as f64 * REHEARSED_S }
    }
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
/// Each step that the legs go through.
const REHEARSED_S: f64 = 0.5e-3;

/// Where the legs cannot do a plan, it is planned again with steps smaller by this.
const SMALLER: [f64; 4] = [1.0, 0.85, 0.7, 0.5];

impl Planning {
    fn is_level(&self) -> bool {
        self.problem.terrain.as_ref().is_none_or(|terrain| terrain.is_floor())
    }

    /// Steps that the planner finds, that keep to the rules and that the legs can do.
    pub fn run(&self, stop: &dyn Fn() -> bool) -> Planned {
        let mut modelled_s = REST_S;
        let mut first_refusal = None;
        for smaller in SMALLER {
            let steps = match self.attempt(smaller, &mut modelled_s, stop) {
                Ok(steps) => steps,
                // With smaller steps there may be none, where larger ones are there but cannot be done.
                Err(none) => return Planned { steps: Err(first_refusal.unwrap_or(none)), modelled_s },
            };
            modelled_s += steps.len() as f64 * REHEARSED_S;
            match self.legs.rehearse(&steps) {
                Ok(()) => {
                    self.legs.standing.go_through(&steps);
                    return Planned { steps: Ok(steps), modelled_s };
                }
                Err(reason) => first_refusal = first_refusal.or(Some(reason)),
            }
        }
        Planned { steps: Err(first_refusal.unwrap_or_default()), modelled_s }
    }

    fn attempt(&self, smaller: f64, modelled_s: &mut f64, stop: &dyn Fn() -> bool) -> Result<Vec<Footstep>, String> {
        let mut problem = self.problem.clone();
        let limits = &mut problem.limits;
        limits.max_width_m = limits.stance_width_m + smaller * (limits.max_width_m - limits.stance_width_m);
        limits.max_turn_out_deg *= smaller;
        // Of what the robot can: a share of a wish beyond that would be no smaller.
        let longest_m = limits.max_forward_m;
        problem.parameters.max_step_length_m =
            Some(smaller * problem.parameters.max_step_length_m.unwrap_or(longest_m).min(longest_m));
        // A clock would end the search elsewhere each time; a count ends it in the same place.
        let expansion_s = if self.is_level() { LEVEL_EXPANSION_S } else { UNEVEN_EXPANSION_S };
        let most = (self.limit_s.max(0.0) / expansion_s) as usize;
        problem.parameters.search.max_expansions = problem.parameters.search.max_expansions.min(most);
        let (found, work) = crate::plan_counted(&problem, self.planner, stop);
        *modelled_s += work.expansions as f64 * expansion_s + work.places as f64 * PLACE_S;
        let plan = found.map_err(|failure| format!("no steps lead there: {failure}"))?;
        judged(&check_plan(&problem, &plan.steps))?;
        Ok(plan.steps)
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
