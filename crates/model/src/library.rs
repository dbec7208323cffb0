use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{Definition, DefinitionId, NodeId};

/// A behavior with every skill file it uses: each file once, however often it is used.
#[derive(Clone, Debug, Default)]
pub struct Library {
    definitions: Vec<Definition>,
    by_file: FxHashMap<Arc<str>, DefinitionId>,
    /// Nodes of every file but the main one, which is asked itself: a behavior of one large file pays nothing.
    elsewhere: FxHashMap<NodeId, DefinitionId>,
}

impl Library {
    /// The behavior itself; the first definition added.
    pub const MAIN: DefinitionId = DefinitionId(0);

    pub fn add(&mut self, definition: Definition) -> DefinitionId {
        let id = DefinitionId(u32::try_from(self.definitions.len()).expect("fewer than 2^32 skill files"));
        self.by_file.insert(definition.file.clone(), id);
        let nodes: Vec<NodeId> = definition.walk(definition.root).collect();
        self.definitions.push(definition);
        self.note_nodes(id, nodes);
        id
    }

    /// Takes the nodes of another library where they are the same as its own: both then have them once.
    pub fn share_with(&mut self, known: &Library) {
        for tree in &mut self.definitions {
            if let Some(other) = known.find(&tree.file) {
                tree.share_with(known.get(other));
            }
        }
    }

    pub fn main(&self) -> &Definition {
        &self.definitions[0]
    }

    pub fn get(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.index()]
    }

    /// For changes inside nodes. Nodes come and go through [`Self::apply`] alone: it knows who owns which.
    pub fn get_mut(&mut self, id: DefinitionId) -> &mut Definition {
        &mut self.definitions[id.index()]
    }

    pub fn find(&self, file: &str) -> Option<DefinitionId> {
        self.by_file.get(file).copied()
    }

    /// The file a skill use in `definition` names, found from that file's folder.
    pub fn skill_of(&self, definition: DefinitionId, node: NodeId) -> Option<DefinitionId> {
        let definition = self.get(definition);
        let file = definition.get(node)?.fields.get("file")?.as_str()?;
        self.find(&crate::file::join(&definition.file, file))
    }

    /// The definition that holds a node.
    pub fn owner_of(&self, node: NodeId) -> Option<DefinitionId> {
        if self.definitions.first()?.contains(node) {
            return Some(Library::MAIN);
        }
        self.elsewhere.get(&node).copied()
    }

    pub fn iter(&self) -> impl Iterator<Item = (DefinitionId, &Definition)> {
        self.definitions.iter().enumerate().map(|(index, definition)| (DefinitionId(index as u32), definition))
    }

    pub fn len(&self) -> usize {
        self.definitions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty()
    }

    pub(crate) fn pop(&mut self) -> Option<Definition> {
        let definition = self.definitions.pop()?;
        self.by_file.remove(&definition.file);
        let id = DefinitionId(self.definitions.len() as u32);
        self.elsewhere.retain(|_, owner| *owner != id);
        Some(definition)
    }

    /// These nodes came to a file. Of two files with one id, the first has it.
    pub(crate) fn note_nodes(&mut self, owner: DefinitionId, nodes: impl IntoIterator<Item = NodeId>) {
        if owner != Library::MAIN {
            for node in nodes {
                self.elsewhere.entry(node).or_insert(owner);
            }
        }
    }

    pub(crate) fn forget_nodes(&mut self, owner: DefinitionId, nodes: &[NodeId]) {
        if owner != Library::MAIN {
            for node in nodes {
                self.elsewhere.remove(node);
            }
        }
    }
}
