//! Who changed what and when, read from the changes themselves.

use std::collections::BTreeMap;
use std::sync::Arc;

use loro::{Frontiers, ID, IdSpan, JsonChange, JsonMapOp, JsonOpContent, JsonTreeOp, LoroValue, TreeID, VersionVector};
use model::NodeId;
use rustc_hash::FxHashMap;

use crate::origin::LETTERS;
use crate::state::{BORN, CELL, DELETED, FILE, KIND, NAME, NOTES, SETTING, State, owner_of};

/// A part of the tree that one change can touch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The node came, or moved.
    Place,
    /// The node went, or came back.
    Presence,
    Type,
    Name,
    Notes,
    Setting(Arc<str>),
    /// An input, output, variable or other declaration of a file.
    Declaration(Arc<str>),
    /// The name of a file.
    File,
}

/// One operation of a person: what it touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub peer: u64,
    pub who: Arc<str>,
    pub when_s: i64,
    pub touched: Vec<(NodeId, Part)>,
}

/// Names a change: its author and its order among all changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    pub lamport: u32,
    pub peer: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Op {
    pub rank: Rank,
    pub node: TreeID,
    pub part: Part,
    /// Where a place is below; none is a root.
    pub parent: Option<TreeID>,
    /// A value, for a part that has one; of a presence, whether it went.
    pub value: Option<LoroValue>,
}

#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub first: i32,
    pub rank: Rank,
    pub when_s: i64,
    pub deps: Vec<ID>,
    pub ops: Vec<Op>,
}

/// The changes of this epoch, and what is left of those before.
#[derive(Default)]
pub(crate) struct Log {
    pub by_peer: BTreeMap<u64, Vec<Change>>,
    pub past: Vec<Entry>,
    /// The last place each node was given, whether it could take it or not.
    pub places: FxHashMap<TreeID, (Rank, Option<TreeID>)>,
}

/// Entries of earlier epochs that are kept.
pub(crate) const PAST: usize = 200;

impl Log {
    /// Changes that are new between two versions, in an order in which causes come first.
    pub fn read(state: &State, spans: impl Iterator<Item = (u64, i32, i32)>) -> Vec<Change> {
        let mut changes = Vec::new();
        for (peer, start, end) in spans {
            let json = state.doc.export_json_in_id_span(IdSpan::new(peer, start, end));
            changes.extend(json.iter().map(Change::read));
        }
        changes.sort_by_key(|change| change.rank);
        changes
    }

    pub fn add(&mut self, change: Change) {
        for op in change.ops.iter().filter(|op| op.part == Part::Place) {
            let last = self.places.entry(op.node).or_insert((op.rank, op.parent));
            if last.0 <= op.rank {
                *last = (op.rank, op.parent);
            }
        }
        self.by_peer.entry(change.rank.peer).or_default().push(change);
    }

    /// Changes here that whoever made `change` did not know.
    pub fn beside<'l>(&'l self, state: &State, change: &Change) -> impl Iterator<Item = &'l Change> {
        let known = state.doc.frontiers_to_vv(&Frontiers::from(change.deps.clone())).unwrap_or_default();
        let peer = change.rank.peer;
        self.by_peer.iter().filter(move |(other, _)| **other != peer).flat_map(move |(other, changes)| {
            let seen = known_of(&known, *other);
            let first = changes.partition_point(|change| change.first < seen);
            &changes[first..]
        })
    }

    /// The newest last.
    pub fn entries(&self, state: &State, most: usize) -> Vec<Entry> {
        let mut changes: Vec<&Change> = self.by_peer.values().flatten().collect();
        changes.sort_by_key(|change| change.rank);
        let skipped = changes.len().saturating_sub(most);
        let past = self.past.len().saturating_sub(most - (changes.len() - skipped));
        let mut entries: Vec<Entry> = self.past[past..].to_vec();
        entries.extend(changes[skipped..].iter().map(|change| change.entry(state)));
        entries
    }
}

fn known_of(version: &VersionVector, peer: u64) -> i32 {
    version.get(&peer).copied().unwrap_or(0)
}

impl Change {
    fn read(json: &JsonChange) -> Change {
        let rank = Rank { lamport: json.lamport, peer: json.id.peer };
        let mut ops = Vec::new();
        for op in &json.ops {
            let lamport = json.lamport + (op.counter - json.id.counter).max(0) as u32;
            ops.extend(read_op(&op.content, &op.container, Rank { lamport, ..rank }));
        }
        Change { first: json.id.counter, rank, when_s: json.timestamp, deps: json.deps.clone(), ops }
    }

    fn entry(&self, state: &State) -> Entry {
        let touched = self.ops.iter().filter_map(|op| Some((state.nodes.get(&op.node)?.id(), op.part.clone())));
        let mut touched: Vec<(NodeId, Part)> = touched.collect();
        touched.sort();
        touched.dedup();
        Entry { peer: self.rank.peer, who: state.name_of(self.rank.peer), when_s: self.when_s, touched }
    }
}

fn read_op(content: &JsonOpContent, container: &loro::ContainerID, rank: Rank) -> Option<Op> {
    match content {
        JsonOpContent::Tree(JsonTreeOp::Create { target, parent, .. }) => {
            Some(Op { rank, node: *target, part: Part::Place, parent: *parent, value: None })
        }
        JsonOpContent::Tree(JsonTreeOp::Move { target, parent, .. }) => {
            Some(Op { rank, node: *target, part: Part::Place, parent: *parent, value: None })
        }
        JsonOpContent::Map(op) => {
            let (key, value) = match op {
                JsonMapOp::Insert { key, value } => (key, value.clone()),
                JsonMapOp::Delete { key } => (key, LoroValue::Null),
            };
            let (node, part) = (owner_of(container)?, part_of(key)?);
            Some(Op { rank, node, part, parent: None, value: Some(value) })
        }
        _ => None,
    }
}

fn part_of(key: &str) -> Option<Part> {
    Some(match key {
        BORN => return None,
        DELETED => Part::Presence,
        KIND => Part::Type,
        NAME => Part::Name,
        NOTES => Part::Notes,
        FILE => Part::File,
        CELL => Part::Declaration("cell".into()),
        _ => match key.strip_prefix(SETTING) {
            Some(name) => Part::Setting(name.into()),
            None if key.starts_with(LETTERS) => Part::Declaration(key[1..].into()),
            None => return None,
        },
    })
}

impl State {
    /// What the peer calls itself.
    pub fn name_of(&self, peer: u64) -> Arc<str> {
        match self.doc.get_map("w").get(&format!("{peer:x}")) {
            Some(loro::ValueOrContainer::Value(LoroValue::String(name))) => name.as_str().into(),
            _ => "somebody".into(),
        }
    }
}
