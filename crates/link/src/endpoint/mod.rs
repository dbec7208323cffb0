//! One end of a link: no clock, no sockets, no threads. Whoever drives it gives it the time and the datagrams.

mod fill;
mod handshake;
mod read;

use std::collections::VecDeque;

use thiserror::Error;

use crate::clock::Clock;
use crate::commands::{CommandsIn, CommandsOut};
use crate::config::{Carries, ChannelConfig, LinkConfig, Side};
use crate::keyed::{KeyedIn, KeyedOut};
use crate::latest::{LatestIn, LatestOut};
use crate::ledger::{Content, Ledger, Received, SentPacket};
use crate::message::{DocumentNumber, Event, Keyed, Latest, Message, Receipt, Stream};
use crate::pacer::Pacer;
use crate::secure::{Secure, SecurityError, TAG_BYTES};
use crate::status::{ByteCounts, ChannelTraffic, DocumentStatus, Ignored, LinkStatus, Meter, Quality};
use crate::stream::{StreamIn, StreamOut};
use handshake::Sessions;

/// Kind and channel, and the low half of the packet number.
const HEADER_BYTES: usize = 5;
const TIME_BYTES: usize = 3;

/// While a stop is not acknowledged, little goes beside it, so that one follows the other soon.
const STOP_BESIDE_BYTES: usize = 10;

/// Left beside a value or a report for acknowledgements and the clock.
const BESIDE_BYTES: usize = 24;

const BULK_PROBE_NS: u64 = 50_000_000;
const BULK_UP_NS: u64 = 700_000_000;
const BULK_REORDER_NS: u64 = 1_500_000_000;
const BULK_PATIENCE_NS: u64 = 2_500_000_000;
const MAX_IN_FLIGHT: usize = 8_192;
const MAX_CHANNELS: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Datagram {
    pub channel: usize,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Error)]
pub enum LinkError {
    #[error("a link has 1 to {MAX_CHANNELS} channels, and the first carries everything and sends")]
    Channels,
    #[error(
        "channel {0}: a datagram needs at least 160 bytes and at most 1,500, and a second must hold one beside the reserve"
    )]
    Datagram(usize),
    #[error(transparent)]
    Security(#[from] SecurityError),
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OfferError {
    #[error("{what} of {bytes} bytes: this link takes at most {limit}")]
    TooLarge { what: &'static str, bytes: usize, limit: usize },
    #[error("{limit} commands have no answer yet; wait for one")]
    TooManyCommands { limit: usize },
    #[error("{limit} bytes of this stream wait to be sent; wait until the other side has some of them")]
    StreamFull { limit: usize },
    #[error("no command {0} waits for an answer")]
    NoSuchCommand(u64),
}

struct Channel {
    config: ChannelConfig,
    pacer: Pacer,
    ledger: Ledger,
    received: Received,
    last_sent_ns: Option<u64>,
    sent: Meter,
    got: Meter,
}

impl Channel {
    fn traffic(&self, now_ns: u64) -> ChannelTraffic {
        ChannelTraffic {
            most_bytes_s: if self.config.sends { self.config.rate_bit_s / 8 } else { 0 },
            sent_bytes_s: self.sent.in_last_second(now_ns),
            received_bytes_s: self.got.in_last_second(now_ns),
            sent_bytes: self.sent.total,
            received_bytes: self.got.total,
        }
    }
}

#[derive(Default)]
struct Stops {
    given: u64,
    voids_below: u64,
    pending: bool,
    /// The first sending of a stop waits for nothing but the rate.
    fresh: bool,
    last_sent_ns: Option<u64>,
    heard: u64,
}

pub struct Endpoint {
    config: LinkConfig,
    secure: Secure,
    sessions: Sessions,
    channels: Vec<Channel>,
    stops: Stops,
    commands_out: CommandsOut,
    commands_in: CommandsIn,
    streams_out: [StreamOut; 4],
    streams_in: [StreamIn; 4],
    latest_out: [LatestOut; 2],
    latest_in: [LatestIn; 2],
    keyed_out: KeyedOut,
    keyed_in: KeyedIn,
    clock: Clock,
    clock_sent_ns: Option<u64>,
    clock_known: bool,
    heard_ns: Option<u64>,
    loss: f64,
    events: VecDeque<Event>,
    counts: ByteCounts,
    ignored: Ignored,
}

impl Endpoint {
    pub fn new(config: LinkConfig) -> Result<Self, LinkError> {
        check_channels(&config.channels)?;
        let connects = config.side == Side::Connects;
        let mut secure = Secure::new(config.security.clone(), config.seed, connects)?;
        let channels = config.channels.iter().map(|channel| Channel {
            pacer: Pacer::new(channel),
            config: channel.clone(),
            ledger: Ledger::default(),
            received: Received::default(),
            last_sent_ns: None,
            sent: Meter::default(),
            got: Meter::default(),
        });
        let (latest_out, latest_in) = (config.packing.map(LatestOut::new), config.packing.map(LatestIn::new));
        Ok(Self {
            channels: channels.collect(),
            sessions: Sessions::new(secure.instance()),
            secure,
            config,
            stops: Stops::default(),
            commands_out: CommandsOut::default(),
            commands_in: CommandsIn::default(),
            streams_out: Default::default(),
            streams_in: Default::default(),
            latest_out,
            latest_in,
            keyed_out: KeyedOut::default(),
            keyed_in: KeyedIn::default(),
            clock: Clock::default(),
            clock_sent_ns: None,
            clock_known: false,
            heard_ns: None,
            loss: 0.0,
            events: VecDeque::new(),
            counts: ByteCounts::default(),
            ignored: Ignored::default(),
        })
    }

    /// Takes a message to the other side. What cannot be taken is refused at once and changes nothing.
    pub fn offer(&mut self, now_ns: u64, message: Message) -> Result<Receipt, OfferError> {
        match message {
            Message::Stop => {
                self.stops.given += 1;
                self.stops.voids_below = self.commands_out.next_id();
                self.stops.pending = true;
                self.stops.fresh = true;
                Ok(Receipt::None)
            }
            Message::Command { bytes, valid_for_ns } => {
                self.fits("a command", bytes.len(), self.config.limits.command_bytes)?;
                let limit = self.config.limits.commands_open;
                if self.commands_out.open() >= limit {
                    return Err(OfferError::TooManyCommands { limit });
                }
                Ok(Receipt::Command(self.commands_out.give(bytes, valid_for_ns, now_ns)))
            }
            Message::Answer { to, bytes } => {
                self.fits("an answer", bytes.len(), self.config.limits.command_bytes)?;
                let taken = self.commands_in.answer(to, bytes);
                if taken { Ok(Receipt::None) } else { Err(OfferError::NoSuchCommand(to.0)) }
            }
            Message::Document { stream, bytes } => self.offer_document(stream, &bytes),
            Message::Latest { of, bytes } => {
                let what = match of {
                    Latest::Robot => "a robot report",
                    Latest::Run => "a run report",
                };
                // Its kind, length, age and base come before it.
                self.fits(what, bytes.len() + 6, self.room(0) - BESIDE_BYTES / 2)?;
                self.latest_out[of.index()].offer(bytes, now_ns);
                Ok(Receipt::None)
            }
            Message::Keyed { kind, key, bytes } => {
                self.fits("a keyed value", bytes.len(), self.max_keyed_bytes(kind))?;
                self.keyed_out.offer((kind, key), bytes, &self.config.limits);
                Ok(Receipt::None)
            }
        }
    }

    fn offer_document(&mut self, stream: Stream, bytes: &[u8]) -> Result<Receipt, OfferError> {
        let limits = &self.config.limits;
        self.fits("a document message", bytes.len(), limits.document_message_bytes)?;
        let out = &mut self.streams_out[stream.index()];
        if out.queued_bytes() + bytes.len() > limits.document_queue_bytes {
            return Err(OfferError::StreamFull { limit: limits.document_queue_bytes });
        }
        Ok(Receipt::Document(stream, DocumentNumber(out.offer(bytes))))
    }

    fn fits(&self, what: &'static str, bytes: usize, limit: usize) -> Result<(), OfferError> {
        if bytes > limit { Err(OfferError::TooLarge { what, bytes, limit }) } else { Ok(()) }
    }

    /// The largest keyed value of a kind: as much as fits a datagram of the channel it goes by.
    pub fn max_keyed_bytes(&self, kind: Keyed) -> usize {
        let channel = if kind.is_bulk() { self.bulk_channel().unwrap_or(0) } else { 0 };
        self.room(channel) - BESIDE_BYTES - KEYED_HEAD_BYTES
    }

    /// What a datagram of a channel holds for frames.
    fn room(&self, channel: usize) -> usize {
        let config = &self.channels[channel].config;
        config.max_datagram - config.header_bytes - self.overhead_bytes()
    }

    /// What a datagram costs beyond its frames and IP and UDP.
    pub fn overhead_bytes(&self) -> usize {
        HEADER_BYTES + TIME_BYTES + if self.secure.is_sealed() { TAG_BYTES } else { 0 }
    }

    fn bulk_channel(&self) -> Option<usize> {
        self.channels.iter().position(|channel| channel.config.carries == Carries::Bulk && channel.config.sends)
    }

    pub fn take_events(&mut self) -> Vec<Event> {
        self.events.drain(..).collect()
    }

    pub fn byte_counts(&self) -> &ByteCounts {
        &self.counts
    }

    pub fn ignored(&self) -> Ignored {
        self.ignored
    }

    fn is_joining(&self) -> bool {
        [Stream::Overview, Stream::Snapshot].iter().any(|stream| self.streams_out[stream.index()].queued_bytes() > 0)
    }

    fn channel_is_up(&self, channel: usize, now_ns: u64) -> bool {
        let newest_ns = self.channels[channel].ledger.newest_acked_sent_ns();
        newest_ns.is_some_and(|newest_ns| now_ns.saturating_sub(newest_ns) < BULK_UP_NS)
    }

    fn is_down(&self, now_ns: u64) -> bool {
        self.heard_ns.is_none_or(|heard_ns| now_ns.saturating_sub(heard_ns) > self.config.timing.down_ns)
    }

    pub fn status(&self, now_ns: u64) -> LinkStatus {
        let quality = match () {
            () if self.sessions.current.is_none() => Quality::NotConnected,
            () if self.is_down(now_ns) => Quality::Down,
            () if self.loss > 0.1 => Quality::Poor,
            () => Quality::Good,
        };
        let age_ns = |at_ns: Option<u64>| at_ns.map(|at_ns| now_ns.saturating_sub(at_ns));
        let to_ns = |ms: i64| ms.saturating_mul(1_000_000);
        let document = |stream: Stream| {
            let out = &self.streams_out[stream.index()];
            DocumentStatus { offered: out.offered, acknowledged: out.acknowledged, waiting_bytes: out.queued_bytes() }
        };
        LinkStatus {
            quality,
            peer: self.sessions.peer,
            silent_ns: age_ns(self.heard_ns),
            round_trip_ns: self.channels[0].ledger.round_trip_ns,
            loss: self.loss,
            clock_ahead_ns: self.clock.ahead_ms().map(to_ns),
            clock_error_ns: self.clock.round_trip_ms().map(|ms| to_ns(ms).unsigned_abs() / 2),
            robot_age_ns: age_ns(self.latest_in[Latest::Robot.index()].at_ns),
            run_age_ns: age_ns(self.latest_in[Latest::Run.index()].at_ns),
            stop_pending: self.stops.pending,
            commands_open: self.commands_out.open(),
            documents: Stream::ALL.map(document),
            keyed_waiting: self.keyed_out.waiting(),
            keyed_dropped: self.keyed_out.dropped,
            channels_up: (0..self.channels.len())
                .map(|channel| if channel == 0 { !self.is_down(now_ns) } else { self.channel_is_up(channel, now_ns) })
                .collect(),
            channels: self.channels.iter().map(|channel| channel.traffic(now_ns)).collect(),
        }
    }

    /// How long an overtaken packet may still come, and how long any may stay unacknowledged.
    fn patience_ns(&self, channel: usize) -> (u64, u64) {
        let timing = &self.config.timing;
        match self.channels[channel].config.carries {
            Carries::Bulk => (BULK_REORDER_NS, BULK_PATIENCE_NS),
            Carries::Everything => {
                let round_trip_ns = self.channels[channel].ledger.round_trip_ns.unwrap_or(timing.repair_ns);
                // Where only state arrived the other side takes its time to say so.
                let told_ns = (timing.repair_ns + timing.ack_ns).max(timing.ack_state_ns + 2 * timing.ack_ns);
                (2 * timing.ack_ns, round_trip_ns * 3 / 2 + told_ns)
            }
        }
    }

    fn find_lost(&mut self, now_ns: u64) {
        for channel in 0..self.channels.len() {
            let (reorder_ns, patience_ns) = self.patience_ns(channel);
            let dark = self.is_down(now_ns);
            let missed = self.channels[channel].ledger.take_missed(now_ns, reorder_ns, patience_ns, dark);
            missed.into_iter().for_each(|packet| self.was_missed(packet));
            for _ in 0..self.channels[channel].ledger.take_lost(now_ns) {
                self.loss += (1.0 - self.loss) * 0.02;
            }
        }
    }

    /// After a silence: what was sent into it is lost, and need not be waited for.
    fn silence_ended(&mut self, now_ns: u64) {
        let missed = self.channels[0].ledger.take_missed(now_ns, 0, 0, true);
        missed.into_iter().for_each(|packet| self.was_missed(packet));
    }

    fn was_missed(&mut self, packet: SentPacket) {
        for content in packet.contents {
            match content {
                Content::Command(id, range) => self.commands_out.lost(id, range),
                Content::Answer(id, range) => self.commands_in.lost(id, range),
                Content::Document(stream, range) => self.streams_out[stream.index()].lost(range),
                Content::Keyed(kind, key, version) => self.keyed_out.lost((kind, key), version),
                Content::Latest(of) => self.latest_out[of.index()].lost(packet.number),
                // A stop repeats itself, clocks are told until they are known, acknowledgements are in all that follows.
                Content::Stop(_) | Content::Clock | Content::Acks(..) => {}
            }
        }
    }

    fn has_arrived(&mut self, packet: SentPacket) {
        self.loss -= self.loss * 0.02;
        for content in packet.contents {
            match content {
                Content::Stop(id) if id == self.stops.given && self.stops.pending => {
                    self.stops.pending = false;
                    self.events.push_back(Event::StopAcknowledged);
                }
                Content::Stop(_) => {}
                Content::Command(id, range) => self.commands_out.acked(id, range),
                Content::Answer(id, range) => self.commands_in.acked(id, range),
                Content::Document(stream, range) => self.streams_out[stream.index()].acked(range),
                Content::Latest(of) => self.latest_out[of.index()].acknowledged(packet.number),
                Content::Keyed(kind, key, version) => self.keyed_out.acked((kind, key), version),
                Content::Clock => self.clock_known = true,
                Content::Acks(channel, ranges) => self.channels[channel].received.reported(&ranges),
            }
        }
    }
}

/// Kind, key, version and length of a keyed value, at their longest.
const KEYED_HEAD_BYTES: usize = 14;

fn check_channels(channels: &[ChannelConfig]) -> Result<(), LinkError> {
    let main = channels.first().ok_or(LinkError::Channels)?;
    let bulk_only = channels[1..].iter().all(|channel| channel.carries == Carries::Bulk);
    if channels.len() > MAX_CHANNELS || main.carries != Carries::Everything || !main.sends || !bulk_only {
        return Err(LinkError::Channels);
    }
    for (index, channel) in channels.iter().enumerate() {
        let second = (channel.rate_bit_s / 8) as usize;
        let sound = (160..=1500).contains(&channel.max_datagram)
            && channel.header_bytes <= 64
            && second >= channel.max_datagram + channel.reserve_bytes;
        if !sound {
            return Err(LinkError::Datagram(index));
        }
    }
    Ok(())
}
