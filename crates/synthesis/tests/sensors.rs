//! What depends on what is sensed: strategies, as steps and as trees.

use synthesis::gr1::Strategy;
use synthesis::{Capabilities, Request, Why, prove_strategy, strategy, strategy_tree, synthesize};

const DOOR: &str = r#"{
  "sensors": {"door_open": {"holds_if": "is_open"}},
  "actions": {
    "look": {},
    "push": {"needs": ["look"]},
    "walk_through": {"needs": ["look", "door_open"]}
  }
}"#;
/// Who has pushed it finds it open.
const PROMISE: &str = "env G(next(push.c) -> next(door_open))\n";

fn capabilities(text: &str) -> Capabilities {
    let (capabilities, problems) = Capabilities::load("door.json", text);
    assert!(problems.is_empty(), "{problems:?}");
    capabilities
}

fn request(goal: &str) -> Request {
    Request { goals: vec![goal.to_owned()], ..Request::default() }
}

fn found(formulas: &str) -> Result<Strategy, Why> {
    strategy(&capabilities(DOOR), &request("walk_through"), formulas)
}

#[test]
fn the_core_says_that_only_a_game_finds_it() {
    let why = synthesize(&capabilities(DOOR), &request("walk_through"), 1000).unwrap_err();
    assert_eq!(why, Why::Sensed("door_open".to_owned()));
}

#[test]
fn without_a_promise_the_door_may_stay_shut_for_ever() {
    assert_eq!(found(""), Err(Why::Lost));
    // Somebody opens it again and again: it waits.
    let waits = found("env GF(door_open)").unwrap();
    assert!((0..waits.places.len()).any(|place| waits.waits(place)), "{waits:?}");
    assert!(waits.places.iter().all(|place| place.does.as_deref() != Some("push")), "{waits:?}");
}

/// Open: it walks. Shut: it pushes first.
#[test]
fn what_is_done_depends_on_what_is_sensed() {
    let strategy = found(PROMISE).unwrap();
    let capabilities = capabilities(DOOR);
    let proof = prove_strategy(&capabilities, &request("walk_through"), &strategy).unwrap();
    assert_eq!(proof.longest, 3, "{strategy:?}");
    let tree = strategy_tree(&capabilities, &request("walk_through"), &strategy, "door.json");
    let kinds: Vec<String> = tree.children.iter().map(|child| format!("{} {}", child.kind, child.name)).collect();
    assert_eq!(kinds, ["stand_in look", "choose What is sensed"]);
}

#[test]
fn a_tree_has_a_case_for_each_that_leads_elsewhere() {
    let text = r#"{
      "sensors": {"door_open": {"holds_if": "is_open"}},
      "modes": {
        "before": {"to": ["at_handle", "behind"]},
        "at_handle": {"to": ["behind"]},
        "behind": {}
      }
    }"#;
    let capabilities = capabilities(text);
    let request = Request { from: vec!["before".to_owned()], goals: vec!["behind".to_owned()], ..Request::default() };
    // Not in the closure: the mode does not need it.
    assert!(synthesize(&capabilities, &request, 1000).is_ok());
    let gated = text.replace(r#""behind": {}"#, r#""behind": {"needs": ["door_open"]}"#);
    let gated = self::capabilities(&gated);
    let strategy = strategy(&gated, &request, "env G(next(at_handle.c) -> next(door_open))").unwrap();
    let proof = prove_strategy(&gated, &request, &strategy).unwrap();
    assert_eq!((proof.finished, proof.failed, proof.longest), (4, 3, 2), "{strategy:?}");
    let tree = strategy_tree(&gated, &request, &strategy, "able.json");
    let choose = tree.children.iter().find(|child| &*child.kind == "choose").unwrap();
    let names = |at: usize| choose.children[at].children.iter().map(|step| step.name.to_string()).collect::<Vec<_>>();
    let mut cases: Vec<(String, Vec<String>)> =
        (0..choose.children.len()).map(|at| (choose.children[at].name.to_string(), names(at))).collect();
    cases.sort();
    let steps = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        cases,
        [("door_open".to_owned(), steps(&["behind"])), ("not door_open".to_owned(), steps(&["at_handle", "behind"])),]
    );
}

#[test]
fn what_would_have_to_be_given_up_half_way_is_lost() {
    // Somebody can shut it while the robot walks.
    assert_eq!(found("sys G(!door_open -> !walk_through)\nenv GF(door_open)"), Err(Why::Lost));
}

#[test]
fn a_sensor_is_checked() {
    let problems =
        |text: &str| Capabilities::load("door.json", text).1.iter().map(ToString::to_string).collect::<String>();
    assert!(problems(r#"{"sensors": {"open": {}}}"#).contains("nothing says when it is so"));
    let changed = r#"{"sensors": {"open": {"holds_if": "x"}}, "actions": {"push": {"achieves": ["open"]}}}"#;
    assert!(problems(changed).contains("it is sensed, and `push` says that it changes it"));
}
