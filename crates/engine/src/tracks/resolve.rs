//! Names in settings to places in the engine.

use std::sync::Arc;

use expression::{Expression, ExpressionError, Names, Slot};
use model::{NodeId, Resolution};

use crate::engine::Engine;
use crate::ids::{StepId, UseId};
use crate::types::{Resolver, Target, reference_in};
use crate::world::Watch;

impl Engine {
    /// The node a text means from a node: inside its own file first, then outward through the uses.
    pub(crate) fn find(&self, use_id: UseId, from: NodeId, text: &str) -> Option<(UseId, NodeId)> {
        let mut at = (use_id, from);
        loop {
            let current = &self.uses[at.0.index()];
            let definition = self.library.get(current.definition);
            if definition.contains(at.1)
                && let Resolution::Found(id) | Resolution::Ambiguous(id, _) = model::resolve(definition, at.1, text)
            {
                return Some((at.0, id));
            }
            at = (current.parent?, current.via);
        }
    }

    /// The node a reference field means: by its id where the file has it, else by its text.
    pub(crate) fn follow(&self, use_id: UseId, node: NodeId, field: &str, text: &str) -> Option<(UseId, NodeId)> {
        let definition = self.library.get(self.uses[use_id.index()].definition);
        let id = definition.get(node).and_then(|node| reference_in(node, field)).and_then(|reference| reference.id);
        match id {
            Some(id) if definition.contains(id) => Some((use_id, id)),
            // Named like a word and gone: what is left is the word.
            Some(_) if matches!(text, "" | "Previous" | "Beginning" | "Next") => None,
            // Gone: what its name finds now is what it will mean when the file is loaded again.
            _ => self.find(use_id, node, text),
        }
    }

    /// What a setting of a step refers to now; a target may have gone or come since.
    pub(crate) fn target(&self, step: StepId, target: &Target) -> Option<(UseId, NodeId)> {
        let found = target.found().map(|(use_id, node)| (UseId(use_id), node));
        let exists = |at: &(UseId, NodeId)| self.tree_of(at.0).is_some_and(|tree| tree.contains(at.1));
        found.filter(exists).or_else(|| self.find(self.step(step).use_id, self.step(step).node, target.text()))
    }

    /// A skill that names a node of the tree that uses it works only there.
    pub(crate) fn warn_of_outside(&mut self, step: StepId, found: (UseId, NodeId)) {
        let step = self.step(step);
        let (own, other) = (&self.uses[step.use_id.index()], &self.uses[found.0.index()]);
        if own.definition != other.definition {
            self.warn_once(step.instance, "its target is not in the skill: the tree that uses the skill has it");
        }
    }

    pub(super) fn bind_expression(
        &mut self,
        use_id: UseId,
        node: NodeId,
        expression: &mut Expression,
    ) -> Result<(), ExpressionError> {
        let mut cache = std::mem::take(&mut self.making.cache);
        let mut names = EngineNames { engine: self, use_id, node };
        let bound = expression.bind_with(&mut names, &mut cache);
        self.making.cache = cache;
        bound
    }

    /// A place where the results of a node are kept for expressions that ask.
    pub(crate) fn watch(&mut self, use_id: UseId, node: NodeId) -> u32 {
        if let Some(watch) = self.making.watch_of.get(&(use_id, node)) {
            return *watch;
        }
        let watch = self.world.watches.len() as u32;
        let mut first = Watch::default();
        if let Some(step) = self.known.get(&(use_id, node)).and_then(|known| known.step) {
            let step = &mut self.steps[step.index()];
            step.watch = watch;
            // Who asks late must not miss what has happened.
            let (verdict, outcome) = (step.last, step.last_outcome.clone());
            first = Watch { running: step.is_active(), verdict, outcome, ..Watch::default() };
        } else {
            first.outcome = self.outcome_of_region((use_id, node));
            first.running = self.is_region_in_progress((use_id, node));
            self.region_watches.insert((use_id, node), watch);
        }
        self.world.watches.push(first);
        self.making.watch_of.insert((use_id, node), watch);
        watch
    }
}

/// Resolves the names at one node of one use.
pub(super) struct EngineNames<'a> {
    pub engine: &'a mut Engine,
    pub use_id: UseId,
    pub node: NodeId,
}

impl Names for EngineNames<'_> {
    fn definition(&mut self, name: &str) -> Option<Arc<str>> {
        let definition = self.engine.uses[self.use_id.index()].definition;
        let text = self.engine.library.get(definition).header.let_of(name).cloned()?;
        Some(match self.engine.uses[self.use_id.index()].mirrored {
            true => self.engine.text_on_its_side(self.use_id, &text).into(),
            false => text,
        })
    }

    fn variable(&mut self, name: &str) -> Option<Slot> {
        let definition = self.engine.uses[self.use_id.index()].definition;
        let declared = self.engine.declares(definition, name);
        if !declared && !self.engine.world.board.knows(definition, name) {
            self.engine.world.add_sense(name);
        }
        // `pose.x` is a variable of that name only where there is one; else a key of the map `pose`.
        if name.contains('.') && !declared && !self.engine.world.board.knows(definition, name) {
            return None;
        }
        Some(self.engine.world.board.slot(definition, name, declared))
    }

    fn token(&mut self, name: &str) -> u32 {
        self.engine.world.claims.token(name)
    }

    fn node(&mut self, name: &str) -> Option<u32> {
        let (use_id, node) = self.engine.find(self.use_id, self.node, name)?;
        Some(self.engine.watch(use_id, node))
    }
}

impl Resolver for EngineNames<'_> {
    fn writes(&mut self, name: &str) -> Option<Slot> {
        let definition = self.engine.uses[self.use_id.index()].definition;
        let declared = self.engine.declares(definition, name);
        Some(self.engine.world.board.slot(definition, name, declared))
    }

    fn target(&mut self, field: &str, text: &str) -> Option<(u32, NodeId)> {
        let (use_id, node) = self.engine.follow(self.use_id, self.node, field, text)?;
        Some((use_id.0, node))
    }

    fn expression_error(&mut self, _field: &str, _text: &str, _error: ExpressionError) {
        // The checker reports it; when it is evaluated, the step fails with the reason.
    }

    fn bind(&mut self, expression: &mut Expression) -> Result<(), ExpressionError> {
        self.engine.bind_expression(self.use_id, self.node, expression)
    }
}
