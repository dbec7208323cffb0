//! Prints the figures of docs/link.md: the shaped runs, in simulated time, with where their bytes go.

use std::error::Error;

use link::{ByteCounts, ByteKind, IP_UDP_BYTES, LinkConfig};
use testkit::shaped::{self, Latencies, SECOND};

fn main() -> Result<(), Box<dyn Error>> {
    let [robot, _] = shaped::both(LinkConfig::narrow, 1);
    let sealed = link::Endpoint::new(robot)?.overhead_bytes();
    println!("Each datagram costs {IP_UDP_BYTES} bytes of IP and UDP and {sealed} of ours, 16 of them the seal.\n");
    for (name, dark) in [("always light", false), ("25 s blackouts", true)] {
        work(name, dark)?;
        join(name, dark)?;
    }
    finals()
}

fn ms(latency_ns: u64) -> String {
    format!("{:.0} ms", latency_ns as f64 / 1e6)
}

fn latencies(name: &str, latencies: &Latencies, limit: &str) {
    let [median, p99] = [0.5, 0.99].map(|share| ms(latencies.quantile_ns(share)));
    println!("| {name}: {} | {median} | {p99} | {} | {limit} |", latencies.count(), ms(latencies.max_ns()));
}

fn work(name: &str, dark: bool) -> Result<(), Box<dyn Error>> {
    let figures = shaped::work(3_600 * SECOND, dark, 1)?;
    println!("## Working an hour at 9,600 bit/s, filled with bulk both ways, {name}\n");
    println!("| after offering, or after light | median | p99 | max | limit |\n|---|---|---|---|---|");
    latencies("stop", &figures.stops, "250 ms");
    latencies("edit of 107 bytes to the robot", &figures.edits_to_robot, "1,500 ms");
    latencies("edit of 107 bytes to the operator", &figures.edits_to_operator, "1,500 ms");
    latencies("edit behind others", &figures.edits_behind_others, "");
    latencies("answer to a command", &figures.answers, "");
    println!("\n| what | measured | limit |\n|---|---|---|");
    println!(
        "| robot state, 30 joints | {:.2} Hz, worst 5 s {:.1} Hz | 4 Hz |",
        figures.robot_hz, figures.robot_worst_hz
    );
    println!("| run state, 10 steps | {:.2} Hz, worst 5 s {:.1} Hz | 2 Hz |", figures.run_hz, figures.run_worst_hz);
    let [down, up] = figures.worst_second_bytes;
    println!("| worst second, from the robot / to it | {down} / {up} bytes | 1,200 |");
    println!("| largest datagram | {} bytes | 230 |", figures.largest_datagram);
    println!("| commands: given, done, refused | {}, {}, {} | |", figures.commands, figures.done, figures.refused);
    println!();
    bytes(&figures.counts);
    Ok(())
}

fn join(name: &str, dark: bool) -> Result<(), Box<dyn Error>> {
    let figures = shaped::join(dark, 1)?;
    println!("## Joining a tree of 300 nodes (18,000 bytes), {name}\n");
    println!("| in time of light | measured | limit |\n|---|---|---|");
    println!("| connected | {:.1} s | |", figures.connected_s);
    println!("| overview, 1,500 bytes | {:.1} s | 10 s |", figures.overview_s);
    println!("| a stop then | {:.0} ms | 250 ms |", figures.stop_s * 1e3);
    println!("| an edit then | {:.0} ms | 1,500 ms |", figures.edit_s * 1e3);
    println!("| the whole tree | {:.1} s | 90 s |", figures.snapshot_s);
    println!("| its history, 12,000 bytes | {:.1} s | |", figures.history_s);
    println!("| robot state meanwhile | {:.2} Hz | 1 Hz |", figures.robot_hz);
    println!();
    bytes(&figures.counts);
    Ok(())
}

fn finals() -> Result<(), Box<dyn Error>> {
    let figures = shaped::finals(600 * SECOND, 1)?;
    println!("## The pair of the DRC Finals, ten minutes\n");
    println!("| what | measured | limit |\n|---|---|---|");
    println!("| bursts | {} of 1 s, {:.1} s in all | |", figures.bursts, figures.burst_s);
    println!("| tiles offered, of 900 keys | {} | |", figures.offered_tiles);
    println!("| tiles arrived | {} of 1,000 bytes | |", figures.tiles);
    println!("| newest tiles there after a burst, worst burst | {:.1} % | |", figures.worst_fresh_share * 100.0);
    println!("| robot state | {:.2} Hz | 4 Hz |", figures.robot_hz);
    println!("| run state | {:.2} Hz | 2 Hz |", figures.run_hz);
    let [down, up, burst] = figures.worst_second_bytes;
    println!("| worst second, always-on channel | {down} / {up} bytes | 1,200 |");
    println!("| worst second, bursts | {burst} bytes | 37,500,000 |");
    println!("\n| after offering | median | p99 | max | limit |\n|---|---|---|---|---|");
    latencies("stop", &figures.stops, "250 ms");
    latencies("edit of 107 bytes to the robot", &figures.edits, "1,500 ms");
    println!();
    bytes(&figures.counts);
    Ok(())
}

fn bytes(counts: &[ByteCounts; 2]) {
    println!(
        "| bytes sent as | from the robot | share | each | to the robot | share | each |\n|---|---|---|---|---|---|---|"
    );
    for kind in ByteKind::ALL {
        if counts.iter().all(|counts| counts.bytes(kind) == 0) {
            continue;
        }
        let columns = counts.map(|counts| {
            let (bytes, frames) = (counts.bytes(kind), counts.frames(kind));
            let share = bytes as f64 * 100.0 / counts.total().max(1) as f64;
            format!("{bytes} | {share:.1} % | {:.1}", bytes as f64 / frames.max(1) as f64)
        });
        println!("| {} | {} | {} |", kind.name(), columns[0], columns[1]);
    }
    let totals = counts.map(|counts| format!("{} in {} datagrams | |", counts.total(), counts.datagrams));
    println!("| all | {} | {} |\n", totals[0], totals[1]);
}
