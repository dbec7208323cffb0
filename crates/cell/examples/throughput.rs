//! Boards an hour of the machine-tending example with one to eight testers, beside what the arm and the testers allow.
//!
//! `cargo run --release -p cell --example throughput`

#[path = "../tests/tending/mod.rs"]
mod tending;

use tending::{Limits, Wanted, run, with_testers};

fn main() {
    println!("boards/hour, simulated time, ticks of {} ms", tending::TICK_NS / 1_000_000);
    println!("arm-limited:    3600 s / (insert + extract)");
    println!("tester-limited: testers * 3600 s / (insert until the board is in + test + extract)\n");
    println!("testers  measured  arm-limited  tester-limited  measured / least");
    for testers in 1..=8 {
        let files = with_testers(testers);
        let limits = Limits::of(&files, testers);
        let ran = run(&files, Wanted { boards: 100, seed: 1, record: false });
        if ran.verdict != Some(engine::Verdict::Success) {
            println!("{testers:7}  the run did not succeed: {}", ran.reason);
            continue;
        }
        let measured = ran.boards_per_hour(testers);
        let ratio = measured / limits.least();
        println!("{testers:7}  {measured:8.1}  {:11.1}  {:14.1}  {ratio:16.3}", limits.arm, limits.tester);
    }
}
