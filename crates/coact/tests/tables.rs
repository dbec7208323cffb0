#![cfg(feature = "mujoco")]
//! Tables and devices in physics, with the usual noise of camera and detector. The worlds say what must be true.

use crate::common;

use common::{coact, folder, root};
use serde_json::Value as Json;

#[track_caller]
fn ran(file: &str, world: &str, more: &[&str]) -> Json {
    let ran = coact(&[&["run", file, "--world", world, "--seed", "1", "--max-time", "90", "--json"], more].concat());
    assert_eq!(ran.code, 0, "{file} in {world}: {}{}", ran.out, ran.err);
    ran.json()
}

#[track_caller]
fn all_is_true(report: &Json) {
    let truths = report["truths"].as_array().expect("truths");
    assert!(truths.len() > 1, "the world expects nothing: {truths:?}");
    assert!(truths.iter().all(|truth| truth["met"] == true), "{truths:?}");
}

#[test]
fn six_balls_are_placed_by_both_hands() {
    let report = ran("skills/tables/pick-and-place.json", "table-six-balls", &[]);
    all_is_true(&report);
    assert!(report["duration_s"].as_f64().expect("seconds") <= 42.0);
}

/// Without the region, balls that are in a container would be taken out of it for ever.
#[test]
fn the_small_robot_sorts_by_colour() {
    all_is_true(&ran("skills/tables/sort-by-colour.json", "low-table-sorting", &["--robot", "coact-mini"]));
}

#[test]
fn a_button_is_pressed() {
    let report = ran("skills/devices/press-button.json", "button", &[]);
    let steps = report["steps"].as_array().expect("steps");
    assert!(steps.iter().any(|step| step["node"] == "It was felt" && step["result"] == "success"));
}

/// Who changes one side changes the other: mirrored with every object in the robot's plane, and `right` of the objects
/// made `left`. Each is mirrored in a folder of its own, since the skills it uses are mirrored with it.
#[test]
fn the_left_hand_does_as_the_right() {
    let names = ["pick", "grasp", "grip", "drop", "aside", "give-way", "come-free", "retreat"];
    for name in names {
        let there = folder(&format!("tables-mirrored-{name}"));
        let others =
            names.iter().map(|name| format!("{name}-right.json")).chain(["look-at-containers.json".to_owned()]);
        for file in others {
            std::fs::copy(root().join("skills/tables").join(&file), there.join(&file)).expect("copied");
        }
        let path = |side: &str| there.join(format!("{name}-{side}.json")).to_str().expect("UTF-8").to_owned();
        let objects = ["right centre", "right spot", "right goal", "right ball", "place a", "place b"];
        let frames = objects.map(|object| format!("--frame={object}=0.4,0,0.8"));
        let (from, to) = (path("right"), path("left"));
        let args = ["edit", &*from, "mirror", "/", "--skills", "--output", &*to];
        let args: Vec<&str> = args.into_iter().chain(frames.iter().map(|frame| &**frame)).collect();
        let ran = coact(&args);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let mut mirrored = std::fs::read_to_string(to).expect("written");
        for object in ["centre", "spot", "goal", "ball"] {
            mirrored = mirrored.replace(&format!("\"right {object}\""), &format!("\"left {object}\""));
            mirrored = mirrored.replace(&format!("'right {object}'"), &format!("'left {object}'"));
        }
        for finger in ["middle", "ring"] {
            mirrored = mirrored.replace(&format!("'right_{finger}_distal'"), &format!("'left_{finger}_distal'"));
        }
        let saved =
            std::fs::read_to_string(root().join(format!("skills/tables/{name}-left.json"))).expect("the left one");
        assert!(mirrored == saved, "skills/tables/{name}-left.json is not the mirror image of the right one");
    }
}
