//! One answer to each order; who may give which.

use engine::Control;
use link::{CommandId, Event, Message, Rank};
use model::Autonomy;
use protocol::Role;
use protocol::talk::{Reply, VERSION, Want};

use crate::bench::{Bench, THREE_WAITS, allowed, automatic, run};

#[test]
fn the_table_of_roles() {
    use Role::{Observer, Operator, Supervisor};
    let wants: [(&str, Want, [bool; 3]); 6] = [
        ("stop", run(Control::Stop), [true, true, true]),
        ("take", Want::TakeControl, [false, true, true]),
        ("take from others", Want::TakeControl, [false, false, true]),
        ("run", automatic(), [false, false, false]),
        ("watch", Want::Watch { clouds: true, images: false }, [true, true, true]),
        ("watch body", Want::WatchBody { hz: 10.0 }, [true, true, true]),
    ];
    for (name, want, expected) in wants {
        for (role, expected) in [Observer, Operator, Supervisor].into_iter().zip(expected) {
            let mut bench = Bench::new(THREE_WAITS);
            let ana = bench.connect(1);
            if name != "take" {
                let ben = bench.connect(2);
                bench.done(ben, "ben", Want::TakeControl);
            }
            let reply = bench.ask(ana, "ana", role, want.clone());
            assert_eq!(reply == Reply::Done, expected, "{name} as {role:?}: {reply:?}");
        }
    }
}

#[test]
fn whoever_is_in_control_runs_unless_an_observer() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    let why = bench.refused(ana, "ana", Role::Operator, automatic());
    assert_eq!(why, "nobody is in control: take control first");
    bench.done(ana, "ana", Want::TakeControl);
    assert_eq!(
        bench.refused(ana, "ben", Role::Supervisor, automatic()),
        "ana is in control: ask for it, or take it as a supervisor"
    );
    let why = bench.refused(ana, "ana", Role::Observer, automatic());
    assert_eq!(why, "an observer cannot command; stop is always allowed");
    bench.done(ana, "ana", automatic());
}

#[test]
fn a_key_gives_no_more_than_it_may() {
    let mut bench = Bench::with_settings(THREE_WAITS, |settings| {
        settings.allowed = vec![allowed(7, "desk", Rank::Operator), allowed(8, "gallery", Rank::Observer)];
    });
    let desk = bench.connect_as(1, Some(link::PublicKey([7; 32])));
    let gallery = bench.connect_as(2, Some(link::PublicKey([8; 32])));
    let stranger = bench.connect_as(3, Some(link::PublicKey([9; 32])));
    for low in [gallery, stranger] {
        let why = bench.refused(low, "ana", Role::Supervisor, Want::TakeControl);
        assert!(why.contains("observer"), "{why}");
    }
    bench.done(desk, "ana", Want::TakeControl);
    let why = bench.refused(desk, "ben", Role::Supervisor, Want::TakeControl);
    assert!(why.contains("ana is in control"), "an operator's key makes no supervisors: {why}");
    // The same name at another desk is somebody else.
    assert!(bench.refused(gallery, "ana", Role::Supervisor, automatic()).contains("observer"));
}

#[test]
fn every_order_gets_one_answer_whatever_it_is() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    let node = bench.instance("second");
    let gone = engine::Instance { uses: Vec::new(), node: model::NodeId(12345) };
    let orders = [
        (run(Control::SetNext { to: node.clone() }), true),
        (run(Control::SetNext { to: gone.clone() }), false),
        (run(Control::AutonomyLevel { level: Autonomy::High }), true),
        (run(Control::Breakpoint { node: node.clone(), on: true }), true),
        (run(Control::Admit { step: None }), false),
        (run(Control::Answer { step: node, value: model::Value::Bool(true) }), false),
        (run(Control::Force { step: gone, verdict: engine::Verdict::Success, outcome: None }), false),
        (Want::Open { epoch: 7, world: None }, false),
        (Want::GiveControl(Some("nobody".into())), false),
        (Want::GiveControl(None), true),
    ];
    let given: Vec<_> =
        orders.into_iter().map(|(want, done)| (bench.order(ana, "ana", Role::Operator, want), done)).collect();
    bench.run_s(0.1);
    for (id, done) in given {
        assert_eq!(bench.answer(id) == Reply::Done, done, "{:?}", bench.answer(id));
    }
}

#[test]
fn garbage_is_refused_with_a_reason_and_changes_nothing() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    let deep = "[".repeat(10_000);
    let king = format!(r#"{{"version":{VERSION},"by":"ana","role":"king","what":"take_control"}}"#);
    let bytes: [&[u8]; 6] = [b"", b"{}", b"\xff\xfe", king.as_bytes(), deep.as_bytes(), &[0; 1000]];
    for (number, bytes) in bytes.into_iter().enumerate() {
        let id = CommandId(1000 + number as u64);
        bench.hear(ana, Event::Command { id, bytes: bytes.to_vec(), age_ns: 0 });
        bench.tick();
        assert!(matches!(bench.answer(id), Reply::Refused(why) if why.starts_with("this is no order")));
    }
    for (stream, bytes) in [
        (link::Stream::Edits, vec![1, 2, 3]),
        (link::Stream::Edits, [&100_u64.to_le_bytes()[..], &[9; 50]].concat()),
        (link::Stream::Snapshot, vec![0; 3]),
        (link::Stream::Overview, vec![0; 3]),
        (link::Stream::History, vec![0; 3]),
    ] {
        bench.hear(ana, Event::Document { stream, bytes });
        bench.tick();
    }
    for kind in link::Keyed::ALL {
        bench.hear(ana, Event::Keyed { kind, key: 1, bytes: vec![0xff; 60] });
    }
    bench.run_s(0.1);
    assert!(!bench.is_running());
    assert_eq!(bench.robot.desk.shared().epoch(), 100);
    bench.done(ana, "ana", Want::TakeControl);
}

#[test]
fn a_flood_of_orders_is_answered_order_by_order() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    let ids: Vec<CommandId> =
        (0..3_000).map(|_| bench.order(ana, "ana", Role::Operator, run(Control::ResetFailures))).collect();
    bench.tick();
    bench.tick();
    let done = ids.iter().filter(|id| bench.answer(**id) == Reply::Done).count();
    assert!((1..3_000).contains(&done), "{done}");
}

#[test]
fn orders_are_audited_with_who_what_and_outcome() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.refused(ana, "ana", Role::Operator, automatic());
    bench.done(ana, "ana", Want::TakeControl);
    let lines: Vec<serde_json::Value> = bench.audit.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["by"], "ana");
    assert_eq!(lines[0]["role"], "operator");
    assert_eq!(lines[0]["what"], r#"{"do":"automatic","on":true}"#);
    assert_eq!(lines[0]["outcome"], "refused: nobody is in control: take control first");
    assert!(lines[0]["at"].as_str().unwrap().starts_with("2027-01-15T"));
    assert_eq!(lines[1]["outcome"], "done");
    bench.run_s(0.2);
    assert!(bench.notes(ana).iter().any(|text| &**text == "ana: take run control"));
    let answers = bench.sent.iter().filter(|(_, message)| matches!(message, Message::Answer { .. })).count();
    assert_eq!(answers, 2);
    assert!(
        bench.notes(ana).iter().any(|text| text.starts_with("ana: switch automatic on: refused: nobody is in control"))
    );
}

#[test]
fn an_operator_of_another_version_is_told_which_to_update() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    let wanted = serde_json::json!({"by": "ana", "role": "supervisor", "what": "take_control"});
    let mut newer = wanted.clone();
    newer["version"] = serde_json::json!(99);
    newer["what"] = serde_json::json!({"something": "new"});
    for (number, (order, update)) in
        [(wanted, "update the operator"), (newer, "update the robot")].into_iter().enumerate()
    {
        let id = link::CommandId(1_000 + number as u64);
        bench.hear(ana, link::Event::Command { id, bytes: order.to_string().into_bytes(), age_ns: 0 });
        bench.tick();
        let Reply::Refused(why) = bench.answer(id) else { panic!("it was done") };
        assert!(why.contains(update), "{why}");
    }
    assert_eq!(bench.robot.desk.in_control(), None);
}

#[test]
fn stops_of_an_observer_leave_the_lines_of_others_and_are_counted() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, eve) = (bench.connect(1), bench.connect_as(2, Some(link::PublicKey([7; 32]))));
    bench.done(ana, "ana", Want::TakeControl);
    for _ in 0..5_000 {
        bench.hear(eve, Event::Stop);
        bench.order(eve, "eve", Role::Observer, Want::PressedStop);
        bench.tick();
    }
    bench.done(ana, "ana", Want::TakeControl);
    bench.run_s(200.0);
    let lines: Vec<serde_json::Value> = bench.audit.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| lines.iter().filter(|line| line["by"] == name).count();
    assert_eq!(of("ana"), 2);
    assert!(lines.len() < 700, "{}", lines.len());
    let eves: u64 =
        lines.iter().filter(|line| line["by"] == "eve").map(|line| line["times"].as_u64().unwrap_or(1)).sum();
    assert_eq!(eves, 5_000, "each is counted");
}

#[test]
fn a_name_writes_no_lines_of_its_own() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    let forged = "eve\nana: take control: done\u{2028}x";
    bench.refused(ana, forged, Role::Operator, automatic());
    bench.refused(ana, "ana", Role::Operator, Want::GiveControl(Some(forged.into())));
    bench.run_s(0.2);
    for text in bench.notes(ana) {
        assert!(!text.contains(['\n', '\u{2028}']), "{text:?}");
    }
    let line: serde_json::Value = serde_json::from_str(&bench.audit[0]).unwrap();
    assert_eq!(line["by"], "eve ana: take control: done x");
}

#[test]
fn a_stop_and_an_edit_are_audited_with_the_person() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.hear(ana, Event::Stop);
    bench.order(ana, "olga", Role::Observer, Want::PressedStop);
    bench.tick();
    let update = bench.copy(ana).rename("second", "middle");
    bench.send_edit(ana, &update);
    bench.tick();
    let lines: Vec<serde_json::Value> = bench.audit.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seen: Vec<(&str, &str)> =
        lines.iter().map(|line| (line["by"].as_str().unwrap(), line["what"].as_str().unwrap())).collect();
    assert_eq!(seen, [("this machine", "stop"), ("olga", "stop"), ("ana", "edit: 1 × rename")]);
    bench.run_s(0.2);
    assert!(bench.notes(ana).iter().any(|text| &**text == "ana: edit the tree: rename"));
}

#[test]
fn two_operators_with_one_key_both_work_and_people_are_told() {
    let mut bench = Bench::with_settings(THREE_WAITS, |settings| {
        settings.allowed = vec![allowed(5, "desk", Rank::Operator), allowed(6, "other", Rank::Operator)];
    });
    let key = Some(link::PublicKey([5; 32]));
    let (first, second) = (bench.connect_as(1, key), bench.connect_as(2, key));
    let third = bench.connect_as(3, Some(link::PublicKey([6; 32])));
    bench.run_s(15.0);
    assert_eq!(bench.ask(first, "ana", Role::Operator, Want::TakeControl), Reply::Done, "nobody is pushed out");
    assert!(bench.refused(second, "ben", Role::Operator, Want::TakeControl).contains("ana"));
    bench.run_s(0.2);
    for desk in [first, second, third] {
        let told = bench.notes(desk).iter().filter(|text| text.contains("use the key of desk at once")).count();
        assert_eq!(told, 1, "{desk:?}");
    }
}

#[test]
fn an_operator_that_was_started_again_is_not_two() {
    let mut bench = Bench::new(THREE_WAITS);
    let key = Some(link::PublicKey([5; 32]));
    let first = bench.connect_as(1, key);
    let second = bench.connect_as(2, key);
    bench.run_s(1.0);
    bench.set_down(first, true);
    bench.run_s(30.0);
    assert!(!bench.notes(second).iter().any(|text| text.contains("at once")), "{:?}", bench.notes(second));
    assert_eq!(bench.robot.desk.take_forgotten(), [first]);
}
