//! What was asked, answered, acknowledged and told: kept beside the processes, so that they can be judged.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use engine::Control;
use link::udp::PeerId;
use link::{Allowed, CommandId, Event, Message, Rank};
use model::NodeId;
use protocol::Role;
use protocol::talk::{Demand, Reply, Want};
use serde_json::Value as Json;
use server::SessionId;

use super::onboard_life::{OnboardLife, Tick};

/// After a stop everything is at rest within this time: a step that does not halt is given 2 s.
const REST_NS: u64 = 5_000_000_000;

#[derive(Debug)]
#[expect(dead_code, reason = "what was asked is read in what a failure prints")]
pub struct Asked {
    pub person: &'static str,
    pub station: usize,
    pub life: u32,
    pub session: SessionId,
    pub ask: Json,
    pub replies: Vec<Json>,
}

/// A node that somebody was told they had made.
#[derive(Debug)]
pub struct Fact {
    pub node: NodeId,
    pub maker: &'static str,
    pub station: usize,
    pub life: u32,
    pub version: u64,
    pub acknowledged: bool,
    /// Everything it ever stood in: deleted by somebody who did not know of it, that takes it along.
    pub inside: BTreeSet<NodeId>,
    /// Who knew of it and took it away.
    pub gone_by: BTreeSet<&'static str>,
    /// Somebody, that something became of it or of what it stood in.
    pub told: bool,
}

/// What a page of a diary, which only its owner writes, was after one of their edits.
#[derive(Debug)]
pub struct Page {
    pub text: String,
    pub station: usize,
    pub life: u32,
    pub version: u64,
    pub acknowledged: bool,
}

#[derive(Default)]
pub struct Books {
    pub asked: BTreeMap<u32, Asked>,
    pub facts: Vec<Fact>,
    pub diaries: BTreeMap<&'static str, Vec<Page>>,
    /// Who a station says is in control.
    pub shown_control: BTreeMap<usize, Json>,
    pub counts: Counts,
    robot: RobotBooks,
}

/// Of the life of the robot process.
#[derive(Default)]
struct RobotBooks {
    ranks: BTreeMap<PeerId, Role>,
    orders: BTreeMap<(PeerId, CommandId), Demand>,
    /// Since the last stop or start nobody gave an order that was done.
    unasked_since_ns: Option<u64>,
}

impl Books {
    /// A message to somebody at a station.
    pub fn heard(&mut self, (station, life): (usize, u32), message: &Json, has: impl Fn(NodeId) -> bool) {
        if let Some(id) = message["reply"].as_u64() {
            // 0 answers what cannot be read, which nobody here sends.
            let asked = self.asked.get_mut(&(id as u32)).unwrap();
            asked.replies.push(message.clone());
            assert_eq!(asked.replies.len(), 1, "answered twice: {asked:?}");
            return;
        }
        match message["push"].as_str().unwrap_or_default() {
            "delivery" => self.delivered((station, life), message["robot_has"].as_u64().unwrap(), has),
            "run" => drop(self.shown_control.insert(station, message["in_control"].clone())),
            "notice" => {
                let node: Option<NodeId> = serde_json::from_value(message["node"].clone()).unwrap();
                for fact in &mut self.facts {
                    fact.told |= match node {
                        Some(node) => fact.node == node || fact.inside.contains(&node),
                        None => fact.station == station && !fact.acknowledged,
                    };
                }
            }
            _ => {}
        }
    }

    fn delivered(&mut self, (station, life): (usize, u32), version: u64, has: impl Fn(NodeId) -> bool) {
        for fact in self.facts.iter_mut().filter(|fact| (fact.station, fact.life) == (station, life)) {
            if !fact.acknowledged && fact.version <= version && has(fact.node) {
                fact.acknowledged = true;
                self.counts.acknowledged += 1;
            }
        }
        for page in self.diaries.values_mut().flatten().filter(|page| (page.station, page.life) == (station, life)) {
            page.acknowledged |= page.version <= version;
        }
    }

    pub fn robot_began(&mut self, now_ns: u64) {
        self.robot = RobotBooks { unasked_since_ns: Some(now_ns), ..RobotBooks::default() };
    }

    pub fn robot_ticked(&mut self, now_ns: u64, tick: &Tick, life: &OnboardLife, allowed: &[Allowed]) {
        let mut stopped = false;
        for (from, event) in &tick.events {
            match event {
                Event::Connected { peer, .. } => {
                    let rank = allowed.iter().find(|each| Some(each.key) == *peer).unwrap().rank;
                    self.robot.ranks.insert(*from, role(rank));
                }
                Event::Stop => stopped = true,
                Event::Command { id, bytes, .. } => {
                    let before = self.robot.orders.insert((*from, *id), serde_json::from_slice(bytes).unwrap());
                    assert!(before.is_none(), "{id:?} of {from:?} arrived twice");
                }
                _ => {}
            }
        }
        let holders = [tick.holder_before.as_deref(), life.robot.desk.in_control().map(|name| &**name)];
        let mut asked_to_run = false;
        for (to, message) in &tick.messages {
            let Message::Answer { to: id, bytes } = message else { continue };
            let order =
                self.robot.orders.remove(&(*to, *id)).unwrap_or_else(|| panic!("{id:?} of {to:?} answered twice"));
            if serde_json::from_slice::<Reply>(bytes).unwrap() != Reply::Done {
                self.counts.orders_refused += 1;
                continue;
            }
            self.counts.orders_done += 1;
            let role = order.role.min(self.robot.ranks[to]);
            match &order.what {
                Want::Run(Control::Stop) => stopped = true,
                Want::Watch { .. } | Want::WatchBody { .. } | Want::Look(_) | Want::PressedStop => {}
                what => {
                    assert!(role >= Role::Operator, "{} may only look, and did {what:?}", order.by);
                    if let Want::Run(_) = what {
                        assert!(
                            holders.contains(&Some(&*order.by)),
                            "{} did {what:?} while {holders:?} were in control",
                            order.by
                        );
                        asked_to_run = true;
                    }
                }
            }
        }
        self.watch_rest(now_ns, (stopped, asked_to_run), (tick.was_at_rest, life.robot.runner.is_at_rest()));
    }

    fn watch_rest(&mut self, now_ns: u64, (stopped, asked): (bool, bool), (was_at_rest, at_rest): (bool, bool)) {
        if stopped {
            self.counts.stops += 1;
            self.robot.unasked_since_ns = Some(now_ns);
        } else if asked {
            self.robot.unasked_since_ns = None;
        }
        let Some(since_ns) = self.robot.unasked_since_ns else { return };
        assert!(!was_at_rest || at_rest, "something started that nobody asked for since the last stop or start");
        assert!(at_rest || now_ns - since_ns < REST_NS, "a stop brings rest");
    }
}

fn role(rank: Rank) -> Role {
    match rank {
        Rank::Observer => Role::Observer,
        Rank::Operator => Role::Operator,
        Rank::Supervisor => Role::Supervisor,
    }
}

/// What happened in the stories: they prove little where it is little.
#[derive(Default, Clone)]
pub struct Counts {
    pub edits: u64,
    pub edits_refused: u64,
    pub acknowledged: u64,
    pub orders_done: u64,
    pub orders_refused: u64,
    pub stops: u64,
    pub cuts: u64,
    pub robot_kills: u64,
    pub operator_kills: u64,
    pub blackouts: u64,
}

impl Counts {
    fn all(&self) -> [(u64, &'static str); 10] {
        [
            (self.edits, "edits"),
            (self.edits_refused, "refused"),
            (self.acknowledged, "acknowledged"),
            (self.orders_done, "orders done"),
            (self.orders_refused, "refused by the robot"),
            (self.stops, "stops"),
            (self.cuts, "cut lines"),
            (self.robot_kills, "robots killed"),
            (self.operator_kills, "operators killed"),
            (self.blackouts, "times all at once"),
        ]
    }

    pub fn add(&mut self, other: &Counts) {
        self.edits += other.edits;
        self.edits_refused += other.edits_refused;
        self.acknowledged += other.acknowledged;
        self.orders_done += other.orders_done;
        self.orders_refused += other.orders_refused;
        self.stops += other.stops;
        self.cuts += other.cuts;
        self.robot_kills += other.robot_kills;
        self.operator_kills += other.operator_kills;
        self.blackouts += other.blackouts;
    }

    pub fn is_worth_it(&self) -> bool {
        self.all().iter().all(|(count, _)| *count > 0)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.all().map(|(count, what)| format!("{count} {what}"));
        out.write_str(&parts.join(", "))
    }
}
