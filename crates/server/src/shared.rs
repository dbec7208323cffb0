//! The tree that people share: operations with an undo for each person, who did what, what is saved.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use document::{Document, DocumentError};
use engine::Registry;
use model::{Edit, Library, NodeId};
use protocol::api::HistoryEntry;
use protocol::talk::Whole;
use replica::{Peer, Replica, ReplicaError, Version};
use thiserror::Error;

const MOST_STEPS: usize = 200;
const MOST_PEOPLE: usize = 64;
const MOST_HISTORY: usize = 2_000;

#[derive(Clone, Debug, Error, PartialEq)]
pub enum SharedError {
    #[error(transparent)]
    Document(#[from] DocumentError),
    #[error("`{label}` cannot be {verb}: {why}; it is off the list now, the one before it may be")]
    Overtaken { label: &'static str, verb: &'static str, why: String },
    #[error(transparent)]
    Replica(#[from] ReplicaError),
}

struct Step {
    label: &'static str,
    forward: Vec<Edit>,
    inverse: Vec<Edit>,
}

#[derive(Default)]
struct Stacks {
    undo: Vec<Step>,
    redo: Vec<Step>,
}

/// Something that was done, for the others and the robot.
#[derive(Clone, Debug)]
pub struct Deed {
    pub label: String,
    pub edits: Vec<Edit>,
    /// For the others; empty: nothing has changed.
    pub update: Vec<u8>,
}

pub struct Shared {
    document: Document,
    replica: Replica,
    registry: Arc<Registry>,
    people: BTreeMap<Arc<str>, Stacks>,
    history: VecDeque<HistoryEntry>,
    /// The text each file has on disk, as far as is known; none: it is not there yet.
    saved: BTreeMap<Arc<str>, Option<Arc<str>>>,
}

impl Shared {
    /// The first copy of a behavior.
    pub fn new(library: Library, registry: Arc<Registry>, peer: Peer, epoch: u64) -> Result<Shared, SharedError> {
        let replica = Replica::from_library(&library, peer, epoch)?;
        Ok(Shared::with(library, registry, replica))
    }

    /// A copy of what others have.
    pub fn from_whole(whole: &Whole, registry: Arc<Registry>, peer: Peer) -> Result<Shared, SharedError> {
        let (replica, library) = Replica::from_genesis(&whole.genesis, peer)?;
        let mut shared = Shared::with(library, registry, replica);
        if !whole.updates.is_empty() {
            shared.merge(&whole.updates)?;
        }
        Ok(shared)
    }

    fn with(library: Library, registry: Arc<Registry>, replica: Replica) -> Shared {
        // Ids of nodes must not meet those of others; the peer's number is nobody else's.
        let number = replica.peer().number;
        let author = (number ^ number >> 16 ^ number >> 32 ^ number >> 48) as u16;
        Shared {
            document: Document::new(library, Arc::clone(&registry), author),
            replica,
            registry,
            people: BTreeMap::new(),
            history: VecDeque::new(),
            saved: BTreeMap::new(),
        }
    }

    pub fn whole(&self) -> Result<Whole, SharedError> {
        let version = self.replica.version();
        let nothing = Version { epoch: self.replica.epoch(), ..Version::default() };
        let updates = self.replica.updates_since(&nothing)?.unwrap_or_default();
        Ok(Whole { genesis: self.replica.genesis_bytes().to_vec(), updates, version: version.to_bytes() })
    }

    pub fn epoch(&self) -> u64 {
        self.replica.epoch()
    }

    /// What somebody with this version lacks; none: nothing.
    pub fn missing_at(&self, version: &[u8]) -> Result<Option<Vec<u8>>, SharedError> {
        Ok(self.replica.updates_since(&Version::from_bytes(version)?)?)
    }

    /// Takes over what others did: the edits it came to here.
    pub fn merge(&mut self, update: &[u8]) -> Result<Vec<Edit>, SharedError> {
        let merged = self.replica.merge(update, self.document.library())?;
        if !merged.edits.is_empty() {
            self.document.follow(&merged.edits)?;
        }
        Ok(merged.edits)
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// What is on disk under this name.
    pub fn set_saved(&mut self, file: &str, text: Option<&str>) {
        self.saved.insert(file.into(), text.map(Arc::from));
    }

    pub fn saved(&self, file: &str) -> Option<&Option<Arc<str>>> {
        self.saved.get(file)
    }

    pub fn is_unsaved(&self, file: &str) -> bool {
        match self.saved.get(file) {
            Some(Some(saved)) => self.document.text(file).is_some_and(|text| *text != **saved),
            Some(None) | None => true,
        }
    }

    /// Does what a person wants. Nothing has changed on an error.
    pub fn act(
        &mut self,
        (who, when_s): (&str, i64),
        act: impl FnOnce(&mut Document) -> Result<Vec<Edit>, DocumentError>,
    ) -> Result<Deed, SharedError> {
        let edits = act(&mut self.document)?;
        let Some(done) = self.document.take_operation().filter(|_| !edits.is_empty()) else {
            return Ok(Deed { label: String::new(), edits: Vec::new(), update: Vec::new() });
        };
        let label = done.label;
        let stacks = self.stacks(who);
        stacks.redo.clear();
        stacks.undo.push(Step { label, forward: done.forward, inverse: done.inverse });
        let beyond = stacks.undo.len().saturating_sub(MOST_STEPS);
        stacks.undo.drain(..beyond);
        self.deed(label.to_owned(), edits, when_s)
    }

    pub fn undo(&mut self, who: &str, when_s: i64) -> Result<Deed, SharedError> {
        let step = self.stacks(who).undo.pop().ok_or(DocumentError::NothingToUndo)?;
        self.still(&step.forward, &step, "undone")?;
        self.follow(&step.inverse).map_err(|why| overtaken(&step, "undone", &why))?;
        let deed = self.deed(format!("undo {}", step.label), step.inverse.clone(), when_s);
        self.stacks(who).redo.push(step);
        deed
    }

    pub fn redo(&mut self, who: &str, when_s: i64) -> Result<Deed, SharedError> {
        let step = self.stacks(who).redo.pop().ok_or(DocumentError::NothingToRedo)?;
        self.still(&step.inverse, &step, "done again")?;
        self.follow(&step.forward).map_err(|why| overtaken(&step, "done again", &why))?;
        let deed = self.deed(format!("redo {}", step.label), step.forward.clone(), when_s);
        self.stacks(who).undo.push(step);
        deed
    }

    fn deed(&mut self, label: String, edits: Vec<Edit>, when_s: i64) -> Result<Deed, SharedError> {
        let update = self.replica.record(&edits, when_s)?;
        Ok(Deed { label, edits, update })
    }

    /// Somebody else's newer value is not written over by an undo of an older one.
    fn still(&self, done: &[Edit], step: &Step, verb: &'static str) -> Result<(), SharedError> {
        let changed = |id: &NodeId| {
            let label = self.document.library().owner_of(*id).map(|owner| {
                let node = self.document.library().get(owner).node(*id);
                node.label().to_string()
            });
            let why = match label {
                Some(label) => format!("somebody has changed `{label}` since"),
                None => "somebody has deleted what it changed".to_owned(),
            };
            SharedError::Overtaken { label: step.label, verb, why }
        };
        // The last edit of a place is what must still be there.
        let mut seen: Vec<(NodeId, &str)> = Vec::new();
        for edit in done.iter().rev() {
            let (node, place) = match edit {
                Edit::Set { node, field, .. } => (*node, &**field),
                Edit::Rename { node, .. } => (*node, "\0name"),
                Edit::Notes { node, .. } => (*node, "\0notes"),
                Edit::Retype { node, .. } => (*node, "\0type"),
                _ => continue,
            };
            if seen.contains(&(node, place)) {
                continue;
            }
            seen.push((node, place));
            // A node that a later edit of the same operation took away again is not looked for.
            let gone = done.iter().any(|edit| matches!(edit, Edit::Delete { node: deleted } if *deleted == node));
            if !gone && !self.is_as_set(edit) {
                return Err(changed(&node));
            }
        }
        Ok(())
    }

    fn is_as_set(&self, edit: &Edit) -> bool {
        let library = self.document.library();
        let find = |id: &NodeId| library.owner_of(*id).map(|owner| library.get(owner).node(*id));
        match edit {
            Edit::Set { node, field, value, .. } => {
                find(node).is_some_and(|node| node.fields.get(field) == value.as_ref())
            }
            Edit::Rename { node, name } => find(node).is_some_and(|node| node.name == *name),
            Edit::Notes { node, notes } => find(node).is_some_and(|node| node.notes == *notes),
            Edit::Retype { node, kind } => find(node).is_some_and(|node| node.kind == *kind),
            _ => true,
        }
    }

    fn follow(&mut self, edits: &[Edit]) -> Result<(), SharedError> {
        Ok(self.document.follow(edits)?)
    }

    pub fn labels(&self, who: &str) -> (Option<String>, Option<String>) {
        let of = |steps: &Vec<Step>| steps.last().map(|step| step.label.to_owned());
        self.people.get(who).map_or((None, None), |stacks| (of(&stacks.undo), of(&stacks.redo)))
    }

    pub fn note(&mut self, entry: HistoryEntry) {
        self.history.push_front(entry);
        self.history.truncate(MOST_HISTORY);
    }

    pub fn history(&self, most: usize) -> Vec<HistoryEntry> {
        self.history.iter().take(most).cloned().collect()
    }

    fn stacks(&mut self, who: &str) -> &mut Stacks {
        if !self.people.contains_key(who) && self.people.len() >= MOST_PEOPLE {
            // Somebody who did nothing is forgotten first; else the first by name, so that memory stays bounded.
            let idle = self.people.iter().find(|(_, stacks)| stacks.undo.is_empty() && stacks.redo.is_empty());
            if let Some(name) = idle.or_else(|| self.people.iter().next()).map(|(name, _)| name.clone()) {
                self.people.remove(&name);
            }
        }
        self.people.entry(who.into()).or_default()
    }
}

fn overtaken(step: &Step, verb: &'static str, why: &SharedError) -> SharedError {
    SharedError::Overtaken { label: step.label, verb, why: why.to_string() }
}
