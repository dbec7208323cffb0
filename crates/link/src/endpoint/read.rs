//! What a datagram says.

use super::fill::{ACKS, ANSWER, CLOCK, COMMAND, DOCUMENT, KEYED, LATEST, LATEST_END, STOP};
use super::handshake::{DATA, HELLO, REPLY};
use super::{Endpoint, HEADER_BYTES};
use crate::clock::widen_u24;
use crate::commands::Arrival;
use crate::ledger::Received;
use crate::message::{Event, Keyed, Latest, Stream};
use crate::stream::StreamLimits;
use crate::wire::{Malformed, Reader};

const MAX_DATAGRAM: usize = 1_500;
const MS: u64 = 1_000_000;

/// How soon what arrived must be acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Haste {
    Nothing,
    State,
    Soon,
    Now,
}

struct Packet {
    channel: usize,
    number: u64,
    now_ns: u64,
    sent_ms: i64,
}

impl Endpoint {
    /// Takes a datagram that arrived. Whatever it is: it is used, or counted and ignored.
    pub fn receive(&mut self, now_ns: u64, datagram: &[u8]) {
        let Some((&head, rest)) = datagram.split_first() else {
            self.ignored.too_short += 1;
            return;
        };
        if datagram.len() > MAX_DATAGRAM {
            self.ignored.too_long += 1;
            return;
        }
        if self.events.len() >= self.config.limits.events {
            self.ignored.no_room += 1;
            return;
        }
        let channel = usize::from(head & 0x0f);
        if let Some(channel) = self.channels.get_mut(channel) {
            channel.got.count(now_ns, datagram.len() + channel.config.header_bytes);
        }
        match head >> 4 {
            HELLO if channel == 0 => self.hello_received(now_ns, rest),
            REPLY if channel == 0 => self.reply_received(now_ns, rest),
            DATA if channel < self.channels.len() && datagram.len() > HEADER_BYTES => {
                if let Some((number, payload)) = self.unseal(now_ns, channel, datagram) {
                    self.packet(now_ns, channel, number, &payload);
                }
            }
            DATA => self.ignored.too_short += 1,
            _ => self.ignored.unknown_kind += 1,
        }
    }

    fn packet(&mut self, now_ns: u64, channel: usize, number: u64, payload: &[u8]) {
        let mut input = Reader::new(payload);
        let now_ms = (now_ns / MS).cast_signed();
        let Ok(low) = input.u24() else {
            self.ignored.malformed += 1;
            return;
        };
        let (theirs_ms, ours_ms) = self.sessions.peer_time_ms.unwrap_or((now_ms, now_ms));
        let sent_ms = widen_u24(low, theirs_ms + (now_ms - ours_ms));
        self.sessions.peer_time_ms = Some((sent_ms, now_ms));
        self.clock.sample(now_ms, sent_ms);
        if self.heard_ns.is_some_and(|heard_ns| now_ns.saturating_sub(heard_ns) > self.config.timing.down_ns / 2) {
            self.silence_ended(now_ns);
        }
        self.heard_ns = Some(now_ns);
        let packet = Packet { channel, number, now_ns, sent_ms };
        let mut haste = Haste::Nothing;
        while !input.is_empty() {
            match self.frame(&packet, &mut input) {
                Ok(its) => haste = haste.max(its),
                Err(_) => {
                    // Not acknowledged: a sender within its limits sends again, and by then there may be room.
                    self.ignored.malformed += 1;
                    return;
                }
            }
        }
        self.note_received(&packet, haste);
    }

    fn note_received(&mut self, packet: &Packet, haste: Haste) {
        let timing = &self.config.timing;
        let delay_ns = match haste {
            Haste::Nothing => None,
            Haste::State => Some(timing.ack_state_ns),
            Haste::Soon => Some(timing.ack_ns),
            Haste::Now => Some(0),
        };
        let received = &mut self.channels[packet.channel].received;
        received.insert(packet.number, packet.now_ns);
        if let Some(delay_ns) = delay_ns {
            received.due_within(packet.now_ns, delay_ns);
        }
    }

    fn frame(&mut self, packet: &Packet, input: &mut Reader<'_>) -> Result<Haste, Malformed> {
        let kind = input.u8()?;
        match kind {
            STOP => self.read_stop(input),
            COMMAND => self.read_command(packet, input),
            ANSWER => {
                let event = self.commands_out.read_answer(input, &self.config.limits)?;
                self.events.extend(event);
                Ok(Haste::Now)
            }
            LATEST..=LATEST_END => self.read_latest(kind - LATEST, packet, input.block()?),
            CLOCK => {
                self.clock.told(input.signed()?);
                Ok(Haste::State)
            }
            _ if kind & 0xf0 == DOCUMENT => self.read_document(kind & 0x0f, input),
            _ if kind & 0xf0 == KEYED => self.read_keyed(kind & 0x0f, input),
            _ if kind & 0xf0 == ACKS => self.read_acks(packet.now_ns, kind & 0x0f, input),
            _ => Err(Malformed::UnknownKind(kind)),
        }
    }

    fn read_stop(&mut self, input: &mut Reader<'_>) -> Result<Haste, Malformed> {
        let id = input.varint()?;
        let voids_below = input.varint()?;
        // An older one that arrives later has nothing to stop that the newer one did not.
        if id > self.stops.heard {
            self.stops.heard = id;
            self.commands_in.void_below(voids_below);
            self.events.push_front(Event::Stop);
        }
        Ok(Haste::Now)
    }

    fn read_command(&mut self, packet: &Packet, input: &mut Reader<'_>) -> Result<Haste, Malformed> {
        let travelled_ms = self.clock.travelled_ms((packet.now_ns / MS).cast_signed(), packet.sent_ms);
        // With clocks unknown nothing can be called fresh.
        let travelled_ns = travelled_ms.map_or(u64::MAX, |ms| ms.unsigned_abs().saturating_mul(MS));
        let arrival = Arrival { now_ns: packet.now_ns, travelled_ns };
        let mut events = Vec::new();
        self.commands_in.read(input, arrival, &self.config.limits, &mut events)?;
        self.events.extend(events);
        Ok(Haste::Now)
    }

    /// When something said in this packet was true, on our clock.
    fn at_ns(&self, packet: &Packet, age_ns: u64) -> u64 {
        let now_ms = (packet.now_ns / MS).cast_signed();
        let travelled_ms = self.clock.travelled_ms(now_ms, packet.sent_ms).unwrap_or_default();
        packet.now_ns.saturating_sub(travelled_ms.unsigned_abs().saturating_mul(MS)).saturating_sub(age_ns)
    }

    fn read_latest(&mut self, index: u8, packet: &Packet, bytes: &[u8]) -> Result<Haste, Malformed> {
        let of = *Latest::ALL.get(usize::from(index)).ok_or(Malformed::UnknownKind(index))?;
        if let Some((bytes, age_ns)) = self.latest_in[of.index()].read(packet.number, bytes)? {
            let at_ns = self.at_ns(packet, age_ns);
            self.latest_in[of.index()].at_ns = Some(at_ns);
            self.events.push_back(Event::Latest { of, bytes, at_ns });
        }
        Ok(Haste::State)
    }

    fn read_document(&mut self, index: u8, input: &mut Reader<'_>) -> Result<Haste, Malformed> {
        let stream = *Stream::ALL.get(usize::from(index)).ok_or(Malformed::UnknownKind(index))?;
        let offset = input.varint()?;
        let bytes = input.block()?;
        let limits = &self.config.limits;
        let limits =
            StreamLimits { window_bytes: limits.document_window_bytes, message_bytes: limits.document_message_bytes };
        let messages = self.streams_in[stream.index()].receive(offset, bytes, limits)?;
        self.events.extend(messages.into_iter().map(|bytes| Event::Document { stream, bytes }));
        Ok(Haste::Soon)
    }

    fn read_keyed(&mut self, index: u8, input: &mut Reader<'_>) -> Result<Haste, Malformed> {
        let kind = *Keyed::ALL.get(usize::from(index)).ok_or(Malformed::UnknownKind(index))?;
        let key = input.varint_u32()?;
        let version = input.varint()?;
        let bytes = input.block()?;
        if self.keyed_in.is_new((kind, key), version, &self.config.limits) {
            self.events.push_back(Event::Keyed { kind, key, bytes: bytes.to_vec() });
        }
        Ok(Haste::Soon)
    }

    fn read_acks(&mut self, now_ns: u64, channel: u8, input: &mut Reader<'_>) -> Result<Haste, Malformed> {
        let channel = usize::from(channel);
        let (ranges, delay_ns) = Received::read(input)?;
        let sent = self.channels.get_mut(channel).ok_or(Malformed::OutOfRange)?;
        if ranges.first().is_some_and(|newest| newest.end > sent.ledger.next) {
            return Err(Malformed::OutOfRange);
        }
        for packet in sent.ledger.acknowledged(&ranges, delay_ns, now_ns) {
            self.has_arrived(packet);
        }
        Ok(if ranges.len() > 1 { Haste::State } else { Haste::Nothing })
    }
}
