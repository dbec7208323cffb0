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
    assert!(skills.len() >= 10, "{skills:?}");
    let out = copied("doors-saved").join("saved.json");
    for name in skills {
        let path = format!("skills/doors/{name}");
        // What leads to parts for either robot is checked with both.
        let robots: &[&str] = match name.as_str() {
            "push.json" | "pull.json" | "find-handle.json" => &["coact-one", "coact-mini"],
            name if name.ends_with("-high.json") => &["coact-mini"],
            _ => &["coact-one"],
        };
        for robot in robots {
            let checked = coact(&["check", &path, "--robot", robot]);
            let sound = checked.code == 0 && checked.out.starts_with("no problems in ");
            assert!(sound, "{name} on {robot}: {}{}", checked.out, checked.err);
        }
        assert_eq!(coact(&["import", &path, "--force", "-o", out.to_str().expect("UTF-8")]).code, 0, "{name}");
        let text = std::fs::read_to_string(root().join(&path)).expect("a skill");
        assert_eq!(std::fs::read_to_string(&out).expect("it was written"), text, "{name}");
    }
}

/// Files of before still load, as what has replaced them; the check says how they are written now.
#[test]
fn a_use_of_a_door_that_was_replaced_still_loads() {
    let there = copied("doors-replaced");
    let nested = there.join("doors");
    std::fs::create_dir_all(&nested).expect("a folder");
    for name in skills() {
        std::fs::rename(there.join(&name), nested.join(&name)).expect("moved");
    }
    let main = there.join("main.json");
    let used = r#"{"version": 1, "children": [{"type": "skill", "file": "doors/push-lever-mirrored.json"}]}"#;
    std::fs::write(&main, used).expect("a file");
    let main = main.to_str().expect("UTF-8");
    let checked = coact(&["check", main]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    let told = format!("{}{}", checked.out, checked.err);
    assert!(told.contains("doors/push.json, which is used with `handle` 'lever' and `hinge` 'right'"), "{told}");
    let upgraded = coact(&["import", "--upgrade", main]);
    assert_eq!((upgraded.code, upgraded.out), (0, format!("wrote {main}\n")));
    let text = std::fs::read_to_string(main).expect("it is there");
    assert!(text.contains("doors/push.json") && text.contains("'right'"), "{text}");
    assert_eq!(coact(&["check", main]).out, "no problems in 1 file\n");
    assert_eq!(coact(&["import", "--upgrade", main]).out, "nothing changes\n");
    let old = coact(&["run", "skills/doors/push-lever-mirrored.json"]);
    assert!(old.code == 2 && old.err.contains("push.json --set handle=lever --set hinge=right"), "{}", old.err);
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
