//! The robot's copy of the shared tree, with the library it stands for.

use std::sync::Arc;

use model::{Edit, Library};
use protocol::talk::{Update, Whole, pack, unpack};
use replica::{Peer, Replica, ReplicaError, Version};
use thiserror::Error;

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
}

pub struct Shared {
    replica: Replica,
    library: Library,
}

/// What an update changed here.
#[derive(Debug, Default)]
pub struct Change {
    /// Nothing of it was known.
    pub is_new: bool,
    pub edits: Vec<Edit>,
    /// Who made it.
    pub authors: Vec<Arc<str>>,
}

impl Shared {
    pub fn from_library(library: Library, peer: Peer, epoch: u64) -> Result<Shared, SharedError> {
        let replica = Replica::from_library(&library, peer, epoch)?;
        Ok(Shared { replica, library })
    }

    /// As somebody else has it.
    pub fn from_update(update: &Update, peer: Peer) -> Result<Shared, SharedError> {
        let whole: Whole = unpack(&update.bytes).ok_or(SharedError::NotWhole)?;
        let (replica, library) = Replica::from_genesis(&whole.genesis, peer)?;
        if replica.epoch() != update.epoch {
            return Err(SharedError::Epochs { said: update.epoch, theirs: replica.epoch() });
        }
        let mut shared = Shared { replica, library };
        if !whole.updates.is_empty() {
            shared.merge(&whole.updates)?;
        }
        Ok(shared)
    }

    pub fn library(&self) -> &Library {
        &self.library
    }

    pub fn epoch(&self) -> u64 {
        self.replica.epoch()
    }

    /// Given twice, it changes nothing the second time.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<Change, SharedError> {
        let before = self.replica.version();
        let merged = self.replica.merge(bytes, &self.library)?;
        self.library.apply_all(&merged.edits)?;
        let is_new = merged.pending || self.replica.version() != before;
        Ok(Change { is_new, edits: merged.edits, authors: merged.authors })
    }

    /// For whoever joins, and for the disk.
    pub fn whole(&self) -> Result<Update, SharedError> {
        let epoch = self.epoch();
        let mut nothing = Version::default();
        nothing.epoch = epoch;
        let updates = self.replica.updates_since(&nothing)?.unwrap_or_default();
        let whole = Whole {
            genesis: self.replica.genesis_bytes().to_vec(),
            updates,
            version: self.replica.version().to_bytes(),
        };
        Ok(Update { epoch, bytes: pack(&whole) })
    }
}
