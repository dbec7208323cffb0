//! The skills for doors: as they are saved, mirrored for the other hinge, and, with physics, through a door.

mod common;

use std::path::PathBuf;

use common::{coact, folder, root};

fn skills() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("skills/doors")).expect("skills/doors/");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .filter(|name| name.starts_with("push-") || name.starts_with("standing-"))
        .filter(|name| !name.contains("-mini"))
        .collect();
    names.sort();
    names
}

fn written(name: &str) -> PathBuf {
    folder("doors").join(name)
}

#[test]
fn every_skill_is_as_it_is_saved_and_checks() {
    let mut skills = skills();
    assert!(skills.len() >= 10, "{skills:?}");
    skills.push("find-handle.json".to_owned());
    for name in skills {
        let path = format!("skills/doors/{name}");
        let checked = coact(&["check", &path, "--robot", "coact-one"]);
        assert_eq!((checked.code, checked.out.as_str()), (0, "no problems in 1 file\n"), "{name}");
        let out = written("saved.json");
        let ran = coact(&["import", &path, "--force", "-o", out.to_str().expect("UTF-8")]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        let text = std::fs::read_to_string(root().join(&path)).expect("a skill");
        assert_eq!(std::fs::read_to_string(&out).expect("it was written"), text, "{name}");
    }
}

/// Who changes one changes the other: `coact edit skills/doors/X.json mirror / --objects --output
/// skills/doors/X-mirrored.json`.
#[test]
fn doors_with_the_hinge_on_the_right_are_the_mirror_image() {
    let skills = skills();
    for name in skills.iter().filter(|name| !name.ends_with("-mirrored.json")) {
        let other = name.replace(".json", "-mirrored.json");
        let out = written("mirrored.json");
        let path = format!("skills/doors/{name}");
        let out = out.to_str().expect("UTF-8");
        let ran = coact(&["edit", &path, "mirror", "/", "--objects", "--output", out]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        let mirrored = std::fs::read_to_string(out).expect("it was written");
        let saved = std::fs::read_to_string(root().join("skills/doors").join(&other)).expect("the other side");
        assert_eq!(mirrored, saved, "{other}");
    }
}

#[cfg(feature = "mujoco")]
#[test]
fn doors_are_walked_through() {
    for kind in ["lever", "bar", "knob"] {
        let (skill, world) = (format!("skills/doors/push-{kind}.json"), format!("push-door-{kind}"));
        let ran = coact(&["run", &skill, "--world", &world, "--seed", "2", "--json"]);
        assert_eq!(ran.code, 0, "{skill}: {}", ran.json()["reason"]);
    }
}
