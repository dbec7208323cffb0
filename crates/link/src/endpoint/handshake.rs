//! Beginning a session, keeping it over blackouts, and noticing that the other side is a new one.

use std::collections::VecDeque;

use super::{Endpoint, HEADER_BYTES};
use crate::clock::Clock;
use crate::commands::CommandsIn;
use crate::config::Side;
use crate::keyed::KeyedIn;
use crate::latest::{LatestIn, LatestOut};
use crate::ledger::{Content, Received};
use crate::message::Event;
use crate::secure::{Accepted, Opening, PublicKey, Session};
use crate::status::ByteKind;
use crate::wire::{Malformed, Reader, Writer};

pub const HELLO: u8 = 1;
pub const REPLY: u8 = 2;
pub const DATA: u8 = 3;

/// More than are sent during a slow round trip, or the one that is answered would be gone when the answer arrives.
const MAX_PENDING: usize = 8;
const MAX_REPLIES: usize = 2;

/// Who the other side is, until its first packet proves it.
struct Pending {
    session: Session,
    hello: Hello,
    peer: Option<PublicKey>,
}

#[derive(Clone, Copy)]
struct Hello {
    instance: u32,
    time_ms: i64,
}

impl Hello {
    fn write(self) -> Vec<u8> {
        let mut out = Writer::default();
        out.u32(self.instance);
        out.u64(self.time_ms.cast_unsigned());
        out.bytes
    }

    fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut input = Reader::new(bytes);
        let hello = Self { instance: input.u32()?, time_ms: input.u64()?.cast_signed() };
        if input.is_empty() { Ok(hello) } else { Err(Malformed::BeyondLimit) }
    }
}

pub struct Sessions {
    instance: u32,
    peer_instance: Option<u32>,
    pub peer: Option<PublicKey>,
    pub current: Option<Session>,
    previous: Option<Session>,
    pending: VecDeque<Pending>,
    opening: Option<Opening>,
    opening_bytes: Vec<u8>,
    opening_sent_ns: Option<u64>,
    replies: VecDeque<Vec<u8>>,
    /// The other side's clock when ours showed the second.
    pub peer_time_ms: Option<(i64, i64)>,
    second: u64,
    in_second: u32,
}

impl Sessions {
    pub fn new(instance: u32) -> Self {
        Self {
            instance,
            peer_instance: None,
            peer: None,
            current: None,
            previous: None,
            pending: VecDeque::new(),
            opening: None,
            opening_bytes: Vec::new(),
            opening_sent_ns: None,
            replies: VecDeque::new(),
            peer_time_ms: None,
            second: 0,
            in_second: 0,
        }
    }
}

impl Endpoint {
    fn hello(&self, now_ns: u64) -> Vec<u8> {
        Hello { instance: self.sessions.instance, time_ms: (now_ns / 1_000_000).cast_signed() }.write()
    }

    /// When the next datagram of a handshake is due.
    pub(super) fn handshake_at_ns(&self) -> Option<u64> {
        if !self.sessions.replies.is_empty() {
            return Some(0);
        }
        if self.config.side == Side::Listens {
            return None;
        }
        let timing = &self.config.timing;
        let repeat_ns = match self.sessions.current {
            None => timing.handshake_retry_ns,
            // In a session that may live a stop goes first, and other data next.
            Some(_) => 4 * timing.handshake_retry_ns,
        };
        let silent_at_ns = match (&self.sessions.current, self.heard_ns) {
            (Some(_), Some(heard_ns)) => heard_ns + timing.rehandshake_ns,
            (Some(_), None) | (None, _) => 0,
        };
        let again_ns = self.sessions.opening_sent_ns.map_or(0, |sent_ns| sent_ns + repeat_ns);
        Some(silent_at_ns.max(again_ns))
    }

    pub(super) fn handshake_datagram(&mut self, now_ns: u64) -> Option<Vec<u8>> {
        if let Some(reply) = self.sessions.replies.pop_front() {
            return Some(reply);
        }
        if self.sessions.opening.is_none() {
            let hello = self.hello(now_ns);
            let (opening, message) = self.secure.open(&hello).ok()?;
            self.sessions.opening = Some(opening);
            self.sessions.opening_bytes = framed(HELLO, &message);
        }
        self.sessions.opening_sent_ns = Some(now_ns);
        Some(self.sessions.opening_bytes.clone())
    }

    pub(super) fn count_handshake(&mut self, bytes: usize) {
        let header = self.channels[0].config.header_bytes;
        self.counts.add(ByteKind::IpUdp, header);
        self.counts.add(ByteKind::Handshake, bytes);
        self.counts.datagrams += 1;
    }

    pub(super) fn hello_received(&mut self, now_ns: u64, message: &[u8]) {
        let second = now_ns / 1_000_000_000;
        if second != self.sessions.second {
            self.sessions.second = second;
            self.sessions.in_second = 0;
        }
        self.sessions.in_second += 1;
        let refused = self.config.side == Side::Connects
            || self.sessions.in_second > self.config.limits.handshakes_per_s
            || self.accept(now_ns, message).is_none();
        if refused {
            self.ignored.handshakes += 1;
        }
    }

    fn accept(&mut self, now_ns: u64, message: &[u8]) -> Option<()> {
        let own = self.hello(now_ns);
        let Accepted { session, reply, payload, peer } = self.secure.accept(message, &own)?;
        let hello = Hello::read(&payload).ok()?;
        // One end speaks with one other; another machine needs an end of its own.
        if self.sessions.peer.is_some() && self.sessions.peer != peer && !self.is_down(now_ns) {
            return None;
        }
        self.sessions.replies.push_back(framed(REPLY, &reply));
        if self.sessions.replies.len() > MAX_REPLIES {
            self.sessions.replies.pop_front();
        }
        let pending = Pending { session, hello, peer };
        if self.secure.is_sealed() {
            self.sessions.pending.push_back(pending);
            if self.sessions.pending.len() > MAX_PENDING {
                self.sessions.pending.pop_front();
            }
        } else {
            self.begin(now_ns, pending);
        }
        Some(())
    }

    pub(super) fn reply_received(&mut self, now_ns: u64, message: &[u8]) {
        let finished = self.secure.finish(&mut self.sessions.opening, message);
        let finished = finished.and_then(|(session, payload)| Some((session, Hello::read(&payload).ok()?)));
        let Some((session, hello)) = finished else {
            self.ignored.handshakes += 1;
            return;
        };
        let peer = self.secure.expected_peer();
        self.begin(now_ns, Pending { session, hello, peer });
        self.clock.sample((now_ns / 1_000_000).cast_signed(), hello.time_ms);
        self.heard_ns = Some(now_ns);
    }

    fn begin(&mut self, now_ns: u64, pending: Pending) {
        let Pending { session, hello, peer } = pending;
        let resumed = self.sessions.peer_instance == Some(hello.instance);
        let first = self.sessions.peer_instance.is_none();
        self.sessions.previous = self.sessions.current.replace(session).filter(|_| resumed);
        if !resumed && !first {
            self.forget_peer();
        }
        self.sessions.peer_instance = Some(hello.instance);
        self.sessions.peer = peer;
        self.sessions.peer_time_ms = Some((hello.time_ms, (now_ns / 1_000_000).cast_signed()));
        self.sessions.opening = None;
        self.clock_known = false;
        self.clock_sent_ns = None;
        self.events.push_back(Event::Connected { peer, resumed });
    }

    /// The other side restarted and knows nothing of what was said.
    fn forget_peer(&mut self) {
        self.events.extend(self.commands_out.give_up());
        self.commands_in = CommandsIn::default();
        self.streams_out = Default::default();
        self.streams_in = Default::default();
        self.latest_out.iter_mut().for_each(LatestOut::reset);
        self.latest_in = self.config.packing.map(LatestIn::new);
        self.keyed_in = KeyedIn::default();
        self.stops.heard = 0;
        self.clock = Clock::default();
        for channel in 0..self.channels.len() {
            self.channels[channel].received = Received::default();
            let contents = self.channels[channel].ledger.take_all().into_iter().flat_map(|packet| packet.contents);
            for content in contents {
                if let Content::Keyed(kind, key, version) = content {
                    self.keyed_out.lost((kind, key), version);
                }
            }
        }
    }

    /// The packet number and what it seals; none if nobody we know sealed it, or it was here before.
    pub(super) fn unseal(&mut self, now_ns: u64, channel: usize, datagram: &[u8]) -> Option<(u64, Vec<u8>)> {
        let (header, sealed) = datagram.split_at_checked(HEADER_BYTES)?;
        let low = u32::from_le_bytes(header[1..].try_into().ok()?);
        let number = self.channels[channel].received.widen(low);
        let nonce = |number: u64| (channel as u64) << 56 | number;
        let known = self.sessions.current.iter().chain(&self.sessions.previous);
        if let Some(payload) = known.filter_map(|session| session.open(nonce(number), sealed)).next() {
            if !self.channels[channel].received.is_new(number) {
                self.ignored.repeated += 1;
                return None;
            }
            self.sessions.opening = None;
            return Some((number, payload));
        }
        for index in 0..self.sessions.pending.len() {
            let pending = &self.sessions.pending[index];
            let resumed = self.sessions.peer_instance.is_none_or(|instance| instance == pending.hello.instance);
            let number = if resumed { number } else { low.into() };
            if let Some(payload) = pending.session.open(nonce(number), sealed) {
                let pending = self.sessions.pending.remove(index)?;
                self.sessions.pending.clear();
                self.begin(now_ns, pending);
                return Some((number, payload));
            }
        }
        self.ignored.not_authentic += 1;
        None
    }
}

fn framed(kind: u8, message: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind << 4];
    bytes.extend_from_slice(message);
    bytes
}
