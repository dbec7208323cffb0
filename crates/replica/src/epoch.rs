//! A new beginning, so that what has to be kept stays small.

use model::{Edit, EditError, Library};

use crate::diff::{Dirty, edits};
use crate::genesis::Genesis;
use crate::history::PAST;
use crate::replica::{Replica, Unsettled};
use crate::{ReplicaError, Version};

/// What taking the tree of a newer epoch came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rebased {
    /// To be applied whole to the library that was given.
    pub edits: Vec<Edit>,
    /// Edits made here that the new epoch did not hold, done again in it: bytes that tell the others.
    pub updates: Vec<Vec<u8>>,
    /// Those that could not be done again.
    pub lost: Vec<Lost>,
}

/// An operation made here that the new tree has no place for.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    pub edits: Vec<Edit>,
    pub when_s: i64,
    pub why: EditError,
}

impl Replica {
    /// How many operations this epoch has, of all peers: what memory, files and joining grow with.
    pub fn operations(&self) -> u64 {
        self.version().seen.values().sum()
    }

    /// Somebody else has everything of this version: it need not be done again when a new epoch comes.
    pub fn acknowledge(&mut self, version: &Version) {
        if version.epoch == self.epoch {
            let has = |peer: u64| version.seen.get(&peer).copied().unwrap_or(0);
            self.outbox.retain(|unsettled| unsettled.end > has(unsettled.peer));
        }
    }

    /// Begins a new epoch from the tree as it is. One peer does this for all, the robot: best when everybody has
    /// everything, at the latest when [`Self::operations`] grow too many. The others take its genesis by
    /// [`Self::rebase`].
    pub fn next_epoch(&mut self, library: &Library) -> Result<(), ReplicaError> {
        let genesis = Genesis::to_bytes(self.epoch + 1, &self.version(), library);
        self.restart(genesis, library, self.epoch + 1)
    }

    fn restart(&mut self, genesis: Vec<u8>, library: &Library, epoch: u64) -> Result<(), ReplicaError> {
        let past = self.history(PAST);
        *self = Replica::begin(genesis, library, self.peer.clone(), epoch)?;
        self.log.past = past;
        Ok(())
    }

    /// Takes the tree of a newer epoch in place of the one here. What was edited here and is not in it is done again on
    /// top of it.
    pub fn rebase(&mut self, genesis: &[u8], library: &Library) -> Result<Rebased, ReplicaError> {
        let Genesis { epoch, holds, library: mut wanted } = Genesis::from_bytes(genesis)?;
        if epoch <= self.epoch {
            return Err(ReplicaError::OtherEpoch { ours: self.epoch, theirs: epoch });
        }
        self.acknowledge(&holds);
        let open = std::mem::take(&mut self.outbox);
        self.restart(genesis.to_vec(), &wanted, epoch)?;
        let mut rebased = Rebased::default();
        for unsettled in open {
            let again = unsettled.in_files_of(&wanted);
            match wanted.apply_all(&again) {
                Ok(_) => rebased.updates.push(self.record(&again, unsettled.when_s)?),
                Err(why) => rebased.lost.push(Lost { edits: unsettled.edits, when_s: unsettled.when_s, why }),
            }
        }
        rebased.edits = edits(library, &wanted, &Dirty::everything(library, &wanted));
        self.files = files_after(library, &rebased.edits)
            .iter()
            .filter_map(|root| self.state.by_id.get(root))
            .copied()
            .collect();
        Ok(rebased)
    }
}

/// The roots of a library's files after edits, in its order.
fn files_after(library: &Library, edits: &[Edit]) -> Vec<model::NodeId> {
    let mut roots: Vec<model::NodeId> = library.iter().map(|(_, tree)| tree.root).collect();
    for edit in edits {
        match edit {
            Edit::AddFile { root, .. } => roots.push(root.id),
            Edit::RemoveFile { .. } => drop(roots.pop()),
            _ => {}
        }
    }
    roots
}

impl Unsettled {
    /// The same edits where files may have other numbers. A file that is gone gets a number that is none.
    fn in_files_of(&self, library: &Library) -> Vec<Edit> {
        let renumbered = |edit: &Edit| match edit {
            Edit::Header { definition, header } => {
                let file = self.files.get(definition.index());
                let definition = file.and_then(|file| library.find(file)).unwrap_or(model::DefinitionId(u32::MAX));
                Edit::Header { definition, header: header.clone() }
            }
            other => other.clone(),
        };
        self.edits.iter().map(renumbered).collect()
    }
}
