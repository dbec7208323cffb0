//! What a planner answers.

use robot::Side;
use robot::interface::Footstep;
use serde::Serialize;

use crate::planar::Planar;
use crate::reach::Unreachable;
use crate::terrain::FootholdProblem;

#[derive(Clone, Debug)]
pub struct Plan {
    pub steps: Vec<Footstep>,
    /// What the search asked of its steps; the number of steps for planners that do not search.
    pub cost: f64,
    pub search: SearchReport,
    /// Where the hips were led, if something was walked around.
    pub way: Vec<Planar>,
    /// How far from where it should stand each foot ends, left and right: there it had no foothold.
    pub goal_moved_m: [f64; 2],
}

/// How a search went. Counted, not timed: the same on every machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SearchReport {
    pub expansions: usize,
    /// Each better than the one before.
    pub improvements: Vec<Improvement>,
    /// It came to its end at weight 1. What is left to find on this lattice is little: the estimate is nearly, but not
    /// strictly, below the true cost.
    pub finished: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Improvement {
    pub expansions: usize,
    pub weight: f64,
    pub cost: f64,
    pub steps: usize,
}

/// Why there is no plan, and where it went wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanFailure {
    pub reason: Reason,
    pub at_m: Option<[f64; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayEnd {
    Start,
    Goal,
}

impl WayEnd {
    fn word(self) -> &'static str {
        match self {
            WayEnd::Start => "start",
            WayEnd::Goal => "goal",
        }
    }
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Reason {
    #[error("{0}")]
    BadProblem(String),
    #[error("the {} foot cannot stand at the goal: {problem}", .side.word())]
    GoalFoothold { side: Side, problem: FootholdProblem },
    #[error("the feet of the goal do not fit each other: {0}")]
    GoalFeet(Unreachable),
    #[error("the {} foot at the goal is in {hit}", .side.word())]
    GoalFootInObstacle { side: Side, hit: String },
    #[error("the body touches {hit} at the {}", .end.word())]
    BodyInObstacle { hit: String, end: WayEnd },
    #[error("no way around {0} is wide enough")]
    NoWay(String),
    #[error("after {steps} steps the {} foot finds no place: {why}", .side.word())]
    Stuck { steps: usize, side: Side, why: String },
    #[error("{0} steps do not reach the goal")]
    TooManySteps(usize),
    #[error("every way ends {short_m:.2} m before the goal; there most steps are not possible because: {why}")]
    Unreachable { short_m: f64, why: String },
    #[error(
        "the search was stopped after {expansions} expansions, {short_m:.2} m before the goal; there most steps are not possible because: {why}"
    )]
    Stopped { expansions: usize, short_m: f64, why: String },
}

impl PlanFailure {
    pub(crate) fn new(reason: Reason, at: Option<&Planar>) -> PlanFailure {
        PlanFailure { reason, at_m: at.map(|at| [at.x_m, at.y_m]) }
    }
}

impl std::fmt::Display for PlanFailure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.reason.fmt(formatter)?;
        match self.at_m {
            Some([x, y]) => write!(formatter, " (near x {x:.2} m, y {y:.2} m)"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for PlanFailure {}
