//! What does not grow with the number of edits, and how large a tree may be.

use model::{Edit, NodeId, Subtree};
use onboard::Shared;
use protocol::talk::{MOST_NODES, News, Sent};
use replica::{NewEpoch, Peer, Version};

use crate::bench::{Bench, Copy, library};

/// Groups of a hundred, with nodes in all.
fn wide(nodes: usize) -> String {
    let wait = |number: usize| format!(r#"{{"type": "wait", "name": "wait {number}", "duration_s": {number}}}"#);
    let numbers: Vec<usize> = (1..nodes).collect();
    let group = |(at, group): (usize, &[usize])| {
        let waits: Vec<String> = group[1..].iter().map(|number| wait(*number)).collect();
        format!(r#"{{"type": "sequence", "name": "group {at}", "children": [{}]}}"#, waits.join(","))
    };
    let groups: Vec<String> = numbers.chunks(100).enumerate().map(group).collect();
    format!(r#"{{"version": 1, "type": "sequence", "name": "all", "children": [{}]}}"#, groups.join(","))
}

fn robot(nodes: usize) -> Shared {
    Shared::from_library(library(&wide(nodes)), Peer { number: 1, name: "robot".into() }, 100).unwrap()
}

fn edit(copy: &mut Copy, node: NodeId, seconds: u64) -> Sent {
    let value = Some(model::Field::from_json(seconds.into()));
    copy.edit(Edit::Set { node, field: "duration_s".into(), value, at: None })
}

#[test]
fn many_edits_leave_joining_and_disk_as_they_were() {
    const EDITS: u64 = 20_000;
    let mut robot = robot(300);
    let fresh = robot.whole().unwrap().bytes.len();
    let mut ana = Copy::from_update(&robot.whole().unwrap(), 5);
    let main = ana.library.main();
    let nodes: Vec<NodeId> = main.walk(main.root).filter(|id| &*main.node(*id).kind == "wait").collect();
    let (mut most, mut epochs) = (0, 0);
    let mut trim = |robot: &mut Shared, ana: &mut Copy, quiet| {
        if robot.is_long(quiet) {
            most = most.max(robot.whole().unwrap().bytes.len());
            let new: NewEpoch = robot.next_epoch().unwrap();
            assert_eq!(ana.replica.advance(&new, &ana.library).unwrap(), replica::Rebased::default());
            epochs += 1;
        }
    };
    for number in 0..EDITS {
        let sent = edit(&mut ana, nodes[number as usize % nodes.len()], number % 977);
        robot.take(&sent).unwrap();
        ana.replica.settle(sent.number);
        trim(&mut robot, &mut ana, false);
    }
    trim(&mut robot, &mut ana, true);
    assert!(epochs > 3, "{epochs} epochs");
    assert!(most < 300_000, "{most} bytes while somebody edits");
    let after = robot.whole().unwrap().bytes.len();
    assert!(after * 10 <= fresh * 12, "{after} bytes to join and on disk, {fresh} at first");
    assert_eq!(texts(&robot), texts_of(&ana));
}

fn texts(robot: &Shared) -> String {
    model::file::save(robot.library().main(), nodes::registry().catalogue())
}

fn texts_of(copy: &Copy) -> String {
    model::file::save(copy.library.main(), nodes::registry().catalogue())
}

#[test]
fn everybody_who_is_there_moves_to_the_new_epoch_and_an_edit_on_its_way_is_not_lost() {
    let mut bench = Bench::new(&wide(20));
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let (mut anas, mut bens) = (bench.copy(ana), bench.copy(ben));
    let node = bench.node("wait 3");
    let late = {
        // Made before Ben hears of the new epoch, arrives after it began.
        for number in 0..20 {
            let sent = edit(&mut anas, node, number);
            bench.send_edit(ana, &sent);
            bench.tick();
        }
        assert_eq!(bench.robot.desk.shared().epoch(), 100, "not while somebody edits");
        bench.run_s(1.1);
        assert_eq!(bench.robot.desk.shared().epoch(), 101);
        bens.rename("wait 7", "Ben's")
    };
    bench.send_edit(ben, &late);
    bench.tick();
    assert_eq!(bench.wholes(ben).len(), 1, "nobody gets the whole tree again");
    for news in bench.news(ben) {
        match news {
            News::Update { update, .. } => {
                let merged = bens.replica.merge(&update, &bens.library).unwrap();
                bens.library.apply_all(&merged.edits).unwrap();
            }
            News::Epoch { epoch, holds, check } => {
                let new = NewEpoch { epoch, holds: Version::from_bytes(&holds).unwrap(), check };
                let rebased = bens.replica.advance(&new, &bens.library).unwrap();
                bens.library.apply_all(&rebased.edits).unwrap();
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(bens.unsent().len(), 1);
    bench.send_edit(ben, &bens.unsent()[0]);
    bench.tick();
    bench.node("Ben's");
    assert_eq!(bench.news(ben).last(), Some(&News::Kept { number: 1 }));
    assert_eq!(texts(bench.robot.desk.shared()), texts_of(&bens));
}

#[test]
fn a_hundred_thousand_nodes_join_and_more_than_the_limit_are_refused() {
    let mut bench = Bench::new(&wide(100_000));
    let ana = bench.connect(1);
    let mut copy = bench.copy(ana);
    assert_eq!(copy.library.main().len(), 100_000);
    let mut next = 1 << 40;
    let mut leaf = |children| {
        next += 1;
        Subtree {
            id: NodeId(next),
            kind: "sequence".into(),
            name: "".into(),
            notes: "".into(),
            fields: model::Fields::default(),
            id_written: false,
            children,
        }
    };
    let mut groups = Vec::new();
    for _ in 0..1_000 {
        let group = (0..100).map(|_| leaf(Vec::new())).collect();
        groups.push(leaf(group));
    }
    let (parent, root) = (bench.node("all"), leaf(groups));
    let sent = copy.edit(Edit::Insert { parent, index: 0, subtree: root });
    let before = bench.robot.desk.shared().version();
    bench.send_edit(ana, &sent);
    bench.tick();
    let Some(News::Refused { number: 1, why }) = bench.news(ana).pop() else { panic!("{:?}", bench.news(ana)) };
    assert!(why.contains("201001 nodes") && why.contains(&format!("up to {MOST_NODES}")), "{why}");
    assert_eq!(bench.robot.desk.shared().version(), before, "whole or not at all");
    // What comes behind it was made on another tree; when the refusal is known, edits are taken again.
    let mut copy = bench.copy(ana);
    copy.replica.number_from(1);
    let next = copy.rename("wait 5", "five");
    bench.send_edit(ana, &next);
    bench.tick();
    assert!(bench.news(ana).len() == 1, "dropped: it was sent before the refusal was heard");
    bench.send_edit(ana, &Sent { refusals: 1, ..next });
    bench.tick();
    bench.node("five");
}

#[test]
fn what_cannot_be_read_or_stands_on_nothing_is_refused_and_leaves_the_tree() {
    let mut bench = Bench::new(&wide(5));
    let ana = bench.connect(1);
    let mut copy = bench.copy(ana);
    let (skipped, sent) = (copy.rename("wait 1", "skipped"), copy.rename("wait 2", "two"));
    let before = bench.robot.desk.shared().version();
    for (refusals, bad) in [sent.clone(), Sent { update: vec![201, 1, 7, 7], ..sent.clone() }].into_iter().enumerate() {
        bench.send_edit(ana, &Sent { refusals: refusals as u32, ..bad });
        bench.tick();
        assert!(matches!(bench.news(ana).pop(), Some(News::Refused { number: 2, .. })), "{:?}", bench.news(ana));
    }
    assert_eq!(bench.robot.desk.shared().version(), before);
    for sent in [skipped, sent] {
        bench.send_edit(ana, &Sent { refusals: 2, ..sent });
        bench.tick();
    }
    bench.node("skipped");
    bench.node("two");
}
