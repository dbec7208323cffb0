//! The shared tree between robot and operators.

use link::{Event, Rank, Stream};
use model::Edit;
use onboard::Shared;
use protocol::talk::{News, Reply, Update, Want, What};
use protocol::{Role, talk::Overview, talk::unpack};
use replica::Peer;

use crate::bench::{Bench, Copy, THREE_WAITS, allowed, automatic, library};

fn engine_has(bench: &Bench, name: &str) -> bool {
    let main = bench.robot.runner.engine().library().main();
    main.walk(main.root).any(|id| **main.node(id).label() == *name)
}

#[test]
fn an_edit_is_in_force_at_the_next_tick_and_reaches_the_others() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let mut copy = bench.copy(ana);
    let mut bens = bench.copy(ben);
    let update = copy.rename("second", "middle");
    bench.send_edit(ana, &update);
    bench.tick();
    assert!(engine_has(&bench, "middle"));
    assert_eq!(bench.news(ben), [News::Update { epoch: 100, update: update.update.clone() }]);
    assert_eq!(bench.news(ana), [News::Kept { number: 1 }]);
    let merged = bens.replica.merge(&update.update, &bens.library).unwrap();
    bens.library.apply_all(&merged.edits).unwrap();
    assert!(
        bens.library
            .main()
            .walk(bens.library.main().root)
            .any(|id| **bens.library.main().node(id).label() == *"middle")
    );
    bench.run_s(0.1);
    assert_eq!(bench.last_run(ana).document_version, 1);
}

#[test]
fn a_repeated_edit_does_nothing_twice() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let update = bench.copy(ana).rename("second", "middle");
    for _ in 0..3 {
        bench.send_edit(ana, &update);
        bench.tick();
    }
    bench.run_s(0.1);
    assert_eq!(bench.news(ben).len(), 1);
    assert_eq!(bench.news(ana), vec![News::Kept { number: 1 }; 3], "each is answered");
    assert_eq!(bench.last_run(ana).document_version, 1);
}

#[test]
fn edits_of_two_at_the_same_time_both_stand() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let (mut anas, mut bens) = (bench.copy(ana), bench.copy(ben));
    let third = bench.node("third");
    let (one, two) = (anas.rename("third", "last"), bens.edit(Edit::Notes { node: third, notes: "slowly".into() }));
    bench.send_edit(ana, &one);
    bench.send_edit(ben, &two);
    bench.tick();
    let node = bench.robot.runner.engine().library().main().node(third);
    assert_eq!((&**node.label(), &*node.notes), ("last", "slowly"));
}

#[test]
fn an_observers_edit_is_not_taken_and_told() {
    let mut bench = Bench::with_settings(THREE_WAITS, |settings| {
        settings.allowed = vec![allowed(8, "gallery", Rank::Observer)];
    });
    let ana = bench.connect(1);
    let gallery = bench.connect_as(2, Some(link::PublicKey([8; 32])));
    let update = bench.copy(gallery).rename("second", "mine");
    bench.run_s(1.0);
    bench.send_edit(gallery, &update);
    bench.run_s(0.2);
    assert!(!engine_has(&bench, "mine"));
    assert!(bench.news(ana).is_empty());
    let why = "the key of gallery may only look: the robot takes no edits from it".to_owned();
    assert_eq!(bench.news(gallery), [News::Refused { number: 1, why }]);
    assert!(bench.notes(ana).iter().any(|text| text.contains("an edit of gallery was not taken")));
    let overview: Overview = unpack(&bench.documents(gallery, Stream::Overview)[0]).unwrap();
    assert_eq!(overview.role, Role::Observer, "it is told at the start");
}

#[test]
fn another_behavior_is_opened_by_whoever_is_in_control_of_a_robot_that_stopped() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let other = r#"{"version": 1, "type": "sequence", "children": [{"type": "wait", "name": "new"}]}"#;
    let peer = Peer { number: 77, name: "ana".into() };
    let offer = |epoch: u64| Shared::from_library(library(other), peer.clone(), epoch).unwrap().whole().unwrap();
    assert!(
        bench.refused(ana, "ana", Role::Supervisor, Want::Open { epoch: 200, world: None }).contains("take control")
    );
    bench.done(ana, "ana", Want::TakeControl);
    assert!(
        bench.refused(ana, "ana", Role::Supervisor, Want::Open { epoch: 200, world: None }).contains("has not arrived")
    );
    bench.offer(ana, &offer(200));
    assert!(
        bench
            .refused(ana, "ana", Role::Supervisor, Want::Open { epoch: 100, world: None })
            .contains("opened meanwhile")
    );
    bench.done(ana, "ana", automatic());
    bench.offer(ana, &offer(200));
    assert!(
        bench.refused(ana, "ana", Role::Supervisor, Want::Open { epoch: 200, world: None }).contains("stop it first")
    );
    bench.hear(ana, Event::Stop);
    bench.offer(ana, &offer(200));
    bench.tick();
    bench.done(ana, "ana", Want::Open { epoch: 200, world: None });
    assert!(engine_has(&bench, "new") && !engine_has(&bench, "first"));
    assert!(!bench.is_running(), "nothing runs by itself");
    for to in [ana, ben] {
        let overview: Overview = unpack(bench.documents(to, Stream::Overview).last().unwrap()).unwrap();
        assert_eq!(overview.epoch, 200);
        assert_eq!(bench.copy(to).replica.epoch(), 200);
    }
    bench.run_s(0.2);
    assert!(bench.happenings(ben).iter().any(|happening| happening.what == What::Anew));
    bench.done(ana, "ana", automatic());
}

#[test]
fn an_edit_of_the_tree_before_is_answered_with_the_tree_of_now() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.run_s(2.0);
    let mut old = bench.copy(ana);
    old = Copy::from_update(
        &Shared::from_library(old.library, Peer { number: 5, name: "x".into() }, 50).unwrap().whole().unwrap(),
        9,
    );
    let update = old.rename("second", "late");
    for _ in 0..10 {
        bench.send_edit(ana, &update);
        bench.tick();
    }
    assert!(!engine_has(&bench, "late"));
    let sent = bench.wholes(ana);
    assert_eq!(sent.len(), 2, "once for ten of them");
    assert_eq!(sent[1].epoch, 100);
}

/// A robot that is killed before the behavior is on disk comes back with the one before.
#[test]
fn opening_is_answered_when_the_behavior_is_on_disk() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    let other = r#"{"version": 1, "type": "sequence", "children": [{"type": "wait", "name": "new"}]}"#;
    let peer = Peer { number: 77, name: "ana".into() };
    bench.offer(ana, &Shared::from_library(library(other), peer, 200).unwrap().whole().unwrap());
    bench.disk_hangs = true;
    let order = bench.order(ana, "ana", Role::Supervisor, Want::Open { epoch: 200, world: None });
    bench.run_s(1.0);
    assert!(engine_has(&bench, "new"), "it is in force");
    assert!(!bench.is_answered(order));
    assert_eq!(bench.wholes(ben).len(), 1, "nobody is told of a tree that may be gone");
    bench.disk_hangs = false;
    bench.tick();
    assert_eq!(bench.answer(order), Reply::Done);
    assert_eq!(bench.copy(ben).replica.epoch(), 200);
    Bench::again(&mut bench).node("new");
}

#[test]
fn a_damaged_behavior_is_not_opened() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    let good = bench.robot.desk.shared().whole().unwrap();
    for bytes in [vec![], vec![9; 40], good.bytes] {
        bench.offer(ana, &Update { epoch: 300, bytes });
        bench.refused(ana, "ana", Role::Supervisor, Want::Open { epoch: 300, world: None });
    }
    assert_eq!(bench.robot.desk.shared().epoch(), 100);
}
