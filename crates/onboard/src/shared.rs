//! The robot's copy of the shared tree, with the library it stands for.

use std::sync::Arc;

use model::{Beside, Edit, Library, Subtree};
use protocol::talk::{MOST_BYTES, MOST_NODES, Sent, Update, Whole, pack};
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
    #[error("{0}")]
    Beside(String),
    #[error("the behavior says epoch {theirs} inside and {said} outside")]
    Epochs { said: u64, theirs: u64 },
    #[error("it stands on a change that the robot does not have")]
    Incomplete,
    #[error("the tree would have {0} nodes: a robot takes up to {MOST_NODES}; make it smaller, or open part of it")]
    TooManyNodes(usize),
    #[error("the tree would take {0} bytes, packed: a robot takes up to {MOST_BYTES}; shorten long texts and lists")]
    TooManyBytes(usize),
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
    /// The cell and the templates that came with it; none: nobody said, so that they are looked for on this machine.
    beside: Option<Arc<Beside>>,
    /// The epoch it was opened in.
    origin: u64,
    /// The highest number that was decided of each operator process, the one heard last at the end.
    decided: Vec<(u64, u64)>,
    /// What changes of this epoch take.
    grown_bytes: usize,
    /// Because a change had broken the one before; nobody was told yet.
    begun: Option<NewEpoch>,
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

impl Change {
    /// For the audit trail: what kinds of edits, and how many.
    pub fn describe(&self) -> String {
        let kinds: Vec<String> = self.kinds().into_iter().map(|(word, count)| format!("{count} × {word}")).collect();
        if kinds.is_empty() { "edit: nothing that is seen".to_owned() } else { format!("edit: {}", kinds.join(", ")) }
    }

    /// The same in words.
    pub fn said(&self) -> String {
        let often = |(word, count): (&str, usize)| match count {
            1 => word.to_owned(),
            count => format!("{word} {count} times"),
        };
        let kinds: Vec<String> = self.kinds().into_iter().map(often).collect();
        if kinds.is_empty() {
            "edit nothing that is seen".to_owned()
        } else {
            format!("edit the tree: {}", kinds.join(", "))
        }
    }

    fn kinds(&self) -> Vec<(&str, usize)> {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for word in self.edits.iter().map(word) {
            match kinds.iter_mut().find(|(each, _)| *each == word) {
                Some((_, count)) => *count += 1,
                None => kinds.push((word, 1)),
            }
        }
        kinds
    }
}

impl Shared {
    pub fn from_library(library: Library, peer: Peer, epoch: u64) -> Result<Shared, SharedError> {
        let replica = Replica::from_library(&library, peer, epoch)?;
        let (decided, grown_bytes) = (Vec::new(), 0);
        Shared { replica, library, beside: None, origin: epoch, decided, grown_bytes, begun: None }.within_limits()
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
        let Whole { origin, decided, .. } = whole;
        let beside = beside.map(Arc::new);
        let shared = Shared { replica, library, beside, origin, decided, grown_bytes: 0, begun: None };
        let mut shared = shared.within_limits()?;
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

    pub fn beside(&self) -> Option<&Arc<Beside>> {
        self.beside.as_ref()
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
            Ok(change) => {
                let is_new = self.replica.version() != before;
                self.grown_bytes += if is_new { bytes.len() } else { 0 };
                Ok(Change { is_new, ..change })
            }
            Err(error) => {
                // What the replica took in is not in the library: it must not stay.
                if let Some(new) = self.replica.back_to(&before, &self.library)? {
                    (self.begun, self.grown_bytes) = (Some(new), 0);
                }
                Err(error)
            }
        }
    }

    fn try_merge(&mut self, bytes: &[u8]) -> Result<Change, SharedError> {
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
        Ok(Change { is_new: false, edits: merged.edits, authors: merged.authors })
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

    /// A new epoch that had to begin, to be told to everybody.
    pub fn take_begun(&mut self) -> Option<NewEpoch> {
        self.begun.take()
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
            origin: self.origin,
            genesis: self.replica.genesis_bytes().to_vec(),
            updates,
            version: self.replica.version().to_bytes(),
            decided: self.decided.clone(),
        })
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
