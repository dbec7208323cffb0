//! What an open behavior needs beside its tree, between real processes: cameras for a step that was added, the cell and
//! the templates that lie beside its file.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::faults::client::Client;
use crate::faults::process::{self, Operator, Robot};

const BEHAVIOR: &str = r#"{"version": 1, "type": "sequence", "name": "all", "children": [
  {"type": "wait", "name": "first", "duration_s": 0.1}
]}
"#;

fn folder(name: &str) -> PathBuf {
    let folder = process::folder(&format!("as-loaded-{name}"));
    std::fs::write(folder.join("behavior.json"), BEHAVIOR).unwrap();
    folder
}

fn run(client: &mut Client) {
    client.ok(json!({"ask": "run", "control": {"do": "automatic", "on": true}}));
}

#[cfg(feature = "mujoco")]
#[test]
fn a_perception_step_added_to_an_open_behavior_sees() {
    let folder = folder("sees");
    let robot = Robot::start_with(&folder, "127.0.0.1:0", &["--world", "table-balls"]);
    let operator = Operator::start(&folder, robot.address);
    let mut ann = Client::hello(operator.address, "Ann");
    ann.ok(json!({"ask": "take_control"}));
    let all = ann.node("all");
    for (index, kind, name, settings) in [
        (1, "neck", "down", json!({"pitch_deg": 30, "duration_s": 1})),
        (2, "setup_object", "look", json!({"class": "ball", "search_s": 30})),
        (3, "wait", "seen", json!({"duration_s": 600})),
    ] {
        let add = json!({"do": "add", "parent": all, "index": index, "kind": kind, "name": name, "settings": settings});
        ann.ok(json!({"ask": "edit", "operation": add}));
    }
    ann.until_robot_has_all();
    run(&mut ann);
    ann.until("it runs", |client| client.run["mode"] == "automatic");
    ann.until("the ball is found, or the run has failed", |client| {
        client.is_running("seen") || client.run["mode"] != "automatic"
    });
    assert!(ann.is_running("seen"), "{}", ann.run);
}

const CELL: &str = r#"{"version": 1, "signals": {"READY": {"kind": "bool", "initial": false}},
  "variables": {"ready": {"signal": "READY"}}}"#;

const USES_CELL: &str = r#"{"version": 1, "name": "all", "cell": "cell.json", "children": [
  {"type": "wait_until", "name": "waits", "condition": "ready"},
  {"type": "wait", "name": "goes", "duration_s": 600}
]}
"#;

/// Until it is taken: a robot that was just stopped is not at rest yet.
fn open(client: &mut Client, file: &str) {
    client.ok(json!({"ask": "stop"}));
    client.until("nothing runs", |client| client.run["running"] == json!([]) && client.run["mode"] != "automatic");
    client.ok(json!({"ask": "open", "file": file, "discard": true}));
}

fn copy(from: &str, to: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machine-tending").join(from);
    std::fs::copy(from, to).unwrap();
}

#[test]
fn a_cell_goes_with_its_behavior_to_a_robot_that_has_no_such_folder() {
    let (there, here) = (folder("cell-there"), folder("cell-here"));
    for file in ["cell.json", "tend.json", "insert.json", "extract.json"] {
        copy(file, &here.join(file));
    }
    let robot = Robot::start(&there, "127.0.0.1:0");
    let address = robot.address;
    let operator = Operator::start(&here, address);
    let mut ann = Client::hello(operator.address, "Ann");
    ann.ok(json!({"ask": "take_control"}));
    open(&mut ann, "tend.json");
    run(&mut ann);
    ann.until_running("Whichever is first");

    std::fs::create_dir_all(here.join("work")).unwrap();
    std::fs::write(here.join("work/cell.json"), CELL).unwrap();
    std::fs::write(here.join("work/uses.json"), USES_CELL).unwrap();
    open(&mut ann, "work/uses.json");
    run(&mut ann);
    ann.until_running("waits");
    wait_until_kept(&there, "READY");

    // A changed file counts when the behavior is opened again, and only then.
    std::fs::write(here.join("work/cell.json"), CELL.replace("false", "true")).unwrap();
    assert!(ann.is_running("waits"));
    open(&mut ann, "work/uses.json");
    run(&mut ann);
    ann.until_running("goes");
    wait_until_kept(&there, "\"initial\": true");
    drop(robot);

    // What came with it is kept with it: nobody is asked for it after a restart.
    ann.until("the link is down", |client| client.link["quality"] == "down");
    drop((ann, operator));
    std::fs::remove_dir_all(&here).unwrap();
    let _robot = Robot::start(&there, &address.to_string());
    let elsewhere = folder("cell-elsewhere");
    let operator = Operator::start(&elsewhere, address);
    let mut bob = Client::hello(operator.address, "Bob");
    bob.ok(json!({"ask": "take_control"}));
    run(&mut bob);
    bob.until_running("goes");
}

#[test]
fn what_is_beside_a_behavior_and_cannot_go_along_is_told_when_it_is_opened() {
    let (there, here) = (folder("beside-there"), folder("beside-here"));
    let robot = Robot::start(&there, "127.0.0.1:0");
    let operator = Operator::start(&here, robot.address);
    let mut ann = Client::hello(operator.address, "Ann");
    ann.ok(json!({"ask": "take_control"}));
    std::fs::write(here.join("uses.json"), USES_CELL).unwrap();
    let refused = ann.ask(json!({"ask": "open", "file": "uses.json"}));
    assert!(refused["error"]["text"].as_str().unwrap().contains("there is no file cell.json"), "{refused}");
    std::fs::write(here.join("cell.json"), CELL).unwrap();
    std::fs::create_dir_all(here.join("templates")).unwrap();
    std::fs::write(here.join("templates/large.json"), " ".repeat(3 << 20)).unwrap();
    let refused = ann.ask(json!({"ask": "open", "file": "uses.json"}));
    let text = refused["error"]["text"].as_str().unwrap();
    assert!(text.contains("a robot takes at most") && text.contains("out of the folder"), "{refused}");
    std::fs::remove_file(here.join("templates/large.json")).unwrap();
    ann.ok(json!({"ask": "open", "file": "uses.json"}));
}

/// Until what a robot keeps for its next life has this text in it.
fn wait_until_kept(folder: &std::path::Path, text: &str) {
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let has = |bytes: Vec<u8>| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    while !std::fs::read(folder.join("state/tree")).is_ok_and(has) {
        assert!(std::time::Instant::now() < until, "{text} was not kept");
        std::thread::park_timeout(std::time::Duration::from_millis(20));
    }
}
