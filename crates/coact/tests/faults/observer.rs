//! A key that may only look, with real processes: what is refused is told, and no tree keeps it.

use std::path::{Path, PathBuf};

use link::SecretKey;
use serde_json::json;

use super::client::Client;
use super::process::{Operator, Robot, folder};

fn public(byte: u8) -> String {
    SecretKey::new([byte; 32]).public().to_string()
}

/// With a secret that only its owner may read.
fn key_file(folder: &Path, name: &str, secret: u8, allowed: &[(u8, &str, &str)]) -> PathBuf {
    let lines = allowed.iter().map(|(byte, name, rank)| format!("allow {} {name} {rank}\n", public(*byte)));
    let text = format!("secret {}\n{}", hex::encode([secret; 32]), lines.collect::<String>());
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    path
}

const ROBOT: u8 = 9;

pub fn robot(folder: &Path, listen: &str, gallery: &str) -> Robot {
    let allowed = [(1, "desk", "supervisor"), (2, "gallery", gallery)];
    let keys = key_file(folder, "robot.keys", ROBOT, &allowed);
    Robot::start_with(folder, listen, &["--keys", keys.to_str().unwrap()])
}

/// In a folder of its own, as on a machine of its own.
pub fn operator(folder: &Path, robot: &Robot, (name, key): (&str, u8)) -> Operator {
    let own = folder.join(name);
    std::fs::create_dir_all(&own).unwrap();
    let keys = key_file(folder, &format!("{name}.keys"), key, &[(ROBOT, "one", "supervisor")]);
    Operator::with(&own, robot.address, &["--keys", keys.to_str().unwrap()])
}

#[test]
fn edits_with_the_key_of_an_observer_are_refused_at_once_with_the_reason() {
    let folder = folder("observer");
    let robot = robot(&folder, "127.0.0.1:0", "observer");
    let (desk, gallery) = (operator(&folder, &robot, ("desk", 1)), operator(&folder, &robot, ("gallery", 2)));
    let (mut ann, mut olga) = (Client::hello(desk.address, "Ann"), Client::hello(gallery.address, "Olga"));
    olga.until("told at the start", |client| client.notices.iter().any(|text| text.contains("rank of an observer")));
    let (first, all) = (olga.node("first"), olga.node("all"));
    for operation in [
        json!({"do": "rename", "node": first, "name": "Olga's"}),
        json!({"do": "delete", "nodes": [first]}),
        json!({"do": "add", "parent": all, "index": 0, "kind": "wait", "name": "hers", "settings": {}}),
    ] {
        let refused = olga.ask(json!({"ask": "edit", "operation": operation}));
        assert_eq!(refused["error"]["code"], "not_allowed", "{refused}");
        assert!(refused["error"]["text"].as_str().unwrap().contains("rank of an observer"), "{refused}");
    }
    ann.ok(json!({"ask": "edit", "operation": {"do": "rename", "node": ann.node("second"), "name": "Ann's"}}));
    ann.until_robot_has_all();
    olga.until("what Ann did", |client| client.document_has("Ann's"));
    assert_eq!(olga.content(), ann.content());
}

/// Edits made while the robot was away, with a key that may only look when it comes back.
#[test]
fn a_rank_that_was_taken_away_takes_back_what_the_robot_never_got() {
    let folder = folder("demoted");
    let before = robot(&folder, "127.0.0.1:0", "operator");
    let gallery = operator(&folder, &before, ("gallery", 2));
    let mut olga = Client::hello(gallery.address, "Olga");
    olga.ok(json!({"ask": "edit", "operation": {"do": "rename", "node": olga.node("first"), "name": "in time"}}));
    olga.until_robot_has_all();
    let address = before.address.to_string();
    drop(before);
    olga.until("the link is down", |client| client.link["quality"] == "down");
    olga.ok(json!({"ask": "edit", "operation": {"do": "rename", "node": olga.node("second"), "name": "too late"}}));
    let all = olga.node("all");
    let add = json!({"do": "add", "parent": all, "index": 0, "kind": "wait", "name": "never", "settings": {}});
    olga.ok(json!({"ask": "edit", "operation": add}));

    let after = robot(&folder, &address, "observer");
    let refused = |client: &Client| {
        let told = client.notices.iter().filter(|text| text.contains("taken back") && text.contains("may only look"));
        told.count() == 2
    };
    olga.until("told of both edits", refused);
    let desk = operator(&folder, &after, ("desk", 1));
    let ann = Client::hello(desk.address, "Ann");
    assert!(ann.document_has("in time") && ann.document_has("second") && !ann.document_has("never"));
    olga.until("what the robot has", |client| client.content() == ann.content());
    olga.until_robot_has_all();
}
