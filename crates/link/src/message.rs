//! What goes in at one end and comes out at the other.

use crate::secure::PublicKey;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub u64);

/// The n-th message on a stream, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentNumber(pub u64);

/// Streams of a document: each in order and complete, none waiting for another. First the one that goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stream {
    /// What makes a joining operator able to act: the top levels of the tree.
    Overview,
    /// What people change now.
    Edits,
    /// The current state of the whole tree, compact.
    Snapshot,
    /// What happened before.
    History,
}

impl Stream {
    pub const ALL: [Self; 4] = [Self::Overview, Self::Edits, Self::Snapshot, Self::History];

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// Values of which only the newest counts. First the one that goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Latest {
    /// Where the robot is.
    Robot,
    /// How far its run is.
    Run,
}

impl Latest {
    pub const ALL: [Self; 2] = [Self::Robot, Self::Run];

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// Values with a key: independent of each other, a newer one replaces an older one of the same key, and each arrives
/// at some time. First the one that goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keyed {
    /// Who looks at and edits which node.
    Presence,
    /// What the packed reports have no room for: variables, questions, why a step waits.
    Detail,
    /// Objects and frames.
    Scene,
    /// Forces, efforts, faults and rates of a robot, for those who look at them.
    Body,
    /// A piece of a point cloud.
    Cloud,
    /// A piece of an image.
    Image,
}

impl Keyed {
    pub const ALL: [Self; 6] = [Self::Presence, Self::Detail, Self::Scene, Self::Body, Self::Cloud, Self::Image];

    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// Goes by the fast channel where there is one.
    pub(crate) fn is_bulk(self) -> bool {
        match self {
            Self::Presence | Self::Detail | Self::Scene | Self::Body => false,
            Self::Cloud | Self::Image => true,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// Overtakes everything, is repeated until acknowledged, and voids every command given before it.
    Stop,
    /// Done at most once, and not at all when it arrives older than `valid_for_ns`.
    Command {
        bytes: Vec<u8>,
        valid_for_ns: u64,
    },
    Answer {
        to: CommandId,
        bytes: Vec<u8>,
    },
    Document {
        stream: Stream,
        bytes: Vec<u8>,
    },
    /// Whole; older ones of its kind are dropped on both sides, and nothing of it is ever queued.
    Latest {
        of: Latest,
        bytes: Vec<u8>,
    },
    Keyed {
        kind: Keyed,
        key: u32,
        bytes: Vec<u8>,
    },
}

/// What to ask the status about later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receipt {
    None,
    Command(CommandId),
    Document(Stream, DocumentNumber),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Older than it may be when it arrived.
    Late,
    /// A stop that was given after it arrived before it.
    OvertakenByStop,
    /// Too many commands in a second.
    TooMany,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Answered(Vec<u8>),
    Refused(Refusal),
    /// The other side restarted before it answered: nobody knows whether it was done.
    PeerRestarted,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Not `resumed`: the other side knows nothing of what was said before, so send it the document.
    Connected {
        peer: Option<PublicKey>,
        resumed: bool,
    },
    Stop,
    StopAcknowledged,
    /// To be done now; answer it once.
    Command {
        id: CommandId,
        bytes: Vec<u8>,
        age_ns: u64,
    },
    /// Refused by the link and answered so; for the audit trail.
    CommandRefused {
        id: CommandId,
        why: Refusal,
    },
    /// Comes exactly once for every command.
    Answered {
        id: CommandId,
        outcome: Outcome,
    },
    Document {
        stream: Stream,
        bytes: Vec<u8>,
    },
    /// `at_ns` is when it was true, on the clock of this side.
    Latest {
        of: Latest,
        bytes: Vec<u8>,
        at_ns: u64,
    },
    Keyed {
        kind: Keyed,
        key: u32,
        bytes: Vec<u8>,
    },
}
