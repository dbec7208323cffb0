use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

/// The files a generated behavior is made of, the main one first.
pub const FILES: [&str; 3] = ["main.json", "s1.json", "s2.json"];

/// A behavior of several files. It may be wrong in every way that a file can be that opens.
pub fn files() -> impl Strategy<Value = Vec<(String, Json)>> {
    (root(), root(), root()).prop_map(|(main, first, second)| {
        let files = FILES.iter().zip([main, first, second]);
        files.map(|(name, json)| ((*name).to_owned(), json)).collect()
    })
}

fn root() -> impl Strategy<Value = Json> {
    let kind = prop_oneof![
        6 => Just(json!({})),
        1 => Just(json!({"type": "fallback"})),
        1 => Just(json!({"type": "parallel"})),
        1 => Just(json!({"type": "loop", "count": 2})),
    ];
    let header = prop_oneof![
        2 => Just(json!({"variables": {"x": 0, "y": null}})),
        1 => Just(json!({"inputs": {"x": {"default": 1}}, "outputs": {"y": {}}})),
    ];
    (kind, header, vec(node(), 1..6)).prop_map(|(kind, header, children)| {
        let mut root = with(kind, &header);
        root["version"] = json!(1);
        root["children"] = Json::Array(children);
        root
    })
}

/// A node with what is below it, as a file would have it.
pub fn subtree_json() -> impl Strategy<Value = Json> {
    prop_oneof![3 => leaf().boxed(), 1 => node().boxed()]
}

fn node() -> impl Strategy<Value = Json> {
    leaf().prop_recursive(4, 24, 4, |inner| {
        (group(), common(), vec(inner, 0..5)).prop_map(|(group, common, children)| {
            let mut node = with(group, &common);
            node["children"] = Json::Array(children);
            node
        })
    })
}

/// `more` over `json`, key by key.
fn with(mut json: Json, more: &Json) -> Json {
    for (key, value) in more.as_object().into_iter().flatten() {
        json[key] = value.clone();
    }
    json
}

pub(crate) fn name() -> impl Strategy<Value = &'static str> {
    select(&["A", "B", "C", "D", "E", "F"][..])
}

fn token() -> impl Strategy<Value = &'static str> {
    select(&["T", "U", "V"][..])
}

fn outcome() -> impl Strategy<Value = &'static str> {
    select(&["", "o", "p"][..])
}

pub(crate) fn condition() -> impl Strategy<Value = &'static str> {
    select(
        &[
            "x > 1",
            "x < 3",
            "sensor",
            "!sensor",
            "free('T')",
            "result('A') == 'failure'",
            "outcome('B') == 'o'",
            "random() < 0.5",
            "true",
            "false",
            "nothing > 1",
            "here_only > 1",
            "there_only < 2",
            "1 +",
        ][..],
    )
}

fn seconds() -> impl Strategy<Value = f64> {
    select(&[0.0, 0.1, 0.2, 0.3, 0.5, 1.0][..])
}

fn group() -> impl Strategy<Value = Json> {
    prop_oneof![
        4 => Just(json!({"type": "sequence"})),
        3 => vec(outcome(), 0..2).prop_map(|outcomes| json!({"type": "fallback", "outcomes": outcomes})),
        3 => (select(&["all", "one", "priority"][..]), name())
            .prop_map(|(policy, name)| json!({"type": "parallel", "policy": policy, "priority": name})),
        2 => (option::of(1..4_u32), option::of(condition()))
            .prop_map(|(count, condition)| json!({"type": "loop", "count": count, "condition": condition.unwrap_or("")})),
        2 => (option::of(name()), select(&["success", "failure"][..]))
            .prop_map(|(of, if_none)| json!({"type": "choose", "of": of.unwrap_or(""), "if_none": if_none})),
        2 => (option::of(condition()), vec(option::of(name()), 3), 1..4_u32, select(&["past", "trial", "off"][..]))
            .prop_map(|(done, roles, most, learn)| json!({
                "type": "adaptive", "task": "t", "state": "x", "max_attempts": most, "learn": learn,
                "done": done.map(|condition| json!({"condition": condition, "outcome": "o"})).into_iter().collect::<Vec<_>>(),
                "setup": roles[0].unwrap_or(""), "recover": roles[1].unwrap_or(""), "exit": roles[2].unwrap_or(""),
            })),
        1 => (option::of(condition()), 0.0..3.0, select(&["retry", "switch", "regrasp", "abort"][..]), any::<bool>())
            .prop_map(|(ends, max, means, again)| json!({
                "type": "strategy", "limits": [{"sense": "x", "max": max}],
                "conditions": ends.map(|condition| json!({"condition": condition, "means": means})).into_iter().collect::<Vec<_>>(),
                "parameter": {"name": "x", "from": 0.5, "to": 1.0}, "on_complete": if again { "again" } else { "done" },
            })),
    ]
}

fn leaf() -> impl Strategy<Value = Json> {
    (step(), common()).prop_map(|(step, common)| with(step, &common))
}

fn step() -> impl Strategy<Value = Json> {
    prop_oneof![
        8 => seconds().prop_map(|seconds| json!({"type": "wait", "duration_s": seconds})),
        16 => (seconds(), select(&[0.0, 0.2, 0.2, 5.0][..]), option::weighted(0.2, condition()), outcome())
            .prop_map(|(seconds, halt, fails_if, outcome)| json!({
                "type": "stand_in", "duration_s": seconds, "halt_s": halt, "fails_if": fails_if.unwrap_or(""),
                "outcome": outcome,
            })),
        8 => (seconds(), vec(token(), 1..3), select(&["wait", "fail", "override"][..]), any::<bool>())
            .prop_map(|(seconds, claims, policy, slow)| json!({
                "type": "stand_in", "duration_s": seconds, "claims": claims, "on_conflict": policy,
                "halt_s": if slow { 0.2 } else { 0.0 }, "after": "Beginning",
            })),
        1 => Just(json!({"type": "checkpoint"})),
        1 => outcome().prop_map(|outcome| json!({"type": "always_succeed", "outcome": outcome})),
        1 => outcome().prop_map(|outcome| json!({"type": "always_fail", "outcome": outcome})),
        1 => (1..3_u32, any::<bool>()).prop_map(|(limit, restart)| json!({"type": "counter", "limit": limit, "restart": restart})),
        2 => select(&["x + 1", "0", "nothing"][..]).prop_map(|value| json!({"type": "set", "values": {"x": value}})),
        1 => condition().prop_map(|condition| json!({"type": "condition", "condition": condition})),
        1 => condition().prop_map(|condition| json!({"type": "wait_until", "condition": condition})),
        2 => name().prop_map(|name| json!({"type": "goto", "target": name})),
        2 => name().prop_map(|name| json!({"type": "gosub", "target": name})),
        2 => token().prop_map(|token| json!({"type": "reserve", "token": token})),
        1 => token().prop_map(|token| json!({"type": "relinquish", "token": token})),
        1 => option::of(Just("o")).prop_map(|default| json!({
            "type": "question", "options": ["o", "p"], "failures": ["p"], "default": default,
        })),
        1 => Just(json!({"type": "input", "variable": "x", "default": 2})),
        1 => Just(json!({"type": "send", "command": "go", "values": {"a": "1"}})),
        1 => Just(json!({"type": "receive", "command": "go", "values": {"a": "x"}})),
        1 => Just(json!({"type": "log", "value": "x"})),
        5 => (select(&["s1.json", "s1.json", "s1.json", "s2.json", "s2.json", "s2.json", "main.json", "gone.json"][..]), any::<bool>())
            .prop_map(|(file, mapped)| if mapped {
                json!({"type": "skill", "file": file, "inputs": {"x": "x + 1"}, "outputs": {"y": "x"}})
            } else {
                json!({"type": "skill", "file": file})
            }),
        1 => (select(&["s1.json", "s2.json"][..]), select(vec![json!(true), json!({"=": "x > 1"}), json!({"=": "y"})]))
            .prop_map(|(file, mirrored)| json!({"type": "skill", "file": file, "mirrored": mirrored})),
        1 => select(vec![json!({"type": "teleport"}), json!({"type": "wait", "duration_s": "long"})]),
    ]
}

fn common() -> impl Strategy<Value = Json> {
    (option::weighted(0.7, name()), vec(common_setting(), 0..3)).prop_map(|(name, settings)| {
        let mut common = json!({});
        if let Some(name) = name {
            common["name"] = json!(name);
        }
        for (key, value) in settings {
            common[key] = value;
        }
        common
    })
}

/// A setting that any node may have.
pub(crate) fn common_setting() -> impl Strategy<Value = (&'static str, Json)> {
    let guard = prop_oneof![
        condition().prop_map(|condition| json!(condition)),
        (condition(), select(&["state", "rise", "fall"][..]), outcome())
            .prop_map(|(condition, edge, outcome)| json!({"condition": condition, "edge": edge, "outcome": outcome})),
    ];
    prop_oneof![
        4 => name().prop_map(|name| ("after", json!(name))),
        3 => Just(("after", json!("Beginning"))),
        1 => Just(("after", json!("Previous"))),
        1 => (any::<bool>(), guard).prop_map(|(until, guard)| (if until { "until" } else { "while" }, guard)),
        1 => select(&[0.0, 0.4, 1.0][..]).prop_map(|seconds| ("timeout_s", json!(seconds))),
        1 => (0..3_u32).prop_map(|retry| ("retry", json!(retry))),
        1 => select(&["success", "failure"][..]).prop_map(|end| ("end_as", json!(end))),
        1 => outcome().prop_map(|outcome| ("outcome_as", json!(outcome))),
        5 => vec(token(), 0..3).prop_map(|tokens| ("claims", json!(tokens))),
        2 => select(&["wait", "fail", "override"][..]).prop_map(|policy| ("on_conflict", json!(policy))),
        1 => select(&["off", "low", "low", "high", "full"][..]).prop_map(|level| ("autonomy", json!(level))),
        1 => select(&["low", "high", "full"][..]).prop_map(|level| ("outcome_autonomy", json!({"o": level, "": "low"}))),
        2 => prop_oneof![condition().prop_map(|text| json!(text)), outcome().prop_map(|outcome| json!({"outcome": outcome}))]
            .prop_map(|when| ("when", when)),
        1 => any::<bool>().prop_map(|disabled| ("disabled", json!(disabled))),
    ]
}
