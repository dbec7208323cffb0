//! The tree that people share: operations with an undo for each person, who did what, what is saved.

use std::collections::BTreeMap;
use std::sync::Arc;

use document::{Document, DocumentError, Past};
use engine::Registry;
use model::file::{MemoryFiles, load, save};
use model::{Edit, Library, NodeId};
use protocol::api::HistoryEntry;
use protocol::talk::{MOST_NODES, Whole};
use replica::{NewEpoch, Part, Peer, Rebased, Replica, ReplicaError, Unsent, Version};
use thiserror::Error;

use crate::trace;

const MOST_STEPS: usize = 200;
const MOST_PEOPLE: usize = 64;

#[derive(Clone, Debug, Error, PartialEq)]
pub enum SharedError {
    #[error(transparent)]
    Document(#[from] DocumentError),
    #[error(transparent)]
    Replica(#[from] ReplicaError),
    #[error("the tree would have {0} nodes: a robot takes up to {MOST_NODES}; make it smaller, or open part of it")]
    TooManyNodes(usize),
}

/// Something that was done, for the others and the robot.
#[derive(Clone, Debug, Default)]
pub struct Deed {
    pub label: String,
    /// For the others, too; none: nothing has changed.
    pub edits: Vec<Edit>,
    /// What was not taken back, because others changed it since.
    pub kept: Vec<String>,
}

/// Who made an edit, and what it is called.
pub type Made = (Arc<str>, String);

/// What came from others.
#[derive(Clone, Debug, Default)]
pub struct Arrived {
    pub edits: Vec<Edit>,
    /// Who made them, as far as it is told.
    pub by: Vec<Arc<str>>,
    /// What became of edits that were made at the same time.
    pub notices: Vec<(String, Option<NodeId>)>,
}

pub struct Shared {
    document: Document,
    replica: Replica,
    registry: Arc<Registry>,
    /// This process; each person at it has a number made from it.
    peer: Peer,
    people: BTreeMap<Arc<str>, Past>,
    /// The epoch this behavior was opened in.
    origin: u64,
    /// How often work was done again as somebody new.
    lives: u64,
    /// The step of a person's past that each unsent edit made, or took back.
    steps: BTreeMap<u64, u64>,
    /// What each file is on disk, as far as is known; none: it is not there yet.
    saved: BTreeMap<Arc<str>, Option<Saved>>,
}

/// Traces of texts.
#[derive(Clone, Copy)]
struct Saved {
    text: (usize, u64),
    /// As we would write the same: people lay out files in their own way.
    as_we_write: (usize, u64),
}

impl Shared {
    /// The first copy of a behavior.
    pub fn new(library: Library, registry: Arc<Registry>, peer: Peer, epoch: u64) -> Result<Shared, SharedError> {
        let replica = Replica::from_library(&library, peer, epoch)?;
        let shared = Shared::with(library, registry, replica, epoch);
        let nodes = shared.nodes();
        if nodes > MOST_NODES { Err(SharedError::TooManyNodes(nodes)) } else { Ok(shared) }
    }

    /// A copy of what others have. What of it is in the library that is known is not had twice.
    pub fn from_whole(
        whole: &Whole,
        registry: Arc<Registry>,
        peer: Peer,
        known: &Library,
    ) -> Result<Shared, SharedError> {
        let (replica, library) = Replica::from_genesis_beside(&whole.genesis, peer, known)?;
        let mut shared = Shared::with(library, registry, replica, whole.origin);
        if !whole.updates.is_empty() {
            shared.merge(&whole.updates)?;
        }
        Ok(shared)
    }

    fn with(library: Library, registry: Arc<Registry>, replica: Replica, origin: u64) -> Shared {
        let peer = replica.peer().clone();
        Shared {
            // Ids of nodes must not meet those of others; the peer's number is nobody else's.
            document: Document::new(library, Arc::clone(&registry), peer.number),
            replica,
            registry,
            peer,
            people: BTreeMap::new(),
            origin,
            lives: 0,
            steps: BTreeMap::new(),
            saved: BTreeMap::new(),
        }
    }

    pub fn whole(&self) -> Result<Whole, SharedError> {
        let mut nothing = Version::default();
        nothing.epoch = self.replica.epoch();
        let updates = self.replica.updates_since(&nothing)?.unwrap_or_default();
        let version = self.replica.version().to_bytes();
        let genesis = self.replica.genesis_bytes().to_vec();
        Ok(Whole { origin: self.origin, genesis, updates, version, decided: Vec::new() })
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

    pub fn origin(&self) -> u64 {
        self.origin
    }

    pub fn nodes(&self) -> usize {
        self.document.library().iter().map(|(_, tree)| tree.len()).sum()
    }

    /// Edits that the robot is not known to have, the oldest first.
    pub fn unsent(&self) -> &[Unsent] {
        self.replica.unsent()
    }

    pub fn last_number(&self) -> u64 {
        self.replica.last_number()
    }

    /// Edits from here on are numbered behind this one.
    pub fn number_from(&mut self, last: u64) {
        self.replica.number_from(last);
    }

    /// The robot has every edit up to this number.
    pub fn settle(&mut self, number: u64) {
        self.replica.settle(number);
        self.steps.retain(|each, _| *each > number);
    }

    /// Whether the robot, which has this version, has everything that is here but what is unsent.
    pub fn is_all_at(&self, version: &Version) -> bool {
        version.includes(&self.replica.version_sent())
    }

    /// Takes over what others did.
    pub fn merge(&mut self, update: &[u8]) -> Result<Arrived, SharedError> {
        let before = self.replica.version();
        let merged = match self.replica.merge(update, self.document.library()) {
            Ok(merged) => merged,
            Err(error) => {
                // Of an epoch that no robot has: the next it tells of its tree has it sent anew.
                self.replica.mend(&before, self.document.library())?;
                return Err(error.into());
            }
        };
        if !merged.edits.is_empty() {
            self.document.follow(&merged.edits)?;
        }
        let notices = merged.notices.iter().map(|notice| (notice.to_string(), Some(notice.node))).collect();
        Ok(Arrived { edits: merged.edits, by: merged.authors, notices })
    }

    /// Takes over the tree of a newer epoch of the same behavior; what was done here and is not in it is done again.
    pub fn rebase(&mut self, whole: &Whole) -> Result<Arrived, SharedError> {
        let rebased = self.replica.rebase(&whole.genesis, self.document.library())?;
        self.origin = whole.origin;
        let mut arrived = self.follow(rebased)?;
        if !whole.updates.is_empty() {
            let more = self.merge(&whole.updates)?;
            arrived.edits.extend(more.edits);
            arrived.by.extend(more.by);
            arrived.notices.extend(more.notices);
        }
        Ok(arrived)
    }

    /// Begins a new epoch, as a robot does.
    pub fn next_epoch(&mut self) -> Result<NewEpoch, SharedError> {
        Ok(self.replica.next_epoch(self.document.library())?)
    }

    /// Begins the epoch that the robot has begun.
    pub fn advance(&mut self, new: &NewEpoch) -> Result<Arrived, SharedError> {
        let rebased = self.replica.advance(new, self.document.library())?;
        self.follow(rebased)
    }

    /// Takes the robot's tree in place of the one here, which has more than it; what was done here is done again.
    pub fn go_back(&mut self, whole: &Whole) -> Result<Arrived, SharedError> {
        let known = self.document.library();
        let theirs = Shared::from_whole(whole, Arc::clone(&self.registry), self.peer.clone(), known)?;
        let open = self.replica.unsent().to_vec();
        let (mut replica, wanted) = (theirs.replica, theirs.document.library().clone());
        replica.number_from(self.replica.last_number());
        let anew = self.live_again();
        let rebased = replica.again(wanted, open, self.document.library(), anew)?;
        self.replica = replica;
        self.origin = whole.origin;
        self.follow(rebased)
    }

    /// Takes back an edit that the robot refuses; says whose it was and what it did.
    pub fn take_back(&mut self, number: u64) -> Result<(Arrived, Option<Made>), SharedError> {
        let Some(refused) = self.replica.unsent().iter().find(|unsent| unsent.number == number) else {
            return Ok((Arrived::default(), None));
        };
        let who = Arc::clone(&refused.who);
        let version = self.replica.version_sent();
        let anew = self.live_again();
        let rebased = self.replica.take_back(&version, number, self.document.library(), anew)?;
        let label = self.forget_step(&who, number);
        Ok((self.follow(rebased)?, Some((who, label))))
    }

    /// Does what a process before this one could not send.
    pub fn redo_unsent(&mut self, open: Vec<Unsent>) -> Result<Arrived, SharedError> {
        let library = self.document.library().clone();
        let anew = self.live_again();
        let rebased = self.replica.again(library, open, self.document.library(), anew)?;
        self.follow(rebased)
    }

    /// Gives authors numbers that were never used.
    fn live_again(&mut self) -> impl Fn(&Unsent) -> Peer + use<> {
        self.lives += 1;
        let process = self.process();
        move |unsent| Peer { number: number_of(process, &unsent.who), name: Arc::clone(&unsent.who) }
    }

    fn process(&self) -> u64 {
        self.peer.number ^ self.lives.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn follow(&mut self, rebased: Rebased) -> Result<Arrived, SharedError> {
        self.document.follow(&rebased.edits)?;
        for lost in &rebased.lost {
            self.steps.remove(&lost.number);
        }
        let lost = |lost: &replica::Lost| (format!("an edit made here could not be done again: {}", lost.why), None);
        let kept = |kept: &replica::Kept| {
            let library = self.document.library();
            let owner = library.owner_of(kept.node)?;
            let label = library.get(owner).node(kept.node).label();
            let text = format!("{} deleted what `{label}` was put into; it stays where that was", kept.by);
            Some((text, Some(kept.node)))
        };
        let notices = rebased.lost.iter().map(lost).chain(rebased.kept.iter().filter_map(kept)).collect();
        Ok(Arrived { edits: rebased.edits, by: Vec::new(), notices })
    }

    /// What did not happen cannot be taken back. Gives its label.
    fn forget_step(&mut self, who: &str, number: u64) -> String {
        let (Some(step), Some(past)) = (self.steps.remove(&number), self.people.get_mut(who)) else {
            return String::new();
        };
        let label = past.label_of(step).unwrap_or_default().to_owned();
        past.forget(step);
        label
    }

    /// What is on disk under this name.
    pub fn set_saved(&mut self, file: &str, text: Option<&str>) {
        let saved = text.map(|text| {
            let files = MemoryFiles::from([(file, text)]);
            let catalogue = self.document.catalogue();
            let read = load(file, &files, catalogue).ok();
            let written = read.map(|read| trace::of_text(&save(read.library.main(), catalogue)));
            let text = trace::of_text(text);
            Saved { text, as_we_write: written.unwrap_or(text) }
        });
        self.saved.insert(file.into(), saved);
    }

    /// The tree was just loaded from this text.
    pub fn set_loaded(&mut self, file: &str, text: Option<&str>) {
        let written = self.document.text(file);
        let saved = text
            .zip(written)
            .map(|(text, written)| Saved { text: trace::of_text(text), as_we_write: trace::of_text(&written) });
        self.saved.insert(file.into(), saved);
    }

    /// The trace of its text. Outer none: nothing is known; inner none: it was not there.
    pub fn saved(&self, file: &str) -> Option<Option<(usize, u64)>> {
        self.saved.get(file).map(|saved| saved.map(|saved| saved.text))
    }

    pub fn is_unsaved(&self, file: &str) -> bool {
        match self.saved.get(file) {
            Some(Some(saved)) => {
                self.document.text(file).is_some_and(|text| trace::of_text(&text) != saved.as_we_write)
            }
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
        let (label, step) = (past.undo_label().unwrap_or_default().to_owned(), past.last_done());
        let nodes = self.nodes();
        if nodes > MOST_NODES && !edits.is_empty() {
            self.as_person(who, Document::undo)?;
            if let (Some(step), Some(past)) = (step, self.people.get_mut(who)) {
                past.forget(step);
            }
            return Err(SharedError::TooManyNodes(nodes));
        }
        self.deed((who, when_s), (label, step), edits, Vec::new())
    }

    pub fn undo(&mut self, who: &str, when_s: i64) -> Result<Deed, SharedError> {
        let label = format!("undo {}", self.labels(who).0.unwrap_or_default());
        let (undone, past) = self.as_person(who, Document::undo)?;
        let (kept, step) = (undone.kept.iter().map(ToString::to_string).collect(), past.last_undone());
        self.deed((who, when_s), (label, step), undone.edits, kept)
    }

    pub fn redo(&mut self, who: &str, when_s: i64) -> Result<Deed, SharedError> {
        let label = format!("redo {}", self.labels(who).1.unwrap_or_default());
        let (redone, past) = self.as_person(who, Document::redo)?;
        let (kept, step) = (redone.kept.iter().map(ToString::to_string).collect(), past.last_done());
        self.deed((who, when_s), (label, step), redone.edits, kept)
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
        (label, step): (String, Option<u64>),
        edits: Vec<Edit>,
        kept: Vec<String>,
    ) -> Result<Deed, SharedError> {
        if edits.is_empty() {
            return Ok(Deed { label, kept, ..Deed::default() });
        }
        let person = Peer { number: number_of(self.process(), who), name: who.into() };
        self.replica.speak_as(&person)?;
        self.replica.record(&edits, when_s)?;
        self.steps.extend(step.map(|step| (self.replica.last_number(), step)));
        Ok(Deed { label, edits, kept })
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
    let hash = model::hash::Fnv::seeded(process).with(who.as_bytes()).finish();
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
}
