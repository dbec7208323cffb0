use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{Definition, DefinitionId, NodeId};

/// A behavior with every skill file it uses: each file once, however often it is used.
#[derive(Clone, Debug, Default)]
pub struct Library {
    definitions: Vec<Definition>,
    by_file: FxHashMap<Arc<str>, DefinitionId>,
}

impl Library {
    /// The behavior itself; the first definition added.
    pub const MAIN: DefinitionId = DefinitionId(0);

    pub fn add(&mut self, definition: Definition) -> DefinitionId {
        let id = DefinitionId(u32::try_from(self.definitions.len()).expect("fewer than 2^32 skill files"));
        self.by_file.insert(definition.file.clone(), id);
        self.definitions.push(definition);
        id
    }

    pub fn main(&self) -> &Definition {
        &self.definitions[0]
    }

    pub fn get(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.index()]
    }

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
        self.iter().find(|(_, definition)| definition.contains(node)).map(|(id, _)| id)
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
        Some(definition)
    }
}
