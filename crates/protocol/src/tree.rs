//! What robot and operators say to each other about the shared tree.
//!
//! An edit has a number that its operator process gives it. The robot decides edits of one process in the order of
//! their numbers: it takes each, or refuses it with a reason, and says when what it took is on its disk. One that is
//! refused leaves those behind it undecided: they were made on a tree that the robot never had. They come again.

use serde::{Deserialize, Serialize};

use crate::talk::bytes;

/// A tree has at most so many nodes, in all its files: what joins within seconds and fits into memory.
pub const MOST_NODES: usize = 200_000;

/// What a tree may take on the way to somebody who joins, packed.
pub const MOST_BYTES: usize = 12 << 20;

/// Whole trees travel in pieces of this size: a link takes no larger messages.
const PIECE_BYTES: usize = 256 << 10;

/// Of an operator, on the stream of edits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToRobot {
    Edit(Sent),
    /// What is here is not what the robot has: the whole tree, please.
    SendTree,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// Which operator process made it; the same after a restart in the same folder.
    pub desk: u64,
    /// Counts up, also over restarts.
    pub number: u64,
    /// How many refusals the sender has heard of since it connected. What was sent before the last of them stands on an
    /// edit that was not taken.
    pub refusals: u32,
    pub epoch: u64,
    /// What the replica gave.
    #[serde(with = "bytes")]
    pub update: Vec<u8>,
}

/// Of the robot, on the stream of edits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum News {
    /// What others did.
    Update {
        epoch: u64,
        #[serde(with = "bytes")]
        update: Vec<u8>,
    },
    /// Every edit of yours up to this number is decided; what was taken of them is applied and on disk.
    Kept { number: u64 },
    /// This one was not taken, and nothing sent behind it.
    Refused { number: u64, why: String },
    /// History begins anew from the tree as it is at version `holds`; everybody can make the new beginning.
    Epoch {
        epoch: u64,
        #[serde(with = "bytes")]
        holds: Vec<u8>,
        check: u64,
    },
}

/// A whole behavior: what a replica is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Whole {
    /// The epoch in which this behavior was opened: equal for all epochs of one behavior.
    pub origin: u64,
    /// The tree that all began with.
    #[serde(with = "bytes")]
    pub genesis: Vec<u8>,
    /// All changes since; none: there are none.
    #[serde(with = "bytes")]
    pub updates: Vec<u8>,
    /// What the sender has, so that whoever has more of the same epoch can give it.
    #[serde(with = "bytes")]
    pub version: Vec<u8>,
    /// Which edits were decided: the highest number of each operator process, the one heard last at the end.
    pub decided: Vec<(u64, u64)>,
}

impl Whole {
    pub fn decided_of(&self, desk: u64) -> u64 {
        self.decided.iter().find(|(each, _)| *each == desk).map_or(0, |(_, number)| *number)
    }
}

/// A part of something that is too large for one message of the link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Piece {
    at: u32,
    total: u32,
    #[serde(with = "bytes")]
    bytes: Vec<u8>,
}

/// Messages for the stream of snapshots; put together again by [`Pieces`].
pub fn pieces(whole: &[u8]) -> Vec<Vec<u8>> {
    let total = whole.len() as u32;
    let piece = |(index, bytes): (usize, &[u8])| {
        crate::talk::pack(&Piece { at: (index * PIECE_BYTES) as u32, total, bytes: bytes.to_vec() })
    };
    let parts: Vec<&[u8]> = if whole.is_empty() { vec![whole] } else { whole.chunks(PIECE_BYTES).collect() };
    parts.into_iter().enumerate().map(piece).collect()
}

/// Puts together what came in pieces, in order.
#[derive(Debug, Default)]
pub struct Pieces {
    so_far: Vec<u8>,
    total: usize,
}

impl Pieces {
    /// The whole, with its last piece. A piece that does not follow on the one before is the beginning of something
    /// else, or nothing.
    pub fn take(&mut self, message: &[u8]) -> Option<Vec<u8>> {
        let piece: Piece = crate::talk::unpack(message)?;
        let total = piece.total as usize;
        if piece.at == 0 {
            self.so_far.clear();
            self.total = total;
        }
        let fits = piece.at as usize == self.so_far.len() && total == self.total && total <= 2 * MOST_BYTES;
        if !fits || self.so_far.len() + piece.bytes.len() > total {
            *self = Pieces::default();
            return None;
        }
        self.so_far.extend(piece.bytes);
        if self.so_far.len() < total {
            return None;
        }
        self.total = 0;
        Some(std::mem::take(&mut self.so_far))
    }

    /// Bytes that are here, and how many there will be; none while nothing is on its way.
    pub fn progress(&self) -> Option<(usize, usize)> {
        (self.total > 0).then_some((self.so_far.len(), self.total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_for_a_message_comes_in_pieces() {
        for length in [0, 1, PIECE_BYTES, PIECE_BYTES + 1, 5_000_000] {
            let whole: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            let sent = pieces(&whole);
            assert!(sent.iter().all(|piece| piece.len() < PIECE_BYTES + 32));
            let mut taken = Pieces::default();
            let (last, before) = sent.split_last().unwrap();
            assert!(before.iter().all(|piece| taken.take(piece).is_none()));
            assert_eq!(taken.progress().is_some(), !before.is_empty());
            assert_eq!(taken.take(last), Some(whole));
            assert_eq!(taken.progress(), None);
        }
    }

    #[test]
    fn a_beginning_replaces_what_was_not_finished_and_garbage_is_nothing() {
        let (first, second) = (pieces(&[1; 600_000]), pieces(&[2; 300_000]));
        let mut taken = Pieces::default();
        assert_eq!(taken.take(&first[0]), None);
        assert_eq!(taken.take(&second[0]), None);
        assert_eq!(taken.take(&second[1]), Some(vec![2; 300_000]));
        for garbage in [&b""[..], &[0xff; 20], &first[1]] {
            assert_eq!(taken.take(garbage), None);
        }
        assert_eq!(taken.take(&pieces(&[3; 9])[0]), Some(vec![3; 9]));
    }
}
