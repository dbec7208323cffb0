//! Files: nothing is lost, nothing is written over unasked.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::Desk;
use serde_json::json;

fn edited() -> (Desk, server::SessionId) {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let (first, inside) = (desk.id(ann, "First"), desk.id(ann, "Inside"));
    desk.edit(ann, json!({"do": "set", "node": first, "settings": {"duration_s": 6}}));
    desk.edit(ann, json!({"do": "set", "node": inside, "settings": {"duration_s": 5}}));
    (desk, ann)
}

#[test]
fn changed_files_are_saved_skills_first() {
    let (mut desk, ann) = edited();
    assert_eq!(desk.ok(ann, json!({"ask": "save"}))["files"], json!(["skills/nod.json", "main.json"]));
    assert!(desk.store.text("main.json").unwrap().contains("\"duration_s\": 6"));
    assert!(desk.document(ann)["files"].as_array().unwrap().iter().all(|file| file["unsaved"] == false));
    assert_eq!(desk.ok(ann, json!({"ask": "save"}))["files"], json!([]));
}

#[test]
fn an_undo_back_to_what_is_saved_is_saved() {
    let (mut desk, ann) = edited();
    desk.ok(ann, json!({"ask": "save"}));
    let first = desk.id(ann, "First");
    desk.edit(ann, json!({"do": "rename", "node": first, "name": "Start"}));
    assert_eq!(desk.document(ann)["files"][0]["unsaved"], true);
    assert_eq!(desk.document(ann)["files"][1]["unsaved"], false);
    desk.ok(ann, json!({"ask": "undo"}));
    assert_eq!(desk.document(ann)["files"][0]["unsaved"], false);
}

#[test]
fn one_file_alone() {
    let (mut desk, ann) = edited();
    assert_eq!(desk.ok(ann, json!({"ask": "save", "files": ["main.json"]}))["files"], json!(["main.json"]));
    assert!(desk.store.text("skills/nod.json").unwrap().contains("\"duration_s\": 2"));
    assert_eq!(desk.refused(ann, json!({"ask": "save", "files": ["other.json"]})).0, "refused");
}

#[test]
fn a_file_that_changed_on_disk_is_not_written_over_unasked() {
    let (mut desk, ann) = edited();
    desk.store.put("main.json", "somebody else's");
    let (code, text) = desk.refused(ann, json!({"ask": "save"}));
    assert_eq!(code, "changed_on_disk");
    assert!(text.contains("main.json"), "{text}");
    assert_eq!(desk.store.text("main.json").unwrap(), "somebody else's");
    assert!(desk.store.text("skills/nod.json").unwrap().contains("\"duration_s\": 2"), "not even a part is saved");
    desk.ok(ann, json!({"ask": "save", "overwrite": true}));
    assert!(desk.store.text("main.json").unwrap().contains("\"duration_s\": 6"));
}

#[test]
fn a_new_file_does_not_replace_one_that_appeared() {
    let (mut desk, ann) = edited();
    let group = desk.id(ann, "Group");
    desk.edit(ann, json!({"do": "extract", "node": group, "file": "skills/group.json"}));
    desk.store.put("skills/group.json", "mine");
    assert_eq!(desk.refused(ann, json!({"ask": "save"})).0, "changed_on_disk");
    assert_eq!(desk.store.text("skills/group.json").unwrap(), "mine");
}

#[test]
fn a_full_disk_loses_nothing() {
    let (mut desk, ann) = edited();
    *desk.store.full.lock().unwrap() = true;
    let (code, text) = desk.refused(ann, json!({"ask": "save"}));
    assert_eq!(code, "failed");
    assert!(text.contains("space"), "{text}");
    assert_eq!(desk.document(ann)["files"][0]["unsaved"], true);
    assert!(desk.store.text("main.json").unwrap().contains("\"duration_s\": 1"));
    *desk.store.full.lock().unwrap() = false;
    desk.ok(ann, json!({"ask": "save"}));
    assert!(desk.store.text("main.json").unwrap().contains("\"duration_s\": 6"));
}
