//! Several people at one tree.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::Desk;
use serde_json::json;

#[test]
fn each_person_takes_back_their_own_work() {
    let mut desk = Desk::alone();
    let (ann, bob) = (desk.hello("Ann"), desk.hello("Bob"));
    let (first, say) = (desk.id(ann, "First"), desk.id(ann, "Say"));
    desk.edit(ann, json!({"do": "set", "node": first, "settings": {"duration_s": 4}}));
    desk.edit(bob, json!({"do": "set", "node": say, "settings": {"text": "hello"}}));
    assert_eq!(desk.document(ann)["undo"], "set");
    desk.ok(ann, json!({"ask": "undo"}));
    assert_eq!(desk.setting(ann, "First", "duration_s"), 1);
    assert_eq!(desk.setting(ann, "Say", "text"), "hello", "Bob's work stands");
    assert!(desk.refused(ann, json!({"ask": "undo"})).1.contains("nothing to undo"));
    assert_eq!(desk.document(ann)["redo"], "set");
    assert_eq!(desk.document(bob)["redo"], json!(null));
    desk.ok(bob, json!({"ask": "undo"}));
    assert_eq!(desk.setting(ann, "Say", "text"), "hi");
    desk.ok(ann, json!({"ask": "redo"}));
    assert_eq!(desk.setting(ann, "First", "duration_s"), 4);
}

#[test]
fn an_undo_does_not_write_over_the_work_of_others() {
    let mut desk = Desk::alone();
    let (ann, bob) = (desk.hello("Ann"), desk.hello("Bob"));
    let first = desk.id(ann, "First");
    desk.edit(ann, json!({"do": "rename", "node": first, "name": "Begin"}));
    desk.edit(ann, json!({"do": "set", "node": first, "settings": {"duration_s": 4}}));
    desk.edit(bob, json!({"do": "set", "node": first, "settings": {"duration_s": 9}}));
    desk.ok(ann, json!({"ask": "undo"}));
    let notice = desk.last_push(ann, "notice");
    assert!(notice["text"].as_str().unwrap().contains("`Begin` stays"), "{notice}");
    assert_eq!(desk.setting(ann, "Begin", "duration_s"), 9);
    desk.ok(ann, json!({"ask": "undo"}));
    assert_eq!(desk.setting(ann, "First", "duration_s"), 9, "the name is taken back, Bob's value stands");
    desk.edit(ann, json!({"do": "rename", "node": first, "name": "Third"}));
    desk.edit(bob, json!({"do": "delete", "nodes": [first]}));
    desk.ok(ann, json!({"ask": "undo"}));
    assert!(desk.last_push(ann, "notice")["text"].as_str().unwrap().contains("gone"));
}

#[test]
fn two_fields_of_one_node_both_stand() {
    let mut desk = Desk::alone();
    let (ann, bob) = (desk.hello("Ann"), desk.hello("Bob"));
    let first = desk.id(ann, "First");
    desk.edit(ann, json!({"do": "set", "node": first, "settings": {"duration_s": 4}}));
    desk.edit(bob, json!({"do": "set", "node": first, "settings": {"timeout_s": 8}}));
    desk.ok(ann, json!({"ask": "undo"}));
    assert_eq!(desk.setting(bob, "First", "timeout_s"), 8);
    assert_eq!(desk.setting(bob, "First", "duration_s"), 1);
}

#[test]
fn two_tabs_of_one_person_share_their_undo() {
    let mut desk = Desk::alone();
    let (one, two) = (desk.hello("Ann"), desk.hello("Ann"));
    let first = desk.id(one, "First");
    desk.edit(one, json!({"do": "set", "node": first, "settings": {"duration_s": 4}}));
    assert_eq!(desk.last_push(two, "changed")["undo"], "set");
    desk.ok(two, json!({"ask": "undo"}));
    assert_eq!(desk.setting(one, "First", "duration_s"), 1);
}

#[test]
fn one_skill_used_twice_is_one_edit() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let used = desk.id(ann, "Use");
    desk.edit(ann, json!({"do": "duplicate", "nodes": [used]}));
    let inside = desk.id(ann, "Inside");
    desk.edit(ann, json!({"do": "set", "node": inside, "settings": {"duration_s": 7}}));
    let push = desk.last_push(ann, "changed");
    assert_eq!(push["nodes"].as_array().unwrap().len(), 1);
    let unsaved: Vec<_> = push["files"].as_array().unwrap().iter().map(|file| file["unsaved"].clone()).collect();
    assert_eq!(unsaved, [true, true]);
}
