//! A deleted node keeps its name while the record may say it, and is forgotten when the record is cleared: an engine
//! that is edited for days stays as large as its tree.

use model::{DefinitionId, NodeId};

use crate::door::EditBatch;
use crate::engine::Engine;
use crate::ids::UseId;

type Key = (UseId, NodeId);

impl Engine {
    /// Before a batch is applied: what it deletes keeps its name in the record.
    pub(super) fn remember_names(&mut self, batch: &EditBatch) {
        for edit in &batch.edits {
            let (definition, top) = match edit {
                model::Edit::Delete { node } => (self.library.owner_of(*node), Some(*node)),
                model::Edit::RemoveFile { file } => (self.library.find(file), None),
                _ => continue,
            };
            let Some(definition) = definition else { continue };
            let top = top.unwrap_or(self.library.get(definition).root);
            for use_id in self.uses_of(definition) {
                self.remember_below(definition, use_id, top);
            }
        }
    }

    fn remember_below(&mut self, definition: DefinitionId, use_id: UseId, top: NodeId) {
        let below: Vec<NodeId> = self.library.get(definition).walk(top).collect();
        for node in below {
            let key = (use_id, node);
            if let Some(known) = self.known.get(&key).copied() {
                self.remember_name(known.instance);
                self.edited.deleted.push(key);
            }
            if let Some(inner) = self.use_of.get(&key).copied() {
                let definition = self.uses[inner.index()].definition;
                if definition.index() < self.library.len() {
                    self.remember_below(definition, inner, self.library.get(definition).root);
                }
            }
        }
    }

    /// To be asked when the record is empty.
    pub(crate) fn forget_deleted(&mut self) {
        // What still comes to rest has its end to tell.
        if self.edited.deleted.is_empty() || !self.detached.is_empty() {
            return;
        }
        let mut forgot = false;
        for key in std::mem::take(&mut self.edited.deleted) {
            let Some(known) = self.known.get(&key).copied() else { continue };
            if self.is_in_tree(key) {
                self.gone.remove(&known.instance);
                continue;
            }
            if known.step.is_some() {
                self.edited.deleted.push(key);
                continue;
            }
            self.known.remove(&key);
            self.instances.remove(&known.instance);
            self.gone.remove(&known.instance);
            self.world.measured.remove(&known.instance);
            forgot = true;
        }
        if forgot {
            let instances = &self.instances;
            self.said.retain(|(instance, _)| instances.contains_key(instance));
        }
    }

    /// Of a node of a skill: also the use of the skill, all the way up.
    fn is_in_tree(&self, key: Key) -> bool {
        let mut at = Some(key);
        while let Some((use_id, node)) = at {
            if !self.tree_of(use_id).is_some_and(|tree| tree.contains(node)) {
                return false;
            }
            let current = &self.uses[use_id.index()];
            at = current.parent.map(|parent| (parent, current.via));
        }
        true
    }
}
