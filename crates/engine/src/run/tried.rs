//! What a composite that tries one way after another asks and does beside running its branches.

use std::sync::Arc;

use experience::{Batch, Line};
use expression::Expression;
use model::Value;

use super::children::Children;
use crate::door::{RunFact, Told};
use crate::tracks::{Body, BranchState};
use crate::types::Variable;
use crate::world::Update;
use crate::{Cannot, Halt, Verdict};

impl Children<'_> {
    /// The settings of a child, where its type lets the composite around it ask for them.
    pub fn settings<T: 'static>(&self, index: usize) -> Option<&T> {
        let branch = self.engine.step(self.step).composite()?.branches.get(index)?;
        branch.settings.as_ref()?.downcast_ref()
    }

    #[inline]
    pub fn value(&self, expression: &Expression) -> Result<Value, Cannot> {
        self.engine.world.value(self.engine.step(self.step).scope, expression)
    }

    /// Without what a dry run makes of it.
    #[inline]
    pub fn judge(&self, condition: &Expression) -> Result<bool, Cannot> {
        self.engine.world.holds(self.engine.step(self.step).scope, condition)
    }

    /// Nothing is felt and nothing is learned: what is tried is taken to end well.
    pub fn is_preview(&self) -> bool {
        self.engine.world.preview || self.engine.world.dry
    }

    /// An edit takes its effects: no condition is asked, and no time passes.
    pub fn is_edited_now(&self) -> bool {
        self.engine.is_aftermath()
    }

    /// Stands still in a pause.
    pub fn active_ns(&self) -> i64 {
        self.engine.world.active_ns
    }

    /// Halts what runs in a branch. True: it has come to rest, and can be run anew.
    pub fn halt(&mut self, index: usize) -> bool {
        let track = self.track(index);
        let rests = if self.engine.is_aftermath() {
            self.engine.track(track).running.is_empty()
        } else {
            self.engine.halt_track(track) == Halt::Done
        };
        if rests {
            self.engine.end_track(track, Verdict::Halted);
            if let Some(branch) = self.branch_mut(index) {
                branch.state = BranchState::Idle;
            }
        }
        rests
    }

    /// Visible in the next tick.
    pub fn set(&mut self, variable: &Variable, value: Value) {
        if let Some(slot) = variable.slot() {
            let (scope, by) = (self.engine.step(self.step).scope, self.engine.step(self.step).instance);
            self.engine.world.board.queue.push(Update { scope, slot, value: Some(value), by });
        }
    }

    pub fn warn(&mut self, text: String) {
        let instance = self.engine.step(self.step).instance;
        self.engine.world.warn(instance, text);
    }

    pub fn tell(&mut self, fact: RunFact) {
        let instance = self.engine.step(self.step).instance;
        self.engine.world.tell(Some(instance), Told::Run(fact));
    }

    /// What the robot is called; empty: there is none.
    pub fn robot(&self) -> Arc<str> {
        self.engine.world.body.as_ref().map_or_else(|| "".into(), |body| body.robot().name.as_str().into())
    }

    /// What the steps of a branch take one behind the other if nothing goes wrong, as far as that is known.
    pub fn expected_s(&self, index: usize) -> f64 {
        let steps = self.engine.track(self.track(index)).entries.iter();
        let known = steps.filter_map(|step| match &self.engine.step(*step).body {
            Body::Step(body) => body.expected_s(),
            _ => None,
        });
        known.sum()
    }

    /// What attempts at a task have shown; true: in this run.
    pub fn remembered<'c>(&'c self, task: &'c str) -> impl Iterator<Item = (&'c Batch, bool)> {
        self.engine.world.remembered.of(task)
    }

    /// It counts at once, and is stored unless a person forces something in this run.
    pub fn learn(&mut self, line: Line) {
        if self.engine.world.remembered.learn(&line) {
            self.engine.world.out.learned.push(line);
        }
    }
}
