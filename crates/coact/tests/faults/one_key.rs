//! Two operator processes with one key, as when somebody copies a folder: each works, and people at both are told.

use serde_json::json;

use super::client::Client;
use super::observer::{operator, robot};
use super::process::folder;

#[test]
fn one_key_at_two_operator_processes_is_told_as_that_at_both() {
    let folder = folder("one-key");
    let robot = robot(&folder, "127.0.0.1:0", "observer");
    let (desk, copy) = (operator(&folder, &robot, ("desk", 1)), operator(&folder, &robot, ("copy", 1)));
    let mut people = [Client::hello(desk.address, "Ann"), Client::hello(copy.address, "Ben")];
    for client in &mut people {
        client.ok(
            json!({"ask": "watch", "topics": {"robot_hz": 0, "happenings": true, "variables": false, "scene": false}}),
        );
    }
    for client in &mut people {
        client.until("told of the other", |client| {
            client.warnings.iter().any(|text| text.contains("two operator processes use the key of desk at once"))
        });
        client.ok(json!({"ask": "edit", "operation": {"do": "rename", "node": client.node("first"), "name": "first"}}));
        client.until_robot_has_all();
    }
}
