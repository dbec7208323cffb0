use crate::common;

use std::path::{Path, PathBuf};

use common::{coact, root};

fn behaviors(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder of examples");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            behaviors(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
}

#[test]
fn every_example_is_sound_and_runs_to_success() {
    let mut files = Vec::new();
    behaviors(&root().join("examples"), &mut files);
    assert!(files.len() >= 6, "{files:?}");
    for file in files {
        let name = file.strip_prefix(root()).expect("in the repository").to_str().expect("UTF-8").to_owned();
        let checked = coact(&["check", &name]);
        assert_eq!((checked.code, checked.out.as_str()), (0, "no problems in 1 file\n"), "{name}");
        let text = std::fs::read_to_string(&file).expect("a file");
        if name.ends_with("/cell.json") || name.ends_with("/stub.json") {
            continue;
        }
        if !name.ends_with("/environment.json") {
            let env = name.replace(file.file_name().and_then(|name| name.to_str()).expect("UTF-8"), "environment.json");
            // Those that look at a world have nothing to see here; `perception.rs` runs them in theirs.
            let looks = name.starts_with("examples/world/");
            let mut args = if looks { vec!["preview", &name, "--run"] } else { vec!["run", &name] };
            if text.contains("\"cell\"") {
                args.extend(["--env", &env]);
            }
            let ran = coact(&args);
            // A skill that needs an input is run by those that use it.
            let alone = ran.code == 2 && ran.err.contains("which has no default");
            assert!(ran.code == 0 || alone, "{name}: {}{}", ran.out, ran.err);
        }
        let out = common::folder("examples-saved").join("saved.json");
        let place = out.to_str().expect("UTF-8");
        if !text.contains(r#""type": "skill""#) {
            assert_eq!(coact(&["import", &name, "-o", place]).code, 0, "{name}");
            assert_eq!(std::fs::read_to_string(&out).expect("it was written"), text, "{name} is not as it is saved");
        }
        assert!(text.contains("\"notes\""), "{name} does not say what it teaches");
    }
}
