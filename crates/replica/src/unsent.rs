//! Edits made here that the robot is not known to have: sent again after a cut, done again on a newer tree.

use std::collections::BTreeSet;
use std::sync::Arc;

use model::{Edit, Library, NodeId};
use serde::{Deserialize, Serialize};

use crate::Version;
use crate::replica::{Peer, Replica};

/// One operation of a person, until the robot has it. Kept on disk as JSON, so that it outlives the process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unsent {
    /// Counts up with every edit made by this process and those before it in the same folder.
    pub number: u64,
    pub epoch: u64,
    pub peer: u64,
    pub who: Arc<str>,
    /// How many operations of this peer there are before these, and with them.
    pub start: u64,
    pub end: u64,
    pub when_s: i64,
    pub edits: Vec<Edit>,
    /// The names of the files in the order that edits of headers count in.
    pub files: Vec<Arc<str>>,
    /// Every node that was there to be deleted by it, or to come back. None: whoever kept it did not say.
    #[serde(default)]
    pub took: Option<Vec<NodeId>>,
    /// What tells the others, in its epoch.
    #[serde(with = "hex")]
    pub update: Vec<u8>,
}

impl Unsent {
    /// The same edits where files may have other numbers. A file that is gone gets a number that is none.
    pub(crate) fn in_files_of(&self, library: &Library) -> Vec<Edit> {
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

    /// The same edits for a tree that has changed meanwhile, and the nodes that they leave: what others put into a node
    /// that is deleted stays where that was, as where both are merged.
    pub(crate) fn on(&self, library: &Library) -> (Vec<Edit>, Vec<NodeId>) {
        let edits = self.in_files_of(library);
        let Some(took) = &self.took else { return (edits, Vec::new()) };
        let took: BTreeSet<NodeId> = took.iter().copied().collect();
        let deletes = |edit: &Edit| if let Edit::Delete { node } = edit { Some(*node) } else { None };
        if edits.iter().filter_map(deletes).all(|node| strangers(library, node, &took).is_empty()) {
            return (edits, Vec::new());
        }
        let (mut now, mut all, mut left) = (library.clone(), Vec::new(), Vec::new());
        for edit in edits {
            let strangers = deletes(&edit).map(|node| strangers(&now, node, &took)).unwrap_or_default();
            let mut steps: Vec<Edit> = Vec::new();
            if let Some((parent, index)) = deletes(&edit).and_then(|node| place(&now, node)) {
                let behind = strangers.iter().enumerate();
                steps.extend(behind.map(|(at, node)| Edit::Move { node: *node, parent, index: index + 1 + at }));
                left.extend(strangers);
            }
            steps.push(edit);
            // One that has no place here is told by whoever applies them.
            let _ = now.apply_all(&steps);
            all.extend(steps);
        }
        left.retain(|node| now.owner_of(*node).is_some());
        left.sort_unstable();
        left.dedup();
        (all, left)
    }

    pub fn author(&self) -> Peer {
        Peer { number: self.peer, name: Arc::clone(&self.who) }
    }
}

/// The nodes below this one that are not among those known, without what is below them.
fn strangers(library: &Library, top: NodeId, known: &BTreeSet<NodeId>) -> Vec<NodeId> {
    let Some(tree) = library.owner_of(top).map(|owner| library.get(owner)) else { return Vec::new() };
    let (mut found, mut open) = (Vec::new(), vec![top]);
    while let Some(node) = open.pop() {
        if known.contains(&node) {
            open.extend(tree.node(node).children.iter().rev());
        } else if node != top {
            found.push(node);
        }
    }
    found
}

fn place(library: &Library, node: NodeId) -> Option<(NodeId, usize)> {
    let tree = library.get(library.owner_of(node)?);
    let parent = tree.node(node).parent?;
    let index = tree.node(parent).children.iter().position(|child| *child == node)?;
    Some((parent, index))
}

impl Replica {
    /// The oldest first.
    pub fn unsent(&self) -> &[Unsent] {
        &self.outbox
    }

    /// What the robot has, as far as is known: everything here but what is unsent.
    pub fn version_sent(&self) -> Version {
        let mut version = self.version();
        for unsent in &self.outbox {
            if let Some(count) = version.seen.get_mut(&unsent.peer) {
                *count = unsent.start.min(*count);
            }
        }
        version.seen.retain(|_, count| *count > 0);
        version
    }

    pub fn last_number(&self) -> u64 {
        self.last_number
    }

    /// Edits made from here on have the numbers behind this one.
    pub fn number_from(&mut self, last: u64) {
        self.last_number = self.last_number.max(last);
    }

    /// The robot has everything up to this number.
    pub fn settle(&mut self, number: u64) {
        self.outbox.retain(|unsent| unsent.number > number);
    }
}

/// Bytes as text of two digits each.
mod hex {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&hex::encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let digits = std::borrow::Cow::<str>::deserialize(from)?;
        hex::decode(&*digits).map_err(|_| D::Error::custom("digits from 0 to f, two for each byte"))
    }
}
