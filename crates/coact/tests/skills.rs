//! Every skill of the library runs on every robot of our own.

use crate::common;

use std::path::{Path, PathBuf};

use common::{coact, folder, root};

const ROBOTS: [&str; 2] = ["coact-one", "coact-mini"];
/// Where both robots reach it.
const MUG_LEFT: &str = "mug=0.35,0.3,0.9";
const MUG_RIGHT: &str = "mug=0.35,-0.3,0.9";

fn skills() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("skills")).expect("skills/");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

fn name_of(path: &Path) -> String {
    path.strip_prefix(root()).expect("in the repository").to_str().expect("UTF-8").to_owned()
}

#[test]
fn every_skill_runs_on_every_robot() {
    let skills = skills();
    assert!(skills.len() >= 11, "{skills:?}");
    for path in &skills {
        let name = name_of(path);
        let touch = r#"{"at_s": 4, "kind": {"hand_force": {"side": "right", "force_n": [0, 0, 30]}}}"#;
        for robot in ROBOTS {
            let checked = coact(&["check", &name, "--robot", robot]);
            assert_eq!((checked.code, checked.out.as_str()), (0, "no problems in 1 file\n"), "{name} on {robot}");
            let mut args = vec!["run", &name, "--robot", robot];
            let more: &[&str] = match () {
                () if name.contains("grasp") => &["--fault", touch],
                () if name.contains("reach") => &["--frame", MUG_RIGHT],
                () => &[],
            };
            if !more.is_empty() {
                let alone = coact(&args);
                assert_eq!(alone.code, 1, "{name} on {robot} needs {}: {}", more[0], alone.out);
                args.extend(more);
            }
            let ran = coact(&args);
            assert_eq!(ran.code, 0, "{name} on {robot}: {}{}", ran.out, ran.err);
            args[0] = "preview";
            let preview = coact(&args);
            assert_eq!(preview.code, 0, "{name} on {robot}: {}{}", preview.out, preview.err);
        }
    }
}

#[test]
fn every_skill_is_as_it_is_saved() {
    for path in skills() {
        let name = name_of(&path);
        let out = folder("skills-saved").join("saved.json");
        let text = std::fs::read_to_string(&path).expect("a skill");
        if !text.contains(r#""type": "skill""#) {
            assert_eq!(coact(&["import", &name, "-o", out.to_str().expect("UTF-8")]).code, 0, "{name}");
            assert_eq!(std::fs::read_to_string(&out).expect("it was written"), text, "{name}");
        }
        assert!(text.contains("\"notes\""), "{name} does not say what it is for");
    }
}

/// There is no second file for the other hand.
#[test]
fn every_sided_skill_runs_mirrored() {
    for (skill, more) in [
        ("wave", &[][..]),
        ("arms-ready", &[]),
        ("grabber", &[]),
        ("reach", &["--frame", MUG_LEFT]),
        ("grasp", &["--fault", r#"{"at_s": 4, "kind": {"hand_force": {"side": "left", "force_n": [0, 0, 30]}}}"#]),
    ] {
        let file = format!("skills/{skill}.json");
        for robot in ROBOTS {
            let ran = coact(&[&["run", &file, "--mirror", "--robot", robot, "--json"], more].concat());
            assert_eq!(ran.code, 0, "{file} on {robot}: {}{}", ran.out, ran.err);
        }
    }
}
