//! Feet that follow a way: each step lands as far along it as the robot can reach.

use robot::Side;

use super::path::Path;
use crate::plan::Reason;
use crate::planar::Planar;
use crate::reach::{Sole, outward};
use crate::setup::{Setup, Step};
use crate::terrain::Foothold;

pub(super) struct Follower<'a, 'b> {
    pub setup: &'a Setup<'b>,
    pub path: &'a Path,
    /// Left, right, in the end.
    pub goal: [Foothold; 2],
    pub square_up: bool,
    /// Feet keep the heading of the way: where it is tight, the body must not turn late.
    pub rigid: bool,
    /// Gives up at this many: another way is better.
    pub max_steps: usize,
}

/// Where it went wrong.
#[derive(Debug)]
pub(super) struct Stuck {
    pub at: Planar,
    pub reason: Reason,
}

struct State {
    feet: [Sole; 2],
    s_m: f64,
    steps: Vec<Step>,
    /// How far the last step got.
    stride_m: f64,
    /// Steps in a row that did not get farther.
    idle: usize,
}

const MARCH_M: f64 = 0.06;
const FINE_M: f64 = 0.008;

impl Follower<'_, '_> {
    pub fn walk(&self, feet: [Sole; 2], first: Side) -> Result<Vec<Step>, Stuck> {
        let mut state = State { feet, s_m: 0.0, steps: Vec::with_capacity(16), stride_m: 0.0, idle: 0 };
        let mut side = first;
        while !self.is_done(&state) {
            if self.finish(&mut state, side) {
                break;
            }
            if state.steps.len() + self.path.left(state.s_m).steps(&self.setup.reach.limits) > self.max_steps {
                let reason = Reason::TooManySteps(state.steps.len() + 1);
                return Err(Stuck { at: self.path.at(state.s_m), reason });
            }
            self.step(&mut state, side)?;
            side = side.other();
        }
        if state.steps.len() > self.max_steps {
            return Err(Stuck { at: self.path.end(), reason: Reason::TooManySteps(self.max_steps) });
        }
        Ok(state.steps)
    }

    fn is_done(&self, state: &State) -> bool {
        let there = Side::BOTH.map(|side| self.is_there(side, &state.feet[side.index()]));
        there[0] && there[1]
    }

    fn is_there(&self, side: Side, sole: &Sole) -> bool {
        let goal = &self.goal[side.index()].sole.at;
        goal.distance_m(&sole.at) < 1e-6 && goal.turn_rad(&sole.at).abs() < 1e-6
    }

    /// Both feet straight onto the goal, or one where that is enough.
    fn finish(&self, state: &mut State, side: Side) -> bool {
        if state.s_m + 1e-9 < self.path.last_corner_m() {
            return false;
        }
        let other = side.other();
        let [from, stance] = [side, other].map(|side| state.feet[side.index()]);
        let [first, second] = [side, other].map(|side| self.goal[side.index()]);
        if !self.fits(side, &stance, &first.sole, &from) {
            return false;
        }
        let one_is_enough = !self.square_up || self.is_there(other, &stance);
        if !one_is_enough && !self.fits(other, &first.sole, &second.sole, &stance) {
            return false;
        }
        state.steps.push((side, first));
        if !one_is_enough {
            state.steps.push((other, second));
        }
        true
    }

    fn step(&self, state: &mut State, side: Side) -> Result<(), Stuck> {
        let (landing, s_m) = match self.furthest(state, side) {
            Ok(found) => found,
            Err(why) => match self.beside(state, side) {
                Some(landing) if state.idle < 2 => (landing, state.s_m),
                _ => return Err(self.stuck(state, side, why)),
            },
        };
        let turned_rad = (landing.sole.at.yaw_rad - state.feet[side.index()].at.yaw_rad).abs();
        let progress_m = (s_m - state.s_m).max(turned_rad);
        state.idle = if progress_m < FINE_M { state.idle + 1 } else { 0 };
        if state.idle > 3 {
            let why = self.furthest_problem(state, side);
            return Err(self.stuck(state, side, why));
        }
        state.stride_m = s_m - state.s_m;
        state.s_m = s_m;
        state.feet[side.index()] = landing.sole;
        state.steps.push((side, landing));
        Ok(())
    }

    fn stuck(&self, state: &State, side: Side, why: String) -> Stuck {
        Stuck { at: self.path.at(state.s_m), reason: Reason::Stuck { steps: state.steps.len(), side, why } }
    }

    /// What forbids to go on.
    fn furthest_problem(&self, state: &State, side: Side) -> String {
        let [from, stance] = [side, side.other()].map(|side| state.feet[side.index()]);
        match self.landing(state.s_m + MARCH_M, side, &stance) {
            Err(why) => why,
            Ok(landing) => {
                self.problem(side, &stance, &landing.sole, &from).unwrap_or_else(|| "the goal is not in reach".into())
            }
        }
    }

    /// The foot turns with the way as far as it can beside the other; the rest is left to the next step.
    fn landing(&self, s_m: f64, side: Side, stance: &Sole) -> Result<Foothold, String> {
        let hips = self.path.at(s_m);
        let yaw_rad = self.setup.reach.nearest_heading_rad(side, &stance.at, hips.yaw_rad);
        let hips = if self.rigid || yaw_rad == hips.yaw_rad { hips } else { Planar::new(hips.x_m, hips.y_m, yaw_rad) };
        let at = hips.beside(outward(side) * self.setup.reach.limits.stance_width_m / 2.0);
        self.setup.view.foothold(&at).map_err(|problem| problem.to_string())
    }

    fn problem(&self, side: Side, stance: &Sole, landing: &Sole, from: &Sole) -> Option<String> {
        if let Err(why) = self.setup.reach.check(side, stance, landing, from) {
            return Some(why.to_string());
        }
        self.setup.view.step_hit(stance, landing, from).map(|hit| format!("it would touch {hit}"))
    }

    fn try_at(&self, state: &State, side: Side, s_m: f64) -> Option<Foothold> {
        let [from, stance] = [side, side.other()].map(|side| state.feet[side.index()]);
        let landing = self.landing(s_m, side, &stance).ok()?;
        self.fits(side, &stance, &landing.sole, &from).then_some(landing)
    }

    /// As [`Follower::problem`], without the words.
    fn fits(&self, side: Side, stance: &Sole, landing: &Sole, from: &Sole) -> bool {
        self.setup.reach.allows(side, stance, landing, from)
            && self.setup.view.step_hit(stance, landing, from).is_none()
    }

    fn furthest(&self, state: &State, side: Side) -> Result<(Foothold, f64), String> {
        let end_m = self.horizon_m(state.s_m);
        let (mut best, mut stride_m) = match self.as_before(state, side, end_m) {
            Some(found) => (found, 2.0 * FINE_M),
            None => {
                let found = self.first_in_reach(state, side, end_m);
                let found = found.ok_or_else(|| self.furthest_problem(state, side))?;
                (found, self.setup.reach.limits.max_forward_m)
            }
        };
        let mut blocked_m = None;
        // Longer and longer leaps as they land, then halves.
        while stride_m > FINE_M && best.1 < end_m {
            let s_m = (best.1 + stride_m).min(end_m);
            match self.try_at(state, side, s_m) {
                Some(farther) => best = (farther, s_m),
                None => blocked_m = Some(s_m),
            }
            stride_m = blocked_m.map_or(stride_m * 2.0, |blocked_m| (blocked_m - best.1) / 2.0);
        }
        Ok(best)
    }

    /// Most steps are as long as the one before.
    fn as_before(&self, state: &State, side: Side, end_m: f64) -> Option<(Foothold, f64)> {
        let s_m = state.s_m + state.stride_m;
        let landing = (state.stride_m > FINE_M && s_m < end_m).then(|| self.try_at(state, side, s_m))?;
        landing.map(|landing| (landing, s_m))
    }

    /// Where the feet do not stand square, the nearest places may be out of reach and some beyond them not.
    fn first_in_reach(&self, state: &State, side: Side, end_m: f64) -> Option<(Foothold, f64)> {
        let mut s_m = state.s_m;
        loop {
            if let Some(landing) = self.try_at(state, side, s_m) {
                return Some((landing, s_m));
            }
            if s_m >= end_m || s_m > state.s_m + 1.0 {
                return None;
            }
            s_m = (s_m + MARCH_M).min(end_m);
        }
    }

    /// A step must not skip a waypoint: the hips pass it near enough, or stop there.
    fn horizon_m(&self, from_m: f64) -> f64 {
        let end_m = self.path.length_m();
        let Some((s_m, waypoint)) = self.path.passed_between(from_m, end_m) else { return end_m };
        let tolerance = &self.setup.parameters.waypoint;
        let near = |hips: &Planar| {
            hips.distance_m(&waypoint) < tolerance.distance_m / 2.0
                && hips.turn_rad(&waypoint).abs() < tolerance.yaw_deg.to_radians() / 2.0
        };
        if near(&self.path.at(from_m)) { end_m } else { s_m }
    }

    /// Square beside the foot it stands on: from any odd stance this goes on.
    fn beside(&self, state: &State, side: Side) -> Option<Foothold> {
        let [from, stance] = [side, side.other()].map(|side| state.feet[side.index()]);
        let at = stance.at.beside(outward(side) * self.setup.reach.limits.stance_width_m);
        let landing = self.setup.view.foothold(&at).ok()?;
        self.problem(side, &stance, &landing.sole, &from).is_none().then_some(landing)
    }
}
