//! What real processes leave on disk: who did what, and for whose eyes.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::PATIENCE;
use super::client::Client;
use super::process::{Operator, Robot, folder};

fn audit(state: &Path) -> Vec<Json> {
    let files = std::fs::read_dir(state).unwrap().map(|entry| entry.unwrap().path());
    let audits = files.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let text: String = audits.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_audit_names_whoever_stopped_the_robot() {
    let folder = folder("who-stopped");
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let operator = Operator::start(&folder, robot.address);
    let mut ann = Client::hello(operator.address, "Ann");
    ann.ok(json!({"ask": "stop"}));
    // Answered by the robot behind it, so that what told of the stop has been heard.
    ann.ok(json!({"ask": "take_control"}));
    let until = std::time::Instant::now() + PATIENCE;
    let lines = loop {
        let lines = audit(&folder.join("state"));
        if lines.iter().any(|line| line["what"] == "take control") || std::time::Instant::now() > until {
            break lines;
        }
        std::thread::yield_now();
    };
    assert!(lines.iter().any(|line| line["what"] == "stop" && line["by"] == "Ann"), "{lines:#?}");
    assert!(lines.iter().all(|line| line["outcome"] == "done"), "{lines:#?}");
}

#[cfg(unix)]
#[test]
fn what_is_kept_is_for_this_user_alone() {
    let folder = folder("private");
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let operator = Operator::start(&folder, robot.address);
    let mut ann = Client::hello(operator.address, "Ann");
    let first = ann.node("first");
    ann.ok(json!({"ask": "edit", "operation": {"do": "rename", "node": first, "name": "Ann's"}}));
    ann.until_robot_has_all();
    let open =
        [folder.join("state"), folder.join(".coact")].iter().flat_map(|kept| not_private(kept)).collect::<Vec<_>>();
    assert!(open.is_empty(), "{open:#?}");
}

/// What others may read or write, below this and itself.
#[cfg(unix)]
fn not_private(path: &Path) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt;
    let about = std::fs::metadata(path).unwrap();
    let mode = about.permissions().mode() & 0o777;
    let mut open = if mode & 0o077 == 0 { vec![] } else { vec![format!("{mode:o} {}", path.display())] };
    if about.is_dir() {
        let inside = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        open.extend(inside.flat_map(|path| not_private(&path)));
    }
    open
}
