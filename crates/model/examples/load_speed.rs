//! Prints how long loading and saving 10,000 plain nodes takes: `cargo run --release -p model --example load_speed`.

use std::time::{Duration, Instant};

use model::file::{MemoryFiles, load, save};
use model::{Catalogue, NodeInfo, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Default, Serialize, Deserialize, JsonSchema)]
struct Sequence {}

#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Wait {
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    duration_s: f64,
}

fn text(nodes: usize, more: &str) -> String {
    let children: Vec<String> =
        (0..nodes).map(|at| format!(r#"{{"type":"wait","name":"w{at}","duration_s":1{more}}}"#)).collect();
    format!(r#"{{"version": 1, "children": [{}]}}"#, children.join(","))
}

/// The best of several runs; giving back the memory of what was made is not counted.
fn time<T>(name: &str, mut run: impl FnMut() -> T) {
    let mut best = Duration::MAX;
    for _ in 0..30 {
        let start = Instant::now();
        let made = run();
        best = best.min(start.elapsed());
        drop(made);
    }
    println!("{name:<44} {best:>10.2?}");
}

fn main() {
    let catalogue = Catalogue::new(vec![
        NodeInfo::of::<Sequence>("sequence", Role::Sequence, "control", "Runs its children.", &[]),
        NodeInfo::of::<Wait>("wait", Role::Step, "control", "Waits.", &[]),
    ]);
    let plain = MemoryFiles::from([("main.json", text(10_000, ""))]);
    let layered = MemoryFiles::from([("main.json", text(10_000, r#","after":"w5000""#))]);
    let Ok(loaded) = load("main.json", &plain, &catalogue) else { return println!("the example file does not load") };
    time("load 10,000 plain nodes", || load("main.json", &plain, &catalogue).ok());
    time("load 10,000 nodes that name another", || load("main.json", &layered, &catalogue).ok());
    time("save 10,000 plain nodes", || save(loaded.library.main(), &catalogue));
}
