use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Definition, DefinitionId, Field, Header, Library, Node, NodeId, Subtree, fit, is_common};

/// The smallest changes of a tree. Everything an editor offers is made of these, and each has an inverse.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub enum Edit {
    /// Puts a new subtree among `parent`'s children.
    Insert {
        parent: NodeId,
        index: usize,
        subtree: Subtree,
    },
    /// Removes a node with everything below it.
    Delete {
        node: NodeId,
    },
    /// Puts a node elsewhere in its file; `index` counts after it has been taken out.
    Move {
        node: NodeId,
        parent: NodeId,
        index: usize,
    },
    /// Sets a setting; none takes it away, which gives the default. `at` is where among the node's fields.
    Set {
        node: NodeId,
        field: Arc<str>,
        value: Option<Field>,
        at: Option<usize>,
    },
    Rename {
        node: NodeId,
        name: Arc<str>,
    },
    Notes {
        node: NodeId,
        notes: Arc<str>,
    },
    /// Changes the type; settings the new type does not know are kept and reported.
    Retype {
        node: NodeId,
        kind: Arc<str>,
    },
    /// Changes what a skill file declares.
    Header {
        definition: DefinitionId,
        header: Box<Header>,
    },
    /// Adds a skill file.
    AddFile {
        file: Arc<str>,
        header: Box<Header>,
        root: Subtree,
    },
    /// Takes back the newest [`Edit::AddFile`].
    RemoveFile {
        file: Arc<str>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    #[error("node {0} is not in the tree; it may have been deleted meanwhile")]
    NoNode(NodeId),
    #[error("the root of a file can be neither deleted nor moved")]
    Root,
    #[error("a node cannot be moved into itself or below itself")]
    IntoItself,
    #[error("position {index} is past the end: the parent has {len} children")]
    Index { index: usize, len: usize },
    #[error("id {0} is already in the tree")]
    Taken(NodeId),
    #[error("a node moves only within its own file; cut and insert it to bring it to another")]
    OtherFile,
    #[error("a file named {0} is already part of the behavior")]
    FileTaken(String),
    #[error("file {0} is not the newest one of the behavior")]
    NotNewest(String),
    #[error("{0} is no skill file of this behavior")]
    NoFile(u32),
    #[error("`{0}` is no setting: it is changed by an edit of its own")]
    NoSetting(String),
    #[error("`{0}` is given twice")]
    Twice(String),
    #[error("the root of a file needs a type")]
    NoType,
    #[error(
        "nested too deep: a file has at most {} levels of lists and objects, {} levels of nodes; \
         move inner parts to a skill file of their own",
        crate::file::MAX_LEVELS,
        crate::file::MAX_LEVELS / 2
    )]
    TooDeep,
}

/// What an edit changed, for whoever keeps something derived from the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    /// The children of this node, or below.
    Structure {
        definition: DefinitionId,
        parent: NodeId,
    },
    /// A setting that only this node's type knows.
    Setting {
        definition: DefinitionId,
        node: NodeId,
    },
    /// Settings, name or type of this node.
    Node {
        definition: DefinitionId,
        node: NodeId,
    },
    Header {
        definition: DefinitionId,
    },
    Files,
}

impl Library {
    /// Applies one edit and gives its inverse. On an error nothing has changed.
    pub fn apply(&mut self, edit: &Edit) -> Result<(Edit, Vec<Touched>), EditError> {
        match edit {
            Edit::Insert { parent, index, subtree } => self.insert(*parent, *index, subtree),
            Edit::Delete { node } => self.delete(*node),
            Edit::Move { node, parent, index } => self.move_node(*node, *parent, *index),
            Edit::Set { node, field, value, at } => self.set(*node, field, value.as_ref(), *at),
            Edit::Rename { node, name } => self.change(*node, |node| {
                let old = std::mem::replace(&mut node.name, name.clone());
                Edit::Rename { node: node.id, name: old }
            }),
            Edit::Notes { node, notes } => self.change(*node, |node| {
                let old = std::mem::replace(&mut node.notes, notes.clone());
                Edit::Notes { node: node.id, notes: old }
            }),
            Edit::Retype { node, kind } if kind.is_empty() && self.is_root(*node) => Err(EditError::NoType),
            Edit::Retype { node, kind } => self.change(*node, |node| {
                let old = std::mem::replace(&mut node.kind, kind.clone());
                Edit::Retype { node: node.id, kind: old }
            }),
            Edit::Header { definition, header } => {
                if definition.index() >= self.len() {
                    return Err(EditError::NoFile(definition.0));
                }
                fit::header(header)?;
                let old = std::mem::replace(&mut self.get_mut(*definition).header, (**header).clone());
                let inverse = Edit::Header { definition: *definition, header: Box::new(old) };
                Ok((inverse, vec![Touched::Header { definition: *definition }]))
            }
            Edit::AddFile { file, header, root } => self.add_file(file, header, root),
            Edit::RemoveFile { file } => self.remove_file(file),
        }
    }

    /// Applies all or none. The inverse is to be applied in the order given.
    pub fn apply_all(&mut self, edits: &[Edit]) -> Result<(Vec<Edit>, Vec<Touched>), EditError> {
        let mut inverses = Vec::with_capacity(edits.len());
        let mut touched = Vec::with_capacity(edits.len());
        for edit in edits {
            match self.apply(edit) {
                Ok((inverse, places)) => {
                    inverses.push(inverse);
                    touched.extend(places);
                }
                Err(error) => {
                    for inverse in inverses.iter().rev() {
                        self.apply(inverse).expect("the inverse of an applied edit applies");
                    }
                    return Err(error);
                }
            }
        }
        inverses.reverse();
        Ok((inverses, touched))
    }

    fn owner(&self, node: NodeId) -> Result<DefinitionId, EditError> {
        self.owner_of(node).ok_or(EditError::NoNode(node))
    }

    fn insert(&mut self, parent: NodeId, index: usize, subtree: &Subtree) -> Result<(Edit, Vec<Touched>), EditError> {
        let definition = self.owner(parent)?;
        fit::subtree(subtree, self.get(definition).ancestors(parent).count() + 1)?;
        let ids = self.free_ids(subtree)?;
        let tree = self.get_mut(definition);
        let len = tree.node(parent).children.len();
        if index > len {
            return Err(EditError::Index { index, len });
        }
        graft(tree, Some(parent), subtree);
        tree.get_mut(parent).expect("owner_of found it").children.insert(index, subtree.id);
        self.note_nodes(definition, ids);
        Ok((Edit::Delete { node: subtree.id }, vec![Touched::Structure { definition, parent }]))
    }

    fn is_root(&self, node: NodeId) -> bool {
        self.owner_of(node).is_some_and(|owner| self.get(owner).root == node)
    }

    /// The ids of a subtree, none of which is in the tree yet.
    fn free_ids(&self, subtree: &Subtree) -> Result<std::collections::BTreeSet<NodeId>, EditError> {
        let mut ids = std::collections::BTreeSet::new();
        let mut stack = vec![subtree];
        while let Some(node) = stack.pop() {
            if !ids.insert(node.id) || self.owner_of(node.id).is_some() {
                return Err(EditError::Taken(node.id));
            }
            stack.extend(&node.children);
        }
        Ok(ids)
    }

    fn delete(&mut self, node: NodeId) -> Result<(Edit, Vec<Touched>), EditError> {
        let definition = self.owner(node)?;
        let tree = self.get_mut(definition);
        let (Some(parent), Some(index)) = (tree.node(node).parent, tree.index_of(node)) else {
            return Err(EditError::Root);
        };
        let subtree = tree.subtree(node);
        let below: Vec<NodeId> = tree.walk(node).collect();
        for id in &below {
            tree.remove_node(*id);
        }
        tree.get_mut(parent).expect("a parent is in the tree").children.remove(index);
        self.forget_nodes(definition, &below);
        Ok((Edit::Insert { parent, index, subtree }, vec![Touched::Structure { definition, parent }]))
    }

    fn move_node(&mut self, node: NodeId, to: NodeId, index: usize) -> Result<(Edit, Vec<Touched>), EditError> {
        let definition = self.owner(node)?;
        if self.owner(to)? != definition {
            return Err(EditError::OtherFile);
        }
        let tree = self.get_mut(definition);
        let (Some(from), Some(old_index)) = (tree.node(node).parent, tree.index_of(node)) else {
            return Err(EditError::Root);
        };
        if tree.is_within(to, node) {
            return Err(EditError::IntoItself);
        }
        let len = tree.node(to).children.len() - usize::from(from == to);
        if index > len {
            return Err(EditError::Index { index, len });
        }
        if from != to {
            fit::moved(tree, node, tree.ancestors(to).count() + 1)?;
        }
        tree.get_mut(from).expect("a parent is in the tree").children.remove(old_index);
        tree.get_mut(to).expect("owner_of found it").children.insert(index, node);
        tree.get_mut(node).expect("owner_of found it").parent = Some(to);
        let mut touched = vec![Touched::Structure { definition, parent: from }];
        if from != to {
            touched.push(Touched::Structure { definition, parent: to });
        }
        Ok((Edit::Move { node, parent: from, index: old_index }, touched))
    }

    fn set(
        &mut self,
        node: NodeId,
        field: &Arc<str>,
        value: Option<&Field>,
        at: Option<usize>,
    ) -> Result<(Edit, Vec<Touched>), EditError> {
        let definition = self.owner(node)?;
        fit::setting(self.get(definition), node, field, value)?;
        let (inverse, mut touched) = self.change(node, |node| {
            let fields = &mut node.fields;
            let old = match (value, fields.get_mut(field)) {
                (Some(value), Some(there)) => (Some(std::mem::replace(there, value.clone())), None),
                (Some(value), None) => {
                    fields.insert(at.unwrap_or(usize::MAX), field.clone(), value.clone());
                    (None, None)
                }
                (None, _) => fields.remove(field).map_or((None, None), |(position, old)| (Some(old), Some(position))),
            };
            Edit::Set { node: node.id, field: field.clone(), value: old.0, at: old.1 }
        })?;
        if &**field == "disabled" {
            // What is around it has one child more or less.
            let parent = self.get(definition).node(node).parent;
            touched.extend(parent.map(|parent| Touched::Structure { definition, parent }));
        } else if !is_common(field) {
            touched = vec![Touched::Setting { definition: self.owner(node)?, node }];
        }
        Ok((inverse, touched))
    }

    fn change(
        &mut self,
        node: NodeId,
        change: impl FnOnce(&mut Node) -> Edit,
    ) -> Result<(Edit, Vec<Touched>), EditError> {
        let definition = self.owner(node)?;
        let inverse = change(self.get_mut(definition).get_mut(node).expect("owner_of found it"));
        Ok((inverse, vec![Touched::Node { definition, node }]))
    }

    fn add_file(
        &mut self,
        file: &Arc<str>,
        header: &Header,
        root: &Subtree,
    ) -> Result<(Edit, Vec<Touched>), EditError> {
        if self.find(file).is_some() {
            return Err(EditError::FileTaken(file.to_string()));
        }
        fit::header(header)?;
        fit::root(root)?;
        self.free_ids(root)?;
        let mut tree = Definition::new(file.clone(), header.clone(), bare(None, root));
        for child in &root.children {
            graft(&mut tree, Some(root.id), child);
        }
        self.add(tree);
        Ok((Edit::RemoveFile { file: file.clone() }, vec![Touched::Files]))
    }

    fn remove_file(&mut self, file: &Arc<str>) -> Result<(Edit, Vec<Touched>), EditError> {
        if self.len() < 2 || self.find(file) != Some(DefinitionId(self.len() as u32 - 1)) {
            return Err(EditError::NotNewest(file.to_string()));
        }
        let tree = self.pop().expect("just found");
        let root = tree.subtree(tree.root);
        Ok((Edit::AddFile { file: file.clone(), header: Box::new(tree.header), root }, vec![Touched::Files]))
    }
}

fn bare(parent: Option<NodeId>, subtree: &Subtree) -> Node {
    Node {
        id: subtree.id,
        parent,
        kind: subtree.kind.clone(),
        name: subtree.name.clone(),
        notes: subtree.notes.clone(),
        children: subtree.children.iter().map(|child| child.id).collect(),
        fields: subtree.fields.clone(),
        id_written: subtree.id_written,
    }
}

fn graft(tree: &mut Definition, parent: Option<NodeId>, subtree: &Subtree) {
    tree.insert_node(bare(parent, subtree));
    for child in &subtree.children {
        graft(tree, Some(subtree.id), child);
    }
}
