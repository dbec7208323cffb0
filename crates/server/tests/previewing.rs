//! Previews of sessions: a second run beside the robot, which does not notice.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::Desk;
use serde_json::{Value as Json, json};

const SECONDS: u64 = 100;

/// What a preview told of one kind, newest last.
fn told(desk: &mut Desk, to: server::SessionId, kind: &str) -> Vec<Json> {
    let told = desk.pushes(to, "preview").into_iter().map(|push| push["told"].clone());
    let (wanted, rest): (Vec<Json>, Vec<Json>) = told.partition(|push| push["push"] == kind);
    let back = rest.into_iter().map(|told| json!({"push": "preview", "told": told}));
    desk.heard.entry(to).or_default().extend(back);
    wanted
}

fn begun(desk: &mut Desk) -> server::SessionId {
    let ann = desk.hello("Ann");
    desk.ok(ann, json!({"ask": "watch", "topics": {"robot_hz": 30, "variables": true, "scene": true}}));
    desk.ok(ann, json!({"ask": "start_preview"}));
    ann
}

fn command(desk: &mut Desk, from: server::SessionId, control: Json) -> Json {
    let request = desk.say(from, json!({"ask": "preview_run", "control": control}));
    desk.rehearse(1);
    desk.reply(from, request).unwrap()
}

#[test]
fn the_whole_behavior_runs_and_nothing_reaches_the_robot() {
    let mut desk = Desk::with_robot();
    let ann = begun(&mut desk);
    assert_eq!(desk.last_push(ann, "preview_mode")["on"]["speed"], 1.0);
    let offers = desk.offers.len();
    let reply = command(&mut desk, ann, json!({"do": "automatic", "on": true}));
    assert_eq!(reply["ok"]["is"], "done", "{reply}");
    desk.rehearse(5 * SECONDS);
    desk.pass(100);
    let run = told(&mut desk, ann, "run").pop().unwrap();
    assert_eq!(run["ended"]["result"], "success", "{run}");
    assert_eq!(run["results"].as_array().unwrap().len(), 3, "{run}");
    assert!(!told(&mut desk, ann, "happened").is_empty());
    let states = &desk.states[&ann];
    assert!(states.iter().any(|bytes| bytes[0] == protocol::api::PREVIEW_STATE));
    let orders: Vec<_> = desk.orders().into_iter().collect();
    assert!(orders.is_empty(), "{orders:?}");
    assert_eq!(desk.offers.len(), offers, "nothing goes over the link");
}

#[test]
fn it_is_stepped_and_its_next_is_set() {
    let mut desk = Desk::with_robot();
    let ann = begun(&mut desk);
    let (first, last) = (desk.id(ann, "First"), desk.id(ann, "Inside"));
    let skill = desk.id(ann, "Use");
    command(&mut desk, ann, json!({"do": "press"}));
    desk.rehearse(SECONDS / 2);
    desk.pass(100);
    let run = told(&mut desk, ann, "run").pop().unwrap();
    assert_eq!(run["running"][0]["step"]["node"], json!(first), "{run}");
    command(&mut desk, ann, json!({"do": "set_next", "to": {"uses": [skill], "node": last}}));
    desk.rehearse(2);
    desk.pass(100);
    let run = told(&mut desk, ann, "run").pop().unwrap();
    assert_eq!(run["next"]["node"], json!(last), "{run}");
    let refused = command(&mut desk, ann, json!({"do": "answer", "step": {"uses": [], "node": first}, "value": 1}));
    assert_eq!(refused["error"]["code"], "robot_refused", "{refused}");
}

#[test]
fn an_edit_reaches_a_preview_that_runs() {
    let mut desk = Desk::with_robot();
    let ann = begun(&mut desk);
    let root = desk.document(ann)["files"][0]["root"].clone();
    command(&mut desk, ann, json!({"do": "automatic", "on": true}));
    desk.rehearse(SECONDS / 2);
    let add = json!({"do": "add", "parent": root, "index": 1, "kind": "log", "name": "Between", "settings": {"text": "here"}});
    desk.edit(ann, add);
    let added = desk.id(ann, "Between");
    desk.rehearse(5 * SECONDS);
    desk.pass(100);
    let run = told(&mut desk, ann, "run").pop().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(results.iter().any(|result| result["step"]["node"] == json!(added)), "{run}");
}

#[test]
fn a_window_in_a_preview_commands_no_robot_and_one_without_no_preview() {
    let mut desk = Desk::with_robot();
    let ann = begun(&mut desk);
    let (code, text) = desk.refused(ann, json!({"ask": "run", "control": {"do": "press"}}));
    assert_eq!(code, "refused");
    assert!(text.contains("end the preview first"), "{text}");
    let ben = desk.hello("Ben");
    assert_eq!(desk.refused(ben, json!({"ask": "preview_run", "control": {"do": "press"}})).0, "refused");
    assert_eq!(desk.refused(ann, json!({"ask": "preview_speed", "speed": 9})).0, "bad_request");
    desk.ok(ann, json!({"ask": "preview_speed", "speed": 8}));
    assert_eq!(desk.last_push(ann, "preview_mode")["on"]["speed"], 8.0);
    desk.ok(ann, json!({"ask": "end_preview"}));
    assert_eq!(desk.last_push(ann, "preview_mode")["on"], Json::Null);
    assert_eq!(desk.rehearsals.len(), 0);
    desk.say(ann, json!({"ask": "run", "control": {"do": "press"}}));
    assert_eq!(desk.orders().len(), 1);
}

#[test]
fn it_ends_with_the_person_and_with_the_behavior() {
    let mut desk = Desk::alone();
    let ann = begun(&mut desk);
    assert_eq!(desk.rehearsals.len(), 1);
    desk.operator.leave(ann);
    desk.settle();
    assert_eq!(desk.rehearsals.len(), 0);
    let ben = begun(&mut desk);
    desk.ok(ben, json!({"ask": "new", "file": "other.json"}));
    assert_eq!(desk.rehearsals.len(), 0);
    let mode = desk.last_push(ben, "preview_mode");
    assert_eq!(mode["on"], Json::Null);
    assert!(mode["ended"].as_str().unwrap().contains("opened"), "{mode}");
}

#[test]
fn a_new_step_begins_where_the_robot_is() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let root = desk.document(ann)["files"][0]["root"].clone();
    let add = json!({"do": "add", "parent": root, "index": 0, "kind": "walk", "name": "Ahead", "settings": {}, "at_robot": true});
    desk.edit(ann, add);
    assert_eq!(desk.setting(ann, "Ahead", "stance"), json!({"x_m": 0.5}));
    let node = desk.id(ann, "Ahead");
    let reply = desk.ok(ann, json!({"ask": "preview", "node": node}));
    assert_eq!(reply["steps"][0]["problem"], Json::Null, "{reply}");
    let say = json!({"do": "add", "parent": root, "index": 0, "kind": "arm", "name": "Hand", "settings": {"side": "left"}, "at_robot": true});
    desk.edit(ann, say);
    let node = desk.id(ann, "Hand");
    let reply = desk.ok(ann, json!({"ask": "preview", "node": node}));
    assert_eq!(reply["steps"][0]["problem"], Json::Null, "{reply}");
    assert!(reply["steps"][0]["quality"].as_f64().unwrap() <= 1.0, "{reply}");
}
