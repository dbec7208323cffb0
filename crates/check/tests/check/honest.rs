//! What is reported as never running does not run: random trees are checked, then run.

use check::Options;
use model::file::MemoryFiles;
use model::{Definition, NodeId};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::{Value as Json, json};

fn leaves() -> impl Strategy<Value = Json> {
    let target = || (1..24_usize).prop_map(|n| format!("N{n}"));
    prop_oneof![
        3 => Just(json!({"type": "wait", "duration_s": 0.2})),
        1 => Just(json!({"type": "wait", "duration_s": 0})),
        1 => Just(json!({"type": "log"})),
        1 => Just(json!({"type": "checkpoint"})),
        1 => Just(json!({"type": "always_fail", "outcome": "bad"})),
        1 => Just(json!({"type": "always_succeed"})),
        1 => Just(json!({"type": "condition", "condition": "time() > 1.0"})),
        1 => Just(json!({"type": "condition", "condition": false, "outcome": "no"})),
        1 => Just(json!({"type": "counter", "limit": 2})),
        1 => Just(json!({"type": "set", "values": {"x": "1"}})),
        1 => Just(json!({"type": "wait_until", "condition": "time() > 2.0"})),
        1 => Just(json!({"type": "wait_until", "condition": false})),
        1 => Just(json!({"type": "reserve", "token": "t"})),
        1 => Just(json!({"type": "relinquish", "token": "t"})),
        2 => Just(json!({"type": "stand_in", "duration_s": 0.3, "claims": ["t"]})),
        3 => target().prop_map(|target| json!({"type": "goto", "target": target})),
        1 => target().prop_map(|target| json!({"type": "gosub", "target": target})),
    ]
}

fn composites() -> impl Strategy<Value = Json> {
    prop_oneof![
        4 => Just(json!({"type": "sequence"})),
        4 => Just(json!({"type": "fallback"})),
        1 => Just(json!({"type": "fallback", "outcomes": ["bad"]})),
        2 => Just(json!({"type": "parallel"})),
        1 => Just(json!({"type": "parallel", "policy": "one"})),
        3 => Just(json!({"type": "loop"})),
        1 => Just(json!({"type": "loop", "count": 2})),
        1 => Just(json!({"type": "loop", "condition": "time() < 1.5"})),
        2 => Just(json!({"type": "choose"})),
    ]
}

/// Settings that any node may have, few of them.
fn settled(node: impl Strategy<Value = Json>) -> impl Strategy<Value = Json> {
    let common = prop_oneof![
        12 => Just(None),
        1 => Just(Some(("after", json!("Beginning")))),
        1 => (1..24_usize).prop_map(|n| Some(("after", json!(format!("N{n}"))))),
        1 => Just(Some(("timeout_s", json!(0.5)))),
        1 => Just(Some(("until", json!("time() > 1.0")))),
        1 => Just(Some(("while", json!("time() < 1.0")))),
        1 => Just(Some(("end_as", json!("success")))),
        1 => Just(Some(("end_as", json!("failure")))),
        1 => Just(Some(("retry", json!(1)))),
        1 => Just(Some(("when", json!("time() > 1.0")))),
        1 => Just(Some(("when", json!("1 > 2")))),
        1 => Just(Some(("when", json!("1 < 2")))),
        1 => Just(Some(("on_conflict", json!("override")))),
    ];
    (node, common).prop_map(|(mut node, common)| {
        if let Some((key, value)) = common {
            node[key] = value;
        }
        node
    })
}

fn trees() -> impl Strategy<Value = Json> {
    let node = settled(leaves()).boxed().prop_recursive(4, 24, 4, |inner| {
        (settled(composites()), prop::collection::vec(inner, 1..5)).prop_map(|(mut node, children)| {
            node["children"] = Json::Array(children);
            node
        })
    });
    prop::collection::vec(node, 1..6).prop_map(|children| {
        let mut root = json!({"version": 1, "type": "sequence", "children": children});
        let mut number = 0;
        name(&mut root, &mut number);
        root
    })
}

/// Names the nodes by their place in the tree.
fn name(node: &mut Json, number: &mut usize) {
    node["name"] = json!(format!("N{number}"));
    *number += 1;
    for child in node.get_mut("children").and_then(Json::as_array_mut).into_iter().flatten() {
        name(child, number);
    }
}

fn never_runs(message: &str) -> bool {
    ["this never runs", "this catch never runs", "this case is never taken"]
        .iter()
        .any(|start| message.starts_with(start))
        || message.ends_with("so this waits for ever")
}

fn steps_below(tree: &Definition, top: NodeId) -> Vec<String> {
    tree.walk(top).map(|id| tree.node(id).label().to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn what_never_runs_does_not_run(tree in trees()) {
        let files = MemoryFiles::from([("main.json", tree.to_string())]);
        let registry = testkit::registry();
        let loaded = model::file::load("main.json", &files, registry.catalogue()).expect("an object opens");
        let problems = check::check(&loaded, &registry, &[], &Options::default());
        let silent: Vec<_> = problems.iter().filter(|problem| never_runs(&problem.message)).collect();
        if silent.is_empty() {
            return Ok(());
        }
        let main = loaded.library.main().clone();
        let script = testkit::Script::parse("end 6");
        let mut engine = engine::Engine::new(loaded.library, registry, &script.options);
        let trace = testkit::run_engine(&mut engine, &script);
        let started: Vec<&str> = trace
            .lines()
            .filter_map(|line| line.split_once("+ "))
            .flat_map(|(_, name)| name.rsplit(['/', ' ']).next())
            .collect();
        for problem in silent {
            for label in problem.node.map(|node| steps_below(&main, node)).unwrap_or_default() {
                prop_assert!(!started.contains(&label.as_str()), "{problem}\n{label} started\n{trace}\n{tree:#}");
            }
        }
    }
}
