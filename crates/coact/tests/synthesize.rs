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

fn asked(capabilities: &Path, more: &[&str]) -> Ran {
    coact(&[&["synthesize", "--capabilities", text(capabilities)], more].concat())
}

/// Each line of what may be wrong, as a person meets it.
#[test]
fn bad_input_is_told_with_its_place_and_its_remedy() {
    let circle =
        written("synthesize-circle", r#"{"actions": {"open": {"needs": ["inside"]}, "inside": {"needs": ["open"]}}}"#);
    for ran in [asked(&circle, &["--goal", "open"]), coact(&["check", text(&circle)])] {
        assert_eq!(ran.code, 2);
        let told = format!("{}{}", ran.out, ran.err);
        assert!(told.contains("these need each other, so none can be the first"), "{told}");
    }
    for (from, goals, more, says) in [
        ("stand", "grasp_objct", &[][..], "did you mean `grasp_object`?"),
        ("stnd", "grasp_object", &[], "did you mean `stand`?"),
        ("stand,walk", "grasp_object", &[], "`stand` and `walk` cannot both be on at the start: name one mode"),
        ("stand,grasp_object", "grasp_object", &[], "`grasp_object` is so already"),
        ("stand", "look_down,look_down", &[], "the goal `look_down` is named twice"),
        ("stand", "look_down", &["--modes", "run"], "`run` is no mode"),
    ] {
        let ran = synthesize(from, goals, more);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{from} {goals}");
        assert!(ran.err.contains(says), "{}", ran.err);
    }
    for (formula, says) in [
        ("sys GF(F(look_down))", "line 1: column 8: `F` stands inside of a formula"),
        ("sys G(next(next(look_down)))", "line 1: column 7: `next` in `next`"),
        ("sys look_down", "line 1: write `env` or `sys`, then G(…)"),
        ("env G(next(look_down))", "the environment knows nothing of `next(look_down)`"),
        ("sys G(look_dwn)", "line 1: column 7: `look_dwn` is unknown: did you mean `look_down`?"),
    ] {
        let file = written("synthesize-outside", formula);
        let ran = synthesize("stand", "look_down", &["--formulas", text(&file)]);
        assert_eq!(ran.code, 2, "{formula}: {}", ran.out);
        assert!(ran.err.contains(says), "{formula}: {}", ran.err);
    }
}

#[test]
fn thousands_of_actions_are_no_trouble_and_a_search_stops_at_its_limit() {
    let actions: Vec<String> = (0..5000)
        .map(|at| {
            format!(r#""a{at}": {{"needs": [{}]}}"#, if at == 0 { String::new() } else { format!("\"a{}\"", at - 1) })
        })
        .collect();
    let chain = written("synthesize-thousands", &format!("{{\"actions\": {{{}}}}}", actions.join(", ")));
    let ran = asked(&chain, &["--goal", "a4999", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.json()["plan"]["activations"].as_array().expect("a list").len(), 5000);
    let stopped = synthesize("stand", "look_down,grasp_object", &["--limit", "0"]);
    assert_eq!(stopped.code, 1, "{}", stopped.out);
    assert!(
        stopped.err.starts_with("stopped after 0 situations: 0 of 2 goals were reached, `look_down`"),
        "{}",
        stopped.err
    );
}

const DOOR: &str = r#"{
  "sensors": {"door_open": {"holds_if": "is_open"}},
  "modes": {
    "before": {"to": ["behind", "pushing"]},
    "pushing": {"to": ["behind"], "step": {"type": "set", "values": {"is_open": "true"}}},
    "behind": {"needs": ["door_open"]}
  }
}"#;

/// Whoever has pushed finds it open: so it pushes where it is shut, and walks where it is open.
#[test]
fn what_is_sensed_decides_what_is_done() {
    let able = written("synthesize-sensor", DOOR);
    let promise = written("synthesize-promise", "env G(next(pushing.c) -> next(door_open))\n");
    // The behavior has the variable: nothing in the file of what a robot is able to do declares it.
    let unset = DOOR.replace(r#", "step": {"type": "set", "values": {"is_open": "true"}}"#, "");
    assert_ne!(unset, DOOR);
    for file in [&able, &written("synthesize-sensor-unset", &unset)] {
        let checked = coact(&["check", text(file)]);
        assert_eq!((checked.code, checked.out.as_str()), (0, "no problems in 1 file\n"));
    }
    let broken = written("synthesize-sensor-broken", &DOOR.replace(r#""is_open"}"#, r#""is_open &&"}"#));
    let checked = coact(&["check", text(&broken)]);
    assert_eq!(checked.code, 2, "{}", checked.out);
    assert!(checked.out.contains("door_open") && checked.out.contains("is_open &&"), "{}", checked.out);
    let out = folder("synthesize-sensor-tree").join("through.json");
    let lost = asked(&able, &["--from", "before", "--goal", "behind"]);
    assert_eq!(lost.code, 1, "{}", lost.out);
    assert!(lost.err.contains("keep the goals from being reached"), "{}", lost.err);
    let args = ["--from", "before", "--goal", "behind", "--formulas", text(&promise), "--tree", text(&out)];
    let ran = asked(&able, &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(
        ran.out.split("\n\n").next().expect("an outline"),
        "What is sensed\n  not door_open\n    pushing\n    behind\n  door_open\n    behind"
    );
    let tree = std::fs::read_to_string(&out).expect("a file");
    for (open, expected) in [("true", &["behind"][..]), ("false", &["pushing", "behind"])] {
        let with = tree.replacen('{', &format!("{{\"variables\": {{\"is_open\": {open}}},"), 1);
        let file = written("synthesize-sensor-run", &with);
        assert_eq!(coact(&["check", text(&file)]).code, 0);
        let ran = coact(&["run", text(&file), "--json"]);
        let report = ran.json();
        assert_eq!(report["result"], "success", "{}", ran.out);
        let steps = report["steps"].as_array().expect("steps").iter();
        let done: Vec<&str> =
            steps.filter(|step| step["type"] != "choose").filter_map(|step| step["node"].as_str()).collect();
        assert_eq!(done, expected, "is_open {open}");
    }
}

#[test]
fn a_skill_says_what_it_needs_and_the_capabilities_file_counts_more() {
    let place = folder("synthesize-annotated");
    let write = |name: &str, text: &str| std::fs::write(place.join(name), text).expect("a file");
    let skill = |capability: &str| {
        format!(
            r#"{{"version": 2, "capability": {capability}, "children": [{{"type": "wait", "name": "Do", "duration_s": 0.1}}]}}"#
        )
    };
    write("press.json", &skill(r#"{"needs": ["standing"]}"#));
    let able = |own: &str| {
        format!(
            r#"{{"modes": {{"sitting": {{"to": ["standing"]}}, "standing": {{}}}},
              "actions": {{"pressed": {{"step": {{"type": "skill", "file": "press.json"}}{own}}}}}}}"#
        )
    };
    write("able.json", &able(""));
    let file = place.join("able.json");
    let found = |args: &[&str]| asked(&file, &[&["--from", "sitting", "--goal", "pressed"], args].concat());
    assert!(found(&[]).out.starts_with("standing\npressed\n"), "{}", found(&[]).err);
    write("able.json", &able(r#", "needs": []"#));
    assert!(found(&[]).out.starts_with("pressed\n"), "what the file says itself counts");
    write("able.json", &able(""));
    write("press.json", &skill(r#"{"need": ["standing"]}"#));
    for ran in [coact(&["check", text(&file)]), coact(&["check", text(&place.join("press.json"))])] {
        assert_eq!(ran.code, 2, "{}", ran.out);
        assert!(ran.out.contains("press.json capability: `need` is unknown here"), "{}", ran.out);
    }
    // Saved and loaded again, a skill says the same.
    let real = root().join("skills/devices/press-button.json");
    assert!(std::fs::read_to_string(real).expect("a file").contains(r#""capability": {"needs": ["standing"]}"#));
}
