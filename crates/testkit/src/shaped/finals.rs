//! An always-on narrow channel, and bursts from the robot.

use std::collections::BTreeMap;

use super::runs::{EDIT_BYTES, RunError, STEP_NS, report};
use super::{
    Dice, Happened, Latencies, MS, Network, OPERATOR, Path, ROBOT, SECOND, blackouts, both, worst_second_bytes,
};
use link::{ByteCounts, ByteKind, Event, Keyed, Latest, LinkConfig, Message, OfferError, Stream};

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
            (Event::Latest { of: Latest::Robot, .. }, OPERATOR) => self.robots += 1,
            (Event::Latest { of: Latest::Run, .. }, OPERATOR) => self.runs += 1,
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
        let counts = [ROBOT, OPERATOR].map(|end| *network.ends[end].byte_counts());
        let on_main: usize =
            network.sent.iter().filter(|sent| sent.channel == 0 && sent.end == ROBOT).map(|s| s.bytes).sum();
        let on_burst: usize = network.sent.iter().filter(|sent| sent.channel == 1).map(|sent| sent.bytes).sum();
        let tiles_bytes = counts[ROBOT].bytes(ByteKind::Cloud) + counts[ROBOT].bytes(ByteKind::Image);
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
