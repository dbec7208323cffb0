//! From what a walk is told to footsteps.

use engine::{Body, Cannot};
use footsteps::{
    Goal, GoingThrough, Legs, Parameters, Planar, Planner, Planning, Problem, Revised, StepFault, Waypoint, check_plan,
    judged, revalidate,
};
use geometry::Pose;
use robot::interface::Footstep;
use robot::{BodyFrame, Side};
use serde::{Deserialize, Serialize};

use super::goal::{Judged, PoseMiss, PoseTolerance, pose_reached};
use crate::why_not::WhyNot;

/// Where both soles are to be, left and right, in a step's state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Soles {
    #[serde(with = "geometry::exact")]
    pub world_from_left: Pose,
    #[serde(with = "geometry::exact")]
    pub world_from_right: Pose,
}

impl Soles {
    pub fn now(body: &Body) -> Soles {
        let [world_from_left, world_from_right] = Side::BOTH.map(|side| body.poses().world_from(BodyFrame::Sole(side)));
        Soles { world_from_left, world_from_right }
    }

    /// Where they are after some steps.
    #[must_use]
    pub fn after(mut self, steps: &[Footstep]) -> Soles {
        for step in steps {
            match step.side {
                Side::Left => self.world_from_left = step.world_from_sole,
                Side::Right => self.world_from_right = step.world_from_sole,
            }
        }
        self
    }

    pub fn reached(&self, body: &Body, tolerance: PoseTolerance) -> Result<(), Cannot> {
        let now = Soles::now(body);
        let feet = [
            (Judged::Foot(Side::Left), now.world_from_left, self.world_from_left),
            (Judged::Foot(Side::Right), now.world_from_right, self.world_from_right),
        ];
        let off = feet.map(|(what, now, goal)| pose_reached(what, &now, &goal, tolerance).err());
        let misses: Vec<PoseMiss> = off.into_iter().flatten().collect();
        if misses.is_empty() { Ok(()) } else { Err(WhyNot::Missed { misses }.into()) }
    }

    pub fn both(&self) -> [Pose; 2] {
        [self.world_from_left, self.world_from_right]
    }
}

/// Where a walk shall end, in the world.
pub struct Stance {
    pub world_from_stance: Pose,
    pub world_from_focal: Pose,
    /// Of the feet, left and right, seen from between them; none: as wide as the robot stands.
    pub middle_from_soles: [Option<Pose>; 2],
    pub square_up: bool,
}

/// Level, at the stance, facing the focal point.
fn middle(stance: &Pose, focal: &Pose, z_m: f64) -> Pose {
    let (at, ahead) = (stance.translation_m(), focal.translation_m() - stance.translation_m());
    Planar::new(at.x, at.y, libm::atan2(ahead.y, ahead.x)).level(z_m)
}

impl Stance {
    fn goal(&self, stance_width_m: f64, z_m: f64) -> Goal {
        let [stance, focal] = [&self.world_from_stance, &self.world_from_focal].map(|pose| pose.translation_m());
        if self.middle_from_soles == [None, None] {
            let (stance_m, focal_m) = ([stance.x, stance.y], [focal.x, focal.y]);
            return Goal::Stance { stance_m, focal_m, square_up: self.square_up };
        }
        let world_from_middle = middle(&self.world_from_stance, &self.world_from_focal, z_m);
        let usual_m = [0.5, -0.5].map(|share| share * stance_width_m);
        let [left, right] = [0, 1].map(|side| {
            let usual = Pose::from_translation(0.0, usual_m[side], 0.0);
            world_from_middle * self.middle_from_soles[side].unwrap_or(usual)
        });
        Goal::Feet { left, right }
    }
}

/// What a planner is told beside where the walk ends.
pub struct Wishes {
    pub planner: Planner,
    pub first: footsteps::First,
    pub waypoints: Vec<Waypoint>,
    pub swing_s: f64,
    pub transfer_s: f64,
    pub parameters: Parameters,
    /// None: as the parameters say, or what the robot does with ease.
    pub step_length_m: Option<f64>,
    /// How long a search may take.
    pub planning_s: f64,
}

/// Of the longest, widest and most turned step a robot can take: at several of its limits at once the legs do not reach.
const EASE: f64 = 0.75;
const SIDE_EASE: f64 = 0.6;
const TURN_EASE: f64 = 0.6;

/// Steps to be found from where the feet are now.
pub fn planning(body: &Body, stance: &Stance, wishes: Wishes) -> Planning {
    let limits = &body.robot().walking;
    let z_m = body.poses().world_from(BodyFrame::Walking).translation_m().z;
    let goal = stance.goal(limits.stance_width_m, z_m);
    let ease_m = EASE * limits.max_forward_m;
    let mut problem = problem(body, goal, wishes.parameters);
    problem.limits.max_width_m = limits.stance_width_m + SIDE_EASE * (limits.max_width_m - limits.stance_width_m);
    problem.limits.max_turn_out_deg = TURN_EASE * limits.max_turn_out_deg;
    problem.waypoints = wishes.waypoints;
    problem.first = wishes.first;
    (problem.swing_s, problem.transfer_s) = (Some(wishes.swing_s), Some(wishes.transfer_s));
    let length_m = wishes.step_length_m.or(problem.parameters.max_step_length_m);
    problem.parameters.max_step_length_m = Some(length_m.unwrap_or(ease_m));
    let state = body.state();
    let legs = Legs {
        robot: body.robot().clone(),
        positions: state.positions.clone(),
        world_from_base: state.world_from_base,
        must_balance: state.walking.must_balance,
        standing: state.walking.standing.clone(),
    };
    Planning { problem, planner: wishes.planner, limit_s: wishes.planning_s, legs }
}

/// From where the feet are now, on the ground as the body knows it.
fn problem(body: &Body, goal: Goal, parameters: Parameters) -> Problem {
    let mut problem = Problem::new(body.robot().walking.clone(), Soles::now(body).both(), goal);
    problem.terrain = body.ground().terrain.clone();
    problem.obstacles = body.ground().obstacles.clone();
    problem.parameters = parameters;
    problem
}

/// More of them, and steps up or down, take longer to be gone through than a control step has time for.
const SOON_GONE_THROUGH: usize = 12;
const LEVEL_M: f64 = 0.01;

/// None: the robot goes through them within a control step, when they are commanded.
pub fn going_through(body: &Body, steps: &[Footstep]) -> Option<GoingThrough> {
    let standing = &body.state().walking.standing;
    let heights_m = Soles::now(body).both().into_iter().chain(steps.iter().map(|step| step.world_from_sole));
    let (lowest_m, highest_m) = heights_m
        .map(|sole| sole.translation_m().z)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(lowest, highest), z_m| (lowest.min(z_m), highest.max(z_m)));
    let is_long = steps.len() > SOON_GONE_THROUGH || highest_m - lowest_m > LEVEL_M;
    (is_long && standing.is_known()).then(|| GoingThrough { standing: standing.clone(), steps: steps.to_vec() })
}

/// Steps that are given one by one, laid onto the ground where it is known. Err: they cannot be done.
pub fn given(body: &Body, steps: Vec<Footstep>, parameters: Parameters) -> Result<Vec<Footstep>, Cannot> {
    let Soles { world_from_left: left, world_from_right: right } = Soles::now(body).after(&steps);
    let problem = problem(body, Goal::Feet { left, right }, parameters);
    if problem.terrain.is_some() {
        let Revised { steps, problems } = revalidate(&problem, &steps);
        return judged(&problems).map(|()| steps).map_err(Cannot::told);
    }
    let mut problems = check_plan(&problem, &steps);
    // Whoever wrote the steps knows the ground; nobody else does.
    problems.retain(|it| !matches!(it.fault, StepFault::OffGround { .. } | StepFault::Tilted { .. }));
    judged(&problems).map(|()| steps).map_err(Cannot::told)
}
