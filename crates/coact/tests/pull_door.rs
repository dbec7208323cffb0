//! Doors that open towards the robot.

mod common;

use common::{coact, folder, root};

const RIGHT: &str = "skills/doors/pull-fixed-right.json";
const LEFT: &str = "skills/doors/pull-fixed-left.json";
/// With a latch; the one with its hinge left is made by `coact edit X-right.json mirror / --objects --output X-left.json`.
const LATCHED: [&str; 1] = ["skills/doors/pull-lever-right.json"];

/// Who changes one side changes the other, by the command that is run here.
#[test]
fn the_door_with_its_hinge_left_is_the_mirror_image() {
    let out = folder("pull-door-mirrored").join("mirrored.json");
    let out = out.to_str().expect("UTF-8");
    let edited = coact(&["edit", RIGHT, "mirror", "/", "--objects", "--output", out]);
    assert_eq!(edited.code, 0, "{}{}", edited.out, edited.err);
    let mirrored = std::fs::read_to_string(out).expect("it was written");
    assert_eq!(mirrored, std::fs::read_to_string(root().join(LEFT)).expect("a skill"));
}

#[test]
fn latched_doors_with_their_hinge_left_are_mirror_images() {
    let out = folder("pull-latched-mirrored").join("mirrored.json");
    let out = out.to_str().expect("UTF-8");
    for right in LATCHED {
        let edited = coact(&["edit", right, "mirror", "/", "--objects", "--output", out]);
        assert_eq!(edited.code, 0, "{}{}", edited.out, edited.err);
        let mirrored = std::fs::read_to_string(out).expect("it was written");
        let left = right.replace("-right", "-left");
        assert_eq!(mirrored, std::fs::read_to_string(root().join(&left)).expect("a skill"), "{left}");
    }
}

#[test]
fn both_fit_the_robot() {
    let latched = LATCHED.iter().flat_map(|right| [(*right).to_owned(), right.replace("-right", "-left")]);
    for file in [RIGHT.to_owned(), LEFT.to_owned()].into_iter().chain(latched) {
        let file = file.as_str();
        let checked = coact(&["check", file, "--robot", "coact-one"]);
        assert_eq!((checked.code, checked.out.as_str()), (0, "no problems in 1 file\n"), "{file}");
    }
}

#[cfg(feature = "mujoco")]
#[test]
fn a_pull_door_is_walked_through() {
    let ran = coact(&["run", RIGHT, "--world", "pull-door-fixed", "--seed", "12", "--json"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let report = ran.json();
    let steps = report["steps"].as_array().expect("steps");
    let through = steps.iter().find(|step| step["node"] == "Through").expect("it walks through");
    assert_eq!(through["result"], "success");
}

#[cfg(feature = "mujoco")]
#[test]
fn a_latched_pull_door_is_walked_through() {
    let ran = coact(&["run", LATCHED[0], "--world", "pull-door-lever", "--seed", "12", "--json"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let report = ran.json();
    let steps = report["steps"].as_array().expect("steps");
    let through = steps.iter().find(|step| step["node"] == "Through").expect("it walks through");
    assert_eq!(through["result"], "success");
}
