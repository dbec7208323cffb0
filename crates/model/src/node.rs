use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Field, Fields, NodeId};

/// One node of a skill file, as authored. What a running instance remembers lives in the engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub id: NodeId,
    pub parent: Option<NodeId>,
    /// The type's name, also where this version does not know it.
    pub kind: Arc<str>,
    /// Empty where the file gives none.
    pub name: Arc<str>,
    pub notes: Arc<str>,
    pub children: Vec<NodeId>,
    pub fields: Fields,
    /// The file spells the id out, so saving must too.
    pub id_written: bool,
}

impl Node {
    /// What people call the node: its name, or its type where it has none.
    pub fn label(&self) -> &Arc<str> {
        if self.name.is_empty() { &self.kind } else { &self.name }
    }

    /// It counts as not there, and so does what is in it. The root of a file is always there.
    pub fn is_disabled(&self) -> bool {
        self.parent.is_some() && matches!(self.fields.get("disabled"), Some(Field::Bool(true)))
    }
}

/// A node with everything below it, outside of a tree: what insert takes and delete gives back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subtree {
    pub id: NodeId,
    pub kind: Arc<str>,
    #[serde(default)]
    pub name: Arc<str>,
    #[serde(default)]
    pub notes: Arc<str>,
    #[serde(default)]
    pub fields: Fields,
    #[serde(default)]
    pub id_written: bool,
    #[serde(default)]
    pub children: Vec<Subtree>,
}
