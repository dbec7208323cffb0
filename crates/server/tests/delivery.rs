//! What becomes of an edit on its way to the robot: kept, refused, unsent when a process dies, made in an older epoch.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::Desk;
use link::{Event, Quality, Stream};
use model::Library;
use protocol::Role;
use protocol::talk::{News, Overview, VERSION, Whole, pack};
use replica::NewEpoch;
use serde_json::{Value as Json, json};
use server::SessionId;

fn rename(desk: &mut Desk, from: SessionId, name: &str, to: &str) -> Json {
    let node = desk.id(from, name);
    desk.edit(from, json!({"do": "rename", "node": node, "name": to}))
}

fn has(desk: &mut Desk, from: SessionId, name: &str) -> bool {
    desk.document(from)["nodes"].as_array().unwrap().iter().any(|node| node["name"] == name)
}

fn overview(desk: &mut Desk, role: Role) {
    let name = "one".into();
    let overview = Overview {
        version: VERSION,
        name,
        robot: "coact-mini".into(),
        file: "main.json".into(),
        epoch: 7,
        nodes: vec![],
        beside: None,
        simulated: true,
        resets: false,
        role,
    };
    desk.operator.link(desk.now, Event::Document { stream: Stream::Overview, bytes: pack(&overview) });
    desk.settle();
}

#[test]
fn a_refused_edit_is_taken_back_at_its_maker_with_the_reason() {
    let mut desk = Desk::with_robot();
    let (ann, ben) = (desk.hello("Ann"), desk.hello("Ben"));
    rename(&mut desk, ann, "First", "before");
    desk.take_edits();
    rename(&mut desk, ann, "before", "refused");
    let group = desk.id(ben, "Group");
    desk.edit(ben, json!({"do": "set", "node": group, "settings": {"timeout_s": 9}}));
    let robot_had = desk.last_push(ann, "delivery")["robot_has"].clone();
    desk.offers.clear();
    desk.news(&News::Refused { number: 2, why: "it is too large".to_owned() });
    assert!(has(&mut desk, ann, "before") && !has(&mut desk, ann, "refused"));
    assert_eq!(desk.setting(ann, "Group", "timeout_s"), 9, "Ben's edit stands");
    let told = desk.last_push(ann, "notice")["text"].as_str().unwrap().to_owned();
    assert!(told.contains("did not take your `rename`") && told.contains("it is too large"), "{told}");
    assert!(desk.pushes(ben, "notice").is_empty(), "it is not Ben's");
    // What was behind it goes again, and the robot knows that the refusal was heard.
    let sent = desk.updates();
    assert_eq!(sent.iter().map(|sent| (sent.number, sent.refusals)).collect::<Vec<_>>(), [(3, 1)]);
    assert!(desk.pushes(ann, "delivery").iter().all(|push| push["robot_has"] == robot_had), "it has not Ben's yet");
    desk.take_edits();
    let document = desk.document(ann);
    assert_eq!(desk.last_push(ann, "delivery")["robot_has"], document["version"]);
    let main = desk.robot.as_ref().unwrap().document().library().main();
    assert!(main.walk(main.root).any(|id| &*main.node(id).name == "before"), "the robot can take what comes after it");
    // It did not happen: undo takes back what was done before it.
    desk.ok(ann, json!({"ask": "undo"}));
    assert!(has(&mut desk, ann, "First"));
}

#[test]
fn a_key_that_may_only_look_is_told_at_the_start_and_at_each_edit() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    overview(&mut desk, Role::Observer);
    let told = desk.last_push(ann, "notice")["text"].as_str().unwrap().to_owned();
    assert!(told.contains("the key of this operator process has the rank of an observer"), "{told}");
    let first = desk.id(ann, "First");
    let edit = json!({"ask": "edit", "operation": {"do": "rename", "node": first, "name": "mine"}});
    let (code, text) = desk.refused(ann, edit);
    assert_eq!((code.as_str(), text), ("not_allowed", told.clone()));
    assert!(desk.updates().is_empty() && has(&mut desk, ann, "First"));
    let ben = desk.hello("Ben");
    assert_eq!(desk.last_push(ben, "notice")["text"], told, "whoever comes later is told, too");
    overview(&mut desk, Role::Operator);
    rename(&mut desk, ann, "First", "mine");
}

#[test]
fn edits_made_in_the_dark_outlive_the_operator_process() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    rename(&mut desk, ann, "First", "sent");
    desk.take_edits();
    desk.status.quality = Quality::Down;
    desk.tell_status();
    rename(&mut desk, ann, "Say", "in the dark");
    rename(&mut desk, ann, "sent", "darker");
    let mut desk = desk.restarted();
    assert_eq!(desk.unsents.0.lock().unwrap().len(), 2);
    // Nobody is there yet, and it is killed once more.
    desk = desk.restarted();
    let ann = desk.hello("Ann");
    desk.connect(true);
    assert!(has(&mut desk, ann, "in the dark") && has(&mut desk, ann, "darker"));
    assert!(desk.last_push(ann, "notice")["text"].as_str().unwrap().contains("2 edits of Ann"));
    assert_eq!(desk.updates().iter().map(|sent| sent.number).collect::<Vec<_>>(), [2, 3]);
    let robot_has = |desk: &mut Desk| desk.last_push(ann, "delivery")["robot_has"].as_u64().unwrap();
    let version = desk.document(ann)["version"].as_u64().unwrap();
    assert!(robot_has(&mut desk) < version, "nobody is told that it has them");
    desk.take_edits();
    assert_eq!(robot_has(&mut desk), version);
    let robot = desk.robot.as_ref().unwrap().document().library().main();
    assert!(robot.walk(robot.root).any(|id| &*robot.node(id).name == "darker"));
    assert!(desk.unsents.0.lock().unwrap().is_empty(), "nothing is sent twice");
    rename(&mut desk, ann, "darker", "later");
    assert_eq!(desk.updates().last().unwrap().number, 4, "numbers are never used twice");
}

#[test]
fn an_edit_the_robot_had_before_both_were_killed_is_not_done_twice() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let group = desk.id(ann, "Group");
    desk.edit(ann, json!({"do": "add", "parent": group, "index": 0, "kind": "wait", "name": "once", "settings": {}}));
    // The robot takes it; nobody hears that it did.
    let sent = desk.updates();
    desk.robot.as_mut().unwrap().merge(&sent[0].update).unwrap();
    desk.decided = 1;
    let mut desk = desk.restarted();
    let ann = desk.hello("Ann");
    desk.connect(true);
    let document = desk.document(ann);
    let once = document["nodes"].as_array().unwrap().iter().filter(|node| node["name"] == "once").count();
    assert_eq!(once, 1);
    assert!(desk.updates().is_empty() && desk.unsents.0.lock().unwrap().is_empty());
}

#[test]
fn edits_of_another_behavior_are_put_aside_and_told() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    rename(&mut desk, ann, "First", "unsent");
    let mut desk = desk.restarted();
    let ann = desk.hello("Ann");
    let library = server::empty("other.json");
    desk.robot = Some(server::Shared::new(library, nodes::registry(), common::peer(99), 30).unwrap());
    desk.connect(true);
    assert!(desk.last_push(ann, "notice")["text"].as_str().unwrap().contains("1 edits it never got: put aside"));
    assert_eq!(desk.unsents.1.lock().unwrap().len(), 1);
    assert!(desk.updates().is_empty());
}

/// The robot begins anew from what it has, and tells it in a few bytes.
fn trim(desk: &mut Desk) -> NewEpoch {
    let robot = desk.robot.as_mut().unwrap();
    let new = robot.next_epoch().unwrap();
    let news = News::Epoch { epoch: new.epoch, holds: new.holds.to_bytes(), check: new.check };
    desk.news(&news);
    new
}

#[test]
fn a_hundred_undos_and_everything_unsent_survive_a_new_epoch() {
    let mut desk = Desk::with_robot();
    let (ann, ben) = (desk.hello("Ann"), desk.hello("Ben"));
    let first = desk.id(ann, "First");
    let set = |desk: &mut Desk, who, seconds: u32| {
        desk.edit(who, json!({"do": "set", "node": first, "settings": {"duration_s": seconds}}));
    };
    for number in 0..100 {
        set(&mut desk, ann, 100 + number);
        if number % 10 == 0 {
            rename(&mut desk, ben, if number == 0 { "Say" } else { "said" }, "said");
            desk.take_edits();
            trim(&mut desk);
        }
    }
    desk.take_edits();
    // Two more that the robot does not have when it begins anew.
    set(&mut desk, ann, 500);
    rename(&mut desk, ben, "Group", "unsent");
    desk.offers.clear();
    let new = trim(&mut desk);
    assert_eq!(desk.operator.shared().epoch(), new.epoch);
    assert_eq!(desk.setting(ann, "First", "duration_s"), 500);
    let sent = desk.updates();
    assert_eq!(sent.len(), 2);
    assert!(sent.iter().all(|sent| sent.epoch == new.epoch), "they come again, in the new epoch");
    desk.take_edits();
    let texts = |shared: &server::Shared| shared.document().text("main.json").unwrap();
    assert_eq!(texts(desk.robot.as_ref().unwrap()), texts(desk.operator.shared()));
    for _ in 0..101 {
        desk.ok(ann, json!({"ask": "undo"}));
    }
    assert_eq!(desk.setting(ann, "First", "duration_s"), 1);
    assert!(has(&mut desk, ann, "unsent"), "Ben's stands");
}

#[test]
fn whoever_would_begin_otherwise_asks_for_the_whole_tree() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let robot = desk.robot.as_mut().unwrap();
    let new = robot.next_epoch().unwrap();
    desk.news(&News::Epoch { epoch: new.epoch, holds: new.holds.to_bytes(), check: new.check ^ 1 });
    rename(&mut desk, ann, "First", "waits");
    assert!(desk.updates().is_empty(), "edits wait for the tree");
    let whole = desk.robot.as_ref().unwrap().whole().unwrap();
    desk.send_whole(&whole);
    assert_eq!(desk.updates().len(), 1);
    assert_eq!(desk.updates()[0].epoch, new.epoch);
}

#[test]
fn a_robot_that_was_killed_before_it_kept_what_others_did_is_believed() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let before: Whole = desk.robot.as_ref().unwrap().whole().unwrap();
    let first = desk.id(ann, "First").parse().unwrap();
    let robot = desk.robot.as_mut().unwrap();
    robot.act(("Bob", 5), |document| document.rename(first, "Bob's")).unwrap();
    let update = robot.unsent().last().unwrap().update.clone();
    desk.news(&News::Update { epoch: 7, update });
    rename(&mut desk, ann, "Say", "Ann's");
    assert!(has(&mut desk, ann, "Bob's"));
    // It comes back without: its disk never had it, and Bob has not heard that it did.
    desk.operator.link(desk.now, Event::Connected { peer: None, resumed: false });
    desk.send_whole(&before);
    assert!(has(&mut desk, ann, "First") && has(&mut desk, ann, "Ann's"), "what is shown is what the robot has");
    assert_eq!(desk.updates().last().unwrap().number, 1);
    let mut robot =
        server::Shared::from_whole(&before, nodes::registry(), common::peer(99), &Library::default()).unwrap();
    robot.merge(&desk.updates().last().unwrap().update).unwrap();
    assert_eq!(robot.document().text("main.json"), desk.operator.shared().document().text("main.json"));
}

/// Edits overtake whole trees on the link: one that came first was dropped, and the tree here lacked it for ever.
#[test]
fn what_others_do_while_the_tree_is_on_its_way_is_not_lost() {
    let mut desk = Desk::with(server::Tokens::default(), true);
    let ann = desk.hello("Ann");
    desk.robot = Some(desk.robot_like(7));
    let whole = desk.robot.as_ref().unwrap().whole().unwrap();
    desk.operator.link(desk.now, Event::Connected { peer: None, resumed: false });
    let first = desk.id(ann, "First").parse().unwrap();
    let robot = desk.robot.as_mut().unwrap();
    let mut news = Vec::new();
    robot.act(("Bob", 5), |document| document.rename(first, "one")).unwrap();
    news.push(News::Update { epoch: 7, update: robot.unsent().last().unwrap().update.clone() });
    let new = robot.next_epoch().unwrap();
    news.push(News::Epoch { epoch: new.epoch, holds: new.holds.to_bytes(), check: new.check });
    robot.act(("Bob", 6), |document| document.rename(first, "two")).unwrap();
    news.push(News::Update { epoch: 8, update: robot.unsent().last().unwrap().update.clone() });
    news.iter().for_each(|news| desk.news(news));
    let update = protocol::talk::Update { epoch: 7, bytes: pack(&whole) };
    for bytes in protocol::talk::pieces(&update.to_bytes()) {
        desk.operator.link(desk.now, Event::Document { stream: Stream::Snapshot, bytes });
    }
    desk.settle();
    assert!(has(&mut desk, ann, "two"));
    assert_eq!(desk.operator.shared().epoch(), 8);
}

#[test]
fn nobody_edits_a_tree_that_is_not_here_yet() {
    let mut desk = Desk::with(server::Tokens::default(), true);
    let ann = desk.hello("Ann");
    desk.status.quality = Quality::Good;
    desk.operator.link(desk.now, Event::Connected { peer: None, resumed: false });
    let library = server::empty("main.json");
    let robot = server::Shared::new(library, nodes::registry(), common::peer(99), 7).unwrap();
    let mut whole = robot.whole().unwrap();
    // So large that it comes in pieces.
    whole.decided = (0..60_000).map(|desk| (desk << 40, desk)).collect();
    let update = protocol::talk::Update { epoch: 7, bytes: pack(&whole) };
    let pieces = protocol::talk::pieces(&update.to_bytes());
    assert!(pieces.len() > 1);
    let root = desk.operator.shared().document().library().main().root;
    let edit = json!({"ask": "edit", "operation": {"do": "rename", "node": root.to_string(), "name": "mine"}});
    for bytes in pieces {
        let (code, _) = desk.refused(ann, edit.clone());
        assert_eq!(code, "no_robot");
        desk.operator.link(desk.now, Event::Document { stream: Stream::Snapshot, bytes });
        desk.settle();
    }
    desk.ok(ann, edit);
}
