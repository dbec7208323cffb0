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

fn word(edit: &Edit) -> &'static str {
    match edit {
        Edit::Insert { .. } => "insert",
        Edit::Delete { .. } => "delete",
        Edit::Move { .. } => "move",
        Edit::Set { .. } => "set",
        Edit::Rename { .. } => "rename",
        Edit::Notes { .. } => "notes",
        Edit::Retype { .. } => "retype",
        Edit::Header { .. } => "declare",
        Edit::AddFile { .. } => "add file",
        Edit::RemoveFile { .. } => "remove file",
    }
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
    /// Whose it is, each name once.
    pub by: Vec<Arc<str>>,
}

impl Change {
    /// For the audit trail: what kinds of edits, and how many.
    pub fn describe(&self) -> String {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for word in self.edits.iter().map(word) {
            match kinds.iter_mut().find(|(each, _)| *each == word) {
                Some((_, count)) => *count += 1,
                None => kinds.push((word, 1)),
            }
        }
        let kinds: Vec<String> = kinds.into_iter().map(|(word, count)| format!("{count} × {word}")).collect();
        if kinds.is_empty() { "edit: nothing that is seen".to_owned() } else { format!("edit: {}", kinds.join(", ")) }
    }
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
        Ok(Change { is_new: merged.pending || self.replica.version() != before, edits: merged.edits, by: merged.by })
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
