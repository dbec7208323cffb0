//! How good the quick planner is on a level floor, against the simple planner and the fewest steps that could do.

use robot::WalkingLimits;

use crate::optimum::Optimum;
use crate::planar::Planar;
use crate::problem::{Goal, Planner, Problem, stance_feet};

/// One distance of goals, over all directions and headings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub distance_m: f64,
    pub goals: usize,
    pub failures: usize,
    /// Means.
    pub optimum: f64,
    pub quick: f64,
    pub turn_walk_turn: f64,
    /// How many goals the quick planner meets with this many steps more than the optimum: 0, 1, 2, more.
    pub above: [usize; 4],
    /// Goals where the simple planner needs fewer steps than the quick one.
    pub worse_than_turn_walk_turn: usize,
}

pub struct Grid {
    pub distances_m: Vec<f64>,
    pub directions: u32,
    pub headings: u32,
}

impl Default for Grid {
    fn default() -> Grid {
        let distances_m = vec![0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 2.5, 3.0];
        Grid { distances_m, directions: 16, headings: 24 }
    }
}

impl Grid {
    pub fn rows(&self, limits: &WalkingLimits, optimum: &Optimum) -> Vec<Row> {
        self.distances_m.iter().map(|distance_m| self.row(limits, optimum, *distance_m)).collect()
    }

    pub fn goals(&self, distance_m: f64) -> Vec<Planar> {
        let turn = |part: u32, parts: u32| f64::from(part) / f64::from(parts) * std::f64::consts::TAU;
        let directions = if distance_m > 0.0 { self.directions } else { 1 };
        let mut goals = Vec::new();
        for direction in 0..directions {
            let (sin, cos) = libm::sincos(turn(direction, directions));
            for heading in 0..self.headings {
                goals.push(Planar::new(distance_m * cos, distance_m * sin, turn(heading, self.headings)));
            }
        }
        goals
    }

    fn row(&self, limits: &WalkingLimits, optimum: &Optimum, distance_m: f64) -> Row {
        let start = stance_feet(limits, &Planar::new(0.0, 0.0, 0.0)).map(|foot| foot.level(0.0));
        let mut row = Row { distance_m, ..Row::default() };
        for goal in self.goals(distance_m) {
            let problem = Problem::new(limits.clone(), start, Goal::at(&goal));
            let count = |planner| crate::plan(&problem, planner, &|| false).ok().map(|plan| plan.steps.len());
            row.goals += 1;
            let (Some(quick), Some(simple)) = (count(Planner::Quick), count(Planner::TurnWalkTurn)) else {
                row.failures += 1;
                continue;
            };
            // The lattice may miss what the quick planner finds.
            let fewest = optimum.steps(&goal).map_or(quick, |steps| steps.min(quick));
            row.quick += quick as f64;
            row.turn_walk_turn += simple as f64;
            row.optimum += fewest as f64;
            row.above[(quick - fewest).min(3)] += 1;
            row.worse_than_turn_walk_turn += usize::from(quick > simple);
        }
        let solved = (row.goals - row.failures).max(1) as f64;
        row.quick /= solved;
        row.turn_walk_turn /= solved;
        row.optimum /= solved;
        row
    }
}

/// Share of goals at most two steps above the optimum.
pub fn within_two(rows: &[Row]) -> f64 {
    let goals: usize = rows.iter().map(|row| row.goals).sum();
    let near: usize = rows.iter().map(|row| row.above[0] + row.above[1] + row.above[2]).sum();
    near as f64 / goals.max(1) as f64
}

pub fn markdown(rows: &[Row]) -> String {
    let mut text = "| distance | goals | optimum | quick | turn-walk-turn | optimal | +1 | +2 | more | above turn-walk-turn |\n|---|---|---|---|---|---|---|---|---|---|\n".to_owned();
    for row in rows {
        let [same, one, two, more] = row.above;
        text += &format!(
            "| {:.1} m | {} | {:.2} | {:.2} | {:.2} | {same} | {one} | {two} | {more} | {} |\n",
            row.distance_m, row.goals, row.optimum, row.quick, row.turn_walk_turn, row.worse_than_turn_walk_turn
        );
    }
    text
}
