//! The robot's copy of the shared tree, with the library it stands for.

use model::{Edit, Library, Subtree};
use protocol::talk::{MOST_BYTES, MOST_NODES, Sent, Update, Whole, pack, unpack};
use replica::{NewEpoch, Peer, Replica, ReplicaError, Version};
use thiserror::Error;

/// Operator processes whose edits are remembered as decided.
const MOST_DESKS: usize = 1_000;

/// When nobody edits, changes take at most this part of what the tree takes, so that joining, disk and memory are those of
/// a tree that was never edited.
const GROWTH: usize = 8;

/// While somebody edits they may take this much: what is on its way when history begins anew has to come again.
const BUSY_GROWTH_BYTES: usize = 256 << 10;

#[derive(Debug, Error)]
pub enum SharedError {
    #[error("the behavior cannot be read: it was packed by another version of this program, or is damaged")]
    NotWhole,
    #[error(transparent)]
    Replica(#[from] ReplicaError),
    #[error("a change does not fit the tree: {0}")]
    Edit(#[from] model::EditError),
    #[error("the behavior says epoch {theirs} inside and {said} outside")]
    Epochs { said: u64, theirs: u64 },
    #[error("it stands on a change that the robot does not have")]
    Incomplete,
    #[error("the tree would have {0} nodes: a robot takes up to {MOST_NODES}; make it smaller, or open part of it")]
    TooManyNodes(usize),
    #[error("the tree would take {0} bytes, packed: a robot takes up to {MOST_BYTES}; shorten long texts and lists")]
    TooManyBytes(usize),
}

pub struct Shared {
    replica: Replica,
    library: Library,
    /// The epoch it was opened in.
    origin: u64,
    /// The highest number that was decided of each operator process, the one heard last at the end.
    decided: Vec<(u64, u64)>,
    /// What changes of this epoch take.
    grown_bytes: usize,
}

/// What an update changed here.
#[derive(Debug, Default)]
pub struct Change {
    /// Nothing of it was known.
    pub is_new: bool,
    pub edits: Vec<Edit>,
}

impl Shared {
    pub fn from_library(library: Library, peer: Peer, epoch: u64) -> Result<Shared, SharedError> {
        let replica = Replica::from_library(&library, peer, epoch)?;
        Shared { replica, library, origin: epoch, decided: Vec::new(), grown_bytes: 0 }.within_limits()
    }

    /// As somebody else has it.
    pub fn from_update(update: &Update, peer: Peer) -> Result<Shared, SharedError> {
        let whole: Whole = unpack(&update.bytes).ok_or(SharedError::NotWhole)?;
        let (replica, library) = Replica::from_genesis(&whole.genesis, peer)?;
        if replica.epoch() != update.epoch {
            return Err(SharedError::Epochs { said: update.epoch, theirs: replica.epoch() });
        }
        let mut shared = Shared { replica, library, origin: whole.origin, decided: whole.decided, grown_bytes: 0 }
            .within_limits()?;
        if !whole.updates.is_empty() {
            shared.merge(&whole.updates)?;
        }
        Ok(shared)
    }

    fn within_limits(self) -> Result<Shared, SharedError> {
        let (nodes, bytes) = (self.nodes(), self.replica.genesis_len());
        if nodes > MOST_NODES {
            return Err(SharedError::TooManyNodes(nodes));
        }
        if bytes > MOST_BYTES { Err(SharedError::TooManyBytes(bytes)) } else { Ok(self) }
    }

    pub fn library(&self) -> &Library {
        &self.library
    }

    pub fn epoch(&self) -> u64 {
        self.replica.epoch()
    }

    pub fn version(&self) -> Version {
        self.replica.version()
    }

    pub fn nodes(&self) -> usize {
        self.library.iter().map(|(_, tree)| tree.len()).sum()
    }

    /// Every edit of this operator process up to this number was taken or refused.
    pub fn decided_of(&self, desk: u64) -> u64 {
        self.decided.iter().find(|(each, _)| *each == desk).map_or(0, |(_, number)| *number)
    }

    /// Takes an edit of an operator, whole or not at all.
    pub fn take(&mut self, sent: &Sent) -> Result<Change, SharedError> {
        let change = self.merge(&sent.update)?;
        self.decide(sent.desk, sent.number);
        Ok(change)
    }

    fn decide(&mut self, desk: u64, number: u64) {
        let number = number.max(self.decided_of(desk));
        self.decided.retain(|(each, _)| *each != desk);
        self.decided.push((desk, number));
        let beyond = self.decided.len().saturating_sub(MOST_DESKS);
        self.decided.drain(..beyond);
    }

    /// An edit that was taken before a restart. One of an epoch before is in the tree already.
    pub fn replay(&mut self, sent: &Sent) -> Result<(), SharedError> {
        if sent.epoch == self.epoch() {
            self.take(sent)?;
        }
        Ok(())
    }

    /// Given twice, it changes nothing the second time. On an error nothing has changed.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<Change, SharedError> {
        let size = self.replica.genesis_len() + self.grown_bytes + bytes.len();
        if size > MOST_BYTES {
            return Err(SharedError::TooManyBytes(size));
        }
        let before = self.replica.version();
        match self.try_merge(bytes) {
            Ok(edits) => {
                let is_new = self.replica.version() != before;
                self.grown_bytes += if is_new { bytes.len() } else { 0 };
                Ok(Change { is_new, edits })
            }
            Err(error) => {
                // What the replica took in is not in the library: it must not stay.
                self.replica.back_to(&before, &self.library)?;
                Err(error)
            }
        }
    }

    fn try_merge(&mut self, bytes: &[u8]) -> Result<Vec<Edit>, SharedError> {
        let merged = self.replica.merge(bytes, &self.library)?;
        if merged.pending {
            return Err(SharedError::Incomplete);
        }
        if self.nodes() + added(&merged.edits) > MOST_NODES {
            let mut wanted = self.library.clone();
            wanted.apply_all(&merged.edits)?;
            let nodes = wanted.iter().map(|(_, tree)| tree.len()).sum();
            if nodes > MOST_NODES {
                return Err(SharedError::TooManyNodes(nodes));
            }
        }
        self.library.apply_all(&merged.edits)?;
        Ok(merged.edits)
    }

    /// History has grown enough to begin anew. `quiet`: nobody edits just now.
    pub fn is_long(&self, quiet: bool) -> bool {
        let genesis = self.replica.genesis_len();
        let most = if quiet { genesis / GROWTH } else { BUSY_GROWTH_BYTES.max(genesis / 2) };
        self.grown_bytes > most
    }

    pub fn next_epoch(&mut self) -> Result<NewEpoch, SharedError> {
        let new = self.replica.next_epoch(&self.library)?;
        self.grown_bytes = 0;
        Ok(new)
    }

    /// For whoever joins, and for the disk.
    pub fn whole(&self) -> Result<Update, SharedError> {
        let epoch = self.epoch();
        let mut nothing = Version::default();
        nothing.epoch = epoch;
        let updates = self.replica.updates_since(&nothing)?.unwrap_or_default();
        let whole = Whole {
            origin: self.origin,
            genesis: self.replica.genesis_bytes().to_vec(),
            updates,
            version: self.replica.version().to_bytes(),
            decided: self.decided.clone(),
        };
        Ok(Update { epoch, bytes: pack(&whole) })
    }
}

/// Nodes that edits bring, at most.
fn added(edits: &[Edit]) -> usize {
    fn size(top: &Subtree) -> usize {
        1 + top.children.iter().map(size).sum::<usize>()
    }
    let of = |edit: &Edit| match edit {
        Edit::Insert { subtree, .. } => size(subtree),
        Edit::AddFile { root, .. } => size(root),
        _ => 0,
    };
    edits.iter().map(of).sum()
}
