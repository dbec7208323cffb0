//! Edits made here, as operations of the shared tree.

use std::sync::Arc;

use loro::{LoroValue, TreeID, TreeParentId};
use model::{DefinitionId, Edit, Field, Header, NodeId, Subtree};
use serde_json::Value as Json;

use crate::ReplicaError;
use crate::origin::{Birth, Declared, FilePart, LETTERS, Ordered, Origin};
use crate::state::{BORN, CELL, DELETED, FILE, KIND, NAME, NOTES, SETTING, State, placed, setting};

type Recorded = Result<(), ReplicaError>;

/// Where a node goes: behind a sibling, or first.
#[derive(Clone, Copy)]
struct Spot {
    parent: TreeID,
    left: Option<TreeID>,
}

impl State {
    /// `files` are the roots in the order of the library the edit was made in.
    pub fn record(&mut self, edit: &Edit, files: &mut Vec<TreeID>) -> Recorded {
        match edit {
            Edit::Insert { parent, index, subtree } => {
                self.clear_out(subtree)?;
                let spot = self.spot(self.at(*parent)?, *index, None)?;
                self.put(subtree, spot)
            }
            Edit::Delete { node } => self.delete(self.at(*node)?),
            Edit::Move { node, parent, index } => {
                let node = self.at(*node)?;
                let spot = self.spot(self.at(*parent)?, *index, Some(node))?;
                self.place(node, spot)
            }
            Edit::Set { node, field, value, at } => self.set(self.at(*node)?, field, value.as_ref(), *at),
            Edit::Rename { node, name } => self.write(self.at(*node)?, NAME, (&**name).into()),
            Edit::Notes { node, notes } => self.write(self.at(*node)?, NOTES, (&**notes).into()),
            Edit::Retype { node, kind } => self.write(self.at(*node)?, KIND, (&**kind).into()),
            Edit::Header { definition, header } => self.set_header(file_at(files, *definition)?, header),
            Edit::AddFile { file, header, root } => {
                self.clear_out(root)?;
                let root = self.add_file(file, header, root)?;
                files.push(root);
                Ok(())
            }
            Edit::RemoveFile { file } => {
                let last = files.pop().ok_or_else(|| refused(format!("there is no file {file}")))?;
                self.delete(last)
            }
        }
    }

    pub fn at(&self, node: NodeId) -> Result<TreeID, ReplicaError> {
        self.by_id.get(&node).copied().ok_or_else(|| refused(format!("node {node} is not in it")))
    }

    /// The spot where the node that goes to `index` among those seen goes; `without` does not count.
    fn spot(&self, parent: TreeID, index: usize, without: Option<TreeID>) -> Result<Spot, ReplicaError> {
        let child = |place: usize| {
            if self.hidden.is_plain() {
                return self.plain_child(parent, place, without);
            }
            self.seen_children(parent).into_iter().filter(|child| Some(*child) != without).nth(place)
        };
        let left = match index.checked_sub(1) {
            None => None,
            Some(left) => Some(child(left).ok_or_else(|| refused(format!("there is no place {index}")))?),
        };
        // A neighbour whose own parent was deleted is still below that one.
        let parent = left.and_then(|left| self.parent_in_loro(left)).unwrap_or(parent);
        Ok(Spot { parent, left })
    }

    fn is_there(&self, node: TreeID, spot: Spot) -> bool {
        if self.parent_in_loro(node) != Some(spot.parent) {
            return false;
        }
        if self.hidden.is_plain() {
            return self.plain_left(node) == spot.left;
        }
        let mut left = None;
        for child in self.children_in_loro(spot.parent) {
            if child == node {
                return left == spot.left;
            }
            if self.is_seen(child) {
                left = Some(child);
            }
        }
        false
    }

    fn place(&mut self, node: TreeID, spot: Spot) -> Recorded {
        let first = || (0..2).filter_map(|index| self.child_in_loro(spot.parent, index)).find(|child| *child != node);
        match (spot.left, first()) {
            (Some(left), _) => self.tree.mov_after(node, left)?,
            (None, Some(first)) => self.tree.mov_before(node, first)?,
            (None, None) => self.tree.mov(node, spot.parent)?,
        }
        self.note(node);
        Ok(())
    }

    /// What others put into nodes that were deleted stays outside when these come back.
    fn clear_out(&mut self, subtree: &Subtree) -> Recorded {
        if let Some(node) = self.by_id.get(&subtree.id).copied() {
            for child in self.seen_children(node).into_iter().rev() {
                self.tree.mov_after(child, node)?;
                self.note(child);
            }
        }
        subtree.children.iter().try_for_each(|child| self.clear_out(child))
    }

    /// Puts a subtree in. Nodes that were deleted come back as themselves.
    fn put(&mut self, subtree: &Subtree, spot: Spot) -> Recorded {
        let node = match self.by_id.get(&subtree.id).copied() {
            Some(known) => {
                if !self.is_there(known, spot) {
                    self.place(known, spot)?;
                }
                self.revive(known, &Origin::of_subtree(subtree))?;
                known
            }
            None => {
                let index = match spot.left {
                    None => 0,
                    Some(left) if self.parent_in_loro(left) == Some(spot.parent) => {
                        self.index_in_loro(left).map_or(0, |left| left + 1)
                    }
                    Some(_) => self.tree.children_num(spot.parent).unwrap_or(0),
                };
                let node = self.tree.create_at(spot.parent, index)?;
                self.bear(node, Origin::of_subtree(subtree))?;
                node
            }
        };
        self.put_children(node, subtree)
    }

    fn put_children(&mut self, node: TreeID, subtree: &Subtree) -> Recorded {
        let mut left = None;
        for child in &subtree.children {
            self.put(child, Spot { parent: node, left })?;
            left = Some(self.at(child.id)?);
        }
        Ok(())
    }

    fn bear(&mut self, node: TreeID, origin: Origin) -> Recorded {
        self.write(node, BORN, LoroValue::from(origin.to_bytes()))?;
        self.register(node, Birth::Made(Box::new(origin)));
        self.note(node);
        Ok(())
    }

    /// Takes the mark away and makes the content what it is to be.
    fn revive(&mut self, node: TreeID, wanted: &Origin) -> Recorded {
        if self.deleted.remove(&node) {
            self.marked.insert(node);
            self.note(node);
        }
        let now = self.content(node);
        for (key, now, wanted) in
            [(KIND, &now.kind, &wanted.kind), (NAME, &now.name, &wanted.name), (NOTES, &now.notes, &wanted.notes)]
        {
            if now != wanted {
                self.write(node, key, (&**wanted).into())?;
            }
        }
        self.write_list(node, SETTING, (&now.fields, &wanted.fields), |writer, field| writer.field(field))
    }

    /// Makes ordered values these, touching none that is the same and in its place.
    fn write_list<T: PartialEq>(
        &mut self,
        node: TreeID,
        letter: char,
        (now, wanted): (&Ordered<T>, &Ordered<T>),
        write: impl Fn(&mut crate::bytes::Writer, &T),
    ) -> Recorded {
        for (_, key, _) in now.0.iter().filter(|(_, key, _)| wanted.get(key).is_none()) {
            self.write(node, &format!("{letter}{key}"), LoroValue::Null)?;
        }
        let kept: Vec<&Arc<str>> =
            now.0.iter().map(|(_, key, _)| key).filter(|key| wanted.get(key).is_some()).collect();
        let keys: Vec<&Arc<str>> = wanted.0.iter().map(|(_, key, _)| key).collect();
        // Values that stay in their order keep their places; new ones at the end come behind them.
        let in_order = keys.starts_with(&kept);
        let mut last = now.0.last().map_or(0, |(place, _, _)| *place);
        for (place, key, value) in &wanted.0 {
            let there = now.get(key);
            let place = match there {
                Some((place, _, _)) if in_order => *place,
                None if in_order => {
                    last += crate::origin::GAP;
                    last
                }
                _ => *place,
            };
            if there.is_none_or(|(old, _, there)| *old != place || there != value) {
                self.write(node, &format!("{letter}{key}"), placed(place, |writer| write(writer, value)))?;
            }
        }
        Ok(())
    }

    /// Marks a node and everything below it.
    fn delete(&mut self, top: TreeID) -> Recorded {
        let mut stack = vec![top];
        while let Some(node) = stack.pop() {
            if self.nodes.contains_key(&node) && self.deleted.insert(node) {
                self.marked.insert(node);
                self.note(node);
            }
            stack.extend(self.children_in_loro(node));
        }
        Ok(())
    }

    /// Writes the marks of all nodes that are deleted, or no longer, when a batch is through: one that an edit deletes
    /// and a later one brings back, as when it becomes a file of its own, has none.
    pub fn write_marks(&mut self) -> Recorded {
        for node in std::mem::take(&mut self.marked) {
            let is_deleted = self.deleted.contains(&node);
            let written = self.map(node)?.get(DELETED).and_then(|value| value.into_value().ok());
            if written.is_some_and(|value| value == LoroValue::Bool(true)) != is_deleted {
                self.write(node, DELETED, is_deleted.into())?;
            }
        }
        Ok(())
    }

    fn set(&mut self, node: TreeID, key: &str, value: Option<&Field>, at: Option<usize>) -> Recorded {
        let name = setting(key);
        let Some(value) = value else { return self.write(node, &name, LoroValue::Null) };
        let fields = self.content(node).fields;
        let place = match fields.get(key) {
            Some((place, _, _)) => Some(*place),
            None => fields.place_at(at.unwrap_or(usize::MAX)),
        };
        if let Some(place) = place {
            return self.write(node, &name, placed(place, |writer| writer.field(value)));
        }
        // No number is left between its neighbours: all get new ones.
        let mut list: Vec<(Arc<str>, Field)> =
            fields.0.iter().map(|(_, key, field)| (key.clone(), field.clone())).collect();
        list.insert(at.unwrap_or(list.len()).min(list.len()), (key.into(), value.clone()));
        for (place, key, field) in &Ordered::from_list(list).0 {
            self.write(node, &setting(key), placed(*place, |writer| writer.field(field)))?;
        }
        Ok(())
    }

    fn set_header(&mut self, root: TreeID, header: &Header) -> Recorded {
        let (now, wanted) = (self.declared(root), Declared::from_header(header));
        if now.cell != wanted.cell {
            let cell = wanted.cell.as_deref().map_or(LoroValue::Null, LoroValue::from);
            self.write(root, CELL, cell)?;
        }
        for (index, letter) in LETTERS.into_iter().enumerate() {
            let write = |writer: &mut crate::bytes::Writer, json: &Json| writer.json(json);
            self.write_list(root, letter, (&now.lists[index], &wanted.lists[index]), write)?;
        }
        Ok(())
    }

    fn add_file(&mut self, file: &Arc<str>, header: &Header, subtree: &Subtree) -> Result<TreeID, ReplicaError> {
        let mut origin = Origin::of_subtree(subtree);
        // A node that becomes a root, as when it is made a skill of its own, is one by what its map says.
        let part = FilePart { name: file.clone(), declared: Declared::from_header(header) };
        let root = match self.by_id.get(&subtree.id).copied() {
            Some(known) => {
                if self.tree.parent(known) != Some(TreeParentId::Root) {
                    self.tree.mov(known, TreeParentId::Root)?;
                    self.note(known);
                }
                self.revive(known, &origin)?;
                self.become_root(known, part)?;
                known
            }
            None => {
                origin.file = Some(Box::new(part));
                let root = self.tree.create(TreeParentId::Root)?;
                self.bear(root, origin)?;
                root
            }
        };
        self.put_children(root, subtree)?;
        Ok(root)
    }

    fn become_root(&mut self, root: TreeID, part: FilePart) -> Recorded {
        if self.file_name(root) != part.name {
            self.write(root, FILE, (&*part.name).into())?;
        }
        self.set_header(root, &part.declared.header())
    }
}

fn file_at(files: &[TreeID], definition: DefinitionId) -> Result<TreeID, ReplicaError> {
    files.get(definition.index()).copied().ok_or_else(|| refused(format!("there is no file {}", definition.0)))
}

fn refused(why: String) -> ReplicaError {
    ReplicaError::Refused(why)
}
