//! A tree with objects at their nominal poses: step by step, and run.

use crate::common;

use common::coact;
use serde_json::Value as Json;

const FILE: &str = "examples/scene/to-the-ball.json";

#[test]
fn step_by_step_objects_are_put_and_conditions_shown() {
    let ran = coact(&["preview", FILE]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("ball at 1.5 0.3 0.8 m"), "{}", ran.out);
    assert!(ran.out.contains("holds"), "{}", ran.out);
    let json: Json = serde_json::from_str(&coact(&["preview", FILE, "--json"]).out).expect("JSON");
    let steps = json["steps"].as_array().expect("steps");
    let near = steps.iter().find(|step| step["node"] == "Close enough").expect("the condition");
    assert_eq!(near["measured"]["holds"], true, "{near}");
    assert_eq!(near["measured"]["unit"], "m");
}

#[test]
fn run_takes_nominal_poses_and_a_bare_run_does_not() {
    let preview = coact(&["preview", FILE, "--run", "--json"]);
    assert_eq!(preview.code, 0, "{}{}", preview.out, preview.err);
    let report: Json = serde_json::from_str(&preview.out).expect("JSON");
    let results = |report: &Json| -> Vec<(String, String)> {
        let steps = report["steps"].as_array().expect("steps").iter();
        let text = |step: &Json, key: &str| step[key].as_str().unwrap_or_default().to_owned();
        steps.map(|step| (text(step, "node"), text(step, "result"))).collect()
    };
    assert!(results(&report).contains(&("Walk up".to_owned(), "success".to_owned())), "{report}");
    assert!(report["scene"].as_array().is_some_and(|changes| !changes.is_empty()), "{report}");
    assert!(report["measured"].as_array().is_some_and(|values| !values.is_empty()), "{report}");
    let bare: Json = serde_json::from_str(&coact(&["run", FILE, "--json"]).out).expect("JSON");
    assert!(results(&bare).contains(&("Lock on".to_owned(), "failure".to_owned())), "{bare}");
    assert!(results(&bare).contains(&("Say so".to_owned(), "success".to_owned())), "{bare}");
}

#[test]
fn what_has_no_nominal_pose_says_so() {
    let folder = common::folder("preview-bare");
    let file = folder.join("bare.json");
    let text = r#"{"version": 1, "children": [{"type": "setup_object", "name": "Lock", "class": "cup"}]}"#;
    std::fs::write(&file, text).expect("a file");
    let ran = coact(&["preview", file.to_str().expect("UTF-8")]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("has no nominal pose"), "{}", ran.out);
}

#[test]
fn what_would_go_into_its_own_body_is_refused_by_both_names_and_still_shown() {
    let pose = r#""frame": "chest", "pose": {"x_m": 0.02, "y_m": 0.04, "z_m": 0.1}, "duration_s": 3"#;
    let preview = |name: &str, more: &str| {
        let arm = format!(r#"{{"type": "arm", "name": "Into", "side": "left", {pose}{more}}}"#);
        coact(&["preview", &common::behavior(name, &arm), "--json"])
    };
    let refused = preview("preview-own-body", "");
    assert_eq!(refused.code, 1, "{}{}", refused.out, refused.err);
    let step = &refused.json()["steps"][0];
    let why = step["problem"].as_str().unwrap_or_default();
    assert!(why.starts_with("it would drive left_") && why.contains(" into chest of its own body"), "{why}");
    assert_eq!(step["preview"]["refused"], step["problem"]);
    assert!(step["preview"]["goal"].as_array().is_some_and(|goal| !goal.is_empty()), "{step}");
    let meant = preview("preview-own-body-meant", r#", "may_touch_body": true"#);
    let why = meant.json()["steps"][0]["problem"].as_str().unwrap_or_default().to_owned();
    assert!(!why.contains("own body"), "{why}");
}
