//! A new beginning, so that what has to be kept stays small; and going back to what the robot has.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use loro::{ExportMode, IdSpan};
use model::{Edit, EditError, Library, NodeId};

use crate::bytes::hash;
use crate::diff::{Dirty, edits};
use crate::genesis::Genesis;
use crate::history::PAST;
use crate::replica::{Peer, Replica};
use crate::unsent::Unsent;
use crate::{ReplicaError, Version};

/// What taking the tree of a newer epoch came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rebased {
    /// To be applied whole to the library that was given.
    pub edits: Vec<Edit>,
    /// Those that could not be done again; the others are in [`Replica::unsent`], with new updates.
    pub lost: Vec<Lost>,
    /// Nodes that somebody put into what such an edit deletes: they stay where that was.
    pub kept: Vec<Kept>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub node: NodeId,
    /// Who deleted what it was in.
    pub by: Arc<str>,
}

/// An operation made here that the new tree has no place for.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    pub number: u64,
    pub edits: Vec<Edit>,
    pub when_s: i64,
    pub why: EditError,
}

/// All that others need to begin the same epoch by themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEpoch {
    pub epoch: u64,
    /// What is in it of the epoch before.
    pub holds: Version,
    /// Of the genesis: whoever gets another needs the whole tree.
    pub check: u64,
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
            self.outbox.retain(|unsent| unsent.end > has(unsent.peer));
        }
    }

    /// Begins a new epoch from the tree as it is. One peer does this for all, the robot. The others do the same by
    /// [`Self::advance`], or take its genesis by [`Self::rebase`].
    pub fn next_epoch(&mut self, library: &Library) -> Result<NewEpoch, ReplicaError> {
        let (epoch, holds) = (self.epoch + 1, self.version());
        let wanted = self.library();
        let genesis = Genesis::to_bytes(epoch, &holds, &wanted);
        let check = hash(&genesis);
        self.restart(genesis, &wanted, epoch)?;
        self.follow_order(library, &[]);
        Ok(NewEpoch { epoch, holds, check })
    }

    fn restart(&mut self, genesis: Vec<u8>, library: &Library, epoch: u64) -> Result<(), ReplicaError> {
        let past = self.history(PAST);
        let last_number = self.last_number;
        *self = Replica::begin(genesis, library, self.peer.clone(), epoch)?;
        self.log.past = past;
        self.last_number = last_number;
        Ok(())
    }

    /// The same tree as it was at a version, which must be among what is here.
    pub fn at(&self, version: &Version) -> Result<(Replica, Library), ReplicaError> {
        if !self.has(version) {
            return Err(ReplicaError::Refused("it lacks changes that are asked for".to_owned()));
        }
        let (mut replica, mut library) = Replica::from_genesis(&self.genesis, self.peer.clone())?;
        replica.log.past.clone_from(&self.log.past);
        replica.last_number = self.last_number;
        if !version.seen.is_empty() {
            let spans = version.seen.iter().map(|(peer, count)| IdSpan::new(*peer, 0, *count as i32));
            let update = self.update(ExportMode::updates_in_range(spans.collect::<Vec<IdSpan>>()))?;
            let merged = replica.merge(&update, &library)?;
            let applied = library.apply_all(&merged.edits);
            applied.map_err(|error| ReplicaError::Refused(error.to_string()))?;
        }
        Ok((replica, library))
    }

    /// Goes back to an earlier version; `library` is of that version. An epoch: there is no way back within this one.
    pub fn back_to(&mut self, version: &Version, library: &Library) -> Result<Option<NewEpoch>, ReplicaError> {
        if self.broken {
            return self.mend(version, library);
        }
        let (mut before, _) = self.at(version)?;
        before.outbox = std::mem::take(&mut self.outbox);
        *self = before;
        self.follow_order(library, &[]);
        Ok(None)
    }

    /// Where a change has broken what is here: a new epoch from the tree as it was before. What was recorded here and
    /// nobody else has stays unsent.
    pub fn mend(&mut self, version: &Version, library: &Library) -> Result<Option<NewEpoch>, ReplicaError> {
        if !self.broken {
            return Ok(None);
        }
        let epoch = self.epoch + 1;
        let genesis = Genesis::to_bytes(epoch, version, library);
        let check = hash(&genesis);
        let mut whole = Replica::begin(genesis, library, self.peer.clone(), epoch)?;
        whole.log.past = std::mem::take(&mut self.log.past);
        whole.outbox = std::mem::take(&mut self.outbox);
        whole.last_number = self.last_number;
        let broken = std::mem::replace(self, whole);
        // What is left of Loro may die once more.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(broken)));
        Ok(Some(NewEpoch { epoch, holds: version.clone(), check }))
    }

    /// Begins the epoch that the robot has begun, without being sent its tree. On an error nothing has changed, and the
    /// whole tree is needed.
    pub fn advance(&mut self, to: &NewEpoch, library: &Library) -> Result<Rebased, ReplicaError> {
        if to.holds.epoch != self.epoch || to.epoch <= self.epoch {
            return Err(ReplicaError::OtherEpoch { ours: self.epoch, theirs: to.holds.epoch });
        }
        let wanted = if self.version() == to.holds { self.library() } else { self.at(&to.holds)?.0.library() };
        let genesis = Genesis::to_bytes(to.epoch, &to.holds, &wanted);
        if hash(&genesis) != to.check {
            return Err(ReplicaError::Refused("what it would begin with differs from the robot's".to_owned()));
        }
        self.acknowledge(&to.holds);
        self.rebase(&genesis, library)
    }

    /// Takes the tree of a newer epoch in place of the one here. What is unsent is done again on top of it: settle before
    /// what is known to be in it.
    pub fn rebase(&mut self, genesis: &[u8], library: &Library) -> Result<Rebased, ReplicaError> {
        let Genesis { epoch, library: wanted } = Genesis::from_bytes(genesis)?;
        if epoch <= self.epoch {
            return Err(ReplicaError::OtherEpoch { ours: self.epoch, theirs: epoch });
        }
        let open = std::mem::take(&mut self.outbox);
        self.restart(genesis.to_vec(), &wanted, epoch)?;
        self.again(wanted, open, library, Unsent::author)
    }

    /// Goes back to what the robot has, `version`, without the edit of number `without`, which it refuses; the other
    /// edits that it does not have are done again. `anew` gives each author a number that was never used: the old one's
    /// operations are not what they were.
    pub fn take_back(
        &mut self,
        version: &Version,
        without: u64,
        library: &Library,
        anew: impl Fn(&Unsent) -> Peer,
    ) -> Result<Rebased, ReplicaError> {
        let (mut base, wanted) = self.at(version)?;
        base.peer = self.peer.clone();
        let open = std::mem::take(&mut self.outbox).into_iter().filter(|unsent| unsent.number != without).collect();
        *self = base;
        self.again(wanted, open, library, anew)
    }

    /// Does edits again on top of `wanted`, the tree of this replica, that were made on another: `library`, which is to
    /// become the same.
    pub fn again(
        &mut self,
        mut wanted: Library,
        open: Vec<Unsent>,
        library: &Library,
        author: impl Fn(&Unsent) -> Peer,
    ) -> Result<Rebased, ReplicaError> {
        let mut rebased = Rebased::default();
        let here = self.peer.clone();
        let last_number = open.iter().map(|unsent| unsent.number).fold(self.last_number, u64::max);
        for unsent in open {
            let (edits, kept) = unsent.on(&wanted);
            match wanted.apply_all(&edits) {
                Ok(_) => {
                    rebased.kept.extend(kept.into_iter().map(|node| Kept { node, by: Arc::clone(&unsent.who) }));
                    self.speak_as(&author(&unsent))?;
                    // It keeps its number: the robot has decided none of them.
                    self.last_number = unsent.number - 1;
                    self.record(&edits, unsent.when_s)?;
                }
                Err(why) => {
                    let Unsent { number, edits, when_s, .. } = unsent;
                    rebased.lost.push(Lost { number, edits, when_s, why });
                }
            }
        }
        self.last_number = last_number;
        self.speak_as(&here)?;
        rebased.edits = edits(library, &wanted, &Dirty::everything(library, &wanted));
        self.follow_order(library, &rebased.edits);
        Ok(rebased)
    }

    /// Files count in the order of the library here, after these edits.
    fn follow_order(&mut self, library: &Library, edits: &[Edit]) {
        let roots = files_after(library, edits);
        self.files = roots.iter().filter_map(|root| self.state.by_id.get(root)).copied().collect();
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
