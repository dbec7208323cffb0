//! Every verb, without a robot.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::Desk;
use common::copy::Copy;
use expect_test::expect_file;
use protocol::api::PreviewView;
use robot::Side;
use serde_json::json;

#[test]
fn nothing_before_hello() {
    let mut desk = Desk::alone();
    let id = desk.operator.join(desk.now, true, false).unwrap();
    for ask in [json!({"ask": "document"}), json!({"ask": "stop"}), json!({"ask": "files"})] {
        assert_eq!(desk.refused(id, ask).0, "not_allowed");
    }
    assert!(desk.offers.is_empty());
    let (code, text) = desk.refused(id, json!({"ask": "hello", "version": 9}));
    assert_eq!(code, "other_version");
    assert!(text.contains("version 9: update the operator process"), "{text}");
    let (code, text) = desk.refused(id, json!({"ask": "hello", "version": 1}));
    assert_eq!(code, "other_version");
    assert!(text.contains("version 1: reload the page, or update the client"), "{text}");
}

#[test]
fn what_is_not_understood_is_answered_with_its_number() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    desk.operator.text(desk.now, ann, r#"{"id": 77, "ask": "fly"}"#);
    desk.operator.text(desk.now, ann, "{");
    let deep = format!(r#"{{"id": 78, "ask": "edit", "operation": {}1{}}}"#, "[".repeat(400), "]".repeat(400));
    desk.operator.text(desk.now, ann, &deep);
    desk.settle();
    let reply = desk.reply(ann, 77).unwrap();
    assert_eq!(reply["error"]["code"], "bad_request");
    assert!(reply["error"]["text"].as_str().unwrap().contains("fly"), "{reply}");
    assert!(desk.heard[&ann].iter().filter(|each| each["error"]["code"] == "bad_request").count() == 3);
    assert_eq!(desk.document(ann)["is"], "document");
}

#[test]
fn the_document_is_seen_whole() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let document = desk.document(ann);
    assert_eq!(document["files"][0]["file"], "main.json");
    assert_eq!(document["files"][1]["file"], "skills/nod.json");
    assert_eq!(document["files"][1]["inputs"]["times"]["default"], 1);
    let nodes = document["nodes"].as_array().unwrap();
    let used = nodes.iter().find(|node| node["name"] == "Use").unwrap();
    assert_eq!(used["skill"], 1);
    assert_eq!(nodes[0]["children"].as_array().unwrap().len(), 3);
    assert_eq!(document["files"][0]["unsaved"], false, "as it was loaded");
}

#[test]
fn files_are_listed_opened_and_made() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let files = desk.ok(ann, json!({"ask": "files"}));
    assert_eq!(
        files["files"],
        json!([{"file": "main.json", "skill": false}, {"file": "skills/nod.json", "skill": true}])
    );
    desk.ok(ann, json!({"ask": "open", "file": "skills/nod.json"}));
    assert_eq!(desk.document(ann)["files"][0]["file"], "skills/nod.json");
    assert_eq!(desk.last_push(ann, "document")["files"][0]["file"], "skills/nod.json");
    desk.ok(ann, json!({"ask": "new", "file": "fresh.json"}));
    assert_eq!(desk.document(ann)["nodes"].as_array().unwrap().len(), 1);
    assert_eq!(desk.document(ann)["files"][0]["unsaved"], true);
    assert!(desk.refused(ann, json!({"ask": "new", "file": "main.json"})).1.contains("already"));
    assert!(desk.refused(ann, json!({"ask": "open", "file": "../x.json"})).1.contains("no file of this folder"));
    assert!(desk.refused(ann, json!({"ask": "open", "file": "none.json"})).1.contains("none.json"));
}

#[test]
fn unsaved_work_is_not_left_behind() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let first = desk.id(ann, "First");
    desk.edit(ann, json!({"do": "rename", "node": first, "name": "Start"}));
    let (code, text) = desk.refused(ann, json!({"ask": "open", "file": "skills/nod.json"}));
    assert_eq!(code, "refused");
    assert!(text.contains("main.json") && text.contains("save"), "{text}");
    desk.ok(ann, json!({"ask": "open", "file": "skills/nod.json", "discard": true}));
}

#[test]
fn every_operation_is_done_and_can_be_taken_back() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let (root, first) = (desk.id(ann, "Main"), desk.id(ann, "First"));
    let (group, say, used) = (desk.id(ann, "Group"), desk.id(ann, "Say"), desk.id(ann, "Use"));
    let arm = desk.edit(ann, json!({"do": "add", "parent": root, "index": 0, "kind": "arm", "name": "Reach"}));
    let arm = arm["created"][0].as_str().unwrap().to_owned();
    let walk = desk.edit(ann, json!({"do": "add", "parent": root, "index": 0, "kind": "walk", "name": "Walk"}));
    let walk = walk["created"][0].as_str().unwrap().to_owned();
    let copied = desk.ok(ann, json!({"ask": "copy", "nodes": [group, used]}))["text"].clone();
    let sole = json!({"side": "left", "pose": [0.3, 0.1, 0.0, 0.0, 0.0, 0.0, 1.0]});
    let operations = [
        json!({"do": "paste", "parent": group, "index": 0, "text": copied}),
        json!({"do": "take_steps", "node": walk, "steps": [sole]}),
        json!({"do": "set", "node": group, "settings": {"disabled": true}}),
        json!({"do": "add", "parent": group, "index": 1, "kind": "wait", "name": "More", "settings": {"duration_s": 3}}),
        json!({"do": "delete", "nodes": [say]}),
        json!({"do": "move", "nodes": [first], "parent": group, "index": 0}),
        json!({"do": "set", "node": first, "settings": {"duration_s": 5, "timeout_s": 9}}),
        json!({"do": "refer", "node": say, "field": "after", "target": group}),
        json!({"do": "rename", "node": first, "name": "Other"}),
        json!({"do": "notes", "node": first, "notes": "why"}),
        json!({"do": "retype", "node": first, "kind": "log"}),
        json!({"do": "duplicate", "nodes": [group]}),
        json!({"do": "wrap", "nodes": [first, group], "kind": "parallel"}),
        json!({"do": "unwrap", "node": group}),
        json!({"do": "mirror", "nodes": [arm]}),
        json!({"do": "mirror", "nodes": [arm], "copy": true}),
        json!({"do": "extract", "node": group, "file": "skills/group.json"}),
        json!({"do": "inline", "node": used}),
        json!({"do": "set_to_robot", "nodes": [arm]}),
        json!({"do": "change_frame", "nodes": [arm], "frame": "pelvis"}),
        json!({"do": "variables", "file": "main.json", "variables": {"n": 3}}),
    ];
    let before = desk.document(ann);
    for operation in operations {
        desk.edit(ann, operation.clone());
        let after = desk.document(ann);
        assert_ne!((&after["nodes"], &after["files"]), (&before["nodes"], &before["files"]), "{operation}");
        let push = desk.last_push(ann, "changed");
        assert_eq!(push["by"], "Ann");
        desk.ok(ann, json!({"ask": "undo"}));
        let back = desk.document(ann);
        assert_eq!(back["nodes"], before["nodes"], "{operation}");
        assert_eq!(back["files"], before["files"], "{operation}");
        desk.ok(ann, json!({"ask": "redo"}));
        assert_eq!(desk.document(ann)["nodes"], after["nodes"], "{operation}");
        desk.ok(ann, json!({"ask": "undo"}));
    }
}

#[test]
fn a_push_brings_a_client_from_one_document_to_the_next() {
    let mut desk = Desk::alone();
    let (ann, bob) = (desk.hello("Ann"), desk.hello("Bob"));
    let mut copy = Copy::of(&desk.document(bob));
    let (root, first, group) = (desk.id(ann, "Main"), desk.id(ann, "First"), desk.id(ann, "Group"));
    desk.edit(ann, json!({"do": "add", "parent": root, "index": 1, "kind": "log", "name": "New"}));
    desk.edit(ann, json!({"do": "move", "nodes": [first], "parent": group, "index": 0}));
    desk.edit(ann, json!({"do": "delete", "nodes": [first]}));
    for push in desk.pushes(bob, "changed") {
        copy.take(&push);
    }
    copy.is_like(&desk.document(bob));
}

#[test]
fn refused_operations_say_why_and_change_nothing() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let (root, first) = (desk.id(ann, "Main"), desk.id(ann, "First"));
    let before = desk.document(ann);
    for (operation, why) in [
        (json!({"do": "delete", "nodes": [root]}), "root"),
        (json!({"do": "set", "node": first, "settings": {"speed": 1}}), "speed"),
        (json!({"do": "set", "node": first, "settings": {"duration_s": "long"}}), "duration_s"),
        (json!({"do": "set", "node": first, "settings": {"duration_s": 4, "speed": 1}}), "speed"),
        (json!({"do": "add", "parent": first, "index": 0, "kind": "log"}), "no children"),
        (json!({"do": "rename", "node": "123", "name": "x"}), "not in the tree"),
    ] {
        let (code, text) = desk.refused(ann, json!({"ask": "edit", "operation": operation}));
        assert_eq!(code, "refused");
        assert!(text.contains(why), "{operation}: {text}");
    }
    assert_eq!(desk.document(ann), before);
    assert!(desk.pushes(ann, "changed").is_empty());
}

#[test]
fn types_robot_history_and_problems_are_told() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let types = desk.ok(ann, json!({"ask": "node_types"}));
    let names: Vec<&str> =
        types["types"].as_array().unwrap().iter().map(|info| info["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"wait") && names.contains(&"arm"), "{names:?}");
    assert!(!types["common"]["fields"].as_array().unwrap().is_empty());
    assert!(!types["functions"].as_array().unwrap().is_empty());
    let robot = desk.ok(ann, json!({"ask": "robot"}));
    assert!(robot["urdf"].as_str().unwrap().contains("<robot"));
    assert!(robot["joints"].as_array().unwrap().len() > 10);
    let first = desk.id(ann, "First");
    desk.edit(ann, json!({"do": "set", "node": first, "settings": {"until": "nobody > 1"}}));
    let history = desk.ok(ann, json!({"ask": "history", "most": 5}));
    assert_eq!(history["entries"][0]["who"], "Ann");
    assert_eq!(history["entries"][0]["nodes"], json!([first]));
    let problems = desk.ok(ann, json!({"ask": "check"}));
    let problems = problems["problems"].as_array().unwrap().clone();
    assert!(
        problems.iter().any(|problem| problem["node"] == json!(first) && problem["field"] == "until"),
        "{problems:?}"
    );
}

#[test]
fn previews_begin_where_the_robot_is() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let root = desk.id(ann, "Main");
    let settings = json!({"side": "left", "by": "preset", "preset": "home"});
    let added = desk.edit(
        ann,
        json!({"do": "add", "parent": root, "index": 0, "kind": "arm", "name": "Arm", "settings": settings}),
    );
    let arm = added["created"][0].clone();
    let one = desk.ok(ann, json!({"ask": "preview", "node": arm}));
    assert_eq!(one["steps"].as_array().unwrap().len(), 1, "{one}");
    assert_eq!(one["steps"][0]["step"]["node"], arm);
    let joints = desk.ok(ann, json!({"ask": "robot"}))["joints"].as_array().unwrap().len();
    assert_eq!(one["steps"][0]["joints"].as_array().unwrap().len(), joints);
    assert_eq!(one["steps"][0]["base"].as_array().unwrap().len(), 7);
    let all = desk.ok(ann, json!({"ask": "preview"}));
    assert_eq!(all["steps"].as_array().unwrap().len(), 1);
    assert_eq!(desk.refused(ann, json!({"ask": "preview", "node": "77"})).0, "refused");
}

#[test]
fn a_preview_with_other_settings_shows_its_way_and_leaves_the_tree_alone() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let root = desk.id(ann, "Main");
    let mut add = |index: u32, kind: &str, settings: serde_json::Value| {
        let add =
            json!({"do": "add", "parent": root, "index": index, "kind": kind, "name": kind, "settings": settings});
        desk.edit(ann, add)["created"][0].clone()
    };
    // A little ahead of where the hand is.
    let ahead = json!({"x_m": 0.18, "y_m": -0.26, "z_m": 0.0, "roll_deg": -8, "pitch_deg": -25});
    let arm = add(0, "arm", json!({"frame": "world", "pose": ahead, "duration_s": 2}));
    add(0, "gripper", json!({"opening_deg": 50}));
    let before = desk.document(ann);
    let mut preview = |ask: serde_json::Value| -> PreviewView {
        serde_json::from_value(desk.ok(ann, ask)["steps"][0].clone()).unwrap()
    };
    let near = preview(json!({"ask": "preview", "node": arm}));
    assert!(near.way.len() > 10 && near.way.iter().all(|sample| sample.reached), "quality {}", near.quality);
    let last = near.way.last().unwrap();
    assert!(
        last.joints.iter().zip(&near.joints).all(|(one, other)| (one - other).abs() < 1e-3),
        "it ends where it ends"
    );
    assert!(near.way.windows(2).all(|pair| pair[0].time_s < pair[1].time_s));
    let far = preview(json!({"ask": "preview", "node": arm, "with": {"pose": {"x_m": 2.0}}}));
    assert!(far.quality > 1.0 && far.way[0].reached && !far.way.last().unwrap().reached, "quality {}", far.quality);
    let inside = preview(json!({"ask": "preview", "node": arm, "with": {"pose": {"z_m": 0.1}}}));
    assert_eq!(inside.touches.map(|touch| touch.allowed_by).as_deref(), Some("may_touch_body"));
    let allowed = json!({"pose": {"z_m": 0.1}, "may_touch_body": true});
    assert_eq!(preview(json!({"ask": "preview", "node": arm, "with": allowed})).touches, None);
    assert_eq!(desk.document(ann), before, "nothing was given");
    // Fingers are as the step before leaves them.
    let gripper = desk.id(ann, "gripper");
    desk.edit(ann, json!({"do": "set", "node": gripper, "settings": {"disabled": true}}));
    let closed: PreviewView =
        serde_json::from_value(desk.ok(ann, json!({"ask": "preview", "node": arm}))["steps"][0].clone()).unwrap();
    let moved = near.joints.iter().zip(&closed.joints).filter(|(one, other)| (*one - *other).abs() > 0.05).count();
    assert!(moved > 0 && moved < 5, "only those of the hand: {moved}");
}

/// The page's test draws what is written here.
#[test]
fn a_walks_footsteps_come_as_poses_of_the_protocol() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let root = desk.id(ann, "Main");
    let settings = json!({"frame": "walking", "stance": {"x_m": 0.6}, "focal": {"x_m": 0.6, "y_m": 1.0}});
    let walk = json!({"do": "add", "parent": root, "index": 0, "kind": "walk", "name": "Walk", "settings": settings});
    let walk = desk.edit(ann, walk)["created"][0].clone();
    let answer = desk.ok(ann, json!({"ask": "preview", "node": walk}));
    let mut shown: PreviewView = serde_json::from_value(answer["steps"][0].clone()).unwrap();
    let sides: Vec<Side> = shown.footsteps.iter().map(|step| step.side).collect();
    assert!(sides.len() > 4 && sides.windows(2).all(|two| two[0] != two[1]), "{sides:?}");
    let [x, .., qz, qw] = shown.footsteps.last().unwrap().pose;
    assert!((x - 0.6).abs() < 0.2 && (qz - qw).abs() < 0.01, "ahead, then a quarter turn to the left: {shown:?}");
    // Ids are made anew in each run.
    shown.step.node = model::NodeId(7);
    let text = serde_json::to_string_pretty(&shown).unwrap() + "\n";
    expect_file!["../../../web/src/three/walkPreview.json"].assert_eq(&text);
}

#[test]
fn without_a_robot_commands_are_refused_at_once() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    for ask in [
        json!({"ask": "run", "control": {"do": "automatic", "on": true}}),
        json!({"ask": "take_control"}),
        json!({"ask": "stop"}),
    ] {
        assert_eq!(desk.refused(ann, ask).0, "no_robot");
    }
}

#[test]
fn people_see_where_others_look() {
    let mut desk = Desk::alone();
    let (ann, bob) = (desk.hello("Ann"), desk.hello("Bob"));
    let first = desk.id(ann, "First");
    desk.ok(ann, json!({"ask": "presence", "node": first, "edits": true}));
    let people = desk.last_push(bob, "people");
    let of =
        |name: &str| people["people"].as_array().unwrap().iter().find(|person| person["name"] == name).unwrap().clone();
    assert_eq!(of("Ann")["node"], json!(first));
    assert_eq!(of("Ann")["edits"], true);
    assert_eq!(of("Ann")["me"], false);
    assert_eq!(of("Bob")["me"], true);
    desk.operator.leave(ann);
    desk.pass(1);
    assert_eq!(desk.last_push(bob, "people")["people"].as_array().unwrap().len(), 1);
}

#[test]
fn too_many_requests_are_refused_but_a_stop_is_not() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let mut refused = 0;
    for _ in 0..600 {
        let reply = desk.ask(ann, json!({"ask": "history", "most": 1}));
        refused += usize::from(reply["error"]["code"] == "too_many");
    }
    assert!(refused > 100, "{refused}");
    assert_eq!(desk.refused(ann, json!({"ask": "stop"})).0, "no_robot", "it was heard");
    desk.pass(1_000);
    desk.ok(ann, json!({"ask": "history", "most": 1}));
}

#[test]
fn a_topic_or_a_part_of_an_operation_that_nobody_knows_is_refused() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let add = json!({"do": "add", "parent": "1", "index": 0, "kind": "log", "setings": {"text": "hi"}});
    for ask in [json!({"ask": "watch", "topics": {"happening": true}}), json!({"ask": "edit", "operation": add})] {
        let (code, text) = desk.refused(ann, ask);
        assert!(code == "bad_request" && text.contains("unknown field"), "{code}: {text}");
    }
}
