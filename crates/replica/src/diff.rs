//! The edits that turn one tree into another.

use std::collections::BTreeSet;
use std::sync::Arc;

use model::{DefinitionId, Edit, Field, Library, NodeId, Subtree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::view::{Target, in_library};

/// What may differ. Whatever is not named here is the same in both trees.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dirty {
    /// Came, went or moved.
    pub places: BTreeSet<NodeId>,
    pub contents: BTreeSet<NodeId>,
    /// Roots of files whose declarations may differ.
    pub headers: BTreeSet<NodeId>,
    pub files: bool,
    /// No node has other children but for `places`.
    pub plain: bool,
}

/// So few that looking through them takes less than a table of them.
const FEW: usize = 8;

impl Dirty {
    pub fn everything(old: &Library, new: &Library) -> Dirty {
        let nodes = |library: &Library| -> Vec<NodeId> {
            library.iter().flat_map(|(_, tree)| tree.walk(tree.root).collect::<Vec<_>>()).collect()
        };
        let all: BTreeSet<NodeId> = nodes(old).into_iter().chain(nodes(new)).collect();
        let headers = new.iter().map(|(_, tree)| tree.root).collect();
        Dirty { places: all.clone(), contents: all, headers, files: true, plain: false }
    }
}

/// The edits, to be applied in this order to `old`.
pub(crate) fn edits(old: &Library, new: &impl Target, dirty: &Dirty) -> Vec<Edit> {
    let mut diff = Diff {
        old,
        new,
        gone: FxHashSet::default(),
        came: FxHashSet::default(),
        work: FxHashMap::default(),
        parents: FxHashMap::default(),
        edits: Vec::new(),
    };
    let files = if dirty.files { diff.files() } else { FileChange::default() };
    diff.find_gone(dirty);
    let parked = diff.park();
    diff.delete_gone();
    diff.change_files(&files);
    diff.place_all(dirty, &parked);
    for id in &dirty.contents {
        diff.content(*id);
    }
    diff.headers(dirty, &files);
    diff.edits
}

/// Files are taken away from the newest to the oldest that goes, and those that stay are put back.
#[derive(Default)]
struct FileChange {
    /// How many of the old ones are not touched.
    stay: usize,
    add: Vec<(Arc<str>, NodeId)>,
}

struct Diff<'d, T> {
    old: &'d Library,
    new: &'d T,
    /// Nodes that leave the place they have: they are deleted, and those that are still in the tree are inserted anew.
    gone: FxHashSet<NodeId>,
    /// Nodes inserted by these edits.
    came: FxHashSet<NodeId>,
    /// Children as they are after the edits so far, where these changed them.
    work: FxHashMap<NodeId, Vec<NodeId>>,
    /// Parents of nodes that these edits moved.
    parents: FxHashMap<NodeId, NodeId>,
    edits: Vec<Edit>,
}

impl<T: Target> Diff<'_, T> {
    fn files(&mut self) -> FileChange {
        let wanted = self.new.files();
        let is_wanted =
            |tree: &model::Definition| wanted.iter().any(|(file, root)| *file == tree.file && *root == tree.root);
        let old: Vec<_> = self.old.iter().map(|(_, tree)| tree).collect();
        let stay = old.iter().position(|tree| !is_wanted(tree)).unwrap_or(old.len());
        let mut add: Vec<(Arc<str>, NodeId)> = Vec::new();
        for tree in &old[stay..] {
            self.gone.extend(tree.walk(tree.root));
            if is_wanted(tree) {
                add.push((tree.file.clone(), tree.root));
            }
        }
        let is_new = |file: &(Arc<str>, NodeId)| !old.iter().any(|tree| tree.file == file.0 && tree.root == file.1);
        add.extend(wanted.into_iter().filter(is_new));
        FileChange { stay, add }
    }

    fn find_gone(&mut self, dirty: &Dirty) {
        for id in &dirty.places {
            let Some(owner) = self.old.owner_of(*id) else {
                self.take_along(*id);
                continue;
            };
            if self.gone.contains(id) {
                continue;
            }
            let tree = self.old.get(owner);
            let stays = |id: NodeId| self.new.root_of(id) == Some(tree.root);
            if !stays(*id) {
                let going: Vec<NodeId> = tree.walk(*id).filter(|id| !stays(*id)).collect();
                self.gone.extend(going);
            } else if self.old.get(owner).node(*id).parent != self.new.parent(*id) {
                // What is still below it may not fit where it goes, though what will be below it does.
                let above = self.above(*id);
                if above > tree.ancestors(*id).count() && !model::fits_below(tree, *id, above) {
                    self.gone.extend(tree.walk(*id));
                }
            }
        }
    }

    /// A deleted node that comes back in another file takes along what was put into it meanwhile.
    fn take_along(&mut self, came: NodeId) {
        let Some(root) = self.new.root_of(came) else { return };
        let mut stack = self.new.children(came);
        while let Some(id) = stack.pop() {
            if self.old.root_of(id).is_some_and(|old| old != root) {
                self.gone.insert(id);
            }
            stack.extend(self.new.children(id));
        }
    }

    /// Nodes above a node in the new tree.
    fn above(&self, id: NodeId) -> usize {
        std::iter::successors(self.new.parent(id), |above| self.new.parent(*above)).count()
    }

    fn is_there(&self, id: NodeId) -> bool {
        self.came.contains(&id) || self.old.owner_of(id).is_some() && !self.gone.contains(&id)
    }

    fn children(&mut self, id: NodeId) -> &mut Vec<NodeId> {
        let old = self.old;
        self.work.entry(id).or_insert_with(|| in_library(old, id).map(|node| node.children.clone()).unwrap_or_default())
    }

    /// Takes what stays out of what goes, to the end of its file's root: there it is in nobody's way.
    fn park(&mut self) -> Vec<NodeId> {
        let mut going: Vec<NodeId> = self.gone.iter().copied().collect();
        going.sort_unstable();
        let mut parked = Vec::new();
        for id in going {
            let Some(owner) = self.old.owner_of(id) else { continue };
            let tree = self.old.get(owner);
            let staying: Vec<NodeId> = tree.node(id).children.iter().copied().filter(|id| self.is_there(*id)).collect();
            for child in staying {
                self.children(id).retain(|other| *other != child);
                let end = self.children(tree.root).len();
                self.children(tree.root).push(child);
                self.parents.insert(child, tree.root);
                self.edits.push(Edit::Move { node: child, parent: tree.root, index: end });
                parked.extend([child, tree.root]);
            }
        }
        parked
    }

    fn delete_gone(&mut self) {
        let mut tops: Vec<(DefinitionId, NodeId)> = Vec::new();
        for id in &self.gone {
            let Some(owner) = self.old.owner_of(*id) else { continue };
            let parent = self.old.get(owner).node(*id).parent;
            if parent.is_some_and(|parent| !self.gone.contains(&parent)) {
                tops.push((owner, *id));
            }
        }
        tops.sort_unstable();
        for (owner, id) in tops {
            let parent = self.old.get(owner).node(id).parent.expect("only those with a parent were taken");
            self.children(parent).retain(|other| *other != id);
            self.edits.push(Edit::Delete { node: id });
        }
    }

    fn change_files(&mut self, files: &FileChange) {
        if files.stay == 0 {
            return;
        }
        let going: Vec<Arc<str>> = self.old.iter().skip(files.stay).map(|(_, tree)| tree.file.clone()).collect();
        for file in going.into_iter().rev() {
            self.edits.push(Edit::RemoveFile { file });
        }
        for (file, root) in &files.add {
            let header = Box::new(self.new.header(*root));
            let root = self.subtree(*root);
            self.edits.push(Edit::AddFile { file: file.clone(), header, root });
        }
    }

    /// A node of the new tree with everything below it that is not there yet.
    fn subtree(&mut self, id: NodeId) -> Subtree {
        self.came.insert(id);
        let seen = self.new.node(id);
        let missing: Vec<NodeId> = self.new.children(id).into_iter().filter(|child| !self.is_there(*child)).collect();
        self.work.insert(id, missing.clone());
        Subtree {
            id,
            kind: seen.kind,
            name: seen.name,
            notes: seen.notes,
            fields: seen.fields,
            id_written: seen.id_written,
            children: missing.into_iter().map(|child| self.subtree(child)).collect(),
        }
    }

    /// Gives every node whose children may differ the children it has in the new tree, from the top down: what a node
    /// is put into is in its place already, so nothing is ever put into itself.
    fn place_all(&mut self, dirty: &Dirty, parked: &[NodeId]) {
        let mut open: BTreeSet<(usize, NodeId)> = BTreeSet::new();
        let touched: Vec<NodeId> =
            dirty.places.iter().chain(parked).chain(&self.gone).chain(&self.came).copied().collect();
        for id in touched {
            let old_parent = in_library(self.old, id).and_then(|node| node.parent);
            for id in [Some(id), self.new.parent(id), old_parent].into_iter().flatten() {
                if self.new.root_of(id).is_some() {
                    open.insert((self.above(id), id));
                }
            }
        }
        while let Some((above, parent)) = open.pop_first() {
            for inserted in self.place_children(parent, dirty) {
                open.insert((above + 1, inserted));
            }
        }
    }

    /// Nodes inserted whose children are not complete.
    fn place_children(&mut self, parent: NodeId, dirty: &Dirty) -> Vec<NodeId> {
        let moved: Vec<NodeId> = dirty.places.iter().copied().take(FEW + 1).collect();
        let few = dirty.plain && moved.len() <= FEW && !self.came.contains(&parent);
        let new = self.new;
        let before = self.children(parent);
        let wanted = if few { new.children_after(parent, before, &moved) } else { new.children(parent) };
        if *before == wanted {
            return Vec::new();
        }
        let moving = moving(before, &wanted, &dirty.places);
        let mut inserted = Vec::new();
        for at in moving {
            let id = wanted[at];
            let here = self.children(parent);
            let left = at.checked_sub(1).and_then(|left| here.iter().position(|other| *other == wanted[left]));
            let mut index = left.map_or(0, |left| left + 1);
            if self.is_there(id) {
                let from = self.parent_now(id);
                let old_index = self.children(from).iter().position(|other| *other == id);
                if let Some(old_index) = old_index {
                    self.children(from).remove(old_index);
                    index -= usize::from(from == parent && old_index < index);
                }
                self.parents.insert(id, parent);
                self.edits.push(Edit::Move { node: id, parent, index });
            } else {
                let subtree = self.subtree(id);
                let mut stack = vec![&subtree];
                while let Some(node) = stack.pop() {
                    inserted.push(node.id);
                    stack.extend(&node.children);
                }
                self.edits.push(Edit::Insert { parent, index, subtree });
            }
            self.children(parent).insert(index, id);
        }
        inserted
    }

    /// Where a node is after the edits so far.
    fn parent_now(&self, id: NodeId) -> NodeId {
        let moved = self.parents.get(&id).copied();
        let old = in_library(self.old, id).and_then(|node| node.parent);
        moved.or(old).expect("a root is never moved")
    }

    fn content(&mut self, id: NodeId) {
        if self.came.contains(&id) || self.gone.contains(&id) || self.new.root_of(id).is_none() {
            return;
        }
        let Some(old) = in_library(self.old, id) else { return };
        let new = self.new.node(id);
        if old.kind != new.kind {
            self.edits.push(Edit::Retype { node: id, kind: new.kind });
        }
        if old.name != new.name {
            self.edits.push(Edit::Rename { node: id, name: new.name });
        }
        if old.notes != new.notes {
            self.edits.push(Edit::Notes { node: id, notes: new.notes });
        }
        let is_root = old.parent.is_none();
        let set = |field: &Arc<str>, value: Option<&Field>, at| Edit::Set {
            node: id,
            field: field.clone(),
            value: value.cloned(),
            at,
        };
        let mut keys: Vec<Arc<str>> = Vec::new();
        for (key, _) in old.fields.iter() {
            if new.fields.get(key).is_none() && model::is_setting(key, is_root) {
                self.edits.push(set(key, None, None));
            } else {
                keys.push(key.clone());
            }
        }
        for (index, (key, value)) in new.fields.iter().enumerate() {
            if !model::is_setting(key, is_root) {
                continue;
            }
            let there = keys.iter().position(|there| there == key);
            if there == Some(index) {
                if old.fields.get(key) != Some(value) {
                    self.edits.push(set(key, Some(value), None));
                }
                continue;
            }
            if let Some(there) = there {
                keys.remove(there);
                self.edits.push(set(key, None, None));
            }
            let index = index.min(keys.len());
            keys.insert(index, key.clone());
            self.edits.push(set(key, Some(value), Some(index)));
        }
    }

    fn headers(&mut self, dirty: &Dirty, files: &FileChange) {
        for root in &dirty.headers {
            let Some(owner) = self.old.owner_of(*root) else { continue };
            let stays = !dirty.files || owner.index() < files.stay;
            if !stays || self.old.get(owner).root != *root || self.new.root_of(*root) != Some(*root) {
                continue;
            }
            let header = self.new.header(*root);
            if self.old.get(owner).header != header {
                self.edits.push(Edit::Header { definition: owner, header: Box::new(header) });
            }
        }
    }
}

/// The places in `wanted` of children that do not stay where they are while the others do: those that somebody has moved,
/// but for as many as can stay. Of two neighbours that have changed places it matters which of them was moved: one of
/// them may be running.
fn moving(now: &[NodeId], wanted: &[NodeId], moved: &BTreeSet<NodeId>) -> Vec<usize> {
    let first = now.iter().zip(wanted).take_while(|(now, wanted)| now == wanted).count();
    let (now, wanted) = (&now[first..], &wanted[first..]);
    let last = now.iter().rev().zip(wanted.iter().rev()).take_while(|(now, wanted)| now == wanted).count();
    let (now, wanted) = (&now[..now.len() - last], &wanted[..wanted.len() - last]);
    let few: Vec<NodeId> = moved.iter().copied().take(FEW + 1).collect();
    let is_moved = |id: &NodeId| if few.len() <= FEW { few.contains(id) } else { moved.contains(id) };
    let is_fixed = |id: &&NodeId| !is_moved(id);
    let moving = if now.iter().filter(is_fixed).eq(wanted.iter().filter(is_fixed)) {
        between(now, wanted, is_moved)
    } else {
        let places: FxHashMap<NodeId, usize> = now.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        among(&places, wanted, moved)
    };
    moving.into_iter().map(|at| first + at).collect()
}

/// Where those that nobody has moved are the same in both, in one order: what has moved stays if it is between the same
/// two.
fn between(now: &[NodeId], wanted: &[NodeId], is_moved: impl Fn(&NodeId) -> bool) -> Vec<usize> {
    let mut behind = 0;
    let mut places: FxHashMap<NodeId, (usize, usize)> = FxHashMap::default();
    for (place, id) in now.iter().enumerate() {
        if is_moved(id) {
            places.insert(*id, (behind, place));
        } else {
            behind += 1;
        }
    }
    let (mut moving, mut line, mut behind) = (Vec::new(), Vec::new(), 0);
    for (at, id) in wanted.iter().enumerate() {
        if !is_moved(id) {
            moving.extend(not_rising(&std::mem::take(&mut line)));
            behind += 1;
        } else if let Some((_, place)) = places.get(id).filter(|(before, _)| *before == behind) {
            line.push((at, *place));
        } else {
            moving.push(at);
        }
    }
    moving.extend(not_rising(&line));
    moving.sort_unstable();
    moving
}

/// The same, whatever the others do.
fn among(places: &FxHashMap<NodeId, usize>, wanted: &[NodeId], moved: &BTreeSet<NodeId>) -> Vec<usize> {
    let place = |(at, id): (usize, &NodeId)| places.get(id).map(|place| (at, *place));
    let line: Vec<(usize, usize)> = wanted.iter().enumerate().filter_map(place).collect();
    let mut moving: Vec<usize> = (0..wanted.len()).filter(|at| !places.contains_key(&wanted[*at])).collect();
    let fixed: Vec<usize> = (0..line.len()).filter(|at| !moved.contains(&wanted[line[*at].0])).collect();
    if fixed.is_sorted_by_key(|at| line[*at].1) {
        let (mut from, mut least) = (0, 0);
        for at in fixed.into_iter().chain([line.len()]) {
            let most = line.get(at).map_or(usize::MAX, |(_, place)| *place);
            let (fits, other): (Vec<_>, Vec<_>) =
                line[from..at].iter().copied().partition(|(_, place)| (least..most).contains(place));
            moving.extend(other.into_iter().map(|(at, _)| at));
            moving.extend(not_rising(&fits));
            (from, least) = (at + 1, most.saturating_add(1));
        }
    } else {
        moving.extend(not_rising(&line));
    }
    moving.sort_unstable();
    moving
}

/// Of a line of numbered places, the numbers of all but as many as can be that rise.
fn not_rising(line: &[(usize, usize)]) -> Vec<usize> {
    // For each length the smallest last element, and who comes before each.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(line.len());
    for (at, (_, place)) in line.iter().enumerate() {
        let length = tails.partition_point(|tail| line[*tail].1 < *place);
        before.push(length.checked_sub(1).map(|length| tails[length]));
        if length == tails.len() {
            tails.push(at);
        } else {
            tails[length] = at;
        }
    }
    let mut rises = vec![false; line.len()];
    std::iter::successors(tails.last().copied(), |at| before[*at]).for_each(|at| rises[at] = true);
    line.iter().zip(rises).filter(|(_, rises)| !rises).map(|((number, _), _)| *number).collect()
}
