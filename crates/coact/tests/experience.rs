//! What attempts show outlives the program, is an input of the next run, and hides nothing that is wrong with it.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::common::{coact, folder};

const VALVE: &str = "examples/decide/two-ways.json";
const TASK: &str = "made-up-valve/close";

/// The names of the steps that ran, and all of the report.
fn ran(arguments: &[&str]) -> (Vec<String>, String) {
    let ran = coact(&[&["run", VALVE, "--json"], arguments].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let report: Json = serde_json::from_str(&ran.out).expect("a report");
    let steps = report["steps"].as_array().expect("steps");
    (steps.iter().map(|step| step["node"].as_str().expect("a name").to_owned()).collect(), ran.out)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn a_run_begins_with_what_the_one_before_has_shown() {
    let at = folder("experience");
    let kept = text(&at);
    let tried = |steps: &[String], name: &str| steps.iter().any(|step| step == name);
    let (first, _) = ran(&["--experience-out", kept]);
    assert!(tried(&first, "Twist") && tried(&first, "Lever"), "{first:?}");
    let (second, report) = ran(&["--experience", kept]);
    assert!(!tried(&second, "Twist") && tried(&second, "Lever"), "{second:?}");
    // Nothing was kept of it, and so it repeats.
    assert_eq!(ran(&["--experience", kept]).1, report);
    // Another program: the first is over.
    let listed = coact(&["experience", "list", "--in", kept]);
    assert!(listed.out.starts_with("made-up-valve/close: 2 attempts"), "{}", listed.out);
    let shown = coact(&["experience", "show", TASK, "--in", kept, "--bin", "2"]);
    assert!(shown.out.contains("beyond its limit"), "{}", shown.out);
    let exported = coact(&["experience", "export", TASK, "--in", kept]);
    assert!(
        exported.out.starts_with("trial,attempt,strategy,t_s,state,sense,value,limit\n1,1,\"quick\","),
        "{}",
        exported.out
    );

    let log = at.join("valve.mcap");
    ran(&["--experience", kept, "--log", text(&log)]);
    let replayed = coact(&["replay", text(&log)]);
    assert_eq!(replayed.code, 0, "{}{}", replayed.out, replayed.err);

    assert_eq!(coact(&["experience", "clear", TASK, "--in", kept]).out, "forgot 2 attempts of `made-up-valve/close`\n");
    let (anew, _) = ran(&["--experience", kept]);
    assert!(tried(&anew, "Twist"), "{anew:?}");
}

#[test]
fn what_is_wrong_is_told_not_used_and_kept() {
    let at = folder("experience-wrong");
    let kept = text(&at);
    ran(&["--experience-out", kept]);
    let file = at.join("made-up-valve/close.jsonl");
    let before = fs::read_to_string(&file).expect("it was kept");
    fs::write(&file, format!("{}{}", before.replacen("\"max\":3.0", "\"max\":9.0", 1), &before[..before.len() / 3]))
        .unwrap();
    let damaged = fs::read_to_string(&file).unwrap();
    let ran_again = coact(&["run", VALVE, "--experience", kept, "--experience-out", kept]);
    let told = format!("{}{}", ran_again.out, ran_again.err);
    assert!(told.contains("line 1 is not used: it was changed by hand, or damaged"), "{told}");
    assert!(told.contains("is not used: it was cut"), "{told}");
    let after = fs::read_to_string(&file).unwrap();
    assert!(after.starts_with(&damaged), "what was there has changed");
    // What was added behind the cut is read.
    let shown = coact(&["experience", "list", "--in", kept, "--json"]);
    let listed: Json = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(listed["wrong"].as_array().map(Vec::len), Some(2), "{listed}");
    assert!(listed["attempts"].as_u64() >= Some(2), "{listed}");
}

#[test]
fn names_lead_nowhere_else() {
    let at = folder("experience-names");
    for name in ["../made", "/etc/passwd", "a/../b", ""] {
        let shown = coact(&["experience", "show", name, "--in", text(&at)]);
        assert_eq!(shown.code, 2, "{name}: {}", shown.out);
        assert!(shown.err.contains("cannot name a task"), "{name}: {}", shown.err);
    }
    let unknown = coact(&["experience", "clear", "valve", "--in", text(&at)]);
    assert!(unknown.code == 2 && unknown.err.contains("nothing is known of `valve`"), "{}", unknown.err);
    let behavior = at.join("bad.json");
    fs::write(&behavior, r#"{"version": 2, "type": "adaptive", "task": "../x", "children": [{"type": "wait"}]}"#)
        .unwrap();
    let checked = coact(&["check", text(&behavior)]);
    assert!(checked.code == 2 && checked.out.contains("cannot name a task"), "{}{}", checked.out, checked.err);
}
