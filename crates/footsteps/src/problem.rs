//! What is asked of a planner.

use std::sync::Arc;

use geometry::Pose;
use robot::{Side, WalkingLimits};
use serde::{Deserialize, Serialize};

use crate::obstacles::Obstacles;
use crate::parameters::Parameters;
use crate::planar::Planar;
use crate::reach::outward;
use crate::terrain::Terrain;

#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub limits: WalkingLimits,
    /// World from sole; left, right.
    pub start: [Pose; 2],
    pub goal: Goal,
    /// In this order, on the way to the goal.
    pub waypoints: Vec<Waypoint>,
    /// None: level, as high as the feet stand now.
    pub terrain: Option<Arc<Terrain>>,
    pub obstacles: Arc<Obstacles>,
    pub parameters: Parameters,
    pub first: First,
    /// None: longer for longer steps.
    pub swing_s: Option<f64>,
    pub transfer_s: Option<f64>,
}

/// Where the feet shall be in the end. How high and how tilted follows from the ground.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// Between the feet, and what they face: a far focal point turns them more precisely than a near one. Without
    /// squaring up the walk ends as soon as one foot is where it belongs.
    Stance { stance_m: [f64; 2], focal_m: [f64; 2], square_up: bool },
    /// World from sole, each as it is given: staggered if wanted.
    Feet { left: Pose, right: Pose },
}

/// To be passed, without squaring up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    pub at_m: [f64; 2],
    /// None: however the way leads through.
    pub yaw_rad: Option<f64>,
}

/// Which foot steps first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum First {
    #[default]
    Auto,
    Left,
    Right,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Planner {
    /// Geometry only: at once, on ground that is nearly flat, around obstacles if there are any.
    #[default]
    Quick,
    /// Turns, walks straight, turns: a backup whose steps are many and easy to foretell.
    TurnWalkTurn,
    /// Searches the ground for footholds, and goes on to better plans as long as it may.
    AStar,
}

impl Planner {
    pub const ALL: [Planner; 3] = [Planner::Quick, Planner::TurnWalkTurn, Planner::AStar];

    pub fn word(self) -> &'static str {
        match self {
            Planner::Quick => "quick",
            Planner::TurnWalkTurn => "turn-walk-turn",
            Planner::AStar => "a-star",
        }
    }
}

impl First {
    pub fn side(self) -> Option<Side> {
        match self {
            First::Auto => None,
            First::Left => Some(Side::Left),
            First::Right => Some(Side::Right),
        }
    }
}

impl Problem {
    /// On level ground with nothing in the way.
    pub fn new(limits: WalkingLimits, start: [Pose; 2], goal: Goal) -> Problem {
        Problem {
            limits,
            start,
            goal,
            waypoints: Vec::new(),
            terrain: None,
            obstacles: Arc::default(),
            parameters: Parameters::default(),
            first: First::Auto,
            swing_s: None,
            transfer_s: None,
        }
    }
}

impl Goal {
    /// Square, at a pose between the feet.
    pub fn at(middle: &Planar) -> Goal {
        let focal_m = middle.point(1.0, 0.0);
        Goal::Stance { stance_m: [middle.x_m, middle.y_m], focal_m, square_up: true }
    }

    /// Left, right.
    pub fn feet(&self, limits: &WalkingLimits) -> [Planar; 2] {
        match self {
            Goal::Stance { stance_m, focal_m, .. } => goal_feet(limits, *stance_m, *focal_m),
            Goal::Feet { left, right } => [Planar::of(left), Planar::of(right)],
        }
    }
}

/// Square feet about a point that face another one; a focal point on the stance faces along x.
pub fn goal_feet(limits: &WalkingLimits, stance_m: [f64; 2], focal_m: [f64; 2]) -> [Planar; 2] {
    let (x, y) = (focal_m[0] - stance_m[0], focal_m[1] - stance_m[1]);
    stance_feet(limits, &Planar::new(stance_m[0], stance_m[1], libm::atan2(y, x)))
}

/// Left, right of a square stance.
pub fn stance_feet(limits: &WalkingLimits, middle: &Planar) -> [Planar; 2] {
    Side::BOTH.map(|side| middle.beside(outward(side) * limits.stance_width_m / 2.0))
}
