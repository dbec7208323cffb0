//! A robot and what operators say to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Control, Instance};
use link::udp::PeerId;
use link::{Allowed, CommandId, Event, Keyed, Latest, LinkConfig, Message, PublicKey, Rank, Security, Side, Stream};
use model::file::MemoryFiles;
use model::{Edit, Library, NodeId};
use onboard::{Desk, LinkFact, Marks, Now, Robot, Runner, Settings, Shared};
use protocol::Role;
use protocol::report::RunReport;
use protocol::talk::{
    Demand, Detail, Happening, Looks, News, Pieces, Presence, Reply, Sent, ToRobot, Update, Want, What, Whole, pack,
    unpack,
};
use replica::{Peer, Replica};
use site::Site;

pub const TICK_NS: u64 = 10_000_000;

pub fn library(text: &str) -> Library {
    let files = MemoryFiles::from([("main.json", text)]);
    model::file::load("main.json", &files, nodes::registry().catalogue()).unwrap().library
}

pub const THREE_WAITS: &str = r#"{"version": 1, "type": "sequence", "name": "all", "children": [
    {"type": "wait", "name": "first", "duration_s": 1},
    {"type": "wait", "name": "second", "duration_s": 1},
    {"type": "wait", "name": "third", "duration_s": 1}]}"#;

pub struct Bench {
    pub robot: Robot,
    pub now_ns: u64,
    events: Vec<(PeerId, Event)>,
    pub sent: Vec<(PeerId, Message)>,
    down: BTreeMap<PeerId, bool>,
    commands: u64,
    pub audit: Vec<String>,
    pub tree: Option<Update>,
    /// Taken since that tree was kept.
    pub edits: Vec<Sent>,
    pub marks: Option<Marks>,
    /// Nothing reaches the disk.
    pub disk_hangs: bool,
    /// Of whoever gives the next orders.
    pub team_role: Option<Arc<str>>,
}

fn peer(number: u64) -> Peer {
    Peer { number, name: "robot".into() }
}

impl Bench {
    pub fn new(text: &str) -> Bench {
        Bench::with(Shared::from_library(library(text), peer(1), 100).unwrap(), Marks::default(), |_| {})
    }

    pub fn with_settings(text: &str, change: impl FnOnce(&mut Settings)) -> Bench {
        Bench::with(Shared::from_library(library(text), peer(1), 100).unwrap(), Marks::default(), change)
    }

    /// As after a restart.
    pub fn again(before: &mut Bench) -> Bench {
        let (tree, marks) = (before.tree.take().unwrap(), before.marks.take().unwrap_or_default());
        let mut shared = Shared::from_update(&tree, peer(2)).unwrap();
        before.edits.iter().for_each(|edit| shared.replay(edit).unwrap());
        Bench::with(shared, marks, |_| {})
    }

    fn with(shared: Shared, marks: Marks, change: impl FnOnce(&mut Settings)) -> Bench {
        let link = LinkConfig::wide(Side::Listens, Security::Open, [3; 32]);
        let mut settings = Settings::new("one", "nobody", peer(1), &link).unwrap();
        change(&mut settings);
        Bench::on(shared, marks, settings, Site::bare(nodes::registry()))
    }

    /// With these surroundings.
    pub fn on_site(text: &str, site: Site) -> Bench {
        Bench::on_link(text, site, &LinkConfig::wide(Side::Listens, Security::Open, [3; 32]))
    }

    pub fn on_narrow_site(text: &str, site: Site) -> Bench {
        Bench::on_link(text, site, &LinkConfig::narrow(Side::Listens, Security::Open, [3; 32]))
    }

    fn on_link(text: &str, site: Site, link: &LinkConfig) -> Bench {
        let settings = Settings { resets: true, ..Settings::new("one", "nobody", peer(1), link).unwrap() };
        Bench::on(Shared::from_library(library(text), peer(1), 100).unwrap(), Marks::default(), settings, site)
    }

    fn on(shared: Shared, marks: Marks, settings: Settings, site: Site) -> Bench {
        let runner = Runner::new(shared.library().clone(), nodes::registry(), site).unwrap();
        Bench {
            robot: Robot::new(Desk::new(settings, shared, marks), runner),
            now_ns: 0,
            events: Vec::new(),
            sent: Vec::new(),
            down: BTreeMap::new(),
            commands: 0,
            audit: Vec::new(),
            tree: None,
            edits: Vec::new(),
            marks: None,
            disk_hangs: false,
            team_role: None,
        }
    }

    pub fn tick(&mut self) {
        self.now_ns += TICK_NS;
        let now = Now { ns: self.now_ns, unix_ms: 1_800_000_000_000 + self.now_ns / 1_000_000 };
        let links: Vec<LinkFact> = self
            .down
            .iter()
            .map(|(peer, down)| LinkFact { peer: *peer, down: *down, waiting_history: 0, waiting_keyed: 0 })
            .collect();
        let events = std::mem::take(&mut self.events);
        self.sent.extend(self.robot.step(now, events, &links));
        if self.disk_hangs {
            return;
        }
        let saves = self.robot.take_saves();
        self.audit.extend(saves.audit);
        if saves.tree.is_some() {
            self.edits.clear();
        }
        self.tree = saves.tree.or(self.tree.take());
        self.edits.extend(saves.edits);
        self.marks = saves.marks.or(self.marks.take());
        // Told that they are on disk.
        self.sent.extend(self.robot.desk.take_messages());
    }

    pub fn run_s(&mut self, seconds: f64) {
        for _ in 0..(seconds * 100.0) as u64 {
            self.tick();
        }
    }

    pub fn connect(&mut self, number: u64) -> PeerId {
        self.connect_as(number, None)
    }

    pub fn connect_as(&mut self, number: u64, key: Option<PublicKey>) -> PeerId {
        let id = PeerId(number);
        self.down.insert(id, false);
        self.hear(id, Event::Connected { peer: key, resumed: false });
        self.tick();
        id
    }

    pub fn set_down(&mut self, id: PeerId, down: bool) {
        self.down.insert(id, down);
    }

    pub fn hear(&mut self, from: PeerId, event: Event) {
        self.events.push((from, event));
    }

    /// Arrives before the next tick.
    pub fn order(&mut self, from: PeerId, by: &str, role: Role, what: Want) -> CommandId {
        self.order_of_age(from, by, role, (what, 0))
    }

    pub fn order_of_age(&mut self, from: PeerId, by: &str, role: Role, (what, age_ns): (Want, u64)) -> CommandId {
        self.commands += 1;
        let id = CommandId(self.commands);
        let (name, session) = window(by);
        let bytes = Demand { by: name.into(), role, team_role: self.team_role.clone(), session, what }.to_bytes();
        self.hear(from, Event::Command { id, bytes, age_ns });
        id
    }

    pub fn is_answered(&self, id: CommandId) -> bool {
        self.sent.iter().any(|(_, message)| matches!(message, Message::Answer { to, .. } if *to == id))
    }

    /// The one answer to a command.
    #[track_caller]
    pub fn answer(&self, id: CommandId) -> Reply {
        let answers = self.sent.iter().filter_map(|(_, message)| match message {
            Message::Answer { to, bytes } if *to == id => Some(bytes),
            _ => None,
        });
        let answers: Vec<&Vec<u8>> = answers.collect();
        assert_eq!(answers.len(), 1, "answers to {id:?}");
        serde_json::from_slice(answers[0]).unwrap()
    }

    /// Gives it, ticks twice, and gives the answer.
    #[track_caller]
    pub fn ask(&mut self, from: PeerId, by: &str, role: Role, what: Want) -> Reply {
        let id = self.order(from, by, role, what);
        self.tick();
        self.tick();
        self.answer(id)
    }

    #[track_caller]
    pub fn done(&mut self, from: PeerId, by: &str, what: Want) {
        assert_eq!(self.ask(from, by, Role::Supervisor, what), Reply::Done);
    }

    #[track_caller]
    pub fn refused(&mut self, from: PeerId, by: &str, role: Role, what: Want) -> String {
        match self.ask(from, by, role, what) {
            Reply::Refused(why) => why,
            Reply::Done | Reply::Behavior(_) => panic!("it was done"),
        }
    }

    pub fn presence(&mut self, from: PeerId, key: u32, name: &str, role: Role) {
        self.tell_presence(from, key, name, (role, true));
    }

    pub fn leaves(&mut self, from: PeerId, key: u32, name: &str) {
        self.tell_presence(from, key, name, (Role::Operator, false));
    }

    fn tell_presence(&mut self, from: PeerId, key: u32, name: &str, (role, here): (Role, bool)) {
        let (name, session) = window(name);
        let presence = Presence { name: name.into(), role, team_role: None, session, at: here.then(Looks::default) };
        self.hear(from, Event::Keyed { kind: Keyed::Presence, key, bytes: pack(&presence) });
        self.tick();
    }

    pub fn session(&self, window_of: &str) -> u64 {
        window(window_of).1
    }

    pub fn is_running(&self) -> bool {
        !self.robot.runner.is_at_rest()
    }

    pub fn node(&self, name: &str) -> NodeId {
        let main = self.robot.desk.shared().library().main();
        main.walk(main.root).find(|id| **main.node(*id).label() == *name).unwrap()
    }

    pub fn instance(&self, name: &str) -> Instance {
        self.node(name).into()
    }

    /// What this operator was told, of one kind.
    pub fn documents(&self, to: PeerId, wanted: Stream) -> Vec<Vec<u8>> {
        let of = |(id, message): &(PeerId, Message)| match message {
            Message::Document { stream, bytes } if *stream == wanted && *id == to => Some(bytes.clone()),
            _ => None,
        };
        self.sent.iter().filter_map(of).collect()
    }

    pub fn happenings(&self, to: PeerId) -> Vec<Happening> {
        self.documents(to, Stream::History).iter().flat_map(|bytes| unpack::<Vec<Happening>>(bytes).unwrap()).collect()
    }

    pub fn notes(&self, to: PeerId) -> Vec<Arc<str>> {
        let text = |happening: Happening| match happening.what {
            What::Note { text, .. } => Some(text),
            What::Run { fact, .. } => Some(fact.to_string().into()),
            What::Control(fact) => Some(fact.to_string().into()),
            _ => None,
        };
        self.happenings(to).into_iter().filter_map(text).collect()
    }

    pub fn last_run(&self, to: PeerId) -> RunReport {
        let of = |(id, message): &(PeerId, Message)| match message {
            Message::Latest { of: Latest::Run, bytes } if *id == to => RunReport::from_bytes(bytes),
            _ => None,
        };
        self.sent.iter().rev().find_map(of).unwrap()
    }

    /// The newest details this operator has, as a link would keep them.
    pub fn details(&self, to: PeerId) -> BTreeMap<u32, Detail> {
        let of = |(id, message): &(PeerId, Message)| match message {
            Message::Keyed { kind: Keyed::Detail, key, bytes } if *id == to => Some((*key, unpack(bytes).unwrap())),
            _ => None,
        };
        self.sent.iter().filter_map(of).collect()
    }

    /// The newest whole tree this operator was sent, as its own copy.
    pub fn copy(&self, of: PeerId) -> Copy {
        Copy::from_update(self.wholes(of).last().unwrap(), 1000 + of.0)
    }

    /// Whole trees this operator was sent.
    pub fn wholes(&self, to: PeerId) -> Vec<Update> {
        let mut pieces = Pieces::default();
        let messages = self.documents(to, Stream::Snapshot);
        messages
            .iter()
            .filter_map(|bytes| pieces.take(bytes))
            .map(|bytes| Update::from_bytes(&bytes).unwrap())
            .collect()
    }

    /// What this operator was told of the tree.
    pub fn news(&self, to: PeerId) -> Vec<News> {
        self.documents(to, Stream::Edits).iter().map(|bytes| unpack(bytes).unwrap()).collect()
    }

    /// Offered to be opened.
    pub fn offer(&mut self, from: PeerId, update: &Update) {
        for bytes in protocol::talk::pieces(&update.to_bytes()) {
            self.hear(from, Event::Document { stream: Stream::Snapshot, bytes });
        }
    }

    pub fn send_edit(&mut self, from: PeerId, sent: &Sent) {
        let bytes = pack(&ToRobot::Edit(sent.clone()));
        self.hear(from, Event::Document { stream: Stream::Edits, bytes });
    }
}

/// A person and one of their windows, written `ana` or `ana#2`.
fn window(text: &str) -> (&str, u64) {
    let name = text.split('#').next().unwrap_or_default();
    (name, text.bytes().fold(7_u64, |number, byte| number.wrapping_mul(31) ^ u64::from(byte)))
}

/// An operator's copy of the tree.
pub struct Copy {
    pub replica: Replica,
    pub library: Library,
}

impl Copy {
    pub fn from_update(update: &Update, number: u64) -> Copy {
        let whole: Whole = unpack(&update.bytes).unwrap();
        let peer = Peer { number, name: "ana".into() };
        let (mut replica, mut library) = Replica::from_genesis(&whole.genesis, peer).unwrap();
        if !whole.updates.is_empty() {
            let merged = replica.merge(&whole.updates, &library).unwrap();
            library.apply_all(&merged.edits).unwrap();
        }
        Copy { replica, library }
    }

    pub fn edit(&mut self, edit: Edit) -> Sent {
        let edits = [edit];
        self.library.apply_all(&edits).unwrap();
        self.replica.record(&edits, 0).unwrap();
        self.unsent().pop().unwrap()
    }

    /// All that the robot is not known to have.
    pub fn unsent(&self) -> Vec<Sent> {
        let desk = self.replica.peer().number;
        let sent = |unsent: &replica::Unsent| Sent {
            desk,
            number: unsent.number,
            refusals: 0,
            epoch: unsent.epoch,
            update: unsent.update.clone(),
        };
        self.replica.unsent().iter().map(sent).collect()
    }

    pub fn rename(&mut self, from: &str, to: &str) -> Sent {
        let main = self.library.main();
        let node = main.walk(main.root).find(|id| **main.node(*id).label() == *from).unwrap();
        self.edit(Edit::Rename { node, name: to.into() })
    }
}

pub fn run(control: Control) -> Want {
    Want::Run(control)
}

pub fn automatic() -> Want {
    run(Control::Automatic { on: true })
}

pub fn allowed(byte: u8, name: &str, rank: Rank) -> Allowed {
    Allowed { key: PublicKey([byte; 32]), name: name.to_owned(), rank }
}
