use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Definition, NodeId};

/// A reference to a node of the same file: found once by its text, then followed by id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeRef {
    /// None: not found in this file. A skill may name a node of its caller; that is settled per use.
    pub id: Option<NodeId>,
    /// As written, or as last known.
    pub text: Arc<str>,
}

/// What a text finds, seen from a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolution {
    Found(NodeId),
    /// Several at the same distance; the first in tree order counts.
    Ambiguous(NodeId, Vec<NodeId>),
    Missing,
}

impl Resolution {
    pub fn first(&self) -> Option<NodeId> {
        match self {
            Resolution::Found(id) | Resolution::Ambiguous(id, _) => Some(*id),
            Resolution::Missing => None,
        }
    }
}

/// Finds `text` from `from`: own subtree first, then for each ancestor upward its subtree in tree order, then the
/// ancestor itself. A text that starts with `/` is a path from the root.
pub fn resolve(definition: &Definition, from: NodeId, text: &str) -> Resolution {
    let _ = (definition, from, text);
    Resolution::Missing
}

/// The text that finds `target` from `from`: its bare name, or a path where the name would find another node.
pub fn reference_text(definition: &Definition, from: NodeId, target: NodeId) -> String {
    let _ = from;
    definition.path(target)
}
