//! One connection of a client: who it is, what it watches, and how much is on its way to it.

use std::collections::VecDeque;

use protocol::Role;
use protocol::api::{HappeningView, Topics};
use protocol::talk::SessionNumber;

use crate::previewing::PreviewSeen;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(pub u64);

/// What may be on its way to one client. Beyond it, values are told when there is room, the newest only.
pub const WINDOW_BYTES: usize = 1 << 20;
/// Answers to what a client asked count too; one who asks and does not read is let go. Beside these bytes the largest
/// message may be on its way twice: a document that is told and asked for at once, however large.
pub const MOST_BYTES: usize = 16 << 20;
const MOST_HAPPENINGS: usize = 2_000;

/// Requests a second, and how many at once.
const RATE_PER_S: f64 = 200.0;
const BURST: f64 = 400.0;

#[derive(Debug)]
pub struct Session {
    pub loopback: bool,
    pub bulk: bool,
    /// It is to be told, behind the answer.
    pub wrong_token: bool,
    /// None before its hello.
    pub person: Option<(String, Role)>,
    /// What they do in the team, as they say themselves.
    pub team_role: Option<std::sync::Arc<str>>,
    pub topics: Topics,
    /// Names it for robot and people, from its hello on.
    pub number: SessionNumber,
    /// The key its presence has on the link.
    pub presence_key: u32,
    pub looks: protocol::talk::Looks,
    pub on_its_way: usize,
    /// Of what is on its way.
    pub largest: usize,
    pub frames: usize,
    /// On the bulk socket: sent and not acknowledged, and what was sent of each sheet.
    pub untaken: usize,
    pub seen: std::collections::BTreeMap<(bool, String), u64>,
    /// It asked for one cloud, or picture, and is shown what comes.
    pub looked: (bool, bool),
    pub due: Due,
    /// It previews: what it is told of the run is of its preview as well.
    pub preview: Option<Box<PreviewSeen>>,
    requests: Budget,
    /// Of commands: whoever edits without end may still command.
    orders: Budget,
}

#[derive(Debug)]
struct Budget {
    left: f64,
    at_ns: u64,
}

impl Budget {
    fn new(now_ns: u64) -> Budget {
        Budget { left: BURST, at_ns: now_ns }
    }

    fn spend(&mut self, now_ns: u64) -> bool {
        let passed_s = now_ns.saturating_sub(self.at_ns) as f64 / 1e9;
        self.at_ns = now_ns;
        self.left = (self.left + passed_s * RATE_PER_S).min(BURST);
        let may = self.left >= 1.0;
        self.left -= f64::from(u8::from(may));
        may
    }
}

/// What is to be told when there is room.
#[derive(Debug, Default)]
pub struct Due {
    /// The whole of it: edits were left out.
    pub document: bool,
    pub delivery: bool,
    pub run: bool,
    pub variables: bool,
    pub scene: bool,
    pub world: bool,
    /// The count of changes of the world that it was told up to.
    pub world_told: Option<u64>,
    pub people: bool,
    pub link: bool,
    pub robot: bool,
    pub body: bool,
    pub body_ns: u64,
    pub happenings: VecDeque<HappeningView>,
    pub happenings_left_out: usize,
    pub robot_ns: u64,
    pub run_ns: u64,
    pub scene_ns: u64,
    pub world_ns: u64,
}

impl Session {
    pub fn new(loopback: bool, bulk: bool, now_ns: u64) -> Session {
        Session {
            loopback,
            bulk,
            wrong_token: false,
            person: None,
            team_role: None,
            topics: Topics::default(),
            number: 0,
            presence_key: 0,
            looks: protocol::talk::Looks::default(),
            on_its_way: 0,
            largest: 0,
            frames: 0,
            untaken: 0,
            seen: std::collections::BTreeMap::new(),
            looked: (false, false),
            due: Due::default(),
            preview: None,
            requests: Budget::new(now_ns),
            orders: Budget::new(now_ns),
        }
    }

    /// False: it asks too much.
    pub fn may_ask(&mut self, now_ns: u64, order: bool) -> bool {
        if order { self.orders.spend(now_ns) } else { self.requests.spend(now_ns) }
    }

    /// It has said hello, and is told of what happens.
    pub fn is_here(&self) -> bool {
        self.person.is_some() && !self.bulk
    }

    pub fn gets_clouds(&self) -> bool {
        self.topics.clouds || self.looked.0
    }

    pub fn gets_pictures(&self) -> bool {
        self.topics.pictures || self.looked.1
    }

    pub fn sends(&mut self, bytes: usize) {
        self.largest = if self.frames == 0 { bytes } else { self.largest.max(bytes) };
        self.on_its_way += bytes;
        self.frames += 1;
    }

    /// It asks and asks and reads nothing: its memory is ours.
    pub fn reads_nothing(&self) -> bool {
        self.on_its_way > MOST_BYTES + 2 * self.largest
    }

    pub fn has_room(&self) -> bool {
        self.on_its_way < WINDOW_BYTES
    }

    pub fn happened(&mut self, happening: &HappeningView) {
        self.due.happenings.push_back(happening.clone());
        while self.due.happenings.len() > MOST_HAPPENINGS {
            self.due.happenings.pop_front();
            self.due.happenings_left_out += 1;
        }
    }
}
