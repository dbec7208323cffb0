//! A robot process in simulated time: killed and started again, with what its disk has.

use std::collections::{BTreeMap, VecDeque};

use link::udp::PeerId;
use link::{
    Allowed, Endpoint, Event, LinkConfig, Message, OfferError, PublicKey, Quality, SecretKey, Security, Side, Stream,
};
use model::{Library, NodeId};
use onboard::{Desk, LinkFact, Marks, Now, Robot, Runner, Saves, Settings, Shared};
use protocol::talk::{Sent, Update};
use replica::Peer;
use site::Site;
use testkit::shaped::{Dice, MS};

use super::net::{Address, Net, Way};

/// What outlives the process.
#[derive(Default)]
pub struct Disk {
    tree: Option<Update>,
    /// Taken since that tree was written.
    edits: Vec<Sent>,
    marks: Option<Marks>,
}

impl Disk {
    fn write(&mut self, saves: Saves) {
        if saves.tree.is_some() {
            self.edits.clear();
        }
        self.tree = saves.tree.or(self.tree.take());
        self.edits.extend(saves.edits);
        self.marks = saves.marks.or(self.marks.take());
    }

    pub fn has(&self, node: NodeId) -> bool {
        let peer = Peer { number: 1, name: "disk".into() };
        self.tree.is_some() && self.shared(0, peer).library().owner_of(node).is_some()
    }

    fn shared(&self, now_ns: u64, peer: Peer) -> Shared {
        let Some(tree) = &self.tree else {
            let epoch = 1_800_000_000 + now_ns / (1_000 * MS);
            return Shared::from_library(super::world::library(), peer, epoch).unwrap();
        };
        let mut shared = Shared::from_update(tree, peer).unwrap();
        self.edits.iter().for_each(|edit| shared.replay(edit).unwrap());
        shared
    }
}

struct End {
    address: Address,
    endpoint: Endpoint,
}

/// What one tick took and gave.
pub struct Tick {
    pub events: Vec<(PeerId, Event)>,
    pub messages: Vec<(PeerId, Message)>,
    pub holder_before: Option<String>,
    pub was_at_rest: bool,
}

pub struct OnboardLife {
    pub robot: Robot,
    link: LinkConfig,
    ends: BTreeMap<PeerId, End>,
    next_peer: u64,
    events: Vec<(PeerId, Event)>,
    /// Handed over to the disk, which has not written it yet.
    unwritten: VecDeque<(u64, Saves)>,
    born_ns: u64,
}

impl OnboardLife {
    pub fn start(
        now_ns: u64,
        (secret, allowed): (&SecretKey, &[Allowed]),
        disk: &Disk,
        dice: &mut Dice,
    ) -> OnboardLife {
        let peers: Vec<PublicKey> = allowed.iter().map(|each| each.key).collect();
        let security = Security::Sealed { secret: secret.clone(), peers };
        let link = LinkConfig::wide(Side::Listens, security, seed(dice)).packed(protocol::report::PACKING);
        let peer = Peer { number: dice.roll() | 1, name: "robot".into() };
        let mut settings = Settings::new("one", "coact-mini", peer.clone(), &link).unwrap();
        settings.allowed = allowed.to_vec();
        let shared = disk.shared(now_ns, peer);
        let runner = Runner::new(shared.library().clone(), nodes::registry(), Site::bare(nodes::registry())).unwrap();
        let desk = Desk::new(settings, shared, disk.marks.clone().unwrap_or_default());
        OnboardLife {
            robot: Robot::new(desk, runner),
            link,
            ends: BTreeMap::new(),
            next_peer: 0,
            events: Vec::new(),
            unwritten: VecDeque::new(),
            born_ns: now_ns,
        }
    }

    /// A power cut: some of what was handed over may have been written already.
    pub fn kill(self, disk: &mut Disk, dice: &mut Dice) {
        let written = dice.below(self.unwritten.len() as u64 + 1) as usize;
        self.unwritten.into_iter().take(written).for_each(|(_, saves)| disk.write(saves));
    }

    pub fn receive(&mut self, now_ns: u64, from: Address, bytes: &[u8], dice: &mut Dice) {
        if !self.ends.values().any(|end| end.address == from) {
            let endpoint = Endpoint::new(LinkConfig { seed: seed(dice), ..self.link.clone() }).unwrap();
            self.ends.insert(PeerId(self.next_peer), End { address: from, endpoint });
            self.next_peer += 1;
        }
        let (id, end) = self.ends.iter_mut().find(|(_, end)| end.address == from).unwrap();
        let id = *id;
        end.endpoint.receive(now_ns, bytes);
        let events = end.endpoint.take_events();
        self.events.extend(events.into_iter().map(|event| (id, event)));
    }

    pub fn tick(&mut self, now_ns: u64, disk: &mut Disk, net: &mut Net, dice: &mut Dice) -> Tick {
        let now = Now { ns: now_ns - self.born_ns, unix_ms: 1_800_000_000_000 + now_ns / MS };
        let facts = self.facts(now_ns);
        let events = std::mem::take(&mut self.events);
        let holder_before = self.robot.desk.in_control().map(ToString::to_string);
        let was_at_rest = self.robot.runner.is_at_rest();
        let messages = self.robot.step(now, events.clone(), &facts);
        for (to, message) in messages.clone() {
            self.offer(now_ns, to, message);
        }
        for gone in self.robot.desk.take_forgotten() {
            self.ends.remove(&gone);
        }
        let saves = self.robot.desk.take_saves();
        if !saves.is_empty() {
            self.unwritten.push_back((now_ns + dice.below(150) * MS, saves));
        }
        while let Some((_, saves)) = self.unwritten.pop_front_if(|(due_ns, _)| *due_ns <= now_ns) {
            let version = saves.tree_version;
            disk.write(saves);
            self.robot.desk.kept(version);
        }
        self.send(now_ns, net);
        Tick { events, messages, holder_before, was_at_rest }
    }

    fn facts(&self, now_ns: u64) -> Vec<LinkFact> {
        let fact = |(peer, end): (&PeerId, &End)| {
            let status = end.endpoint.status(now_ns);
            let down = matches!(status.quality, Quality::Down | Quality::NotConnected);
            let waiting_history = status.document(Stream::History).waiting_bytes;
            LinkFact { peer: *peer, down, waiting_history, waiting_keyed: status.keyed_waiting }
        };
        self.ends.iter().map(fact).collect()
    }

    fn offer(&mut self, now_ns: u64, to: PeerId, message: Message) {
        let Some(end) = self.ends.get_mut(&to) else { return };
        let is_history = matches!(message, Message::Document { stream: Stream::History, .. });
        if let Err(OfferError::StreamFull { .. }) = end.endpoint.offer(now_ns, message)
            && !is_history
        {
            self.ends.remove(&to);
            self.robot.desk.forget(to);
        }
    }

    fn send(&mut self, now_ns: u64, net: &mut Net) {
        for (id, end) in &mut self.ends {
            while let Some(datagram) = end.endpoint.poll(now_ns) {
                net.send(now_ns, Way::ToStation(end.address), datagram.bytes);
            }
            self.events.extend(end.endpoint.take_events().into_iter().map(|event| (*id, event)));
        }
    }

    pub fn library(&self) -> &Library {
        self.robot.desk.shared().library()
    }
}

pub fn seed(dice: &mut Dice) -> [u8; 32] {
    let mut seed = [0; 32];
    seed.chunks_mut(8).for_each(|part| part.copy_from_slice(&dice.roll().to_le_bytes()));
    seed
}
