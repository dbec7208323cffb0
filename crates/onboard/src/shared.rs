//! The robot's copy of the shared tree, with the library it stands for.

use std::sync::Arc;

use model::{Beside, Edit, Library};
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
    #[error("{0}")]
    Beside(String),
    #[error("the behavior says epoch {theirs} inside and {said} outside")]
    Epochs { said: u64, theirs: u64 },
}

pub struct Shared {
    replica: Replica,
    library: Library,
    /// The cell and the templates that came with it; none: nobody said, so that they are looked for on this machine.
    beside: Option<Arc<Beside>>,
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
        Ok(Shared { replica, library, beside: None })
    }

    #[must_use]
    pub fn with_beside(self, beside: Beside) -> Shared {
        Shared { beside: Some(Arc::new(beside)), ..self }
    }

    /// As somebody else has it.
    pub fn from_update(update: &Update, peer: Peer) -> Result<Shared, SharedError> {
        let (whole, beside) = Whole::unpack_with(&update.bytes).ok_or(SharedError::NotWhole)?;
        let (replica, library) = Replica::from_genesis(&whole.genesis, peer)?;
        if replica.epoch() != update.epoch {
            return Err(SharedError::Epochs { said: update.epoch, theirs: replica.epoch() });
        }
        if let Some(beside) = &beside {
            beside.check(&library.main().file).map_err(|problem| SharedError::Beside(problem.to_string()))?;
        }
        let mut shared = Shared { replica, library, beside: beside.map(Arc::new) };
        if !whole.updates.is_empty() {
            shared.merge(&whole.updates)?;
        }
        Ok(shared)
    }

    pub fn library(&self) -> &Library {
        &self.library
    }

    pub fn beside(&self) -> Option<&Arc<Beside>> {
        self.beside.as_ref()
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

    /// For whoever joins. What lies beside it they have themselves, or need not: only the robot runs it.
    pub fn whole(&self) -> Result<Update, SharedError> {
        Ok(Update { epoch: self.epoch(), bytes: pack(&self.packed()?) })
    }

    /// For the disk, with what lies beside it: the next process must not need anybody for it.
    pub fn kept(&self) -> Result<Update, SharedError> {
        let whole = self.packed()?;
        let bytes = self.beside.as_ref().map_or_else(|| pack(&whole), |beside| whole.pack_with(beside));
        Ok(Update { epoch: self.epoch(), bytes })
    }

    fn packed(&self) -> Result<Whole, SharedError> {
        let epoch = self.epoch();
        let mut nothing = Version::default();
        nothing.epoch = epoch;
        let updates = self.replica.updates_since(&nothing)?.unwrap_or_default();
        Ok(Whole {
            genesis: self.replica.genesis_bytes().to_vec(),
            updates,
            version: self.replica.version().to_bytes(),
        })
    }
}
