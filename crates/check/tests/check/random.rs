//! Whatever the tree, the check comes back.

use check::Options;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::{Value as Json, json};

const KINDS: &[&str] = &[
    "sequence",
    "fallback",
    "skill",
    "parallel",
    "loop",
    "choose",
    "gosub",
    "goto",
    "checkpoint",
    "wait",
    "wait_until",
    "condition",
    "always_succeed",
    "always_fail",
    "counter",
    "set",
    "send",
    "receive",
    "log",
    "reserve",
    "relinquish",
    "question",
    "input",
    "stand_in",
    "unheard_of",
];
const NAMES: &[&str] = &["", "A", "B", "C", "A/B", "Next"];

fn values() -> impl Strategy<Value = Json> {
    let texts = &[
        "A",
        "B",
        "C",
        "/A",
        "/A/B",
        "/A[2]",
        "Previous",
        "Beginning",
        "Next",
        "",
        "true",
        "false",
        "x > 1",
        "x +",
        "pose.x",
        "1",
        "priority",
        "one",
        "s.json",
        "main.json",
        "gone.json",
        "result('A') == 'success'",
        "failure",
        "success",
        "press",
        "free('press')",
        "outcome('Z')",
    ];
    let text = prop::sample::select(&texts[..]).prop_map(|text| json!(text)).boxed();
    prop_oneof![
        6 => text.clone(),
        1 => Just(json!(0)),
        1 => Just(json!(2)),
        1 => Just(json!(true)),
        1 => Just(Json::Null),
        1 => prop::collection::vec(text.clone(), 0..3).prop_map(Json::Array),
        1 => text.prop_map(|text| json!({ "x": text.clone(), "condition": text.clone(), "outcome": text })),
    ]
}

const FIELDS: &[&str] = &[
    "after",
    "when",
    "until",
    "while",
    "timeout_s",
    "retry",
    "end_as",
    "outcome_as",
    "claims",
    "on_conflict",
    "target",
    "condition",
    "count",
    "policy",
    "priority",
    "goal",
    "of",
    "if_none",
    "outcomes",
    "values",
    "variable",
    "token",
    "command",
    "options",
    "default",
    "failures",
    "duration_s",
    "fails_if",
    "file",
    "inputs",
    "outputs",
    "value",
];

fn nodes() -> impl Strategy<Value = Json> {
    let settings = prop::collection::vec((prop::sample::select(FIELDS), values()), 0..4);
    let leaf = (prop::sample::select(KINDS), prop::sample::select(NAMES), settings.boxed());
    let leaf = leaf.prop_map(|(kind, name, settings)| {
        let mut node = json!({"type": kind, "name": name});
        for (key, value) in settings {
            node[key] = value;
        }
        node
    });
    let leaf = leaf.boxed();
    leaf.clone().prop_recursive(5, 40, 6, move |inner| {
        (leaf.clone(), prop::collection::vec(inner, 0..6)).prop_map(|(mut node, children)| {
            node["children"] = Json::Array(children);
            node
        })
    })
}

fn file() -> impl Strategy<Value = Json> {
    prop::collection::vec(nodes(), 0..6).prop_map(|children| {
        json!({"version": 1, "variables": {"x": 1, "y": null}, "inputs": {"n": {}}, "outputs": {"o": {}},
               "children": children})
    })
}

fn check(main: &Json, skill: &Json) -> usize {
    let files = model::file::MemoryFiles::from([("main.json", main.to_string()), ("s.json", skill.to_string())]);
    let registry = testkit::registry();
    let loaded = model::file::load("main.json", &files, registry.catalogue()).expect("an object opens");
    check::check(&loaded, &registry, &[], &Options::default()).len()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn it_never_panics(main in file(), skill in file()) {
        check(&main, &skill);
    }
}

#[test]
fn a_hundred_thousand_nodes_side_by_side() {
    let node = |n: usize| {
        let mut node = match n % 8 {
            0 => json!({"type": "goto", "target": format!("N{}", (n + 500) % 1000)}),
            1 => json!({"type": "set", "values": {format!("v{}", n % 100): "v1 + 1"}}),
            2 => json!({"type": "condition", "condition": "x > y"}),
            3 => json!({"type": "reserve", "token": format!("t{}", n % 50)}),
            4 => json!({"type": "relinquish", "token": format!("t{}", n % 70)}),
            5 => json!({"type": "fallback", "children": [{"type": "log"}, {"type": "wait"}]}),
            6 => json!({"type": "loop", "count": 3, "children": [{"type": "wait"}]}),
            _ => json!({"type": "wait", "after": format!("N{}", (n + 7) % 1000)}),
        };
        node["name"] = json!(format!("N{}", n % 1000));
        node
    };
    let main = json!({"version": 1, "children": (0..75_000).map(node).collect::<Vec<_>>()});
    assert!(check(&main, &json!({"version": 1})) > 10_000);
}

#[test]
fn two_hundred_levels() {
    let mut node = json!({"type": "wait", "name": "Inner"});
    for level in 0..200 {
        let kind = ["sequence", "fallback", "loop", "parallel"][level % 4];
        let beside: Vec<Json> =
            (0..50).map(|n| json!({"type": "wait", "name": format!("W{n}"), "after": "Inner"})).collect();
        let mut children = vec![node];
        children.extend(beside);
        node = json!({"type": kind, "name": format!("L{level}"), "until": "x", "children": children});
    }
    let main = json!({"version": 1, "children": [node]});
    assert!(check(&main, &json!({"version": 1})) > 0);
}
