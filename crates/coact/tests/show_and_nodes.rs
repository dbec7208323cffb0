use crate::common;

use common::{behavior, coact, root};
use expect_test::expect;

#[test]
fn a_tree_shows_tries_catches_and_settings() {
    expect![[r#"
        Try again (examples/recover/try-again.json)
          # A grasp that slips twice. The fallback catches the failure, opens the hand and goes back; the counter gives up after five rounds.
          variables: tries = 0, slips = 2
        ├─ checkpoint "Again"
        ├─ counter "Not for ever"  limit 6
        ├─ set "One more"  values {tries: tries + 1}
        ├─ fallback "Grasp or recover"  outcomes slipped
        │  │  try
        │  ├─ stand_in "Grasp"  claims right hand · duration_s 1.5 s · fails_if tries <= slips · outcome slipped
        │  │  catch
        │  ├─ stand_in "Open the hand"  claims right hand · duration_s 0.5 s
        │  └─ goto "Once more"  target Again
        └─ log "Say so"  text grasped, try number · value tries
    "#]].assert_eq(&coact(&["show", "examples/recover/try-again.json"]).out);
}

#[test]
fn a_tree_is_drawn_with_what_is_too_deep_only_counted() {
    let drawn = |file: &str| {
        let path = std::env::temp_dir().join(format!("coact-{}-{}.svg", std::process::id(), file.len()));
        let ran = coact(&["show", file, "--svg", path.to_str().expect("a path")]);
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        let svg = std::fs::read_to_string(&path).expect("a picture");
        std::fs::remove_file(path).expect("a file");
        svg
    };
    let small = drawn("examples/recover/try-again.json");
    assert_eq!((small.matches("<text").count(), small.matches("<path").count()), (9, 8), "{small}");
    assert!(small.contains(">Grasp or recover <tspan class=\"kind\"") && !small.contains(" below<"), "{small}");
    let wait = r#"{"type": "wait", "duration_s": 1}"#;
    let ten = format!(r#"{{"type": "sequence", "name": "Ten", "children": [{}]}}"#, [wait; 10].join(", "));
    let large = behavior("drawn", &vec![ten; 10].join(", "));
    let large = drawn(&large);
    assert_eq!((large.matches("<text").count(), large.matches("and 10 below</tspan>").count()), (11, 10), "{large}");
    let nowhere = coact(&["show", "examples/recover/try-again.json", "--svg", "no/such/folder/tree.svg"]);
    assert!(nowhere.code == 2 && nowhere.err.contains("cannot write no/such/folder/tree.svg"), "{}", nowhere.err);
}

#[test]
fn skills_are_shown_in_place() {
    expect![[r#"
        Pick two (examples/skills/pick-two.json)
          # One skill file, used twice at the same time. Each use has its own inputs, variables and state.
          variables: left_grip_n, right_grip_n
        ├─ parallel "Both hands"
        │  ├─ skill "Left"  file pick.json · inputs {grip_n: 8} · outputs {held_n: left_grip_n}
        │  │  inputs: grip_n in N (default 5), more_n in N (default 2.5)
        │  │  outputs: held_n in N
        │  │  variables: now_n = 0
        │  │  ├─ stand_in "Reach"  duration_s 1 s
        │  │  ├─ loop "Close"  condition now_n < grip_n
        │  │  │  ├─ stand_in "A bit more"  duration_s 0.2 s
        │  │  │  └─ set "Feel"  values {now_n: now_n + more_n}
        │  │  └─ set "Tell"  values {held_n: now_n}
        │  └─ skill "Right"  file pick.json · inputs {more_n: 1} · outputs {held_n: right_grip_n}
        │     inputs: grip_n in N (default 5), more_n in N (default 2.5)
        │     outputs: held_n in N
        │     variables: now_n = 0
        │     ├─ stand_in "Reach"  duration_s 1 s
        │     ├─ loop "Close"  condition now_n < grip_n
        │     │  ├─ stand_in "A bit more"  duration_s 0.2 s
        │     │  └─ set "Feel"  values {now_n: now_n + more_n}
        │     └─ set "Tell"  values {held_n: now_n}
        ├─ condition "Both hold"  condition left_grip_n > 0 && right_grip_n > 0
        └─ log "Sum"  text grip of both hands in N: · value left_grip_n + right_grip_n
    "#]]
    .assert_eq(&coact(&["show", "examples/skills/pick-two.json"]).out);
}

#[test]
fn children_that_start_with_the_try_belong_to_it() {
    let file = behavior(
        "show-tries",
        r#"{"type": "checkpoint", "name": "Before"},
           {"type": "fallback", "name": "F", "children": [
             {"type": "wait", "name": "A"},
             {"type": "wait", "name": "B", "after": "F"},
             {"type": "sequence", "name": "C", "after": "Before", "children": [{"type": "wait", "name": "C1"}]},
             {"type": "wait", "name": "D", "after": "A"},
             {"type": "wait", "name": "E", "after": "Beginning"}]}"#,
    );
    let ran = coact(&["show", "--ascii", &file]);
    assert!(ran.out.is_ascii());
    let lines: Vec<&str> = ran.out.lines().skip(2).collect();
    expect![[r#"
        |- checkpoint "Before"
        `- fallback "F"
           |  try
           |- wait "A"
           |- wait "B"  after F
           |- sequence "C"  after Before
           |  `- wait "C1"
           |  catch
           |- wait "D"  after A
           `- wait "E"  after Beginning"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn a_broken_file_is_shown_as_far_as_it_goes() {
    let file = behavior("show-broken", r#"{"type": "wiat", "name": "Pause"}, {"type": "wait", "name": "Next\none"}"#);
    let ran = coact(&["show", &file]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("wiat \"Pause\"") && ran.out.contains("\"Next one\""), "{}", ran.out);
    assert!(ran.err.contains("did you mean `wait`?"), "{}", ran.err);
}

#[test]
fn skills_in_a_circle_end() {
    let folder = common::folder("show-circle");
    let place = folder.join("a.json");
    let text = r#"{"version": 1, "children": [{"type": "skill", "file": "a.json"}]}"#;
    std::fs::write(&place, text).expect("a file");
    assert_eq!(coact(&["show", place.to_str().expect("UTF-8")]).code, 2);
}

#[test]
fn one_type_in_words() {
    expect![[r#"
        stand_in (action)
          Takes the place of an action that does not exist yet: it takes as long, claims what you write under `claims`, and can fail and halt like one.
            duration_s: number, s, 0 to 1000000000 (default 4 s)
                How long it takes.
            halt_s: number, s, 0 to 1000000000 (default 0 s)
                How long it takes to come to rest when it is halted.
            fails_if: expression
                Fails at the end if this holds then.
            outcome: text
                The named outcome of that failure.
    "#]].assert_eq(&coact(&["nodes", "stand_in"]).out);
    expect![[r#"
        parallel (control)
          Runs all its children at once, each as a track of its own. A branch that fails halts the others.
            policy: all, one or priority (default all)
                When it is done.
                all: When every branch has succeeded.
                one: When the first branch has; the others are halted.
                priority: When the priority branch has; the others are halted.
            priority: node
                The child that decides, under policy `priority`.
            goal: expression
                Ends it as success as soon as this holds. Until then all branches run, whatever the policy.
    "#]]
    .assert_eq(&coact(&["nodes", "parallel"]).out);
    let ran = coact(&["nodes", "standin"]);
    assert_eq!((ran.code, ran.err.as_str()), (2, "coact: there is no node type `standin`; did you mean `stand_in`?\n"));
}

#[test]
fn all_types_with_what_every_node_may_have_and_the_functions() {
    let ran = coact(&["nodes"]);
    assert_eq!(ran.code, 0);
    let start = ran.out.find("Settings that every node may have\n").expect("it says so");
    let (common, functions) = ran.out[start..].split_once("\nFunctions in expressions\n").expect("it says so");
    expect![[r#"
        Settings that every node may have
            after: node
                Starts when this no longer runs: `Previous`, `Beginning`, or a node.
            when: expression or object
                Under a choose: the case is taken when this holds.
            until: expression, object or list of these
                Ends it as success when this holds.
            while: expression, object or list of these
                Ends it as failure when this no longer holds.
            timeout_s: number, s, at least 0
                Ends it as failure after this time, all attempts together, pauses excluded.
            retry: whole number, at least 0 (default 0)
                How many more attempts its own failure is given.
            end_as: success or failure
                Reports this result whatever its own was; halted stays halted.
            outcome_as: text
                The named outcome it ends with, whatever its own was.
            claims: list of tokens
                Tokens it needs for itself while it runs.
            on_conflict: wait, fail or override (default wait)
                What it does when a claim is taken.
                wait: Waits until it is free.
                fail: Fails at once.
                override: Takes it; the step that had it ends halted.
            autonomy: off, low, high or full (default off)
                Starts by itself only if the operator's level is above this.
            outcome_autonomy: names, each with a text
                By named outcome: it is reported only if the operator's level is above this; until then it waits for the operator.
            disabled: true or false (default false)
                It does not run and counts as not there, with all that is in it, until it is enabled again.
            preview: success or failure
                How it ends in a preview, where nothing is touched or seen; only of steps that judge, wait or ask. What moves the
        body is computed.
    "#]]
    .assert_eq(common);
    assert!(functions.lines().count() > 20, "{functions}");
}

#[test]
fn json_describes_every_setting() {
    let json = coact(&["nodes", "--json"]).json();
    let types = json.as_array().expect("a list");
    assert!(types.len() > 20);
    for each in types {
        for key in ["name", "role", "group", "doc"] {
            assert!(each[key].as_str().is_some_and(|text| !text.is_empty()), "{key} of {each}");
        }
        assert!(each["schema"].is_object());
        for field in each["fields"].as_array().expect("a list") {
            assert!(field["doc"].as_str().is_some_and(|doc| !doc.is_empty()), "{} of {}", field["name"], each["name"]);
            assert!(field["schema"].is_object() && field.get("default").is_some() && field.get("unit").is_some());
            let name = field["name"].as_str().expect("a name");
            let per_s = |unit: &str| unit == "s" || unit.ends_with("/s");
            assert!(!name.ends_with("_s") || field["unit"].as_str().is_some_and(per_s), "{name} of {}", each["name"]);
        }
    }
    assert_eq!(coact(&["nodes", "wait", "--json"]).json().as_array().map(Vec::len), Some(1));
}

#[test]
fn the_reference_page_is_up_to_date() {
    let page = std::fs::read_to_string(root().join("docs/nodes.md")).expect("docs/nodes.md").replace("\r\n", "\n");
    let wanted = coact(&["nodes", "--markdown"]).out;
    assert!(page == wanted, "docs/nodes.md is out of date: coact nodes --markdown > docs/nodes.md");
}
