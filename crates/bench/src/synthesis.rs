//! What it takes to find a behavior: `./dev bench synthesis`.

use std::hint::black_box;
use std::time::Instant;

use synthesis::gr1::{self, Spec};
use synthesis::{Capabilities, LIMIT, Plan, Request};

use crate::best;

const DEMONSTRATIONS: [(&str, &[&str], &[&str]); 6] = [
    ("Demo 1", &["stand"], &["grasp_object"]),
    ("Demo 2", &["stand"], &["look_down", "grasp_object"]),
    ("Demo 3", &["manipulate"], &["footstep_execution"]),
    ("the text's example", &["stand_prep"], &["look_down", "pickup_object"]),
    ("approach and grasp", &["manipulate"], &["approach_object", "grasp_object"]),
    ("pregrasp", &["stand"], &["pregrasp"]),
];

pub fn run() {
    println!("A behavior from goals. The core searches, the game is one of GR(1).\n");
    println!("| request | activations | core | target | propositions | game | target |");
    println!("|---|---|---|---|---|---|---|");
    let vigir = loaded(include_str!("../../../capabilities/vigir.json"));
    for (what, from, goals) in DEMONSTRATIONS {
        row(what, &vigir, &request(from, goals), (10.0, 100.0));
    }
    let goals = ["look_down", "approach_object", "grasp_object", "footstep_execution"];
    let large = Request {
        modes: ["stand_prep", "stand", "manipulate"].map(str::to_owned).into(),
        ..request(&["stand"], &goals)
    };
    row("4 goals", &vigir, &large, (100.0, 2000.0));
    let many = loaded(&chains());
    let goals = ["a34", "a35", "a36", "a37", "a38", "a39"];
    let request = request(&["m0"], &goals);
    let (plan, ms) = core(&many, &request);
    println!(
        "| 40 actions, 8 modes, 6 goals | {} | {ms:.2} ms{} | ≤ 100 ms | | | |",
        plan.names().len(),
        met(ms, 100.0)
    );
}

fn request(from: &[&str], goals: &[&str]) -> Request {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Request { from: owned(from), goals: owned(goals), ..Request::default() }
}

fn loaded(text: &str) -> Capabilities {
    Capabilities::load("bench", text).0
}

fn row(what: &str, capabilities: &Capabilities, request: &Request, targets: (f64, f64)) {
    let (plan, core_ms) = core(capabilities, request);
    let spec = Spec::of(capabilities, request).expect("the formulas can say it");
    let game_ms = best(3, || timed(|| drop(black_box(gr1::solve(&spec).expect("it fits")))));
    println!(
        "| {what} | {} | {core_ms:.2} ms{} | ≤ {:.0} ms | {} | {game_ms:.1} ms{} | ≤ {:.0} ms |",
        plan.names().len(),
        met(core_ms, targets.0),
        targets.0,
        spec.names.len(),
        met(game_ms, targets.1),
        targets.1
    );
}

fn core(capabilities: &Capabilities, request: &Request) -> (Plan, f64) {
    let found = || synthesis::synthesize(capabilities, request, LIMIT).expect("there is a way");
    (found(), best(20, || timed(|| drop(black_box(found())))))
}

fn timed(work: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    work();
    begin.elapsed().as_secs_f64() * 1e3
}

fn met(ms: f64, target: f64) -> &'static str {
    if ms <= target { "" } else { " (missed)" }
}

/// Eight modes in a ring that goes both ways; each action needs two before it and a mode.
fn chains() -> String {
    let modes: Vec<String> =
        (0..8).map(|at| format!(r#""m{at}": {{"to": ["m{}", "m{}"]}}"#, (at + 1) % 8, (at + 7) % 8)).collect();
    let action = |at: usize| match at {
        0..6 => format!(r#""a{at}": {{"needs": ["m{at}"]}}"#),
        _ => format!(r#""a{at}": {{"needs": ["a{}", "a{}", "m{}"]}}"#, at - 6, (at * 7) % at, (at * 3) % 8),
    };
    let actions: Vec<String> = (0..40).map(action).collect();
    format!(r#"{{"modes": {{{}}}, "actions": {{{}}}}}"#, modes.join(", "), actions.join(", "))
}
