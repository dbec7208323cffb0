#![cfg(feature = "mujoco")]
//! Tables and devices in physics, with the usual noise of camera and detector. The worlds say what must be true.

use crate::common;

use common::coact;
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
    let report = ran("skills/tables/sort.json", "table-six-balls", &["--set", "by_colour=false"]);
    all_is_true(&report);
    assert!(report["duration_s"].as_f64().expect("seconds") <= 42.0);
}

/// Without the region, balls that are in a container would be taken out of it for ever.
#[test]
fn the_small_robot_sorts_by_colour() {
    all_is_true(&ran("skills/tables/sort.json", "low-table-sorting", &["--robot", "coact-mini"]));
}

#[test]
fn a_button_is_pressed() {
    let report = ran("skills/devices/press-button.json", "button", &[]);
    let steps = report["steps"].as_array().expect("steps");
    assert!(steps.iter().any(|step| step["node"] == "It was felt" && step["result"] == "success"));
}
