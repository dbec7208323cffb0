//! Processes that end and begin again, and links that were dark for long.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use link::{ByteKind, Event, LinkConfig, Message, Outcome, Quality, Stream};
use testkit::shaped::{MS, Network, OPERATOR, Path, ROBOT, SECOND, both};

fn network() -> Network {
    Network::new(both(LinkConfig::narrow, 5), vec![[Path::narrow(), Path::narrow()]], 1).unwrap()
}

/// What happened at the robot, and at the operator.
fn events(network: &mut Network) -> [Vec<Event>; 2] {
    let log = network.take_log();
    let of = |end| log.iter().filter(|happened| happened.end == end).map(|happened| happened.event.clone()).collect();
    [of(ROBOT), of(OPERATOR)]
}

fn dark(network: &mut Network, from_ns: u64, to_ns: u64) {
    for end in [ROBOT, OPERATOR] {
        network.path(0, end).dark.push(from_ns..to_ns);
    }
}

#[test]
fn a_robot_that_restarts_is_noticed() {
    let mut network = network();
    network.run_until(3 * SECOND);
    for log in events(&mut network) {
        assert!(matches!(log[..], [Event::Connected { peer: Some(_), resumed: false }]), "{log:?}");
    }
    network.offer(OPERATOR, Message::Command { bytes: b"walk".to_vec(), valid_for_ns: 60 * SECOND }).unwrap();
    network.run_until(4 * SECOND);
    assert!(matches!(events(&mut network)[ROBOT][..], [Event::Command { .. }]));
    let [mut config, _] = both(LinkConfig::narrow, 5);
    config.seed = [42; 32];
    network.replace(ROBOT, config).unwrap();
    network.run_until(25 * SECOND);
    let [_, log] = events(&mut network);
    assert!(matches!(log[0], Event::Answered { outcome: Outcome::PeerRestarted, .. }), "{log:?}");
    assert!(matches!(log[1], Event::Connected { resumed: false, .. }), "{log:?}");
    let bytes = b"the whole tree again".to_vec();
    network.offer(OPERATOR, Message::Document { stream: Stream::Snapshot, bytes: bytes.clone() }).unwrap();
    network.offer(OPERATOR, Message::Stop).unwrap();
    network.offer(OPERATOR, Message::Command { bytes: b"walk".to_vec(), valid_for_ns: 60 * SECOND }).unwrap();
    network.run_until(28 * SECOND);
    let [log, _] = events(&mut network);
    assert!(log.contains(&Event::Document { stream: Stream::Snapshot, bytes }), "{log:?}");
    assert!(log.contains(&Event::Stop) && log.iter().any(|event| matches!(event, Event::Command { .. })), "{log:?}");
}

#[test]
fn an_operator_that_restarts_is_noticed() {
    let mut network = network();
    network.run_until(3 * SECOND);
    network.take_log();
    let [_, mut config] = both(LinkConfig::narrow, 5);
    config.seed = [43; 32];
    network.replace(OPERATOR, config).unwrap();
    network.run_until(6 * SECOND);
    assert!(events(&mut network)[ROBOT].iter().any(|event| matches!(event, Event::Connected { resumed: false, .. })));
    network.offer(OPERATOR, Message::Stop).unwrap();
    network.run_until(7 * SECOND);
    assert_eq!(events(&mut network)[ROBOT], [Event::Stop], "the first stop of a new operator counts");
}

#[test]
fn a_stream_goes_on_after_a_blackout_where_it_was() {
    let mut network = network();
    let message: Vec<u8> = (0..6_000_u32).map(|index| index as u8).collect();
    for end in [ROBOT, OPERATOR] {
        network.offer(end, Message::Document { stream: Stream::Snapshot, bytes: message.clone() }).unwrap();
    }
    dark(&mut network, 6 * SECOND, 31 * SECOND);
    network.run_until(5_900 * MS);
    let before = [ROBOT, OPERATOR].map(|end| network.ends[end].status(0).document(Stream::Snapshot).waiting_bytes);
    assert!(before.iter().all(|&waiting| waiting < 3_500), "{before:?}");
    network.run_until(40 * SECOND);
    let whole = Event::Document { stream: Stream::Snapshot, bytes: message };
    let log = network.take_log();
    assert_eq!(log.iter().filter(|happened| happened.event == whole).count(), 2, "both have all");
    for end in [ROBOT, OPERATOR] {
        let sent = network.ends[end].byte_counts().bytes(ByteKind::Snapshot);
        assert!(sent < 9_000, "{sent} bytes for 6,000: it is not sent again from its beginning");
    }
}

#[test]
fn a_minute_of_dark_changes_keys_but_not_the_conversation() {
    let mut network = network();
    network.run_until(3 * SECOND);
    network.take_log();
    dark(&mut network, 3 * SECOND, 63 * SECOND);
    let edit = |number: u8| Message::Document { stream: Stream::Edits, bytes: vec![number; 60] };
    for number in 0..5 {
        network.run_until((4 + u64::from(number) * 10) * SECOND);
        network.offer(OPERATOR, edit(number)).unwrap();
        network.offer(ROBOT, edit(number)).unwrap();
    }
    let status = network.ends[OPERATOR].status(network.local_ns(OPERATOR));
    assert_eq!(status.quality, Quality::Down);
    assert_eq!((status.document(Stream::Edits).offered, status.document(Stream::Edits).acknowledged), (5, 0));
    network.run_until(70 * SECOND);
    for log in events(&mut network) {
        let restarted = log.iter().any(|event| matches!(event, Event::Connected { resumed: false, .. }));
        assert!(!restarted, "{log:?}");
        let edits = log.iter().filter_map(|event| match event {
            Event::Document { bytes, .. } => Some(bytes[0]),
            _ => None,
        });
        assert_eq!(edits.collect::<Vec<u8>>(), [0, 1, 2, 3, 4]);
    }
    let status = network.ends[OPERATOR].status(network.local_ns(OPERATOR));
    assert_ne!(status.quality, Quality::Down);
    assert_eq!(status.document(Stream::Edits).acknowledged, 5, "the operator knows that the robot has edit 5");
}

#[test]
fn a_round_trip_of_four_seconds() {
    let slow = Path { delay_ns: 2 * SECOND, ..Path::narrow() };
    let mut network = Network::new(both(LinkConfig::narrow, 5), vec![[slow.clone(), slow]], 1).unwrap();
    network.offer(OPERATOR, Message::Document { stream: Stream::Edits, bytes: vec![1; 60] }).unwrap();
    network.offer(OPERATOR, Message::Command { bytes: b"walk".to_vec(), valid_for_ns: 20 * SECOND }).unwrap();
    network.run_until(20 * SECOND);
    let [log, _] = events(&mut network);
    assert!(matches!(log[0], Event::Connected { .. }), "{log:?}");
    assert!(log.iter().any(|event| matches!(event, Event::Command { .. })), "{log:?}");
    let status = network.ends[OPERATOR].status(network.local_ns(OPERATOR));
    assert_eq!(status.document(Stream::Edits).acknowledged, 1, "{status:?}");
    assert!(status.round_trip_ns.unwrap() > 4 * SECOND, "{status:?}");
}
