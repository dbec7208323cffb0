//! The robot process in real time: one thread ticks, one deals with people, one has the network and one the disk. They
//! meet in a few places that are held for moments only, so that none waits for another's work.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, MutexGuard};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant, SystemTime};

use link::udp::{ChannelAddress, PeerId, UdpError, UdpNode, Waker};
use link::{Event, LinkConfig, Message, OfferError, Quality, Stream};
use protocol::report::PACKING;
use protocol::talk::NoteKind;
use site::{Heard as Overheard, Pace, Ticks};
use thiserror::Error;

use crate::audit::Now;
use crate::desk::{Desk, LinkFact, Saves};
use crate::disk::Store;
use crate::overruns::Overruns;
use crate::runner::{Inbox, Runner, note};
use crate::seen::Ticked;

/// The desk looks by itself this often, and this often while something is gathered that is to be told soon.
const DESK: Duration = Duration::from_millis(100);
const DESK_SOON: Duration = Duration::from_millis(20);
/// While edits wait for room in the engine's next tick.
const DESK_EDITS: Duration = Duration::from_millis(2);
/// The desk merges edits for so long, then hears whoever commands; one edit at least.
const TURN: Duration = Duration::from_millis(10);
const LINK: Duration = Duration::from_millis(100);

/// What waits for the desk; what comes beyond it waits in the link.
const HEARD: usize = 4_096;
const DISK: usize = 64;

/// After Ctrl-C the robot gets so long to come to rest.
const REST: Duration = Duration::from_secs(10);
const REST_TICKS: u64 = 20;

/// A disk that failed is tried again after this time.
const DISK_AGAIN: Duration = Duration::from_secs(5);

#[derive(Debug, Error)]
pub enum ServeError {
    #[error(transparent)]
    Udp(#[from] UdpError),
    #[error("{0}")]
    Runner(String),
    #[error("a thread cannot be started: {0}")]
    Thread(std::io::Error),
    #[error("a part of the robot process failed; the robot was stopped")]
    Failed,
}

/// A robot process.
pub struct RobotProcess {
    pub desk: Desk,
    pub link: LinkConfig,
    pub addresses: Vec<ChannelAddress>,
    pub rate_hz: f64,
    /// None: nothing outlives the process.
    pub store: Option<Store>,
    /// Called in the thread that ticks: a simulator need not be fit to change threads.
    pub runner: Box<dyn FnOnce() -> Result<Runner, String> + Send>,
}

/// Where the threads meet.
struct Between {
    inbox: Mutex<Inbox>,
    outbox: Mutex<Ticked>,
    outgoing: Mutex<Vec<Outgoing>>,
    /// For the record of the run.
    overheard: Mutex<Vec<Overheard>>,
    start: Instant,
    /// The version of the tree that is on disk.
    kept_version: AtomicU64,
    /// A thread has failed: the robot must stop, and the process end.
    broken: AtomicBool,
    /// The robot is at rest, and nobody needs the others any more.
    over: AtomicBool,
}

enum Outgoing {
    Message(PeerId, Message),
    Forget(PeerId),
}

enum Heard {
    Event {
        from: PeerId,
        event: Event,
        at: Now,
        stops: u64,
    },
    Links(Vec<LinkFact>),
    Gone(PeerId),
    /// The engine has something to tell.
    Poke,
    Disk(String),
}

impl Between {
    fn now(&self) -> Now {
        let unix = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Now { ns: self.start.elapsed().as_nanos() as u64, unix_ms: unix.as_millis() as u64 }
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Runs until `ended` is set, then stops the robot and ends. `ready` is told where it listens.
pub fn serve(plan: RobotProcess, ended: &AtomicBool, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let RobotProcess { desk, link, addresses, rate_hz, store, runner } = plan;
    let node = UdpNode::new(link.packed(PACKING), &addresses)?;
    let between = Between {
        inbox: Mutex::default(),
        outbox: Mutex::default(),
        outgoing: Mutex::default(),
        overheard: Mutex::default(),
        start: Instant::now(),
        kept_version: AtomicU64::new(0),
        broken: AtomicBool::new(false),
        over: AtomicBool::new(false),
    };
    let between = &between;
    let (tell, heard) = sync_channel(HEARD);
    let (save, saves) = sync_channel(DISK);
    let (started, starts) = sync_channel(1);
    let (waker, address) = (node.waker(), node.local_address(0));
    std::thread::scope(|scope| {
        let poke = tell.clone();
        let threads = Threads { scope, broken: &between.broken };
        let engine = move || run_engine(runner, between, rate_hz, ended, (&poke, &started));
        let engine = threads.spawn("engine", engine)?;
        let began = starts.recv().unwrap_or_else(|_| Err("the thread of the engine ended".to_owned()));
        let rest = began.map_err(ServeError::Runner).and_then(|()| {
            let told = tell.clone();
            let others = [
                threads.spawn("desk", move || run_desk(desk, between, &heard, (&waker, &save)))?,
                threads.spawn("link", move || run_link(node, between, &tell))?,
                threads.spawn("disk", move || run_disk(store, between, &saves, &told))?,
            ];
            if let Some(address) = address {
                ready(address);
            }
            Ok(others)
        });
        if rest.is_err() {
            between.over.store(true, Ordering::Relaxed);
        }
        let mut well = engine.join().is_ok();
        between.over.store(true, Ordering::Relaxed);
        for thread in rest? {
            well &= thread.join().is_ok();
        }
        if well { Ok(()) } else { Err(ServeError::Failed) }
    })
}

struct Threads<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    broken: &'scope AtomicBool,
}

/// A robot that half works must not go on: it stops, the process ends, and whoever watches it starts it again.
struct Tell<'a>(&'a AtomicBool);

impl Drop for Tell<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl<'scope> Threads<'scope, '_> {
    fn spawn(
        &self,
        name: &str,
        work: impl FnOnce() + Send + 'scope,
    ) -> Result<ScopedJoinHandle<'scope, ()>, ServeError> {
        let broken = self.broken;
        let watched = move || {
            let _tell = Tell(broken);
            work();
        };
        let builder = std::thread::Builder::new().name(name.to_owned());
        builder.spawn_scoped(self.scope, watched).map_err(ServeError::Thread)
    }
}

fn run_engine(
    runner: Box<dyn FnOnce() -> Result<Runner, String> + Send>,
    between: &Between,
    rate_hz: f64,
    ended: &AtomicBool,
    (poke, started): (&SyncSender<Heard>, &SyncSender<Result<(), String>>),
) {
    let mut runner = match runner() {
        Ok(runner) => runner,
        Err(why) => {
            let _ = started.send(Err(why));
            return;
        }
    };
    let _ = started.send(Ok(()));
    let mut ticks: u64 = 0;
    let mut resting: Option<(Instant, u64)> = None;
    let mut overruns = Overruns::new(rate_hz);
    let pace = if runner.can_wait() { Pace::Patient } else { Pace::Latest };
    Ticks::new(rate_hz, pace).run(ended, |time_ns| {
        if between.is_over() {
            return false;
        }
        ticks += 1;
        let ends = ended.load(Ordering::Relaxed) || between.broken.load(Ordering::Relaxed);
        if ends && resting.is_none() {
            lock(&between.inbox).press_stop();
            resting = Some((Instant::now(), ticks));
        }
        let inbox = {
            let mut inbox = lock(&between.inbox);
            inbox.edits_a_tick = runner.edits_a_tick();
            inbox.take()
        };
        std::mem::take(&mut *lock(&between.overheard)).into_iter().for_each(|heard| runner.hear(heard));
        let ticked = Instant::now();
        let mut seen = runner.tick(time_ns, inbox);
        let took_ns = if seen.world_anew { 0 } else { ticked.elapsed().as_nanos() as u64 };
        if let Some((late, warning)) = overruns.ticked(time_ns, took_ns) {
            seen.late = Some(late);
            if let Some(text) = warning {
                tracing::warn!(target: "robot", "{text}");
                seen.happened(note(time_ns, NoteKind::Warning, &text));
            }
        }
        let news = seen.is_news();
        lock(&between.outbox).append(seen);
        if news {
            // A full queue is being worked on: it looks here anyway.
            let _ = poke.try_send(Heard::Poke);
        }
        let rests = |(since, from): (Instant, u64)| {
            since.elapsed() > REST || (ticks - from > REST_TICKS && runner.is_at_rest())
        };
        !resting.is_some_and(rests)
    });
}

fn run_desk(mut desk: Desk, between: &Between, heard: &Receiver<Heard>, (waker, save): (&Waker, &SyncSender<Saves>)) {
    let mut unsaved = Saves::default();
    let mut reached = std::collections::BTreeMap::new();
    loop {
        // Last, so that what came before the end is kept.
        let over = between.is_over();
        let wait = match () {
            () if desk.edits_waiting() > 0 && lock(&between.inbox).has_room_for_edit() => Duration::ZERO,
            () if desk.edits_waiting() > 0 => DESK_EDITS,
            () if desk.gathers() => DESK_SOON,
            () => DESK,
        };
        let first = heard.recv_timeout(wait).ok();
        for each in first.into_iter().chain(heard.try_iter().take(HEARD)) {
            if let Heard::Links(links) = &each {
                overhear_links(between, &mut reached, links);
            }
            take_heard(&mut desk, between, each);
            lock(&between.inbox).requests.extend(desk.take_requests());
        }
        let seen = std::mem::take(&mut *lock(&between.outbox));
        desk.saw(between.now(), seen);
        desk.kept(between.kept_version.load(Ordering::Acquire));
        lock(&between.inbox).requests.extend(desk.take_requests());
        take_edits(&mut desk, between, over);
        if over {
            desk.finish(between.now());
        }
        let forgotten = desk.take_forgotten().into_iter().map(Outgoing::Forget);
        let messages = desk.take_messages().into_iter().map(|(to, message)| Outgoing::Message(to, message));
        let outgoing: Vec<Outgoing> = messages.chain(forgotten).collect();
        if !outgoing.is_empty() {
            lock(&between.outgoing).extend(outgoing);
            waker.wake();
        }
        let saves = desk.take_saves();
        overhear(between, saves.audit.iter().filter_map(|line| deed(line)));
        append(&mut unsaved, saves);
        send_saves(&mut unsaved, save, over);
        if over {
            return;
        }
    }
}

/// As many as there is time for; at the end of the process all, so that what came before it is kept.
fn take_edits(desk: &mut Desk, between: &Between, over: bool) {
    let begun = Instant::now();
    while over || lock(&between.inbox).has_room_for_edit() && begun.elapsed() < TURN {
        if !desk.take_edit(between.now()) {
            return;
        }
        lock(&between.inbox).requests.extend(desk.take_requests());
    }
}

fn take_heard(desk: &mut Desk, between: &Between, heard: Heard) {
    match heard {
        Heard::Event { from, event, at, stops } => desk.hear(at, from, event, stops),
        Heard::Links(links) => desk.look_after(between.now(), &links),
        Heard::Gone(peer) => desk.forget(peer),
        Heard::Poke => {}
        Heard::Disk(text) => desk.warn(&text),
    }
}

/// Should nobody tick, the newest are left out: the audit has them.
fn overhear(between: &Between, heard: impl Iterator<Item = Overheard>) {
    const MOST: usize = 1_000;
    let mut overheard = lock(&between.overheard);
    let room = MOST.saturating_sub(overheard.len());
    overheard.extend(heard.take(room));
}

/// Of a line of the audit.
fn deed(line: &str) -> Option<Overheard> {
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    let text = |key: &str| line.get(key).and_then(serde_json::Value::as_str);
    let (by, what, outcome) = (text("by")?.to_owned(), text("what")?, text("outcome")?);
    Some(Overheard::Deed { by, text: format!("{what}: {outcome}") })
}

/// Operators that can be reached, and could not before, or the other way round.
fn overhear_links(between: &Between, known: &mut std::collections::BTreeMap<String, bool>, links: &[LinkFact]) {
    let facts = links.iter().map(|link| (format!("{:?}", link.peer), !link.down));
    let news: Vec<(String, bool)> =
        facts.filter(|(operator, is_up)| known.insert(operator.clone(), *is_up) != Some(*is_up)).collect();
    overhear(between, news.into_iter().map(|(operator, is_up)| Overheard::Link { operator, is_up }));
}

fn append(saves: &mut Saves, newer: Saves) {
    /// Should the disk hang, the oldest are lost and not the memory.
    const LINES: usize = 10_000;
    saves.extend(newer);
    let over = saves.audit.len().saturating_sub(LINES);
    saves.audit.drain(..over);
}

fn send_saves(unsaved: &mut Saves, save: &SyncSender<Saves>, wait: bool) {
    if unsaved.is_empty() {
        return;
    }
    let saves = std::mem::take(unsaved);
    if wait {
        let _ = save.send(saves);
    } else if let Err(TrySendError::Full(saves)) = save.try_send(saves) {
        *unsaved = saves;
    }
}

fn run_link(mut node: UdpNode, between: &Between, tell: &SyncSender<Heard>) {
    let mut backlog = std::collections::VecDeque::new();
    let mut looked = Instant::now();
    while !between.is_over() {
        for (from, event) in node.drive(LINK) {
            let stops = {
                let mut inbox = lock(&between.inbox);
                if event == Event::Stop {
                    inbox.press_stop();
                }
                inbox.stops
            };
            backlog.push_back(Heard::Event { from, event, at: between.now(), stops });
        }
        let outgoing = std::mem::take(&mut *lock(&between.outgoing));
        for each in outgoing {
            match each {
                Outgoing::Forget(peer) => node.forget(peer),
                Outgoing::Message(to, message) => {
                    if !offer(&mut node, to, message) {
                        tracing::warn!(target: "robot", "operator {to:?} does not keep up: it begins anew");
                        node.forget(to);
                        backlog.push_back(Heard::Gone(to));
                    }
                }
            }
        }
        if looked.elapsed() >= LINK {
            looked = Instant::now();
            backlog.push_back(Heard::Links(facts(&node)));
        }
        shed(&mut backlog, &mut node);
        while let Some(heard) = backlog.pop_front() {
            if let Err(TrySendError::Full(heard)) = tell.try_send(heard) {
                backlog.push_front(heard);
                break;
            }
        }
    }
}

/// False: this operator does not keep up at all, and must begin anew.
fn offer(node: &mut UdpNode, to: PeerId, message: Message) -> bool {
    let is_history = matches!(message, Message::Document { stream: Stream::History, .. });
    match node.offer(to, message) {
        Err(UdpError::Offer(OfferError::StreamFull { .. })) => is_history,
        // Gone meanwhile, or answered by a link that began anew; too large was checked before.
        Ok(_) | Err(_) => true,
    }
}

/// A desk that cannot keep up is being flooded: whoever floods it begins anew, with the whole tree.
fn shed(backlog: &mut std::collections::VecDeque<Heard>, node: &mut UdpNode) {
    const MOST: usize = 20_000;
    if backlog.len() <= MOST {
        return;
    }
    let mut counts = std::collections::BTreeMap::new();
    for heard in &*backlog {
        if let Heard::Event { from, .. } = heard {
            *counts.entry(*from).or_insert(0_usize) += 1;
        }
    }
    let Some((&worst, _)) = counts.iter().max_by_key(|(_, count)| **count) else { return };
    backlog.retain(|heard| !matches!(heard, Heard::Event { from, .. } if *from == worst));
    tracing::warn!(target: "robot", "operator {worst:?} sends more than can be read: it begins anew");
    node.forget(worst);
    backlog.push_back(Heard::Gone(worst));
}

fn facts(node: &UdpNode) -> Vec<LinkFact> {
    let fact = |peer| {
        let status = node.status(peer)?;
        Some(LinkFact {
            peer,
            down: matches!(status.quality, Quality::Down | Quality::NotConnected),
            waiting_history: status.document(Stream::History).waiting_bytes,
            waiting_keyed: status.keyed_waiting,
        })
    };
    node.peers().filter_map(fact).collect()
}

fn run_disk(store: Option<Store>, between: &Between, saves: &Receiver<Saves>, tell: &SyncSender<Heard>) {
    let kept = |version: u64| {
        if between.kept_version.fetch_max(version, Ordering::Release) < version {
            // A full queue is being worked on: it looks there anyway.
            let _ = tell.try_send(Heard::Poke);
        }
    };
    let Some(mut store) = store else {
        // Nothing is kept, as was asked for; whoever sends must not wait.
        saves.iter().for_each(|saves| kept(saves.tree_version));
        return;
    };
    let mut failed = Saves::default();
    let mut told = false;
    loop {
        match saves.recv_timeout(DISK_AGAIN) {
            Ok(newer) => {
                append(&mut failed, newer);
                // What waits goes with it: one write for all of them.
                saves.try_iter().for_each(|newer| append(&mut failed, newer));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        match write(&mut store, &mut failed) {
            Ok(()) => {
                told = false;
                kept(failed.tree_version);
            }
            Err(error) if !told => {
                told = true;
                let text = format!("the robot cannot write to its folder, and tries again: {error}");
                tracing::error!(target: "robot", "{text}");
                let _ = tell.try_send(Heard::Disk(text));
            }
            Err(_) => {}
        }
    }
}

/// What is written is taken out.
fn write(store: &mut Store, saves: &mut Saves) -> std::io::Result<()> {
    if let Some(tree) = &saves.tree {
        store.save_tree(tree)?;
        saves.tree = None;
    }
    store.append_edits(&saves.edits)?;
    saves.edits.clear();
    if let Some(marks) = &saves.marks {
        store.save_marks(marks)?;
        saves.marks = None;
    }
    store.append_audit(&saves.audit)?;
    saves.audit.clear();
    Ok(())
}
