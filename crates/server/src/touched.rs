//! What edits may have changed of what clients see.

use model::{Edit, Library, NodeId, Subtree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::view::View;

#[derive(Default)]
pub struct Touched {
    /// In the order in which they were touched; true: also where they are and what is below them.
    order: Vec<NodeId>,
    nodes: FxHashMap<NodeId, bool>,
    /// Came, went or moved, each itself and not with what is above it.
    pub placed: FxHashSet<NodeId>,
    /// Roots of files that declare something else.
    pub headers: Vec<model::DefinitionId>,
    /// Files came or went.
    pub files: bool,
    /// What runs after what may be another.
    pub sequence: bool,
}

impl Touched {
    /// Notes an edit; `before` is how the tree was.
    pub fn note(&mut self, edit: &Edit, before: &View) {
        match edit {
            Edit::Insert { parent, subtree, .. } => {
                self.node(*parent, true);
                self.came(subtree);
            }
            Edit::Delete { node } => {
                self.leaves(*node, before);
                before.below(*node).into_iter().for_each(|below| self.node(below, true));
            }
            Edit::Move { node, parent, .. } => {
                self.leaves(*node, before);
                self.node(*parent, true);
                self.node(*node, true);
            }
            Edit::Set { node, field, .. } => {
                // What makes branches of a node are its settings.
                self.sequence |=
                    matches!(&**field, "after" | "file" | "disabled") || !before.children(*node).is_empty();
                self.node(*node, false);
            }
            Edit::Rename { node, .. } | Edit::Retype { node, .. } => {
                self.sequence = true;
                self.node(*node, false);
            }
            Edit::Notes { node, .. } => self.node(*node, false),
            Edit::Header { definition, .. } => self.headers.push(*definition),
            Edit::AddFile { root, .. } => {
                self.files = true;
                self.came(root);
            }
            Edit::RemoveFile { file } => {
                self.files = true;
                let root = before.files.iter().find(|view| *view.file == **file).map(|view| view.root);
                let below = root.map(|root| before.below(root)).unwrap_or_default();
                below.into_iter().for_each(|node| self.node(node, true));
            }
        }
    }

    /// Files that have another number than before, or are no more: all that is in them.
    pub fn note_files(&mut self, library: &Library, before: &View) {
        let now: Vec<_> = library.iter().map(|(_, tree)| tree).collect();
        for at in 0..now.len().max(before.files.len()) {
            let (old, new) = (before.files.get(at), now.get(at));
            if let (Some(old), Some(new)) = (old, new)
                && *old.file == *new.file
                && old.root == new.root
            {
                continue;
            }
            let old = old.map(|old| before.below(old.root)).unwrap_or_default();
            let new: Vec<NodeId> = new.map(|tree| tree.walk(tree.root).collect()).unwrap_or_default();
            old.into_iter().chain(new).for_each(|node| self.node(node, true));
        }
    }

    pub fn node(&mut self, node: NodeId, structure: bool) {
        self.sequence |= structure;
        match self.nodes.entry(node) {
            std::collections::hash_map::Entry::Occupied(mut known) => *known.get_mut() |= structure,
            std::collections::hash_map::Entry::Vacant(new) => {
                new.insert(structure);
                self.order.push(node);
            }
        }
    }

    pub fn take(&mut self) -> Vec<(NodeId, bool)> {
        let order = std::mem::take(&mut self.order);
        order.into_iter().map(|node| (node, self.nodes[&node])).collect()
    }

    fn leaves(&mut self, node: NodeId, before: &View) {
        self.placed.insert(node);
        if let Some(parent) = before.parent(node) {
            self.node(parent, true);
        }
    }

    fn came(&mut self, subtree: &Subtree) {
        self.placed.insert(subtree.id);
        self.node(subtree.id, true);
        subtree.children.iter().for_each(|child| self.came(child));
    }
}
