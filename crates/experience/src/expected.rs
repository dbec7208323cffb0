use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::batch::{Limit, State};
use crate::gathered::{Bin, Experience, Known};

/// How far ahead the expected time looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Horizon {
    /// To the end of the task, with changes of strategy on the way.
    #[default]
    Task,
    /// One attempt.
    Attempt,
}

/// How an attempt goes where nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nominal {
    /// One attempt, all of it.
    pub attempt_s: f64,
    /// What of that does not move the state.
    pub overhead_s: f64,
    /// How far one attempt takes the state; none: that is no number.
    pub stroke: Option<f64>,
}

/// One of the ways to do a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    pub name: Arc<str>,
    pub limits: Vec<Limit>,
    pub nominal: Nominal,
    /// The share of its whole speed with which it would be run now.
    pub pace: f64,
}

/// When the task is expected to be done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    pub s: f64,
    /// False: with no strategy that is known to be safe there; the time is then until where it must end.
    pub gets_there: bool,
}

/// Where nothing gets there, what gets further is not preferred to what does.
const NOT_THERE_S: f64 = 1e4;
/// So many changes of strategy are looked ahead, and so many strokes with each.
const CHANGES: u32 = 3;
const STROKES: u32 = 40;

/// One question about expected times: what was answered on the way is kept.
pub(crate) struct Ahead<'a> {
    pub strategies: &'a [Strategy],
    pub experience: &'a Experience,
    pub goal: Option<f64>,
    pub horizon: Horizon,
    known: Vec<Option<&'a Known>>,
    answered: Vec<(usize, u64, u32, Expected)>,
}

impl<'a> Ahead<'a> {
    pub fn new(
        strategies: &'a [Strategy],
        experience: &'a Experience,
        goal: Option<f64>,
        horizon: Horizon,
    ) -> Ahead<'a> {
        let known = strategies.iter().map(|strategy| experience.known(&strategy.name)).collect();
        Ahead { strategies, experience, goal, horizon, known, answered: Vec::new() }
    }

    /// From a state on, beginning with a strategy.
    pub fn expected(&mut self, strategy: usize, state: &State) -> Expected {
        let goal = self.goal.filter(|_| self.horizon == Horizon::Task && !self.experience.is_empty());
        let have_strokes = self.strategies.iter().all(|each| each.nominal.stroke.is_some_and(|stroke| stroke > 0.0));
        match (state.number(), goal) {
            (Some(from), Some(goal)) if have_strokes => self.up_to_goal(strategy, from, goal, 0),
            (from, _) => Expected { s: self.one_attempt(strategy, from), gets_there: true },
        }
    }

    fn one_attempt(&self, index: usize, from: Option<f64>) -> f64 {
        let (strategy, known) = (&self.strategies[index], self.known[index]);
        let nominal = &strategy.nominal;
        let moving_s = (nominal.attempt_s - nominal.overhead_s).max(0.0);
        let Some(known) = known else { return nominal.overhead_s + moving_s / strategy.pace };
        let recorded_s = match (nominal.stroke, known.s_a_unit(), from, self.goal) {
            (Some(stroke), Some(s_a_unit), Some(from), Some(goal)) => Some(s_a_unit * stroke.min((goal - from).abs())),
            (Some(stroke), Some(s_a_unit), ..) => Some(s_a_unit * stroke),
            _ => known.manipulate_s(),
        };
        known.overhead_s().unwrap_or(nominal.overhead_s) + recorded_s.unwrap_or(moving_s) / strategy.pace
    }

    /// Until where it leaves what is safe, then with whichever other strategy is expected to be done first.
    fn up_to_goal(&mut self, index: usize, from: f64, goal: f64, changes: u32) -> Expected {
        let key = (index, from.to_bits(), changes);
        if let Some(known) = self.answered.iter().find(|known| (known.0, known.1, known.2) == key) {
            return known.3;
        }
        let (s, at, is_there) = self.strokes(index, from, goal);
        let expected = if is_there {
            Expected { s, gets_there: true }
        } else {
            let others = (0..self.strategies.len()).filter(|other| *other != index && changes <= CHANGES);
            let rest: Vec<Expected> = others.map(|other| self.up_to_goal(other, at, goal, changes + 1)).collect();
            let best = rest.into_iter().reduce(|best, next| if next.s < best.s { next } else { best });
            let rest = best.unwrap_or(Expected { s: NOT_THERE_S, gets_there: false });
            Expected { s: s + rest.s, ..rest }
        };
        self.answered.push((key.0, key.1, key.2, expected));
        expected
    }

    /// As far as it is safe: for how long, to where, and whether that is the goal.
    fn strokes(&self, index: usize, from: f64, goal: f64) -> (f64, f64, bool) {
        let (strategy, known) = (&self.strategies[index], self.known[index]);
        let grid = self.experience.grid();
        let nominal = &strategy.nominal;
        let stroke = nominal.stroke.unwrap_or_default();
        let overhead_s = known.and_then(Known::overhead_s).unwrap_or(nominal.overhead_s);
        let nominal_s_a_unit = (nominal.attempt_s - nominal.overhead_s).max(0.0) / stroke;
        let s_a_unit = known.and_then(Known::s_a_unit).unwrap_or(nominal_s_a_unit) / strategy.pace;
        let is_safe = |state: f64| {
            known.is_none_or(|known| known.exceeded(&Bin::At(grid.bin_of(state)), &strategy.limits).is_none())
        };
        let (mut at, mut s) = (from, 0.0);
        let towards = if goal < from { -1.0 } else { 1.0 };
        for _ in 0..STROKES {
            if !is_safe(at) {
                break;
            }
            let wanted = stroke.min((goal - at).abs());
            let parts = ((wanted / grid.bin) as u32).max(1);
            let part = |number: u32| wanted * f64::from(number) / f64::from(parts);
            let done = (1..=parts).take_while(|number| is_safe(at + towards * part(*number))).last().unwrap_or(0);
            let moved = part(done);
            s += overhead_s + s_a_unit * moved;
            at += towards * moved;
            if done == parts && (goal - at).abs() < 1e-6 {
                return (s, at, true);
            }
            if done < parts {
                break;
            }
        }
        (s, at, false)
    }
}

/// The largest share of the whole speed that loads allow, each with how much it slows: never below the lowest.
pub fn slowed(lowest: f64, whole: f64, loads: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let taken: f64 = loads.into_iter().map(|(slows, load)| slows * load.abs()).sum();
    lowest.max(whole - taken)
}
