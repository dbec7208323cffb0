//! Who may do what.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{Desk, tokens};
use protocol::talk::Reply;
use serde_json::json;
use server::MOST_SESSIONS;

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
        json!({"ask": "node_types"}),
        json!({"ask": "robot"}),
        json!({"ask": "stop"}),
        json!({"ask": "watch", "topics": {"robot_hz": 10}}),
        json!({"ask": "preview"}),
        json!({"ask": "presence", "node": null}),
    ];
    let operators = [
        json!({"ask": "open", "file": "main.json"}),
        json!({"ask": "new", "file": "x.json"}),
        json!({"ask": "save"}),
        json!({"ask": "edit", "operation": {"do": "rename", "node": first, "name": "x"}}),
        json!({"ask": "undo"}),
        json!({"ask": "redo"}),
        json!({"ask": "run", "control": {"do": "automatic", "on": true}}),
        json!({"ask": "take_control"}),
        json!({"ask": "give_control", "to": null}),
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
fn sessions_are_counted() {
    let mut desk = Desk::alone();
    let all: Vec<_> = (0..MOST_SESSIONS).map(|_| desk.operator.join(desk.now, true, false).unwrap()).collect();
    assert!(desk.operator.join(desk.now, true, false).is_none());
    desk.operator.leave(all[0]);
    assert!(desk.operator.join(desk.now, true, false).is_some());
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
