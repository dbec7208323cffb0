//! Endpoints over UDP sockets: a robot that any allowed operator may connect to, or an operator of one robot.
//!
//! A thread per socket reads; everything else happens where [`UdpNode::drive`] is called.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::config::{LinkConfig, Side};
use crate::endpoint::{Endpoint, LinkError, OfferError};
use crate::message::{Event, Message, Receipt};
use crate::secure::Security;
use crate::status::{LinkStatus, Quality};

/// What waits to be read beyond this is dropped, as a network would.
const INBOX: usize = 1_024;
const MAX_DATAGRAM: usize = 2_048;
const MAX_PEERS: usize = 16;

/// An address that said hello and nothing believable after it is forgotten.
const STRANGER_NS: u64 = 10_000_000_000;

/// A reader looks this often whether it is still wanted, should the datagram that wakes it be lost.
const READ_TIMEOUT: Duration = Duration::from_millis(500);

const FIRST_OF_HELLO: u8 = 0x10;

#[derive(Debug, Error)]
pub enum UdpError {
    #[error("{address}: {source}")]
    Socket { address: SocketAddr, source: std::io::Error },
    #[error("{address} is not the loopback interface: a link beyond this machine needs keys")]
    OpenBeyondLoopback { address: SocketAddr },
    #[error("{channels} channels need as many addresses, but there are {addresses}")]
    Addresses { channels: usize, addresses: usize },
    #[error("channel {0} needs the address of the other side")]
    NoPeerAddress(usize),
    #[error("the operating system gives no randomness: {0}")]
    Randomness(getrandom::Error),
    #[error("peer {0:?} is not there any more")]
    NoSuchPeer(PeerId),
    #[error("a thread that reads a socket cannot be started: {0}")]
    Thread(std::io::Error),
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Offer(#[from] OfferError),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerId(pub u64);

/// Where a channel is: on this machine, and on the other. A robot learns the other end of its main channel.
#[derive(Debug, Clone, Copy)]
pub struct ChannelAddress {
    pub local: SocketAddr,
    pub peer: Option<SocketAddr>,
}

enum Input {
    Datagram { channel: usize, from: SocketAddr, bytes: Vec<u8> },
    Wake,
}

struct Socket {
    socket: Arc<UdpSocket>,
    local: SocketAddr,
    peer: Option<SocketAddr>,
    reader: Option<JoinHandle<()>>,
}

struct Peer {
    id: PeerId,
    endpoint: Endpoint,
    address: SocketAddr,
    since_ns: u64,
}

/// Ends a wait in [`UdpNode::drive`] from another thread.
#[derive(Debug, Clone)]
pub struct Waker(SyncSender<Input>);

impl Waker {
    pub fn wake(&self) {
        // A full inbox wakes by itself.
        let _ = self.0.try_send(Input::Wake);
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Datagram { channel, from, bytes } => write!(out, "{} bytes from {from} on {channel}", bytes.len()),
            Self::Wake => out.write_str("wake"),
        }
    }
}

pub struct UdpNode {
    config: LinkConfig,
    sockets: Vec<Socket>,
    peers: Vec<Peer>,
    next_peer: u64,
    inbox: Receiver<Input>,
    waker: Waker,
    stop: Arc<AtomicBool>,
    start: Instant,
    events: Vec<(PeerId, Event)>,
    strangers: u64,
    /// The second, and how many new addresses were looked at in it.
    greeted: (u64, u32),
}

impl UdpNode {
    /// With the seed of `config` replaced by one of its own for every peer.
    pub fn new(config: LinkConfig, addresses: &[ChannelAddress]) -> Result<Self, UdpError> {
        let channels = config.channels.len();
        if addresses.len() != channels {
            return Err(UdpError::Addresses { channels, addresses: addresses.len() });
        }
        check_addresses(&config, addresses)?;
        let (sender, inbox) = sync_channel(INBOX);
        let stop = Arc::new(AtomicBool::new(false));
        let mut node = Self {
            config,
            sockets: Vec::new(),
            peers: Vec::new(),
            next_peer: 0,
            inbox,
            waker: Waker(sender.clone()),
            stop,
            start: Instant::now(),
            events: Vec::new(),
            strangers: 0,
            greeted: (0, 0),
        };
        for (channel, address) in addresses.iter().enumerate() {
            node.open(channel, *address, sender.clone())?;
        }
        if node.config.side == Side::Connects {
            let robot = addresses[0].peer.ok_or(UdpError::NoPeerAddress(0))?;
            node.add_peer(robot)?;
        }
        Ok(node)
    }

    fn open(&mut self, channel: usize, address: ChannelAddress, inbox: SyncSender<Input>) -> Result<(), UdpError> {
        let failed = |source| UdpError::Socket { address: address.local, source };
        let socket = UdpSocket::bind(address.local).map_err(failed)?;
        socket.set_read_timeout(Some(READ_TIMEOUT)).map_err(failed)?;
        let local = socket.local_addr().map_err(failed)?;
        let socket = Arc::new(socket);
        let (reads, stop) = (Arc::clone(&socket), Arc::clone(&self.stop));
        let reader = std::thread::Builder::new()
            .name(format!("link channel {channel}"))
            .spawn(move || read(&reads, channel, &inbox, &stop))
            .map_err(UdpError::Thread)?;
        self.sockets.push(Socket { socket, local, peer: address.peer, reader: Some(reader) });
        Ok(())
    }

    fn add_peer(&mut self, address: SocketAddr) -> Result<(), UdpError> {
        let seed = crate::keys::random().map_err(UdpError::Randomness)?;
        let endpoint = Endpoint::new(LinkConfig { seed, ..self.config.clone() })?;
        let id = PeerId(self.next_peer);
        self.next_peer += 1;
        self.peers.push(Peer { id, endpoint, address, since_ns: self.now_ns() });
        Ok(())
    }

    /// The clock of this end, for [`LinkStatus`] and events: nanoseconds since it began.
    pub fn now_ns(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    pub fn local_address(&self, channel: usize) -> Option<SocketAddr> {
        self.sockets.get(channel).map(|socket| socket.local)
    }

    pub fn waker(&self) -> Waker {
        self.waker.clone()
    }

    /// Who is connected, or was and may come back.
    pub fn peers(&self) -> impl Iterator<Item = PeerId> + '_ {
        self.peers.iter().filter(|peer| self.is_known(peer)).map(|peer| peer.id)
    }

    fn is_known(&self, peer: &Peer) -> bool {
        self.config.side == Side::Connects || peer.endpoint.status(self.now_ns()).quality != Quality::NotConnected
    }

    pub fn status(&self, id: PeerId) -> Option<LinkStatus> {
        let peer = self.peers.iter().find(|peer| peer.id == id)?;
        Some(peer.endpoint.status(self.now_ns()))
    }

    /// Datagrams from addresses that nobody speaks with.
    pub fn strangers(&self) -> u64 {
        self.strangers
    }

    /// Gives up a peer, for example an operator who left.
    pub fn forget(&mut self, id: PeerId) {
        self.peers.retain(|peer| peer.id != id);
    }

    pub fn offer(&mut self, id: PeerId, message: Message) -> Result<Receipt, UdpError> {
        let now_ns = self.now_ns();
        let peer = self.peers.iter_mut().find(|peer| peer.id == id).ok_or(UdpError::NoSuchPeer(id))?;
        let receipt = peer.endpoint.offer(now_ns, message)?;
        self.send();
        Ok(receipt)
    }

    /// Sends and receives until something happened, somebody wakes it, or the time is over.
    pub fn drive(&mut self, wait: Duration) -> Vec<(PeerId, Event)> {
        let until_ns = self.now_ns().saturating_add(u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX));
        loop {
            self.send();
            let now_ns = self.now_ns();
            if !self.events.is_empty() || now_ns >= until_ns {
                break;
            }
            let wakes_ns = self.peers.iter_mut().filter_map(|peer| peer.endpoint.next_wakeup(now_ns)).min();
            let wait_ns = wakes_ns.unwrap_or(until_ns).min(until_ns).saturating_sub(now_ns).max(100_000);
            // It cannot be disconnected: we hold a sender ourselves.
            let mut next = self.inbox.recv_timeout(Duration::from_nanos(wait_ns)).ok();
            let mut woken = false;
            while let Some(input) = next {
                match input {
                    Input::Datagram { channel, from, bytes } => self.received(channel, from, &bytes),
                    Input::Wake => woken = true,
                }
                next = self.inbox.try_recv().ok();
            }
            if woken {
                break;
            }
        }
        self.send();
        std::mem::take(&mut self.events)
    }

    fn received(&mut self, channel: usize, from: SocketAddr, bytes: &[u8]) {
        let now_ns = self.now_ns();
        let hello = channel == 0 && self.config.side == Side::Listens && bytes.first() == Some(&FIRST_OF_HELLO);
        if hello && !self.peers.iter().any(|peer| peer.address == from) {
            self.make_room(now_ns);
            if !self.may_greet(now_ns) || self.peers.len() >= MAX_PEERS || self.add_peer(from).is_err() {
                self.strangers += 1;
                return;
            }
        }
        let fixed = self.sockets.get(channel).and_then(|socket| socket.peer);
        let peer = self.peers.iter_mut().find(|peer| match channel {
            0 => peer.address == from,
            // The other end of a fast channel is in the settings, and is that of the only peer.
            _ => fixed == Some(from),
        });
        let Some(peer) = peer else {
            self.strangers += 1;
            return;
        };
        peer.endpoint.receive(now_ns, bytes);
        let id = peer.id;
        let events = peer.endpoint.take_events();
        self.events.extend(events.into_iter().map(|event| (id, event)));
    }

    /// Of those who said hello and nothing after it, the oldest goes when there is no room for another.
    fn make_room(&mut self, now_ns: u64) {
        let strange = |peer: &Peer| peer.endpoint.status(now_ns).quality == Quality::NotConnected;
        self.peers.retain(|peer| !strange(peer) || now_ns.saturating_sub(peer.since_ns) < STRANGER_NS);
        if self.peers.len() >= MAX_PEERS
            && let Some(oldest) = self.peers.iter().position(strange)
        {
            self.peers.remove(oldest);
        }
    }

    /// Every new address costs a handshake, so only so many of them count in a second.
    fn may_greet(&mut self, now_ns: u64) -> bool {
        let second = now_ns / 1_000_000_000;
        if self.greeted.0 != second {
            self.greeted = (second, 0);
        }
        self.greeted.1 += 1;
        self.greeted.1 <= self.config.limits.handshakes_per_s
    }

    fn send(&mut self) {
        let now_ns = self.now_ns();
        for peer in &mut self.peers {
            while let Some(datagram) = peer.endpoint.poll(now_ns) {
                let Some(socket) = self.sockets.get(datagram.channel) else { continue };
                let to = if datagram.channel == 0 { Some(peer.address) } else { socket.peer };
                if let Some(to) = to {
                    // What the system does not take is lost, as on the way, and comes again.
                    let _ = socket.socket.send_to(&datagram.bytes, to);
                }
            }
            let id = peer.id;
            self.events.extend(peer.endpoint.take_events().into_iter().map(|event| (id, event)));
        }
    }
}

impl Drop for UdpNode {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for socket in &mut self.sockets {
            let ip = match socket.local.ip() {
                IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
                IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
                ip => ip,
            };
            // Wakes the reader; if that fails, its timeout does.
            let _ = socket.socket.send_to(&[], SocketAddr::new(ip, socket.local.port()));
            if let Some(reader) = socket.reader.take() {
                let _ = reader.join();
            }
        }
    }
}

fn read(socket: &UdpSocket, channel: usize, inbox: &SyncSender<Input>, stop: &AtomicBool) {
    let mut buffer = [0; MAX_DATAGRAM];
    while !stop.load(Ordering::Relaxed) {
        match socket.recv_from(&mut buffer) {
            Ok((length, from)) => {
                let bytes = buffer[..length].to_vec();
                // A flood fills the inbox and not the memory.
                let _ = inbox.try_send(Input::Datagram { channel, from, bytes });
            }
            // A refused datagram of ours may be reported here; the socket itself is well.
            Err(error) if error.kind() == ErrorKind::Unsupported || error.kind() == ErrorKind::NotConnected => return,
            Err(_) => {}
        }
    }
}

fn check_addresses(config: &LinkConfig, addresses: &[ChannelAddress]) -> Result<(), UdpError> {
    for (channel, address) in addresses.iter().enumerate() {
        let needs_peer = channel > 0 || config.side == Side::Connects;
        if needs_peer && address.peer.is_none() {
            return Err(UdpError::NoPeerAddress(channel));
        }
        let beyond = [Some(address.local), address.peer].into_iter().flatten().find(|end| !end.ip().is_loopback());
        match (&config.security, beyond) {
            (Security::Open, Some(address)) => return Err(UdpError::OpenBeyondLoopback { address }),
            (Security::Open, None) | (Security::Sealed { .. }, _) => {}
        }
    }
    Ok(())
}
