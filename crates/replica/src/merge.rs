use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use loro::TreeID;
use model::{Edit, Library};

use crate::ReplicaError;
use crate::diff::{Dirty, edits};
use crate::history::Log;
use crate::notice::Notice;
use crate::origin::{Birth, LETTERS};
use crate::replica::{Replica, Touched};
use crate::state::{CELL, DELETED, FILE, State};
use crate::view::Bend;

/// What came from others, as edits of the library here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// To be applied whole, in this order, to the library that was given.
    pub edits: Vec<Edit>,
    /// What became of edits made at the same time as others; each is told once, on every peer.
    pub notices: Vec<Notice>,
    /// Something earlier is missing; what waits for it is kept and takes effect when it comes.
    pub pending: bool,
    /// Who made what came, each once.
    pub authors: Vec<Arc<str>>,
}

impl Replica {
    /// Takes over changes of others. On an error part of them may have been taken in: see [`Self::back_to`]. `library` is the tree as this replica has it: what was recorded and merged so far.
    pub fn merge(&mut self, bytes: &[u8], library: &Library) -> Result<Merged, ReplicaError> {
        let (theirs, update) = crate::envelope::open(bytes)?;
        if theirs != self.epoch {
            return Err(ReplicaError::OtherEpoch { ours: self.epoch, theirs });
        }
        let before = self.state.doc.oplog_vv();
        // What Loro never makes may kill it half way: who sent it must not take us along.
        let imported = catch_unwind(AssertUnwindSafe(|| self.state.doc.import(&update)));
        self.broken = imported.is_err();
        let imported = imported.map_err(|_| ReplicaError::Damaged("the change does not fit any tree"))?;
        let status = imported.map_err(|_| ReplicaError::Damaged("the change cannot be read"))?;
        let touched = std::mem::take(&mut *self.lock());
        let was_bent = self.state.bent;
        let was_plain = self.state.hidden.is_plain();
        let mut dirty = self.state.follow(&touched, library);
        dirty.plain = was_plain && self.state.hidden.is_plain();
        let fits = dirty.places.iter().all(|id| self.state.fits(*id, true))
            && dirty.contents.iter().all(|id| self.state.fits(*id, false));
        self.state.bent = was_bent || !fits;
        self.state.bent |=
            dirty.files && self.state.files().iter().any(|(name, root)| *name != self.state.file_name(*root));
        let changes = Log::read(&self.state, self.state.new_since(&before));
        let peers: BTreeSet<u64> = changes.iter().map(|change| change.rank.peer).collect();
        let mut authors: Vec<Arc<str>> = peers.into_iter().map(|peer| self.state.name_of(peer)).collect();
        authors.sort();
        authors.dedup();
        let mut notices = self.log.follow(&self.state, changes);
        let edits = if self.state.bent {
            let (wanted, bends) = self.state.project();
            self.state.bent = !bends.is_empty();
            let new: Vec<Bend> = bends.iter().filter(|bend| !self.told.contains(bend)).cloned().collect();
            notices.extend(self.log.bends(&self.state, &new));
            self.told = bends;
            edits(library, &wanted, &Dirty::everything(library, &wanted))
        } else {
            self.told.clear();
            edits(library, &self.state, &dirty)
        };
        self.follow_files(&edits);
        Ok(Merged { edits, notices, pending: status.pending.is_some(), authors })
    }

    /// Files come and go in the library here in the order of these edits.
    fn follow_files(&mut self, edits: &[Edit]) {
        for edit in edits {
            match edit {
                Edit::AddFile { root, .. } => self.files.extend(self.state.by_id.get(&root.id)),
                Edit::RemoveFile { .. } => drop(self.files.pop()),
                _ => {}
            }
        }
    }
}

impl State {
    /// Brings what is kept beside Loro up to date and says what may look different now.
    fn follow(&mut self, touched: &Touched, library: &Library) -> Dirty {
        let mut dirty = Dirty::default();
        let mut places: Vec<TreeID> = touched.places.clone();
        for (at, keys) in &touched.keys {
            let is_new = self.refresh(*at);
            if is_new || keys.iter().any(|key| key == DELETED) {
                places.push(*at);
            }
        }
        for at in &touched.places {
            self.refresh(*at);
        }
        if !places.is_empty() {
            let kept = self.kept.clone();
            self.find_kept();
            places.extend(kept.symmetric_difference(&self.kept));
        }
        for at in places {
            let Some(id) = self.nodes.get(&at).map(Birth::id) else { continue };
            let was_root = library.owner_of(id).is_some_and(|owner| library.get(owner).root == id);
            dirty.files |= was_root || self.parent_in_loro(at).is_none();
            dirty.places.insert(id);
            if self.doubled.contains(&at) {
                dirty.contents.insert(id);
            }
        }
        for (at, keys) in &touched.keys {
            let Some(id) = self.nodes.get(at).map(Birth::id) else { continue };
            dirty.contents.insert(id);
            dirty.files |= keys.iter().any(|key| key == FILE);
            if keys.iter().any(|key| key == CELL || key.starts_with(LETTERS)) {
                dirty.headers.insert(id);
            }
        }
        dirty
    }
}
