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

#[test]
fn the_simulator_repeats_what_is_on_record_and_goes_on_from_any_moment() {
    let folder = common::folder("recordings-simulated");
    const FILE: &str = "examples/any-robot/walk.json";
    let log = recorded(&folder, 0, &["run", FILE]);
    let log = log.to_str().expect("UTF-8");
    for from_s in ["0", "1.234", "4"] {
        let same = coact(&["replay", log, "--from", from_s, "--tree", FILE, "--json"]);
        let told = same.json();
        assert_eq!(same.code, 0, "{}", same.err);
        let unlike = (&told["simulator_differs"], &told["first_difference"], &told["recorded_until_s"]);
        assert!(told["simulated"] == true && unlike.0.is_null() && unlike.1.is_null() && unlike.2.is_null(), "{told}");
        assert_eq!(told["result"], "success", "{told}");
    }
    let late = coact(&["replay", log, "--from", "1000", "--tree", FILE]);
    assert!(late.code == 2 && late.err.contains("before the moment that was asked for"), "{}", late.err);
}

#[test]
fn an_edited_catch_changes_how_it_ends() {
    let folder = common::folder("recordings-recover");
    const FILE: &str = "examples/recover/try-again.json";
    let log = recorded(&folder, 0, &["run", FILE, "--set", "slips=9"]);
    let log = log.to_str().expect("UTF-8");
    let text = std::fs::read_to_string(root().join(FILE)).expect("a file");
    let edited = text.replace(
        "{\"type\": \"goto\"",
        "{\"type\": \"set\", \"name\": \"Grip harder\", \"values\": {\"slips\": \"0\"}},\n{\"type\": \"goto\"",
    );
    assert_ne!(edited, text);
    let tree = folder.join("edited.json");
    std::fs::write(&tree, edited).expect("a file");
    let what_if = |tree: &str| coact(&["replay", log, "--from", "3", "--tree", tree, "--json"]).json();
    let (as_it_was, edited) = (what_if(FILE), what_if(tree.to_str().expect("UTF-8")));
    assert_eq!(
        (&as_it_was["result"], &edited["result"]),
        (&"failure".into(), &"success".into()),
        "{as_it_was} {edited}"
    );
    assert!(edited["first_difference"].as_str().is_some_and(|text| text.contains("Grip harder")), "{edited}");
}

#[test]
fn a_time_that_is_over_is_no_stop_that_was_pressed() {
    let folder = common::folder("recordings-over");
    let file = folder.join("wait.json");
    std::fs::write(&file, WAIT).expect("a file");
    let log = recorded(&folder, 0, &["run", file.to_str().expect("UTF-8"), "--max-time", "1.5"]);
    let told = coact(&["log", log.to_str().expect("UTF-8")]);
    assert!(told.out.contains("--max-time") && !told.out.contains("pressed"), "{}", told.out);
}

/// As where a disk is full: nothing more can be written from some byte on.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_leaves_a_file_that_opens_and_the_run_goes_on() {
    let folder = common::folder("recordings-full");
    let whole = recorded(&folder, 0, &["run", "examples/first/walk-and-wave.json"]);
    let blocks = std::fs::metadata(whole).expect("it was written").len() / 512;
    let cut = folder.join("full.mcap");
    let line = format!(
        "trap '' XFSZ; ulimit -f {}; exec '{}' run examples/first/walk-and-wave.json --quiet --log '{}'",
        blocks * 3 / 4,
        env!("CARGO_BIN_EXE_coact"),
        cut.display()
    );
    let ran = Command::new("sh").args(["-c", &line]).current_dir(root()).output().expect("a shell");
    let complaint = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "the run goes on: {complaint}");
    assert!(complaint.contains("the recording") && complaint.contains("make room"), "{complaint}");
    let again = coact(&["replay", cut.to_str().expect("UTF-8"), "--json"]);
    let told = again.json();
    assert!(told["same"] == true && told["duration_s"].as_f64().is_some_and(|s| s > 1.0), "{told} {}", again.err);
}

/// What is in a file, packed and unpacked.
fn holds(path: &Path, secret: &str) -> bool {
    let has = |bytes: &[u8]| bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
    let mut found = has(&std::fs::read(path).expect("a file"));
    let file = runlog::File::open(path).expect("a recording");
    let all = (i64::MIN / 4, i64::MAX / 4);
    file.visit(all, &|_| true, &mut |topic, _, bytes| {
        found |= has(topic.as_bytes()) || has(bytes);
        Ok(true)
    })
    .expect("it is sound");
    found || has(serde_json::to_string(&file.summary().expect("a summary")).expect("JSON").as_bytes())
}

#[test]
fn no_secret_is_in_a_recording() {
    let folder = common::folder("recordings-secrets");
    let keys = folder.join("keys");
    assert_eq!(coact(&["keys", keys.to_str().expect("UTF-8")]).code, 0);
    let other = coact(&["keys", folder.join("other").to_str().expect("UTF-8")]);
    let text = std::fs::read_to_string(&keys).expect("a file");
    std::fs::write(&keys, format!("{text}allow {} Ann operator\n", other.out.trim())).expect("a file");
    let secret = text.lines().find_map(|line| line.strip_prefix("secret ")).expect("a key").to_owned();
    let recordings = folder.join("runs");
    let mut robot = Command::new(env!("CARGO_BIN_EXE_coact"))
        .args(["robot", "--listen", "127.0.0.1:0", "--behavior", "examples/first/walk-and-wave.json", "--keys"])
        .arg(&keys)
        .arg("--recordings")
        .arg(&recordings)
        .env("COACT_PASSWORD", "a-password-of-the-environment")
        .env("COACT_TOKEN", "a-token-of-the-environment")
        .current_dir(root())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(robot.stdout.take().expect("a pipe")), &mut line)
        .expect("a line");
    #[expect(clippy::disallowed_methods, reason = "what is recorded is on disk after a second")]
    std::thread::sleep(Duration::from_millis(2_500));
    robot.kill().expect("it runs");
    robot.wait().expect("it ends");
    let found: Vec<PathBuf> =
        std::fs::read_dir(&recordings).expect("a folder").flatten().map(|entry| entry.path()).collect();
    let [recording] = found.as_slice() else { panic!("{found:?}") };
    assert!(holds(recording, "walk-and-wave"), "what is searched is found");
    for secret in [secret.as_str(), "a-password-of-the-environment", "a-token-of-the-environment"] {
        assert!(!holds(recording, secret), "{secret} is in {}", recording.display());
    }
}

#[cfg(feature = "mujoco")]
#[test]
fn physics_repeat_what_is_on_record_and_go_on_from_any_moment() {
    let folder = common::folder("recordings-physics");
    const FILE: &str = "examples/world/door-panel.json";
    let log = recorded(&folder, 0, &["run", FILE, "--world", "push-door-lever", "--seed", "3"]);
    let log = log.to_str().expect("UTF-8");
    let same = coact(&["replay", log, "--from", "1.5", "--tree", FILE, "--json"]);
    let told = same.json();
    let unlike = (&told["simulator_differs"], &told["first_difference"], &told["recorded_until_s"]);
    assert!(told["simulated"] == true && unlike.0.is_null() && unlike.1.is_null() && unlike.2.is_null(), "{told}");
    assert_eq!(told["result"], "success", "{told}");
    for channel in ["pressure/x", "pressure/y", "pressure/margin"] {
        let told = coact(&["log", log, "--channel", channel]);
        let count = told.out.strip_prefix(&format!("{channel}: ")).and_then(|rest| rest.split(' ').next());
        let count: usize = count.and_then(|count| count.parse().ok()).unwrap_or(0);
        assert!(count > 50, "it stands all the time: {}{}", told.out, told.err);
    }
}

/// The lever was not pressed: with one number as it should be the same try opens the door.
#[cfg(feature = "mujoco")]
#[test]
fn a_failed_try_at_a_door_succeeds_with_one_number_changed() {
    let folder = common::folder("recordings-door");
    for entry in std::fs::read_dir(root().join("skills/doors")).expect("skills").flatten() {
        std::fs::copy(entry.path(), folder.join(entry.file_name())).expect("a copy");
    }
    let (file, part) = (folder.join("pull.json"), folder.join("pull-turned-open.json"));
    let file = file.to_str().expect("UTF-8");
    let sound = std::fs::read_to_string(&part).expect("a file");
    const PRESS: &str = "pose(knob ? -0.088 : -0.1, knob ? -0.005 : -0.025, knob ? 0.022 : ";
    let wrong = sound.replace(&format!("{PRESS}-0.08,"), &format!("{PRESS}0.08,"));
    assert_ne!(wrong, sound, "the step that presses the lever is another one now");
    std::fs::write(&part, wrong).expect("a file");
    let log = recorded(&folder, 0, &["run", file, "--world", "pull-door-lever", "--seed", "2", "--max-time", "26"]);
    let log = log.to_str().expect("UTF-8");
    let what_if = || coact(&["replay", log, "--from", "10", "--tree", file, "--json"]).json();
    let as_it_was = what_if();
    assert!(as_it_was["simulator_differs"].is_null() && as_it_was["first_difference"].is_null(), "{as_it_was}");
    assert_eq!(as_it_was["result"], "halted", "{as_it_was}");
    std::fs::write(&part, sound).expect("a file");
    let edited = what_if();
    assert!(edited["simulator_differs"].is_null(), "{edited}");
    assert!(edited["recorded_until_s"].as_f64().is_some_and(|until_s| until_s > 10.0), "{edited}");
    assert_eq!(edited["result"], "success", "{edited}");
}

/// Behaviors of a suite in the worlds that it names, each once, as arguments of a run.
#[cfg(feature = "mujoco")]
fn of_suite(suite: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join("suites").join(suite)).expect("a suite");
    let suite: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut all: Vec<Vec<String>> = Vec::new();
    for case in suite["cases"].as_array().expect("cases") {
        let word = |key: &str| case[key].as_str().expect("text").trim_start_matches("../").to_owned();
        let mut args = vec!["run".to_owned(), word("behavior"), "--seed".to_owned(), "2".to_owned()];
        args.extend(["--world".to_owned(), word("world")]);
        for (name, value) in case["set"].as_object().into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            args.extend(["--set".to_owned(), format!("{name}={value}")]);
        }
        if !all.contains(&args) {
            all.push(args);
        }
    }
    all
}

#[cfg(feature = "mujoco")]
fn each_replays(folder: &str, runs: &[Vec<String>]) {
    let folder = common::folder(folder);
    assert!(!runs.is_empty());
    for (number, args) in runs.iter().enumerate() {
        let log = recorded(&folder, number, &args.iter().map(String::as_str).collect::<Vec<_>>());
        let again = coact(&["replay", log.to_str().expect("UTF-8")]);
        assert!(again.out.starts_with("the same, bit for bit"), "{args:?}: {}{}", again.out, again.err);
        std::fs::remove_file(log).expect("it is there");
    }
}

/// COACT_SKILLS=all for every skill in every world of its suite, which takes minutes.
#[cfg(feature = "mujoco")]
#[test]
fn skills_replay_bit_for_bit() {
    let takes_all = std::env::var("COACT_SKILLS").is_ok_and(|word| word == "all");
    let runs = ["doors.json", "devices.json", "tables.json"].into_iter().flat_map(|suite| {
        let most = if takes_all { usize::MAX } else { usize::from(suite != "tables.json") };
        of_suite(suite).into_iter().take(most)
    });
    each_replays("recordings-skills", &runs.collect::<Vec<_>>());
}
