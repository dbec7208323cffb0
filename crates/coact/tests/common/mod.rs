#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value as Json;

/// What a run of the program gave.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the crate lies in the repository")
}

/// Every page of the documentation.
pub fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|name| root().join(name)).into();
    pages.extend(
        files_under(&root().join("docs")).into_iter().filter(|path| path.extension().is_some_and(|it| it == "md")),
    );
    pages
}

/// All files in a folder and in those inside it, in order.
pub fn files_under(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files_under(&path) } else { vec![path] }).collect()
}

/// The program, started in the root of the repository, with nothing of the caller's terminal.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_coact"));
    command.args(args).current_dir(root()).env_remove("COLUMNS").env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

#[track_caller]
pub fn coact(args: &[&str]) -> Ran {
    let output = command(args).output().expect("the program starts");
    let ran = Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    };
    assert!(!ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    ran
}

/// A fresh folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// A file with this text, in a folder of its own; gives its path.
pub fn file(name: &str, text: &str) -> String {
    let path = folder(name).join("behavior.json");
    std::fs::write(&path, text).expect("a file for the test");
    path.to_str().expect("UTF-8").to_owned()
}

/// A behavior with these children.
pub fn behavior(name: &str, children: &str) -> String {
    file(name, &format!(r#"{{"version": 1, "name": "Test", "variables": {{"speed": 1}}, "children": [{children}]}}"#))
}
