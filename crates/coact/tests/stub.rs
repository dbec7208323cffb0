//! A behavior on a robot that a file plays.

use crate::common;

use common::{coact, folder};

const FILE: &str = "examples/stub/raise-and-look.json";
const STUB: &str = "stub:examples/stub/stub.json";

fn stub(name: &str, keys: &str) -> String {
    let path = folder(name).join("stub.json");
    std::fs::write(&path, format!(r#"{{"version": 1, "robot": "coact-one", {keys}}}"#)).expect("a file for the test");
    format!("stub:{}", path.to_str().expect("UTF-8"))
}

#[test]
fn the_example_does_what_its_notes_say() {
    let ran = coact(&["run", FILE, "--robot", STUB, "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let report = ran.json();
    assert_eq!(report["robot"], "coact-one");
    let nodes: Vec<&str> =
        report["steps"].as_array().expect("steps").iter().filter_map(|step| step["node"].as_str()).collect();
    assert_eq!(nodes, ["Raise", "Find the ball"], "the ball is seen, so that nothing is caught");
    let told = |kind: &str, text: &str| {
        let log = report["log"].as_array().expect("a log");
        assert!(log.iter().any(|note| note["kind"] == kind && note["text"] == text), "{log:?}");
    };
    told("world", "somebody enters the room");
    told("warning", "its battery is low");
    assert_eq!(coact(&["run", FILE, "--robot", STUB, "--json"]).out, ran.out, "the same script, the same bytes");
}

#[test]
fn without_the_answer_it_fails_with_what_helps() {
    let robot = stub("stub-no-answer", r#""answers": [{"order": "hand"}]"#);
    let ran = coact(&["run", FILE, "--robot", &robot, "--json"]);
    assert_eq!(ran.code, 1);
    let reason = ran.json()["reason"].as_str().expect("a reason").to_owned();
    assert!(reason.contains("the stub has no answer to `joints`: add one to `answers`"), "{reason}");
}

#[test]
fn a_bad_file_is_told_with_its_places_and_nothing_runs() {
    let robot = stub("stub-bad", r#""start": "asleep", "script": [{"at_s": -1, "note": "too early"}]"#);
    let ran = coact(&["run", FILE, "--robot", &robot]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    for part in ["stub.json [start]: `asleep` is no preset", "stub.json [script[0].at_s]: -1 s", "has 2 errors"] {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    let checked = coact(&["check", robot.strip_prefix("stub:").expect("a stub")]);
    assert_eq!(checked.code, 2);
    assert!(checked.out.contains("[start]") && checked.out.contains("2 errors in 1 file"), "{}", checked.out);
    let missing = coact(&["run", FILE, "--robot", "stub:no-such-file.json"]);
    assert!(missing.code == 2 && missing.err.contains("no-such-file.json"), "{}", missing.err);
}

#[test]
fn a_stub_is_in_no_world_and_has_no_other_faults() {
    for (option, value) in [("--world", "push-door-lever"), ("--fault", r#"{"at_s": 1, "kind": "state_lost"}"#)] {
        let ran = coact(&["run", FILE, "--robot", STUB, option, value]);
        assert!(ran.code == 2 && ran.err.contains(option) && ran.err.contains("stub"), "{}", ran.err);
    }
}

#[test]
fn what_its_file_does_not_know_is_found_before_it_runs() {
    let robot = stub("stub-no-detector", r#""detectors": ["clip"], "answers": [{"order": "any"}]"#);
    let text = r#"{"version": 1, "name": "all", "notes": "", "children": [
        {"type": "configure_detectors", "name": "Tune", "models": {"yolo": true}}]}"#;
    let file = common::file("stub-detectors", text);
    let ran = coact(&["check", &file, "--robot", &robot]);
    assert!(ran.out.contains("yolo") && ran.out.contains("clip"), "{}", ran.out);
}
