//! A robot process, its operators and their people on this machine, for as long as is wanted: two people edit at full
//! speed, one runs and stops, observers try what they may not, sockets clog the door, lines are cut, processes are killed and
//! started again. Then what it took: latencies, memory, disk, joining, and whether anything was lost or differs.
//! `./dev soak MINUTES [SEED]`; it fails where a bound is broken.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "it prints, and ends where something is wrong")]

mod client;
mod crowd;
mod process;
#[path = "../../tests/faults/relay.rs"]
#[allow(dead_code, reason = "garbage is thrown by tests")]
mod relay;
mod soak;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let minutes = arguments.next().map_or(Ok(60.0), |text| text.parse::<f64>());
    let seed = arguments.next().map_or(Ok(1), |text| text.parse::<u64>());
    let (Ok(minutes), Ok(seed), None) = (minutes, seed, arguments.next()) else {
        eprintln!("soak: say for how many minutes, and with which seed if it is not 1: soak 60 1");
        return ExitCode::from(2);
    };
    if !(0.2..=100_000.0).contains(&minutes) {
        eprintln!("soak: from 0.2 minutes on");
        return ExitCode::from(2);
    }
    if !process::binary().exists() {
        eprintln!("soak: {} is missing: build it first, in the same way", process::binary().display());
        return ExitCode::from(2);
    }
    let table = soak::run(minutes, seed);
    table.print();
    if table.is_kept() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
