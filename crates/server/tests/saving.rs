//! Files: nothing is lost, nothing is written over unasked.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::Desk;
use serde_json::json;
use server::Store as _;

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

#[test]
fn a_skill_of_the_folder_comes_with_its_first_use_and_goes_with_its_undo() {
    let mut desk = Desk::alone();
    desk.store.put(
        "skills/bow.json",
        r#"{"version": 1, "name": "Bow", "children": [{"type": "skill", "name": "Deep", "file": "deep.json"}]}"#,
    );
    desk.store
        .put("skills/deep.json", r#"{"version": 1, "name": "Deep", "children": [{"type": "wait", "name": "Low"}]}"#);
    let ann = desk.hello("Ann");
    let group = desk.id(ann, "Group");
    let files = |desk: &mut Desk| -> Vec<(String, bool)> {
        let document = desk.document(ann);
        let files = document["files"].as_array().unwrap().iter();
        files.map(|file| (file["file"].as_str().unwrap().to_owned(), file["unsaved"] == true)).collect()
    };
    let named = |files: &[(&str, bool)]| -> Vec<(String, bool)> {
        files.iter().map(|(file, unsaved)| ((*file).to_owned(), *unsaved)).collect()
    };
    desk.edit(
        ann,
        json!({"do": "add", "parent": group, "index": 0, "kind": "skill", "name": "Bow", "settings": {"file": "skills/bow.json"}}),
    );
    let with_both = named(&[
        ("main.json", true),
        ("skills/nod.json", false),
        ("skills/bow.json", false),
        ("skills/deep.json", false),
    ]);
    assert_eq!(files(&mut desk), with_both);
    let checked = desk.ok(ann, json!({"ask": "check"}));
    let errors: Vec<_> = checked["problems"].as_array().unwrap().iter().filter(|each| each["error"] == true).collect();
    assert!(errors.is_empty(), "{errors:?}");
    desk.ok(ann, json!({"ask": "undo"}));
    assert_eq!(files(&mut desk), named(&[("main.json", false), ("skills/nod.json", false)]));
    desk.ok(ann, json!({"ask": "redo"}));
    let r#use = desk.id(ann, "Use");
    desk.edit(ann, json!({"do": "set", "node": r#use, "settings": {"file": "skills/deep.json"}}));
    assert_eq!(files(&mut desk), with_both);
}

#[test]
fn a_behavior_that_the_robot_has_from_elsewhere_is_saved_into_the_folder_here() {
    let there = common::Memory::default();
    there.put("/opt/robot/pick/main.json", &common::TREE.replace("skills/nod", "../skills/nod"));
    there.put("/opt/robot/skills/nod.json", common::SKILL);
    let registry = nodes::registry();
    let library = model::file::load("/opt/robot/pick/main.json", &there, registry.catalogue()).unwrap().library;
    let mut desk = Desk::with(server::Tokens::default(), true);
    desk.robot = Some(server::Shared::new(library, registry, common::peer(99), 7).unwrap());
    desk.connect(true);
    let ann = desk.hello("Ann");
    let id = desk.id(ann, "First");
    desk.edit(ann, json!({"do": "rename", "node": id, "name": "Renamed"}));
    let saved = desk.ok(ann, json!({"ask": "save"}));
    assert!(saved["files"].as_array().unwrap().contains(&json!("pick/main.json")), "where it is: {saved}");
    let text = desk.store.text("pick/main.json").unwrap();
    assert!(text.contains("Renamed") && text.contains("../skills/nod.json"), "{text}");
    assert!(!desk.store.files.lock().unwrap().keys().any(|name| name.starts_with('/')));
    let group = desk.id(ann, "Group");
    desk.edit(ann, json!({"do": "extract", "node": group, "file": "skills/group.json"}));
    desk.ok(ann, json!({"ask": "save"}));
    assert!(desk.store.text("pick/skills/group.json").is_some());
}

#[test]
fn what_becomes_a_skill_stays_in_the_folder() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let group = desk.id(ann, "Group");
    let before = desk.document(ann);
    for file in ["../x.json", "/tmp/x.json", ".x.json", "skills/.x/y.json", "a\\b.json", "x.txt", "x\n.json", ""] {
        let operation = json!({"do": "extract", "node": group, "file": file});
        assert_eq!(desk.refused(ann, json!({"ask": "edit", "operation": operation})).0, "refused", "{file}");
    }
    assert_eq!(desk.document(ann), before);
    desk.edit(ann, json!({"do": "extract", "node": group, "file": "skills/group.json"}));
}

const USER: &str = r#"{"version": 1, "children": [{"type": "sequence", "children": [{"type": "skill", "file": "../skills/bow.json"}]}]}"#;

#[test]
fn a_copy_under_another_name_finds_its_skills_and_replaces_nothing() {
    let (mut desk, ann) = edited();
    assert_eq!(desk.refused(ann, json!({"ask": "save_as", "file": "main.json"})).0, "refused");
    assert_eq!(desk.refused(ann, json!({"ask": "save_as", "file": "../main.json"})).0, "refused");
    desk.ok(ann, json!({"ask": "save_as", "file": "deep/er/copy.json"}));
    let text = desk.store.text("deep/er/copy.json").unwrap();
    assert!(text.contains("\"duration_s\": 6") && text.contains("../../skills/nod.json"), "{text}");
    assert!(
        desk.store.text("main.json").unwrap().contains("\"duration_s\": 1"),
        "the one that is open stays as it was"
    );
    assert!(
        desk.audit.iter().any(|line| line.contains("Ann") && line.contains("deep/er/copy.json")),
        "{:?}",
        desk.audit
    );
}

#[test]
fn a_file_is_renamed_and_deleted_unless_it_is_open_or_others_use_it() {
    let (mut desk, ann) = edited();
    let bow = r#"{"version": 1, "name": "Bow", "children": []}"#;
    desk.store.put("skills/bow.json", bow);
    desk.store.put("other/user.json", USER);
    for (file, to) in [("main.json", "x.json"), ("skills/nod.json", "x.json"), ("none.json", "x.json")] {
        assert_eq!(desk.refused(ann, json!({"ask": "rename_file", "file": file, "to": to})).0, "refused", "{file}");
        assert_eq!(desk.refused(ann, json!({"ask": "delete_file", "file": file})).0, "refused", "{file}");
    }
    for to in ["main.json", "../x.json", "/tmp/x.json", ".x.json", "x.txt"] {
        let ask = json!({"ask": "rename_file", "file": "other/user.json", "to": to});
        assert_eq!(desk.refused(ann, ask).0, "refused", "{to}");
    }
    let (code, text) = desk.refused(ann, json!({"ask": "delete_file", "file": "skills/bow.json"}));
    assert!(code == "in_use" && text.contains("other/user.json"), "{code}: {text}");
    let rename = json!({"ask": "rename_file", "file": "skills/bow.json", "to": "skills/nod2.json"});
    assert_eq!(desk.refused(ann, rename).0, "in_use");
    desk.ok(ann, json!({"ask": "rename_file", "file": "skills/bow.json", "to": "skills/low/bow.json", "anyway": true}));
    assert_eq!(desk.store.text("skills/low/bow.json").unwrap(), bow);
    assert_eq!(desk.store.text("skills/bow.json"), None);
    let follows = USER.replace("../skills/bow.json", "../skills/low/bow.json");
    assert_eq!(desk.store.text("other/user.json").unwrap(), follows, "who uses it uses it still");
    desk.ok(ann, json!({"ask": "rename_file", "file": "other/user.json", "to": "user.json"}));
    let moved = USER.replace("../skills/bow.json", "skills/low/bow.json");
    assert_eq!(desk.store.text("user.json").unwrap(), moved, "and finds it from another place");
    desk.ok(ann, json!({"ask": "delete_file", "file": "user.json"}));
    assert_eq!(desk.store.text("user.json"), None);
    assert_eq!(desk.store.text("user.json~").unwrap(), moved, "what it was stays beside it");
    for word in ["renamed", "deleted"] {
        assert!(desk.audit.iter().any(|line| line.contains(word)), "{word}: {:?}", desk.audit);
    }
    for folder in ["../out", "/tmp/out", "", ".hidden", "a/../../b"] {
        assert_eq!(desk.refused(ann, json!({"ask": "new_folder", "folder": folder})).0, "refused", "{folder}");
    }
    desk.ok(ann, json!({"ask": "new_folder", "folder": "doors/wide"}));
}

#[test]
fn steps_go_to_another_behavior_with_the_skills_they_use() {
    let (mut desk, ann) = edited();
    let (group, r#use) = (desk.id(ann, "Group"), desk.id(ann, "Use"));
    let copied = desk.ok(ann, json!({"ask": "copy", "nodes": [group, r#use]}))["text"].as_str().unwrap().to_owned();
    let before = desk.document(ann);
    let mut there = Desk::alone();
    there.store.put("deep/other.json", r#"{"version": 1, "name": "Other", "children": []}"#);
    there.store.remove("skills/nod.json").unwrap();
    let bob = there.hello("Bob");
    there.ok(bob, json!({"ask": "open", "file": "deep/other.json"}));
    let root = there.document(bob)["files"][0]["root"].clone();
    let paste = json!({"do": "paste", "parent": root, "index": 0, "text": copied});
    let created = there.edit(bob, paste);
    assert_eq!(created["created"].as_array().unwrap().len(), 2, "both, to be selected: {created}");
    let document = there.document(bob);
    let kinds: Vec<&str> =
        document["nodes"].as_array().unwrap().iter().map(|node| node["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"log") && kinds.contains(&"skill"), "{kinds:?}");
    there.ok(bob, json!({"ask": "save"}));
    assert!(there.store.text("deep/other.json").unwrap().contains("../skills/nod.json"));
    assert!(
        there.store.text("skills/nod.json").unwrap().contains("\"duration_s\": 5"),
        "as it was where it was copied"
    );
    assert_eq!(desk.document(ann), before, "a copy changes nothing");
    for text in ["no JSON", "{}", "[1]", r#"{"children": []}"#, r#"{"children": [{"type": "nothing like it"}]}"#] {
        let paste = json!({"ask": "edit", "operation": {"do": "paste", "parent": root, "index": 0, "text": text}});
        assert_eq!(there.refused(bob, paste).0, "refused", "{text}");
    }
    let plain = r#"{"version": 1, "children": [{"type": "wait", "name": "Plain"}]}"#;
    there.edit(bob, json!({"do": "paste", "parent": root, "index": 0, "text": plain}));
    assert!(there.document(bob)["nodes"].as_array().unwrap().iter().any(|node| node["name"] == "Plain"));
}
