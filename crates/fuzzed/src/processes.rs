//! Robot and operator process without their sockets, as whoever is let in meets them.

#[allow(dead_code, reason = "it uses its part of this")]
#[path = "../../onboard/tests/core/bench.rs"]
mod bench;
#[path = "../../server/tests/common/mod.rs"]
mod common;

use bench::{Bench, THREE_WAITS, automatic};
use common::Desk;
use link::{CommandId, Event, Keyed, Latest, Outcome, Stream};
use protocol::Role;
use protocol::talk::{Demand, Looks, Presence, Want, pack};
use serde_json::Value as Json;

use crate::seeds::{files, join};
use crate::{Target, parts, text};

pub fn targets() -> Vec<Target> {
    vec![
        Target { name: "api", is_text: true, run: api, seeds: api_seeds },
        Target { name: "from_robot", is_text: false, run: from_robot, seeds: event_seeds },
        Target { name: "from_operator", is_text: false, run: from_operator, seeds: event_seeds },
    ]
}

/// Messages of web sockets. A message that begins with `2` is of the second window.
fn api(data: &[u8]) {
    let mut desk = Desk::with_robot();
    let windows = [desk.hello("Ann"), desk.hello("Bob")];
    for part in parts(data) {
        let (window, said) = match part.strip_prefix(b"2") {
            Some(said) => (windows[1], said),
            None => (windows[0], part),
        };
        desk.operator.text(desk.now, window, text(said));
        desk.settle();
        desk.pass(40);
        desk.take_edits();
        desk.rehearse(2);
    }
    desk.operator.check_view().expect("what it keeps of the tree is what it would be made anew");
}

/// Every request of the tests, with an id that is there in place of what is no JSON.
fn api_seeds() -> Vec<Vec<u8>> {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let ids: Vec<String> = ["First", "Group", "Say", "Use"].iter().map(|name| desk.id(ann, name)).collect();
    let mut asks = Vec::new();
    for file in files("crates/server/tests", ".rs") {
        let source = String::from_utf8_lossy(&file).into_owned();
        for (at, _) in source.match_indices("{\"ask\"") {
            let Some(found) = balanced(&source[at..]) else { continue };
            let id = &ids[asks.len() % ids.len()];
            asks.extend(as_json(found, id));
        }
        for (at, _) in source.match_indices("{\"do\"") {
            let Some(found) = balanced(&source[at..]) else { continue };
            let id = &ids[asks.len() % ids.len()];
            let operation = as_json(found, id);
            asks.extend(operation.map(|operation| serde_json::json!({"ask": "edit", "operation": operation})));
        }
    }
    let with_id = |(number, mut ask): (usize, Json)| {
        ask["id"] = Json::from(number + 1_000);
        ask.to_string().into_bytes()
    };
    let mut all: Vec<Vec<u8>> = asks.into_iter().enumerate().map(with_id).collect();
    let several: Vec<Vec<u8>> =
        all.chunks(4).map(|some| join(&some.iter().map(Vec::as_slice).collect::<Vec<_>>())).collect();
    all.extend(several);
    all
}

fn balanced(source: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, letter) in source.char_indices().take(2_000) {
        match letter {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(&source[..=at]),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What stands where a value belongs and is a name of the test becomes the id.
fn as_json(source: &str, id: &str) -> Option<Json> {
    let mut text = String::new();
    let mut quoted = false;
    for piece in source.split_inclusive('"') {
        if quoted {
            text.push_str(piece);
        } else {
            let mut word = String::new();
            for letter in piece.chars() {
                if letter.is_ascii_alphabetic() || letter == '_' || (letter == '&' && word.is_empty()) {
                    word.push(letter);
                    continue;
                }
                put(&mut text, &mut word, id);
                text.push(letter);
            }
            put(&mut text, &mut word, id);
        }
        quoted = !quoted;
    }
    serde_json::from_str(&text).ok()
}

fn put(text: &mut String, word: &mut String, id: &str) {
    match std::mem::take(word).as_str() {
        "" => {}
        known @ ("true" | "false" | "null" | "e") => text.push_str(known),
        _ => text.push_str(&format!("\"{id}\"")),
    }
}

/// Each part: what kind of event it is, then its bytes.
fn event(part: &[u8], number: u64) -> Option<Event> {
    let (&kind, bytes) = part.split_first()?;
    let bytes = bytes.to_vec();
    Some(match kind {
        b'c' => Event::Command { id: CommandId(number), bytes, age_ns: 0 },
        b'o' => Event::Document { stream: Stream::Overview, bytes },
        b'e' => Event::Document { stream: Stream::Edits, bytes },
        b's' => Event::Document { stream: Stream::Snapshot, bytes },
        b'h' => Event::Document { stream: Stream::History, bytes },
        b'r' => Event::Latest { of: Latest::Robot, bytes, at_ns: 0 },
        b'u' => Event::Latest { of: Latest::Run, bytes, at_ns: 0 },
        b'p' => Event::Keyed { kind: Keyed::Presence, key: 1, bytes },
        b'd' => Event::Keyed { kind: Keyed::Detail, key: 2, bytes },
        b't' => Event::Keyed { kind: Keyed::Scene, key: 3, bytes },
        b'l' => Event::Keyed { kind: Keyed::Cloud, key: 4, bytes },
        b'i' => Event::Keyed { kind: Keyed::Image, key: 5, bytes },
        b'a' => Event::Answered { id: CommandId(number), outcome: Outcome::Answered(bytes) },
        b'x' => Event::Stop,
        b'n' => Event::Connected { peer: None, resumed: false },
        _ => return None,
    })
}

fn from_robot(data: &[u8]) {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    desk.say(ann, serde_json::json!({"ask": "watch", "topics": {"robot": true, "run": true, "scene": true}}));
    for (number, part) in parts(data).into_iter().enumerate() {
        let Some(event) = event(part, number as u64 + 1) else { continue };
        desk.operator.link(desk.now, event);
        desk.settle();
        desk.pass(40);
    }
    desk.operator.check_view().expect("what it keeps of the tree is what it would be made anew");
}

fn from_operator(data: &[u8]) {
    let mut robot = Bench::new(THREE_WAITS);
    let operator = robot.connect(7);
    robot.done(operator, "ana", Want::TakeControl);
    for (number, part) in parts(data).into_iter().enumerate() {
        let Some(event) = event(part, number as u64 + 1_000) else { continue };
        robot.hear(operator, event);
        robot.tick();
        robot.tick();
    }
    robot.run_s(0.1);
}

fn event_seeds() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    let mut robot = Bench::new(THREE_WAITS);
    let operator = robot.connect(7);
    robot.done(operator, "ana", Want::TakeControl);
    robot.done(operator, "ana", automatic());
    robot.presence(operator, 5, "ana", Role::Operator);
    robot.run_s(1.0);
    for (_, message) in &robot.sent {
        all.extend(said(message));
    }
    let mut copy = robot.copy(operator);
    let sent = copy.rename("second", "other");
    all.push([b"e", pack(&protocol::talk::ToRobot::Edit(sent)).as_slice()].concat());
    let demand = |what| Demand {
        by: "ana".into(),
        role: Role::Supervisor,
        session: robot.session("ana"),
        team_role: Default::default(),
        what,
    };
    for what in [automatic(), Want::GiveControl(None), Want::PressedStop, Want::Open { epoch: 100, world: None }] {
        all.push([b"c", demand(what).to_bytes().as_slice()].concat());
    }
    all.push([b"c", demand(Want::Watch { clouds: true, images: true }).to_bytes().as_slice()].concat());
    let presence = Presence {
        name: "ana".into(),
        role: Role::Operator,
        session: 5,
        team_role: Default::default(),
        at: Some(Looks::default()),
    };
    all.push([b"p", pack(&presence).as_slice()].concat());
    all.extend([b"x".to_vec(), b"n".to_vec()]);
    let several: Vec<Vec<u8>> =
        all.chunks(5).map(|some| join(&some.iter().map(Vec::as_slice).collect::<Vec<_>>())).collect();
    all.truncate(40);
    all.extend(several);
    all
}

fn said(message: &link::Message) -> Option<Vec<u8>> {
    let (kind, bytes) = match message {
        link::Message::Document { stream: Stream::Overview, bytes } => (b'o', bytes),
        link::Message::Document { stream: Stream::Edits, bytes } => (b'e', bytes),
        link::Message::Document { stream: Stream::Snapshot, bytes } => (b's', bytes),
        link::Message::Document { stream: Stream::History, bytes } => (b'h', bytes),
        link::Message::Latest { of: Latest::Robot, bytes } => (b'r', bytes),
        link::Message::Latest { of: Latest::Run, bytes } => (b'u', bytes),
        link::Message::Keyed { kind: Keyed::Detail, bytes, .. } => (b'd', bytes),
        link::Message::Keyed { kind: Keyed::Scene, bytes, .. } => (b't', bytes),
        link::Message::Answer { bytes, .. } => (b'a', bytes),
        _ => return None,
    };
    Some([&[kind][..], bytes].concat())
}
