//! An operator without sockets: what clients say goes in, what they hear comes out.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its part of this")]

pub mod copy;

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use link::{CommandId, DocumentNumber, DocumentStatus, Event, LinkStatus, Message, Outcome, Quality, Receipt, Stream};
use model::file::{Files, MemoryFiles, load};
use protocol::Role;
use protocol::api::FileEntry;
use protocol::talk::{Demand, News, Reply, Sent, ToRobot, Update, Whole, pack, pieces, unpack};
use replica::{Peer, Unsent};
use robot::Robot;
use serde_json::{Value as Json, json};
use server::{
    Effect, Frame, Now, Operator, Outbox, Rehearsal, RehearsalOrder, Rehearsed, SessionId, Setup, Shared, Store, Tag,
    Tokens, token_line,
};

pub const TREE: &str = r#"{"version": 1, "name": "Main", "children": [
  {"type": "wait", "name": "First", "duration_s": 1},
  {"type": "sequence", "name": "Group", "children": [{"type": "log", "name": "Say", "text": "hi"}]},
  {"type": "skill", "name": "Use", "file": "skills/nod.json"}
]}"#;
pub const SKILL: &str = r#"{"version": 1, "name": "Nod", "inputs": {"times": {"default": 1}}, "children": [
  {"type": "wait", "name": "Inside", "duration_s": 2}
]}"#;

/// Files in memory, which fail when told to.
#[derive(Clone, Default)]
pub struct Memory {
    pub files: Arc<Mutex<BTreeMap<String, String>>>,
    pub full: Arc<Mutex<bool>>,
}

impl Memory {
    pub fn text(&self, file: &str) -> Option<String> {
        self.files.lock().unwrap().get(file).cloned()
    }

    pub fn put(&self, file: &str, text: &str) {
        self.files.lock().unwrap().insert(file.to_owned(), text.to_owned());
    }
}

impl Files for Memory {
    fn read(&self, path: &str) -> Result<String, String> {
        self.text(path).ok_or_else(|| format!("there is no file {path}"))
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        MemoryFiles(self.files.lock().unwrap().clone()).names_in(folder)
    }
}

impl Store for Memory {
    fn list(&self) -> io::Result<Vec<FileEntry>> {
        let files = self.files.lock().unwrap();
        Ok(files.keys().map(|file| FileEntry { file: file.clone(), skill: file.starts_with("skills/") }).collect())
    }

    fn lister(&self) -> Box<dyn FnOnce() -> io::Result<Vec<FileEntry>> + Send> {
        let store = self.clone();
        Box::new(move || store.list())
    }

    fn exists(&self, file: &str) -> bool {
        self.files.lock().unwrap().contains_key(file)
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        if *self.full.lock().unwrap() {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no space left on device"));
        }
        self.put(file, text);
        Ok(())
    }

    fn rename(&self, file: &str, to: &str) -> io::Result<()> {
        let mut files = self.files.lock().unwrap();
        let text = files.remove(file).ok_or(io::ErrorKind::NotFound)?;
        assert!(files.insert(to.to_owned(), text).is_none(), "{to} was there");
        Ok(())
    }

    fn remove(&self, file: &str) -> io::Result<()> {
        let mut files = self.files.lock().unwrap();
        let text = files.remove(file).ok_or(io::ErrorKind::NotFound)?;
        files.insert(format!("{file}~"), text);
        Ok(())
    }

    fn make_folder(&self, _folder: &str) -> io::Result<()> {
        Ok(())
    }

    fn reader(&self) -> Box<dyn Files + Send> {
        let files = self.files.lock().unwrap().clone();
        Box::new(MemoryFiles(files))
    }
}

/// Unsent edits of operator processes one after the other.
#[derive(Clone, Default)]
pub struct Unsents(pub Arc<Mutex<Vec<Unsent>>>, pub Arc<Mutex<Vec<Unsent>>>);

impl Outbox for Unsents {
    fn desk(&self) -> u64 {
        11
    }

    fn load(&mut self) -> Vec<Unsent> {
        self.0.lock().unwrap().clone()
    }

    fn add(&mut self, edit: &Unsent) -> io::Result<()> {
        self.0.lock().unwrap().push(edit.clone());
        Ok(())
    }

    fn replace(&mut self, edits: &[Unsent]) -> io::Result<()> {
        *self.0.lock().unwrap() = edits.to_vec();
        Ok(())
    }

    fn put_aside(&mut self, edits: &[Unsent]) -> io::Result<String> {
        self.1.lock().unwrap().extend(edits.to_vec());
        Ok("put aside".to_owned())
    }
}

pub struct Desk {
    pub operator: Operator,
    pub store: Memory,
    pub now: Now,
    pub offers: Vec<(Tag, Message)>,
    pub closed: Vec<(SessionId, &'static str)>,
    pub strangers: Vec<SessionId>,
    pub audit: Vec<String>,
    pub heard: BTreeMap<SessionId, Vec<Json>>,
    pub states: BTreeMap<SessionId, Vec<Vec<u8>>>,
    /// Sockets that take nothing: what goes to them stays on its way.
    pub slow: Vec<SessionId>,
    pub status: LinkStatus,
    pub robot: Option<Shared>,
    pub unsents: Unsents,
    /// Edits the robot has decided.
    pub decided: u64,
    /// Previews, without their threads.
    pub rehearsals: BTreeMap<u64, Rehearsal>,
    peer: u64,
    next_command: u64,
    next_number: [u64; 4],
    next_request: u32,
}

pub fn tokens() -> Tokens {
    let people =
        [("watch", Role::Observer, "Olga"), ("work", Role::Operator, "Otto"), ("boss", Role::Supervisor, "Susi")];
    let lines: String = people.iter().map(|(token, role, name)| token_line(token, *role, name)).collect();
    Tokens::parse(&lines).unwrap()
}

pub fn peer(number: u64) -> Peer {
    Peer { number, name: format!("peer {number}").into() }
}

impl Desk {
    /// Only the tree.
    pub fn alone() -> Desk {
        Desk::with(Tokens::default(), false)
    }

    /// With a robot that has the same behavior open.
    pub fn with_robot() -> Desk {
        let mut desk = Desk::with(Tokens::default(), true);
        desk.connect(true);
        desk
    }

    /// With a link that has little room, and bytes that it may cost.
    pub fn narrow(budget_bytes: Option<u64>) -> Desk {
        Desk::of(Tokens::default(), true, (Unsents::default(), 11), (true, budget_bytes))
    }

    pub fn with(tokens: Tokens, has_link: bool) -> Desk {
        Desk::of(tokens, has_link, (Unsents::default(), 11), (false, None))
    }

    /// The operator process is killed, and another takes its place. Its robot is not connected yet.
    pub fn restarted(self) -> Desk {
        let mut desk = Desk::of(Tokens::default(), true, (self.unsents, self.peer + 1), (false, None));
        (desk.robot, desk.decided) = (self.robot, self.decided);
        desk
    }

    fn of(
        tokens: Tokens,
        has_link: bool,
        (unsents, number): (Unsents, u64),
        (narrow, budget_bytes): (bool, Option<u64>),
    ) -> Desk {
        let store = Memory::default();
        store.put("main.json", TREE);
        store.put("skills/nod.json", SKILL);
        let registry = nodes::registry();
        let library = load("main.json", &store, registry.catalogue()).unwrap().library;
        let setup = Setup {
            registry,
            store: Box::new(store.clone()),
            tokens,
            outbox: Box::new(unsents.clone()),
            peer: peer(number),
            library,
            robot: Robot::builtin("coact-mini").map(Arc::new),
            has_link,
            simulated: true,
            scenes: Vec::new(),
            budget_bytes,
            narrow,
            recordings: None,
            trials: None,
            workshop: None,
            meshes: None,
        };
        Desk {
            operator: Operator::new(setup).unwrap(),
            store,
            now: Now { ns: 1_000_000_000, wall_ms: 1_700_000_000_000 },
            offers: Vec::new(),
            closed: Vec::new(),
            strangers: Vec::new(),
            audit: Vec::new(),
            heard: BTreeMap::new(),
            states: BTreeMap::new(),
            slow: Vec::new(),
            status: status(Quality::NotConnected),
            robot: None,
            unsents,
            decided: 0,
            rehearsals: BTreeMap::new(),
            peer: number,
            next_command: 0,
            next_number: [0; 4],
            next_request: 0,
        }
    }

    /// A robot appears, started anew if `fresh`; it has the same behavior of epoch 7 as it had before.
    pub fn connect(&mut self, fresh: bool) {
        self.status.quality = Quality::Good;
        self.operator.link(self.now, Event::Connected { peer: None, resumed: !fresh });
        self.settle();
        self.tell_status();
        if fresh {
            self.status.documents = [DocumentStatus::default(); 4];
            self.next_number = [0; 4];
            if self.robot.is_none() {
                self.robot = Some(self.robot_like(7));
            }
            let whole = self.robot.as_ref().unwrap().whole().unwrap();
            self.send_whole(&whole);
        }
    }

    /// A robot that has opened the same behavior.
    pub fn robot_like(&self, epoch: u64) -> Shared {
        let registry = nodes::registry();
        let library = load("main.json", &self.store, registry.catalogue()).unwrap().library;
        Shared::new(library, registry, peer(99), epoch).unwrap()
    }

    pub fn send_whole(&mut self, whole: &Whole) {
        let epoch = self.robot.as_ref().map_or(7, Shared::epoch);
        let whole = Whole { decided: vec![(11, self.decided)], ..whole.clone() };
        let update = Update { epoch, bytes: pack(&whole) };
        for bytes in pieces(&update.to_bytes()) {
            self.operator.link(self.now, Event::Document { stream: Stream::Snapshot, bytes });
        }
        self.settle();
    }

    /// The robot tells something of the tree.
    pub fn news(&mut self, news: &News) {
        self.operator.link(self.now, Event::Document { stream: Stream::Edits, bytes: pack(news) });
        self.settle();
    }

    /// The robot takes what was sent to it and has it on disk.
    pub fn take_edits(&mut self) {
        let sent = self.updates();
        let Some(last) = sent.last().map(|sent| sent.number) else { return };
        let robot = self.robot.as_mut().unwrap();
        let epoch = robot.epoch();
        for sent in sent.iter().filter(|sent| sent.number > self.decided && sent.epoch == epoch) {
            robot.merge(&sent.update).unwrap();
        }
        self.decided = last;
        self.news(&News::Kept { number: last });
    }

    pub fn hello(&mut self, name: &str) -> SessionId {
        let id = self.operator.join(self.now, true, false).unwrap();
        let reply = self.ask(id, json!({"ask": "hello", "version": protocol::api::VERSION, "name": name}));
        assert_eq!(reply["ok"]["is"], "welcome", "{reply}");
        id
    }

    pub fn hello_with(&mut self, token: &str) -> SessionId {
        let id = self.operator.join(self.now, false, false).unwrap();
        let reply = self.ask(id, json!({"ask": "hello", "version": protocol::api::VERSION, "token": token}));
        assert_eq!(reply["ok"]["is"], "welcome", "{reply}");
        id
    }

    /// In a window that was here before, or with no secret a new one; gives its secret, too.
    pub fn hello_in(&mut self, name: &str, secret: Option<&str>) -> (SessionId, String) {
        let id = self.operator.join(self.now, true, false).unwrap();
        let reply =
            self.ok(id, json!({"ask": "hello", "version": protocol::api::VERSION, "name": name, "session": secret}));
        (id, reply["session"].as_str().unwrap().to_owned())
    }

    /// As people see it.
    pub fn session_of(&mut self, id: SessionId) -> u64 {
        self.pass(100);
        let people = self.last_push(id, "people");
        let me = people["people"].as_array().unwrap().iter().find(|person| person["me"] == true).cloned().unwrap();
        u64::from_str_radix(me["session"].as_str().unwrap(), 16).unwrap()
    }

    /// Says something and gives the number of the request.
    pub fn say(&mut self, from: SessionId, mut ask: Json) -> u32 {
        self.next_request += 1;
        ask["id"] = json!(self.next_request);
        self.operator.text(self.now, from, &ask.to_string());
        self.settle();
        self.next_request
    }

    pub fn reply(&self, to: SessionId, request: u32) -> Option<Json> {
        self.heard.get(&to)?.iter().find(|message| message["reply"] == json!(request)).cloned()
    }

    /// Asks and gives the reply, which must be there at once.
    pub fn ask(&mut self, from: SessionId, ask: Json) -> Json {
        let request = self.say(from, ask.clone());
        self.reply(from, request).unwrap_or_else(|| panic!("no reply to {ask}"))
    }

    pub fn ok(&mut self, from: SessionId, ask: Json) -> Json {
        let reply = self.ask(from, ask.clone());
        assert!(reply.get("error").is_none(), "{ask}: {reply}");
        reply["ok"].clone()
    }

    pub fn refused(&mut self, from: SessionId, ask: Json) -> (String, String) {
        let reply = self.ask(from, ask.clone());
        let error = reply.get("error").unwrap_or_else(|| panic!("{ask}: {reply}"));
        (error["code"].as_str().unwrap().to_owned(), error["text"].as_str().unwrap().to_owned())
    }

    pub fn edit(&mut self, from: SessionId, operation: Json) -> Json {
        self.ok(from, json!({"ask": "edit", "operation": operation}))
    }

    pub fn document(&mut self, from: SessionId) -> Json {
        self.ok(from, json!({"ask": "document"}))
    }

    /// The id of the node of a name.
    pub fn id(&mut self, from: SessionId, name: &str) -> String {
        let document = self.document(from);
        let node = document["nodes"].as_array().unwrap().iter().find(|node| node["name"] == name);
        node.unwrap_or_else(|| panic!("no {name}"))["id"].as_str().unwrap().to_owned()
    }

    pub fn setting(&mut self, from: SessionId, name: &str, field: &str) -> Json {
        let document = self.document(from);
        let node = document["nodes"].as_array().unwrap().iter().find(|node| node["name"] == name).cloned();
        node.unwrap_or_default()["settings"][field].clone()
    }

    /// Everything of this kind that was pushed since it was last asked.
    pub fn pushes(&mut self, to: SessionId, kind: &str) -> Vec<Json> {
        let heard = self.heard.entry(to).or_default();
        let (wanted, rest) = std::mem::take(heard).into_iter().partition(|message| message["push"] == kind);
        *heard = rest;
        wanted
    }

    pub fn last_push(&mut self, to: SessionId, kind: &str) -> Json {
        self.pushes(to, kind).pop().unwrap_or_else(|| panic!("no {kind} was pushed"))
    }

    pub fn pass(&mut self, ms: u64) {
        self.now.ns += ms * 1_000_000;
        self.now.wall_ms += ms;
        self.operator.tick(self.now);
        self.settle();
    }

    pub fn tell_status(&mut self) {
        self.operator.status(self.now, self.status.clone());
        self.settle();
    }

    /// The other end of the link has everything that was given to it.
    pub fn acknowledge(&mut self) {
        for (index, status) in self.status.documents.iter_mut().enumerate() {
            status.acknowledged = self.next_number[index];
        }
        self.tell_status();
    }

    pub fn orders(&self) -> Vec<Demand> {
        let bytes = self.offers.iter().filter_map(|(_, message)| match message {
            Message::Command { bytes, .. } => Some(bytes),
            _ => None,
        });
        bytes.map(|bytes| Demand::from_bytes(bytes).unwrap()).collect()
    }

    pub fn answer(&mut self, reply: &Reply) {
        let outcome = Outcome::Answered(serde_json::to_vec(reply).unwrap());
        self.end_command(outcome);
    }

    /// Of the newest command.
    pub fn end_command(&mut self, outcome: Outcome) {
        let id = CommandId(self.next_command);
        self.operator.link(self.now, Event::Answered { id, outcome });
        self.settle();
    }

    /// Updates of the tree on their way to the robot.
    pub fn updates(&self) -> Vec<Sent> {
        let bytes = self.offers.iter().filter_map(|(_, message)| match message {
            Message::Document { stream: Stream::Edits, bytes } => Some(bytes),
            _ => None,
        });
        let edit = |message: ToRobot| match message {
            ToRobot::Edit(sent) => Some(sent),
            ToRobot::SendTree => None,
        };
        bytes.filter_map(|bytes| edit(unpack(bytes).unwrap())).collect()
    }

    /// So many ticks of every preview.
    pub fn rehearse(&mut self, ticks: u64) {
        let mut told = Vec::new();
        for (number, rehearsal) in &mut self.rehearsals {
            (0..ticks).for_each(|_| rehearsal.tick());
            told.push((*number, Rehearsed::Seen(Box::new(rehearsal.take_seen()))));
        }
        for (number, seen) in told {
            self.operator.rehearsed(self.now, number, seen);
            self.settle();
        }
    }

    /// Does what is to be done outside.
    pub fn settle(&mut self) {
        loop {
            let effects = self.operator.take_effects();
            if effects.is_empty() {
                return;
            }
            for effect in effects {
                self.effect(effect);
            }
        }
    }

    fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::Send { to, frame } => {
                let bytes = frame.len();
                match frame {
                    Frame::Text(text) => {
                        self.heard.entry(to).or_default().push(serde_json::from_str(&text).unwrap());
                    }
                    Frame::Binary(bytes) => self.states.entry(to).or_default().push(bytes),
                }
                if !self.slow.contains(&to) {
                    self.operator.sent(self.now, to, bytes);
                }
            }
            Effect::Welcome(_) | Effect::UseRobot(_) => {}
            Effect::WrongToken(from) => self.strangers.push(from),
            Effect::Close { to, why, .. } => self.closed.push((to, why)),
            Effect::Offer { tag, message, .. } => {
                let receipt = match &message {
                    Message::Command { .. } => {
                        self.next_command += 1;
                        Receipt::Command(CommandId(self.next_command))
                    }
                    Message::Document { stream, .. } => {
                        let number = &mut self.next_number[Stream::ALL.iter().position(|each| each == stream).unwrap()];
                        *number += 1;
                        Receipt::Document(*stream, DocumentNumber(*number))
                    }
                    _ => Receipt::None,
                };
                self.offers.push((tag, message));
                self.operator.offered(tag, Ok(receipt));
            }
            Effect::Work(work) => {
                let worked = work.run();
                self.operator.done(self.now, worked);
            }
            Effect::Recall(recall) => {
                let worked = recall.run();
                self.operator.done(self.now, worked);
            }
            Effect::List(listing) => {
                let worked = listing.run();
                self.operator.done(self.now, worked);
            }
            Effect::Rehearse(beginning) => {
                let number = beginning.number;
                self.rehearsals.insert(number, Rehearsal::begin(*beginning).unwrap());
            }
            Effect::Rehearsal(number, RehearsalOrder::End) => drop(self.rehearsals.remove(&number)),
            Effect::Rehearsal(number, order) => {
                if let Some(rehearsal) = self.rehearsals.get_mut(&number) {
                    rehearsal.take(order);
                }
            }
            Effect::Audit(line) => self.audit.push(line),
        }
    }
}

pub fn status(quality: Quality) -> LinkStatus {
    LinkStatus {
        quality,
        peer: None,
        silent_ns: None,
        round_trip_ns: Some(2_000_000),
        loss: 0.0,
        clock_ahead_ns: None,
        clock_error_ns: None,
        robot_age_ns: Some(20_000_000),
        run_age_ns: None,
        stop_pending: false,
        commands_open: 0,
        documents: [DocumentStatus::default(); 4],
        keyed_waiting: 0,
        keyed_dropped: 0,
        channels_up: vec![true],
        channels: vec![link::ChannelTraffic::default()],
    }
}
