//! Whatever a network does: once it heals, nothing is lost, nothing was done twice, and nothing late was done.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use link::{Event, Keyed, Latest, LinkConfig, Message, Outcome, Receipt, Refusal, Stream};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use testkit::shaped::{self, Dice, MS, Network, OPERATOR, Path, ROBOT, SECOND, both, worst_second_bytes};

#[derive(Debug, Clone)]
struct Weather {
    loss: f64,
    duplicate: f64,
    jitter_ns: u64,
    delay_ns: [u64; 2],
    dark: Vec<(u64, u64)>,
    skew_ns: u64,
    seed: u64,
    narrow: bool,
}

fn weather() -> impl Strategy<Value = Weather> {
    let dark = prop::collection::vec((1_u64..15, 1_u64..20), 0..3);
    (0.0..0.4_f64, 0.0..0.3_f64, 0_u64..300, (5_u64..200, 5_u64..200), dark, 0_u64..20, any::<u64>(), any::<bool>())
        .prop_map(|(loss, duplicate, jitter_ms, (there, back), dark, skew_s, seed, narrow)| Weather {
            loss,
            duplicate,
            jitter_ns: jitter_ms * MS,
            delay_ns: [there * MS, back * MS],
            dark,
            skew_ns: skew_s * SECOND,
            seed,
            narrow,
        })
}

const STORM_NS: u64 = 60 * SECOND;
const HEALED_NS: u64 = 240 * SECOND;

fn network(weather: &Weather) -> Network {
    let mut dark = Vec::new();
    let mut at_ns = 0;
    for (light_s, dark_s) in &weather.dark {
        dark.push(at_ns + light_s * SECOND..at_ns + (light_s + dark_s) * SECOND);
        at_ns += (light_s + dark_s) * SECOND;
    }
    let base = if weather.narrow { Path::narrow() } else { Path::lan() };
    let path = |delay_ns| Path {
        loss: weather.loss,
        duplicate: weather.duplicate,
        jitter_ns: weather.jitter_ns,
        delay_ns,
        dark: dark.clone(),
        ..base.clone()
    };
    let configs = both(if weather.narrow { LinkConfig::narrow } else { LinkConfig::wide }, weather.seed as u8);
    let mut network = Network::new(configs, vec![weather.delay_ns.map(path)], weather.seed).unwrap();
    network.clock_ns = [SECOND + weather.skew_ns, 3 * SECOND];
    network
}

#[derive(Default)]
struct Books {
    given: BTreeMap<u64, (u64, u64)>,
    done: BTreeMap<u64, u64>,
    refused: BTreeMap<u64, Refusal>,
    answered: BTreeMap<u64, Outcome>,
    offered: [Vec<Vec<u8>>; 2],
    arrived: [Vec<Vec<u8>>; 2],
    keyed: BTreeMap<(Keyed, u32), Vec<u8>>,
    shown: BTreeMap<(Keyed, u32), Vec<u8>>,
    stops: [usize; 2],
    run_tick: [u64; 2],
}

impl Books {
    fn act(&mut self, network: &mut Network, dice: &mut Dice) {
        let now_ns = network.now_ns;
        match dice.below(7) {
            0 => {
                let valid_for_ns = 200 * MS + dice.below(3 * SECOND);
                let bytes = vec![dice.below(256) as u8; dice.below(300) as usize];
                // With too many open ones a command is refused at once, and there is nothing to follow.
                if let Ok(Receipt::Command(id)) = network.offer(OPERATOR, Message::Command { bytes, valid_for_ns }) {
                    self.given.insert(id.0, (now_ns, valid_for_ns));
                }
            }
            1 | 2 => {
                let end = dice.below(2) as usize;
                let bytes: Vec<u8> = (0..dice.below(400)).map(|_| dice.below(256) as u8).collect();
                self.offered[end].push(bytes.clone());
                network.offer(end, Message::Document { stream: Stream::Edits, bytes }).unwrap();
            }
            3 | 4 => {
                let kind = Keyed::ALL[dice.below(5) as usize];
                let key = dice.below(20) as u32;
                let bytes: Vec<u8> = (0..1 + dice.below(80)).map(|_| dice.below(256) as u8).collect();
                self.keyed.insert((kind, key), bytes.clone());
                network.offer(ROBOT, Message::Keyed { kind, key, bytes }).unwrap();
            }
            5 => {
                self.run_tick[0] += 1;
                network.offer(ROBOT, shaped::run(self.run_tick[0])).unwrap();
            }
            _ if dice.chance(0.2) => {
                self.stops[0] += 1;
                network.offer(OPERATOR, Message::Stop).unwrap();
            }
            _ => {}
        }
    }

    fn read(&mut self, network: &mut Network) {
        for happened in network.take_log() {
            match happened.event {
                Event::Command { id, .. } => {
                    assert_eq!(self.done.insert(id.0, happened.at_ns), None, "{id:?} was done twice");
                    network.offer(ROBOT, Message::Answer { to: id, bytes: id.0.to_le_bytes().to_vec() }).unwrap();
                }
                Event::CommandRefused { id, why } => assert_eq!(self.refused.insert(id.0, why), None),
                Event::Answered { id, outcome } => {
                    assert_eq!(self.answered.insert(id.0, outcome), None, "{id:?} was answered twice");
                }
                Event::Document { bytes, .. } => self.arrived[1 - happened.end].push(bytes),
                Event::Keyed { kind, key, bytes } => drop(self.shown.insert((kind, key), bytes)),
                Event::Stop => self.stops[1] += 1,
                Event::Latest { of: Latest::Run, bytes, .. } => {
                    let tick = shaped::tick_of(&bytes).unwrap();
                    assert!(tick >= self.run_tick[1], "state never goes back");
                    self.run_tick[1] = tick;
                }
                Event::Connected { .. } | Event::StopAcknowledged | Event::Latest { of: Latest::Robot, .. } => {}
            }
        }
    }

    /// How wrong the clocks may be: half the difference of the fastest ways, which jitter and loss make uneven.
    fn check(&self, weather: &Weather) {
        let unsure_ns = weather.jitter_ns + weather.delay_ns[0].abs_diff(weather.delay_ns[1]) + 50 * MS;
        for (id, (given_ns, valid_for_ns)) in &self.given {
            let outcome = self.answered.get(id).unwrap_or_else(|| panic!("command {id} was never answered"));
            match outcome {
                Outcome::Answered(bytes) => {
                    assert_eq!(bytes, &id.to_le_bytes());
                    let age_ns = self.done[id] - given_ns;
                    assert!(age_ns <= valid_for_ns + unsure_ns, "command {id} was done {age_ns} ns old");
                }
                Outcome::Refused(why) => {
                    assert_eq!(self.refused.get(id), Some(why));
                    assert!(!self.done.contains_key(id), "command {id} was refused and done");
                }
                Outcome::PeerRestarted => panic!("nobody restarted"),
            }
        }
        for end in [ROBOT, OPERATOR] {
            assert_eq!(self.arrived[end], self.offered[end], "the stream from {end}");
        }
        assert_eq!(self.shown, self.keyed);
        assert_eq!(self.run_tick[0], self.run_tick[1], "the last state arrives");
        assert!(self.stops[1] <= self.stops[0] && (self.stops[0] == 0 || self.stops[1] > 0));
    }
}

fn storm(weather: &Weather) {
    let mut network = network(weather);
    let mut dice = Dice::new(weather.seed ^ 0x5eed);
    let mut books = Books::default();
    for at_ns in (0..STORM_NS).step_by((200 * MS) as usize) {
        network.run_until(at_ns);
        books.act(&mut network, &mut dice);
        books.read(&mut network);
    }
    for end in [ROBOT, OPERATOR] {
        let path = network.path(0, end);
        (path.loss, path.duplicate) = (0.0, 0.0);
        path.dark.retain(|dark| dark.start < STORM_NS);
    }
    for at_ns in (STORM_NS..HEALED_NS).step_by((100 * MS) as usize) {
        network.run_until(at_ns);
        books.read(&mut network);
    }
    books.check(weather);
    if weather.narrow {
        for end in [ROBOT, OPERATOR] {
            assert!(worst_second_bytes(&network.sent, end, 0) <= 1_200);
        }
        assert!(network.sent.iter().all(|sent| sent.bytes <= 230));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 20, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn after_a_storm_all_is_there_and_nothing_twice(weather in weather()) {
        storm(&weather);
    }
}

#[test]
fn a_way_longer_than_the_first_patience() {
    storm(&Weather {
        loss: 0.0,
        duplicate: 0.0,
        jitter_ns: 0,
        delay_ns: [5 * MS, 75 * MS],
        dark: Vec::new(),
        skew_ns: 0,
        seed: 0,
        narrow: false,
    });
}
