//! What the operator keeps of the tree follows it edit by edit: whatever is done, it is what it would be were it made
//! anew, and so is what a client has from pushes alone.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::Desk;
use common::copy::Copy;
use model::{NodeId, Random};
use protocol::talk::News;
use serde_json::{Value as Json, json};
use server::SessionId;

const SEEDS: u64 = 12;
const EDITS: usize = 120;
const KINDS: [&str; 5] = ["wait", "sequence", "fallback", "parallel", "log"];

struct Dice(Random);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0.below(count as u64) as usize
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Every node, whether it is a root, and how many children it has.
fn nodes(desk: &Desk) -> Vec<(NodeId, usize)> {
    let library = desk.operator.shared().document().library();
    let of_tree =
        |tree: &model::Definition| tree.walk(tree.root).map(|id| (id, tree.node(id).children.len())).collect();
    library.iter().flat_map(|(_, tree)| -> Vec<(NodeId, usize)> { of_tree(tree) }).collect()
}

/// Something a person may ask for; not all of it can be done.
fn operation(dice: &mut Dice, nodes: &[(NodeId, usize)], number: usize) -> Json {
    let (node, other) = (dice.one(nodes).0, dice.one(nodes).0);
    let (parent, children) = *dice.one(nodes);
    let (index, kind) = (dice.below(children + 1), *dice.one(&KINDS));
    match dice.below(20) {
        0..=3 => json!({"do": "add", "parent": parent, "index": index, "kind": kind, "name": format!("n{number}")}),
        4 => {
            json!({"do": "add", "parent": parent, "index": index, "kind": "skill", "settings": {"file": "skills/bow.json"}})
        }
        5 => {
            json!({"do": "add", "parent": parent, "index": index, "kind": "skill", "settings": {"file": "skills/nod.json"}})
        }
        6 => json!({"do": "add", "parent": parent, "index": index, "kind": "gosub", "settings": {"target": "Group"}}),
        7 | 8 => json!({"do": "move", "nodes": [node, other], "parent": parent, "index": index}),
        9 => json!({"do": "delete", "nodes": [node]}),
        10 => json!({"do": "set", "node": node, "settings": {"duration_s": dice.below(3)}}),
        11 => json!({"do": "set", "node": node, "settings": {"after": *dice.one(&["Beginning", "First", "gone"])}}),
        12 => json!({"do": "rename", "node": node, "name": *dice.one(&["First", "Group", "x"])}),
        13 => json!({"do": "refer", "node": node, "field": "after", "target": other}),
        14 => json!({"do": "retype", "node": node, "kind": kind}),
        15 => json!({"do": "duplicate", "nodes": [node]}),
        16 => json!({"do": "wrap", "nodes": [node, other], "kind": kind}),
        17 => json!({"do": "unwrap", "node": node}),
        18 => json!({"do": "extract", "node": node, "file": format!("skills/made-{}.json", dice.below(3))}),
        _ => json!({"do": "inline", "node": node}),
    }
}

/// Somebody at another operator does something meanwhile; the robot tells of it.
fn elsewhere(desk: &mut Desk, dice: &mut Dice) {
    let robot = desk.robot.as_mut().unwrap();
    let main = robot.document().library().main();
    let all: Vec<NodeId> = main.walk(main.root).collect();
    let (node, parent) = (*dice.one(&all), *dice.one(&all));
    let what = dice.below(4);
    let done = robot.act(("Rob", 1_700_000_000), |document| match what {
        0 => document.rename(node, "theirs"),
        1 => document.move_to(&[node], parent, 0),
        2 => document.delete(&[node]),
        _ => document.insert(parent, 0, &document::node("fallback", "")),
    });
    if done.is_ok_and(|deed| !deed.edits.is_empty()) {
        let update = robot.unsent().last().unwrap().update.clone();
        robot.settle(u64::MAX);
        let epoch = robot.epoch();
        desk.news(&News::Update { epoch, update });
    }
}

fn begin_anew(desk: &mut Desk) {
    let new = desk.robot.as_mut().unwrap().next_epoch().unwrap();
    desk.news(&News::Epoch { epoch: new.epoch, holds: new.holds.to_bytes(), check: new.check });
}

fn do_something(desk: &mut Desk, dice: &mut Dice, who: SessionId, number: usize) {
    match dice.below(24) {
        0..=15 => {
            let operation = operation(dice, &nodes(desk), number);
            desk.ask(who, json!({"ask": "edit", "operation": operation}));
        }
        16 | 17 => drop(desk.ask(who, json!({"ask": "undo"}))),
        18 => drop(desk.ask(who, json!({"ask": "redo"}))),
        19 => drop(desk.ask(who, json!({"ask": "save"}))),
        20 | 21 => elsewhere(desk, dice),
        22 => desk.take_edits(),
        _ if desk.updates().iter().any(|sent| sent.number > desk.decided) && dice.below(3) == 0 => {
            desk.decided += 1;
            desk.news(&News::Refused { number: desk.decided, why: "it is too large".to_owned() });
        }
        _ => {
            desk.take_edits();
            begin_anew(desk);
        }
    }
}

#[test]
fn whatever_is_done_what_is_kept_is_what_it_would_be_anew_and_so_is_what_a_client_has() {
    for seed in 0..SEEDS {
        let mut dice = Dice(Random::new(seed));
        let mut desk = Desk::with_robot();
        desk.store.put(
            "skills/bow.json",
            r#"{"version": 1, "name": "Bow", "children": [{"type": "wait", "duration_s": 1}]}"#,
        );
        let people = [desk.hello("Ann"), desk.hello("Ben")];
        let mut copy = Copy::of(&desk.document(people[0]));
        for number in 0..EDITS {
            let who = *dice.one(&people);
            do_something(&mut desk, &mut dice, who, number);
            desk.pass(400);
            let told = desk.heard.get_mut(&people[0]).map(std::mem::take).unwrap_or_default();
            told.iter()
                .filter(|push| push["push"] == "changed" || push["push"] == "document")
                .for_each(|push| copy.take(push));
            desk.operator.check_view().unwrap_or_else(|wrong| panic!("{wrong}, seed {seed}, edit {number}"));
            copy.is_like(&desk.document(people[0]));
        }
    }
}

#[test]
fn what_is_changed_and_changed_back_is_saved() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let (root, first, say) = (desk.id(ann, "Main"), desk.id(ann, "First"), desk.id(ann, "Say"));
    let unsaved = |desk: &mut Desk| desk.document(ann)["files"][0]["unsaved"].clone();
    for (there, back) in [
        (
            json!({"do": "set", "node": first, "settings": {"duration_s": 4}}),
            Some(json!({"do": "set", "node": first, "settings": {"duration_s": 1}})),
        ),
        (
            json!({"do": "rename", "node": say, "name": "Tell"}),
            Some(json!({"do": "rename", "node": say, "name": "Say"})),
        ),
        (json!({"do": "delete", "nodes": [first]}), None),
        (json!({"do": "add", "parent": root, "index": 0, "kind": "wait", "name": "New"}), None),
        (json!({"do": "variables", "file": "main.json", "variables": {"speed": 1}}), None),
    ] {
        assert_eq!(unsaved(&mut desk), false);
        desk.edit(ann, there.clone());
        assert_eq!(unsaved(&mut desk), true, "{there}");
        match back {
            Some(back) => drop(desk.edit(ann, back)),
            None => drop(desk.ok(ann, json!({"ask": "undo"}))),
        }
        assert_eq!(unsaved(&mut desk), false, "{there}, and back");
    }
}

#[test]
fn an_edit_among_thousands_tells_a_client_little() {
    let mut desk = Desk::alone();
    let steps: Vec<Json> = (0..5_000).map(|number| json!({"type": "wait", "name": format!("step {number}")})).collect();
    desk.store.put("many.json", &json!({"version": 1, "name": "Many", "children": steps}).to_string());
    let ann = desk.hello("Ann");
    desk.ok(ann, json!({"ask": "open", "file": "many.json", "discard": true}));
    let (root, step) = (desk.id(ann, "Many"), desk.id(ann, "step 2500"));
    for operation in [
        json!({"do": "add", "parent": root, "index": 2_000, "kind": "wait", "name": "New"}),
        json!({"do": "move", "nodes": [step], "parent": root, "index": 10}),
        json!({"do": "rename", "node": root, "name": "All"}),
        json!({"do": "delete", "nodes": [step]}),
    ] {
        desk.edit(ann, operation.clone());
        let told = desk.last_push(ann, "changed").to_string();
        assert!(told.len() <= 1_000, "{operation}: {} bytes", told.len());
    }
}

#[test]
fn how_many_children_are_a_try_comes_behind_the_edit() {
    let mut desk = Desk::alone();
    let ann = desk.hello("Ann");
    let group = desk.id(ann, "Group");
    desk.edit(ann, json!({"do": "retype", "node": group, "kind": "fallback"}));
    desk.pass(400);
    let mut copy = Copy::of(&desk.document(ann));
    desk.pushes(ann, "changed");
    let tries = |desk: &mut Desk| {
        let document = desk.document(ann);
        document["nodes"].as_array().unwrap().iter().find(|node| node["id"] == group.as_str()).unwrap()["tries"].clone()
    };
    assert_eq!(tries(&mut desk), 1);
    desk.edit(
        ann,
        json!({"do": "add", "parent": group, "index": 1, "kind": "wait", "settings": {"after": "Beginning"}}),
    );
    desk.pass(400);
    assert_eq!(tries(&mut desk), 2);
    desk.pushes(ann, "changed").iter().for_each(|push| copy.take(push));
    copy.is_like(&desk.document(ann));
}
