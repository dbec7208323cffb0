//! What it costs to choose among strategies, and to watch one: `./dev bench adaptive`.

use std::hint::black_box;
use std::time::Instant;

use engine::{Options, TickInput};
use experience::{
    Batch, Estimator, Experience, FORMAT, Grid, Horizon, Limit, Nominal, Of, Phases, Question, Row, State, Strategy,
    choose,
};

use crate::{best, short, trees};

const SAMPLES: usize = 10_000;
const CONDITIONS: usize = 20;
const TICK_NS: i64 = 10_000_000;

pub fn run() {
    println!("Strategies chosen by {SAMPLES} samples, and one watched by {CONDITIONS} conditions.\n");
    println!("| what | time | target |");
    println!("|---|---|---|");
    let choice_us = selection();
    println!("| a choice | {} \u{b5}s{} | \u{2264} 50 \u{b5}s |", short(choice_us), met(choice_us, 50.0));
    println!("| the samples put in order, once a run | {} \u{b5}s | |", short(gathering()));
    let watched_ns = monitor(CONDITIONS) - monitor(0);
    println!(
        "| {CONDITIONS} conditions, a tick | {} ns{} | \u{2264} 1000 ns |",
        short(watched_ns),
        met(watched_ns, 1000.0)
    );
}

fn met(value: f64, target: f64) -> &'static str {
    if value <= target { "" } else { " (missed)" }
}

fn strategies() -> Vec<Strategy> {
    let each = |name: &str, max: f64, overhead_s: f64, stroke_s: f64| Strategy {
        name: name.into(),
        limits: (0..7).map(|joint| Limit { sense: format!("joint {joint}").into(), max }).collect(),
        nominal: Nominal { attempt_s: overhead_s + stroke_s, overhead_s, stroke: Some(180.0) },
        pace: 1.0,
    };
    vec![each("low", 3.0, 32.0, 12.0), each("high", 8.0, 40.0, 60.0)]
}

/// Half of them with each strategy, over ten turns; the last 20 degrees need more than the first may.
fn batches(strategies: &[Strategy]) -> Vec<Batch> {
    const ROWS: usize = 500;
    let each = |number: usize| {
        let strategy = &strategies[number % 2];
        let rows = (0..ROWS).map(|row| {
            let state = 3600.0 * (1.0 - row as f64 / ROWS as f64);
            let effort = if state < 20.0 { 6.0 } else { 1.0 };
            Row(row as f64 * 0.1, State::Number(state), vec![effort; 7])
        });
        Batch {
            format: FORMAT,
            task: "valve".into(),
            robot: "coact-one".into(),
            strategy: strategy.name.clone(),
            parameter: None,
            trial: number as u64,
            attempt: 1,
            placed: true,
            limits: strategy.limits.clone(),
            rows: rows.collect(),
            moved: 3600.0,
            phases_s: Phases { setup: 30.0, manipulate: 50.0, ..Phases::default() },
            ended: "bench".into(),
            outcome: "".into(),
        }
    };
    (0..SAMPLES / ROWS).map(each).collect()
}

fn gathered(strategies: &[Strategy], batches: &[Batch]) -> Experience {
    let of = Of { task: "valve", robot: "coact-one", strategies, past: true, trial: 0 };
    let grid = Grid { bin: 5.0, estimator: Estimator::Max };
    Experience::gather(grid, &of, batches.iter().map(|batch| (batch, false)))
}

fn gathering() -> f64 {
    let strategies = strategies();
    let batches = batches(&strategies);
    best(50, || {
        let begin = Instant::now();
        black_box(gathered(&strategies, &batches));
        begin.elapsed().as_nanos() as f64 / 1e3
    })
}

/// The dearest of the states on the way.
fn selection() -> f64 {
    let strategies = strategies();
    let experience = gathered(&strategies, &batches(&strategies));
    assert_eq!(experience.samples(), SAMPLES);
    let costs = (0..36).map(|part| {
        let states = [(State::Number(f64::from(part) * 100.0), 1.0)];
        let question = Question {
            strategies: &strategies,
            states: &states,
            goal: Some(0.0),
            window: (-20.0, 0.0),
            horizon: Horizon::Task,
        };
        best(50, || {
            let begin = Instant::now();
            black_box(choose(black_box(&question), &experience));
            begin.elapsed().as_nanos() as f64 / 1e3
        })
    });
    costs.fold(0.0, f64::max)
}

/// A tick, with half of the conditions limits and half of them others.
fn monitor(conditions: usize) -> f64 {
    let limits: Vec<String> =
        (0..conditions / 2).map(|index| format!(r#"{{"sense": "v{index}", "max": 5}}"#)).collect();
    let others: Vec<String> =
        (conditions / 2..conditions).map(|index| format!(r#"{{"condition": "v{index} > 5"}}"#)).collect();
    let variables: Vec<String> = (0..CONDITIONS).map(|index| format!("\"v{index}\": 1")).collect();
    let (limits, others) = (limits.join(", "), others.join(", "));
    let node = format!(
        r#"{{"type": "adaptive", "name": "do", "task": "bench", "children": [{{"type": "strategy", "name": "one",
            "limits": [{limits}], "conditions": [{others}], "children": [{{"type": "wait", "duration_s": 1e6}}]}}]}}"#
    );
    let mut engine = trees::load(&trees::file(&node, &format!("{{{}}}", variables.join(", "))), &Options::default());
    engine.tick(&trees::automatic(0));
    let mut time_ns = 0;
    best(200, || {
        const TICKS: usize = 100;
        let begin = Instant::now();
        for _ in 0..TICKS {
            time_ns += TICK_NS;
            engine.tick(&TickInput { time_ns, ..TickInput::default() });
        }
        let spent_ns = begin.elapsed().as_nanos() as f64;
        assert_eq!(engine.running().len(), 2);
        spent_ns / TICKS as f64
    })
}
