//! What goes into the next datagram, and when: the most important first, then whatever still fits.

use super::{BESIDE_BYTES, BULK_PROBE_NS, Channel, Datagram, Endpoint, HEADER_BYTES, KEYED_HEAD_BYTES, MAX_IN_FLIGHT};
use super::{STOP_BESIDE_BYTES, TIME_BYTES, handshake::DATA};
use crate::config::Carries;
use crate::latest::LatestOut;
use crate::ledger::Content;
use crate::message::{Keyed, Latest, Stream};
use crate::status::ByteKind;
use crate::wire::Writer;

pub const STOP: u8 = 0x01;
pub const COMMAND: u8 = 0x02;
pub const ANSWER: u8 = 0x03;
/// And one for each kind.
pub const LATEST: u8 = 0x04;
pub const LATEST_END: u8 = LATEST + Latest::ALL.len() as u8 - 1;
pub const CLOCK: u8 = 0x06;
pub const DOCUMENT: u8 = 0x10;
pub const KEYED: u8 = 0x20;
pub const ACKS: u8 = 0x30;

const CLOCK_EVERY_NS: u64 = 5_000_000_000;

/// State goes before edits when it is later than this.
const STATE_LATE_NS: u64 = 80_000_000;

/// An edit is not cut into pieces smaller than this.
const MIN_PIECE_BYTES: usize = 24;

/// The largest message of a handshake, and a little more.
const HANDSHAKE_BYTES: usize = 112;

#[derive(Clone, Copy)]
enum Sending {
    Handshake,
    Data,
}

struct Filling {
    now_ns: u64,
    channel: usize,
    number: u64,
    payload: Writer,
    limit: usize,
    contents: Vec<Content>,
    acks: Vec<Content>,
}

impl Filling {
    fn room(&self) -> usize {
        self.limit.saturating_sub(self.payload.bytes.len())
    }
}

impl Endpoint {
    /// The next datagram to send now, if any. To be called until there is none.
    pub fn poll(&mut self, now_ns: u64) -> Option<Datagram> {
        self.find_lost(now_ns);
        self.commands_out.expire(now_ns);
        (0..self.channels.len()).find_map(|channel| self.poll_channel(channel, now_ns))
    }

    /// When to poll again if nothing is offered or received before.
    pub fn next_wakeup(&mut self, now_ns: u64) -> Option<u64> {
        let mut next_ns = self.commands_out.next_expiry_ns();
        for channel in 0..self.channels.len() {
            let (reorder_ns, patience_ns) = self.patience_ns(channel);
            let lost_ns = self.channels[channel].ledger.next_loss_ns(reorder_ns, patience_ns);
            let sent_ns = self.next_sending(channel, now_ns).map(|(at_ns, _)| at_ns);
            next_ns = [next_ns, lost_ns, sent_ns].into_iter().flatten().min();
        }
        next_ns.map(|next_ns| next_ns.max(now_ns))
    }

    fn poll_channel(&mut self, channel: usize, now_ns: u64) -> Option<Datagram> {
        let (_, sending) = self.next_sending(channel, now_ns).filter(|(at_ns, _)| *at_ns <= now_ns)?;
        let bytes = match sending {
            Sending::Handshake => {
                let bytes = self.handshake_datagram(now_ns)?;
                self.count_handshake(bytes.len());
                bytes
            }
            Sending::Data => self.fill(channel, now_ns)?,
        };
        let sent = &mut self.channels[channel];
        sent.pacer.sent(now_ns, bytes.len() + sent.config.header_bytes);
        sent.last_sent_ns = Some(now_ns);
        sent.sent.count(now_ns, bytes.len() + sent.config.header_bytes);
        Some(Datagram { channel, bytes })
    }

    /// What goes next, and when it is both wanted and allowed.
    fn next_sending(&mut self, channel: usize, now_ns: u64) -> Option<(u64, Sending)> {
        if !self.channels[channel].config.sends {
            return None;
        }
        let data_ns = match self.channels[channel].config.carries {
            Carries::Everything => self.main_wants_at_ns(channel, now_ns),
            Carries::Bulk => self.bulk_wants_at_ns(channel),
        };
        let data_ns = data_ns.map(|wanted_ns| self.may_at_ns(channel, now_ns, wanted_ns));
        let handshake_ns = self.handshake_at_ns().filter(|_| channel == 0).map(|wanted_ns| {
            let Channel { pacer, config, .. } = &mut self.channels[channel];
            let wanted_ns = wanted_ns.max(pacer.line_free_at_ns());
            pacer.ready_at_ns(now_ns, wanted_ns, HANDSHAKE_BYTES + config.header_bytes, self.stops.pending)
        });
        match (data_ns, handshake_ns) {
            (Some(data_ns), Some(handshake_ns)) if handshake_ns <= data_ns && !self.stops.fresh => {
                Some((handshake_ns, Sending::Handshake))
            }
            (Some(data_ns), _) => Some((data_ns, Sending::Data)),
            (None, handshake_ns) => handshake_ns.map(|at_ns| (at_ns, Sending::Handshake)),
        }
    }

    /// When there is something to send, whether or not it may go then.
    fn main_wants_at_ns(&self, channel: usize, now_ns: u64) -> Option<u64> {
        self.sessions.current.as_ref()?;
        let timing = &self.config.timing;
        if self.stops.pending {
            let repeat_ns = self.stops.last_sent_ns.filter(|_| !self.stops.fresh);
            return Some(repeat_ns.map_or(0, |sent_ns| sent_ns + timing.stop_repeat_ns));
        }
        let window = self.config.limits.document_window_bytes;
        let documents = self.main_streams(now_ns).any(|stream| self.streams_out[stream.index()].is_waiting(window));
        let keyed = self.keyed_on(channel, now_ns).any(|kind| self.keyed_out.is_waiting(kind));
        if documents || keyed || self.commands_out.is_waiting() || self.commands_in.is_waiting() {
            return Some(0);
        }
        let keepalive_ns = match (self.clock_sent_ns, self.channels[channel].last_sent_ns) {
            (Some(_), Some(sent_ns)) => sent_ns + self.keepalive_ns(now_ns),
            _ => 0,
        };
        let acks_ns = self.channels.iter().filter_map(|channel| channel.received.ack_due_ns).min();
        let wants = [self.latest_out[0].due_ns(), self.latest_out[1].due_ns(), acks_ns, Some(keepalive_ns)];
        wants.into_iter().flatten().min()
    }

    fn bulk_wants_at_ns(&self, channel: usize) -> Option<u64> {
        self.sessions.current.as_ref()?;
        let window = self.config.limits.document_window_bytes;
        let waiting = self.keyed_on(channel, 0).any(|kind| self.keyed_out.is_waiting(kind))
            || self.streams_out[Stream::History.index()].is_waiting(window);
        let this = &self.channels[channel];
        if !waiting || this.ledger.in_flight() >= MAX_IN_FLIGHT {
            return None;
        }
        // Into a channel that is dark goes only what shows when it is not.
        let up_until_ns = this.ledger.newest_acked_sent_ns().map_or(0, |acked_ns| acked_ns + super::BULK_UP_NS);
        let probe_ns = this.last_sent_ns.map_or(0, |sent_ns| sent_ns + BULK_PROBE_NS);
        Some(if this.last_sent_ns.is_some_and(|sent_ns| sent_ns < up_until_ns) { 0 } else { probe_ns })
    }

    /// When so much as the next datagram may be is allowed to go.
    fn may_at_ns(&mut self, channel: usize, now_ns: u64, wanted_ns: u64) -> u64 {
        let stop = self.stops.pending && channel == 0;
        let smallest = self.smallest_stop_bytes();
        let Channel { pacer, config, .. } = &mut self.channels[channel];
        match (stop, self.stops.fresh) {
            (false, _) => pacer.ready_at_ns(now_ns, wanted_ns, config.max_datagram, false),
            (true, true) => pacer.ready_at_ns(now_ns, wanted_ns, smallest, true),
            (true, false) => {
                let line_ns = wanted_ns.max(pacer.line_free_at_ns());
                pacer.ready_at_ns(now_ns, line_ns, smallest + STOP_BESIDE_BYTES, true)
            }
        }
    }

    /// A datagram that holds a stop and nothing else.
    fn smallest_stop_bytes(&self) -> usize {
        self.channels[0].config.header_bytes + self.overhead_bytes() + self.stop_frame().bytes.len()
    }

    fn stop_frame(&self) -> Writer {
        let mut frame = Writer::default();
        frame.u8(STOP);
        frame.varint(self.stops.given);
        frame.varint(self.stops.voids_below);
        frame
    }

    fn periods_ns(&self) -> (u64, u64) {
        let timing = &self.config.timing;
        if self.is_joining() {
            (timing.joining_robot_ns, timing.joining_run_ns)
        } else {
            (timing.robot_ns, timing.run_ns)
        }
    }

    /// In the dark it is said more often that we are here, so that the other side sends anew as soon as it is light.
    fn keepalive_ns(&self, now_ns: u64) -> u64 {
        let keepalive_ns = self.config.timing.keepalive_ns;
        if self.is_down(now_ns) { keepalive_ns / 4 } else { keepalive_ns }
    }

    /// History waits for the fast channel where there is one. In the dark only the little goes that matters when it is
    /// light again: nothing long must then be on the line.
    fn main_streams(&self, now_ns: u64) -> impl Iterator<Item = Stream> + use<> {
        let count = match (self.is_down(now_ns), self.bulk_channel()) {
            (true, _) => 2,
            (false, Some(_)) => 3,
            (false, None) => 4,
        };
        Stream::ALL.into_iter().take(count)
    }

    fn keyed_on(&self, channel: usize, now_ns: u64) -> impl Iterator<Item = Keyed> + use<> {
        let bulk = self.bulk_channel();
        let down = channel == 0 && self.is_down(now_ns);
        Keyed::ALL.into_iter().filter(move |kind| match bulk {
            Some(bulk) if kind.is_bulk() => channel == bulk,
            _ => channel == 0 && !down,
        })
    }

    fn fill(&mut self, channel: usize, now_ns: u64) -> Option<Vec<u8>> {
        let config = &self.channels[channel].config;
        let size = match (self.stops.pending && channel == 0, self.stops.fresh) {
            (false, _) => config.max_datagram,
            (true, true) => self.smallest_stop_bytes(),
            (true, false) => self.smallest_stop_bytes() + STOP_BESIDE_BYTES,
        };
        let limit = size - config.header_bytes - self.overhead_bytes() + TIME_BYTES;
        let number = self.channels[channel].ledger.next;
        let mut filling = Filling {
            now_ns,
            channel,
            number,
            payload: Writer::default(),
            limit,
            contents: Vec::new(),
            acks: Vec::new(),
        };
        filling.payload.u24((now_ns / 1_000_000) as u32 & 0xff_ffff);
        match self.channels[channel].config.carries {
            Carries::Everything => self.fill_main(&mut filling),
            Carries::Bulk => {
                self.put_stream(Stream::History, &mut filling);
                self.put_keyed(&mut filling);
            }
        }
        self.seal(filling)
    }

    fn fill_main(&mut self, filling: &mut Filling) {
        self.put_stop(filling);
        self.put_acks(filling);
        self.put_clock(filling);
        self.put_commands(filling);
        self.put_state(filling, STATE_LATE_NS);
        let streams = || self.main_streams(filling.now_ns);
        let waits = |kind| self.keyed_out.is_waiting(kind);
        let history =
            streams().any(|stream| stream == Stream::History) && !waits(Keyed::Detail) && !waits(Keyed::Scene);
        for stream in streams().filter(|stream| *stream != Stream::History) {
            self.put_stream(stream, filling);
        }
        self.put_state(filling, 0);
        if history {
            self.put_stream(Stream::History, filling);
        }
        self.put_keyed(filling);
    }

    fn put(&mut self, filling: &mut Filling, kind: ByteKind, frame: &Writer, content: Option<Content>) {
        self.counts.add(kind, frame.bytes.len());
        filling.payload.put(&frame.bytes);
        filling.contents.extend(content);
    }

    fn put_stop(&mut self, filling: &mut Filling) {
        if self.stops.pending {
            let frame = self.stop_frame();
            self.put(filling, ByteKind::Stop, &frame, Some(Content::Stop(self.stops.given)));
            self.stops.fresh = false;
            self.stops.last_sent_ns = Some(filling.now_ns);
        }
    }

    fn put_acks(&mut self, filling: &mut Filling) {
        let others = self.commands_out.is_waiting()
            || self.commands_in.is_waiting()
            || self.streams_out.iter().any(|stream| stream.queued_bytes() > 0)
            || self.latest_out[Latest::Robot.index()].due_ns().is_some_and(|due_ns| due_ns <= filling.now_ns);
        for channel in 0..self.channels.len() {
            if self.channels[channel].received.ack_due_ns.is_none() {
                continue;
            }
            let room = if others { filling.room().min(BESIDE_BYTES / 2) } else { filling.room() };
            let mut frame = Writer::default();
            frame.u8(ACKS + channel as u8);
            let received = &mut self.channels[channel].received;
            let Some(ranges) = received.write(room.saturating_sub(1), filling.now_ns, &mut frame) else { continue };
            received.ack_due_ns = None;
            filling.acks.push(Content::Acks(channel, ranges));
            self.put(filling, ByteKind::Acknowledgement, &frame, None);
        }
    }

    fn put_clock(&mut self, filling: &mut Filling) {
        let last_ns = self.clock_sent_ns.map_or(0, |sent_ns| sent_ns + CLOCK_EVERY_NS);
        let silent_ns = self.channels[0].last_sent_ns.map_or(0, |sent_ns| sent_ns + self.keepalive_ns(filling.now_ns));
        if self.clock_known && last_ns > filling.now_ns && silent_ns > filling.now_ns {
            return;
        }
        let mut frame = Writer::default();
        frame.u8(CLOCK);
        let Some(least_ms) = self.clock.least_ms() else { return };
        frame.signed(least_ms);
        if frame.bytes.len() <= filling.room() {
            self.clock_sent_ns = Some(filling.now_ns);
            self.put(filling, ByteKind::Clock, &frame, Some(Content::Clock));
        }
    }

    fn put_commands(&mut self, filling: &mut Filling) {
        let mut after = None;
        loop {
            let mut frame = Writer::default();
            frame.u8(COMMAND);
            let written = self.commands_out.write(filling.room(), filling.now_ns, after, &mut frame);
            let Some((id, range)) = written.filter(|_| frame.bytes.len() <= filling.room()) else { break };
            after = Some(id);
            self.commands_out.sent(id, range.clone());
            self.put(filling, ByteKind::Command, &frame, Some(Content::Command(id, range)));
        }
        let mut after = None;
        loop {
            let mut frame = Writer::default();
            frame.u8(ANSWER);
            let written = self.commands_in.write(filling.room(), after, &mut frame);
            let Some((id, range)) = written.filter(|_| frame.bytes.len() <= filling.room()) else { break };
            after = Some(id);
            self.commands_in.sent(id, range.clone());
            self.put(filling, ByteKind::Answer, &frame, Some(Content::Answer(id, range)));
        }
    }

    fn put_state(&mut self, filling: &mut Filling, late_ns: u64) {
        let (robot_ns, run_ns) = self.periods_ns();
        for (of, counted, period_ns) in
            [(Latest::Robot, ByteKind::Robot, robot_ns), (Latest::Run, ByteKind::Run, run_ns)]
        {
            let latest = &mut self.latest_out[of.index()];
            if let Some(frame) = latest_frame(latest, LATEST + of.index() as u8, late_ns, filling) {
                latest.sent(filling.number, filling.now_ns, period_ns);
                self.put(filling, counted, &frame, Some(Content::Latest(of)));
            }
        }
    }

    fn put_stream(&mut self, stream: Stream, filling: &mut Filling) {
        let out = &mut self.streams_out[stream.index()];
        let first = filling.contents.is_empty();
        let window = self.config.limits.document_window_bytes;
        let Some((offset, bytes)) = out.next(filling.room(), window) else { return };
        let end = offset + bytes.len() as u64;
        let cut = !first && bytes.len() < MIN_PIECE_BYTES && filling.room() < MIN_PIECE_BYTES + 8;
        if cut {
            return;
        }
        let mut frame = Writer::default();
        frame.u8(DOCUMENT + stream.index() as u8);
        frame.varint(offset);
        frame.block(&bytes);
        out.sent(offset..end);
        let kind = match stream {
            Stream::Overview => ByteKind::Overview,
            Stream::Edits => ByteKind::Edits,
            Stream::Snapshot => ByteKind::Snapshot,
            Stream::History => ByteKind::History,
        };
        self.put(filling, kind, &frame, Some(Content::Document(stream, offset..end)));
    }

    fn put_keyed(&mut self, filling: &mut Filling) {
        for kind in self.keyed_on(filling.channel, filling.now_ns) {
            while let Some(max_bytes) = filling.room().checked_sub(KEYED_HEAD_BYTES) {
                let Some((key, version, bytes)) = self.keyed_out.next(kind, max_bytes) else { break };
                let mut frame = Writer::default();
                frame.u8(KEYED + kind.index() as u8);
                frame.varint(key.into());
                frame.varint(version);
                frame.block(bytes);
                if frame.bytes.len() > filling.room() {
                    break;
                }
                self.keyed_out.sent((kind, key));
                let counted = match kind {
                    Keyed::Presence => ByteKind::Presence,
                    Keyed::Detail => ByteKind::Detail,
                    Keyed::Scene => ByteKind::Scene,
                    Keyed::Body => ByteKind::Body,
                    Keyed::Cloud => ByteKind::Cloud,
                    Keyed::Image => ByteKind::Image,
                };
                self.put(filling, counted, &frame, Some(Content::Keyed(kind, key, version)));
            }
        }
    }

    fn seal(&mut self, filling: Filling) -> Option<Vec<u8>> {
        let Filling { now_ns, channel, number, payload, mut contents, acks, .. } = filling;
        // An acknowledgement asks for one itself only when there is more to say than one range: else it would never end.
        let long = acks.iter().any(|content| matches!(content, Content::Acks(_, ranges) if ranges.len() > 1));
        if long || !contents.is_empty() {
            contents.extend(acks);
        }
        let sealed = self.sessions.current.as_ref()?.seal((channel as u64) << 56 | number, &payload.bytes)?;
        let mut bytes = Vec::with_capacity(HEADER_BYTES + sealed.len());
        bytes.push(DATA << 4 | channel as u8);
        bytes.extend_from_slice(&(number as u32).to_le_bytes());
        bytes.extend_from_slice(&sealed);
        let sent = &mut self.channels[channel];
        sent.ledger.sent(now_ns, contents);
        self.counts.add(ByteKind::IpUdp, sent.config.header_bytes);
        self.counts.add(ByteKind::Seal, HEADER_BYTES + sealed.len() - payload.bytes.len());
        self.counts.add(ByteKind::Time, TIME_BYTES);
        self.counts.datagrams += 1;
        Some(bytes)
    }
}

fn latest_frame(latest: &LatestOut, kind: u8, late_ns: u64, filling: &Filling) -> Option<Writer> {
    if latest.due_ns()? + late_ns > filling.now_ns {
        return None;
    }
    let mut frame = Writer::default();
    frame.u8(kind);
    latest.write(filling.number, filling.now_ns, &mut frame);
    (frame.bytes.len() <= filling.room()).then_some(frame)
}
