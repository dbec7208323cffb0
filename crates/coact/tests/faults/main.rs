//! What goes wrong between real processes: killed, cut off, flooded. A robot, its operators and their clients on the
//! loopback interface, with a line between them that can be cut.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

pub mod client;
#[cfg(target_os = "linux")]
mod dead_thread;
mod finals;
mod goals;
mod observer;
mod one_key;
pub mod process;
mod records;
mod relay;

use std::time::{Duration, Instant};

use client::Client;
use process::{Operator, Robot, folder, read};
use relay::Relay;
use serde_json::json;

/// Far more than is needed on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// Two long waits, so that something runs for as long as a test needs.
pub const BEHAVIOR: &str = r#"{"version": 1, "type": "sequence", "name": "all", "children": [
  {"type": "wait", "name": "first", "duration_s": 600},
  {"type": "wait", "name": "second", "duration_s": 600}
]}
"#;

#[test]
fn a_cut_line_loses_no_edit_and_stops_nothing() {
    let folder = folder("cut");
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let line = Relay::to(robot.address);
    let there = Operator::start(&folder, line.address);
    let here = Operator::start(&folder, robot.address);
    let mut ann = Client::hello(there.address, "Ann");
    let mut bob = Client::hello(here.address, "Bob");
    ann.until_robot_has_all();
    bob.until_robot_has_all();
    ann.ok(json!({"ask": "take_control"}));
    ann.ok(json!({"ask": "run", "control": {"do": "automatic", "on": true}}));
    bob.until_running("first");

    line.cut();
    // Sent before anybody has noticed: it arrives when the line is mended, too late.
    let too_late = ann.send(json!({"ask": "run", "control": {"do": "pause", "on": true}, "valid_for_s": 0.5}));
    ann.until("the link is down", |client| client.link["quality"] == "down");
    let unsent = ann.ask(json!({"ask": "run", "control": {"do": "pause", "on": true}}));
    assert_eq!(unsent["error"]["code"], "no_robot", "{unsent}");
    let first = ann.node("first");
    ann.ok(json!({"ask": "edit", "operation": {"do": "rename", "node": first, "name": "Ann's"}}));
    let second = bob.node("second");
    bob.ok(json!({"ask": "edit", "operation": {"do": "set", "node": second, "settings": {"duration_s": 5}}}));
    bob.until_robot_has_all();
    assert!(!ann.robot_has_all(), "the robot cannot have what was changed beyond the cut");
    assert!(ann.document_has("second") && bob.is_running("first"), "the robot goes on with what it was told");

    line.mend();
    ann.until_robot_has_all();
    bob.until("Bob sees what Ann did", |client| client.document_has("Ann's"));
    ann.until("Ann sees what Bob did", |client| client.setting("second", "duration_s") == json!(5));
    assert!(bob.is_running("Ann's"), "the step runs under its new name");
    let too_late = ann.reply(too_late);
    assert_eq!(too_late["error"]["code"], "robot_refused", "{too_late}");
    assert_eq!(bob.run["paused"], false, "what came too late was not done");
}

#[test]
fn a_stop_given_in_the_dark_arrives_with_the_light() {
    let folder = folder("dark");
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let line = Relay::to(robot.address);
    let there = Operator::start(&folder, line.address);
    let here = Operator::start(&folder, robot.address);
    let mut ann = Client::hello(there.address, "Ann");
    let mut bob = Client::hello(here.address, "Bob");
    ann.ok(json!({"ask": "take_control"}));
    ann.ok(json!({"ask": "run", "control": {"do": "automatic", "on": true}}));
    bob.until_running("first");
    line.cut();
    ann.until("the link is down", |client| client.link["quality"] == "down");
    let stop = ann.send(json!({"ask": "stop"}));
    ann.until("a stop is on its way", |client| client.link["stop_pending"] == true);
    assert!(bob.is_running("first"));
    line.mend();
    bob.until("it has stopped", |client| client.run["running"] == json!([]));
    assert_eq!(ann.reply(stop)["ok"]["is"], "done");
}

#[test]
fn a_killed_operator_leaves_the_robot_at_its_work_and_comes_back() {
    let folder = folder("operator");
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let operator = Operator::start(&folder, robot.address);
    let mut ann = Client::hello(operator.address, "Ann");
    ann.ok(json!({"ask": "take_control"}));
    ann.ok(json!({"ask": "run", "control": {"do": "automatic", "on": true}}));
    ann.until_running("first");
    let first = ann.node("first");
    ann.ok(json!({"ask": "edit", "operation": {"do": "rename", "node": first, "name": "renamed"}}));
    ann.until_robot_has_all();
    drop(operator);

    let again = Operator::start(&folder, robot.address);
    let mut ann = Client::hello(again.address, "Ann");
    ann.until_running("renamed");
    ann.ok(json!({"ask": "stop"}));
    ann.until("it has stopped", |client| client.run["running"] == json!([]));
}

#[test]
fn a_killed_robot_comes_back_stopped_with_its_tree_and_gets_what_was_done_meanwhile() {
    let folder = folder("robot");
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let address = robot.address;
    let operator = Operator::start(&folder, address);
    let mut ann = Client::hello(operator.address, "Ann");
    ann.ok(json!({"ask": "take_control"}));
    ann.ok(json!({"ask": "run", "control": {"do": "automatic", "on": true}}));
    let first = ann.node("first");
    ann.ok(json!({"ask": "edit", "operation": {"do": "rename", "node": first, "name": "before"}}));
    ann.until_running("before");
    ann.until_robot_has_all();
    drop(robot);

    ann.until("the link is down", |client| client.link["quality"] == "down");
    let start = Instant::now();
    let refused = ann.ask(json!({"ask": "run", "control": {"do": "pause", "on": true}}));
    assert!(refused["error"]["text"].is_string(), "{refused}");
    assert!(start.elapsed() < PATIENCE / 2, "nobody waits for a robot that is gone");
    let second = ann.node("second");
    ann.ok(json!({"ask": "edit", "operation": {"do": "rename", "node": second, "name": "meanwhile"}}));

    let _robot = Robot::start(&folder, &address.to_string());
    ann.until_robot_has_all();
    ann.until("nothing runs", |client| client.run["running"] == json!([]) && client.run["mode"] == "stopped");
    assert!(ann.document_has("before") && ann.document_has("meanwhile"));
}

/// Whatever is said to be at the robot is there after both processes were killed in the same moment, and what was not
/// said to be there comes when both are back.
#[test]
fn both_killed_at_once_lose_nothing_that_was_made() {
    let folder = folder("both");
    let mut robot = Robot::start(&folder, "127.0.0.1:0");
    let address = robot.address;
    for round in 0..4 {
        let operator = Operator::start(&folder, address);
        let mut ann = Client::hello(operator.address, "Ann");
        let node = ann.node("second");
        for number in 0..10 {
            let operation = json!({"do": "notes", "node": node, "notes": format!("round {round}, edit {number}")});
            ann.ok(json!({"ask": "edit", "operation": operation}));
        }
        let operation = json!({"do": "add", "parent": ann.node("all"), "index": 0, "kind": "wait",
            "name": format!("round {round}"), "settings": {}});
        ann.ok(json!({"ask": "edit", "operation": operation}));
        if round % 2 == 0 {
            ann.until_robot_has_all();
        }
        drop(robot);
        drop(operator);
        robot = Robot::start(&folder, &address.to_string());
    }
    let operator = Operator::start(&folder, address);
    let mut ann = Client::hello(operator.address, "Ann");
    for round in 0..4 {
        let name = format!("round {round}");
        ann.until("every edit is there", |client| client.count(&name) == 1);
    }
    ann.until_robot_has_all();
}

#[test]
fn edits_made_in_the_dark_outlive_the_operator_process() {
    let folder = folder("outlive");
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let line = Relay::to(robot.address);
    let operator = Operator::start(&folder, line.address);
    let mut ann = Client::hello(operator.address, "Ann");
    line.cut();
    ann.until("the link is down", |client| client.link["quality"] == "down");
    let first = ann.node("first");
    ann.ok(json!({"ask": "edit", "operation": {"do": "rename", "node": first, "name": "in the dark"}}));
    drop(operator);
    let operator = Operator::start(&folder, line.address);
    line.mend();
    let mut ann = Client::hello(operator.address, "Ann");
    ann.until("it is here again", |client| client.document_has("in the dark"));
    ann.until_robot_has_all();
    let other = Operator::start(&folder, robot.address);
    let bob = Client::hello(other.address, "Bob");
    assert!(bob.document_has("in the dark"), "the robot has it");
}

#[test]
fn garbage_and_floods_on_every_door_change_nothing() {
    let folder = folder("garbage");
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let operator = Operator::start(&folder, robot.address);
    let mut ann = Client::hello(operator.address, "Ann");
    ann.ok(json!({"ask": "take_control"}));
    ann.ok(json!({"ask": "run", "control": {"do": "automatic", "on": true}}));
    ann.until_running("first");

    relay::throw_garbage(robot.address);
    for text in ["", "{", "[]", r#"{"id": 1}"#, r#"{"id": 1, "ask": "launch"}"#, "\u{0}"] {
        let mut stranger = Client::connect(operator.address);
        stranger.throw(text);
    }
    let mut stranger = Client::connect(operator.address);
    stranger.throw(&format!(r#"{{"id": 1, "ask": "hello", "version": 4, "name": "{}"}}"#, "x".repeat(5_000_000)));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    Client::connect(operator.address).throw(&deep);
    let mut flood = Client::hello(operator.address, "flood");
    for _ in 0..2_000 {
        flood.throw(r#"{"id": 9, "ask": "document"}"#);
    }

    assert!(ann.is_running("first"));
    ann.ok(json!({"ask": "stop"}));
    ann.until("it has stopped", |client| client.run["running"] == json!([]));
}

#[test]
fn a_file_changed_on_disk_is_not_written_over_unasked() {
    let folder = folder("disk");
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let operator = Operator::start(&folder, robot.address);
    let mut ann = Client::hello(operator.address, "Ann");
    ann.ok(json!({"ask": "take_control"}));
    ann.ok(json!({"ask": "open", "file": "behavior.json"}));
    let first = ann.node("first");
    ann.ok(json!({"ask": "edit", "operation": {"do": "rename", "node": first, "name": "Ann's"}}));
    let theirs = BEHAVIOR.replace("second", "somebody else's");
    std::fs::write(folder.join("behavior.json"), &theirs).unwrap();
    let refused = ann.ask(json!({"ask": "save"}));
    assert_eq!(refused["error"]["code"], "changed_on_disk", "{refused}");
    assert_eq!(read(&folder, "behavior.json"), theirs, "nothing is lost");
    ann.ok(json!({"ask": "save", "overwrite": true}));
    assert!(read(&folder, "behavior.json").contains("Ann's"));
    assert_eq!(read(&folder, "behavior.json~"), theirs, "what was there is kept beside it");
}
