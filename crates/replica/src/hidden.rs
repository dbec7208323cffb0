//! What of the tree in Loro is not seen, by where it is: a place among ten thousand siblings is then found by looking at
//! those few.

use loro::{TreeID, TreeParentId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::state::{State, TREE};

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Hidden {
    /// By the node they are below in Loro.
    below: FxHashMap<TreeID, FxHashSet<TreeID>>,
    /// The node each of them is below; none: it is a root.
    parents: FxHashMap<TreeID, Option<TreeID>>,
    /// Seen, but below one that is not: they stand where that was.
    strays: FxHashSet<TreeID>,
}

impl Hidden {
    /// What is seen is seen where it is in Loro.
    pub fn is_plain(&self) -> bool {
        self.strays.is_empty()
    }

    fn take(&mut self, at: TreeID) -> bool {
        let Some(parent) = self.parents.remove(&at) else { return false };
        if let Some(parent) = parent
            && let Some(siblings) = self.below.get_mut(&parent)
        {
            siblings.remove(&at);
            if siblings.is_empty() {
                self.below.remove(&parent);
            }
        }
        true
    }

    fn put(&mut self, at: TreeID, parent: Option<TreeID>) {
        self.parents.insert(at, parent);
        if let Some(parent) = parent {
            self.below.entry(parent).or_default().insert(at);
        }
    }
}

impl State {
    /// To be called when a node came, moved, went or came back.
    pub fn note(&mut self, at: TreeID) {
        let was_hidden = self.hidden.take(at);
        let is_hidden = !self.is_seen(at);
        if is_hidden {
            self.hidden.put(at, self.parent_in_loro(at));
        }
        self.note_stray(at);
        if was_hidden != is_hidden {
            for child in self.children_in_loro(at) {
                self.note_stray(child);
            }
        }
    }

    fn note_stray(&mut self, at: TreeID) {
        let below_hidden = || self.parent_in_loro(at).is_some_and(|parent| self.hidden.parents.contains_key(&parent));
        if self.is_seen(at) && below_hidden() {
            self.hidden.strays.insert(at);
        } else {
            self.hidden.strays.remove(&at);
        }
    }

    pub fn index_in_loro(&self, at: TreeID) -> Option<usize> {
        self.doc.inner().get_tree(TREE).get_index_by_tree_id(&at)
    }

    pub fn child_in_loro(&self, parent: TreeID, index: usize) -> Option<TreeID> {
        self.doc.inner().get_tree(TREE).get_child_at(&TreeParentId::Node(parent), index)
    }

    /// Places in Loro of what is hidden below a node.
    fn hidden_places(&self, parent: TreeID) -> impl Iterator<Item = usize> {
        self.hidden.below.get(&parent).into_iter().flatten().filter_map(|at| self.index_in_loro(*at))
    }

    /// A child by its place among those that are seen, where all of these are plain; `without` does not count.
    pub fn plain_child(&self, parent: TreeID, index: usize, without: Option<TreeID>) -> Option<TreeID> {
        let without = without.filter(|at| self.is_seen(*at) && self.parent_in_loro(*at) == Some(parent));
        let mut skipped: Vec<usize> = self.hidden_places(parent).collect();
        skipped.extend(without.and_then(|at| self.index_in_loro(at)));
        skipped.sort_unstable();
        let mut at = index;
        for place in skipped {
            if place > at {
                break;
            }
            at += 1;
        }
        self.child_in_loro(parent, at)
    }

    /// The place of a node that is seen among its siblings, where all of these are plain.
    pub fn plain_index(&self, at: TreeID) -> Option<usize> {
        let place = self.index_in_loro(at)?;
        let parent = self.parent_in_loro(at)?;
        Some(place - self.hidden_places(parent).filter(|hidden| *hidden < place).count())
    }

    /// The neighbour before a node among those that are seen, where all of these are plain.
    pub fn plain_left(&self, at: TreeID) -> Option<TreeID> {
        let parent = self.parent_in_loro(at)?;
        let place = self.index_in_loro(at)?;
        (0..place).rev().filter_map(|index| self.child_in_loro(parent, index)).find(|left| self.is_seen(*left))
    }

    /// What is kept of hidden nodes is what it would be, were it made anew.
    pub fn check_hidden(&self) -> Result<(), String> {
        let mut anew = Hidden::default();
        let nodes: Vec<TreeID> = self.tree.get_nodes(false).into_iter().map(|node| node.id).collect();
        for at in nodes.iter().filter(|at| !self.is_seen(**at)) {
            anew.put(*at, self.parent_in_loro(*at));
        }
        let is_below_hidden =
            |at: &&TreeID| self.parent_in_loro(**at).is_some_and(|parent| anew.parents.contains_key(&parent));
        let strays = nodes.iter().filter(|at| self.is_seen(**at)).filter(is_below_hidden).copied().collect();
        anew.strays = strays;
        if self.hidden == anew { Ok(()) } else { Err(format!("hidden: {:?}, anew: {anew:?}", self.hidden)) }
    }
}
