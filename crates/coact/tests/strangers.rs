//! Robots of others, from their URDF to the end of a run in physics, by the commands a person types.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{coact, root};

/// The URDF, and whether it has fingers.
const STRANGERS: [(&str, bool); 4] = [
    ("talos_data/robots/talos_full_v2.urdf", true),
    ("g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf", true),
    ("g1_description/urdf/g1_29dof_rev_1_0.urdf", false),
    ("romeo_description/urdf/romeo.urdf", true),
];

fn strangers() -> Vec<(PathBuf, bool)> {
    let folder = root().join("third_party/example-robot-data/robots");
    let found: Vec<_> = STRANGERS.iter().map(|(file, fingers)| (folder.join(file), *fingers)).collect();
    if found.iter().any(|(file, _)| !file.is_file()) {
        eprintln!("SKIPPED: the robots of others are not in {}; `./dev robots` gets them", folder.display());
        return Vec::new();
    }
    found
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn they_are_guessed_and_walk_wave_reach_and_close_a_hand_in_physics() {
    for (urdf, fingers) in strangers() {
        let folder = common::folder("strangers").join(urdf.file_stem().expect("a name"));
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("robot.json");
        let _ = fs::remove_file(&file);
        let checked = coact(&["robot-check", text(&urdf), "--write", text(&file)]);
        assert_eq!(checked.code, 0, "{}: {}{}", urdf.display(), checked.out, checked.err);
        assert!(!checked.out.contains("does not walk"), "{}: {}", urdf.display(), checked.out);
        let again = coact(&["robot-check", text(&folder)]);
        assert_eq!(again.code, 0, "{}: {}{}", urdf.display(), again.out, again.err);
        if !cfg!(feature = "mujoco") {
            continue;
        }
        let mut behaviors = vec!["examples/any-robot/walk.json", "skills/wave.json", "examples/any-robot/reach.json"];
        if fingers {
            behaviors.push("examples/any-robot/close.json");
        } else {
            behaviors.remove(1);
            fingers_are_missed_before_the_run(&folder);
        }
        for behavior in behaviors {
            let ran = coact(&["run", behavior, "--robot", text(&folder), "--world", "empty", "--quiet"]);
            assert_eq!(ran.code, 0, "{}, {behavior}: {}{}", urdf.display(), ran.out, ran.err);
        }
    }
}

/// What a robot lacks is told with the step that needs it.
fn fingers_are_missed_before_the_run(robot: &Path) {
    let checked = coact(&["check", "examples/any-robot/close.json", "--robot", text(robot)]);
    assert_eq!(checked.code, 2, "{}", checked.out);
    assert!(checked.out.contains("/Close") && checked.out.contains("has no grip"), "{}", checked.out);
}

/// A URDF by itself is a robot, too, and what is guessed of it is told whole.
#[test]
fn what_is_guessed_is_told_with_reasons() {
    for (urdf, _) in strangers() {
        let ran = coact(&["robot-check", "--json", text(&urdf)]);
        let told = ran.json();
        let guessed = told["guessed"].as_array().expect("a list");
        for key in ["frames.pelvis", "frames.left_hand", "presets_deg.home", "walking"] {
            let of_key = guessed.iter().find(|told| told["key"] == key).unwrap_or_else(|| panic!("{key}: {told}"));
            assert!(!of_key["value"].is_null() && of_key["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
            assert!(
                ["sure", "likely", "doubtful"].contains(&of_key["confidence"].as_str().expect("a word")),
                "{of_key}"
            );
            assert!(of_key["alternatives"].is_array() && of_key["links"].is_array(), "{of_key}");
        }
    }
    if let Some((urdf, _)) = strangers().first() {
        let ran = coact(&["run", "examples/any-robot/walk.json", "--robot", text(urdf), "--quiet"]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    }
}
