//! Skills used mirrored, in physics.

use std::path::Path;

use serde_json::{Value as Json, json};

use crate::common::{coact, folder, root};

/// A behavior of one use of a shipped skill, on the other side; gives its path.
fn used(name: &str, skill: &str) -> String {
    let at = folder(name).join("used.json");
    let up = "../".repeat(at.components().count() - root().components().count() - 1);
    assert!(Path::new(&at).starts_with(root()), "{}", at.display());
    let behavior =
        json!({"version": 1, "children": [{"type": "skill", "file": format!("{up}{skill}"), "mirrored": true}]});
    std::fs::write(&at, behavior.to_string()).expect("a file for the test");
    at.to_str().expect("UTF-8").to_owned()
}

/// When each step ran and how it ended.
fn steps(report: &Json) -> Vec<Json> {
    let steps = report["steps"].as_array().expect("steps");
    let of_use = |step: &&Json| step["type"] != "skill";
    let told = |step: &Json| json!([step["type"], step["start_s"], step["end_s"], step["result"]]);
    steps.iter().filter(of_use).map(told).collect()
}

#[test]
fn a_right_handed_skill_used_mirrored_is_a_left_handed_one() {
    let used = used("mirrored-wave", "skills/wave.json");
    for robot in ["coact-one", "coact-mini"] {
        let run =
            |args: &[&str]| coact(&[&["run", "--robot", robot, "--world", "empty", "--json"], args].concat()).json();
        let (mirrored, written) = (run(&[&used]), run(&["skills/wave.json", "--set", "side=left"]));
        assert_eq!(mirrored["result"], "success", "{mirrored}");
        assert_eq!(steps(&mirrored), steps(&written), "{robot}");
    }
}

#[cfg(feature = "mujoco")]
/// A door with its hinge on the right, through which the skill for one on the left walks.
#[test]
fn a_door_skill_used_mirrored_walks_through_the_mirrored_door() {
    let text = std::fs::read_to_string(root().join("worlds/push-door-bar.json")).expect("a world");
    let mut world: Json = serde_json::from_str(&text).expect("JSON");
    world["objects"][0]["hinge"] = json!("right");
    let at = folder("mirrored-door-world").join("door.json");
    std::fs::write(&at, world.to_string()).expect("a file for the test");
    let used = used("mirrored-door", "skills/doors/push-bar.json");
    let ran = coact(&["run", &used, "--world", at.to_str().expect("UTF-8"), "--json"]).json();
    assert_eq!(ran["result"], "success", "{ran}");
    let mirrored = ["run", "skills/doors/push-bar.json", "--mirror", "--world", at.to_str().expect("UTF-8"), "--json"];
    assert_eq!(steps(&ran), steps(&coact(&mirrored).json()));
    let plain = ["run", "skills/doors/push-bar.json", "--world", at.to_str().expect("UTF-8"), "--json"];
    assert_ne!(coact(&plain).code, 0, "as written it is for the other hinge");
}
