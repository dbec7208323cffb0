//! Trees that nobody means: they must end quickly, with a clear reason, and without eating the memory or the stack.

use engine::{Command, Control, Engine, Options, RunState, TickInput};
use model::file::{Loaded, MemoryFiles, load};
use serde_json::{Value as Json, json};

fn open(files: Vec<(String, Json)>) -> Loaded {
    let mut memory = MemoryFiles::default();
    for (name, json) in files {
        memory.insert(name, json.to_string());
    }
    load("main.json", &memory, testkit::registry().catalogue()).expect("it opens")
}

fn run(loaded: Loaded, ticks: i64) -> Engine {
    let mut engine = Engine::new(loaded.library, testkit::registry(), &Options::default());
    for tick in 0..ticks {
        let mut input = TickInput { time_ns: tick * testkit::TICK_NS, ..TickInput::default() };
        if tick == 0 {
            input.commands.push(Command { id: 0, what: Control::Automatic { on: true } });
        }
        engine.tick(&input);
    }
    engine
}

fn reason(engine: &Engine) -> String {
    match engine.run_state() {
        RunState::Ended(end) => end.reason_text().to_owned(),
        other => format!("{other:?}"),
    }
}

fn nested(kind: &str, depth: usize, innermost: Json) -> Json {
    (0..depth).fold(innermost, |inner, _| json!({"type": kind, "children": [inner]}))
}

fn file(children: Vec<Json>) -> Json {
    json!({"version": 1, "children": children})
}

#[test]
fn a_hundred_thousand_nodes() {
    let node =
        |place: usize| json!({"type": "wait", "name": format!("n{place}"), "duration_s": 0, "after": "Beginning"});
    let engine = run(open(vec![("main.json".into(), file((0..100_000).map(node).collect()))]), 3);
    assert_eq!(reason(&engine), "");
    engine.check_invariants().expect("everything fits together");
}

#[test]
fn as_deep_as_a_file_may_be() {
    for kind in ["sequence", "fallback", "parallel", "loop", "choose"] {
        let root = file(vec![nested(kind, 250, json!({"type": "always_fail", "reason": "deep"}))]);
        let engine = run(open(vec![("main.json".into(), root)]), 3);
        engine.check_invariants().expect("everything fits together");
    }
}

/// A chain of skill files, each as deep as a file may be.
#[test]
fn deep_files_that_use_deep_files() {
    let too_deep = "composites lie in each other more than 300 deep";
    for (kind, expected) in [("sequence", ""), ("parallel", too_deep)] {
        let name = |place: usize| if place == 0 { "main.json".to_owned() } else { format!("s{place}.json") };
        let link = |place: usize| {
            let inner = json!({"type": "skill", "file": name(place + 1)});
            (name(place), file(vec![nested(kind, 250, inner)]))
        };
        let mut files: Vec<_> = (0..40).map(link).collect();
        files.push((name(40), file(vec![json!({"type": "wait", "duration_s": 0})])));
        let engine = run(open(files), 3);
        engine.check_invariants().expect("everything fits together");
        assert_eq!(reason(&engine), expected, "{kind}");
    }
}

fn doubling(levels: usize, uses: Json, last: Json) -> Vec<(String, Json)> {
    let name = |place: usize| if place == 0 { "main.json".to_owned() } else { format!("s{place}.json") };
    let mut files: Vec<(String, Json)> = (0..levels)
        .map(|place| {
            let mut skill = uses.clone();
            skill["file"] = json!(name(place + 1));
            (name(place), file(vec![skill.clone(), skill]))
        })
        .collect();
    files.push((name(levels), file(vec![last])));
    files
}

#[test]
fn skills_that_double_at_each_level() {
    let wait = json!({"type": "wait", "duration_s": 0});
    for (uses, last) in [
        (json!({"type": "skill"}), wait.clone()),
        (json!({"type": "skill", "timeout_s": 100}), wait),
        // No steps at the bottom, but as many uses.
        (json!({"type": "skill"}), json!({"type": "sequence"})),
    ] {
        let engine = run(open(doubling(40, uses, last)), 3);
        let reason = reason(&engine);
        assert!(reason.starts_with("the tree has more than 1000000 steps or 100000 uses of skills"), "{reason}");
    }
}

#[test]
fn skills_that_use_each_other() {
    let uses = |file_name: &str| file(vec![json!({"type": "skill", "file": file_name})]);
    let loaded = open(vec![
        ("main.json".into(), uses("a.json")),
        ("a.json".into(), uses("b.json")),
        ("b.json".into(), uses("a.json")),
    ]);
    assert!(loaded.problems.iter().any(|problem| problem.message.contains("circle")));
    assert_eq!(reason(&run(loaded, 3)), "skill `a.json` uses itself");
}

#[test]
fn a_call_that_calls_itself() {
    let root = json!({"version": 1, "name": "All", "children": [{"type": "gosub", "target": "All"}]});
    let engine = run(open(vec![("main.json".into(), root)]), 3);
    assert_eq!(reason(&engine), "calls are nested deeper than 64: it calls itself without end");
}

/// Each call makes two, and what fails counts as done: without a limit the first tick would not end.
#[test]
fn a_call_that_calls_itself_twice() {
    let call = json!({"type": "gosub", "target": "All", "end_as": "success"});
    let root = json!({"version": 1, "name": "All", "children": [call, call]});
    let engine = run(open(vec![("main.json".into(), root)]), 1);
    engine.check_invariants().expect("everything fits together");
}

/// Each of those who wait for a claim asks in every tick.
#[test]
fn twenty_thousand_steps_wait_for_one_claim() {
    let branch =
        |place: usize| json!({"type": "wait", "name": format!("n{place}"), "duration_s": 0.1, "claims": ["T"]});
    let parallel =
        json!({"type": "parallel", "claims": ["U"], "children": (0..20_000).map(branch).collect::<Vec<_>>()});
    let engine = run(open(vec![("main.json".into(), file(vec![parallel]))]), 4);
    let ended = |event: &&engine::Event| matches!(event.what, engine::What::Ended { .. });
    assert_eq!(engine.recording().events.iter().filter(ended).count(), 3);
    engine.check_invariants().expect("everything fits together");
}
