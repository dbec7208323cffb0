//! Who may do what.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::{Desk, tokens};
use protocol::Role;
use protocol::talk::Reply;
use serde_json::json;
use server::{FOR_SUPERVISORS, MOST_SESSIONS, MOST_WINDOWS, Tokens, token_line};

#[test]
fn the_table_of_roles() {
    let mut desk = Desk::with(tokens(), true);
    desk.connect(true);
    let (olga, otto, susi) = (desk.hello_with("watch"), desk.hello_with("work"), desk.hello_with("boss"));
    let first = desk.id(olga, "First");
    let everyone = [
        json!({"ask": "files"}),
        json!({"ask": "document"}),
        json!({"ask": "check"}),
        json!({"ask": "history", "most": 1}),
        json!({"ask": "copy", "nodes": [first]}),
        json!({"ask": "node_types"}),
        json!({"ask": "robot"}),
        json!({"ask": "stop"}),
        json!({"ask": "watch", "topics": {"robot_hz": 10}}),
        json!({"ask": "preview"}),
        json!({"ask": "presence", "node": null}),
        json!({"ask": "presence", "node": null, "wants_control": true}),
        // Of whom it is asked the robot judges.
        json!({"ask": "run", "control": {"do": "answer", "step": {"node": first}, "value": "yes"}}),
    ];
    let operators = [
        json!({"ask": "open", "file": "main.json"}),
        json!({"ask": "new", "file": "x.json"}),
        json!({"ask": "save"}),
        json!({"ask": "save_as", "file": "y.json"}),
        json!({"ask": "rename_file", "file": "main.json", "to": "z.json"}),
        json!({"ask": "delete_file", "file": "main.json"}),
        json!({"ask": "new_folder", "folder": "new"}),
        json!({"ask": "edit", "operation": {"do": "rename", "node": first, "name": "x"}}),
        json!({"ask": "undo"}),
        json!({"ask": "redo"}),
        json!({"ask": "run", "control": {"do": "automatic", "on": true}}),
        json!({"ask": "take_control"}),
        json!({"ask": "give_control", "to": null}),
        json!({"ask": "reset_world"}),
        json!({"ask": "run", "control": {"do": "delete_object", "object": "mug"}}),
    ];
    for ask in &everyone {
        for person in [olga, otto, susi] {
            let request = desk.say(person, ask.clone());
            let reply = desk.reply(person, request).unwrap_or_default();
            assert_ne!(reply["error"]["code"], "not_allowed", "{ask}");
        }
    }
    desk.offers.clear();
    let before = desk.document(olga);
    for ask in &operators {
        assert_eq!(desk.refused(olga, ask.clone()).0, "not_allowed", "{ask}");
    }
    assert!(desk.offers.is_empty(), "nothing of it reached the link: {:?}", desk.offers);
    assert_eq!(desk.document(olga), before);
    for ask in &operators {
        let request = desk.say(otto, ask.clone());
        let reply = desk.reply(otto, request).unwrap_or_default();
        assert_ne!(reply["error"]["code"], "not_allowed", "{ask}");
    }
}

#[test]
fn an_order_says_who_gave_it() {
    let mut desk = Desk::with(tokens(), true);
    desk.connect(true);
    let otto = desk.hello_with("work");
    let request = desk.say(otto, json!({"ask": "take_control"}));
    let order = desk.orders().pop().unwrap();
    assert_eq!((&*order.by, order.role), ("Otto", protocol::Role::Operator));
    desk.answer(&Reply::Refused("Susi has run control".to_owned()));
    let reply = desk.reply(otto, request).unwrap();
    assert_eq!(reply["error"]["code"], "robot_refused");
    assert!(reply["error"]["text"].as_str().unwrap().contains("Susi"));
}

#[test]
fn strangers_are_not_let_in() {
    let mut desk = Desk::with(tokens(), true);
    for (loopback, hello) in [
        (true, json!({"ask": "hello", "version": protocol::api::VERSION, "name": "Ann"})),
        (true, json!({"ask": "hello", "version": protocol::api::VERSION, "token": "guess"})),
        (false, json!({"ask": "hello", "version": protocol::api::VERSION, "token": ""})),
    ] {
        let id = desk.operator.join(desk.now, loopback, false).unwrap();
        assert_eq!(desk.refused(id, hello).0, "not_allowed");
        assert_eq!(desk.refused(id, json!({"ask": "document"})).0, "not_allowed");
        assert_eq!(desk.refused(id, json!({"ask": "stop"})).0, "not_allowed");
    }
    assert!(desk.offers.is_empty());
    assert_eq!(desk.strangers.len(), 2, "those with a wrong token are told");
    let mut open = Desk::alone();
    let far = open.operator.join(open.now, false, false).unwrap();
    assert_eq!(
        open.refused(far, json!({"ask": "hello", "version": protocol::api::VERSION})).0,
        "not_allowed",
        "not of this machine"
    );
}

#[test]
fn a_name_cannot_be_taken_by_hello_where_there_are_tokens() {
    let mut desk = Desk::with(tokens(), true);
    let id = desk.operator.join(desk.now, true, false).unwrap();
    let reply =
        desk.ok(id, json!({"ask": "hello", "version": protocol::api::VERSION, "token": "watch", "name": "Susi"}));
    assert_eq!((reply["name"].as_str(), reply["role"].as_str()), (Some("Olga"), Some("observer")));
}

#[test]
fn people_are_counted_and_supervisors_have_places_of_their_own() {
    let lines: String = (0..10)
        .map(|number| token_line(&format!("work{number}"), Role::Operator, &format!("Otto {number}")))
        .chain([token_line("boss", Role::Supervisor, "Susi")])
        .collect();
    let mut desk = Desk::with(Tokens::parse(&lines).unwrap(), true);
    let mut all = Vec::new();
    for number in 0..MOST_SESSIONS {
        all.push(desk.hello_with(&format!("work{}", number % 10)));
    }
    let hello = |desk: &mut Desk, token: &str| {
        let id = desk.operator.join(desk.now, false, false).unwrap();
        desk.ask(id, json!({"ask": "hello", "version": protocol::api::VERSION, "token": token}))
    };
    assert_eq!(hello(&mut desk, "work1")["error"]["code"], "too_many");
    for _ in 0..FOR_SUPERVISORS {
        assert_eq!(hello(&mut desk, "boss")["ok"]["name"], "Susi");
    }
    assert_eq!(hello(&mut desk, "boss")["error"]["code"], "too_many");
    all[..=FOR_SUPERVISORS].iter().for_each(|id| desk.operator.leave(*id));
    assert_eq!(hello(&mut desk, "work1")["ok"]["name"], "Otto 1");
}

#[test]
fn nobody_fills_the_house_alone() {
    let mut desk = Desk::alone();
    for _ in 0..MOST_WINDOWS {
        desk.hello("Ann");
    }
    let id = desk.operator.join(desk.now, true, false).unwrap();
    let (code, text) = desk.refused(id, json!({"ask": "hello", "version": protocol::api::VERSION, "name": "Ann"}));
    assert!(code == "too_many" && text.contains("close some windows"), "{text}");
    desk.hello("Bob");
}

#[test]
fn a_large_message_ends_the_session() {
    let mut desk = Desk::alone();
    let id = desk.operator.join(desk.now, true, false).unwrap();
    desk.operator.text(desk.now, id, &" ".repeat(65 << 10));
    desk.settle();
    assert_eq!(desk.closed.len(), 1, "64 KiB before hello");
    let ann = desk.hello("Ann");
    desk.operator.text(desk.now, ann, &" ".repeat(65 << 10));
    desk.settle();
    assert_eq!(desk.closed.len(), 1);
    desk.operator.text(desk.now, ann, &" ".repeat((1 << 20) + 1));
    desk.settle();
    assert_eq!(desk.closed.len(), 2);
}

#[test]
fn a_session_is_one_window_and_is_taken_up_again_by_its_secret() {
    let mut desk = Desk::with_robot();
    let (first, secret) = desk.hello_in("Ann", None);
    let (second, other) = desk.hello_in("Ann", None);
    assert!(secret.len() >= 32 && secret != other);
    let (one, two) = (desk.session_of(first), desk.session_of(second));
    assert_ne!(one, two);
    desk.say(first, json!({"ask": "take_control"}));
    assert_eq!(desk.orders().pop().unwrap().session, one);
    // Its socket broke unnoticed, and the page is back before anybody knows.
    let (again, same) = desk.hello_in("Ann", Some(&secret));
    assert_eq!(same, secret);
    assert_eq!(desk.session_of(again), one);
    assert_eq!(desk.closed, [(first, "this session goes on in another window")]);
    // Somebody else does not become that session by its name, nor by its number, which all see.
    let (forger, _) = desk.hello_in("Ann", Some(&format!("{one:016x}")));
    assert_ne!(desk.session_of(forger), one);
    let (bob, _) = desk.hello_in("Bob", Some(&secret));
    assert_ne!(desk.session_of(bob), one, "a secret is that of a person");
    let id = desk.operator.join(desk.now, true, false).unwrap();
    let (code, _) =
        desk.refused(id, json!({"ask": "hello", "version": protocol::api::VERSION, "name": "Ann", "session": "short"}));
    assert_eq!(code, "bad_request");
}

#[test]
fn the_last_word_about_a_session_that_comes_back_is_that_it_is_here() {
    let mut desk = Desk::with_robot();
    let (_, secret) = desk.hello_in("Ann", None);
    desk.offers.clear();
    desk.hello_in("Ann", Some(&secret));
    let told: Vec<(u32, bool)> = desk
        .offers
        .iter()
        .filter_map(|(_, message)| match message {
            link::Message::Keyed { kind: link::Keyed::Presence, key, bytes } => {
                Some((*key, protocol::talk::unpack::<protocol::talk::Presence>(bytes).unwrap().at.is_some()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].0 == told[1].0 && !told[0].1 && told[1].1, "a newer value of one key replaces the older: {told:?}");
}

#[test]
fn a_stop_says_who_pressed_it() {
    let mut desk = Desk::with(tokens(), true);
    desk.connect(true);
    let olga = desk.hello_with("watch");
    desk.say(olga, json!({"ask": "stop"}));
    let stop = desk.offers.iter().position(|(_, message)| *message == link::Message::Stop).unwrap();
    let order = desk.orders().pop().unwrap();
    assert_eq!((&*order.by, order.what), ("Olga", protocol::talk::Want::PressedStop));
    assert!(matches!(desk.offers[stop + 1].1, link::Message::Command { .. }), "the stop goes first");
}

#[test]
fn control_is_given_to_a_window() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    desk.say(ann, json!({"ask": "give_control", "to": "Bob", "session": "00000000000000ff"}));
    let heir = protocol::talk::Heir { name: "Bob".into(), session: Some(255) };
    assert_eq!(desk.orders().pop().unwrap().what, protocol::talk::Want::GiveControl(Some(heir)));
    assert_eq!(desk.refused(ann, json!({"ask": "give_control", "to": "Bob", "session": "x"})).0, "bad_request");
}

#[test]
fn who_asks_for_control_is_seen_by_all() {
    let mut desk = Desk::alone();
    let (ann, ben) = (desk.hello("Ann"), desk.hello("Ben"));
    let asks = |desk: &mut Desk, to| {
        let people = desk.last_push(to, "people");
        let all = people["people"].as_array().unwrap().iter();
        all.filter(|person| person["wants_control"] == true).map(|person| person["name"].clone()).collect::<Vec<_>>()
    };
    desk.ok(ben, json!({"ask": "presence", "node": null, "wants_control": true}));
    assert_eq!(asks(&mut desk, ann), ["Ben"]);
    desk.ok(ben, json!({"ask": "presence", "node": null}));
    assert!(asks(&mut desk, ann).is_empty());
}

#[test]
fn pages_tell_one_process_from_another() {
    let process = |seed: u8| {
        let mut desk = Desk::alone();
        desk.operator.seed_sessions([seed; 32]);
        let id = desk.operator.join(desk.now, true, false).unwrap();
        desk.ok(id, json!({"ask": "hello", "version": protocol::api::VERSION, "name": "Ann"}))["process"].clone()
    };
    assert_eq!(process(1), process(1));
    assert_ne!(process(1), process(2));
}
