//! What lies beside a behavior: it goes to the robot with it, and a difference is told.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common;

use common::Desk;
use link::{Event, Message, Stream};
use model::Beside;
use model::file::Files;
use protocol::Role;
use protocol::talk::{Overview, Pieces, Update, VERSION, Whole, pack};
use serde_json::json;

const CELL: &str =
    r#"{"version": 1, "signals": {"READY": {"kind": "bool"}}, "variables": {"ready": {"signal": "READY"}}}"#;
const BALL: &str = r#"{"version": 1, "class": "ball", "stands": [{"name": "mine"}]}"#;

fn offered(desk: &Desk) -> (Whole, Option<Beside>) {
    let mut pieces = Pieces::default();
    let of = |message: &Message| match message {
        Message::Document { stream: Stream::Snapshot, bytes } => pieces.take(bytes),
        _ => None,
    };
    let whole = desk.offers.iter().map(|(_, message)| message).filter_map(of).last().unwrap();
    let update = Update::from_bytes(&whole).unwrap();
    Whole::unpack_with(&update.bytes).unwrap()
}

#[test]
fn the_cell_and_the_templates_go_with_a_behavior() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    desk.store.put("work/uses.json", r#"{"version": 1, "cell": "../cell.json", "children": []}"#);
    let (code, text) = desk.refused(ann, json!({"ask": "open", "file": "work/uses.json"}));
    assert!(code == "refused" && text.contains("there is no file cell.json"), "{text}");
    desk.store.put("cell.json", CELL);
    desk.store.put("work/templates/ball.json", BALL);
    desk.store.put("work/templates/lib.xml", "<templatelibrary/>");
    desk.say(ann, json!({"ask": "open", "file": "work/uses.json"}));
    let beside = offered(&desk).1.unwrap();
    assert_eq!(beside.names().collect::<Vec<_>>(), ["cell.json", "work/templates/ball.json", "work/templates/lib.xml"]);
    assert_eq!(beside.read("cell.json").as_deref(), Ok(CELL));
}

/// The robot tells what it has, then its tree.
fn tell(desk: &mut Desk, beside: Option<u64>) {
    let overview = Overview {
        version: VERSION,
        name: "one".into(),
        robot: "coact-mini".into(),
        file: "main.json".into(),
        epoch: 7,
        nodes: Vec::new(),
        beside,
        role: Role::Supervisor,
        simulated: true,
        resets: false,
    };
    desk.operator.link(desk.now, Event::Document { stream: Stream::Overview, bytes: pack(&overview) });
    let whole = desk.robot.as_ref().unwrap().whole().unwrap();
    desk.send_whole(&whole);
}

#[test]
fn other_files_than_the_robot_has_are_told() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let mut same = Beside::default();
    same.insert("templates/ball.json", BALL);
    let other = |desk: &mut Desk| {
        let notices = desk.pushes(ann, "notice");
        notices
            .iter()
            .any(|notice| notice["text"].as_str().unwrap().contains("open the behavior again to give it these"))
    };
    tell(&mut desk, Some(0));
    assert!(!other(&mut desk), "neither has any");
    desk.store.put("templates/ball.json", BALL);
    tell(&mut desk, Some(same.digest()));
    assert!(!other(&mut desk), "both have the same");
    tell(&mut desk, None);
    assert!(!other(&mut desk), "the robot did not say");
    tell(&mut desk, Some(1));
    assert!(other(&mut desk));
}

#[test]
fn previews_know_the_templates_of_the_folder_whenever_the_robot_comes() {
    let mut desk = Desk::with_robot();
    desk.store.put("templates/ball.json", &BALL.replace("ball", "sponge"));
    let ann = desk.hello("Ann");
    let mut overview = |robot: &str| {
        let overview = Overview {
            version: VERSION,
            name: "one".into(),
            robot: robot.into(),
            file: "main.json".into(),
            epoch: 7,
            nodes: Vec::new(),
            beside: None,
            role: Role::Supervisor,
            simulated: true,
            resets: false,
        };
        desk.operator.link(desk.now, Event::Document { stream: Stream::Overview, bytes: pack(&overview) });
        let robot = desk.ok(ann, json!({"ask": "robot"}));
        robot["templates"].as_array().unwrap().iter().any(|template| template["class"] == "sponge")
    };
    assert!(overview("coact-one"), "a robot that was not known before");
}
