//! A tree with objects at their nominal poses: step by step, and run.

mod common;

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
