//! Skills used mirrored, in physics.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::common::{coact, folder, root};

/// A behavior of one use of a shipped skill, on the other side; gives its path.
fn used(name: &str, skill: &str, inputs: &Json) -> String {
    let at = folder(name).join("used.json");
    let file = from_beside(&at, &root().join(skill));
    let behavior =
        json!({"version": 1, "children": [{"type": "skill", "file": file, "mirrored": true, "inputs": inputs}]});
    std::fs::write(&at, behavior.to_string()).expect("a file for the test");
    at.to_str().expect("UTF-8").to_owned()
}

/// The way from the folder of one file to another: what is built may lie elsewhere than the checkout.
fn from_beside(at: &Path, other: &Path) -> String {
    let shared = at.components().zip(other.components()).take_while(|(here, there)| here == there).count();
    let up = "../".repeat(at.components().count() - shared - 1);
    let down: PathBuf = other.components().skip(shared).collect();
    format!("{up}{}", down.to_str().expect("UTF-8"))
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
    let used = used("mirrored-wave", "skills/wave.json", &json!({}));
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
    let world = at.to_str().expect("UTF-8");
    let inputs = json!({"handle": "'bar'", "from_hinge_m": "0.45"});
    let used = used("mirrored-door", "skills/doors/push-low.json", &inputs);
    let ran = coact(&["run", &used, "--world", world, "--json"]).json();
    assert_eq!(ran["result"], "success", "{ran}");
    let door = |more: &[&str]| {
        let args = ["run", "skills/doors/push.json", "--world", world, "--json", "--set", "handle=bar"];
        coact(&args.into_iter().chain(more.iter().copied()).collect::<Vec<_>>()).json()
    };
    let parts = |report: &Json| steps(report).into_iter().filter(|step| step[0] != "choose").collect::<Vec<_>>();
    assert_eq!(parts(&ran), parts(&door(&["--set", "hinge=right"])));
    assert_eq!(parts(&ran), parts(&door(&["--mirror"])));
    assert_ne!(door(&[])["result"], "success", "as written it is for the other hinge");
}

/// What inputs begin with tells where a step leads, on the side on which its use runs.
#[test]
fn values_and_mirrored_uses_are_previewed() {
    let shown = coact(&["preview", "examples/skills/wave-both.json", "--json"]).json();
    assert_eq!(shown["possible"], true, "{shown}");
    let steps = shown["steps"].as_array().expect("steps");
    let hand = |side: &str| {
        let path = format!("/Both arms/{side}/Waving/Out");
        let step = steps.iter().find(|step| step["path"] == path.as_str()).expect("the step");
        step["preview"]["goal"].as_array().expect("positions").clone()
    };
    assert_ne!(hand("Right"), hand("Left"));
}
