//! Networks that are slow, lose, delay, repeat, reorder and go dark, in simulated time.

mod figures;
mod finals;
mod join;
mod runs;
mod work;

use std::collections::BTreeMap;
use std::ops::Range;

use link::{
    Endpoint, Event, IP_UDP_BYTES, LinkConfig, LinkError, Message, OfferError, Receipt, SecretKey, Security, Side,
};

use model::Random;
use protocol::report::{PACKING, RobotPacker};

pub use figures::{Latencies, worst_second_bytes};
pub use finals::{FinalsFigures, finals};
pub use join::{JoinFigures, join};
pub use runs::{RunError, robot, run, tick_of};
pub use work::{WorkFigures, work};

pub const ROBOT: usize = 0;
pub const OPERATOR: usize = 1;

pub const MS: u64 = 1_000_000;
pub const SECOND: u64 = 1_000_000_000;

/// The same numbers for the same seed, on every machine.
#[derive(Debug, Clone)]
pub struct Dice(Random);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    pub fn roll(&mut self) -> u64 {
        self.0.bits()
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0.below(limit)
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.share() <= probability && probability > 0.0
    }
}

/// One channel in one direction.
#[derive(Debug, Clone)]
pub struct Path {
    pub rate_bit_s: u64,
    pub delay_ns: u64,
    /// Added at random; more than the time between datagrams reorders them.
    pub jitter_ns: u64,
    pub loss: f64,
    pub duplicate: f64,
    /// What waits for the line beyond this is dropped.
    pub queue_bytes: u64,
    /// In order; what is on the line then is lost.
    pub dark: Vec<Range<u64>>,
}

impl Path {
    pub fn narrow() -> Self {
        Self {
            rate_bit_s: 9_600,
            delay_ns: 15 * MS,
            jitter_ns: 0,
            loss: 0.0,
            duplicate: 0.0,
            queue_bytes: 400,
            dark: Vec::new(),
        }
    }

    pub fn lan() -> Self {
        Self { rate_bit_s: 1_000_000_000, delay_ns: MS / 5, queue_bytes: 1 << 20, ..Self::narrow() }
    }

    pub fn is_dark(&self, from_ns: u64, to_ns: u64) -> bool {
        let first = self.dark.partition_point(|dark| dark.end <= from_ns);
        self.dark.get(first).is_some_and(|dark| dark.start <= to_ns)
    }

    /// When the light period that holds this moment began.
    pub fn light_since_ns(&self, at_ns: u64) -> u64 {
        let after = self.dark.partition_point(|dark| dark.end <= at_ns);
        after.checked_sub(1).map_or(0, |last| self.dark[last].end)
    }

    /// How much of this time was not dark.
    pub fn light_ns(&self, from_ns: u64, to_ns: u64) -> u64 {
        let overlap = |dark: &Range<u64>| dark.end.min(to_ns).saturating_sub(dark.start.max(from_ns));
        to_ns.saturating_sub(from_ns) - self.dark.iter().map(overlap).sum::<u64>()
    }
}

struct Line {
    path: Path,
    free_at_ns: u64,
}

#[derive(Debug, Clone, Copy)]
pub struct Sent {
    pub at_ns: u64,
    pub end: usize,
    pub channel: usize,
    /// With IP and UDP.
    pub bytes: usize,
}

#[derive(Debug, Clone)]
pub struct Happened {
    pub at_ns: u64,
    pub end: usize,
    pub event: Event,
}

/// Two ends and the network between them.
pub struct Network {
    pub ends: [Endpoint; 2],
    /// What each end's clock shows at the beginning, and how much too fast it goes.
    pub clock_ns: [u64; 2],
    pub drift_ppm: [u64; 2],
    pub now_ns: u64,
    pub sent: Vec<Sent>,
    /// Dropped by a full queue: with right pacing, never.
    pub overflowed: u64,
    /// Times that an end was woken and had nothing to send.
    pub idle_wakeups: u64,
    /// What somebody on the way sees, if he looks: to whom, and the bytes.
    pub overheard: Option<Vec<(usize, Vec<u8>)>>,
    lines: Vec<[Line; 2]>,
    flying: BTreeMap<(u64, u64), (usize, Vec<u8>)>,
    flown: u64,
    dice: Dice,
    log: Vec<Happened>,
    packer: RobotPacker,
}

impl Network {
    /// `paths`: for each channel from robot to operator and from operator to robot.
    pub fn new(configs: [LinkConfig; 2], paths: Vec<[Path; 2]>, seed: u64) -> Result<Self, LinkError> {
        let [robot, operator] = configs;
        let line = |path: Path| Line { path, free_at_ns: 0 };
        Ok(Self {
            ends: [Endpoint::new(robot)?, Endpoint::new(operator)?],
            clock_ns: [SECOND; 2],
            drift_ppm: [0; 2],
            now_ns: 0,
            sent: Vec::new(),
            overflowed: 0,
            idle_wakeups: 0,
            overheard: None,
            lines: paths.into_iter().map(|pair| pair.map(line)).collect(),
            flying: BTreeMap::new(),
            flown: 0,
            dice: Dice::new(seed),
            log: Vec::new(),
            packer: RobotPacker::default(),
        })
    }

    pub fn path(&mut self, channel: usize, from: usize) -> &mut Path {
        &mut self.lines[channel][from].path
    }

    /// What the clock of an end shows.
    pub fn local_ns(&self, end: usize) -> u64 {
        self.clock_ns[end] + self.now_ns + self.now_ns / 1_000_000 * self.drift_ppm[end]
    }

    /// When the clock of an end will show this.
    fn global_ns(&self, end: usize, local_ns: u64) -> u64 {
        let ahead_ns = local_ns.saturating_sub(self.local_ns(end));
        self.now_ns + ahead_ns - ahead_ns / 1_000_000 * self.drift_ppm[end]
    }

    pub fn offer(&mut self, end: usize, message: Message) -> Result<Receipt, OfferError> {
        let local_ns = self.local_ns(end);
        let receipt = self.ends[end].offer(local_ns, message)?;
        self.send(end);
        Ok(receipt)
    }

    pub fn take_log(&mut self) -> Vec<Happened> {
        std::mem::take(&mut self.log)
    }

    /// Puts something on the way to an end that the other end never sent.
    pub fn inject(&mut self, to: usize, bytes: Vec<u8>) {
        self.fly(self.now_ns + MS, to, bytes);
    }

    /// A new process takes the place of an end.
    pub fn replace(&mut self, end: usize, config: LinkConfig) -> Result<Endpoint, LinkError> {
        Ok(std::mem::replace(&mut self.ends[end], Endpoint::new(config)?))
    }

    pub fn run_until(&mut self, until_ns: u64) {
        loop {
            for end in [ROBOT, OPERATOR] {
                self.send(end);
            }
            let arrives_ns = self.flying.first_key_value().map(|((at_ns, _), _)| *at_ns);
            let wakes_ns = [ROBOT, OPERATOR].map(|end| {
                let local_ns = self.local_ns(end);
                let wakes_ns = self.ends[end].next_wakeup(local_ns)?;
                // A wakeup that is due has been served: polling gave nothing more.
                Some(self.global_ns(end, wakes_ns).max(self.now_ns + 1_000))
            });
            let next_ns = [arrives_ns, wakes_ns[0], wakes_ns[1]].into_iter().flatten().min();
            let Some(next_ns) = next_ns.filter(|&next_ns| next_ns <= until_ns) else { break };
            self.now_ns = next_ns.max(self.now_ns);
            if arrives_ns == Some(next_ns) {
                self.deliver();
                continue;
            }
            let before = self.sent.len();
            [ROBOT, OPERATOR].into_iter().for_each(|end| self.send(end));
            self.idle_wakeups += u64::from(self.sent.len() == before);
        }
        self.now_ns = until_ns;
    }

    fn deliver(&mut self) {
        while let Some(entry) = self.flying.first_entry().filter(|entry| entry.key().0 <= self.now_ns) {
            let (end, bytes) = entry.remove();
            let local_ns = self.local_ns(end);
            self.ends[end].receive(local_ns, &bytes);
            for event in self.ends[end].take_events() {
                self.log.push(Happened { at_ns: self.now_ns, end, event });
            }
            self.send(end);
        }
    }

    fn send(&mut self, end: usize) {
        let local_ns = self.local_ns(end);
        while let Some(datagram) = self.ends[end].poll(local_ns) {
            let bytes = datagram.bytes.len() + IP_UDP_BYTES;
            self.sent.push(Sent { at_ns: self.now_ns, end, channel: datagram.channel, bytes });
            if let Some(overheard) = &mut self.overheard {
                overheard.push((1 - end, datagram.bytes.clone()));
            }
            self.put_on_line(end, datagram.channel, datagram.bytes);
        }
    }

    fn put_on_line(&mut self, end: usize, channel: usize, bytes: Vec<u8>) {
        let line = &mut self.lines[channel][end];
        let path = &line.path;
        let start_ns = self.now_ns.max(line.free_at_ns);
        let waiting_bytes = u128::from(start_ns - self.now_ns) * u128::from(path.rate_bit_s) / 8 / u128::from(SECOND);
        if waiting_bytes > u128::from(path.queue_bytes) {
            self.overflowed += 1;
            return;
        }
        let bits = (bytes.len() + IP_UDP_BYTES) as u64 * 8;
        let end_ns = start_ns + bits * SECOND / path.rate_bit_s;
        line.free_at_ns = end_ns;
        if path.is_dark(start_ns, end_ns) || self.dice.chance(path.loss) {
            return;
        }
        let path = path.clone_without_dark();
        let copies = 1 + u64::from(self.dice.chance(path.duplicate));
        for _ in 0..copies {
            let jitter_ns = if path.jitter_ns > 0 { self.dice.below(path.jitter_ns) } else { 0 };
            self.fly(end_ns + path.delay_ns + jitter_ns, 1 - end, bytes.clone());
        }
    }

    fn fly(&mut self, at_ns: u64, to: usize, bytes: Vec<u8>) {
        self.flown += 1;
        self.flying.insert((at_ns, self.flown), (to, bytes));
    }
}

impl Path {
    fn clone_without_dark(&self) -> Self {
        Self { dark: Vec::new(), ..*self }
    }
}

/// Keys of a robot and an operator who know each other.
pub fn sealed() -> [Security; 2] {
    let secrets = [SecretKey::new([1; 32]), SecretKey::new([2; 32])];
    let [robot, operator] = [secrets[0].public(), secrets[1].public()];
    let [first, second] = secrets;
    [Security::Sealed { secret: first, peers: vec![operator] }, Security::Sealed { secret: second, peers: vec![robot] }]
}

/// Two ends of the same kind, sealed.
pub fn both(make: impl Fn(Side, Security, [u8; 32]) -> LinkConfig, seed: u8) -> [LinkConfig; 2] {
    let [robot, operator] = sealed();
    let make = |side, security, seed| make(side, security, [seed; 32]).packed(PACKING);
    [make(Side::Listens, robot, seed), make(Side::Connects, operator, seed ^ 0x80)]
}

/// Light for a random time from the range, dark for another, and so on.
pub fn blackouts(light_ns: Range<u64>, dark_ns: Range<u64>, until_ns: u64, dice: &mut Dice) -> Vec<Range<u64>> {
    let mut dark = Vec::new();
    let mut at_ns = 0;
    while at_ns < until_ns {
        at_ns += light_ns.start + dice.below(light_ns.end - light_ns.start);
        let end_ns = at_ns + dark_ns.start + dice.below(dark_ns.end - dark_ns.start);
        dark.push(at_ns..end_ns);
        at_ns = end_ns;
    }
    dark
}
