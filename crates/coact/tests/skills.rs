//! Every skill of the library runs on every robot of our own.

use crate::common;

use std::path::{Path, PathBuf};

use common::{coact, folder, root};

const ROBOTS: [&str; 2] = ["coact-one", "coact-mini"];
/// Where both robots reach it.
const MUG_LEFT: &str = "mug=0.35,0.3,0.9";
const MUG_RIGHT: &str = "mug=0.35,-0.3,0.9";

fn skills() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("skills")).expect("skills/");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

fn behaviors(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of skills") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            behaviors(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
}

fn name_of(path: &Path) -> String {
    path.strip_prefix(root()).expect("in the repository").to_str().expect("UTF-8").to_owned()
}

/// Where a skill has sides, each.
fn sides(path: &Path) -> &'static [&'static str] {
    let text = std::fs::read_to_string(path).expect("a skill");
    let skill: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    if skill["inputs"]["side"].is_object() { &["right", "left"] } else { &[] }
}

#[test]
fn every_skill_runs_on_every_robot_and_side() {
    let skills = skills();
    assert!(skills.len() >= 9, "{skills:?}");
    let sided = skills.iter().filter(|path| !sides(path).is_empty()).count();
    assert!(sided >= 5, "{sided} have sides");
    for path in &skills {
        let name = name_of(path);
        for robot in ROBOTS {
            let checked = coact(&["check", &name, "--robot", robot]);
            assert_eq!((checked.code, checked.out.as_str()), (0, "no problems in 1 file\n"), "{name} on {robot}");
            match sides(path) {
                [] => runs(&name, robot, None),
                sides => sides.iter().for_each(|side| runs(&name, robot, Some(side))),
            }
        }
    }
}

fn runs(name: &str, robot: &str, side: Option<&str>) {
    let touched = side.unwrap_or("right");
    let touch = format!(r#"{{"at_s": 4, "kind": {{"hand_force": {{"side": "{touched}", "force_n": [0, 0, 30]}}}}}}"#);
    let set = side.map(|side| format!("side={side}"));
    let mut args = vec!["run", name, "--robot", robot];
    let set: Vec<&str> = set.iter().flat_map(|set| ["--set", set]).collect();
    let more: &[&str] = match () {
        () if name.contains("grasp") => &["--fault", &touch],
        () if name.contains("reach") => &["--frame", if touched == "left" { MUG_LEFT } else { MUG_RIGHT }],
        () => &[],
    };
    args.extend(&set);
    if !more.is_empty() {
        let alone = coact(&args);
        assert_eq!(alone.code, 1, "{name} on {robot} needs {}: {}", more[0], alone.out);
        args.extend(more);
    }
    let ran = coact(&args);
    assert_eq!(ran.code, 0, "{name} on {robot}, {side:?}: {}{}", ran.out, ran.err);
    args[0] = "preview";
    args.push("--run");
    let preview = coact(&args);
    assert_eq!(preview.code, 0, "{name} on {robot}, {side:?}: {}{}", preview.out, preview.err);
}

#[test]
fn every_skill_is_as_it_is_saved() {
    for path in skills() {
        let name = name_of(&path);
        let out = folder("skills-saved").join("saved.json");
        let text = std::fs::read_to_string(&path).expect("a skill");
        if !text.contains(r#""type": "skill""#) {
            assert_eq!(coact(&["import", &name, "-o", out.to_str().expect("UTF-8")]).code, 0, "{name}");
            assert_eq!(std::fs::read_to_string(&out).expect("it was written"), text, "{name}");
        }
        assert!(text.contains("\"notes\""), "{name} does not say what it is for");
    }
}

/// Settings whose numbers belong to one robot or to one door, where they are written out: angles of an arm's joints in their
/// order, joints by name, and how a door is built.
const OF_ONE: [&str; 4] = ["angles_deg", "positions_m", "hinge_from_handle_m", "standoff_m"];

/// Where they still are: how often in which file.
const LEFT: &[(&str, usize)] = &[
    ("skills/devices/tending/take-part.json", 1),
    ("skills/devices/tending/tend-tester.json", 3),
    ("skills/devices/tending/tend.json", 1),
    ("skills/doors/push-high.json", 5),
];

fn of_one(value: &serde_json::Value) -> usize {
    use serde_json::Value as Json;
    match value {
        Json::Object(entries) => {
            let is_literal = |key: &str, value: &Json| OF_ONE.contains(&key) && value.get("=").is_none();
            entries.iter().map(|(key, value)| usize::from(is_literal(key, value)) + of_one(value)).sum()
        }
        Json::Array(items) => items.iter().map(of_one).sum(),
        _ => 0,
    }
}

/// A skill is written once: what is still written for one robot or door is in the list, and nothing more comes to it.
#[test]
fn no_skill_has_numbers_of_one_robot_or_door() {
    let mut files = Vec::new();
    behaviors(&root().join("skills"), &mut files);
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a skill");
        let found = of_one(&serde_json::from_str(&text).expect("JSON"));
        let name = name_of(&path);
        let allowed = LEFT.iter().find(|(left, _)| *left == name).map_or(0, |(_, count)| *count);
        assert!(found <= allowed, "{name} has {found} settings with numbers of one robot or door, {allowed} are known");
    }
}
