use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::{Node, NodeId, Subtree, Wanted};

/// A value a skill takes from its caller.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Taken when the use gives none; without it the use must.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Json>,
    #[serde(flatten)]
    pub wanted: Wanted,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
}

impl Input {
    /// Of the values that fit, for a form and for whoever judges one.
    pub fn schema(&self) -> Json {
        self.wanted.schema(&self.unit, &self.notes, self.default.as_ref())
    }

    pub fn wrong(&self, name: &str, value: &Json) -> Vec<String> {
        self.wanted.wrong(name, &self.unit, value)
    }
}

/// A value a skill gives back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Output {
    #[serde(flatten)]
    pub wanted: Wanted,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
}

/// What a skill file says beside its tree. Lists keep the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    #[serde(default)]
    pub inputs: Vec<(Arc<str>, Input)>,
    #[serde(default)]
    pub outputs: Vec<(Arc<str>, Output)>,
    /// Own variables with the value they have at every start; null: none yet.
    #[serde(default)]
    pub variables: Vec<(Arc<str>, Json)>,
    /// Names that stand for expressions, wherever an expression of the file says them.
    #[serde(default, rename = "let", skip_serializing_if = "Vec::is_empty")]
    pub lets: Vec<(Arc<str>, Arc<str>)>,
    /// The cell file whose signals and commands this behavior uses.
    #[serde(default)]
    pub cell: Option<String>,
    /// Keys this version does not know, kept.
    #[serde(default)]
    pub extra: Map<String, Json>,
}

impl Header {
    /// The expression that a name stands for.
    pub fn let_of(&self, name: &str) -> Option<&Arc<str>> {
        self.lets.iter().find(|(own, _)| **own == *name).map(|(_, text)| text)
    }
}

/// The tree of one skill file.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The file it came from and goes to; the library's key.
    pub file: Arc<str>,
    pub header: Header,
    pub root: NodeId,
    /// Shared with copies of the tree until one of them changes the node.
    nodes: FxHashMap<NodeId, Arc<Node>>,
}

impl Definition {
    /// A tree of one node. Grow it with [`Self::insert_node`] or through edits.
    pub fn new(file: Arc<str>, header: Header, root: Node) -> Definition {
        let mut nodes = FxHashMap::default();
        let id = root.id;
        nodes.insert(id, Arc::new(root));
        Definition { file, header, root: id, nodes }
    }

    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(&id).map(|node| &**node)
    }

    pub fn get_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(&id).map(Arc::make_mut)
    }

    /// To be kept by others, too, as it is now.
    pub fn shared(&self, id: NodeId) -> Option<&Arc<Node>> {
        self.nodes.get(&id)
    }

    /// See [`crate::Library::share_with`].
    pub(crate) fn share_with(&mut self, known: &Definition) {
        for (id, node) in &mut self.nodes {
            if let Some(other) = known.nodes.get(id)
                && other == node
            {
                *node = Arc::clone(other);
            }
        }
    }

    /// For ids that came from this very tree.
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(&id).expect("the id was read from this tree")
    }

    pub fn contains(&self, id: NodeId) -> bool {
        self.nodes.contains_key(&id)
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn reserve(&mut self, more: usize) {
        self.nodes.reserve(more);
    }

    /// Puts a node into the map; the caller keeps parent and children consistent.
    pub fn insert_node(&mut self, node: Node) {
        self.nodes.insert(node.id, Arc::new(node));
    }

    pub fn remove_node(&mut self, id: NodeId) -> Option<Node> {
        self.nodes.remove(&id).map(Arc::unwrap_or_clone)
    }

    /// Ids below and with `id`, parents before children.
    pub fn walk(&self, id: NodeId) -> Walk<'_> {
        Walk { definition: self, stack: vec![id] }
    }

    /// Its children without those that are disabled.
    pub fn enabled_children(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        self.node(id).children.iter().copied().filter(|child| !self.node(*child).is_disabled())
    }

    /// The node, or something around it in its file, is disabled.
    pub fn is_off(&self, id: NodeId) -> bool {
        let is_disabled = |at: NodeId| self.get(at).is_some_and(crate::Node::is_disabled);
        is_disabled(id) || self.ancestors(id).any(is_disabled)
    }

    /// Ids below and with `id`, parents before children, without what is disabled.
    pub fn walk_enabled(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut stack = vec![id];
        std::iter::from_fn(move || {
            let id = stack.pop()?;
            stack.extend(self.enabled_children(id).rev());
            Some(id)
        })
    }

    /// From the node's parent up to the root.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut at = self.get(id).and_then(|node| node.parent);
        std::iter::from_fn(move || {
            let here = at?;
            at = self.get(here).and_then(|node| node.parent);
            Some(here)
        })
    }

    /// `node` lies below `above`, or is it.
    pub fn is_within(&self, node: NodeId, above: NodeId) -> bool {
        node == above || self.ancestors(node).any(|ancestor| ancestor == above)
    }

    /// Where the node stands among its parent's children.
    pub fn index_of(&self, id: NodeId) -> Option<usize> {
        let parent = self.get(id)?.parent?;
        self.node(parent).children.iter().position(|child| *child == id)
    }

    /// Names from the root down, `/Pick/Grasp`; the root itself is `/`.
    pub fn path(&self, id: NodeId) -> String {
        let mut labels: Vec<&str> = Vec::new();
        if id != self.root {
            labels.push(self.node(id).label());
            labels.extend(self.ancestors(id).filter(|at| *at != self.root).map(|at| &**self.node(at).label()));
        }
        labels.reverse();
        format!("/{}", labels.join("/"))
    }

    /// A copy of a node with everything below it.
    pub fn subtree(&self, id: NodeId) -> Subtree {
        let node = self.node(id);
        Subtree {
            id,
            kind: node.kind.clone(),
            name: node.name.clone(),
            notes: node.notes.clone(),
            fields: node.fields.clone(),
            id_written: node.id_written,
            children: node.children.iter().map(|child| self.subtree(*child)).collect(),
        }
    }
}

pub struct Walk<'a> {
    definition: &'a Definition,
    stack: Vec<NodeId>,
}

impl Iterator for Walk<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = self.stack.pop()?;
        self.stack.extend(self.definition.node(id).children.iter().rev());
        Some(id)
    }
}
