//! Is a whole plan possible? For plans of any origin: planned, edited, drawn by hand, or made for another terrain.

use robot::Side;
use robot::interface::Footstep;

use crate::planar::Planar;
use crate::problem::Problem;
use crate::reach::{Reach, Sole, Unreachable};
use crate::terrain::{Foothold, FootholdProblem};
use crate::view::View;

/// What is wrong with one step of a plan, counted from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct StepProblem {
    pub step: usize,
    pub side: Side,
    pub at_m: [f64; 2],
    pub fault: StepFault,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepFault {
    #[error("it cannot be reached: {0}")]
    Reach(Unreachable),
    #[error("it cannot stand there: {0}")]
    Foothold(FootholdProblem),
    #[error("it would stand {is_m:.3} m off the ground")]
    OffGround { is_m: f64 },
    #[error("its sole is tilted {is_deg:.1}° against the ground")]
    Tilted { is_deg: f64 },
    #[error("it would touch {0}")]
    Hit(String),
    #[error("its swing takes {is_s:.2} s, the robot needs {limit_s:.2} s")]
    TooFast { is_s: f64, limit_s: f64 },
    #[error("{is_s:.2} s on both feet before it, the robot needs {limit_s:.2} s to keep its balance")]
    TransferTooShort { is_s: f64, limit_s: f64 },
}

impl std::fmt::Display for StepProblem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y] = self.at_m;
        let side = self.side.word();
        write!(formatter, "step {} ({side} foot, x {x:.2} m, y {y:.2} m): {}", self.step + 1, self.fault)
    }
}

/// How far a sole may be off the ground it is said to stand on.
const OFF_GROUND_M: f64 = 0.02;
const TILTED_DEG: f64 = 5.0;

/// Everything that is wrong, step by step. The goal of the problem does not matter here.
pub fn check_plan(problem: &Problem, steps: &[Footstep]) -> Vec<StepProblem> {
    let reach = Reach::of(&problem.limits);
    let view = view_of(problem);
    let mut feet = problem.start.map(|pose| Sole::of(&pose));
    let mut problems = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let landing = Sole::of(&step.world_from_sole);
        let stance = feet[step.side.other().index()];
        let from = std::mem::replace(&mut feet[step.side.index()], landing);
        let mut add = |fault: StepFault| {
            let at_m = [landing.at.x_m, landing.at.y_m];
            problems.push(StepProblem { step: index, side: step.side, at_m, fault });
        };
        if let Err(why) = reach.check(step.side, &stance, &landing, &from) {
            add(StepFault::Reach(why));
        }
        if let Some(fault) = ground_fault(&view, step, &landing) {
            add(fault);
        }
        if let Some(hit) = view.step_hit(&stance, &landing, &from) {
            add(StepFault::Hit(hit));
        }
        let limits = &problem.limits;
        if step.swing_s < limits.min_swing_s - 1e-9 {
            add(StepFault::TooFast { is_s: step.swing_s, limit_s: limits.min_swing_s });
        }
        if step.transfer_s < limits.min_transfer_s - 1e-9 {
            add(StepFault::TransferTooShort { is_s: step.transfer_s, limit_s: limits.min_transfer_s });
        }
    }
    problems
}

fn ground_fault(view: &View, step: &Footstep, landing: &Sole) -> Option<StepFault> {
    let foothold = match view.foothold(&landing.at) {
        Ok(foothold) => foothold,
        Err(problem) => return Some(StepFault::Foothold(problem)),
    };
    let off_m = (landing.z_m - foothold.sole.z_m).abs();
    if off_m > OFF_GROUND_M {
        return Some(StepFault::OffGround { is_m: off_m });
    }
    let is_deg = foothold.pose().distance(&step.world_from_sole).angle_rad.to_degrees();
    (is_deg > TILTED_DEG).then_some(StepFault::Tilted { is_deg })
}

/// The world itself, not mirrored, with as much room at both ends of the way as there is.
pub(crate) fn view_of(problem: &Problem) -> View {
    let mut view = View::of(problem, Planar::new(0.0, 0.0, 0.0), false);
    let start = problem.start.map(|pose| Sole::of(&pose));
    let hips = start[0].at.middle(&start[1].at);
    let goal = problem.goal.feet(&problem.limits);
    let z_m = start[0].z_m.min(start[1].z_m);
    let goal_hips = goal[0].middle(&goal[1]);
    let goal_z_m = view.height_m(goal_hips.x_m, goal_hips.y_m).unwrap_or(z_m);
    // Without room at all, the steps there are told one by one.
    let _ = view.set_ends((&hips, z_m), (&goal_hips, goal_z_m));
    view
}

/// A foot on the ground at a place: its height and tilt follow.
pub fn foothold_at(problem: &Problem, at: &Planar) -> Result<Foothold, FootholdProblem> {
    view_of(problem).foothold(at)
}
