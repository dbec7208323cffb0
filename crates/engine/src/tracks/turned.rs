//! Uses of skills that run on the other side. What is mirrored in a mirrored use runs as it is written.

use std::sync::Arc;

use model::{Field, Fields, Node, NodeId, Role};

use super::step::Body;
use super::track::Phase;
use crate::Cannot;
use crate::engine::Engine;
use crate::ids::{StepId, UseId};
use crate::settings::{Mirror, Mirrored, Plane};

/// As the settings of a use say; none: they say it only when it starts.
pub(super) fn literally_mirrored(fields: &Fields) -> Option<bool> {
    match fields.get("mirrored") {
        None => Some(false),
        Some(Field::Bool(mirrored)) => Some(*mirrored),
        Some(_) => None,
    }
}

impl Engine {
    /// A use that is mirrored, or is part of one, unless it is turned back.
    pub(crate) fn is_mirrored(&self, use_id: UseId) -> bool {
        let around = |id: &UseId| self.uses[id.index()].parent;
        let turns = std::iter::successors(Some(use_id), around).filter(|id| self.uses[id.index()].mirrored);
        turns.count() % 2 == 1
    }

    /// Settings in which every value is known, as they count in a use.
    pub(super) fn on_its_side(&mut self, at: (UseId, NodeId), fields: Fields) -> Result<Fields, Cannot> {
        if !self.is_mirrored(at.0) {
            return Ok(fields);
        }
        let Some(node) = self.tree_of(at.0).and_then(|tree| tree.get(at.1)) else { return Ok(fields) };
        let node = Node { fields, ..node.clone() };
        match self.in_mirror(at.0, |mirrored| mirrored.running_fields(&node)) {
            Some(fields) => fields.map_err(|why| Cannot::NoOtherSide(Box::new(why))),
            None => Ok(node.fields),
        }
    }

    /// An expression of a node, as it counts in a use.
    pub(super) fn text_on_its_side(&mut self, use_id: UseId, text: &str) -> Box<str> {
        let turned = self.is_mirrored(use_id).then(|| self.in_mirror(use_id, |mirrored| mirrored.running_text(text)));
        turned.flatten().map_or_else(|| text.into(), Into::into)
    }

    /// What a use of a skill maps, as its user has it.
    pub(super) fn fields_of_use(&mut self, use_id: UseId, node: NodeId) -> Fields {
        let fields = self.library.get(self.uses[use_id.index()].definition).node(node).fields.clone();
        self.on_its_side((use_id, node), fields.clone()).unwrap_or(fields)
    }

    /// None: without a robot nothing has sides. Names of nodes stay: they say which they are, not what they do.
    fn in_mirror<T>(&mut self, use_id: UseId, look: impl FnOnce(&Mirrored<'_>) -> T) -> Option<T> {
        let definition = self.uses[use_id.index()].definition;
        let robot = Arc::clone(self.world.body.as_ref()?.robot());
        let (library, catalogue) = (&self.library, self.registry.catalogue());
        let own = self.own_names.entry(definition);
        let own = own.or_insert_with(|| Arc::new(crate::settings::own_names(catalogue, library.get(definition))));
        let mirror = Mirror { robot: &robot, plane: Plane::World, body: None };
        Some(look(&Mirrored::with(&self.registry, mirror, Arc::clone(own))))
    }

    /// From its next start on; at once if it is not in progress.
    pub(super) fn will_be_mirrored(&mut self, use_id: UseId, mirrored: bool) {
        self.uses[use_id.index()].to_be_mirrored = mirrored;
        if self.uses[use_id.index()].mirrored != mirrored {
            self.making.to_turn.push(use_id);
        }
    }

    /// Behind an edit: what is not in progress is turned now.
    pub(crate) fn turn_idle_uses(&mut self) {
        for use_id in std::mem::take(&mut self.making.to_turn) {
            if !self.is_use_in_progress(use_id) {
                self.turn(use_id);
            }
        }
    }

    fn is_use_in_progress(&self, use_id: UseId) -> bool {
        let used = &self.uses[use_id.index()];
        let Some(key) = used.parent.map(|parent| (parent, used.via)) else { return true };
        let step = self.known.get(&key).and_then(|known| known.step);
        let regions = self.region_of.get(&key).map(|track| &self.track(*track).regions).into_iter().flatten();
        let mut own = regions.filter(|region| (region.use_id, region.node) == key);
        step.is_some_and(|step| self.step(step).is_active()) || own.any(|region| region.phase != Phase::Idle)
    }

    /// A use that is about to start runs as its settings say now.
    pub(crate) fn turn(&mut self, use_id: UseId) {
        let used = &mut self.uses[use_id.index()];
        if used.mirrored == used.to_be_mirrored {
            return;
        }
        used.mirrored = used.to_be_mirrored;
        let inside: Vec<UseId> = (0..self.uses.len()).map(UseId::new).filter(|id| self.lies_in(*id, use_id)).collect();
        for id in &inside {
            let (parent, via, is_call) =
                (self.uses[id.index()].parent, self.uses[id.index()].via, self.uses[id.index()].is_call);
            if let Some(parent) = parent.filter(|_| *id != use_id && !is_call)
                && self.tree_of(parent).is_some_and(|tree| tree.contains(via))
            {
                // Refreshes what it is given.
                let _ = self.open_use(parent, via);
            }
        }
        inside.iter().for_each(|id| self.tell_side(*id));
        let steps = (0..self.steps.len()).map(StepId::new);
        let steps: Vec<StepId> = steps.filter(|id| inside.contains(&self.step(*id).use_id)).collect();
        for id in steps {
            self.make_for_its_side(id);
        }
    }

    /// Expressions of its scope ask on its side.
    pub(super) fn tell_side(&mut self, use_id: UseId) {
        let scope = self.uses[use_id.index()].scope.index();
        let mirrored = self.is_mirrored(use_id);
        let sides = &mut self.world.mirrored;
        sides.resize(sides.len().max(scope + 1), false);
        sides[scope] = mirrored;
    }

    fn make_for_its_side(&mut self, id: StepId) {
        let step = self.step(id);
        let key = (step.use_id, step.node);
        if self.known.get(&key).is_none_or(|known| known.step != Some(id)) || step.detached {
            return;
        }
        if step.is_active() {
            self.step_mut(id).stale = true;
            return;
        }
        self.make_body(id);
        if matches!(self.step(id).body, Body::Composite(_)) {
            self.refresh_branches(id);
        }
    }

    fn lies_in(&self, use_id: UseId, around: UseId) -> bool {
        let up = |id: &UseId| self.uses[id.index()].parent;
        std::iter::successors(Some(use_id), up).any(|id| id == around)
    }

    /// A step that is the use of a skill: its values say on which side it runs.
    pub(super) fn take_side(&mut self, id: StepId, kind: &str, fields: &Fields) {
        if self.registry.catalogue().role(kind) != Some(Role::Skill) {
            return;
        }
        let key = (self.step(id).use_id, self.step(id).node);
        if let (Some(inner), Some(mirrored)) = (self.use_of.get(&key).copied(), literally_mirrored(fields)) {
            self.uses[inner.index()].to_be_mirrored = mirrored;
            self.turn(inner);
        }
    }
}
