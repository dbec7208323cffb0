//! Steps that are taken to another behavior, or the whole behavior to another name.

use std::collections::BTreeMap;

use model::file::{join, relative, save};
use model::{Definition, DefinitionId, Edit, Field, Header, Library, Node, NodeId, Role, Subtree};

use crate::DocumentError;
use crate::document::{Document, node};
use crate::draft::ids_of;

/// Steps with the skill files that they use, as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// The file they are from: what they name is seen from there.
    pub file: String,
    /// A behavior with the steps as its children.
    pub behavior: String,
    pub skills: BTreeMap<String, String>,
}

impl Document {
    /// A copy of nodes with what is below them, to be [pasted](Self::paste) elsewhere.
    pub fn clip(&self, nodes: &[NodeId]) -> Result<Clip, DocumentError> {
        let nodes = self.tops(nodes)?;
        let first = self.at(nodes[0])?.1.file.to_string();
        let root = Node { id: NodeId::from_position("", &[]), ..bare(&node("sequence", "")) };
        let (parent, mut clip) = (root.id, Library::default());
        clip.add(Definition::new(first.as_str().into(), Header::default(), root));
        let mut used = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let (owner, tree, _) = self.at(*node)?;
            used.extend(self.skills_below(owner, *node));
            let mut subtree = tree.subtree(*node);
            self.rebase(&mut subtree, &tree.file, &first);
            clip.apply(&Edit::Insert { parent, index, subtree })?;
        }
        let mut at = 0;
        while let Some(id) = used.get(at).copied() {
            at += 1;
            let deeper = self.skills_below(id, self.library.get(id).root);
            used.extend(deeper.into_iter().filter(|id| !used.contains(id)).collect::<Vec<_>>());
        }
        let text = |id: DefinitionId| save(self.library.get(id), self.catalogue());
        let skills = used.into_iter().map(|id| (self.library.get(id).file.to_string(), text(id))).collect();
        Ok(Clip { file: first, behavior: save(clip.main(), self.catalogue()), skills })
    }

    /// Puts the children of a behavior that was read among those of a node, with the skill files that it uses and this
    /// one has not.
    pub fn paste(&mut self, parent: NodeId, index: usize, from: &Library) -> Result<Vec<Edit>, DocumentError> {
        let (steps, skills) = self.steps_of(parent, from)?;
        let ids: Vec<NodeId> = steps.iter().flat_map(ids_of).collect();
        let mut draft = self.draft();
        draft.bring(Some(&skills))?;
        for (place, subtree) in steps.into_iter().enumerate() {
            draft.apply(Edit::Insert { parent, index: index + place, subtree })?;
        }
        draft.resolve_references(&ids)?;
        Ok(draft.finish("paste"))
    }

    /// The children of a behavior that was read, as they would stand below a node, and the files that they use.
    pub(crate) fn steps_of(
        &mut self,
        parent: NodeId,
        from: &Library,
    ) -> Result<(Vec<Subtree>, Library), DocumentError> {
        self.check_parent(parent)?;
        let (tree, file) = (from.main(), self.at(parent)?.1.file.to_string());
        let mut skills = Library::default();
        for (_, skill) in from.iter().skip(1) {
            skills.add(skill.clone());
        }
        let mut steps = Vec::new();
        for child in &tree.node(tree.root).children {
            let mut step = tree.subtree(*child);
            self.rebase(&mut step, &tree.file, &file);
            self.check_new(&step)?;
            steps.push(self.copy(&step));
        }
        if steps.is_empty() {
            return Err(DocumentError::Nothing);
        }
        Ok((steps, skills))
    }

    /// The behavior itself as a file of another name: what it names is found from there.
    pub fn text_as(&self, from: &str, to: &str) -> String {
        let mut tree = self.library.main().clone();
        let is_use = |id: &NodeId| self.catalogue().role(&tree.node(*id).kind) == Some(Role::Skill);
        let uses: Vec<NodeId> = tree.walk(tree.root).filter(is_use).collect();
        for id in uses {
            if let Some(field) = tree.get_mut(id).and_then(|node| node.fields.get_mut("file")) {
                seen_from(field, from, to);
            }
        }
        tree.header.cell = tree.header.cell.map(|cell| relative(to, &join(from, &cell)));
        save(&tree, self.catalogue())
    }

    fn skills_below(&self, owner: DefinitionId, node: NodeId) -> Vec<DefinitionId> {
        self.library.get(owner).walk(node).filter_map(|node| self.library.skill_of(owner, node)).collect()
    }

    /// Names of skill files as they are seen from another one.
    fn rebase(&self, subtree: &mut Subtree, from: &str, to: &str) {
        if self.catalogue().role(&subtree.kind) == Some(Role::Skill)
            && let Some(field) = subtree.fields.get_mut("file")
        {
            seen_from(field, from, to);
        }
        for child in &mut subtree.children {
            self.rebase(child, from, to);
        }
    }
}

fn seen_from(field: &mut Field, from: &str, to: &str) {
    let Some(file) = field.as_str().map(|file| relative(to, &join(from, file))) else { return };
    *field = Field::from_json(file.into());
}

fn bare(subtree: &Subtree) -> Node {
    Node {
        id: subtree.id,
        parent: None,
        kind: subtree.kind.clone(),
        name: subtree.name.clone(),
        notes: subtree.notes.clone(),
        children: Vec::new(),
        fields: subtree.fields.clone(),
        id_written: false,
    }
}
