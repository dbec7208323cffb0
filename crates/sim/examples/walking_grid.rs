//! Walks of both robots at all speeds and lengths of step, with physics, and how near each came to a fall:
//! `cargo run --release -p sim --features mujoco --example walking_grid`. With `--fast` only the fastest walks.

#[path = "../tests/physics_common/mod.rs"]
mod physics_common;

use std::sync::Arc;

use physics_common::{WALKS, gone};
use robot::Robot;

fn main() {
    let fast = std::env::args().any(|argument| argument == "--fast");
    let (swings_s, transfers_s) =
        if fast { (&[0.6][..], &[0.2][..]) } else { (&[0.6, 0.8, 1.0][..], &[0.2, 0.3, 0.5][..]) };
    let mut fallen = 0;
    println!("| robot | walk | step, of the longest | swing s | transfer s | margin cm | friction | |");
    println!("|---|---|---|---|---|---|---|---|");
    for name in ["coact-one", "coact-mini"] {
        let robot = Arc::new(Robot::builtin(name).expect("it is built in"));
        for (walk, share, swing_s, transfer_s) in WALKS.iter().flat_map(|walk| {
            [0.25, 0.5, 0.75, 1.0].into_iter().flat_map(move |share| {
                swings_s.iter().flat_map(move |swing_s| {
                    transfers_s.iter().map(move |transfer_s| (walk, share, *swing_s, *transfer_s))
                })
            })
        }) {
            let (outcome, balance) = gone(&robot, walk.1(&robot.walking), share, (swing_s, transfer_s));
            let (margin_cm, friction) = (100.0 * balance.min_margin_m, balance.max_friction);
            fallen += usize::from(outcome.contains("fell"));
            println!(
                "| {name} | {} | {share} | {swing_s} | {transfer_s} | {margin_cm:.1} at {:.2} s | {friction:.2} | {outcome} |",
                walk.0, balance.min_margin_at_s
            );
        }
    }
    println!("\n{fallen} falls");
}
