//! What operators are told.

use engine::Control;
use link::{Event, Keyed, Latest, Message, Stream};
use protocol::Role;
use protocol::report::RunMode;
use protocol::talk::{Detail, Overview, Presence, Want, What, instance_number, unpack};

use crate::bench::{Bench, THREE_WAITS, automatic, run};

#[test]
fn whoever_joins_gets_everything_in_this_order() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.done(ana, "ana", automatic());
    bench.presence(ana, 3, "ana", Role::Operator);
    bench.run_s(0.5);
    let before = bench.sent.len();
    let ben = bench.connect(2);
    let to_ben: Vec<&Message> =
        bench.sent[before..].iter().filter(|(id, _)| *id == ben).map(|(_, message)| message).collect();
    let position = |wanted: &dyn Fn(&Message) -> bool| to_ben.iter().position(|message| wanted(message)).unwrap();
    let stream = |wanted: Stream| {
        position(&move |message| matches!(message, Message::Document { stream, .. } if *stream == wanted))
    };
    let kind =
        |wanted: Keyed| position(&move |message| matches!(message, Message::Keyed { kind, .. } if *kind == wanted));
    let order = [
        stream(Stream::Overview),
        stream(Stream::Snapshot),
        stream(Stream::History),
        kind(Keyed::Detail),
        kind(Keyed::Presence),
    ];
    assert!(order.is_sorted(), "{order:?}");
    let overview: Overview = unpack(&bench.documents(ben, Stream::Overview)[0]).unwrap();
    assert_eq!((&*overview.name, overview.role, overview.nodes.len()), ("one", Role::Supervisor, 4));
    assert!(bench.happenings(ben).iter().any(|happening| matches!(happening.what, What::Started(_))));
    let run = bench.last_run(ben);
    assert_eq!((run.mode, run.running[0].node), (RunMode::Automatic, instance_number(&bench.instance("first"))));
    assert!(run.running[0].progress_percent.is_some());
}

#[test]
fn results_come_in_order_and_a_run_from_the_beginning_says_so() {
    let mut bench = Bench::new(THREE_WAITS);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    for _ in 0..2 {
        bench.done(ana, "ana", run(Control::MoveNext { by: i64::MIN }));
        bench.done(ana, "ana", automatic());
        bench.run_s(4.0);
        assert!(!bench.is_running());
    }
    let happenings = bench.happenings(ana);
    let ended = happenings.iter().filter(|each| matches!(each.what, What::Ended { .. })).count();
    assert_eq!((ended, happenings.iter().filter(|each| each.what == What::Anew).count()), (6, 2));
    assert!(happenings.is_sorted_by_key(|each| each.at_ms));
}

#[test]
fn details_come_when_they_change_and_say_when_they_are_gone() {
    let text = r#"{"version": 1, "type": "sequence", "variables": {"n": 0}, "children": [
        {"type": "wait", "name": "w", "duration_s": 3},
        {"type": "set", "name": "count", "values": {"n": "n + 1"}},
        {"type": "question", "name": "ask", "text": "go on?", "options": ["yes", "no"]}]}"#;
    let mut bench = Bench::new(text);
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.run_s(1.0);
    let idle = bench.sent.len();
    bench.run_s(5.0);
    let values = bench.sent[idle..].iter().filter(|(_, message)| matches!(message, Message::Keyed { .. })).count();
    assert_eq!(values, 0, "nothing changes, nothing is told");
    let variable = |bench: &Bench| {
        bench.details(ana).into_values().find_map(|detail| match detail {
            Detail::Variable { of: Some(0), value, .. } => value,
            _ => None,
        })
    };
    let question = |bench: &Bench| {
        bench.details(ana).into_values().find_map(|detail| match detail {
            Detail::Question { asked, .. } => Some(asked.is_some()),
            _ => None,
        })
    };
    assert_eq!(variable(&bench).as_deref(), Some("0"));
    bench.done(ana, "ana", automatic());
    bench.run_s(4.0);
    assert_eq!(variable(&bench).as_deref(), Some("1"));
    assert_eq!(question(&bench), Some(true));
    bench.hear(ana, Event::Stop);
    bench.run_s(0.3);
    assert_eq!(question(&bench), Some(false));
}

#[test]
fn people_see_each_other_and_who_left() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.presence(ana, 1, "ana", Role::Operator);
    bench.presence(ben, 1, "ben", Role::Observer);
    let people = |bench: &Bench, to| {
        let of = |(id, message): &(link::udp::PeerId, Message)| match message {
            Message::Keyed { kind: Keyed::Presence, key, bytes } if *id == to => {
                Some((*key, unpack::<Presence>(bytes).unwrap()))
            }
            _ => None,
        };
        bench.sent.iter().filter_map(of).collect::<std::collections::BTreeMap<_, _>>().into_values().collect::<Vec<_>>()
    };
    assert_eq!(people(&bench, ana).len(), 1);
    assert_eq!(&*people(&bench, ana)[0].name, "ben");
    assert_eq!(&*people(&bench, ben)[0].name, "ana");
    bench.set_down(ana, true);
    bench.run_s(70.0);
    assert_eq!(people(&bench, ben)[0].at, None, "after a minute of silence she has left");
}

#[test]
fn the_state_is_told_to_everybody_often_when_it_changes_and_seldom_when_not() {
    let mut bench = Bench::new(THREE_WAITS);
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    bench.done(ana, "ana", Want::TakeControl);
    for (runs, expected) in [(false, 9..=11), (true, 60..=101)] {
        if runs {
            bench.done(ana, "ana", automatic());
        }
        bench.sent.clear();
        bench.run_s(1.0);
        for to in [ana, ben] {
            let is_report =
                |(id, message): &&(_, Message)| *id == to && matches!(message, Message::Latest { of: Latest::Run, .. });
            let reports = bench.sent.iter().filter(is_report).count();
            assert!(expected.contains(&reports), "{reports}");
        }
    }
}
