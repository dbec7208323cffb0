//! The thread that drives the operator's end of the link.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use link::udp::{PeerId, UdpNode, Waker};
use link::{Event, LinkStatus, Message, Receipt, Stream};

use super::core::Input;
use super::inbox::Inbox;
use crate::flow::Flow;
use crate::operator::Tag;

/// The operator hears of the state of the link this often at least.
const STATUS: Duration = Duration::from_millis(100);
const WAIT: Duration = Duration::from_millis(20);
/// While something is on its way: people want to see that it has arrived.
const WAIT_FOR_ACK: Duration = Duration::from_millis(2);

pub enum FromLink {
    Event(Box<Event>),
    /// Of somebody else; what is not one waits for none.
    Edit(Vec<u8>),
    Offered(Tag, Result<Receipt, String>),
    Status(Box<LinkStatus>),
}

enum ToLink {
    Offer(Tag, u64, Message),
    Stop,
}

#[derive(Clone)]
pub struct LinkHandle {
    to: Sender<ToLink>,
    waker: Waker,
    ended: Arc<AtomicBool>,
}

impl LinkHandle {
    /// `flow`: of the operator when it said this.
    pub fn offer(&self, tag: Tag, flow: u64, message: Message) {
        // A thread that has ended ended with the process.
        let _ = self.to.send(ToLink::Offer(tag, flow, message));
        self.waker.wake();
    }

    pub fn stop(&self) {
        let _ = self.to.send(ToLink::Stop);
        self.waker.wake();
    }

    pub fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
        self.waker.wake();
    }
}

pub fn start(node: UdpNode, core: Arc<Inbox>) -> std::io::Result<(LinkHandle, JoinHandle<()>)> {
    let (to, wanted) = channel();
    let ended = Arc::new(AtomicBool::new(false));
    let handle = LinkHandle { to, waker: node.waker(), ended: Arc::clone(&ended) };
    let thread =
        std::thread::Builder::new().name("link".to_owned()).spawn(move || run(node, &wanted, &core, &ended))?;
    Ok((handle, thread))
}

fn run(mut node: UdpNode, wanted: &Receiver<ToLink>, core: &Inbox, ended: &AtomicBool) {
    let mut told: Option<(Instant, LinkStatus)> = None;
    let mut flow = Flow::default();
    while !ended.load(Ordering::Relaxed) {
        let Some(robot) = node.peers().next() else { return };
        while let Ok(wanted) = wanted.try_recv() {
            give(&mut node, robot, (core, flow), wanted);
        }
        let on_its_way = |status: &LinkStatus| status.documents.iter().any(|each| each.acknowledged < each.offered);
        let wait = if node.status(robot).as_ref().is_some_and(on_its_way) { WAIT_FOR_ACK } else { WAIT };
        for (_, event) in node.drive(wait) {
            flow.heard(&event);
            tell(
                core,
                match event {
                    Event::Document { stream: Stream::Edits, bytes } => FromLink::Edit(bytes),
                    event => FromLink::Event(Box::new(event)),
                },
            );
        }
        let Some(status) = node.status(robot) else { continue };
        let news = |(at, before): &(Instant, LinkStatus)| {
            at.elapsed() >= STATUS
                || before.quality != status.quality
                || before.stop_pending != status.stop_pending
                || before.documents != status.documents
        };
        if told.as_ref().is_none_or(|(_, before)| before.quality != status.quality) {
            tracing::debug!(target: "operator", "the link is {:?}", status.quality);
        }
        if told.as_ref().is_none_or(news) {
            told = Some((Instant::now(), status.clone()));
            tell(core, FromLink::Status(Box::new(status)));
        }
    }
}

/// Never waits: a stop that somebody presses now is on this thread's way.
fn tell(core: &Inbox, what: FromLink) {
    // There is always room for what the robot says.
    let _ = core.give(Input::Link(what));
}

fn give(node: &mut UdpNode, robot: PeerId, (core, flow): (&Inbox, Flow), wanted: ToLink) {
    let (tag, message) = match wanted {
        ToLink::Offer(tag, said_in, message) => (tag, flow.take(said_in, message)),
        ToLink::Stop => {
            // It is repeated until it is acknowledged; the operator asks again and is told of errors.
            let _ = node.offer(robot, Message::Stop);
            return;
        }
    };
    let receipt = message.and_then(|message| node.offer(robot, message).map_err(|error| error.to_string()));
    tell(core, FromLink::Offered(tag, receipt));
}
