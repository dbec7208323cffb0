#![cfg(feature = "mujoco")]
//! Tables and devices in physics, with the usual noise of camera and detector.

mod common;

use common::{coact, folder};
use serde_json::Value as Json;

#[track_caller]
fn ran(file: &str, world: &str, more: &[&str]) -> Json {
    let ran = coact(&[&["run", file, "--world", world, "--seed", "1", "--max-time", "90", "--json"], more].concat());
    assert_eq!(ran.code, 0, "{file} in {world}: {}{}", ran.out, ran.err);
    ran.json()
}

fn times(report: &Json, node: &str) -> usize {
    let steps = report["steps"].as_array().expect("steps");
    steps.iter().filter(|step| step["node"] == node && step["result"] == "success").count()
}

#[test]
fn six_balls_are_placed_by_both_hands() {
    let report = ran("skills/tables/pick-and-place.json", "table-six-balls", &[]);
    assert_eq!(times(&report, "Let right ball go") + times(&report, "Let left ball go"), 6);
    assert!(report["duration_s"].as_f64().expect("seconds") <= 42.0);
}

/// Without the region, balls that are in the container would be taken out of it for ever.
#[test]
fn balls_that_are_placed_are_not_taken_again() {
    let report = ran("skills/tables/sort-by-colour.json", "table-sorting", &[]);
    assert_eq!(times(&report, "Let right ball go") + times(&report, "Let left ball go"), 6);
}

#[test]
fn a_button_is_pressed() {
    let report = ran("skills/devices/press-button.json", "button", &[]);
    assert_eq!(times(&report, "It was felt"), 1);
}

/// Who changes one side changes the other: mirrored with every object in the robot's plane, and `right` of the objects
/// made `left`.
#[test]
fn the_left_hand_does_as_the_right() {
    for name in ["pick", "drop", "retreat"] {
        let out = folder("tables-mirrored").join(format!("{name}-left.json"));
        let out = out.to_str().expect("UTF-8");
        let file = format!("skills/tables/{name}-right.json");
        let objects = ["right centre", "right spot", "right goal", "right ball", "place a", "place b"];
        let frames = objects.map(|object| format!("--frame={object}=0.4,0,0.8"));
        let args =
            ["edit", &*file, "mirror", "/", "--output", out].into_iter().chain(frames.iter().map(|frame| &**frame));
        let args: Vec<&str> = args.collect();
        let ran = coact(&args);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let mut mirrored = std::fs::read_to_string(out).expect("written");
        for object in ["centre", "spot", "goal", "ball"] {
            mirrored = mirrored.replace(&format!("\"right {object}\""), &format!("\"left {object}\""));
            mirrored = mirrored.replace(&format!("'right {object}'"), &format!("'left {object}'"));
        }
        let mirrored = mirrored.replace("'right_hand'", "'left_hand'");
        let path = common::root().join(format!("skills/tables/{name}-left.json"));
        let there = std::fs::read_to_string(path).expect("the left one");
        assert!(mirrored == there, "skills/tables/{name}-left.json is not the mirror image of the right one");
    }
}
