//! What a link is told at its beginning: its channels, how often what is sent, and its limits.

use crate::latest::Packing;
use crate::secure::Security;

/// IPv4 and UDP, which a datagram costs on the wire beyond what we write. IPv6 costs 20 bytes more.
pub const IP_UDP_BYTES: usize = 28;

const MS: u64 = 1_000_000;

/// What a channel is for. The first channel of a link is its main one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carries {
    /// Everything; keyed bulk too, unless another channel takes it.
    Everything,
    /// Clouds, images and history: what can wait for the channel to be there.
    Bulk,
}

#[derive(Debug, Clone)]
pub struct ChannelConfig {
    pub carries: Carries,
    /// False for a channel that comes only from the other side.
    pub sends: bool,
    /// Never more than this in any second, headers counted.
    pub rate_bit_s: u64,
    /// The largest datagram, headers counted.
    pub max_datagram: usize,
    /// Kept free in every second for a stop.
    pub reserve_bytes: usize,
    /// How far sending may run ahead of an even pace; timers of a fast channel are coarser than its datagrams.
    pub slack_ns: u64,
    /// Counted for each datagram beyond its own bytes.
    pub header_bytes: usize,
}

impl ChannelConfig {
    /// 9,600 bit/s. The size of a datagram: six fill a second beside the reserve, and a stop waits 158 ms behind one.
    pub fn narrow() -> Self {
        Self {
            carries: Carries::Everything,
            sends: true,
            rate_bit_s: 9_600,
            max_datagram: 189,
            reserve_bytes: 66,
            slack_ns: 0,
            header_bytes: IP_UDP_BYTES,
        }
    }

    /// A LAN: 50 Mbit/s in datagrams that pass every network.
    pub fn wide() -> Self {
        Self {
            carries: Carries::Everything,
            sends: true,
            rate_bit_s: 50_000_000,
            max_datagram: 1_200,
            reserve_bytes: 4_096,
            slack_ns: 2 * MS,
            header_bytes: IP_UDP_BYTES,
        }
    }

    /// The fast channel of the DRC Finals: there for a second, then gone for half a minute.
    pub fn bursts() -> Self {
        Self { carries: Carries::Bulk, rate_bit_s: 300_000_000, ..Self::wide() }
    }

    pub fn receive_only(self) -> Self {
        Self { sends: false, ..self }
    }
}

/// How often what is sent on the main channel.
#[derive(Debug, Clone)]
pub struct Timing {
    pub robot_ns: u64,
    pub run_ns: u64,
    /// Both while a tree is being joined, so that it is there sooner.
    pub joining_robot_ns: u64,
    pub joining_run_ns: u64,
    /// An unacknowledged stop is repeated this often.
    pub stop_repeat_ns: u64,
    /// What arrived is acknowledged within this time, or with what is sent anyway.
    pub ack_ns: u64,
    /// The same where only state arrived, which nobody waits for.
    pub ack_state_ns: u64,
    /// Silence is broken after this time.
    pub keepalive_ns: u64,
    /// The other side counts as out of reach after this much silence.
    pub down_ns: u64,
    pub handshake_retry_ns: u64,
    /// After this much silence the first side also offers a new handshake: the other may have restarted.
    pub rehandshake_ns: u64,
    /// How long to wait for an acknowledgement beyond the round trip before sending again.
    pub repair_ns: u64,
}

impl Timing {
    pub fn narrow() -> Self {
        Self {
            robot_ns: 230 * MS,
            run_ns: 460 * MS,
            joining_robot_ns: 480 * MS,
            joining_run_ns: 960 * MS,
            stop_repeat_ns: 75 * MS,
            ack_ns: 120 * MS,
            ack_state_ns: 450 * MS,
            keepalive_ns: 1_000 * MS,
            down_ns: 2_500 * MS,
            handshake_retry_ns: 700 * MS,
            rehandshake_ns: 8_000 * MS,
            repair_ns: 600 * MS,
        }
    }

    pub fn wide() -> Self {
        Self {
            robot_ns: 16 * MS,
            run_ns: 16 * MS,
            joining_robot_ns: 16 * MS,
            joining_run_ns: 16 * MS,
            stop_repeat_ns: 20 * MS,
            ack_ns: 5 * MS,
            ack_state_ns: 50 * MS,
            keepalive_ns: 250 * MS,
            down_ns: 1_000 * MS,
            handshake_retry_ns: 200 * MS,
            rehandshake_ns: 2_000 * MS,
            repair_ns: 30 * MS,
        }
    }
}

/// What the other side may make us keep. Beyond it, things are refused or left unacknowledged, so that they come again.
#[derive(Debug, Clone)]
pub struct Limits {
    pub command_bytes: usize,
    pub commands_open: usize,
    pub commands_per_s: u32,
    pub document_message_bytes: usize,
    /// Bytes of one stream on their way.
    pub document_window_bytes: u64,
    /// Bytes of one stream that wait to be sent.
    pub document_queue_bytes: usize,
    pub keyed_values: usize,
    pub keyed_bytes: usize,
    pub events: usize,
    pub handshakes_per_s: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            command_bytes: 16 * 1024,
            commands_open: 64,
            commands_per_s: 100,
            document_message_bytes: 4 << 20,
            document_window_bytes: 1 << 20,
            document_queue_bytes: 16 << 20,
            keyed_values: 65_536,
            keyed_bytes: 64 << 20,
            events: 65_536,
            handshakes_per_s: 10,
        }
    }
}

/// Who speaks first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The operator: offers the handshake.
    Connects,
    /// The robot: answers it.
    Listens,
}

#[derive(Debug, Clone)]
pub struct LinkConfig {
    pub side: Side,
    pub channels: Vec<ChannelConfig>,
    pub timing: Timing,
    pub limits: Limits,
    pub security: Security,
    /// Random, never used twice: what session keys are made of.
    pub seed: [u8; 32],
    /// Of each kind of [`crate::Latest`].
    pub packing: [Packing; 2],
}

impl LinkConfig {
    pub fn narrow(side: Side, security: Security, seed: [u8; 32]) -> Self {
        let channels = vec![ChannelConfig::narrow()];
        Self {
            side,
            channels,
            timing: Timing::narrow(),
            limits: Limits::default(),
            security,
            seed,
            packing: [Packing::NONE; 2],
        }
    }

    pub fn wide(side: Side, security: Security, seed: [u8; 32]) -> Self {
        let channels = vec![ChannelConfig::wide()];
        Self {
            side,
            channels,
            timing: Timing::wide(),
            limits: Limits::default(),
            security,
            seed,
            packing: [Packing::NONE; 2],
        }
    }

    #[must_use]
    pub fn packed(self, packing: [Packing; 2]) -> Self {
        Self { packing, ..self }
    }

    /// The pair of the DRC Finals: an always-on narrow channel, and bursts from the robot.
    pub fn finals(side: Side, security: Security, seed: [u8; 32]) -> Self {
        let bursts = match side {
            Side::Listens => ChannelConfig::bursts(),
            Side::Connects => ChannelConfig::bursts().receive_only(),
        };
        let mut config = Self::narrow(side, security, seed);
        config.channels.push(bursts);
        config
    }
}
