//! A needle valve as simple as can be: how the reference model has it. No noise, no failures.

use std::f64::consts::PI;
use std::sync::Arc;

use experience::{
    Batch, Estimator, Experience, FORMAT, Grid, Horizon, Limit, Nominal, Of, Phases, Question, Row, Shift, State,
    Strategy, choose, first_exceeded, shift,
};

pub const BIN_RAD: f64 = 5.0 * PI / 180.0;
const TIGHT_NM: f64 = 6.0;

#[derive(Clone, Copy, PartialEq)]
pub enum Task {
    Tighten,
    Loosen,
}

#[derive(Clone, Copy)]
pub enum Pick {
    Adaptive(Horizon),
    /// Stacked fallbacks: the next one when the one before has failed, never back.
    Baseline,
}

pub struct Ran {
    pub result: &'static str,
    pub s: f64,
    pub trace: Vec<String>,
    pub batches: Vec<Batch>,
}

/// Both ways: low torque and quick, high torque and slow.
pub fn strategies(names: &[&str]) -> Vec<Strategy> {
    let low = strategy("low", 3.0, 32.0, PI / 12.0);
    let high = strategy("high", 8.0, 40.0, PI / 60.0);
    [low, high].into_iter().filter(|strategy| names.contains(&&*strategy.name)).collect()
}

fn strategy(name: &str, max: f64, overhead_s: f64, speed_rad_s: f64) -> Strategy {
    let nominal = Nominal { attempt_s: overhead_s + PI / speed_rad_s, overhead_s, stroke: Some(PI) };
    Strategy { name: name.into(), limits: vec![Limit { sense: "torque".into(), max }], nominal, pace: 1.0 }
}

fn torque_nm(task: Task, angle_rad: f64) -> f64 {
    match task {
        Task::Tighten if angle_rad > 0.35 => 1.0,
        Task::Tighten => 1.0 + (0.35 - angle_rad) / 0.35 * 6.0,
        Task::Loosen if angle_rad < 0.30 => 5.5,
        Task::Loosen => 1.0,
    }
}

struct Valve<'a> {
    task: Task,
    strategies: &'a [Strategy],
    angle_rad: f64,
    /// Where it is taken to be, from where it is.
    off_rad: f64,
    goal_rad: f64,
    s: f64,
    trace: Vec<String>,
}

pub fn run(task: Task, start_rad: f64, names: &[&str], pick: Pick, past: &[Batch], known: bool) -> Ran {
    let strategies = strategies(names);
    let (angle_rad, goal_rad) = if task == Task::Tighten { (start_rad, 0.0) } else { (0.0, start_rad) };
    let is_known = known || task == Task::Loosen;
    let off_rad = if is_known { 0.0 } else { 100.0 - angle_rad };
    let mut valve = Valve { task, strategies: &strategies, angle_rad, off_rad, goal_rad, s: 0.0, trace: Vec::new() };
    let trial = experience::next_trial(past.iter());
    let mut batches: Vec<Batch> = Vec::new();
    for attempt in 0..60 {
        let chosen = match pick {
            Pick::Baseline => valve.next_in_stack(),
            Pick::Adaptive(horizon) => valve.choice(horizon, past, &batches, trial),
        };
        let Some(chosen) = chosen else {
            return Ran { result: "aborted", s: valve.s, trace: valve.trace, batches };
        };
        let (batch, is_done) = valve.attempt(chosen, trial, attempt, is_known);
        batches.push(batch);
        if is_done {
            if task == Task::Tighten {
                let by = -(valve.angle_rad + valve.off_rad);
                shift(batches.iter_mut(), &Shift { task: "valve".into(), trial, by });
            }
            return Ran { result: "done", s: valve.s, trace: valve.trace, batches };
        }
    }
    Ran { result: "attempts", s: valve.s, trace: valve.trace, batches }
}

impl Valve<'_> {
    fn next_in_stack(&self) -> Option<usize> {
        let failed = self.trace.iter().filter_map(|each| each.strip_suffix('!'));
        let place = |name: &str| self.strategies.iter().position(|strategy| &*strategy.name == name);
        let next = failed.filter_map(place).map(|place| place + 1).max().unwrap_or(0);
        (next < self.strategies.len()).then_some(next)
    }

    fn choice(&self, horizon: Horizon, past: &[Batch], own: &[Batch], trial: u64) -> Option<usize> {
        let of = Of { task: "valve", robot: "toy", strategies: self.strategies, past: true, trial };
        let grid = Grid { bin: BIN_RAD, estimator: Estimator::Max };
        let all = past.iter().map(|batch| (batch, false)).chain(own.iter().map(|batch| (batch, true)));
        let experience = Experience::gather(grid, &of, all);
        let ahead_rad = 20.0_f64.to_radians();
        let is_tighten = self.task == Task::Tighten;
        let window = if is_tighten { (-ahead_rad, 0.0) } else { (0.0, ahead_rad) };
        let goal = if is_tighten { 0.0 } else { self.goal_rad + self.off_rad };
        let states = [(State::Number(self.angle_rad + self.off_rad), 1.0)];
        let strategies = self.strategies;
        let question = Question { strategies, states: &states, goal: Some(goal), window, horizon };
        choose(&question, &experience).chosen
    }

    fn attempt(&mut self, chosen: usize, trial: u64, attempt: u32, placed: bool) -> (Batch, bool) {
        let strategy = &self.strategies[chosen];
        let (stroke_rad, nominal) = (PI, strategy.nominal);
        let speed_rad_s = stroke_rad / (nominal.attempt_s - nominal.overhead_s);
        let max = strategy.limits[0].max;
        let towards = if self.task == Task::Tighten { -1.0 } else { 1.0 };
        self.s += nominal.overhead_s;
        let (mut moved, mut rows) = (0.0, Vec::new());
        let (mut ended, mut is_done) = ("again", false);
        while moved < stroke_rad - 1e-9 {
            let torque = torque_nm(self.task, self.angle_rad);
            rows.push(Row(moved / speed_rad_s, State::Number(self.angle_rad + self.off_rad), vec![torque]));
            if self.task == Task::Tighten && torque >= TIGHT_NM && torque <= max {
                (ended, is_done) = ("done", true);
                break;
            }
            if first_exceeded([(max, Some(torque))]).is_some() {
                ended = "switch";
                break;
            }
            let step = (BIN_RAD / 2.0).min(stroke_rad - moved);
            self.angle_rad += towards * step;
            moved += step;
            self.s += step / speed_rad_s;
            if self.task == Task::Tighten {
                self.angle_rad = self.angle_rad.max(0.0);
            }
            if self.task == Task::Loosen && self.angle_rad >= self.goal_rad - 1e-9 {
                (ended, is_done) = ("done", true);
                break;
            }
        }
        self.trace.push(format!("{}{}", strategy.name, if ended == "switch" { "!" } else { "" }));
        let phases_s = Phases { setup: nominal.overhead_s, manipulate: moved / speed_rad_s, ..Phases::default() };
        let batch = Batch {
            format: FORMAT,
            task: "valve".into(),
            robot: "toy".into(),
            strategy: Arc::clone(&strategy.name),
            parameter: None,
            trial,
            attempt,
            placed,
            limits: strategy.limits.clone(),
            rows,
            moved,
            phases_s,
            ended: ended.into(),
            outcome: "".into(),
        };
        (batch, is_done)
    }
}

/// What is stored when both ways were tried alone and together, with the state known.
pub fn learned(task: Task, rad: f64) -> Vec<Batch> {
    let mut stored: Vec<Batch> = Vec::new();
    for names in [&["low"][..], &["high"], &["low", "high"]] {
        let mut ran = run(task, rad, names, Pick::Adaptive(Horizon::Task), &[], true);
        let trial = experience::next_trial(stored.iter());
        ran.batches.iter_mut().for_each(|batch| batch.trial = trial);
        stored.extend(ran.batches);
    }
    stored
}
