//! The shaped link does what was promised, in simulated time. `cargo run --release -p link --example bytes` prints all.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use link::{ByteKind, Event, Latest, LinkConfig, Message, Stream};
use testkit::shaped::{self, MS, Network, OPERATOR, Path, ROBOT, SECOND, both};

const RATE_BYTES: usize = 1_200;

#[test]
fn work_with_and_without_blackouts() {
    for (dark, seed) in [(false, 2), (true, 3), (true, 4)] {
        let figures = shaped::work(900 * SECOND, dark, seed).unwrap();
        assert!(figures.stops.count() > 30, "{figures:?}");
        assert!(figures.stops.max_ns() <= 250 * MS, "{figures:?}");
        assert!(figures.edits_to_robot.count() > 50 && figures.edits_to_operator.count() > 30, "{figures:?}");
        assert!(figures.edits_to_robot.max_ns() <= 1_500 * MS, "{figures:?}");
        assert!(figures.edits_to_operator.max_ns() <= 1_500 * MS, "{figures:?}");
        assert!(figures.robot_hz >= 4.0 && figures.robot_worst_hz >= 4.0, "{figures:?}");
        assert!(figures.run_hz >= 2.0 && figures.run_worst_hz >= 2.0, "{figures:?}");
        assert!(figures.worst_second_bytes.iter().all(|&bytes| bytes <= RATE_BYTES), "{figures:?}");
        assert!(figures.largest_datagram <= 230, "{figures:?}");
        assert_eq!(figures.overflowed, 0, "pacing keeps the queue of a shaper short");
        assert!(
            figures.idle_wakeups < figures.datagrams as u64,
            "an end sleeps until it has something to do: {figures:?}"
        );
        assert!(figures.done + figures.refused <= figures.commands, "{figures:?}");
        assert!(figures.answers.count() + 3 > figures.commands, "all but the last have their answer: {figures:?}");
    }
}

#[test]
fn joining_a_tree() {
    for (dark, seed) in [(false, 2), (true, 3), (true, 4)] {
        let figures = shaped::join(dark, seed).unwrap();
        assert!(figures.overview_s <= 10.0 && figures.stop_s <= 0.25 && figures.edit_s <= 1.5, "{figures:?}");
        assert!(figures.snapshot_s <= 90.0, "{figures:?}");
        assert!(figures.history_s.is_finite() && figures.history_s > figures.snapshot_s, "{figures:?}");
        assert!(figures.robot_hz >= 1.0, "{figures:?}");
        assert!(figures.worst_second_bytes.iter().all(|&bytes| bytes <= RATE_BYTES), "{figures:?}");
    }
}

#[test]
fn the_pair_of_the_finals() {
    let figures = shaped::finals(120 * SECOND, 5).unwrap();
    assert!(figures.bursts >= 4 && figures.tiles > 900, "{figures:?}");
    assert!(figures.worst_fresh_share > 0.9, "what stood before a burst is there after it: {figures:?}");
    assert_eq!(figures.tiles_on_main, 0, "the always-on channel is for what matters: {figures:?}");
    assert!(figures.robot_hz >= 4.0 && figures.run_hz >= 2.0, "{figures:?}");
    assert!(figures.stops.max_ns() <= 250 * MS && figures.edits.max_ns() <= 1_500 * MS, "{figures:?}");
    let [down, up, burst] = figures.worst_second_bytes;
    assert!(down <= RATE_BYTES && up <= RATE_BYTES && burst <= 37_500_000, "{figures:?}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = || format!("{:?}", shaped::work(60 * SECOND, true, 9).unwrap());
    assert_eq!(run(), run());
}

/// With bulk in both directions, light that comes back at any moment between two repeats, and a handshake in between.
#[test]
fn a_stop_whenever_the_light_comes_back() {
    for phase_ms in (0..3_000).step_by(53) {
        let light_ns = 16 * SECOND + phase_ms * MS;
        let mut path = Path::narrow();
        path.dark.push(4 * SECOND..light_ns);
        let mut network = Network::new(both(LinkConfig::narrow, 3), vec![[path.clone(), path]], phase_ms).unwrap();
        for end in [ROBOT, OPERATOR] {
            network.offer(end, Message::Document { stream: Stream::History, bytes: vec![1; 50_000] }).unwrap();
        }
        network.run_until(5 * SECOND);
        network.offer(OPERATOR, Message::Stop).unwrap();
        network.run_until(light_ns + SECOND);
        let log = network.take_log();
        let stop = log.iter().find(|happened| happened.event == Event::Stop).unwrap();
        let latency_ns = stop.at_ns - light_ns;
        assert!(latency_ns <= 250 * MS, "light at {phase_ms} ms: after {latency_ns} ns");
    }
}

#[test]
fn the_largest_robot_of_the_narrow_line() {
    let mut network = Network::new(both(LinkConfig::narrow, 3), vec![[Path::narrow(), Path::narrow()]], 1).unwrap();
    assert_eq!(
        network.offer(ROBOT, shaped::robot(46, 0.1)).unwrap_err().to_string(),
        "a robot report of 126 bytes: this link takes at most 125"
    );
    network.offer(ROBOT, shaped::robot(45, 0.1)).unwrap();
    network.run_until(5 * SECOND);
    assert!(
        network.take_log().iter().any(|happened| matches!(happened.event, Event::Latest { of: Latest::Robot, .. }))
    );
}

#[test]
fn an_edit_takes_less_than_200_bytes_on_the_wire() {
    let mut network = Network::new(both(LinkConfig::wide, 3), vec![[Path::lan(), Path::lan()]], 1).unwrap();
    network.run_until(SECOND);
    network.sent.clear();
    network.offer(OPERATOR, Message::Document { stream: Stream::Edits, bytes: vec![1; 107] }).unwrap();
    assert!(network.ends[OPERATOR].byte_counts().bytes(ByteKind::Edits) > 107);
    let [sent] = network.sent[..] else { panic!("one datagram, at once") };
    assert!(sent.bytes <= 200, "{sent:?}");
}

#[test]
fn a_lan_full_of_bulk_still_shows_60_states_a_second_and_stops_at_once() {
    let mut network = Network::new(both(LinkConfig::wide, 3), vec![[Path::lan(), Path::lan()]], 1).unwrap();
    for end in [ROBOT, OPERATOR] {
        for _ in 0..4 {
            network.offer(end, Message::Document { stream: Stream::History, bytes: vec![1; 4_000_000] }).unwrap();
        }
    }
    let (mut robots, mut slowest_ns, mut stop_ns) = (0, 0, None);
    for step in 0..200_u64 {
        network.run_until(step * 10 * MS);
        network.offer(ROBOT, shaped::robot(30, step as f64 / 100.0)).unwrap();
        if step % 20 == 19 {
            stop_ns = Some(network.now_ns);
            network.offer(OPERATOR, Message::Stop).unwrap();
        }
        for happened in network.take_log() {
            match happened.event {
                Event::Latest { of: Latest::Robot, .. } => robots += 1,
                Event::Stop => slowest_ns = slowest_ns.max(happened.at_ns - stop_ns.take().unwrap()),
                _ => {}
            }
        }
    }
    assert!(robots >= 118, "{robots} in 2 s");
    assert!(slowest_ns > 0 && slowest_ns < 5 * MS, "{slowest_ns} ns");
    assert!(shaped::worst_second_bytes(&network.sent, ROBOT, 0) <= 50_000_000 / 8);
    let waiting = network.ends[ROBOT].status(0).document(Stream::History).waiting_bytes;
    assert!((1_000_000..10_000_000).contains(&waiting), "the line was full all the time, and used: {waiting}");
}
