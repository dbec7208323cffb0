use std::sync::Arc;

use engine::Registry;
use model::{Catalogue, Definition, DefinitionId, Edit, Fields, Library, Node, NodeId, Subtree};
use rustc_hash::FxHashMap;

use crate::DocumentError;
use crate::draft::Draft;
use crate::undo::Step;

/// A behavior with its skill files while people change it.
pub struct Document {
    pub(crate) library: Library,
    pub(crate) registry: Arc<Registry>,
    pub(crate) undo: Vec<Step>,
    pub(crate) redo: Vec<Step>,
    /// Numbers the contents a file has had: undo gives a file its old number back.
    pub(crate) contents: FxHashMap<Arc<str>, u64>,
    pub(crate) saved: FxHashMap<Arc<str>, u64>,
    pub(crate) last_content: u64,
    /// What files were on disk when they were loaded or saved, as far as that is known.
    pub(crate) on_disk: FxHashMap<Arc<str>, u64>,
    author: u64,
    last_id: u64,
    pub(crate) last_step: u64,
}

impl Document {
    /// A behavior as it was loaded: nothing unsaved, nothing to undo. Authors who edit the same behavior have different
    /// numbers, so that the ids they give do not meet.
    pub fn new(library: Library, registry: Arc<Registry>, author: u64) -> Document {
        let contents: FxHashMap<Arc<str>, u64> = library.iter().map(|(_, tree)| (tree.file.clone(), 0)).collect();
        Document {
            library,
            registry,
            undo: Vec::new(),
            redo: Vec::new(),
            saved: contents.clone(),
            contents,
            last_content: 0,
            on_disk: FxHashMap::default(),
            author,
            last_id: 0,
            last_step: 0,
        }
    }

    pub fn library(&self) -> &Library {
        &self.library
    }

    pub fn catalogue(&self) -> &Catalogue {
        self.registry.catalogue()
    }

    /// Follows what somebody else did. It is no step of this undo, and leaves what can be undone and done again.
    pub fn follow(&mut self, edits: &[Edit]) -> Result<(), DocumentError> {
        let (_, touched) = self.library.apply_all(edits)?;
        for file in self.touched_files(&touched, edits) {
            let content = self.next_content();
            self.contents.insert(file, content);
        }
        Ok(())
    }

    pub(crate) fn next_content(&mut self) -> u64 {
        self.last_content += 1;
        self.last_content
    }

    /// An id that no node of the behavior has.
    pub(crate) fn fresh_id(&mut self) -> NodeId {
        loop {
            self.last_id += 1;
            let id = NodeId(first_id(self.author).wrapping_add(self.last_id));
            if self.library.owner_of(id).is_none() {
                return id;
            }
        }
    }

    pub(crate) fn owner(&self, node: NodeId) -> Result<DefinitionId, DocumentError> {
        self.library.owner_of(node).ok_or(DocumentError::NoNode(node))
    }

    /// A node with the tree it is in.
    pub(crate) fn at(&self, node: NodeId) -> Result<(DefinitionId, &Definition, &Node), DocumentError> {
        let owner = self.owner(node)?;
        let tree = self.library.get(owner);
        Ok((owner, tree, tree.node(node)))
    }

    pub(crate) fn label(&self, node: NodeId) -> String {
        self.at(node).map_or_else(|_| node.to_string(), |(_, _, node)| node.label().to_string())
    }

    /// The same behavior, to try something with.
    pub(crate) fn beside(&self) -> Document {
        Document::new(self.library.clone(), Arc::clone(&self.registry), self.author)
    }

    pub(crate) fn draft(&mut self) -> Draft<'_> {
        Draft::new(self)
    }
}

/// Where the ids of an author begin: anywhere among 64 bits, so that those of two authors are far apart, while those of one
/// follow on each other and take few bytes on a wire.
fn first_id(author: u64) -> u64 {
    model::hash::spread(author)
}

/// A node to insert, with nothing set. Its id is given when it is inserted.
pub fn node(kind: &str, name: &str) -> Subtree {
    Subtree {
        id: NodeId(0),
        kind: kind.into(),
        name: name.into(),
        notes: "".into(),
        fields: Fields::default(),
        id_written: false,
        children: Vec::new(),
    }
}

/// The nodes that edits bring into a tree, tops only: what an editor selects after an operation.
pub fn created(edits: &[Edit]) -> Vec<NodeId> {
    let inserted = edits.iter().filter_map(|edit| match edit {
        Edit::Insert { subtree, .. } => Some(subtree.id),
        _ => None,
    });
    inserted.collect()
}
