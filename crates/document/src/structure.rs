use model::{Edit, Field, Library, NodeId, Role, Subtree};

use crate::DocumentError;
use crate::document::{Document, node};
use crate::draft::ids_of;

impl Document {
    /// Puts a node with what is below it among the children of another. It gets ids of its own; references inside it
    /// lead to its own nodes.
    pub fn insert(&mut self, parent: NodeId, index: usize, subtree: &Subtree) -> Result<Vec<Edit>, DocumentError> {
        self.insert_bringing(parent, index, subtree, None)
    }

    /// [`Self::insert`], together with the skill files that it uses and this behavior has not.
    pub fn insert_bringing(
        &mut self,
        parent: NodeId,
        index: usize,
        subtree: &Subtree,
        skills: Option<&Library>,
    ) -> Result<Vec<Edit>, DocumentError> {
        self.check_new(subtree)?;
        self.check_parent(parent)?;
        let subtree = self.copy(subtree);
        let ids = ids_of(&subtree);
        let mut draft = self.draft();
        draft.bring(skills)?;
        draft.apply(Edit::Insert { parent, index, subtree })?;
        draft.resolve_references(&ids)?;
        Ok(draft.finish("insert"))
    }

    /// Deletes nodes with what is below them.
    pub fn delete(&mut self, nodes: &[NodeId]) -> Result<Vec<Edit>, DocumentError> {
        let nodes = self.tops(nodes)?;
        let mut draft = self.draft();
        for node in nodes {
            draft.apply(Edit::Delete { node })?;
        }
        Ok(draft.finish("delete"))
    }

    /// Moves nodes, in tree order, in front of the child that stands at `index` now.
    pub fn move_to(&mut self, nodes: &[NodeId], parent: NodeId, index: usize) -> Result<Vec<Edit>, DocumentError> {
        let nodes = self.tops(nodes)?;
        self.check_parent(parent)?;
        let children = &self.at(parent)?.2.children;
        let before: Vec<NodeId> = children.iter().take(index).copied().filter(|child| !nodes.contains(child)).collect();
        let len = children.len();
        if index > len {
            return Err(model::EditError::Index { index, len }.into());
        }
        let start = before.len();
        let mut draft = self.draft();
        for (place, node) in nodes.iter().enumerate() {
            let (_, tree, at) = draft.document.at(*node)?;
            // Those still to come stand among the children and count until they are taken out.
            let (from, here) = (at.parent, tree.index_of(*node));
            let siblings = &draft.document.at(parent)?.2.children;
            let wanted = match (start + place).checked_sub(1) {
                None => 0,
                Some(_) if place == 0 && start == 0 => 0,
                Some(_) => {
                    let left = if place > 0 { nodes[place - 1] } else { before[start - 1] };
                    siblings.iter().position(|child| *child == left).map_or(0, |left| left + 1)
                }
            };
            let wanted = match here {
                Some(here) if from == Some(parent) && here < wanted => wanted - 1,
                _ => wanted,
            };
            if from != Some(parent) || here != Some(wanted) {
                draft.apply(Edit::Move { node: *node, parent, index: wanted })?;
            }
        }
        Ok(draft.finish("move"))
    }

    /// Puts a copy of each node right behind it. A copy keeps its name; references inside it lead to the copy, and
    /// references from elsewhere to the original, by path where the bare name would be ambiguous.
    pub fn duplicate(&mut self, nodes: &[NodeId]) -> Result<Vec<Edit>, DocumentError> {
        let nodes = self.tops(nodes)?;
        let mut draft = self.draft();
        for node in nodes {
            draft.copy_behind(node)?;
        }
        Ok(draft.finish("duplicate"))
    }

    /// Puts siblings into a new node that stands where the first of them stood.
    pub fn wrap(&mut self, nodes: &[NodeId], kind: &str) -> Result<Vec<Edit>, DocumentError> {
        let info = self.catalogue().get(kind).ok_or_else(|| DocumentError::UnknownType(kind.to_owned()))?;
        if !info.has_children() {
            return Err(DocumentError::NoWrapper(kind.to_owned()));
        }
        let nodes = self.tops(nodes)?;
        let (_, tree, first) = self.at(nodes[0])?;
        let (Some(parent), Some(index)) = (first.parent, tree.index_of(nodes[0])) else {
            return Err(model::EditError::Root.into());
        };
        for node in &nodes {
            if self.at(*node)?.2.parent != Some(parent) {
                return Err(DocumentError::NotSiblings);
            }
        }
        let mut wrapper = node(kind, "");
        wrapper.id = self.fresh_id();
        let wrapper_id = wrapper.id;
        let mut draft = self.draft();
        draft.apply(Edit::Insert { parent, index, subtree: wrapper })?;
        for (index, node) in nodes.into_iter().enumerate() {
            draft.apply(Edit::Move { node, parent: wrapper_id, index })?;
        }
        Ok(draft.finish("wrap"))
    }

    /// Puts the children of a node into its place. Refused while something refers to the node.
    pub fn unwrap(&mut self, node: NodeId) -> Result<Vec<Edit>, DocumentError> {
        let (_, tree, at) = self.at(node)?;
        let (Some(parent), Some(index)) = (at.parent, tree.index_of(node)) else {
            return Err(model::EditError::Root.into());
        };
        if at.children.is_empty() {
            return Err(DocumentError::Childless(at.kind.to_string()));
        }
        let refers = |id: &NodeId| {
            let fields = &tree.node(*id).fields;
            fields.iter().any(|(_, field)| matches!(field, Field::Ref(reference) if reference.id == Some(node)))
        };
        if let Some(from) = tree.walk(tree.root).filter(|id| *id != node).find(|id| refers(id)) {
            return Err(DocumentError::Referred { from: self.label(from), to: self.label(node) });
        }
        let children = at.children.clone();
        let mut draft = self.draft();
        for (place, child) in children.into_iter().enumerate() {
            draft.apply(Edit::Move { node: child, parent, index: index + 1 + place })?;
        }
        draft.apply(Edit::Delete { node })?;
        Ok(draft.finish("unwrap"))
    }

    /// The chosen nodes in tree order, each once, without those that lie below another chosen one.
    pub(crate) fn tops(&self, nodes: &[NodeId]) -> Result<Vec<NodeId>, DocumentError> {
        let mut tops: Vec<(u32, usize, NodeId)> = Vec::new();
        for node in nodes {
            let (owner, tree, _) = self.at(*node)?;
            if *node == tree.root {
                return Err(model::EditError::Root.into());
            }
            if tree.ancestors(*node).any(|above| nodes.contains(&above)) {
                continue;
            }
            let place = tree.walk(tree.root).position(|id| id == *node).unwrap_or(0);
            tops.push((owner.0, place, *node));
        }
        tops.sort_unstable();
        tops.dedup();
        if tops.is_empty() {
            return Err(DocumentError::Nothing);
        }
        Ok(tops.into_iter().map(|(_, _, node)| node).collect())
    }

    pub(crate) fn check_parent(&self, parent: NodeId) -> Result<(), DocumentError> {
        let kind = &self.at(parent)?.2.kind;
        match self.catalogue().role(kind) {
            Some(role) if !role.has_children() => Err(DocumentError::Childless(kind.to_string())),
            _ => Ok(()),
        }
    }

    pub(crate) fn check_new(&self, subtree: &Subtree) -> Result<(), DocumentError> {
        let mut stack = vec![subtree];
        while let Some(node) = stack.pop() {
            let role: Role = self.known_role(&node.kind)?;
            if !role.has_children() && !node.children.is_empty() {
                return Err(DocumentError::Childless(node.kind.to_string()));
            }
            for (key, field) in node.fields.iter() {
                self.check_setting(&node.kind, key, &field.to_json())?;
            }
            stack.extend(&node.children);
        }
        Ok(())
    }
}
