//! What a tick, a variable, a node and an edit cost.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use engine::{EditBatch, Engine, Options, RunState, TickInput, What};
use model::{Edit, Value};

use crate::{best, memory, short, trees};

const TICK_NS: i64 = 10_000_000;

pub fn run() {
    println!("Coact engine. References: BehaviorTree.CPP 4.10 on two loaded cores; bonsai-bt.\n");
    println!("| what | ours | target | BehaviorTree.CPP | ratio | bonsai-bt |");
    println!("|---|---|---|---|---|---|");
    row("flat sequence of 1,000 instant steps, per step", instant_steps(1_000), "ns", 60.0, 211.0, "39");
    row("a tick with 100 running", running_tick(100, 100) / 1e3, "µs", 3.0, 12.3, "0.66");
    row("a tick with 10 conditions guarding a running action", guarded_tick(10) / 1e3, "µs", 0.6, 2.0, "0.22");
    let (get, set) = variables();
    row("variable get, by name", get, "ns", 40.0, 54.0, "");
    row("variable set, by name, recorded", set, "ns", 60.0, 86.0, "");
    row("memory a node, 10,000 nodes ready to run", bytes_per_node(10_000), "bytes", 600.0, 1050.0, "");
    row("10,000 nodes: text to ready", load(10_000) / 1e6, "ms", 20.0, 35.0, "");
    println!();
    by_what_runs();
    println!();
    growth();
    println!();
    allocations();
}

fn row(what: &str, ours: f64, unit: &str, target: f64, reference: f64, bonsai: &str) {
    let met = if ours <= target { "" } else { " (missed)" };
    println!(
        "| {what} | {} {unit}{met} | ≤ {target} {unit} | {reference} {unit} | {:.1} × | {bonsai} |",
        short(ours),
        reference / ours
    );
}

fn tick(engine: &mut Engine, time_ns: i64) {
    engine.tick(&TickInput { time_ns, ..TickInput::default() });
}

/// Runs the whole tree from its beginning and reads back every start and end, again and again.
fn instant_steps(count: usize) -> f64 {
    let mut engine = trees::load(&trees::instant(count), &Options::default());
    let mut time_ns = 0;
    best(100, || {
        engine.clear_recording();
        time_ns += TICK_NS;
        let input = trees::from_the_beginning(time_ns);
        let begin = Instant::now();
        engine.tick(&input);
        let mut seen = 0;
        for event in &engine.recording().events {
            seen += usize::from(matches!(event.what, What::Started(_) | What::Ended { .. }));
        }
        let spent = begin.elapsed().as_nanos() as f64;
        assert_eq!(seen, 2 * count, "every step was recorded");
        assert!(matches!(engine.run_state(), RunState::Ended(_)));
        spent / count as f64
    })
}

fn running_tick(running: usize, total: usize) -> f64 {
    let mut engine = trees::load(&trees::running(running, total), &Options::default());
    engine.tick(&trees::automatic(0));
    assert_eq!(engine.running().len(), running);
    steady(&mut engine)
}

fn guarded_tick(conditions: usize) -> f64 {
    let mut engine = trees::load(&trees::guarded(conditions), &Options::default());
    engine.tick(&trees::automatic(0));
    assert_eq!(engine.running().len(), 1);
    steady(&mut engine)
}

fn steady(engine: &mut Engine) -> f64 {
    let mut time_ns = 0;
    best(40, || {
        let ticks = 2_000;
        let begin = Instant::now();
        for _ in 0..ticks {
            time_ns += TICK_NS;
            tick(engine, time_ns);
        }
        begin.elapsed().as_nanos() as f64 / ticks as f64
    })
}

fn variables() -> (f64, f64) {
    let count = 100;
    let names: Vec<Arc<str>> = (0..count).map(|index| Arc::from(format!("signal_{index}").as_str())).collect();
    let world = names.iter().map(|name| (name.clone(), Some(Value::from(0.0)))).collect();
    let mut engine = trees::load(&trees::running(1, 1), &Options { world, ..Options::default() });
    engine.tick(&trees::automatic(0));
    let get = best(40, || {
        let begin = Instant::now();
        for _ in 0..100 {
            for name in &names {
                black_box(engine.variable(black_box(name)));
            }
        }
        begin.elapsed().as_nanos() as f64 / (100 * count) as f64
    });
    let mut time_ns = 0;
    let empty = steady(&mut engine);
    let mut value = 0.0;
    let set = best(40, || {
        let mut spent = 0.0;
        for _ in 0..100 {
            value += 1.0;
            time_ns += TICK_NS;
            let signals = names.iter().map(|name| (name.clone(), Value::from(value))).collect();
            let input = TickInput { time_ns, signals, ..TickInput::default() };
            let begin = Instant::now();
            engine.tick(&input);
            spent += begin.elapsed().as_nanos() as f64;
            assert_eq!(engine.recording().changes.len(), count);
            engine.clear_recording();
        }
        (spent / 100.0 - empty) / count as f64
    });
    (get, set)
}

fn bytes_per_node(count: usize) -> f64 {
    let text = trees::file(&trees::repeated(count, r#"{"type": "wait", "name": "step {i}", "duration_s": 1}"#), "{}");
    let registry_cost = {
        let before = memory::bytes();
        let _registry = nodes::registry();
        memory::bytes() - before
    };
    let before = memory::bytes();
    let engine = trees::load(&text, &Options::default());
    let after = memory::bytes();
    drop(engine);
    (after - before - registry_cost) as f64 / count as f64
}

fn load(count: usize) -> f64 {
    let text = trees::file(&trees::repeated(count, r#"{"type": "wait", "name": "step {i}", "duration_s": 1}"#), "{}");
    best(25, || {
        let begin = Instant::now();
        let engine = trees::load(&text, &Options::default());
        let spent = begin.elapsed().as_nanos() as f64;
        drop(engine);
        spent
    })
}

fn by_what_runs() {
    println!("A tick costs by what runs, not by the size of the tree: 10 running steps.\n");
    println!("| nodes in the tree | tick | against 100 nodes |");
    println!("|---|---|---|");
    let small = running_tick(10, 100);
    for total in [10, 100, 1_000, 10_000] {
        let cost = if total == 100 { small } else { running_tick(10, total) };
        println!("| {total} | {cost:.0} ns | {:.2} × |", cost / small);
    }
}

fn growth() {
    println!("Costs as they grow.\n");
    println!(
        "| nodes | load | memory a node | run of instant steps, a step | edit of one setting | insert of a step |"
    );
    println!("|---|---|---|---|---|---|");
    for count in [10, 100, 1_000, 10_000] {
        println!(
            "| {count} | {:.2} ms | {:.0} bytes | {:.0} ns | {:.1} µs | {:.1} µs |",
            load(count) / 1e6,
            bytes_per_node(count),
            instant_steps(count),
            edit(count, false) / 1e3,
            edit(count, true) / 1e3
        );
    }
}

/// One edit of a running tree, applied in its tick.
fn edit(count: usize, insert: bool) -> f64 {
    let mut engine = trees::load(&trees::running(1, count.max(2)), &Options::default());
    engine.tick(&trees::automatic(0));
    let root = engine.library().main().root;
    let last = *engine.library().main().node(root).children.last().expect("the tree has children");
    let mut time_ns = 0;
    let mut number = 0;
    best(30, || {
        number += 1;
        time_ns += TICK_NS;
        let edits = if insert {
            let mut subtree = engine.library().main().subtree(last);
            subtree.id = model::NodeId(number);
            vec![Edit::Insert { parent: root, index: 1, subtree }]
        } else {
            let value = model::Field::from_json(serde_json::json!(number));
            vec![Edit::Set { node: last, field: "duration_s".into(), value: Some(value), at: None }]
        };
        let input = TickInput { time_ns, edits: vec![EditBatch { id: 1, edits, by: None }], ..TickInput::default() };
        let begin = Instant::now();
        engine.tick(&input);
        let spent = begin.elapsed().as_nanos() as f64;
        assert_eq!(engine.output().answers[0].refused, None);
        spent
    })
}

fn allocations() {
    let mut engine = trees::load(&trees::running(100, 1_000), &Options::default());
    engine.tick(&trees::automatic(0));
    let mut guarded = trees::load(&trees::guarded(10), &Options::default());
    guarded.tick(&trees::automatic(0));
    for number in 1..10 {
        tick(&mut engine, number * TICK_NS);
        tick(&mut guarded, number * TICK_NS);
    }
    let before = memory::calls();
    for number in 10..1_010 {
        tick(&mut engine, number * TICK_NS);
        tick(&mut guarded, number * TICK_NS);
    }
    println!("Allocations in 2,000 steady ticks: {}", memory::calls() - before);
}
