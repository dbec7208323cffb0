//! What is always readable about a link.

use crate::message::Stream;
use crate::secure::PublicKey;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    /// No handshake has succeeded yet.
    NotConnected,
    /// Nothing was heard for longer than a living link is silent.
    Down,
    /// More than one datagram in ten is lost.
    Poor,
    Good,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DocumentStatus {
    /// Messages offered here.
    pub offered: u64,
    /// Of these, how many the other side has, all before them included: "has it got my edit n?" is `n <= acknowledged`.
    pub acknowledged: u64,
    pub waiting_bytes: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LinkStatus {
    pub quality: Quality,
    pub peer: Option<PublicKey>,
    pub silent_ns: Option<u64>,
    pub round_trip_ns: Option<u64>,
    /// Of the last hundred or so datagrams.
    pub loss: f64,
    /// Our clock minus theirs, and how wrong that may be.
    pub clock_ahead_ns: Option<i64>,
    pub clock_error_ns: Option<u64>,
    pub robot_age_ns: Option<u64>,
    pub run_age_ns: Option<u64>,
    pub stop_pending: bool,
    pub commands_open: usize,
    pub documents: [DocumentStatus; 4],
    /// Keyed values that the other side does not have yet, and those given up for want of room.
    pub keyed_waiting: usize,
    pub keyed_dropped: u64,
    /// Whether each channel gets through, as far as its acknowledgements tell.
    pub channels_up: Vec<bool>,
    /// What each channel carries, headers counted.
    pub channels: Vec<ChannelTraffic>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChannelTraffic {
    /// Never more than this is sent in a second; zero: this end does not send on it.
    pub most_bytes_s: u64,
    /// In the last whole second.
    pub sent_bytes_s: u64,
    pub received_bytes_s: u64,
    /// Since this end began.
    pub sent_bytes: u64,
    pub received_bytes: u64,
}

/// Bytes of each second, the last whole one kept.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Meter {
    second: u64,
    now: u64,
    before: u64,
    pub total: u64,
}

impl Meter {
    const SECOND_NS: u64 = 1_000_000_000;

    pub fn count(&mut self, now_ns: u64, bytes: usize) {
        let second = now_ns / Self::SECOND_NS;
        if second != self.second {
            self.before = self.in_last_second(now_ns);
            (self.second, self.now) = (second, 0);
        }
        self.now += bytes as u64;
        self.total += bytes as u64;
    }

    pub fn in_last_second(&self, now_ns: u64) -> u64 {
        match (now_ns / Self::SECOND_NS).saturating_sub(self.second) {
            0 => self.before,
            1 => self.now,
            _ => 0,
        }
    }
}

impl LinkStatus {
    pub fn document(&self, stream: Stream) -> DocumentStatus {
        self.documents[stream.index()]
    }
}

/// What arrived and was not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ignored {
    pub too_short: u64,
    pub too_long: u64,
    pub unknown_kind: u64,
    /// Not sealed by the other side, or damaged.
    pub not_authentic: u64,
    pub repeated: u64,
    /// Sealed by the other side, and yet not to be understood or beyond a limit.
    pub malformed: u64,
    /// Handshakes of strangers, and more handshakes than are looked at in a second.
    pub handshakes: u64,
    /// Nobody took the events; it will come again.
    pub no_room: u64,
}

impl Ignored {
    pub fn total(&self) -> u64 {
        let Self { too_short, too_long, unknown_kind, not_authentic, repeated, malformed, handshakes, no_room } = self;
        too_short + too_long + unknown_kind + not_authentic + repeated + malformed + handshakes + no_room
    }
}

/// Where the bytes on the wire go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ByteKind {
    IpUdp,
    Seal,
    Time,
    Handshake,
    Acknowledgement,
    Clock,
    Stop,
    Command,
    Answer,
    Robot,
    Run,
    Overview,
    Edits,
    Snapshot,
    History,
    Presence,
    Detail,
    Scene,
    Body,
    Cloud,
    Image,
}

impl ByteKind {
    pub const ALL: [Self; 21] = [
        Self::IpUdp,
        Self::Seal,
        Self::Time,
        Self::Handshake,
        Self::Acknowledgement,
        Self::Clock,
        Self::Stop,
        Self::Command,
        Self::Answer,
        Self::Robot,
        Self::Run,
        Self::Overview,
        Self::Edits,
        Self::Snapshot,
        Self::History,
        Self::Presence,
        Self::Detail,
        Self::Scene,
        Self::Body,
        Self::Cloud,
        Self::Image,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::IpUdp => "IP and UDP",
            Self::Seal => "packet number and seal",
            Self::Time => "time of sending",
            Self::Handshake => "handshake",
            Self::Acknowledgement => "acknowledgements",
            Self::Clock => "clocks",
            Self::Stop => "stop",
            Self::Command => "commands",
            Self::Answer => "answers",
            Self::Robot => "robot state",
            Self::Run => "run state",
            Self::Overview => "overview",
            Self::Edits => "edits",
            Self::Snapshot => "snapshot",
            Self::History => "history",
            Self::Presence => "presence",
            Self::Detail => "details",
            Self::Scene => "scene",
            Self::Body => "body",
            Self::Cloud => "cloud tiles",
            Self::Image => "image tiles",
        }
    }
}

/// Bytes and frames sent, by kind. The bytes of all kinds together are the bytes on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByteCounts {
    bytes: [u64; ByteKind::ALL.len()],
    frames: [u64; ByteKind::ALL.len()],
    pub datagrams: u64,
}

impl ByteCounts {
    pub(crate) fn add(&mut self, kind: ByteKind, bytes: usize) {
        self.bytes[kind as usize] += bytes as u64;
        self.frames[kind as usize] += 1;
    }

    pub fn bytes(&self, kind: ByteKind) -> u64 {
        self.bytes[kind as usize]
    }

    pub fn frames(&self, kind: ByteKind) -> u64 {
        self.frames[kind as usize]
    }

    pub fn total(&self) -> u64 {
        self.bytes.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_counted_apart() {
        let mut counts = ByteCounts::default();
        for (index, kind) in ByteKind::ALL.into_iter().enumerate() {
            counts.add(kind, index + 1);
        }
        for (index, kind) in ByteKind::ALL.into_iter().enumerate() {
            assert_eq!((counts.bytes(kind), counts.frames(kind)), (index as u64 + 1, 1), "{}", kind.name());
        }
    }

    #[test]
    fn a_meter_tells_of_the_last_whole_second() {
        let mut meter = Meter::default();
        meter.count(100, 10);
        assert_eq!(meter.in_last_second(200), 0, "this one is not over");
        assert_eq!(meter.in_last_second(Meter::SECOND_NS), 10);
        meter.count(Meter::SECOND_NS + 1, 7);
        assert_eq!(meter.in_last_second(Meter::SECOND_NS + 2), 10);
        assert_eq!(meter.in_last_second(2 * Meter::SECOND_NS), 7);
        assert_eq!((meter.in_last_second(3 * Meter::SECOND_NS), meter.total), (0, 17), "silence is told");
    }
}
