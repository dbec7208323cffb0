//! The desk: everything between people and the engine. Who is there, who may do what, the shared tree, and what is told
//! to whom. It has no clock, no sockets, no disk: time and events come in, messages and requests go out.

mod alike;
mod body;
mod control;
mod edits;
mod finding;
mod joining;
mod looks;
mod orders;
mod pictures;
mod said;
mod shares;
mod tell;
mod things;
mod waiting;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use link::udp::PeerId;
use link::{CommandId, Event, Keyed, Message, PublicKey, Stream};
use protocol::report::RobotPacker;
use protocol::talk::{Detail, Happening, News, NoteKind, Pieces, Presence, SceneAt, Sent, Update, unpack};
use protocol::{Role, person_name};

use crate::audit::{Budget, Deed, Entry, Now, date};
use crate::runner::{Request, note};
use crate::seen::{Marks, State, Things, Ticked};
use crate::settings::Settings;
use crate::shared::Shared;
use control::{Person, RunControl};
use waiting::Waiting;

/// People behind one operator process.
const MAX_PEOPLE: usize = 80;

/// What happened lately, for those who join.
const HISTORY: usize = 2_000;

/// With so many operators, those who are gone make room sooner: a link takes 16.
const CROWD: usize = 12;
const CROWD_NS: u64 = 5_000_000_000;

/// One operator process on the other end of a link.
struct Operator {
    key: Option<PublicKey>,
    /// As the key file has it.
    desk: Arc<str>,
    /// As much as its key may do.
    rank: Role,
    /// Nothing was heard since then.
    silent_since_ns: Option<u64>,
    people: BTreeMap<u32, Here>,
    connected_ns: u64,
    /// People were told that another process uses the same key.
    told_alike: bool,
    /// A behavior that it sends to be opened, as far as it has come, and whole.
    offering: Pieces,
    offered: Option<Update>,
    /// Edits that were not taken since it connected.
    refusals: u32,
    /// Numbers of its edits that are not known to be on disk, each with the version of the tree that has it.
    unkept: VecDeque<(u64, u64)>,
    /// The epoch of the whole tree it was sent last; of every later one it was told.
    epochs_from: u64,
    watches_clouds: bool,
    watches_images: bool,
    body: body::WatchesBody,
    /// Bytes of history and values of any kind that it does not have yet.
    waiting_history: usize,
    waiting_keyed: usize,
    left_out: u64,
    snapshot_ns: Option<u64>,
    /// The whole tree, on its way to it.
    tree: Option<joining::TreeWaits>,
    /// It gets the tree when so many edits that were sent with its key before are taken.
    after: BTreeMap<PeerId, usize>,
    owed: bool,
}

/// One session of a person.
struct Here {
    presence: Presence,
    /// Counts up with whatever is heard of anybody.
    heard: u64,
}

/// A command whose answer the engine gives.
struct Pending {
    from: PeerId,
    id: CommandId,
    entry: Entry,
}

/// How a link is, as far as the desk needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkFact {
    pub peer: PeerId,
    pub down: bool,
    pub waiting_history: usize,
    pub waiting_keyed: usize,
}

/// What is to be kept on disk.
#[derive(Debug, Default)]
pub struct Saves {
    /// The whole tree.
    pub tree: Option<Update>,
    /// What was taken since.
    pub edits: Vec<Sent>,
    /// The version of the tree that is on disk when these are; told to [`Desk::kept`].
    pub tree_version: u64,
    pub marks: Option<Marks>,
    pub audit: Vec<String>,
}

impl Saves {
    fn append_edit(&mut self, edit: Sent, tree_version: u64) {
        self.edits.push(edit);
        self.tree_version = tree_version;
    }

    fn replace_tree(&mut self, tree: Update, tree_version: u64) {
        self.tree = Some(tree);
        self.edits.clear();
        self.tree_version = tree_version;
    }

    pub fn is_empty(&self) -> bool {
        self.tree.is_none() && self.edits.is_empty() && self.marks.is_none() && self.audit.is_empty()
    }

    /// With what came later.
    pub fn extend(&mut self, newer: Saves) {
        if let Some(tree) = newer.tree {
            self.replace_tree(tree, newer.tree_version);
        }
        self.edits.extend(newer.edits);
        self.tree_version = self.tree_version.max(newer.tree_version);
        self.marks = newer.marks.or(self.marks.take());
        self.audit.extend(newer.audit);
    }
}

pub struct Desk {
    settings: Settings,
    shared: Shared,
    operators: BTreeMap<PeerId, Operator>,
    control: RunControl,
    pending: BTreeMap<u64, Pending>,
    next_command: u64,
    next_batch: u64,
    /// Being opened by the engine, with its number and who waits for it.
    opening: Option<(u64, Shared, Pending)>,
    waiting: Waiting,
    /// Those who wait for one picture.
    looks: Vec<looks::Looking>,
    /// The engine's tree is not ours: it gets ours as soon as nothing runs.
    resync: bool,
    /// The tree is another one, to be kept whole.
    tree_changed: bool,
    /// Counts changes of the tree, and how many of them are on disk.
    tree_version: u64,
    kept_version: u64,
    disk: joining::DiskWaits,
    /// New epochs, each told when the version of the tree that it begins with is on disk.
    new_epochs: VecDeque<(u64, News)>,
    /// Who waits for a way to goals.
    finding: BTreeMap<u64, Pending>,
    /// Orders that opened another behavior, each answered when the version of the tree that it is is on disk.
    opened: VecDeque<(u64, Pending)>,
    /// When somebody last edited.
    edited_ns: Option<u64>,
    state: Option<State>,
    packer: RobotPacker,
    /// What the engine was last asked for.
    body_hz: f64,
    details: BTreeMap<u32, Detail>,
    /// What was told of things, by their keys.
    things: BTreeMap<u32, SceneAt>,
    things_ns: Option<u64>,
    untold: Things,
    marks: Marks,
    history: VecDeque<Happening>,
    fresh: Vec<Happening>,
    fresh_since_ns: Option<u64>,
    /// When somebody last pressed stop, and who.
    last_stop: Option<(u64, PeerId)>,
    requests: Vec<Request>,
    messages: Vec<(PeerId, Message)>,
    forgotten: Vec<PeerId>,
    saves: Saves,
    budget: Budget,
    heard: u64,
    time_ns: i64,
}

impl Desk {
    pub fn new(settings: Settings, shared: Shared, marks: Marks) -> Desk {
        let mut desk = Desk {
            settings,
            shared,
            operators: BTreeMap::new(),
            control: RunControl::default(),
            pending: BTreeMap::new(),
            next_command: 0,
            next_batch: edits::FIRST_BATCH,
            opening: None,
            waiting: Waiting::default(),
            looks: Vec::new(),
            resync: false,
            // Also what it began with: a robot that is killed before the first edit comes back with it.
            tree_changed: true,
            tree_version: 0,
            kept_version: 0,
            disk: joining::DiskWaits::default(),
            new_epochs: VecDeque::new(),
            finding: BTreeMap::new(),
            opened: VecDeque::new(),
            edited_ns: None,
            state: None,
            details: BTreeMap::new(),
            things: BTreeMap::new(),
            things_ns: None,
            untold: Things::default(),
            marks: Marks::default(),
            history: VecDeque::new(),
            fresh: Vec::new(),
            fresh_since_ns: None,
            packer: RobotPacker::default(),
            body_hz: 0.0,
            last_stop: None,
            requests: Vec::new(),
            messages: Vec::new(),
            forgotten: Vec::new(),
            saves: Saves::default(),
            budget: Budget::default(),
            heard: 0,
            time_ns: 0,
        };
        desk.restore(marks);
        // Before anybody edits: edits on disk are of no use without the tree they were made in.
        desk.keep_tree();
        desk
    }

    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    pub fn in_control(&self) -> Option<&Arc<str>> {
        self.control.name()
    }

    pub fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    pub fn take_messages(&mut self) -> Vec<(PeerId, Message)> {
        std::mem::take(&mut self.messages)
    }

    /// Operators whose place another may have.
    pub fn take_forgotten(&mut self) -> Vec<PeerId> {
        std::mem::take(&mut self.forgotten)
    }

    pub fn take_saves(&mut self) -> Saves {
        std::mem::take(&mut self.saves)
    }

    /// `stops`: how many stops the robot had heard when this arrived.
    pub fn hear(&mut self, now: Now, from: PeerId, event: Event, stops: u64) {
        if let Some(operator) = self.operators.get_mut(&from) {
            operator.silent_since_ns = None;
        } else if !matches!(event, Event::Connected { .. } | Event::Stop) {
            // It was given up meanwhile; it will say hello again.
            return;
        }
        match event {
            Event::Connected { peer, resumed } => self.connected(now, from, peer, resumed),
            Event::Stop => self.stopped(now, from),
            Event::Command { id, bytes, age_ns } => {
                let given_ns = now.ns.saturating_sub(age_ns);
                self.order(now, orders::Heard { from, id, given_ns, stops }, &bytes);
            }
            Event::CommandRefused { id: _, why } => {
                let entry = self.entry(now, from, None, (Deed::Lost, "a command".to_owned()));
                self.audit(entry, format!("refused by the link: {why:?}"));
            }
            Event::Document { stream: Stream::Edits, bytes } => self.wait_for_turn(from, bytes),
            Event::Document { stream: Stream::Snapshot, bytes } => self.offered(from, &bytes),
            Event::Keyed { kind: Keyed::Presence, key, bytes } => self.presence(from, key, &bytes),
            // Nothing that an operator has to say.
            Event::Document { stream: Stream::Overview | Stream::History, .. }
            | Event::Keyed { kind: Keyed::Detail | Keyed::Scene | Keyed::Body | Keyed::Cloud | Keyed::Image, .. }
            | Event::Latest { .. }
            | Event::Answered { .. }
            | Event::StopAcknowledged => {}
        }
    }

    fn connected(&mut self, now: Now, from: PeerId, key: Option<PublicKey>, resumed: bool) {
        if resumed && self.operators.contains_key(&from) {
            return;
        }
        self.take_edits_of(now, from);
        let (desk, rank) = self.settings.rank_of(key);
        let operator = Operator {
            key,
            desk,
            rank,
            silent_since_ns: None,
            people: BTreeMap::new(),
            offering: Pieces::default(),
            connected_ns: now.ns,
            told_alike: false,
            offered: None,
            refusals: 0,
            unkept: VecDeque::new(),
            epochs_from: self.shared.epoch(),
            watches_clouds: false,
            watches_images: false,
            body: body::WatchesBody::default(),
            waiting_history: 0,
            waiting_keyed: 0,
            left_out: 0,
            snapshot_ns: None,
            tree: None,
            after: self.sent_before(from, key),
            owed: false,
        };
        self.operators.insert(from, operator);
        self.ask_for_body();
        self.greet(now, from);
    }

    fn stopped(&mut self, now: Now, from: PeerId) {
        self.last_stop = Some((now.ns, from));
        let entry = self.entry(now, from, None, (Deed::Stop, "stop".to_owned()));
        self.audit(entry, "done".to_owned());
    }

    fn presence(&mut self, from: PeerId, key: u32, bytes: &[u8]) {
        let Some(mut presence) = unpack::<Presence>(bytes) else { return };
        let Some(operator) = self.operators.get_mut(&from) else { return };
        let is_known = operator.people.contains_key(&key);
        let Some(name) = person_name(&presence.name).filter(|_| is_known || operator.people.len() < MAX_PEOPLE) else {
            return;
        };
        presence.name = name.into();
        self.heard += 1;
        presence.role = presence.role.min(operator.rank);
        if presence.at.is_none() {
            operator.people.remove(&key);
        } else {
            operator.people.insert(key, Here { presence: presence.clone(), heard: self.heard });
        }
        let left = presence.at.is_none();
        let person = Person { name: Arc::clone(&presence.name), key: operator.key, session: presence.session };
        self.control.is_here(&person, from, !left);
        self.tell_presence(from, key, &presence);
    }

    /// To be called now and then, with how the links are.
    pub fn look_after(&mut self, now: Now, links: &[LinkFact]) {
        for fact in links {
            let Some(operator) = self.operators.get_mut(&fact.peer) else { continue };
            operator.waiting_history = fact.waiting_history;
            operator.waiting_keyed = fact.waiting_keyed;
            match (fact.down, operator.silent_since_ns) {
                (true, None) => operator.silent_since_ns = Some(now.ns),
                (false, Some(_)) => operator.silent_since_ns = None,
                (true, Some(_)) | (false, None) => {}
            }
        }
        let crowded = self.operators.len() >= CROWD;
        let forget_ns = self.settings.forget_after_ns.min(if crowded { CROWD_NS } else { u64::MAX });
        let gone: Vec<PeerId> = self
            .operators
            .iter()
            .filter(|(_, each)| {
                each.silent_since_ns.is_some_and(|since_ns| now.ns.saturating_sub(since_ns) > forget_ns)
            })
            .map(|(id, _)| *id)
            .collect();
        gone.into_iter().for_each(|id| self.forget(id));
        self.mind_alike(now);
        self.mind_control(now);
        self.mind_looks(now);
        self.tell_folded(now);
        self.tell_history(now);
        self.keep_tree();
        self.send_owed(now);
        self.mind_disk(now);
        self.trim_when_quiet(now);
    }

    /// What happened is gathered, and told in a moment.
    pub fn gathers(&self) -> bool {
        !self.fresh.is_empty()
    }

    /// Something that people should know and that no tick tells.
    pub fn warn(&mut self, text: &str) {
        self.happened(note(self.time_ns, NoteKind::Warning, text));
    }

    /// Gives up an operator; it says hello again if it is there.
    pub fn forget(&mut self, id: PeerId) {
        let Some(operator) = self.operators.remove(&id) else { return };
        self.forgotten.push(id);
        self.ask_for_body();
        // Those that it does not know to be taken it gives again.
        let given_up = self.waiting.take_of(id).len();
        self.were_taken(id, given_up);
        for (key, Here { presence, .. }) in operator.people {
            let person = Person { name: Arc::clone(&presence.name), key: operator.key, session: presence.session };
            self.control.is_here(&person, id, false);
            self.tell_presence(id, key, &Presence { at: None, ..presence });
        }
    }

    /// Before the end of the process: what is on disk is what is here.
    pub fn finish(&mut self, now: Now) {
        self.keep_tree();
        for entry in self.budget.rest(now) {
            self.keep_audit(&entry);
        }
    }

    /// What the engine tells after ticks.
    pub fn saw(&mut self, now: Now, seen: Ticked) {
        for answer in seen.answers {
            self.engine_answered(answer);
        }
        for (number, found) in seen.found {
            self.found(number, found);
        }
        for (number, result) in seen.opened {
            self.opened(now, number, result);
        }
        if seen.left_out > 0 {
            let text = format!("{} more happened than can be told", seen.left_out);
            self.happened(note(self.time_ns, NoteKind::Warning, &text));
        }
        seen.happenings.into_iter().for_each(|happening| self.happened(happening));
        if let Some(state) = seen.state {
            self.time_ns = state.time_ns;
            self.tell_state(now, &state);
            self.state = Some(state);
            self.resync();
        }
        if let Some(marks) = seen.marks
            && marks != self.marks
        {
            self.saves.marks = Some(marks.clone());
            self.marks = marks;
        }
        let late = seen.late.map(Detail::Late).map(|late| (late.key(), late));
        self.tell_details(seen.details, seen.variables.into_iter().chain(late).collect());
        self.tell_things(now, seen.things);
        self.tell_body(now, seen.felt.as_ref());
        self.tell_looks(&seen.sights);
        self.tell_sights(&seen.sights);
        self.tell_history(now);
    }

    fn happened(&mut self, happening: Happening) {
        if self.history.len() >= HISTORY {
            self.history.pop_front();
        }
        self.history.push_back(happening.clone());
        self.fresh.push(happening);
    }

    fn entry(&self, now: Now, from: PeerId, by: Option<(&Arc<str>, Role)>, (deed, what): (Deed, String)) -> Entry {
        let desk = self.operators.get(&from).map_or_else(|| "somebody".into(), |operator| Arc::clone(&operator.desk));
        let (by, role) = by.map_or((Arc::clone(&desk), None), |(name, role)| (Arc::clone(name), Some(role)));
        let (said, outcome) = (what.clone(), String::new());
        Entry { at: date(now.unix_ms), at_ns: now.ns, by, role, from: desk, deed, what, said, outcome, times: None }
    }

    fn audit(&mut self, entry: Entry, outcome: String) {
        if let Some(entry) = self.budget.spend(Entry { outcome, ..entry }) {
            self.keep_audit(&entry);
        }
    }

    fn keep_audit(&mut self, entry: &Entry) {
        self.saves.audit.push(entry.line());
        // What pages ask for by themselves is nobody's deed.
        if entry.deed != Deed::Watch {
            self.happened(note(self.time_ns, NoteKind::Audit, &entry.text()));
        }
    }

    /// What was beyond somebody's share of the audit trail, in a line now and then.
    fn tell_folded(&mut self, now: Now) {
        for entry in self.budget.folded(now) {
            self.keep_audit(&entry);
        }
    }
}
