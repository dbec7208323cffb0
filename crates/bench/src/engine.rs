//! What a tick, a variable, a node and an edit cost.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use engine::{EditBatch, Engine, Options, RunState, TickInput, What};
use model::{Edit, Value};

use crate::{asked, best, memory, short, trees};

const TICK_NS: i64 = 10_000_000;

pub fn run() {
    println!("Coact engine, recording on, beside BehaviorTree.CPP 4.10 as it was measured in one sitting with ours.\n");
    println!("| what | now | target | in that sitting: ours | BehaviorTree.CPP | ratio |");
    println!("|---|---|---|---|---|---|");
    row("an instant step, in a flat sequence of 1,000", instant_steps(1_000), "ns", 16.0, (24.0, "165", 6.9));
    row("a tick with 100 waits running", running_tick(100, 100), "ns", 400.0, (2050.0, "13,100", 6.4));
    row("a tick with 100 steps running that are asked", asked_tick(100), "ns", 400.0, (2050.0, "13,100", 6.4));
    row("a tick with 10 conditions guarding an action", guarded_tick(10), "ns", 400.0, (190.0, "2,000 to 4,400", 10.5));
    let (get, set) = variables();
    row("variable get, by name", get, "ns", 40.0, (10.0, "42", 4.2));
    row("variable set, by name, recorded", set, "ns", 60.0, (52.0, "75", 1.4));
    row("memory a node, 10,000 nodes ready to run", bytes_per_node(10_000), "bytes", 600.0, (530.0, "1,536", 2.9));
    row("10,000 nodes: text to ready", load(10_000) / 1e6, "ms", 20.0, (12.0, "26.6", 2.2));
    row("10 nodes: text to ready", load(10) / 1e6, "ms", 0.1, (1.28, "0.042", 0.03));
    println!();
    by_what_runs();
    println!();
    growth();
    println!();
    inserts();
    println!();
    allocations();
}

/// What was measured in one sitting: ours, BehaviorTree.CPP without recording, how many times ours.
type Sitting = (f64, &'static str, f64);

fn row(what: &str, ours: f64, unit: &str, target: f64, (then, reference, ratio): Sitting) {
    let met = if ours <= target { "" } else { " (missed)" };
    let now = short(ours);
    println!("| {what} | {now} {unit}{met} | ≤ {target} {unit} | {then} | {reference} | {ratio} × |");
}

fn tick(engine: &mut Engine, time_ns: i64) {
    engine.tick(&TickInput { time_ns, ..TickInput::default() });
}

/// Runs the whole tree from its beginning and reads back every start and end, again and again.
pub fn instant_steps(count: usize) -> f64 {
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

pub fn running_tick(running: usize, total: usize) -> f64 {
    let mut engine = trees::load(&trees::running(running, total), &Options::default());
    engine.tick(&trees::automatic(0));
    assert_eq!(engine.running().len(), running);
    steady(&mut engine)
}

/// Steps that are asked in every tick, where waits know when they wake.
pub fn asked_tick(running: usize) -> f64 {
    let mut engine = trees::load_with(asked::registry(), &trees::asked(running), &Options::default());
    engine.tick(&trees::automatic(0));
    assert_eq!(engine.running().len(), running);
    steady(&mut engine)
}

pub fn guarded_tick(conditions: usize) -> f64 {
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
    println!("| nodes | load | memory a node | run of instant steps, a step | edit of one setting |");
    println!("|---|---|---|---|---|");
    for count in [10, 100, 1_000, 10_000] {
        println!(
            "| {count} | {:.3} ms | {:.0} bytes | {:.0} ns | {:.1} µs |",
            load(count) / 1e6,
            bytes_per_node(count),
            instant_steps(count),
            edit(count) / 1e3
        );
    }
}

/// One setting of a tree that runs, in its tick.
fn edit(count: usize) -> f64 {
    let mut engine = trees::load(&trees::running(1, count.max(2)), &Options::default());
    engine.tick(&trees::automatic(0));
    let root = engine.library().main().root;
    let last = *engine.library().main().node(root).children.last().expect("the tree has children");
    let mut number = 0;
    best(30, || {
        number += 1;
        let value = model::Field::from_json(serde_json::json!(number));
        let edit = Edit::Set { node: last, field: "duration_s".into(), value: Some(value), at: None };
        apply(&mut engine, edit, number)
    })
}

/// The time of the tick in which an edit arrives.
fn apply(engine: &mut Engine, edit: Edit, number: i64) -> f64 {
    let edits = vec![EditBatch { id: 1, edits: vec![edit], by: None }];
    let input = TickInput { time_ns: number * TICK_NS, edits, ..TickInput::default() };
    let begin = Instant::now();
    engine.tick(&input);
    let spent = begin.elapsed().as_nanos() as f64;
    assert_eq!(engine.output().answers[0].refused, None);
    spent
}

/// Where a step is inserted.
#[derive(Clone, Copy)]
enum Into {
    /// Directly before next, at the front of a flat list.
    Front,
    /// The middle of a flat list.
    Middle,
    /// A sequence deep in the middle of a nested tree.
    Nested,
    /// A branch of a parallel there.
    Branch,
}

fn inserts() {
    println!("A step inserted into a tree that runs, in its tick: the median of 200, and what 19 of 20 keep.\n");
    println!("| nodes | flat, front | 19 of 20 | flat, middle | 19 of 20 | nested | 19 of 20 | a branch | 19 of 20 |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for count in [1_000, 10_000, 20_000, 50_000] {
        let cells = [Into::Front, Into::Middle, Into::Nested, Into::Branch].map(|into| {
            let (median, most) = insert(count, into);
            format!("{} µs | {} µs", short(median / 1e3), short(most / 1e3))
        });
        println!("| {count} | {} |", cells.join(" | "));
    }
}

fn insert(count: usize, into: Into) -> (f64, f64) {
    let flat = matches!(into, Into::Front | Into::Middle);
    let text = if flat { trees::running(1, count) } else { trees::nested(count) };
    let mut engine = trees::load(&text, &Options::default());
    engine.tick(&trees::automatic(0));
    let main = engine.library().main();
    let named = |name: &str| main.walk(main.root).find(|id| &*main.node(*id).name == name).expect("the tree has it");
    let middle = (count / trees::NESTED) / 2;
    let (parent, index) = match into {
        Into::Front => (main.root, 1),
        Into::Middle => (main.root, count / 2),
        Into::Nested => (named(&format!("inner {middle}")), 1),
        Into::Branch => (named(&format!("branch {middle}")), 1),
    };
    let step = engine.library().main().walk(parent).last().expect("something is below it");
    let mut times: Vec<f64> = (1..=200_u32)
        .map(|number| {
            let mut subtree = engine.library().main().subtree(step);
            subtree.id = model::NodeId(u64::from(number));
            apply(&mut engine, Edit::Insert { parent, index, subtree }, i64::from(number))
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 19 / 20])
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
