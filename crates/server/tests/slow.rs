//! A client that does not read costs the others nothing, and us no memory.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::Desk;
use link::{Event, Latest, Message};
use protocol::report::{RunMode, RunReport};
use serde_json::json;

#[test]
fn a_slow_client_gets_the_whole_document_when_it_reads_again() {
    let mut desk = Desk::with_robot();
    let (ann, slow) = (desk.hello("Ann"), desk.hello("Slow"));
    let first = desk.id(ann, "First");
    desk.slow.push(slow);
    let mut on_its_way = 0;
    let notes = "n".repeat(100_000);
    for round in 0..40 {
        desk.edit(ann, json!({"do": "notes", "node": first, "notes": format!("{round}{notes}")}));
        desk.pass(100);
        let heard: usize = desk.heard[&slow].iter().map(|message| message.to_string().len()).sum();
        on_its_way = on_its_way.max(heard);
    }
    assert!(on_its_way < 2 << 20, "{on_its_way} bytes wait for one client");
    assert_eq!(desk.pushes(ann, "changed").len(), 40, "the others get each");
    assert!(desk.pushes(slow, "changed").len() < 20);
    assert!(desk.pushes(slow, "document").is_empty());
    desk.slow.clear();
    desk.operator.sent(desk.now, slow, 10 << 20);
    desk.settle();
    let whole = desk.last_push(slow, "document");
    assert_eq!(whole["version"], desk.document(ann)["version"]);
    let after = desk.edit(ann, json!({"do": "notes", "node": first, "notes": "last"}));
    assert_eq!(desk.last_push(slow, "changed")["version"], after["version"]);
}

#[test]
fn states_are_not_queued() {
    let mut desk = Desk::with_robot();
    let slow = desk.hello("Slow");
    let first = desk.id(slow, "First");
    let big = "n".repeat(900_000);
    desk.slow.push(slow);
    desk.edit(slow, json!({"do": "notes", "node": first, "notes": big}));
    desk.edit(slow, json!({"do": "notes", "node": first, "notes": format!("{big}!")}));
    desk.pushes(slow, "run");
    for tick in 0..1000 {
        let report = RunReport { mode: RunMode::Manual, tick, ..RunReport::default() };
        desk.operator.link(desk.now, Event::Latest { of: Latest::Run, bytes: report.to_bytes().unwrap(), at_ns: 0 });
        desk.pass(20);
    }
    assert!(desk.pushes(slow, "run").is_empty());
    desk.slow.clear();
    desk.operator.sent(desk.now, slow, 10 << 20);
    desk.settle();
    let run = desk.pushes(slow, "run");
    assert_eq!(run.len(), 1);
    assert_eq!(run[0]["time_s"], 9.99);
}

#[test]
fn who_asks_and_never_reads_is_let_go() {
    let mut desk = Desk::with_robot();
    let slow = desk.hello("Slow");
    desk.slow.push(slow);
    for _ in 0..400 {
        desk.say(slow, json!({"ask": "node_types"}));
        desk.pass(50);
        if !desk.closed.is_empty() {
            break;
        }
    }
    assert_eq!(desk.closed.len(), 1);
    let kept: usize = desk.heard[&slow].iter().map(|message| message.to_string().len()).sum();
    assert!(kept < 20 << 20, "{kept}");
}

#[test]
fn a_stop_passes_a_full_queue() {
    let mut desk = Desk::with_robot();
    let slow = desk.hello("Slow");
    desk.slow.push(slow);
    for _ in 0..60 {
        desk.say(slow, json!({"ask": "document"}));
    }
    for _ in 0..500 {
        desk.say(slow, json!({"ask": "history", "most": 1}));
    }
    desk.offers.clear();
    desk.say(slow, json!({"ask": "stop"}));
    assert_eq!(desk.offers.first().map(|(_, message)| message.clone()), Some(Message::Stop), "who pressed it follows");
}

#[test]
fn a_document_larger_than_what_may_wait_reaches_who_reads_it() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let root = desk.document(ann)["nodes"][0]["id"].as_str().unwrap().to_owned();
    let notes = "n".repeat(900_000);
    for _ in 0..20 {
        let added = desk.edit(ann, json!({"do": "add", "parent": root, "index": 0, "kind": "log"}));
        desk.edit(ann, json!({"do": "notes", "node": added["created"][0], "notes": notes}));
        desk.pass(100);
    }
    let late = desk.hello("Late");
    // It asks before it has read what it is told anyway.
    desk.slow.push(late);
    desk.say(late, json!({"ask": "document"}));
    desk.slow.clear();
    desk.settle();
    let whole = desk.document(late);
    assert!(whole.to_string().len() > 16 << 20, "{} bytes", whole.to_string().len());
    assert!(desk.closed.is_empty());
}
