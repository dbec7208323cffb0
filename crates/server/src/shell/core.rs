//! The thread that has the operator, and what reaches it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use link::udp::UdpNode;
use protocol::Role;
use tokio::sync::{mpsc, oneshot};

use super::ServeError;
use super::inbox::Inbox;
use super::link_thread::{self, FromLink, LinkHandle};
use super::rehearsals::Rehearsals;
use crate::operator::{Effect, Frame, Now, Operator};
use crate::recall::Recall;
use crate::rehearsal::Rehearsed;
use crate::session::SessionId;
use crate::work::{Listing, Work, Worked};

/// Time passes for the operator at least this often.
const TICK: Duration = Duration::from_millis(10);
/// Long work that waits, of all clients; and lists of files.
const MOST_WORK: usize = 64;
const MOST_LISTS: usize = 64;

/// To one client.
#[derive(Debug)]
pub enum ToClient {
    Frame(Frame),
    /// It was let in.
    Welcome,
    /// Its token is nobody's.
    WrongToken,
    Close(u16, &'static str),
}

pub enum Input {
    Join {
        loopback: bool,
        bulk: bool,
        to: mpsc::UnboundedSender<ToClient>,
        id: oneshot::Sender<Option<SessionId>>,
    },
    Text(SessionId, String),
    /// A request that waits for nothing else that was asked.
    Order(SessionId, String),
    Sent(SessionId, usize),
    Leave(SessionId),
    Link(FromLink),
    /// Of others.
    Edits(Vec<Vec<u8>>),
    Worked(Worked),
    /// A preview told something.
    Rehearsed(u64, Rehearsed),
    /// Somebody stopped the robot without a socket.
    Stopped(String, Role),
    End,
}

pub struct Core {
    inbox: Arc<Inbox>,
    link: Option<LinkHandle>,
    ended: Arc<AtomicBool>,
    wanted: WantedRobot,
}

/// The file of the robot that all is to begin anew with.
type WantedRobot = Arc<Mutex<Option<PathBuf>>>;

impl Core {
    pub fn start(operator: Operator, node: Option<UdpNode>) -> Result<(Arc<Core>, Vec<JoinHandle<()>>), ServeError> {
        let inbox = Arc::new(Inbox::default());
        let mut threads = Vec::new();
        let link = match node {
            None => None,
            Some(node) => {
                let (handle, thread) = link_thread::start(node, Arc::clone(&inbox)).map_err(ServeError::Thread)?;
                threads.push(thread);
                Some(handle)
            }
        };
        let (works, work_thread) = worker("work", MOST_WORK, Arc::clone(&inbox), |work: Box<Work>| work.run())?;
        let (lists, list_thread) = worker("lists", MOST_LISTS, Arc::clone(&inbox), Listing::run)?;
        let recall = |recall: Box<Recall>| recall.run();
        let (recalls, recall_thread) = worker("recordings", MOST_LISTS, Arc::clone(&inbox), recall)?;
        let (replays, replay_thread) = worker("replays", MOST_LISTS, Arc::clone(&inbox), recall)?;
        threads.extend([work_thread, list_thread, recall_thread, replay_thread]);
        let (clients, wanted) = (BTreeMap::new(), WantedRobot::default());
        let (rehearsals, results) = (Rehearsals::default(), Arc::clone(&inbox));
        let outside = Outside {
            link: link.clone(),
            works,
            lists,
            recalls,
            replays,
            rehearsals,
            results,
            clients,
            start: Instant::now(),
            wanted: Arc::clone(&wanted),
        };
        let ended = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&ended);
        let inputs = Arc::clone(&inbox);
        let run = move || run(operator, &inputs, outside, &until);
        threads.push(std::thread::Builder::new().name("operator".to_owned()).spawn(run).map_err(ServeError::Thread)?);
        Ok((Arc::new(Core { inbox, link, ended, wanted }), threads))
    }

    /// Gives it back when there is no room now.
    pub fn give(&self, input: Input) -> Result<(), Input> {
        self.inbox.give(input)
    }

    /// Past everything that waits. False: there is no robot.
    pub fn stop_robot(&self) -> bool {
        if let Some(link) = &self.link {
            link.stop();
        }
        self.link.is_some()
    }

    pub fn wanted_robot(&self) -> Option<PathBuf> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(link) = &self.link {
            link.end();
        }
        let _ = self.inbox.give(Input::End);
    }
}

type Worker<T> = (SyncSender<T>, JoinHandle<()>);

/// A thread that does one thing after the other.
fn worker<T: Send + 'static>(
    name: &str,
    most: usize,
    results: Arc<Inbox>,
    run: impl Fn(T) -> Worked + Send + 'static,
) -> Result<Worker<T>, ServeError> {
    let (give, wanted) = sync_channel::<T>(most);
    let work = move || {
        while let Ok(work) = wanted.recv() {
            // There is room for it: what waits of it is bounded.
            let _ = results.give(Input::Worked(run(work)));
        }
    };
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(work).map_err(ServeError::Thread)?;
    Ok((give, thread))
}

/// All that effects need.
struct Outside {
    link: Option<LinkHandle>,
    works: SyncSender<Box<Work>>,
    lists: SyncSender<Listing>,
    /// Moments of recordings, and what takes longer.
    recalls: SyncSender<Box<Recall>>,
    replays: SyncSender<Box<Recall>>,
    rehearsals: Rehearsals,
    results: Arc<Inbox>,
    clients: BTreeMap<SessionId, mpsc::UnboundedSender<ToClient>>,
    start: Instant,
    wanted: WantedRobot,
}

fn run(mut operator: Operator, inputs: &Inbox, mut outside: Outside, ended: &AtomicBool) {
    let mut ticked = Instant::now();
    while !ended.load(Ordering::Relaxed) {
        let input = inputs.next(TICK.saturating_sub(ticked.elapsed()));
        let now = outside.now();
        if let Some(input) = input {
            let (edits, begun) = (matches!(input, Input::Edits(_)), Instant::now());
            outside.take(&mut operator, now, input);
            if edits {
                inputs.edits_took(begun.elapsed());
            }
        }
        if ticked.elapsed() >= TICK {
            ticked = Instant::now();
            operator.tick(now);
        }
        outside.act(&mut operator, now);
    }
}

impl Outside {
    fn now(&self) -> Now {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Now {
            ns: u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX),
            wall_ms: u64::try_from(wall.as_millis()).unwrap_or(u64::MAX),
        }
    }

    fn take(&mut self, operator: &mut Operator, now: Now, input: Input) {
        match input {
            Input::Join { loopback, bulk, to, id } => {
                let session = operator.join(now, loopback, bulk);
                if let Some(session) = session {
                    self.clients.insert(session, to);
                }
                if id.send(session).is_err()
                    && let Some(session) = session
                {
                    self.clients.remove(&session);
                    operator.leave(session);
                }
            }
            Input::Text(session, text) | Input::Order(session, text) => operator.text(now, session, &text),
            Input::Sent(session, bytes) => operator.sent(now, session, bytes),
            Input::Leave(session) => {
                self.clients.remove(&session);
                operator.leave(session);
                operator.tick(now);
            }
            Input::Link(FromLink::Edit(bytes)) => operator.edits(now, vec![bytes]),
            Input::Edits(edits) => operator.edits(now, edits),
            Input::Link(FromLink::Event(event)) => operator.link(now, *event),
            Input::Link(FromLink::Offered(tag, receipt)) => operator.offered(tag, receipt),
            Input::Link(FromLink::Status(status)) => operator.status(now, *status),
            Input::Worked(worked) => operator.done(now, worked),
            Input::Rehearsed(number, told) => operator.rehearsed(now, number, told),
            Input::Stopped(name, role) => operator.stopped_by(&name, role),
            Input::End => {}
        }
    }

    fn act(&mut self, operator: &mut Operator, now: Now) {
        loop {
            let effects = operator.take_effects();
            if effects.is_empty() {
                return;
            }
            for effect in effects {
                self.effect(operator, now, effect);
            }
        }
    }

    fn effect(&mut self, operator: &mut Operator, now: Now, effect: Effect) {
        match effect {
            Effect::Send { to, frame } => {
                if let Some(client) = self.clients.get(&to) {
                    // One that has left says so itself.
                    let _ = client.send(ToClient::Frame(frame));
                }
            }
            Effect::Welcome(to) => {
                if let Some(client) = self.clients.get(&to) {
                    let _ = client.send(ToClient::Welcome);
                }
            }
            Effect::WrongToken(to) => {
                if let Some(client) = self.clients.get(&to) {
                    let _ = client.send(ToClient::WrongToken);
                }
            }
            Effect::Close { to, code, why } => {
                if let Some(client) = self.clients.remove(&to) {
                    let _ = client.send(ToClient::Close(code, why));
                }
            }
            Effect::Offer { tag, flow, message } => match &self.link {
                Some(link) => link.offer(tag, flow, message),
                None => operator.offered(tag, Err("there is no link".to_owned())),
            },
            Effect::Work(work) => {
                let asked = work.asked;
                if self.works.try_send(work).is_err() {
                    operator.too_busy(now, asked);
                }
            }
            Effect::List(listing) => {
                let asked = Some((listing.session, listing.request));
                if self.lists.try_send(listing).is_err() {
                    operator.too_busy(now, asked);
                }
            }
            Effect::Recall(recall) => {
                let asked = Some(recall.asked());
                let to = if recall.is_long() { &self.replays } else { &self.recalls };
                if to.try_send(recall).is_err() {
                    operator.too_busy(now, asked);
                }
            }
            Effect::Rehearse(beginning) => self.rehearsals.begin(*beginning, &self.results),
            Effect::Rehearsal(number, order) => self.rehearsals.order(number, order),
            Effect::UseRobot(path) => *self.wanted.lock().unwrap_or_else(PoisonError::into_inner) = Some(path),
            Effect::Audit(line) => log(&line),
        }
    }
}

/// Who did what, for whoever looks after this machine. One line, whatever is in it.
fn log(line: &str) {
    tracing::info!(target: "operator", "{}", protocol::plain(line));
}
