//! The runs whose figures are published and held by tests.

use std::collections::BTreeMap;

use super::{
    Dice, Happened, Latencies, MS, Network, OPERATOR, Path, ROBOT, SECOND, blackouts, both, worst_second_bytes,
};
use crate::config::LinkConfig;
use crate::endpoint::{LinkError, OfferError};
use crate::message::{Event, Keyed, Message, Outcome, Stream};
use crate::report::{RobotReport, RunMode, RunReport, RunningStep};
use crate::status::ByteCounts;

const STEP_NS: u64 = 10 * MS;
const EDIT_BYTES: usize = 107;

/// A robot of 30 joints that walks: everything moves, all the time.
fn robot_report(at_ns: u64) -> RobotReport {
    let time_s = at_ns as f64 / SECOND as f64;
    // A triangle wave: moves like a joint, with the same bits on every machine.
    let wave = |phase: f64| ((time_s * 0.7 + phase).fract() - 0.5).abs() * 4.0 - 1.0;
    RobotReport {
        world_from_base_m: [time_s * 0.4, wave(0.1) * 0.02, 0.95 + wave(0.3) * 0.01],
        world_from_base_quaternion: [wave(0.2) * 0.02, wave(0.4) * 0.02, wave(0.6) * 0.1, 1.0],
        joints_rad: (0..30).map(|joint| wave(f64::from(joint) * 0.037) * 0.8).collect(),
        flags: 1,
    }
}

/// Ten steps that run, each with a progress of its own; now and then one ends and another begins.
fn run_report(at_ns: u64) -> RunReport {
    let step = |index: u64| RunningStep {
        node: (0x9e37_79b9_u64.wrapping_mul(index * 1_000 + at_ns / (4 + index) / SECOND) & 0xffff_ffff) as u32,
        progress_percent: Some((at_ns / MS / (23 + index) % 101) as u8),
    };
    RunReport {
        mode: RunMode::Automatic,
        tick: at_ns / (10 * MS),
        next: Some((at_ns / (7 * SECOND)) as u32),
        document_version: 12,
        running: (0..10).map(step).collect(),
    }
}

fn report(network: &mut Network) -> Result<(), OfferError> {
    if network.now_ns.is_multiple_of(2 * STEP_NS) {
        network.offer(ROBOT, Message::Robot(robot_report(network.now_ns)))?;
    }
    if network.now_ns.is_multiple_of(10 * STEP_NS) {
        network.offer(ROBOT, Message::Run(run_report(network.now_ns)))?;
    }
    Ok(())
}

/// From offering to arrival, or from the light coming back where it was dark in between.
fn latency_ns(path: &Path, offered_ns: u64, arrived_ns: u64) -> u64 {
    arrived_ns - offered_ns.max(path.light_since_ns(arrived_ns))
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Offer(#[from] OfferError),
}

/// An hour of work, or less, with bulk that fills whatever is left in both directions.
#[derive(Debug)]
pub struct WorkFigures {
    pub light_s: f64,
    pub stops: Latencies,
    pub edits_to_robot: Latencies,
    pub edits_to_operator: Latencies,
    /// Edits offered while others were on their way, both directions.
    pub edits_behind_others: Latencies,
    pub answers: Latencies,
    pub commands: usize,
    pub done: usize,
    pub refused: usize,
    pub robot_hz: f64,
    pub run_hz: f64,
    /// The worst five seconds of light that began with an arrival.
    pub robot_worst_hz: f64,
    pub run_worst_hz: f64,
    pub worst_second_bytes: [usize; 2],
    pub largest_datagram: usize,
    pub overflowed: u64,
    pub idle_wakeups: u64,
    pub datagrams: usize,
    pub counts: [ByteCounts; 2],
}

struct Work {
    stops: Vec<u64>,
    /// When, and whether another was on its way.
    edits: [Vec<(u64, bool)>; 2],
    commands: BTreeMap<u64, u64>,
    stops_heard: usize,
    edits_heard: [usize; 2],
    arrivals: [Vec<u64>; 2],
    figures: WorkFigures,
}

pub fn work(duration_ns: u64, dark: bool, seed: u64) -> Result<WorkFigures, RunError> {
    let mut dice = Dice::new(seed);
    let mut path = Path::narrow();
    if dark {
        path.dark = blackouts(12 * SECOND..35 * SECOND, 25 * SECOND..25 * SECOND + 1, duration_ns, &mut dice);
    }
    let mut network = Network::new(both(LinkConfig::narrow, 7), vec![[path.clone(), path.clone()]], seed)?;
    network.clock_ns = [SECOND, 11 * SECOND];
    let mut work = Work::new(path.light_ns(0, duration_ns) as f64 / SECOND as f64);
    let mut next_ns = [3 * SECOND, 4 * SECOND, 5 * SECOND, 6 * SECOND];
    for at_ns in (0..duration_ns).step_by(STEP_NS as usize) {
        network.run_until(at_ns);
        report(&mut network)?;
        work.bulk(&mut network)?;
        let due = next_ns.map(|due_ns| due_ns <= at_ns);
        for (index, mean_ns) in [17, 6, 11, 9].into_iter().enumerate().filter(|(index, _)| due[*index]) {
            next_ns[index] = at_ns + mean_ns * SECOND / 2 + dice.below(mean_ns * SECOND);
            work.act(&mut network, index)?;
        }
        for happened in network.take_log() {
            work.happened(&mut network, &path, &happened)?;
        }
    }
    Ok(work.finish(&network, &path, duration_ns))
}

impl Work {
    fn new(light_s: f64) -> Self {
        Self {
            stops: Vec::new(),
            edits: [Vec::new(), Vec::new()],
            commands: BTreeMap::new(),
            stops_heard: 0,
            edits_heard: [0; 2],
            arrivals: [Vec::new(), Vec::new()],
            figures: WorkFigures {
                light_s,
                stops: Latencies::default(),
                edits_to_robot: Latencies::default(),
                edits_to_operator: Latencies::default(),
                edits_behind_others: Latencies::default(),
                answers: Latencies::default(),
                commands: 0,
                done: 0,
                refused: 0,
                robot_hz: 0.0,
                run_hz: 0.0,
                robot_worst_hz: 0.0,
                run_worst_hz: 0.0,
                worst_second_bytes: [0; 2],
                largest_datagram: 0,
                overflowed: 0,
                idle_wakeups: 0,
                datagrams: 0,
                counts: [ByteCounts::default(); 2],
            },
        }
    }

    /// More than the link can ever carry.
    fn bulk(&mut self, network: &mut Network) -> Result<(), OfferError> {
        let at = network.now_ns / STEP_NS;
        if at.is_multiple_of(10) {
            let bytes = network.ends[ROBOT].max_keyed_bytes(Keyed::Cloud);
            network.offer(
                ROBOT,
                Message::Keyed { kind: Keyed::Cloud, key: (at / 10 % 400) as u32, bytes: vec![7; bytes] },
            )?;
            if network.ends[OPERATOR].status(0).document(Stream::History).waiting_bytes < 2_000 {
                network.offer(OPERATOR, Message::Document { stream: Stream::History, bytes: vec![3; 1_000] })?;
            }
        }
        Ok(())
    }

    fn edit_offered(&mut self, end: usize, now_ns: u64) {
        let behind = self.edits[end].len() > self.edits_heard[end];
        self.edits[end].push((now_ns, behind));
    }

    fn act(&mut self, network: &mut Network, index: usize) -> Result<(), OfferError> {
        let now_ns = network.now_ns;
        let edit = Message::Document { stream: Stream::Edits, bytes: vec![5; EDIT_BYTES] };
        match index {
            0 => {
                self.stops.push(now_ns);
                network.offer(OPERATOR, Message::Stop)?;
            }
            1 => {
                self.edit_offered(OPERATOR, now_ns);
                network.offer(OPERATOR, edit)?;
            }
            2 => {
                self.edit_offered(ROBOT, now_ns);
                network.offer(ROBOT, edit)?;
            }
            _ => {
                let bytes = b"{\"press\":\"root\"}".to_vec();
                self.commands.insert(self.figures.commands as u64, now_ns);
                self.figures.commands += 1;
                network.offer(OPERATOR, Message::Command { bytes, valid_for_ns: 2 * SECOND })?;
            }
        }
        Ok(())
    }

    fn happened(&mut self, network: &mut Network, path: &Path, happened: &Happened) -> Result<(), OfferError> {
        let at_ns = happened.at_ns;
        match (&happened.event, happened.end) {
            // A stop that arrives answers for all given before it.
            (Event::Stop, ROBOT) => {
                for &offered_ns in self.stops[self.stops_heard..].iter().filter(|&&offered_ns| offered_ns <= at_ns) {
                    self.figures.stops.add(latency_ns(path, offered_ns, at_ns));
                    self.stops_heard += 1;
                }
            }
            (Event::Document { stream: Stream::Edits, .. }, end) => {
                let from = 1 - end;
                let (offered_ns, behind) = self.edits[from][self.edits_heard[from]];
                self.edits_heard[from] += 1;
                let latencies = match (behind, end) {
                    (true, _) => &mut self.figures.edits_behind_others,
                    (false, ROBOT) => &mut self.figures.edits_to_robot,
                    (false, _) => &mut self.figures.edits_to_operator,
                };
                latencies.add(latency_ns(path, offered_ns, at_ns));
            }
            (Event::Command { id, .. }, ROBOT) => {
                self.figures.done += 1;
                network.offer(ROBOT, Message::Answer { to: *id, bytes: b"done".to_vec() })?;
            }
            (Event::Answered { id, outcome }, OPERATOR) => {
                self.figures.refused += usize::from(matches!(outcome, Outcome::Refused(_)));
                if let Some(offered_ns) = self.commands.remove(&id.0) {
                    self.figures.answers.add(latency_ns(path, offered_ns, at_ns));
                }
            }
            (Event::Robot { .. }, OPERATOR) => self.arrivals[0].push(at_ns),
            (Event::Run { .. }, OPERATOR) => self.arrivals[1].push(at_ns),
            _ => {}
        }
        Ok(())
    }

    fn finish(mut self, network: &Network, path: &Path, duration_ns: u64) -> WorkFigures {
        let [robot, run] = self.arrivals;
        let figures = &mut self.figures;
        figures.robot_hz = robot.len() as f64 / figures.light_s;
        figures.run_hz = run.len() as f64 / figures.light_s;
        figures.robot_worst_hz = worst_hz(&robot, path, duration_ns);
        figures.run_worst_hz = worst_hz(&run, path, duration_ns);
        figures.worst_second_bytes = [ROBOT, OPERATOR].map(|end| worst_second_bytes(&network.sent, end, 0));
        figures.largest_datagram = network.sent.iter().map(|sent| sent.bytes).max().unwrap_or_default();
        figures.overflowed = network.overflowed;
        figures.idle_wakeups = network.idle_wakeups;
        figures.datagrams = network.sent.len();
        figures.counts = [ROBOT, OPERATOR].map(|end| *network.ends[end].byte_counts());
        self.figures
    }
}

fn worst_hz(arrivals_ns: &[u64], path: &Path, until_ns: u64) -> f64 {
    const SPAN_NS: u64 = 5 * SECOND;
    let mut worst = f64::INFINITY;
    for (index, &from_ns) in arrivals_ns.iter().enumerate() {
        let to_ns = from_ns + SPAN_NS;
        if to_ns < until_ns && !path.is_dark(from_ns, to_ns) {
            let within = arrivals_ns[index..].iter().take_while(|&&at_ns| at_ns < to_ns).count();
            worst = worst.min(within as f64 * SECOND as f64 / SPAN_NS as f64);
        }
    }
    worst
}

/// An operator joins a tree of 300 nodes.
#[derive(Debug)]
pub struct JoinFigures {
    /// All in time of light since the operator's process began.
    pub connected_s: f64,
    pub overview_s: f64,
    pub snapshot_s: f64,
    pub history_s: f64,
    pub robot_hz: f64,
    pub stop_s: f64,
    pub edit_s: f64,
    pub worst_second_bytes: [usize; 2],
    pub counts: [ByteCounts; 2],
}

pub const OVERVIEW_BYTES: usize = 1_500;
pub const SNAPSHOT_BYTES: usize = 300 * 60;
pub const HISTORY_BYTES: usize = 12_000;

pub fn join(dark: bool, seed: u64) -> Result<JoinFigures, RunError> {
    let until_ns = 400 * SECOND;
    let mut path = Path::narrow();
    if dark {
        let mut dice = Dice::new(seed);
        path.dark = blackouts(12 * SECOND..35 * SECOND, 25 * SECOND..25 * SECOND + 1, until_ns, &mut dice);
    }
    let mut network = Network::new(both(LinkConfig::narrow, 9), vec![[path.clone(), path.clone()]], seed)?;
    let mut at = BTreeMap::new();
    let mut robots = 0_u32;
    for at_ns in (0..until_ns).step_by(STEP_NS as usize) {
        network.run_until(at_ns);
        report(&mut network)?;
        for happened in network.take_log() {
            let light_s = path.light_ns(0, happened.at_ns) as f64 / SECOND as f64;
            match (happened.event, happened.end) {
                (Event::Connected { .. }, ROBOT) => {
                    at.insert("connected", light_s);
                    for (stream, bytes) in [
                        (Stream::Overview, OVERVIEW_BYTES),
                        (Stream::Snapshot, SNAPSHOT_BYTES),
                        (Stream::History, HISTORY_BYTES),
                    ] {
                        network.offer(ROBOT, Message::Document { stream, bytes: vec![1; bytes] })?;
                    }
                }
                (Event::Document { stream, .. }, OPERATOR) => {
                    let name = match stream {
                        Stream::Overview => "overview",
                        Stream::Edits => "edits",
                        Stream::Snapshot => "snapshot",
                        Stream::History => "history",
                    };
                    at.insert(name, light_s);
                    if stream == Stream::Overview {
                        network.offer(OPERATOR, Message::Stop)?;
                        let edit = Message::Document { stream: Stream::Edits, bytes: vec![5; EDIT_BYTES] };
                        network.offer(OPERATOR, edit)?;
                    }
                }
                (Event::Document { stream: Stream::Edits, .. }, ROBOT) => drop(at.insert("edit", light_s)),
                (Event::Stop, ROBOT) => drop(at.insert("stop", light_s)),
                (Event::Robot { .. }, OPERATOR) => robots += u32::from(!at.contains_key("snapshot")),
                _ => {}
            }
        }
    }
    let time = |name: &str| at.get(name).copied().unwrap_or(f64::INFINITY);
    Ok(JoinFigures {
        connected_s: time("connected"),
        overview_s: time("overview"),
        snapshot_s: time("snapshot"),
        history_s: time("history"),
        robot_hz: f64::from(robots) / (time("snapshot") - time("connected")),
        stop_s: time("stop") - time("overview"),
        edit_s: time("edit") - time("overview"),
        worst_second_bytes: [ROBOT, OPERATOR].map(|end| worst_second_bytes(&network.sent, end, 0)),
        counts: [ROBOT, OPERATOR].map(|end| *network.ends[end].byte_counts()),
    })
}

/// The pair of channels of the DRC Finals.
#[derive(Debug)]
pub struct FinalsFigures {
    pub bursts: usize,
    pub burst_s: f64,
    pub offered_tiles: u64,
    pub tiles: u64,
    pub tile_bytes: u64,
    /// Of the tiles that stand at the end of a burst, how many of the operator's are the newest; the worst burst.
    pub worst_fresh_share: f64,
    pub robot_hz: f64,
    pub run_hz: f64,
    pub stops: Latencies,
    pub edits: Latencies,
    /// Clouds and images that went by the always-on channel.
    pub tiles_on_main: u64,
    pub worst_second_bytes: [usize; 3],
    pub counts: [ByteCounts; 2],
}

const CLOUD_KEYS: u64 = 600;
const IMAGE_KEYS: u64 = 300;

pub fn finals(duration_ns: u64, seed: u64) -> Result<FinalsFigures, RunError> {
    let mut dice = Dice::new(seed);
    let mut burst = Path { rate_bit_s: 300_000_000, delay_ns: 5 * MS, queue_bytes: 200_000, ..Path::narrow() };
    burst.dark = blackouts(SECOND..SECOND + 1, 10 * SECOND..30 * SECOND, duration_ns, &mut dice);
    let nothing = Path { loss: 1.0, ..burst.clone() };
    let paths = vec![[Path::narrow(), Path::narrow()], [burst.clone(), nothing]];
    let mut network = Network::new(both(LinkConfig::finals, 11), paths, seed)?;
    let mut finals = Finals::default();
    for at_ns in (0..duration_ns).step_by(STEP_NS as usize) {
        network.run_until(at_ns);
        report(&mut network)?;
        finals.tiles(&mut network, &mut dice)?;
        if at_ns.is_multiple_of(13 * SECOND) && at_ns > 0 {
            finals.stop_ns = Some(at_ns);
            network.offer(OPERATOR, Message::Stop)?;
        }
        if at_ns.is_multiple_of(4 * SECOND) && at_ns > 0 {
            finals.edit_ns = Some(at_ns);
            network.offer(OPERATOR, Message::Document { stream: Stream::Edits, bytes: vec![5; EDIT_BYTES] })?;
        }
        for happened in network.take_log() {
            finals.happened(happened);
        }
        // Half a second for what was on its way.
        let ended = burst.dark.iter().any(|dark| (dark.start + SECOND / 2).next_multiple_of(STEP_NS) == at_ns);
        if ended {
            finals.burst_ended(at_ns - SECOND / 2 - SECOND);
        }
    }
    Ok(finals.finish(&network, burst.light_ns(0, duration_ns), duration_ns))
}

#[derive(Default)]
struct Finals {
    offered: BTreeMap<(Keyed, u32), (u64, u64)>,
    shown: BTreeMap<(Keyed, u32), u64>,
    count: u64,
    tiles: u64,
    tile_bytes: u64,
    robots: u64,
    runs: u64,
    bursts: usize,
    worst_fresh_share: Option<f64>,
    stop_ns: Option<u64>,
    edit_ns: Option<u64>,
    stops: Latencies,
    edits: Latencies,
}

impl Finals {
    /// 4 cloud and 2 image tiles every 10 ms: 600 a second of 1,000 bytes, each key again after 1.5 s.
    fn tiles(&mut self, network: &mut Network, dice: &mut Dice) -> Result<(), OfferError> {
        for (kind, keys, count) in [(Keyed::Cloud, CLOUD_KEYS, 4), (Keyed::Image, IMAGE_KEYS, 2)] {
            for _ in 0..count {
                let key = dice.below(keys) as u32;
                self.count += 1;
                let mut bytes = vec![0x55; 1_000];
                bytes[..8].copy_from_slice(&self.count.to_le_bytes());
                self.offered.insert((kind, key), (self.count, network.now_ns));
                network.offer(ROBOT, Message::Keyed { kind, key, bytes })?;
            }
        }
        Ok(())
    }

    fn happened(&mut self, happened: Happened) {
        match (happened.event, happened.end) {
            (Event::Keyed { kind, key, bytes }, OPERATOR) => {
                self.tiles += 1;
                self.tile_bytes += bytes.len() as u64;
                let number = bytes.first_chunk().map_or(0, |first| u64::from_le_bytes(*first));
                self.shown.insert((kind, key), number);
            }
            (Event::Robot { .. }, OPERATOR) => self.robots += 1,
            (Event::Run { .. }, OPERATOR) => self.runs += 1,
            (Event::Stop, ROBOT) => self.stops.add(happened.at_ns - self.stop_ns.take().unwrap_or_default()),
            (Event::Document { .. }, ROBOT) => {
                self.edits.add(happened.at_ns - self.edit_ns.take().unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Of the tiles that were the newest when the burst began, how many are shown now.
    fn burst_ended(&mut self, began_ns: u64) {
        let before = self.offered.iter().filter(|(_, (_, offered_ns))| *offered_ns < began_ns);
        let (mut all, mut fresh) = (0_u32, 0_u32);
        for (key, (number, _)) in before {
            all += 1;
            fresh += u32::from(self.shown.get(key).is_some_and(|shown| shown >= number));
        }
        self.bursts += 1;
        if all > 0 {
            let share = f64::from(fresh) / f64::from(all);
            self.worst_fresh_share = Some(self.worst_fresh_share.map_or(share, |worst| worst.min(share)));
        }
    }

    fn finish(self, network: &Network, light_ns: u64, duration_ns: u64) -> FinalsFigures {
        use crate::status::ByteKind::{Cloud, Image};
        let counts = [ROBOT, OPERATOR].map(|end| *network.ends[end].byte_counts());
        let on_main: usize =
            network.sent.iter().filter(|sent| sent.channel == 0 && sent.end == ROBOT).map(|s| s.bytes).sum();
        let on_burst: usize = network.sent.iter().filter(|sent| sent.channel == 1).map(|sent| sent.bytes).sum();
        let tiles_bytes = counts[ROBOT].bytes(Cloud) + counts[ROBOT].bytes(Image);
        assert_eq!((on_main + on_burst) as u64, counts[ROBOT].total(), "every byte is counted");
        let seconds = duration_ns as f64 / SECOND as f64;
        FinalsFigures {
            bursts: self.bursts,
            burst_s: light_ns as f64 / SECOND as f64,
            offered_tiles: self.count,
            tiles: self.tiles,
            tile_bytes: self.tile_bytes,
            worst_fresh_share: self.worst_fresh_share.unwrap_or_default(),
            robot_hz: self.robots as f64 / seconds,
            run_hz: self.runs as f64 / seconds,
            stops: self.stops,
            edits: self.edits,
            tiles_on_main: tiles_bytes.saturating_sub(on_burst as u64),
            worst_second_bytes: [
                worst_second_bytes(&network.sent, ROBOT, 0),
                worst_second_bytes(&network.sent, OPERATOR, 0),
                worst_second_bytes(&network.sent, ROBOT, 1),
            ],
            counts,
        }
    }
}
