//! The skills for doors: as they are saved, mirrored for the other hinge, and, with physics, through a door.

use crate::common;

use std::path::PathBuf;

use common::{coact, folder, root};

fn skills() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("skills/doors")).expect("skills/doors/");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// The file for the other hinge; none: it is one itself, or is the same for both.
fn other_side(name: &str) -> Option<String> {
    let pushed = name.starts_with("push-") || name.starts_with("standing-");
    if pushed && !name.ends_with("-mirrored.json") {
        return Some(name.replace(".json", "-mirrored.json"));
    }
    name.ends_with("-right.json").then(|| name.replace("-right.json", "-left.json"))
}

/// Skills find the skills they use beside them: what is written goes into a folder that has them all.
fn copied(name: &str) -> PathBuf {
    let there = folder(name);
    for name in skills() {
        std::fs::copy(root().join("skills/doors").join(&name), there.join(&name)).expect("copied");
    }
    there
}

#[test]
fn every_skill_is_as_it_is_saved_and_checks() {
    let skills = skills();
    assert!(skills.len() >= 21, "{skills:?}");
    let out = copied("doors-saved").join("saved.json");
    for name in skills {
        let path = format!("skills/doors/{name}");
        let robot = if name.contains("-mini") { "coact-mini" } else { "coact-one" };
        let checked = coact(&["check", &path, "--robot", robot]);
        assert_eq!((checked.code, checked.out.as_str()), (0, "no problems in 1 file\n"), "{name}");
        assert_eq!(coact(&["import", &path, "--force", "-o", out.to_str().expect("UTF-8")]).code, 0, "{name}");
        let text = std::fs::read_to_string(root().join(&path)).expect("a skill");
        assert_eq!(std::fs::read_to_string(&out).expect("it was written"), text, "{name}");
    }
}

/// Who changes one changes the other: `coact edit skills/doors/X.json mirror / --objects --output skills/doors/Y.json`.
#[test]
fn doors_with_the_hinge_on_the_other_side_are_the_mirror_image() {
    let there = copied("doors-mirrored");
    let path = |name: &str| there.join(name).to_str().expect("UTF-8").to_owned();
    let out = path("mirrored.json");
    for name in skills() {
        let Some(other) = other_side(&name) else { continue };
        let robot = if name.contains("-mini") { "coact-mini" } else { "coact-one" };
        let ran = coact(&["edit", &path(&name), "mirror", "/", "--objects", "--robot", robot, "--output", &out]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        let mirrored = std::fs::read_to_string(&out).expect("it was written");
        let saved = std::fs::read_to_string(root().join("skills/doors").join(&other)).expect("the other side");
        assert_eq!(mirrored, saved, "{other}");
    }
}

/// One of each kind, by what is true of the world; the suite itself has hundreds.
#[cfg(feature = "mujoco")]
#[test]
fn doors_are_walked_through() {
    let out = folder("doors-trial");
    let cases = ["push-bar-1m", "push-lever-1m", "push-knob-1m", "pull-fixed-1m", "pull-lever-1m", "pull-knob-1m"];
    let small = ["push-bar-mini-hinge-left", "pull-fixed-mini-hinge-right"];
    let cases = cases.into_iter().chain(small).flat_map(|case| ["--case", case]);
    let args = ["trial", "suites/doors.json", "--runs", "1", "--json", "--out", out.to_str().expect("UTF-8")];
    let ran = coact(&args.into_iter().chain(cases).collect::<Vec<_>>());
    let report = ran.json();
    assert_eq!(report["all"]["success"]["done"], 8, "{}{}", ran.out, ran.err);
}
