//! Taking back what this person did, and only that: what others changed since stays, and is told.

use std::fmt;
use std::sync::Arc;

use model::{Edit, Header, Library, NodeId, Subtree, Touched};
use rustc_hash::FxHashSet;

use crate::DocumentError;
use crate::document::Document;
use crate::draft::ids_of;

/// One edit that was applied, with what it takes to take it back.
#[derive(Clone)]
pub(crate) struct Done {
    forward: Edit,
    inverse: Edit,
    /// The sibling in front of a node before it was deleted or moved.
    left: Option<NodeId>,
    /// The file of an edit that counts files.
    file: Option<Arc<str>>,
    /// How many uses a new file had before it came.
    uses: usize,
}

/// One operation, to be taken back or done again.
pub(crate) struct Step {
    /// The same when it was taken back and done again.
    pub number: u64,
    pub label: &'static str,
    pub done: Vec<Done>,
    /// Each changed file with the number of its content before and after.
    pub files: Vec<(Arc<str>, u64, u64)>,
}

/// What one person can take back and do again, while others work at the same document.
#[derive(Default)]
pub struct Past {
    undo: Vec<Step>,
    redo: Vec<Step>,
}

impl Past {
    pub fn undo_label(&self) -> Option<&'static str> {
        self.undo.last().map(|step| step.label)
    }

    pub fn redo_label(&self) -> Option<&'static str> {
        self.redo.last().map(|step| step.label)
    }

    pub fn is_empty(&self) -> bool {
        self.undo.is_empty() && self.redo.is_empty()
    }

    /// The step that was done or done again last.
    pub fn last_done(&self) -> Option<u64> {
        self.undo.last().map(|step| step.number)
    }

    /// The step that was taken back last.
    pub fn last_undone(&self) -> Option<u64> {
        self.redo.last().map(|step| step.number)
    }

    pub fn label_of(&self, number: u64) -> Option<&'static str> {
        self.undo.iter().chain(&self.redo).find(|step| step.number == number).map(|step| step.label)
    }

    /// Forgets a step that turned out not to have happened.
    pub fn forget(&mut self, number: u64) {
        self.undo.retain(|step| step.number != number);
        self.redo.retain(|step| step.number != number);
    }

    /// Forgets the oldest steps.
    pub fn keep(&mut self, most: usize) {
        let beyond = self.undo.len().saturating_sub(most);
        self.undo.drain(..beyond);
    }
}

impl Document {
    /// Puts one person's past into the document, and what was in it there: before and after that person does something.
    pub fn swap_past(&mut self, past: &mut Past) {
        std::mem::swap(&mut self.undo, &mut past.undo);
        std::mem::swap(&mut self.redo, &mut past.redo);
    }
}

/// What undo or redo did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Undone {
    pub edits: Vec<Edit>,
    /// What stays as it is, because others changed it since.
    pub kept: Vec<Kept>,
}

/// A part of an operation that was not taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub node: Option<NodeId>,
    /// What the node or file is called.
    pub label: String,
    pub why: KeptBecause,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptBecause {
    /// It is not in the tree any more, or where it would go is not.
    Gone,
    /// Somebody changed the same since.
    Changed,
    /// Somebody put it into what goes: it stays in that place.
    PutInside,
    /// A file that is used, or that others came after.
    Used,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = &self.label;
        match self.why {
            KeptBecause::Gone => write!(f, "`{label}` is gone or has no place to go back to"),
            KeptBecause::Changed => write!(f, "`{label}` stays: somebody changed it since"),
            KeptBecause::PutInside => write!(f, "`{label}` stays: somebody put it there"),
            KeptBecause::Used => write!(f, "`{label}` stays: it is used, or other files came after it"),
        }
    }
}

impl Done {
    /// Applies an edit and keeps what it takes to take it back.
    pub fn apply(library: &mut Library, edit: Edit) -> Result<(Done, Vec<Touched>), DocumentError> {
        let left = match &edit {
            Edit::Delete { node } | Edit::Move { node, .. } => left_of(library, *node),
            _ => None,
        };
        let (file, uses) = match &edit {
            Edit::Header { definition, .. } if definition.index() < library.len() => {
                (Some(library.get(*definition).file.clone()), 0)
            }
            Edit::AddFile { file, .. } => (None, uses_of(library, file)),
            _ => (None, 0),
        };
        let (inverse, touched) = library.apply(&edit)?;
        Ok((Done { forward: edit, inverse, left, file, uses }, touched))
    }

    pub fn revert(&self, library: &mut Library) {
        // It applies: nothing has touched the tree since.
        let undone = library.apply(&self.inverse);
        debug_assert!(undone.is_ok(), "{undone:?}");
    }

    pub fn forward(&self) -> &Edit {
        &self.forward
    }
}

fn left_of(library: &Library, node: NodeId) -> Option<NodeId> {
    let tree = library.get(library.owner_of(node)?);
    let index = tree.index_of(node)?.checked_sub(1)?;
    let parent = tree.node(node).parent?;
    tree.node(parent).children.get(index).copied()
}

fn uses_of(library: &Library, file: &str) -> usize {
    let names = |definition, id| {
        let tree: &model::Definition = library.get(definition);
        let used = tree.node(id).fields.get("file").and_then(model::Field::as_str);
        used.is_some_and(|used| model::file::join(&tree.file, used) == file)
    };
    library.iter().map(|(number, tree)| tree.walk(tree.root).filter(|id| names(number, *id)).count()).sum()
}

impl Document {
    /// What [`Self::undo`] would take back.
    pub fn undo_label(&self) -> Option<&'static str> {
        self.undo.last().map(|step| step.label)
    }

    /// What [`Self::redo`] would do again.
    pub fn redo_label(&self) -> Option<&'static str> {
        self.redo.last().map(|step| step.label)
    }

    /// Takes the last operation of this person back. What others changed since in the same place stays and is told.
    pub fn undo(&mut self) -> Result<Undone, DocumentError> {
        let step = self.undo.pop().ok_or(DocumentError::NothingToUndo)?;
        let (back, undone) = self.take_back(&step);
        self.redo.extend(back);
        Ok(undone)
    }

    /// Does the last operation taken back again, as far as what others did since leaves room for it.
    pub fn redo(&mut self) -> Result<Undone, DocumentError> {
        let step = self.redo.pop().ok_or(DocumentError::NothingToRedo)?;
        let (back, undone) = self.take_back(&step);
        self.undo.extend(back);
        Ok(undone)
    }

    /// The step that would do it again is none if nothing was done.
    fn take_back(&mut self, step: &Step) -> (Option<Step>, Undone) {
        let mut back = Vec::new();
        let mut touched = Vec::new();
        let mut kept = Vec::new();
        for done in step.done.iter().rev() {
            let edits = match self.inverse_now(done, &mut kept) {
                Ok(edits) => edits,
                Err(why) => {
                    kept.push(why);
                    continue;
                }
            };
            for edit in edits {
                match Done::apply(&mut self.library, edit) {
                    Ok((done, places)) => {
                        back.push(done);
                        touched.extend(places);
                    }
                    Err(_) => kept.push(self.kept(subject(&done.forward), KeptBecause::Gone)),
                }
            }
        }
        let edits: Vec<Edit> = back.iter().map(|done| done.forward.clone()).collect();
        let mut files = Vec::new();
        for file in self.touched_files(&touched, &edits) {
            let before = self.contents.get(&file).copied();
            let known = step.files.iter().find(|(name, _, after)| *name == file && Some(*after) == before);
            let after = match known {
                Some((_, old, _)) if kept.is_empty() => *old,
                _ => self.next_content(),
            };
            self.contents.insert(file.clone(), after);
            files.push((file, before.unwrap_or(after), after));
        }
        let step = (!back.is_empty()).then(|| Step { number: step.number, label: step.label, done: back, files });
        (step, Undone { edits, kept })
    }

    /// The edits that take one back as the tree is now. What has to stay of it is added to `kept`.
    fn inverse_now(&self, done: &Done, kept: &mut Vec<Kept>) -> Result<Vec<Edit>, Kept> {
        let inverse = || vec![done.inverse.clone()];
        let unchanged = |node: NodeId, same: &dyn Fn(&model::Node) -> bool| match self.at(node) {
            Err(_) => Err(self.kept(Some(node), KeptBecause::Gone)),
            Ok((_, _, at)) if !same(at) => Err(self.kept(Some(node), KeptBecause::Changed)),
            Ok(_) => Ok(inverse()),
        };
        match &done.forward {
            Edit::Set { node, field, value, .. } => unchanged(*node, &|at| at.fields.get(field) == value.as_ref()),
            Edit::Rename { node, name } => unchanged(*node, &|at| at.name == *name),
            Edit::Notes { node, notes } => unchanged(*node, &|at| at.notes == *notes),
            Edit::Retype { node, kind } => unchanged(*node, &|at| at.kind == *kind),
            Edit::Insert { subtree, .. } => self.take_out(subtree, kept),
            Edit::Delete { .. } => self.put_back(done),
            Edit::Move { node, parent, .. } => {
                unchanged(*node, &|at| at.parent == Some(*parent))?;
                self.put_back(done)
            }
            Edit::Header { header, .. } => self.header_now(done, header, kept),
            Edit::AddFile { file, header, root } => {
                let tree = self.library.find(file).map(|id| self.library.get(id));
                let same = tree.is_some_and(|tree| tree.header == **header && tree.subtree(tree.root) == *root);
                let newest = self.library.iter().last().is_some_and(|(_, tree)| tree.file == *file);
                match tree {
                    None => Err(self.kept_file(file, KeptBecause::Gone)),
                    Some(_) if !same => Err(self.kept_file(file, KeptBecause::Changed)),
                    Some(_) if !newest || uses_of(&self.library, file) > done.uses => {
                        Err(self.kept_file(file, KeptBecause::Used))
                    }
                    Some(_) => Ok(inverse()),
                }
            }
            Edit::RemoveFile { file } if self.library.find(file).is_some() => {
                Err(self.kept_file(file, KeptBecause::Changed))
            }
            Edit::RemoveFile { .. } => Ok(inverse()),
        }
    }

    /// Deletes what was inserted. What others put into it comes to stand where it was.
    fn take_out(&self, inserted: &Subtree, kept: &mut Vec<Kept>) -> Result<Vec<Edit>, Kept> {
        let node = inserted.id;
        let (_, tree, at) = self.at(node).map_err(|_| self.kept(Some(node), KeptBecause::Gone))?;
        let (Some(parent), Some(index)) = (at.parent, tree.index_of(node)) else {
            return Err(self.kept(Some(node), KeptBecause::Changed));
        };
        let own: FxHashSet<NodeId> = ids_of(inserted).into_iter().collect();
        let mut edits = Vec::new();
        let mut stack: Vec<NodeId> = vec![node];
        while let Some(id) = stack.pop() {
            if own.contains(&id) {
                stack.extend(tree.node(id).children.iter().rev());
                continue;
            }
            kept.push(self.kept(Some(id), KeptBecause::PutInside));
            edits.push(Edit::Move { node: id, parent, index: index + edits.len() });
        }
        edits.push(Edit::Delete { node });
        Ok(edits)
    }

    /// Puts a node to where it was: behind the one it was behind, if that is still there.
    fn put_back(&self, done: &Done) -> Result<Vec<Edit>, Kept> {
        let (node, parent, index) = match &done.inverse {
            Edit::Insert { parent, index, subtree } => (subtree.id, *parent, *index),
            Edit::Move { node, parent, index } => (*node, *parent, *index),
            _ => return Ok(vec![done.inverse.clone()]),
        };
        let gone = || self.kept(Some(node), KeptBecause::Gone);
        let (_, _, at) = self.at(parent).map_err(|_| gone())?;
        let siblings: Vec<NodeId> = at.children.iter().copied().filter(|child| *child != node).collect();
        let behind = done.left.and_then(|left| siblings.iter().position(|sibling| *sibling == left));
        let index = behind.map_or(index.min(siblings.len()), |left| left + 1);
        Ok(vec![match &done.inverse {
            Edit::Insert { subtree, .. } => Edit::Insert { parent, index, subtree: subtree.clone() },
            _ => Edit::Move { node, parent, index },
        }])
    }

    fn header_now(&self, done: &Done, after: &Header, kept: &mut Vec<Kept>) -> Result<Vec<Edit>, Kept> {
        let Edit::Header { header: before, .. } = &done.inverse else { return Ok(vec![done.inverse.clone()]) };
        let file = done.file.as_deref().unwrap_or_default();
        let Some(definition) = self.library.find(file) else { return Err(self.kept_file(file, KeptBecause::Gone)) };
        let now = &self.library.get(definition).header;
        let mut changed = Vec::new();
        let header = Header {
            inputs: declared_before(&now.inputs, &before.inputs, &after.inputs, &mut changed),
            outputs: declared_before(&now.outputs, &before.outputs, &after.outputs, &mut changed),
            variables: declared_before(&now.variables, &before.variables, &after.variables, &mut changed),
            lets: declared_before(&now.lets, &before.lets, &after.lets, &mut changed),
            cell: if now.cell == after.cell { before.cell.clone() } else { now.cell.clone() },
            extra: if now.extra == after.extra { before.extra.clone() } else { now.extra.clone() },
        };
        kept.extend(changed.into_iter().map(|label| Kept { node: None, label, why: KeptBecause::Changed }));
        Ok(vec![Edit::Header { definition, header: Box::new(header) }])
    }

    fn kept(&self, node: Option<NodeId>, why: KeptBecause) -> Kept {
        Kept { node, label: node.map_or_else(String::new, |node| self.label(node)), why }
    }

    fn kept_file(&self, file: &str, why: KeptBecause) -> Kept {
        Kept { node: None, label: file.to_owned(), why }
    }
}

/// Declarations as they were before, but those that others changed since as they are now.
fn declared_before<T: Clone + PartialEq>(
    now: &[(Arc<str>, T)],
    before: &[(Arc<str>, T)],
    after: &[(Arc<str>, T)],
    changed: &mut Vec<String>,
) -> Vec<(Arc<str>, T)> {
    if now == after {
        return before.to_vec();
    }
    let get = |list: &[(Arc<str>, T)], name: &str| {
        list.iter().find(|(key, _)| &**key == name).map(|(_, value)| value.clone())
    };
    let mut result = now.to_vec();
    for (name, _) in before.iter().chain(after.iter().filter(|(name, _)| get(before, name).is_none())) {
        let (old, made) = (get(before, name), get(after, name));
        if old == made {
            continue;
        }
        if get(now, name) != made {
            changed.push(name.to_string());
            continue;
        }
        match (old, result.iter().position(|(key, _)| key == name)) {
            (Some(old), Some(at)) => result[at].1 = old,
            (Some(old), None) => result.push((name.clone(), old)),
            (None, Some(at)) => drop(result.remove(at)),
            (None, None) => {}
        }
    }
    result
}

fn subject(edit: &Edit) -> Option<NodeId> {
    match edit {
        Edit::Insert { subtree, .. } => Some(subtree.id),
        Edit::Delete { node }
        | Edit::Move { node, .. }
        | Edit::Set { node, .. }
        | Edit::Rename { node, .. }
        | Edit::Notes { node, .. }
        | Edit::Retype { node, .. } => Some(*node),
        Edit::Header { .. } | Edit::AddFile { .. } | Edit::RemoveFile { .. } => None,
    }
}
