//! Who is not on the list can neither watch nor command, and whatever arrives is used or counted, never a panic.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use link::{Endpoint, Event, LinkConfig, Message, Quality, SecretKey, Security, Side, Stream};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use testkit::shaped::{self, Dice, MS, Network, OPERATOR, Path, ROBOT, SECOND, both, sealed};

const SECRET_WORDS: &[u8] = b"the valve is behind the second door";

fn network() -> Network {
    Network::new(both(LinkConfig::narrow, 5), vec![[Path::narrow(), Path::narrow()]], 1).unwrap()
}

fn connected() -> Network {
    let mut network = network();
    network.run_until(3 * SECOND);
    network.take_log();
    network
}

fn stranger(secret: u8) -> LinkConfig {
    let robot = SecretKey::new([1; 32]).public();
    let security = Security::Sealed { secret: SecretKey::new([secret; 32]), peers: vec![robot] };
    LinkConfig::narrow(Side::Connects, security, [66; 32])
}

#[test]
fn a_key_that_is_not_on_the_list_connects_nowhere() {
    let [robot, _] = both(LinkConfig::narrow, 5);
    let mut network = Network::new([robot, stranger(77)], vec![[Path::narrow(), Path::narrow()]], 1).unwrap();
    network.offer(OPERATOR, Message::Stop).unwrap();
    network.offer(OPERATOR, Message::Command { bytes: b"walk".to_vec(), valid_for_ns: 60 * SECOND }).unwrap();
    network.run_until(20 * SECOND);
    assert!(network.take_log().is_empty(), "nothing came through in either direction");
    assert_eq!(network.ends[OPERATOR].status(0).quality, Quality::NotConnected);
    assert!(network.ends[ROBOT].ignored().handshakes > 5);
    assert!(network.sent.iter().all(|sent| sent.end == OPERATOR), "the robot does not even answer");
}

#[test]
fn a_robot_that_is_not_the_one_expected_is_not_spoken_to() {
    let [_, operator] = both(LinkConfig::narrow, 5);
    let [_, security] = sealed();
    let Security::Sealed { peers, .. } = security else { panic!("sealed") };
    let false_robot =
        Security::Sealed { secret: SecretKey::new([88; 32]), peers: vec![SecretKey::new([2; 32]).public()] };
    assert_ne!(peers[0], SecretKey::new([88; 32]).public());
    let false_robot = LinkConfig::narrow(Side::Listens, false_robot, [9; 32]);
    let mut network = Network::new([false_robot, operator], vec![[Path::narrow(), Path::narrow()]], 1).unwrap();
    network.run_until(20 * SECOND);
    assert!(network.take_log().is_empty());
}

#[test]
fn a_stranger_does_not_disturb_who_is_connected() {
    let mut network = connected();
    let mut intruder = Endpoint::new(stranger(77)).unwrap();
    for step in 0..100 {
        let now_ns = network.now_ns + 100 * MS;
        network.run_until(now_ns);
        while let Some(datagram) = intruder.poll(step * 100 * MS) {
            network.inject(ROBOT, datagram.bytes);
        }
    }
    network.offer(OPERATOR, Message::Stop).unwrap();
    network.run_until(network.now_ns + SECOND);
    let stops = network.take_log().into_iter().filter(|happened| happened.event == Event::Stop).count();
    assert_eq!(stops, 1);
}

/// Everything that is sent, in both directions, as somebody on the way sees it.
fn overheard(network: &mut Network, seconds: u64) -> Vec<(usize, Vec<u8>)> {
    network.overheard = Some(Vec::new());
    network.run_until(network.now_ns + seconds * SECOND);
    network.overheard.take().unwrap_or_default()
}

#[test]
fn nothing_is_to_be_read_on_the_way() {
    let mut network = network();
    let bytes = SECRET_WORDS.to_vec();
    network.offer(ROBOT, Message::Document { stream: Stream::Edits, bytes }).unwrap();
    let seen = overheard(&mut network, 5);
    let arrived = network.take_log().into_iter().any(|happened| matches!(happened.event, Event::Document { .. }));
    assert!(arrived && !seen.is_empty());
    for (_, bytes) in seen {
        assert!(!bytes.windows(8).any(|window| SECRET_WORDS.windows(8).any(|secret| secret == window)));
    }
}

#[test]
fn what_is_replayed_does_nothing() {
    let mut network = network();
    for _ in 0..3 {
        network.offer(OPERATOR, Message::Stop).unwrap();
    }
    network.offer(OPERATOR, Message::Command { bytes: b"walk".to_vec(), valid_for_ns: 60 * SECOND }).unwrap();
    let seen = overheard(&mut network, 5);
    network.take_log();
    let before = network.ends[ROBOT].ignored().repeated;
    for _ in 0..3 {
        for (to, bytes) in &seen {
            network.inject(*to, bytes.clone());
        }
        network.run_until(network.now_ns + 5 * SECOND);
    }
    let log = network.take_log();
    assert!(log.is_empty(), "{log:?}");
    assert!(network.ends[ROBOT].ignored().repeated > before);
    // And after a handshake of its own, replayed long ago, the link still works.
    network.offer(OPERATOR, Message::Stop).unwrap();
    network.run_until(network.now_ns + SECOND);
    assert!(network.take_log().iter().any(|happened| happened.event == Event::Stop));
}

#[test]
fn more_handshakes_than_allowed_are_not_looked_at() {
    let mut network = connected();
    for index in 0..500_u32 {
        let mut bytes = vec![0x10; 109];
        bytes[1..5].copy_from_slice(&index.to_le_bytes());
        network.inject(ROBOT, bytes);
    }
    network.run_until(network.now_ns + SECOND / 2);
    assert_eq!(network.ends[ROBOT].ignored().handshakes, 500);
    assert_eq!(network.ends[ROBOT].status(network.local_ns(ROBOT)).quality, Quality::Good);
}

#[test]
fn too_long_and_too_short_are_counted() {
    let mut network = connected();
    let before = network.ends[ROBOT].ignored();
    for bytes in [Vec::new(), vec![0x30; 3], vec![0x30; 2_000], vec![0xf0; 40], vec![0x3f; 40], vec![0x30; 40]] {
        network.inject(ROBOT, bytes);
    }
    network.run_until(network.now_ns + SECOND);
    let ignored = network.ends[ROBOT].ignored();
    assert_eq!(ignored.total() - before.total(), 6, "{ignored:?}");
    assert_eq!(ignored.too_long, 1);
    assert_eq!(ignored.not_authentic, 1);
}

#[test]
fn events_nobody_takes_hold_the_sender_back_and_lose_nothing() {
    let [mut robot, operator] = both(LinkConfig::wide, 5);
    robot.limits.events = 10;
    let mut robot = Endpoint::new(robot).unwrap();
    let mut operator = Endpoint::new(operator).unwrap();
    for number in 0..100_u8 {
        operator.offer(0, Message::Document { stream: Stream::Edits, bytes: vec![number; 1_000] }).unwrap();
    }
    let mut taken = Vec::new();
    for step in 0..20_000_u64 {
        let now_ns = step * MS;
        while let Some(datagram) = operator.poll(now_ns) {
            robot.receive(now_ns, &datagram.bytes);
        }
        while let Some(datagram) = robot.poll(now_ns) {
            operator.receive(now_ns, &datagram.bytes);
        }
        operator.take_events();
        if step % 100 == 99 {
            taken.extend(robot.take_events().into_iter().filter_map(|event| match event {
                Event::Document { bytes, .. } => Some(bytes[0]),
                _ => None,
            }));
        }
    }
    assert_eq!(taken, (0..100).collect::<Vec<u8>>());
    assert!(robot.ignored().no_room > 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, max_shrink_iters: 20, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn garbage_never_panics_and_never_gets_through(
        datagrams in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..260), 1..50)
    ) {
        let mut network = connected();
        let before = network.ends[ROBOT].ignored().total();
        for datagram in &datagrams {
            network.inject(ROBOT, datagram.clone());
        }
        network.run_until(network.now_ns + 100 * MS);
        prop_assert_eq!(network.ends[ROBOT].ignored().total() - before, datagrams.len() as u64);
        prop_assert!(network.take_log().is_empty());
    }

    /// Without keys everything inside is reached: what a broken or hostile peer could say.
    #[test]
    fn an_open_end_survives_whatever_it_is_told(seed: u64) {
        let open = |side| LinkConfig::narrow(side, Security::Open, [side as u8; 32]);
        let mut network =
            Network::new([open(Side::Listens), open(Side::Connects)], vec![[Path::narrow(), Path::narrow()]], 1).unwrap();
        network.offer(OPERATOR, Message::Command { bytes: b"walk".to_vec(), valid_for_ns: SECOND }).unwrap();
        network.offer(ROBOT, Message::Document { stream: Stream::Edits, bytes: vec![1; 500] }).unwrap();
        network.offer(ROBOT, shaped::run(0)).unwrap();
        let seen = overheard(&mut network, 3);
        let mut dice = Dice::new(seed);
        for number in 0..60_u32 {
            let (to, mut bytes) = seen[dice.below(seen.len() as u64) as usize].clone();
            for _ in 0..1 + dice.below(4) {
                let at = dice.below(bytes.len() as u64) as usize;
                bytes[at] = dice.below(256) as u8;
            }
            if dice.chance(0.3) {
                bytes.truncate(dice.below(bytes.len() as u64) as usize);
            }
            // A number of its own, so that it is not taken for a repeat.
            if bytes.len() > 5 && bytes[0] >> 4 == 3 {
                bytes[1..5].copy_from_slice(&(10_000 + number).to_le_bytes());
            }
            network.inject(to, bytes);
        }
        network.run_until(network.now_ns + 10 * SECOND);
    }
}
