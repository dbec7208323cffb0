//! Every behavior that is shipped runs to its end on the robot of previews, where nothing is felt or seen.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::common::{self, coact, root};
use serde_json::Value as Json;

fn behaviors(folder: &Path, found: &mut BTreeMap<String, Json>) {
    let entries = std::fs::read_dir(folder).expect("a folder of behaviors");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            behaviors(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a file");
        let json: Json = serde_json::from_str(&text).expect("JSON");
        if json.get("children").is_some() {
            found.insert(name_of(&path), json);
        }
    }
}

fn name_of(path: &Path) -> String {
    path.strip_prefix(root()).expect("in the repository").to_str().expect("UTF-8").to_owned()
}

fn each(node: &Json, see: &mut impl FnMut(&Json)) {
    see(node);
    node["children"].as_array().into_iter().flatten().for_each(|child| each(child, see));
}

/// The files of skills that a behavior uses.
fn uses(file: &str, behavior: &Json) -> Vec<String> {
    let mut used = Vec::new();
    each(behavior, &mut |node| {
        if let (Some("skill"), Some(path)) = (node["type"].as_str(), node["file"].as_str()) {
            used.push(model::file::join(file, path));
        }
    });
    used
}

/// Behaviors that suites run, each with its robot.
fn tried() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut suites: Vec<PathBuf> = std::fs::read_dir(root().join("suites"))
        .expect("suites/")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    suites.sort();
    for path in suites {
        let suite: Json = serde_json::from_str(&std::fs::read_to_string(&path).expect("a suite")).expect("JSON");
        let file = name_of(&path);
        for case in suite["cases"].as_array().expect("cases") {
            // Its figures are published, it is not said to succeed.
            if case["target"]["success"] == 0 {
                continue;
            }
            let robot = [&case["robot"], &suite["defaults"]["robot"]].into_iter().find_map(Json::as_str);
            let behavior = model::file::join(&file, case["behavior"].as_str().expect("a behavior"));
            let mut robot = robot.unwrap_or("coact-one").to_owned();
            if robot.ends_with(".urdf") {
                robot = model::file::join(&file, &robot);
                if !root().join(&robot).exists() {
                    eprintln!("SKIPPED: {behavior} on {robot}, which `./dev robots` gets");
                    continue;
                }
            }
            all.push((behavior, robot));
        }
    }
    all.sort();
    all.dedup();
    all
}

fn previews(file: &str, robot: &str) -> Result<(), String> {
    let mut args = vec!["preview", file, "--run", "--robot", robot, "--json"];
    // Equipment is played by what lies beside the behavior.
    let env = Path::new(file).with_file_name("environment.json");
    let env = env.to_str().expect("UTF-8");
    let text = std::fs::read_to_string(root().join(file)).expect("a file");
    if text.contains("\"cell\"") {
        args.extend(["--env", env]);
    }
    // A part that reaches for what its caller knows.
    if file.ends_with("skills/reach.json") {
        args.extend(["--frame", "mug=0.35,-0.3,0.9"]);
    }
    let ran = coact(&args);
    if ran.code == 0 {
        return Ok(());
    }
    let reason = serde_json::from_str::<Json>(&ran.out).map(|report| report["reason"].to_string()).unwrap_or(ran.err);
    Err(format!("{file} on {robot}: {reason}"))
}

#[test]
fn behaviors_preview_to_their_end_on_every_robot_that_they_are_meant_for() {
    let failed: Vec<String> = tried().into_iter().filter_map(|(file, robot)| previews(&file, &robot).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_other_file_previews_by_itself_or_is_part_of_one_that_does() {
    let mut files = BTreeMap::new();
    ["skills", "examples"].iter().for_each(|folder| behaviors(&root().join(folder), &mut files));
    assert!(files.len() > 60, "{}", files.len());
    let tried: Vec<String> = tried().into_iter().map(|(file, _)| file).collect();
    let mut previewed: Vec<String> = tried.clone();
    let mut rest: Vec<&String> = Vec::new();
    for file in files.keys().filter(|file| !file.ends_with("/environment.json") && !tried.contains(file)) {
        let robot = if file.contains("-mini") { "coact-mini" } else { "coact-one" };
        match previews(file, robot) {
            Ok(()) => previewed.push(file.clone()),
            Err(_) => rest.push(file),
        }
    }
    let mut at = 0;
    while let Some(file) = previewed.get(at).cloned() {
        at += 1;
        let parts = files.get(&file).map(|behavior| uses(&file, behavior)).unwrap_or_default();
        previewed.extend(parts.into_iter().filter(|part| !previewed.contains(part)).collect::<Vec<_>>());
    }
    let alone: Vec<&&String> = rest.iter().filter(|file| !previewed.contains(file)).collect();
    assert!(alone.is_empty(), "they fail alone, and nothing that previews uses them: {alone:?}");
}

#[test]
fn a_goal_that_is_moved_out_of_reach_fails_its_preview() {
    let text = std::fs::read_to_string(root().join("skills/devices/press-button.json")).expect("a skill");
    let away = text.replace(r#""nominal": {"x_m": 0.6,"#, r#""nominal": {"x_m": 2.6,"#);
    assert_ne!(away, text);
    let file = common::folder("preview-away").join("away.json");
    std::fs::write(&file, away).expect("a file");
    let ran = coact(&["preview", file.to_str().expect("UTF-8"), "--run", "--json"]);
    assert_eq!(ran.code, 1, "what is authored for previews says nothing of reach: {}", ran.out);
}

#[test]
fn a_bent_elbow_is_no_collision_and_a_walk_to_where_it_stands_is_possible() {
    let bent = common::behavior(
        "preview-bent",
        r#"{"type": "arm", "by": "angles", "side": "left", "angles_deg": [0, 40, 0, -130, 0, 0, 0], "duration_s": 3}"#,
    );
    let step = &coact(&["preview", &bent, "--json"]).json()["steps"][0];
    assert_eq!(step["preview"]["collisions"], serde_json::json!([]), "{step}");
    let fresh = common::behavior("preview-fresh", r#"{"type": "walk"}"#);
    let ran = coact(&["preview", &fresh]);
    assert_eq!(ran.code, 0, "{}", ran.out);
}
