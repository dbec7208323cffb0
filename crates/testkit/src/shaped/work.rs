//! Work on a narrow link that is full.

use std::collections::BTreeMap;

use super::runs::{EDIT_BYTES, RunError, STEP_NS, latency_ns, report};
use super::{Dice, Happened, Latencies, Network, OPERATOR, Path, ROBOT, SECOND, blackouts, both, worst_second_bytes};
use link::{ByteCounts, Event, Keyed, Latest, LinkConfig, Message, OfferError, Outcome, Stream};

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
            (Event::Latest { of: Latest::Robot, .. }, OPERATOR) => self.arrivals[0].push(at_ns),
            (Event::Latest { of: Latest::Run, .. }, OPERATOR) => self.arrivals[1].push(at_ns),
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
