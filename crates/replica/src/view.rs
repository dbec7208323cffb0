//! The tree as it is seen: what a library is made of.

use std::sync::Arc;

use loro::TreeID;
use model::file::MAX_LEVELS;
use model::{Definition, Fields, Header, Library, Node, NodeId};

use crate::state::{Content, State};

/// Nodes above a node that lies as deep as a file can hold.
const MOST_ABOVE: usize = (MAX_LEVELS - 1) / 2;

/// What a node is, without its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    pub kind: Arc<str>,
    pub name: Arc<str>,
    pub notes: Arc<str>,
    pub id_written: bool,
    pub fields: Fields,
}

/// A tree that another is to become.
pub(crate) trait Target {
    /// Every file with its root.
    fn files(&self) -> Vec<(Arc<str>, NodeId)>;
    /// The root of the file a node is in; none if it is not in the tree.
    fn root_of(&self, id: NodeId) -> Option<NodeId>;
    fn parent(&self, id: NodeId) -> Option<NodeId>;
    fn children(&self, id: NodeId) -> Vec<NodeId>;
    /// The same, from those it had: only `moved` have come, gone or moved.
    fn children_after(&self, id: NodeId, _before: &[NodeId], _moved: &[NodeId]) -> Vec<NodeId> {
        self.children(id)
    }
    fn node(&self, id: NodeId) -> Seen;
    fn header(&self, root: NodeId) -> Header;
}

impl Target for Library {
    fn files(&self) -> Vec<(Arc<str>, NodeId)> {
        self.iter().map(|(_, tree)| (tree.file.clone(), tree.root)).collect()
    }

    fn root_of(&self, id: NodeId) -> Option<NodeId> {
        self.owner_of(id).map(|owner| self.get(owner).root)
    }

    fn parent(&self, id: NodeId) -> Option<NodeId> {
        in_library(self, id)?.parent
    }

    fn children(&self, id: NodeId) -> Vec<NodeId> {
        in_library(self, id).map(|node| node.children.clone()).unwrap_or_default()
    }

    fn node(&self, id: NodeId) -> Seen {
        let node = in_library(self, id).expect("only nodes of the tree are asked for");
        Seen {
            kind: node.kind.clone(),
            name: node.name.clone(),
            notes: node.notes.clone(),
            id_written: node.id_written,
            fields: node.fields.clone(),
        }
    }

    fn header(&self, root: NodeId) -> Header {
        self.owner_of(root).map(|owner| self.get(owner).header.clone()).unwrap_or_default()
    }
}

pub(crate) fn in_library(library: &Library, id: NodeId) -> Option<&Node> {
    library.owner_of(id).and_then(|owner| library.get(owner).get(id))
}

/// As long as nothing is bent, what Loro has is what is seen.
impl Target for State {
    fn files(&self) -> Vec<(Arc<str>, NodeId)> {
        State::files(self).into_iter().map(|(name, root)| (name, self.nodes[&root].id())).collect()
    }

    fn root_of(&self, id: NodeId) -> Option<NodeId> {
        let at = self.by_id.get(&id).copied().filter(|at| self.is_seen(*at))?;
        let root = State::root_of(self, at).filter(|root| self.is_seen(*root))?;
        Some(self.nodes[&root].id())
    }

    fn parent(&self, id: NodeId) -> Option<NodeId> {
        let mut at = self.by_id.get(&id).copied()?;
        loop {
            at = self.parent_in_loro(at)?;
            if self.is_seen(at) {
                return Some(self.nodes[&at].id());
            }
        }
    }

    fn children(&self, id: NodeId) -> Vec<NodeId> {
        let at = self.by_id.get(&id).copied();
        let children = at.map(|at| self.seen_children(at)).unwrap_or_default();
        children.into_iter().map(|child| self.nodes[&child].id()).collect()
    }

    fn children_after(&self, id: NodeId, before: &[NodeId], moved: &[NodeId]) -> Vec<NodeId> {
        let Some(parent) = self.by_id.get(&id).copied().filter(|_| self.hidden.is_plain()) else {
            return self.children(id);
        };
        let here = |id: &NodeId| {
            let at = self.by_id.get(id).copied().filter(|at| self.is_seen(*at))?;
            (self.parent_in_loro(at) == Some(parent)).then(|| self.plain_index(at)).flatten()
        };
        let mut put: Vec<(usize, NodeId)> = moved.iter().filter_map(|id| Some((here(id)?, *id))).collect();
        put.sort_unstable();
        let mut children = Vec::with_capacity(before.len() + put.len());
        children.extend(before.iter().copied().filter(|id| !moved.contains(id)));
        for (index, id) in put {
            children.insert(index.min(children.len()), id);
        }
        children
    }

    fn node(&self, id: NodeId) -> Seen {
        seen(self.content(self.by_id[&id]))
    }

    fn header(&self, root: NodeId) -> Header {
        self.by_id.get(&root).map(|root| self.declared(*root).header()).unwrap_or_default()
    }
}

fn seen(content: Content) -> Seen {
    let mut fields = Fields::default();
    for (_, key, field) in content.fields.0 {
        fields.push(key, field);
    }
    Seen { kind: content.kind, name: content.name, notes: content.notes, id_written: content.id_written, fields }
}

/// What has to be done in Loro so that it is there as it is seen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Bend {
    /// A node that lies too deep is seen behind the one it is below.
    Place { node: TreeID, left: TreeID },
    /// A setting that does not fit where its node came to is not seen.
    Drop { node: TreeID, key: Arc<str> },
    /// A second file of one name is seen under another.
    Rename { root: TreeID, name: Arc<str> },
}

impl State {
    /// The whole tree as it is seen, and where that differs from Loro.
    pub fn project(&self) -> (Library, Vec<Bend>) {
        let mut library = Library::default();
        let mut bends = Vec::new();
        for (file, root) in State::files(self) {
            if self.file_name(root) != file {
                bends.push(Bend::Rename { root, name: file.clone() });
            }
            let header = self.declared(root).header();
            let mut tree = Definition::new(file, header, self.library_node(root, None, 0, &mut bends));
            self.grow(&mut tree, root, &mut bends);
            library.add(tree);
        }
        (library, bends)
    }

    fn grow(&self, tree: &mut Definition, root: TreeID, bends: &mut Vec<Bend>) {
        let mut stack: Vec<(TreeID, usize)> = vec![(root, 0)];
        while let Some((parent, above)) = stack.pop() {
            let parent_id = self.nodes[&parent].id();
            let below = above + 1;
            let mut children: Vec<TreeID> = self.seen_children(parent);
            let mut at = 0;
            while let Some(child) = children.get(at).copied() {
                at += 1;
                if below == MOST_ABOVE {
                    // Nothing fits below it: what is there comes behind it.
                    let deeper = self.seen_children(child);
                    for (place, node) in deeper.iter().enumerate() {
                        let left = if place == 0 { child } else { deeper[place - 1] };
                        bends.push(Bend::Place { node: *node, left });
                    }
                    children.splice(at..at, deeper);
                }
                let node = self.library_node(child, Some(parent_id), below, bends);
                tree.get_mut(parent_id).expect("it was put in before").children.push(node.id);
                tree.insert_node(node);
                if below < MOST_ABOVE {
                    stack.push((child, below));
                }
            }
        }
    }

    fn library_node(&self, at: TreeID, parent: Option<NodeId>, above: usize, bends: &mut Vec<Bend>) -> Node {
        let mut content = self.content(at);
        let is_root = parent.is_none();
        content.fields.0.retain(|(_, key, field)| {
            let fits = model::fits(key, field, above, is_root);
            if !fits {
                bends.push(Bend::Drop { node: at, key: key.clone() });
            }
            fits
        });
        let Seen { kind, name, notes, id_written, fields } = seen(content);
        // A root without a type cannot be read again.
        let kind = if is_root && kind.is_empty() { "sequence".into() } else { kind };
        Node { id: self.nodes[&at].id(), parent, kind, name, notes, children: Vec::new(), fields, id_written }
    }

    /// Whether a node fits where it is, or everything below it, too.
    pub fn fits(&self, top: NodeId, below: bool) -> bool {
        let Some(top) = self.by_id.get(&top).copied().filter(|at| self.is_seen(*at)) else { return true };
        let mut above = 0;
        let mut at = top;
        while let Some(parent) = self.parent_in_loro(at) {
            above += usize::from(self.is_seen(parent));
            at = parent;
        }
        let mut stack = vec![(top, above)];
        while let Some((at, above)) = stack.pop() {
            let is_root = self.parent_in_loro(at).is_none();
            let content = self.content(at);
            if above > MOST_ABOVE || is_root && content.kind.is_empty() {
                return false;
            }
            if !content.fields.0.iter().all(|(_, key, field)| model::fits(key, field, above, is_root)) {
                return false;
            }
            if below {
                stack.extend(self.seen_children(at).into_iter().map(|child| (child, above + 1)));
            }
        }
        true
    }

    /// Makes Loro what is seen, before an edit that was made on what is seen.
    pub fn straighten(&mut self) -> Result<(), crate::ReplicaError> {
        if !self.bent {
            return Ok(());
        }
        for bend in self.project().1 {
            match bend {
                Bend::Place { node, left } => {
                    self.tree.mov_after(node, left)?;
                    self.note(node);
                }
                Bend::Drop { node, key } => {
                    self.write(node, &crate::state::setting(&key), loro::LoroValue::Null)?;
                }
                Bend::Rename { root, name } => self.write(root, crate::state::FILE, (&*name).into())?,
            }
        }
        self.bent = false;
        Ok(())
    }
}
