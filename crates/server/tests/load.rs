//! More edits than the robot takes, a link with little room, and a robot of another version.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::Desk;
use link::{ChannelTraffic, Event, Quality, Stream};
use protocol::Role;
use protocol::talk::{Look, News, Overview, Reply, VERSION, Want, pack};
use serde_json::json;
use server::SessionId;

fn rename(desk: &mut Desk, who: SessionId, node: &str, number: usize) -> serde_json::Value {
    // As fast as one person is let.
    desk.pass(5);
    let operation = json!({"do": "rename", "node": node, "name": format!("name {number}")});
    desk.ask(who, json!({"ask": "edit", "operation": operation}))
}

#[test]
fn who_edits_faster_than_the_robot_takes_it_is_told_how_many_wait() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let first = desk.id(ann, "First");
    let answers: Vec<_> = (0..300).map(|number| rename(&mut desk, ann, &first, number)).collect();
    let taken = answers.iter().filter(|answer| answer.get("ok").is_some()).count();
    assert_eq!(taken, 256);
    let refused = &answers[299]["error"];
    assert_eq!(refused["code"], "too_many", "{refused}");
    assert!(refused["text"].as_str().unwrap().contains("256 edits wait"), "{refused}");
    assert_eq!(desk.document(ann)["nodes"][1]["name"], "name 255", "nothing of what was refused is done");
    desk.take_edits();
    assert!(rename(&mut desk, ann, &first, 300).get("ok").is_some());
}

#[test]
fn in_the_dark_edits_are_kept_however_many() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let first = desk.id(ann, "First");
    desk.status.quality = Quality::Down;
    desk.tell_status();
    let answers = (0..300).map(|number| rename(&mut desk, ann, &first, number));
    assert!(answers.collect::<Vec<_>>().iter().all(|answer| answer.get("ok").is_some()));
}

#[test]
fn whoever_asks_too_much_may_still_command() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    for _ in 0..500 {
        desk.say(ann, json!({"ask": "history", "most": 1}));
    }
    assert_eq!(desk.refused(ann, json!({"ask": "history", "most": 1})).0, "too_many");
    desk.say(ann, json!({"ask": "take_control"}));
    assert_eq!(desk.orders().pop().map(|order| order.what), Some(Want::TakeControl));
}

#[test]
fn edits_of_others_that_came_together_are_told_of_once() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let mut robot = desk.robot.take().unwrap();
    let first = robot.document().library().main().node(robot.document().library().main().root).children[0];
    let updates: Vec<Vec<u8>> = (0..40)
        .map(|number| {
            robot.act(("Ben", 0), |document| document.rename(first, &format!("Ben's {number}"))).unwrap();
            pack(&News::Update { epoch: 7, update: robot.unsent().last().unwrap().update.clone() })
        })
        .collect();
    desk.pushes(ann, "changed");
    desk.operator.edits(desk.now, updates);
    desk.settle();
    let told = desk.pushes(ann, "changed");
    assert_eq!(told.len(), 1);
    assert_eq!((&told[0]["by"], &told[0]["nodes"][0]["name"]), (&json!("Ben"), &json!("Ben's 39")));
}

fn narrow() -> (Desk, SessionId) {
    let mut desk = Desk::narrow(Some(1_000_000));
    desk.connect(true);
    let id = desk.operator.join(desk.now, true, true).unwrap();
    desk.ok(id, json!({"ask": "hello", "version": protocol::api::VERSION, "name": "Ann"}));
    (desk, id)
}

#[test]
fn what_a_link_has_no_room_for_is_refused_with_what_can_be_asked() {
    let (mut desk, bulk) = narrow();
    let (code, text) = desk.refused(bulk, json!({"ask": "watch", "topics": {"clouds": true, "pictures": false}}));
    assert_eq!(code, "refused");
    assert!(text.contains("look"), "{text}");
    let mut alone = Desk::alone();
    let ann = alone.hello("Ann");
    assert_eq!(alone.refused(ann, json!({"ask": "watch", "topics": {"pictures": true}})).0, "no_robot");
}

#[test]
fn one_picture_is_asked_of_the_robot_and_its_answer_counts() {
    let (mut desk, bulk) = narrow();
    let look = json!({"ask": "look", "what": "cloud", "camera": "head", "region": [0.0, 0.5, 0.5, 1.0]});
    let request = desk.say(bulk, look);
    let wanted = Look { cloud: true, camera: Some("head".into()), region: Some([0, 127, 128, 255]) };
    assert_eq!(desk.orders().pop().map(|order| order.what), Some(Want::Look(wanted)));
    assert_eq!(desk.reply(bulk, request), None, "not before the robot has answered");
    desk.answer(&Reply::Refused("no camera".to_owned()));
    assert_eq!(desk.reply(bulk, request).unwrap()["error"]["code"], "robot_refused");
    for wrong in [json!([0, 0, 2, 1]), json!([0.5, 0, 0.5, 1])] {
        assert_eq!(desk.refused(bulk, json!({"ask": "look", "what": "cloud", "region": wrong})).0, "bad_request");
    }
    let ann = desk.hello("Ann");
    assert_eq!(desk.refused(ann, json!({"ask": "look", "what": "picture"})).0, "bad_request", "on the other socket");
}

#[test]
fn bytes_of_each_channel_and_what_is_left_are_told() {
    let (mut desk, _) = narrow();
    let ann = desk.hello("Ann");
    desk.status.channels_up = vec![true, false];
    let main = ChannelTraffic {
        most_bytes_s: 1_200,
        sent_bytes_s: 80,
        received_bytes_s: 1_100,
        sent_bytes: 8_000,
        received_bytes: 110_000,
    };
    let bursts = ChannelTraffic { received_bytes_s: 5_000, received_bytes: 82_000, ..ChannelTraffic::default() };
    desk.status.channels = vec![main, bursts];
    desk.pass(600);
    desk.tell_status();
    let link = desk.last_push(ann, "link");
    assert_eq!(link["budget_left_bytes"], 800_000.0);
    assert_eq!(link["narrow"], true);
    assert_eq!(link["channels"][0]["received_bytes_s"], 1_100.0);
    assert_eq!(link["channels"][1]["up"], true, "of what only comes, bytes say that it gets through");
}

#[test]
fn a_robot_of_another_version_is_told_of_and_only_stopped() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let overview = Overview {
        version: VERSION - 1,
        name: "one".into(),
        robot: "coact-mini".into(),
        file: "main.json".into(),
        epoch: 7,
        nodes: Vec::new(),
        beside: None,
        role: Role::Operator,
        simulated: true,
        resets: false,
    };
    desk.operator.link(desk.now, Event::Document { stream: Stream::Overview, bytes: pack(&overview) });
    desk.settle();
    let notice = desk.last_push(ann, "notice");
    assert!(notice["text"].as_str().unwrap().contains("update the robot process"), "{notice}");
    let first = desk.id(ann, "First");
    for ask in [
        json!({"ask": "edit", "operation": {"do": "rename", "node": first, "name": "x"}}),
        json!({"ask": "take_control"}),
        json!({"ask": "run", "control": {"do": "automatic", "on": true}}),
    ] {
        assert_eq!(desk.refused(ann, ask).0, "other_version");
    }
    desk.say(ann, json!({"ask": "stop"}));
    let [.., (_, stop), (_, who)] = &*desk.offers else { panic!("{:?}", desk.offers) };
    assert_eq!(*stop, link::Message::Stop);
    assert!(matches!(who, link::Message::Command { .. }), "who pressed it goes behind it: {who:?}");
}
