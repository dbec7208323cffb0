//! What a value of the moment costs: at the start of its step, and while that runs.

use std::time::Instant;

use engine::{Engine, Options, RunState, TickInput};

use crate::{best, short, trees};

const STEPS: usize = 200;
const TICK_NS: i64 = 10_000_000;
const VARIABLES: &str = r#"{"pause_s": 0.0, "share": 0.5}"#;
/// One bound setting a step. Their value does not change, so that what is left is asking for it.
const BOUND: [(&str, &str); 4] = [
    ("a variable", "pause_s"),
    ("a product", "pause_s * share"),
    ("a choice", "share > 0.2 ? pause_s : 1"),
    ("the robot's reach", "0 * reach_m('right')"),
];

pub fn run() {
    println!("Values of the moment, in a flat sequence of {STEPS} instant steps with one each.\n");
    println!("| what | a setting | target |");
    println!("|---|---|---|");
    let written = whole_run("0.0");
    for (what, text) in BOUND {
        let spent = (whole_run(&format!("{{\"=\": \"{text}\"}}")) - written).max(0.0);
        let met = if spent <= 100.0 { "" } else { " (missed)" };
        println!("| {what}, beside a written number | {} ns{met} | ≤ 100 ns |", short(spent));
    }
    let (bound, literal) = (running("{\"=\": \"1e6 + pause_s\"}"), running("1e6"));
    println!("| while it runs, a tick | {} ns | 0 ns |", short((bound - literal).max(0.0)));
}

fn tree(duration: &str, after: &str) -> Engine {
    let node = format!(r#"{{"type": "wait", "name": "step {{i}}", "duration_s": {duration}{after}}}"#);
    let body = robot::Robot::builtin("coact-one").map(|robot| {
        let robot = std::sync::Arc::new(robot);
        let neutral = robot.model.neutral();
        let state = robot::interface::RobotState::standing(&neutral, &geometry::Pose::identity());
        engine::Body::new(robot, std::sync::Arc::default(), std::sync::Arc::new(state))
    });
    trees::load(&trees::file(&trees::repeated(STEPS, &node), VARIABLES), &Options { body, ..Options::default() })
}

/// A step, of a run from the first to the last one in one tick.
fn whole_run(duration: &str) -> f64 {
    let mut engine = tree(duration, "");
    let mut time_ns = 0;
    best(200, || {
        engine.clear_recording();
        time_ns += TICK_NS;
        let input = trees::from_the_beginning(time_ns);
        let begin = Instant::now();
        engine.tick(&input);
        let spent = begin.elapsed().as_nanos() as f64;
        assert!(matches!(engine.run_state(), RunState::Ended(_)), "{:?}", engine.run_state());
        spent / STEPS as f64
    })
}

/// A step, of a tick in which all of them run.
fn running(duration: &str) -> f64 {
    let mut engine = tree(duration, r#", "after": "Beginning""#);
    engine.tick(&trees::automatic(0));
    assert_eq!(engine.running().len(), STEPS);
    let mut time_ns = 0;
    best(40, || {
        let begin = Instant::now();
        for _ in 0..500 {
            time_ns += TICK_NS;
            engine.tick(&TickInput { time_ns, ..TickInput::default() });
        }
        begin.elapsed().as_nanos() as f64 / (500 * STEPS) as f64
    })
}
