//! The quick planner: no search over steps. It draws a handful of ways for the hips, lets the feet follow each with
//! steps as long as the robot can take, and keeps the one with the fewest.

mod follow;
pub(crate) mod path;

use robot::Side;

use crate::around::way_around;
use crate::plan::{Plan, PlanFailure, Reason, SearchReport};
use crate::planar::{Planar, wrap_rad};
use crate::problem::stance_feet;
use crate::reach::Sole;
use crate::setup::{Setup, Step};
use follow::{Follower, Stuck};
use path::{Path, Style, TURNS_M_RAD};

/// The best so far, and why the last one that failed did.
struct Best {
    steps: Option<Vec<Step>>,
    effort: f64,
    way: Vec<Planar>,
    stuck: Option<Stuck>,
}

pub(crate) fn plan(setup: &Setup) -> Result<Plan, PlanFailure> {
    if stands_there(setup) {
        return Ok(answer(setup, &[], Vec::new()));
    }
    let mut best = Best { steps: None, effort: f64::INFINITY, way: Vec::new(), stuck: None };
    for (least, path) in straight_ways(setup) {
        // Those behind it ask for as many, or turn more.
        if best.steps.as_ref().is_some_and(|steps| least >= steps.len()) {
            break;
        }
        best.try_way(setup, &path, false);
    }
    if best.steps.is_none() && !setup.view.obstacles.is_empty() {
        let path = around(setup)?;
        best.try_way(setup, &path, false);
        best.try_way(setup, &path, true);
        best.way = path.places();
    }
    let Best { steps, way, stuck, .. } = best;
    match (steps, stuck) {
        (Some(steps), _) => Ok(answer(setup, &steps, way)),
        (None, Some(stuck)) => Err(setup.failure(stuck.reason, Some(&stuck.at))),
        (None, None) => Err(setup.failure(Reason::TooManySteps(setup.parameters.max_steps), None)),
    }
}

fn answer(setup: &Setup, steps: &[Step], way: Vec<Planar>) -> Plan {
    let way = way.iter().map(|hips| setup.view.world(hips)).collect();
    Plan {
        steps: setup.footsteps(steps),
        cost: steps.len() as f64,
        search: SearchReport::default(),
        way,
        goal_moved_m: [0.0; 2],
    }
}

pub(crate) fn stands_there(setup: &Setup) -> bool {
    setup.waypoints.is_empty() && Side::BOTH.iter().all(|side| setup.is_at_goal(*side, &setup.start[side.index()].at))
}

impl Best {
    fn try_way(&mut self, setup: &Setup, path: &Path, rigid: bool) {
        // A way that is tried later must be shorter; which foot begins on one way, the smaller effort says.
        let shorter = self.steps.as_ref().map_or(setup.parameters.max_steps, |steps| steps.len() - 1);
        for side in Side::BOTH.into_iter().filter(|side| setup.first.is_none_or(|first| first == *side)) {
            let max_steps = self.steps.as_ref().map_or(shorter, |steps| steps.len().min(shorter));
            let (goal, square_up) = (setup.goal, setup.square_up);
            let follower = Follower { setup, path, goal, square_up, rigid, max_steps };
            match follower.walk(setup.start, side) {
                Ok(steps) => self.offer(setup, steps),
                Err(stuck) => self.stuck = Some(stuck),
            }
        }
    }

    /// Fewer steps; among as many, less way for the feet.
    fn offer(&mut self, setup: &Setup, steps: Vec<Step>) {
        let effort = effort(setup.start, &steps);
        let count = self.steps.as_ref().map_or(usize::MAX, Vec::len);
        if steps.len() < count || (steps.len() == count && effort < self.effort - 1e-9) {
            self.steps = Some(steps);
            self.effort = effort;
        }
    }
}

/// Way of the feet; 45° turned count as 0.1 m.
fn effort(mut feet: [Sole; 2], steps: &[Step]) -> f64 {
    let mut sum_m = 0.0;
    for (side, foothold) in steps {
        let from = &mut feet[side.index()];
        let turn_m = from.at.turn_rad(&foothold.sole.at).abs() / std::f64::consts::FRAC_PI_4 * 0.1;
        sum_m += from.at.distance_m(&foothold.sole.at) + turn_m;
        *from = foothold.sole;
    }
    sum_m
}

/// Each with the steps it asks for at least; the likely best first.
fn straight_ways(setup: &Setup) -> Vec<(usize, Path)> {
    let limits = &setup.reach.limits;
    let mut ways = Vec::with_capacity(Style::ALL.len() * TURNS_M_RAD.len());
    let mut headings: Vec<f64> = Vec::with_capacity(Style::ALL.len());
    for style in Style::ALL {
        let heading_rad = style.heading_rad(&setup.start_hips(), &setup.goal_hips());
        // With waypoints every leg has headings of its own.
        if setup.waypoints.is_empty() {
            if headings.iter().any(|known| wrap_rad(known - heading_rad).abs() < 0.02) {
                continue;
            }
            headings.push(heading_rad);
        }
        for turns in TURNS_M_RAD {
            let mut path = way(setup, style, turns);
            path.measure(limits);
            let left = path.left(0.0);
            // Rounded: ways as good as each other keep their order in the mirror image, too.
            let effort = libm::round((left.strides + left.turn_rad * TURNED) * 1e5) as i64;
            ways.push((left.steps(limits), effort, path));
            // Without a turn it does not matter how one is made.
            if left.turn_rad < 1e-9 {
                break;
            }
        }
    }
    ways.sort_by_key(|(least, effort, _)| (*least, *effort));
    ways.into_iter().map(|(least, _, path)| (least, path)).collect()
}

/// How many strides a radian turned is worth, where two ways ask for as many steps.
const TURNED: f64 = 0.3;

fn way(setup: &Setup, style: Style, turns_m_rad: [f64; 2]) -> Path {
    let mut path = Path::from(setup.start_hips());
    let goal = setup.goal_hips();
    for (index, (waypoint, has_heading)) in setup.waypoints.iter().enumerate() {
        let next = setup.waypoints.get(index + 1).map_or(goal, |(next, _)| *next);
        let from = path.end();
        let to = if *has_heading { *waypoint } else { passing(&from, waypoint, &next, style) };
        path.add_leg(&to, style.heading_rad(&from, &to), turns_m_rad);
        path.mark();
    }
    path.add_leg(&goal, style.heading_rad(&path.end(), &goal), turns_m_rad);
    path
}

/// A waypoint that does not say where to face is passed on the way from the one before to the next.
fn passing(from: &Planar, waypoint: &Planar, next: &Planar, style: Style) -> Planar {
    let mut to = *waypoint;
    to.yaw_rad = from.yaw_rad;
    let coming_rad = style.heading_rad(from, &to);
    let going_rad = match style {
        Style::Forward | Style::Backward | Style::LeftAhead | Style::RightAhead => style.heading_rad(waypoint, next),
        Style::AsBefore | Style::AsAfter | Style::Between => coming_rad,
    };
    Planar::new(to.x_m, to.y_m, coming_rad + wrap_rad(going_rad - coming_rad) / 2.0)
}

/// Hips led around what is in the way, leg by leg.
fn around(setup: &Setup) -> Result<Path, PlanFailure> {
    let mut path = Path::from(setup.start_hips());
    let mut stops: Vec<Planar> = setup.waypoints.iter().map(|(waypoint, _)| *waypoint).collect();
    stops.push(setup.goal_hips());
    for stop in stops {
        for knot in way_around(setup, &path.end(), &stop)? {
            let yaw_rad = path.end().yaw_rad + path.end().turn_rad(&knot);
            path.push(knot.x_m, knot.y_m, yaw_rad);
        }
        path.mark();
    }
    path.measure(&setup.reach.limits);
    Ok(path)
}

/// Turn toward the goal, walk straight, turn: each part ends square.
pub(crate) fn turn_walk_turn(setup: &Setup) -> Result<Plan, PlanFailure> {
    if stands_there(setup) {
        return Ok(answer(setup, &[], Vec::new()));
    }
    let mut feet = setup.start;
    let mut steps: Vec<Step> = Vec::new();
    let mut stops: Vec<Planar> = Vec::new();
    let mut at = setup.start_hips();
    let goal = setup.goal_hips();
    for to in setup.waypoints.iter().map(|(waypoint, _)| *waypoint).chain([goal]) {
        if at.distance_m(&to) > 0.05 {
            let heading_rad = Style::Forward.heading_rad(&at, &to);
            stops.push(Planar::new(at.x_m, at.y_m, heading_rad));
            stops.push(Planar::new(to.x_m, to.y_m, heading_rad));
        }
        at = to;
    }
    stops.push(goal);
    let last = stops.len() - 1;
    for (index, stop) in stops.iter().enumerate() {
        // Feet take turns, from one part to the next too.
        let sides = match (steps.last(), setup.first) {
            (Some((side, _)), _) => vec![side.other()],
            (None, Some(first)) => vec![first],
            (None, None) => Side::BOTH.to_vec(),
        };
        let part = square_part(setup, feet, (stop, index == last), &sides)
            .map_err(|stuck| setup.failure(stuck.reason, Some(&stuck.at)))?;
        for (side, foothold) in part {
            feet[side.index()] = foothold.sole;
            steps.push((side, foothold));
        }
    }
    if steps.len() > setup.parameters.max_steps {
        return Err(setup.failure(Reason::TooManySteps(setup.parameters.max_steps), Some(&goal)));
    }
    Ok(answer(setup, &steps, Vec::new()))
}

fn square_part(
    setup: &Setup,
    feet: [Sole; 2],
    (stop, is_last): (&Planar, bool),
    sides: &[Side],
) -> Result<Vec<Step>, Stuck> {
    let mut goal = setup.goal;
    if !is_last {
        for (side, at) in Side::BOTH.into_iter().zip(stance_feet(&setup.reach.limits, stop)) {
            goal[side.index()] = setup
                .view
                .foothold(&at)
                .map_err(|problem| Stuck { at, reason: Reason::Stuck { steps: 0, side, why: problem.to_string() } })?;
        }
    }
    let there = |side: Side| {
        let (one, other) = (&feet[side.index()].at, &goal[side.index()].sole.at);
        one.distance_m(other) < 1e-3 && one.turn_rad(other).abs() < 1e-3
    };
    if there(Side::Left) && there(Side::Right) {
        return Ok(Vec::new());
    }
    let mut path = Path::from(feet[0].at.middle(&feet[1].at));
    let to = goal[0].sole.at.middle(&goal[1].sole.at);
    path.add_leg(&to, to.yaw_rad, [0.0, 0.0]);
    path.measure(&setup.reach.limits);
    let mut best: Result<Vec<Step>, Stuck> = Err(Stuck { at: *stop, reason: Reason::TooManySteps(0) });
    for side in sides.iter().copied() {
        let max_steps = best.as_ref().map_or(setup.parameters.max_steps, Vec::len);
        let follower = Follower { setup, path: &path, goal, square_up: true, rigid: false, max_steps };
        match follower.walk(feet, side) {
            Ok(steps) if best.as_ref().map_or(true, |best| steps.len() < best.len()) => best = Ok(steps),
            Err(stuck) if best.is_err() => best = Err(stuck),
            _ => {}
        }
    }
    best
}
