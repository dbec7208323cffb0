//! An operator process in simulated time, with its files, its end of the link and the sockets of its people.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex};

use link::{Endpoint, Event, LinkConfig, LinkStatus, PublicKey, SecretKey, Security, Side};
use model::file::{Files, MemoryFiles};
use model::{Library, NodeId};
use protocol::api::FileEntry;
use replica::{Peer, Unsent};
use serde_json::Value as Json;
use server::{Effect, Flow, Frame, Now, Operator, Outbox, SessionId, Setup, Store, Tokens};
use testkit::shaped::{Dice, MS};

use super::net::{Address, Net, Way};
use super::onboard_life::seed;

/// The folder of behaviors, which outlives the process.
#[derive(Clone, Default)]
pub struct Folder(Arc<Mutex<BTreeMap<String, String>>>);

impl Files for Folder {
    fn read(&self, path: &str) -> Result<String, String> {
        self.0.lock().unwrap().get(path).cloned().ok_or_else(|| format!("there is no file {path}"))
    }
}

impl Store for Folder {
    fn list(&self) -> io::Result<Vec<FileEntry>> {
        let files = self.0.lock().unwrap();
        Ok(files.keys().map(|file| FileEntry { file: file.clone(), skill: false }).collect())
    }

    fn exists(&self, file: &str) -> bool {
        self.0.lock().unwrap().contains_key(file)
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        self.0.lock().unwrap().insert(file.to_owned(), text.to_owned());
        Ok(())
    }

    fn rename(&self, file: &str, to: &str) -> io::Result<()> {
        let mut files = self.0.lock().unwrap();
        let text = files.remove(file).ok_or(io::ErrorKind::NotFound)?;
        files.insert(to.to_owned(), text);
        Ok(())
    }

    fn remove(&self, file: &str) -> io::Result<()> {
        self.0.lock().unwrap().remove(file).map(|_| ()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn make_folder(&self, _folder: &str) -> io::Result<()> {
        Ok(())
    }

    fn lister(&self) -> Box<dyn FnOnce() -> io::Result<Vec<FileEntry>> + Send> {
        let folder = self.clone();
        Box::new(move || folder.list())
    }

    fn reader(&self) -> Box<dyn Files + Send> {
        Box::new(MemoryFiles(self.0.lock().unwrap().clone()))
    }
}

/// Edits that the robot does not have yet, which outlive the process too.
#[derive(Clone, Default)]
struct Unsents {
    desk: u64,
    edits: Arc<Mutex<Vec<Unsent>>>,
}

impl Outbox for Unsents {
    fn desk(&self) -> u64 {
        self.desk
    }

    fn load(&mut self) -> Vec<Unsent> {
        self.edits.lock().unwrap().clone()
    }

    fn add(&mut self, edit: &Unsent) -> io::Result<()> {
        self.edits.lock().unwrap().push(edit.clone());
        Ok(())
    }

    fn replace(&mut self, edits: &[Unsent]) -> io::Result<()> {
        *self.edits.lock().unwrap() = edits.to_vec();
        Ok(())
    }

    fn put_aside(&mut self, edits: &[Unsent]) -> io::Result<String> {
        Ok(format!("{} edits are put aside", edits.len()))
    }
}

/// The thread of the link is ahead of the operator's by up to this time: what it has heard waits there.
const AHEAD_MS: u64 = 60;

struct Life {
    operator: Operator,
    end: Endpoint,
    flow: Flow,
    unheard: VecDeque<(u64, Event)>,
    told: Option<(u64, LinkStatus)>,
    heard: Vec<(SessionId, Json)>,
    closed: Vec<SessionId>,
}

/// What stays where it is when the process is killed.
pub struct Station {
    pub index: usize,
    pub lives: u32,
    secret: SecretKey,
    robot: PublicKey,
    tokens: Tokens,
    folder: Folder,
    unsents: Unsents,
    life: Option<Life>,
}

impl Station {
    pub fn new(index: usize, secret: SecretKey, robot: PublicKey, tokens: Tokens) -> Station {
        let unsents = Unsents { desk: 1 + index as u64, ..Unsents::default() };
        Station { index, lives: 0, secret, robot, tokens, folder: Folder::default(), unsents, life: None }
    }

    pub fn start(&mut self, dice: &mut Dice) {
        self.lives += 1;
        let security = Security::Sealed { secret: self.secret.clone(), peers: vec![self.robot] };
        let setup = Setup {
            registry: nodes::registry(),
            store: Box::new(self.folder.clone()),
            tokens: self.tokens.clone(),
            outbox: Box::new(self.unsents.clone()),
            peer: Peer { number: dice.roll() | 1, name: "operator".into() },
            library: server::empty("behavior.json"),
            robot: robot::Robot::builtin("coact-mini").map(Arc::new),
            has_link: true,
            simulated: true,
            scenes: Vec::new(),
            budget_bytes: None,
            narrow: false,
            recordings: None,
            trials: None,
            workshop: None,
            meshes: None,
        };
        self.life = Some(Life {
            operator: Operator::new(setup).unwrap(),
            end: Endpoint::new(
                LinkConfig::wide(Side::Connects, security, seed(dice)).packed(protocol::report::PACKING),
            )
            .unwrap(),
            flow: Flow::default(),
            unheard: VecDeque::new(),
            told: None,
            heard: Vec::new(),
            closed: Vec::new(),
        });
    }

    pub fn kill(&mut self) {
        self.life = None;
    }

    pub fn is_alive(&self) -> bool {
        self.life.is_some()
    }

    pub fn address(&self) -> Address {
        Address { station: self.index, life: self.lives }
    }

    pub fn library(&self) -> Option<&Library> {
        self.life.as_ref().map(|life| life.operator.shared().document().library())
    }

    pub fn has(&self, node: NodeId) -> bool {
        self.library().is_some_and(|library| library.owner_of(node).is_some())
    }

    pub fn receive(&mut self, now_ns: u64, to: Address, bytes: &[u8]) {
        if to == self.address()
            && let Some(life) = &mut self.life
        {
            life.end.receive(now_ns, bytes);
        }
    }

    pub fn tick(&mut self, now_ns: u64, net: &mut Net, dice: &mut Dice) {
        let address = self.address();
        let Some(life) = &mut self.life else { return };
        for event in life.end.take_events() {
            life.flow.heard(&event);
            life.unheard.push_back((now_ns + dice.below(AHEAD_MS) * MS, event));
        }
        while let Some((_, event)) = life.unheard.pop_front_if(|(due_ns, _)| *due_ns <= now_ns) {
            life.operator.link(now(now_ns), event);
            life.settle(now_ns);
        }
        life.tell_status(now_ns);
        life.operator.tick(now(now_ns));
        life.settle(now_ns);
        while let Some(datagram) = life.end.poll(now_ns) {
            net.send(now_ns, Way::ToRobot(address), datagram.bytes);
        }
    }

    pub fn join(&mut self, now_ns: u64) -> Option<SessionId> {
        self.life.as_mut()?.operator.join(now(now_ns), false, false)
    }

    pub fn leave(&mut self, now_ns: u64, session: SessionId) {
        if let Some(life) = &mut self.life {
            life.operator.leave(session);
            life.settle(now_ns);
        }
    }

    pub fn say(&mut self, now_ns: u64, session: SessionId, ask: &Json) {
        if let Some(life) = &mut self.life {
            life.operator.text(now(now_ns), session, &ask.to_string());
            life.settle(now_ns);
        }
    }

    pub fn take_heard(&mut self) -> Vec<(SessionId, Json)> {
        self.life.as_mut().map(|life| std::mem::take(&mut life.heard)).unwrap_or_default()
    }

    pub fn take_closed(&mut self) -> Vec<SessionId> {
        self.life.as_mut().map(|life| std::mem::take(&mut life.closed)).unwrap_or_default()
    }
}

impl Life {
    fn tell_status(&mut self, now_ns: u64) {
        let status = self.end.status(now_ns);
        let news = |(at_ns, before): &(u64, LinkStatus)| {
            now_ns - at_ns >= 100 * MS
                || before.quality != status.quality
                || before.stop_pending != status.stop_pending
                || before.documents != status.documents
        };
        if self.told.as_ref().is_none_or(news) {
            self.told = Some((now_ns, status.clone()));
            self.operator.status(now(now_ns), status);
            self.settle(now_ns);
        }
    }

    fn settle(&mut self, now_ns: u64) {
        loop {
            let effects = self.operator.take_effects();
            if effects.is_empty() {
                return;
            }
            effects.into_iter().for_each(|effect| self.effect(now_ns, effect));
        }
    }

    fn effect(&mut self, now_ns: u64, effect: Effect) {
        match effect {
            Effect::Send { to, frame } => {
                let bytes = frame.len();
                if let Frame::Text(text) = frame {
                    self.heard.push((to, serde_json::from_str(&text).unwrap()));
                }
                self.operator.sent(now(now_ns), to, bytes);
            }
            Effect::Close { to, .. } => self.closed.push(to),
            Effect::Offer { tag, flow, message } => {
                let message = self.flow.take(flow, message);
                let receipt =
                    message.and_then(|message| self.end.offer(now_ns, message).map_err(|error| error.to_string()));
                self.operator.offered(tag, receipt);
            }
            Effect::Work(work) => self.operator.done(now(now_ns), work.run()),
            Effect::Recall(recall) => self.operator.done(now(now_ns), recall.run()),
            Effect::List(listing) => self.operator.done(now(now_ns), listing.run()),
            Effect::Rehearse(_) | Effect::Rehearsal(..) => unreachable!("nobody previews here"),
            Effect::Welcome(_) | Effect::WrongToken(_) | Effect::Audit(_) | Effect::UseRobot(_) => {}
        }
    }
}

fn now(now_ns: u64) -> Now {
    Now { ns: now_ns, wall_ms: 1_800_000_000_000 + now_ns / MS }
}
