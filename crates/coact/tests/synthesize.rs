//! Goals to behaviors, as the command gives them and as they run.

use crate::common;

use std::path::{Path, PathBuf};

use common::{Ran, coact, files_under, folder, root};

fn written(folder_name: &str, text: &str) -> PathBuf {
    let path = folder(folder_name).join("behavior.json");
    std::fs::write(&path, text).expect("a file");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn synthesize(from: &str, goals: &str, more: &[&str]) -> Ran {
    let args = ["synthesize", "--capabilities", "capabilities/vigir.json", "--from", from, "--goal", goals];
    coact(&[&args, more].concat())
}

#[test]
fn every_capabilities_file_passes_the_check() {
    let files = files_under(&root().join("capabilities"));
    assert!(files.len() >= 2);
    for file in files {
        let ran = coact(&["check", text(&file)]);
        assert_eq!((ran.code, ran.out.as_str()), (0, "no problems in 1 file\n"), "{}", file.display());
    }
}

#[test]
fn a_behavior_that_was_found_is_checked_and_runs() {
    let out = folder("synthesize-runs").join("grasp.json");
    let ran = synthesize("stand", "look_down,grasp_object", &["--tree", text(&out), "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let names = |json: &serde_json::Value| -> Vec<String> {
        json.as_array().expect("a list").iter().map(|each| each["name"].as_str().expect("a name").to_owned()).collect()
    };
    let found = names(&ran.json()["plan"]["activations"]);
    assert_eq!(found, ["look_down", "manipulate", "object_template", "grasp_object"]);
    assert_eq!(ran.json()["proof"]["runs"], 5);
    assert_eq!(coact(&["check", text(&out)]).code, 0);
    let report = coact(&["run", text(&out), "--json"]).json();
    assert_eq!(report["result"], "success");
    let paths: Vec<&str> =
        report["steps"].as_array().expect("steps").iter().filter_map(|step| step["path"].as_str()).collect();
    let mut place = 0;
    for name in &found {
        place =
            paths.iter().position(|path| path.split('/').nth(1) == Some(name)).filter(|at| *at >= place).expect(name);
    }
}

#[test]
fn why_there_is_none_is_told_and_so_are_mistakes() {
    let none = synthesize("stand", "stand_prep", &[]);
    assert_eq!(none.code, 1);
    assert_eq!(none.err, "`stand_prep` cannot be reached from `stand`: nothing leads to it\n");
    let mistake = synthesize("stand", "grasp_objct", &[]);
    assert_eq!(mistake.code, 2);
    assert!(mistake.err.contains("did you mean `grasp_object`?"), "{}", mistake.err);
    let json = synthesize("stand", "stand_prep", &["--json"]).json();
    assert_eq!(json["why"]["no_way"]["end"], "nothing_leads_to");
    let formulas = written("synthesize-formulas", "sys G(look_down -> object_template.c)\n");
    let ruled = synthesize("stand", "look_down,grasp_object", &["--formulas", text(&formulas)]);
    assert!(
        ruled.out.starts_with("object_template\nlook_down\nmanipulate\ngrasp_object\n"),
        "{}{}",
        ruled.out,
        ruled.err
    );
    let formulas = written("synthesize-formulas", "sys G(look_down -> )\n");
    let wrong = synthesize("stand", "look_down", &["--formulas", text(&formulas)]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("line 1: column 20:"), "{}", wrong.err);
}

#[test]
fn a_step_finds_its_steps_on_board() {
    let out = folder("synthesize-on-board").join("grasp.json");
    let ran = synthesize("stand", "look_down,grasp_object", &["--tree", text(&out), "--on-board"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let checked = coact(&["check", text(&out)]);
    assert_eq!(checked.code, 0, "{}", checked.out);
    let ran = coact(&["run", text(&out), "--json"]);
    assert_eq!(ran.json()["result"], "success", "{}", ran.out);
    assert_eq!(begun(&ran), ["look_down", "manipulate", "object_template", "grasp_object"]);
}

/// The children of the root that were started, each as often as it was, in order of time.
fn begun(ran: &Ran) -> Vec<String> {
    let report = ran.json();
    let mut begun: Vec<(f64, String)> = Vec::new();
    for step in report["steps"].as_array().expect("steps") {
        let path: Vec<&str> = step["path"].as_str().expect("a path").split('/').collect();
        let is_whole = path.len() == 2 || path.get(2).is_some_and(|part| part.ends_with(": do"));
        if is_whole && !path[1].is_empty() {
            begun.push((step["start_s"].as_f64().expect("a time"), path[1].to_owned()));
        }
    }
    begun.sort_by(|one, other| one.0.total_cmp(&other.0));
    begun.into_iter().map(|(_, name)| name).collect()
}

/// The door is shut by somebody once: it goes back to the handle, and through.
const DISTURBED: &str = r#"{
  "version": 2,
  "type": "achieve",
  "name": "Through",
  "goals": ["gone"],
  "from": ["here"],
  "replan": 1,
  "abilities": {"here": {"to": ["gone"]}, "gone": {"to": [], "needs": ["open"]}},
  "variables": {"pushes": 0},
  "children": [
    {"type": "stand_in", "name": "here"},
    {
      "type": "sequence",
      "name": "gone",
      "children": [
        {"type": "set", "name": "Push", "values": {"pushes": "pushes + 1"}},
        {"type": "stand_in", "name": "Press", "duration_s": 1, "fails_if": "pushes < 2", "outcome": "shut"}
      ]
    },
    {"type": "stand_in", "name": "open", "duration_s": 1}
  ]
}"#;

#[test]
fn after_a_failure_it_finds_another_way_as_often_as_it_may() {
    let file = written("synthesize-replan", DISTURBED);
    let ran = coact(&["run", text(&file), "--json"]);
    assert_eq!(ran.json()["result"], "success", "{}", ran.out);
    let once = written("synthesize-no-replan", &DISTURBED.replace("\"replan\": 1", "\"replan\": 0"));
    let ran = coact(&["run", text(&once), "--json"]);
    assert_eq!(ran.json()["result"], "failure", "{}", ran.out);
    let cannot =
        written("synthesize-cannot", &DISTURBED.replace(r#""here": {"to": ["gone"]}"#, r#""here": {"to": []}"#));
    let ran = coact(&["run", text(&cannot), "--json"]);
    assert_eq!(ran.json()["result"], "failure");
    let reason = ran.json()["reason"].as_str().expect("a reason").to_owned();
    assert!(reason.contains("`gone` cannot be reached from `here`: nothing leads to it"), "{reason}");
}
