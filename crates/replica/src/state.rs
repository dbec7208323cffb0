//! The tree as Loro keeps it, and how it is read.
//!
//! Nothing is ever deleted in Loro: a deleted node carries a mark. What others put below it meanwhile stays and is seen
//! where the deleted node was, and taking a deletion back takes the mark away, so that ids stay what they are.

use std::collections::BTreeSet;
use std::sync::Arc;

use loro::{LoroDoc, LoroMap, LoroTree, LoroValue, TreeID, TreeParentId, ValueOrContainer, VersionVector};
use model::{Field, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ReplicaError;
use crate::births::Births;
use crate::bytes::{Reader, Writer};
use crate::hidden::Hidden;
use crate::origin::{Birth, Declared, LETTERS, Ordered, Origin};

/// Keys of a node's map. Settings have [`SETTING`] in front.
pub(crate) const BORN: &str = "b";
pub(crate) const DELETED: &str = "x";
pub(crate) const KIND: &str = "k";
pub(crate) const NAME: &str = "n";
pub(crate) const NOTES: &str = "t";
pub(crate) const FILE: &str = "p";
pub(crate) const CELL: &str = "c";
pub(crate) const SETTING: char = 'f';

/// What the tree is called in Loro.
pub(crate) const TREE: &str = "t";

/// The root of the behavior itself: the first node of every genesis.
pub(crate) const MAIN: TreeID = TreeID { peer: 0, counter: 0 };

pub(crate) struct State {
    pub doc: LoroDoc,
    pub tree: LoroTree,
    pub nodes: Births,
    pub by_id: FxHashMap<NodeId, TreeID>,
    /// What of them was ever written otherwise than they were made: in Loro nobody else has a map that says anything.
    pub written: FxHashSet<TreeID>,
    /// Marked as deleted.
    pub deleted: FxHashSet<TreeID>,
    /// Has the id of another node, which counts.
    pub doubled: BTreeSet<TreeID>,
    /// Roots of files that were removed while somebody put something into them: they stay.
    pub kept: BTreeSet<TreeID>,
    /// Something does not fit as it is in Loro: two files of one name, nodes nested too deep. It is then seen otherwise.
    pub bent: bool,
    /// Nodes deleted or brought back by the edits that are being recorded.
    pub marked: BTreeSet<TreeID>,
    pub hidden: Hidden,
}

/// A node's content as it is now.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Content {
    pub kind: Arc<str>,
    pub name: Arc<str>,
    pub notes: Arc<str>,
    pub id_written: bool,
    pub fields: Ordered<Field>,
}

impl State {
    pub fn new(doc: LoroDoc) -> State {
        let tree = doc.get_tree(TREE);
        State {
            doc,
            tree,
            nodes: Births::default(),
            by_id: FxHashMap::default(),
            written: FxHashSet::default(),
            deleted: FxHashSet::default(),
            doubled: BTreeSet::new(),
            kept: BTreeSet::new(),
            bent: false,
            marked: BTreeSet::new(),
            hidden: Hidden::default(),
        }
    }

    pub fn register(&mut self, at: TreeID, birth: Birth) {
        let id = birth.id();
        self.nodes.insert(at, birth);
        match self.by_id.get(&id).copied() {
            Some(other) if other == at => {}
            // The one made first by the lowest peer counts; genesis is peer 0.
            Some(other) if (other.peer, other.counter) < (at.peer, at.counter) => {
                self.doubled.insert(at);
                self.note(at);
            }
            Some(other) => {
                self.doubled.insert(other);
                self.by_id.insert(id, at);
                self.note(other);
            }
            None => drop(self.by_id.insert(id, at)),
        }
    }

    pub fn map(&self, at: TreeID) -> Result<LoroMap, ReplicaError> {
        Ok(self.tree.get_meta(at)?)
    }

    pub fn write(&mut self, at: TreeID, key: &str, value: LoroValue) -> Result<(), ReplicaError> {
        self.written.insert(at);
        Ok(self.map(at)?.insert(key, value)?)
    }

    /// Takes over what Loro says about a node that was touched elsewhere. Whether it is new here.
    pub fn refresh(&mut self, at: TreeID) -> bool {
        let Ok(map) = self.map(at) else { return false };
        self.written.insert(at);
        let is_new = !self.nodes.contains_key(&at);
        if is_new && let Some(origin) = binary(&map, BORN).and_then(|bytes| Origin::from_bytes(&bytes).ok()) {
            self.register(at, Birth::Made(Box::new(origin)));
        }
        if matches!(map.get(DELETED), Some(ValueOrContainer::Value(LoroValue::Bool(true)))) {
            self.deleted.insert(at);
        } else {
            self.deleted.remove(&at);
        }
        self.note(at);
        is_new
    }

    /// The node is seen: neither deleted, nor the second of its id, nor one that cannot be read.
    pub fn is_seen(&self, at: TreeID) -> bool {
        at == MAIN
            || self.kept.contains(&at)
            || !self.deleted.contains(&at) && self.nodes.contains_key(&at) && !self.doubled.contains(&at)
    }

    pub fn parent_in_loro(&self, at: TreeID) -> Option<TreeID> {
        match self.tree.parent(at) {
            Some(TreeParentId::Node(parent)) => Some(parent),
            _ => None,
        }
    }

    /// The root of the file a node is in. None: Loro has it nowhere.
    pub fn root_of(&self, at: TreeID) -> Option<TreeID> {
        let mut at = at;
        loop {
            match self.tree.parent(at) {
                Some(TreeParentId::Node(parent)) => at = parent,
                Some(TreeParentId::Root) => return Some(at),
                _ => return None,
            }
        }
    }

    pub fn children_in_loro(&self, at: TreeID) -> Vec<TreeID> {
        self.tree.children(at).unwrap_or_default()
    }

    /// Children as they are seen: in the place of one that is deleted stand those of its children that are not.
    pub fn seen_children(&self, at: TreeID) -> Vec<TreeID> {
        let mut seen = Vec::new();
        let mut stack = self.children_in_loro(at);
        stack.reverse();
        while let Some(child) = stack.pop() {
            if self.is_seen(child) {
                seen.push(child);
            } else {
                stack.extend(self.children_in_loro(child).into_iter().rev());
            }
        }
        seen
    }

    /// Roots of files that are seen, the behavior itself first.
    pub fn roots(&self) -> Vec<TreeID> {
        let others = self.tree.roots().into_iter().filter(|root| *root != MAIN && self.is_seen(*root));
        std::iter::once(MAIN).chain(others).collect()
    }

    /// Finds removed files that something was put into meanwhile.
    pub fn find_kept(&mut self) {
        let removed = self.tree.roots().into_iter().filter(|root| self.deleted.contains(root));
        let readable = removed.filter(|root| self.nodes.contains_key(root) && !self.doubled.contains(root));
        let kept: BTreeSet<TreeID> = readable.filter(|root| !self.seen_children(*root).is_empty()).collect();
        let before = std::mem::replace(&mut self.kept, kept);
        let changed: Vec<TreeID> = before.symmetric_difference(&self.kept).copied().collect();
        changed.into_iter().for_each(|root| self.note(root));
    }

    /// Files as they are seen: of two with one name, the second gets another.
    pub fn files(&self) -> Vec<(Arc<str>, TreeID)> {
        let mut files: Vec<(Arc<str>, TreeID)> = Vec::new();
        for root in self.roots() {
            let name = self.file_name(root);
            let is_taken = |name: &str| files.iter().any(|(taken, _)| &**taken == name);
            let name = if is_taken(&name) { free_name(&name, is_taken) } else { name };
            files.push((name, root));
        }
        files
    }

    pub fn content(&self, at: TreeID) -> Content {
        let mut content = self.nodes[&at].content();
        if !self.written.contains(&at) {
            return content;
        }
        let Ok(map) = self.map(at) else { return content };
        let mut sort = false;
        map.for_each(|key, value| {
            let ValueOrContainer::Value(value) = value else { return };
            match (key, &value) {
                (KIND, LoroValue::String(text)) => content.kind = text.as_str().into(),
                (NAME, LoroValue::String(text)) => content.name = text.as_str().into(),
                (NOTES, LoroValue::String(text)) => content.notes = text.as_str().into(),
                _ => {
                    if let Some(name) = key.strip_prefix(SETTING) {
                        sort |= overlay(&mut content.fields, name, &value, |reader| reader.field());
                    }
                }
            }
        });
        if sort {
            content.fields.sort();
        }
        content
    }

    /// Operations that came since a version: peer, first and end.
    pub fn new_since(&self, before: &VersionVector) -> impl Iterator<Item = (u64, i32, i32)> {
        let after = self.doc.oplog_vv();
        let mut spans: Vec<(u64, i32, i32)> = after
            .iter()
            .map(|(peer, end)| (*peer, before.get(peer).copied().unwrap_or(0), *end))
            .filter(|(_, start, end)| start < end)
            .collect();
        spans.sort_unstable();
        spans.into_iter()
    }

    pub fn file_name(&self, root: TreeID) -> Arc<str> {
        let changed = self.map(root).ok().and_then(|map| match map.get(FILE) {
            Some(ValueOrContainer::Value(LoroValue::String(name))) => Some(Arc::from(name.as_str())),
            _ => None,
        });
        let made = self.nodes.get(&root).and_then(Birth::file).map(|file| file.name.clone());
        changed.or(made).unwrap_or_default()
    }

    pub fn declared(&self, root: TreeID) -> Declared {
        let origin = self.nodes.get(&root).and_then(Birth::file);
        let mut declared = origin.map(|file| file.declared.clone()).unwrap_or_default();
        let Ok(map) = self.map(root) else { return declared };
        map.for_each(|key, value| {
            let ValueOrContainer::Value(value) = value else { return };
            if key == CELL {
                declared.cell = match &value {
                    LoroValue::String(cell) => Some(cell.to_string()),
                    _ => None,
                };
                return;
            }
            let letter = LETTERS.iter().position(|letter| key.starts_with(*letter));
            if let Some(list) = letter {
                overlay(&mut declared.lists[list], &key[1..], &value, |reader| reader.json());
            }
        });
        declared.lists.iter_mut().for_each(Ordered::sort);
        declared
    }
}

fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> Arc<str> {
    let (stem, ending) =
        name.rsplit_once('.').map_or((name, String::new()), |(stem, ending)| (stem, format!(".{ending}")));
    let names = (2_u32..).map(|number| format!("{stem}-{number}{ending}"));
    names.into_iter().find(|name| !is_taken(name)).expect("there are more numbers than files").into()
}

/// Lays a changed value over those a node was made with. What cannot be read changes nothing.
fn overlay<T>(
    values: &mut Ordered<T>,
    key: &str,
    value: &LoroValue,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, ReplicaError>,
) -> bool {
    match value {
        LoroValue::Null => values.remove(key),
        LoroValue::Binary(bytes) => {
            let mut reader = Reader(bytes);
            if let Ok(place) = reader.number()
                && let Ok(value) = read(&mut reader)
            {
                values.put(place, key, value);
            }
        }
        _ => {}
    }
    true
}

pub(crate) fn placed(place: u64, write: impl FnOnce(&mut Writer)) -> LoroValue {
    let mut writer = Writer::default();
    writer.number(place);
    write(&mut writer);
    LoroValue::from(writer.0)
}

pub(crate) fn setting(key: &str) -> String {
    format!("{SETTING}{key}")
}

fn binary(map: &LoroMap, key: &str) -> Option<Vec<u8>> {
    match map.get(key) {
        Some(ValueOrContainer::Value(LoroValue::Binary(bytes))) => Some(bytes.to_vec()),
        _ => None,
    }
}

/// The node whose map a container is.
pub(crate) fn owner_of(container: &loro::ContainerID) -> Option<TreeID> {
    match container {
        loro::ContainerID::Normal { peer, counter, container_type: loro::ContainerType::Map } => {
            Some(TreeID { peer: *peer, counter: *counter })
        }
        _ => None,
    }
}
