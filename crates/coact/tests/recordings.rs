//! Every run is on record, and the record is the run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{self, coact, root};

fn recorded(folder: &Path, number: usize, args: &[&str]) -> PathBuf {
    let log = folder.join(format!("{number}.mcap"));
    let mut all = args.to_vec();
    let path = log.to_str().expect("UTF-8").to_owned();
    all.extend(["--quiet", "--log", &path]);
    let ran = coact(&all);
    // How it ended does not matter: that is on record as well.
    assert!(ran.code < 2 || !log.exists(), "{args:?}: {}", ran.err);
    log
}

fn examples(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            examples(&path, found);
        } else if name.ends_with(".json") && !["cell.json", "environment.json", "stub.json"].contains(&name) {
            found.push(path);
        }
    }
}

#[test]
fn every_example_replays_bit_for_bit() {
    let folder = common::folder("recordings-examples");
    let mut files = Vec::new();
    examples(&root().join("examples"), &mut files);
    let mut replayed = 0;
    for (number, file) in files.iter().enumerate() {
        let name = file.strip_prefix(root()).expect("in the repository").to_str().expect("UTF-8");
        let text = std::fs::read_to_string(file).expect("a file");
        let env = file.with_file_name("environment.json");
        let env = env.to_str().expect("UTF-8");
        let mut args = vec!["run", name, "--seed", "7", "--max-time", "60"];
        if text.contains("\"cell\"") {
            args.extend(["--env", env]);
        }
        let log = recorded(&folder, number, &args);
        if !log.exists() {
            continue;
        }
        let again = coact(&["replay", log.to_str().expect("UTF-8")]);
        assert_eq!(again.code, 0, "{name}: {}{}", again.out, again.err);
        assert!(again.out.starts_with("the same, bit for bit"), "{name}: {}", again.out);
        replayed += 1;
    }
    assert!(replayed >= 10, "only {replayed} of {}", files.len());
}

const WAIT: &str = r#"{"version": 2, "name": "Waits", "children": [
    {"type": "wait", "name": "first", "duration_s": 1},
    {"type": "wait", "name": "second", "duration_s": 1}]}"#;

#[test]
fn another_setting_is_another_run_and_is_named() {
    let folder = common::folder("recordings-changed");
    let file = folder.join("wait.json");
    std::fs::write(&file, WAIT).expect("a file");
    let log = recorded(&folder, 0, &["run", file.to_str().expect("UTF-8")]);
    let edited = folder.join("edited.json");
    std::fs::write(&edited, WAIT.replace("\"second\", \"duration_s\": 1", "\"second\", \"duration_s\": 0.5"))
        .expect("a file");
    let edited = edited.to_str().expect("UTF-8").to_owned();
    let what_if = coact(&["replay", log.to_str().expect("UTF-8"), "--from", "0.5", "--tree", &edited]);
    assert_eq!(what_if.code, 0, "{}", what_if.err);
    assert!(what_if.out.contains("second") && what_if.out.contains("ended"), "{}", what_if.out);
}

#[test]
fn what_is_no_recording_is_refused_with_its_place() {
    let folder = common::folder("recordings-bad");
    let log = recorded(&folder, 0, &["run", "examples/first/walk-and-wave.json"]);
    let whole = std::fs::read(&log).expect("a recording");
    let try_with = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file");
        coact(&["replay", path.to_str().expect("UTF-8")])
    };
    let foreign = try_with("foreign.mcap", b"no recording at all");
    assert!(foreign.code == 2 && foreign.err.contains("foreign.mcap is no MCAP file"), "{}", foreign.err);
    let empty = try_with("empty.mcap", &whole[..8]);
    assert!(empty.code == 2 && empty.err.contains("no recording of Coact"), "{}", empty.err);
    // Cut anywhere: it opens as far as it goes, and what is there is the same.
    for part in 3..8 {
        let cut = try_with("cut.mcap", &whole[..whole.len() * part / 8]);
        assert!(cut.code == 0 || cut.err.contains("no recording of Coact"), "{part}: {}{}", cut.out, cut.err);
    }
    // A byte of a chunk: its checksum is wrong.
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    let damaged = try_with("damaged.mcap", &damaged);
    assert!(damaged.code != 0 && !damaged.err.contains("panic"), "{}{}", damaged.out, damaged.err);
}

#[test]
fn a_process_that_is_killed_leaves_what_it_did() {
    let folder = common::folder("recordings-killed");
    // COACT_KILLS=50 for as many.
    let kills = std::env::var("COACT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(3_u64);
    for number in 0..kills {
        let log = folder.join(format!("killed-{number}.mcap"));
        let program = env!("CARGO_BIN_EXE_coact");
        let mut child = Command::new(program)
            .args(["run", "examples/first/walk-and-wave.json", "--realtime", "--quiet", "--log"])
            .arg(&log)
            .current_dir(root())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        #[expect(clippy::disallowed_methods, reason = "a process is killed at some moment of its own time")]
        std::thread::sleep(Duration::from_millis(2_500 + 370 * number % 4_000));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        let again = coact(&["replay", log.to_str().expect("UTF-8"), "--json"]);
        assert_eq!(again.code, 0, "{}{}", again.out, again.err);
        let told: serde_json::Value = serde_json::from_str(&again.out).expect("JSON");
        assert!(told["duration_s"].as_f64().expect("a number") > 0.5, "{told}");
    }
}
