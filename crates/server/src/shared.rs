//! The tree that people share: operations with an undo for each person, who did what, what is saved.

use std::collections::BTreeMap;
use std::sync::Arc;

use document::{Document, DocumentError, Past};
use engine::Registry;
use model::file::{MemoryFiles, load, save};
use model::{Edit, Library, NodeId};
use protocol::api::HistoryEntry;
use protocol::talk::Whole;
use replica::{Part, Peer, Replica, ReplicaError, Version};
use thiserror::Error;

const MOST_STEPS: usize = 200;
const MOST_PEOPLE: usize = 64;

#[derive(Clone, Debug, Error, PartialEq)]
pub enum SharedError {
    #[error(transparent)]
    Document(#[from] DocumentError),
    #[error(transparent)]
    Replica(#[from] ReplicaError),
}

/// Something that was done, for the others and the robot.
#[derive(Clone, Debug, Default)]
pub struct Deed {
    pub label: String,
    pub edits: Vec<Edit>,
    /// For the others; empty: nothing has changed.
    pub update: Vec<u8>,
    /// What was not taken back, because others changed it since.
    pub kept: Vec<String>,
}

/// What came from others.
#[derive(Clone, Debug, Default)]
pub struct Arrived {
    pub edits: Vec<Edit>,
    /// What became of edits that were made at the same time.
    pub notices: Vec<(String, Option<NodeId>)>,
    /// Work done here that goes to the others again.
    pub updates: Vec<Vec<u8>>,
}

pub struct Shared {
    document: Document,
    replica: Replica,
    registry: Arc<Registry>,
    /// This process; each person at it has a number made from it.
    peer: Peer,
    people: BTreeMap<Arc<str>, Past>,
    /// What each file is on disk, as far as is known; none: it is not there yet.
    saved: BTreeMap<Arc<str>, Option<Saved>>,
}

struct Saved {
    text: Arc<str>,
    /// As we would write the same: people lay out files in their own way.
    as_we_write: Arc<str>,
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
        let peer = replica.peer().clone();
        // Ids of nodes must not meet those of others; the peer's number is nobody else's.
        let author = (peer.number ^ peer.number >> 16 ^ peer.number >> 32 ^ peer.number >> 48) as u16;
        Shared {
            document: Document::new(library, Arc::clone(&registry), author),
            replica,
            registry,
            peer,
            people: BTreeMap::new(),
            saved: BTreeMap::new(),
        }
    }

    pub fn whole(&self) -> Result<Whole, SharedError> {
        let mut nothing = Version::default();
        nothing.epoch = self.replica.epoch();
        let updates = self.replica.updates_since(&nothing)?.unwrap_or_default();
        let version = self.replica.version().to_bytes();
        Ok(Whole { genesis: self.replica.genesis_bytes().to_vec(), updates, version })
    }

    pub fn epoch(&self) -> u64 {
        self.replica.epoch()
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// What somebody with this version lacks; none: nothing.
    pub fn missing_at(&self, version: &[u8]) -> Result<Option<Vec<u8>>, SharedError> {
        Ok(self.replica.updates_since(&Version::from_bytes(version)?)?)
    }

    /// The robot has everything that was done here.
    pub fn settled(&mut self) {
        let version = self.replica.version();
        self.replica.acknowledge(&version);
    }

    /// Takes over what others did.
    pub fn merge(&mut self, update: &[u8]) -> Result<Arrived, SharedError> {
        let merged = self.replica.merge(update, self.document.library())?;
        if !merged.edits.is_empty() {
            self.document.follow(&merged.edits)?;
        }
        let notices = merged.notices.iter().map(|notice| (notice.to_string(), Some(notice.node))).collect();
        Ok(Arrived { edits: merged.edits, notices, updates: Vec::new() })
    }

    /// Takes over the tree of a newer epoch of the same behavior; what was done here and is not in it is done again.
    pub fn rebase(&mut self, whole: &Whole) -> Result<Arrived, SharedError> {
        let rebased = self.replica.rebase(&whole.genesis, self.document.library())?;
        self.document.follow(&rebased.edits)?;
        let lost = |lost: &replica::Lost| (format!("an edit made here could not be done again: {}", lost.why), None);
        let mut arrived = Arrived {
            edits: rebased.edits,
            notices: rebased.lost.iter().map(lost).collect(),
            updates: rebased.updates,
        };
        if !whole.updates.is_empty() {
            let more = self.merge(&whole.updates)?;
            arrived.edits.extend(more.edits);
            arrived.notices.extend(more.notices);
        }
        Ok(arrived)
    }

    /// What is on disk under this name.
    pub fn set_saved(&mut self, file: &str, text: Option<&str>) {
        let saved = text.map(|text| {
            let files = MemoryFiles::from([(file, text)]);
            let catalogue = self.document.catalogue();
            let read = load(file, &files, catalogue).ok();
            let as_we_write = read.map_or_else(|| text.to_owned(), |read| save(read.library.main(), catalogue));
            Saved { text: text.into(), as_we_write: as_we_write.into() }
        });
        self.saved.insert(file.into(), saved);
    }

    /// Outer none: nothing is known; inner none: it was not there.
    pub fn saved(&self, file: &str) -> Option<Option<&str>> {
        self.saved.get(file).map(|saved| saved.as_ref().map(|saved| &*saved.text))
    }

    pub fn is_unsaved(&self, file: &str) -> bool {
        match self.saved.get(file) {
            Some(Some(saved)) => self.document.text(file).is_some_and(|text| *text != *saved.as_we_write),
            Some(None) | None => true,
        }
    }

    /// Does what a person wants. Nothing has changed on an error.
    pub fn act(
        &mut self,
        (who, when_s): (&str, i64),
        act: impl FnOnce(&mut Document) -> Result<Vec<Edit>, DocumentError>,
    ) -> Result<Deed, SharedError> {
        let (edits, past) = self.as_person(who, |document| act(document))?;
        let label = past.undo_label().unwrap_or_default().to_owned();
        self.deed((who, when_s), label, edits, Vec::new())
    }

    pub fn undo(&mut self, who: &str, when_s: i64) -> Result<Deed, SharedError> {
        let label = format!("undo {}", self.labels(who).0.unwrap_or_default());
        let (undone, _) = self.as_person(who, Document::undo)?;
        let kept = undone.kept.iter().map(ToString::to_string).collect();
        self.deed((who, when_s), label, undone.edits, kept)
    }

    pub fn redo(&mut self, who: &str, when_s: i64) -> Result<Deed, SharedError> {
        let label = format!("redo {}", self.labels(who).1.unwrap_or_default());
        let (redone, _) = self.as_person(who, Document::redo)?;
        let kept = redone.kept.iter().map(ToString::to_string).collect();
        self.deed((who, when_s), label, redone.edits, kept)
    }

    /// With what this person can take back, and nobody else.
    fn as_person<T>(
        &mut self,
        who: &str,
        act: impl FnOnce(&mut Document) -> Result<T, DocumentError>,
    ) -> Result<(T, &Past), SharedError> {
        let mut past = self.people.remove(who).unwrap_or_default();
        self.document.swap_past(&mut past);
        let result = act(&mut self.document);
        self.document.swap_past(&mut past);
        past.keep(MOST_STEPS);
        self.forget_somebody();
        let past = self.people.entry(who.into()).or_insert(past);
        Ok((result?, past))
    }

    fn deed(
        &mut self,
        (who, when_s): (&str, i64),
        label: String,
        edits: Vec<Edit>,
        kept: Vec<String>,
    ) -> Result<Deed, SharedError> {
        if edits.is_empty() {
            return Ok(Deed { label, kept, ..Deed::default() });
        }
        let person = Peer { number: number_of(self.peer.number, who), name: who.into() };
        self.replica.speak_as(&person)?;
        let update = self.replica.record(&edits, when_s)?;
        Ok(Deed { label, edits, update, kept })
    }

    pub fn labels(&self, who: &str) -> (Option<String>, Option<String>) {
        let text = |label: Option<&'static str>| label.map(str::to_owned);
        self.people.get(who).map_or((None, None), |past| (text(past.undo_label()), text(past.redo_label())))
    }

    /// Newest first.
    pub fn history(&self, most: usize) -> Vec<HistoryEntry> {
        let entries = self.replica.history(most);
        entries.iter().rev().map(|entry| self.history_entry(entry)).collect()
    }

    fn history_entry(&self, entry: &replica::Entry) -> HistoryEntry {
        let mut what: Vec<String> = Vec::new();
        let mut nodes: Vec<NodeId> = Vec::new();
        for (node, part) in &entry.touched {
            let word = match part {
                Part::Place => "place".to_owned(),
                Part::Presence => "deleted or back".to_owned(),
                Part::Type => "type".to_owned(),
                Part::Name => "name".to_owned(),
                Part::Notes => "notes".to_owned(),
                Part::File => "file".to_owned(),
                Part::Setting(name) | Part::Declaration(name) => name.to_string(),
            };
            if !what.contains(&word) {
                what.push(word);
            }
            if !nodes.contains(node) {
                nodes.push(*node);
            }
        }
        HistoryEntry { who: entry.who.to_string(), when_ms: entry.when_s as f64 * 1e3, what: what.join(", "), nodes }
    }

    pub fn is_touched(&self) -> bool {
        self.replica.operations() > 0
    }

    /// Keeps memory bounded where many people come and go.
    fn forget_somebody(&mut self) {
        if self.people.len() < MOST_PEOPLE {
            return;
        }
        let idle = self.people.iter().find(|(_, past)| past.is_empty());
        if let Some(name) = idle.or_else(|| self.people.iter().next()).map(|(name, _)| name.clone()) {
            self.people.remove(&name);
        }
    }
}

/// A number for a person at this process, which is not any other's.
fn number_of(process: u64, who: &str) -> u64 {
    let mut hash = process ^ 0xcbf2_9ce4_8422_2325;
    for byte in who.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^= hash >> 32;
    hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
}
