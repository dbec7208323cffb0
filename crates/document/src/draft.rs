use std::sync::Arc;

use model::{Edit, Field, Library, NodeId, NodeRef, Resolution, Subtree, Touched, resolve};
use rustc_hash::FxHashMap;

use crate::DocumentError;
use crate::document::Document;
use crate::undo::{Done, Step};

/// An operation being put together. Unless it is finished, everything it did is taken back.
pub(crate) struct Draft<'d> {
    pub document: &'d mut Document,
    done: Vec<Done>,
    touched: Vec<Touched>,
}

impl<'d> Draft<'d> {
    pub fn new(document: &'d mut Document) -> Draft<'d> {
        Draft { document, done: Vec::new(), touched: Vec::new() }
    }

    pub fn apply(&mut self, edit: Edit) -> Result<(), DocumentError> {
        let (done, touched) = Done::apply(&mut self.document.library, edit)?;
        self.done.push(done);
        self.touched.extend(touched);
        Ok(())
    }

    pub fn set(&mut self, node: NodeId, field: &str, value: Option<Field>) -> Result<(), DocumentError> {
        self.apply(Edit::Set { node, field: field.into(), value, at: None })
    }

    /// Puts a copy of a node right behind it and gives its id.
    pub fn copy_behind(&mut self, node: NodeId) -> Result<NodeId, DocumentError> {
        let (_, tree, at) = self.document.at(node)?;
        let (Some(parent), Some(index)) = (at.parent, tree.index_of(node)) else {
            return Err(model::EditError::Root.into());
        };
        let original = tree.subtree(node);
        let subtree = self.document.copy(&original);
        let copy = subtree.id;
        self.apply(Edit::Insert { parent, index: index + 1, subtree })?;
        Ok(copy)
    }

    /// Adds the files of a library that this behavior has not, as they are there.
    pub fn bring(&mut self, library: Option<&Library>) -> Result<(), DocumentError> {
        for (_, tree) in library.into_iter().flat_map(Library::iter) {
            if self.document.library.find(&tree.file).is_some() {
                continue;
            }
            let root = self.document.copy(&tree.subtree(tree.root));
            let header = Box::new(tree.header.clone());
            self.apply(Edit::AddFile { file: tree.file.clone(), header, root })?;
        }
        Ok(())
    }

    /// Makes references of the texts in these nodes that name one, now that all of them are in the tree.
    pub fn resolve_references(&mut self, nodes: &[NodeId]) -> Result<(), DocumentError> {
        for id in nodes {
            let (_, tree, node) = self.document.at(*id)?;
            let mut found: Vec<(Arc<str>, Field)> = Vec::new();
            for (key, field) in node.fields.iter() {
                if self.document.is_reference(&node.kind, key)
                    && let Some(reference) = unresolved(key, field)
                    && let Resolution::Found(target) | Resolution::Ambiguous(target, _) =
                        resolve(tree, *id, &reference.text)
                {
                    let reference = NodeRef { id: Some(target), text: reference.text };
                    found.push((key.clone(), Field::Ref(Box::new(reference))));
                }
            }
            for (key, field) in found {
                self.set(*id, &key, Some(field))?;
            }
        }
        Ok(())
    }

    /// Makes the operation one step of undo. One that changed nothing is none.
    pub fn finish(mut self, label: &'static str) -> Vec<Edit> {
        let done = std::mem::take(&mut self.done);
        let forward: Vec<Edit> = done.iter().map(|done| done.forward().clone()).collect();
        if forward.is_empty() {
            return forward;
        }
        let mut files = Vec::new();
        for file in self.document.touched_files(&self.touched, &forward) {
            let after = self.document.next_content();
            let before = self.document.contents.insert(file.clone(), after).unwrap_or(after);
            files.push((file, before, after));
        }
        self.document.redo.clear();
        self.document.last_step += 1;
        let number = self.document.last_step;
        self.document.undo.push(Step { number, label, done, files });
        forward
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        for done in self.done.drain(..).rev() {
            done.revert(&mut self.document.library);
        }
    }
}

fn unresolved(key: &str, field: &Field) -> Option<NodeRef> {
    let text: Arc<str> = match field {
        Field::Text(text) => text.as_ref().into(),
        Field::Ref(reference) if reference.id.is_none() => reference.text.clone(),
        _ => return None,
    };
    (!is_word(key, &text)).then_some(NodeRef { id: None, text })
}

/// The words that stand for a place; they are no names.
pub(crate) fn is_word(key: &str, text: &str) -> bool {
    match key {
        "after" => matches!(text, "" | "Previous" | "Beginning"),
        _ => matches!(text, "" | "Next"),
    }
}

impl Document {
    /// A copy with fresh ids; references inside it lead to the copy.
    pub(crate) fn copy(&mut self, subtree: &Subtree) -> Subtree {
        let mut ids = FxHashMap::default();
        let mut copy = self.renumbered(subtree, &mut ids);
        remap(&mut copy, &ids);
        copy
    }

    fn renumbered(&mut self, subtree: &Subtree, ids: &mut FxHashMap<NodeId, NodeId>) -> Subtree {
        let id = self.fresh_id();
        ids.insert(subtree.id, id);
        let children = subtree.children.iter().map(|child| self.renumbered(child, ids)).collect();
        Subtree {
            id,
            kind: subtree.kind.clone(),
            name: subtree.name.clone(),
            notes: subtree.notes.clone(),
            fields: subtree.fields.clone(),
            id_written: false,
            children,
        }
    }

    pub(crate) fn touched_files(&self, touched: &[Touched], edits: &[Edit]) -> Vec<Arc<str>> {
        let mut files: Vec<Arc<str>> = Vec::new();
        for place in touched {
            let definition = match place {
                Touched::Structure { definition, .. }
                | Touched::Node { definition, .. }
                | Touched::Setting { definition, .. }
                | Touched::Header { definition } => *definition,
                Touched::Files => continue,
            };
            if definition.index() < self.library.len() {
                files.push(self.library.get(definition).file.clone());
            }
        }
        files.extend(edits.iter().filter_map(|edit| match edit {
            Edit::AddFile { file, .. } => Some(file.clone()),
            _ => None,
        }));
        files.sort();
        files.dedup();
        files
    }
}

/// Lets references to a node of `ids` lead to what took its place.
pub(crate) fn remap(subtree: &mut Subtree, ids: &FxHashMap<NodeId, NodeId>) {
    for (_, field) in subtree.fields.iter_mut() {
        if let Field::Ref(reference) = field
            && let Some(copy) = reference.id.and_then(|id| ids.get(&id))
        {
            reference.id = Some(*copy);
        }
    }
    for child in &mut subtree.children {
        remap(child, ids);
    }
}

/// Every id of a subtree.
pub(crate) fn ids_of(subtree: &Subtree) -> Vec<NodeId> {
    let mut ids = vec![subtree.id];
    for child in &subtree.children {
        ids.extend(ids_of(child));
    }
    ids
}
