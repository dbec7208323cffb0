use std::sync::Arc;

use expression::Expression;
use model::Value;

use crate::bind::{Target, Token, Variable};
use crate::blackboard::Update;
use crate::input::{Asked, Sent};
use crate::record::NoteKind;
use crate::world::{At, World};

/// What a step may see and do in a tick. Everything it writes takes effect when the tick is over.
pub struct Context<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) at: At,
    pub(crate) effects: Effects,
}

/// What a tick asked of the engine.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub queued: bool,
    pub jump: Option<Box<Target>>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(world: &'a mut World, at: At) -> Context<'a> {
        Context { world, at, effects: Effects::default() }
    }

    pub fn time_ns(&self) -> i64 {
        self.world.time_ns
    }

    /// Since the step's start, pauses excluded.
    pub fn elapsed_ns(&self) -> i64 {
        self.world.active_ns - self.at.started_ns
    }

    pub fn holds(&self, condition: &Expression) -> Result<bool, String> {
        self.world.holds(self.at.scope, condition)
    }

    pub fn value(&self, expression: &Expression) -> Result<Value, String> {
        self.world.value(self.at.scope, expression)
    }

    /// Queues an update. The step then ends no earlier than the next tick, when the update is visible.
    pub fn set(&mut self, variable: &Variable, value: Value) {
        if let Some(slot) = variable.slot() {
            self.effects.queued = true;
            let update = Update { scope: self.at.scope, slot, value, by: self.at.instance };
            self.world.board.queue.push(update);
        }
    }

    /// Queues an output command.
    pub fn send(&mut self, command: Arc<str>, values: Vec<(Arc<str>, Value)>) {
        self.world.out.sent.push(Sent { command, values });
    }

    /// The commands of this name that arrived in this tick, in their order.
    pub fn received(&self, command: &str) -> impl Iterator<Item = &Sent> {
        self.world.received.iter().filter(move |sent| &*sent.command == command)
    }

    pub fn log(&mut self, text: String) {
        self.world.note(NoteKind::Log, Some(self.at.instance), text);
    }

    /// Says once that something is wrong that does not end the step.
    pub fn warn(&mut self, text: String) {
        self.world.note(NoteKind::Warning, Some(self.at.instance), text);
    }

    /// Makes a token that this step claims its track's.
    pub fn reserve(&mut self, token: &Token) {
        if let Some(token) = token.number() {
            self.world.claims.reserve(self.at.step, self.at.track, token);
        }
    }

    /// False if neither this track nor one around it had reserved it.
    pub fn relinquish(&mut self, token: &Token) -> bool {
        token.number().is_some_and(|token| self.world.claims.relinquish(self.at.track, token))
    }

    /// Moves next when the step has ended; the step fails if the target does not exist.
    pub fn jump(&mut self, target: &Target) {
        self.effects.jump = Some(Box::new(target.clone()));
    }

    /// An operator is there to answer.
    pub fn is_attended(&self) -> bool {
        self.world.attended
    }

    /// Shows a question and gives the answer once there is one.
    pub fn ask(&mut self, text: &str, options: &[String]) -> Option<Value> {
        let step = self.at.instance;
        if let Some(place) = self.world.answers.iter().position(|(to, _)| *to == step) {
            self.world.asked.retain(|asked| asked.step != step);
            return Some(self.world.answers.remove(place).1);
        }
        if !self.world.asked.iter().any(|asked| asked.step == step) {
            self.world.asked.push(Asked { step, text: text.to_owned(), options: options.to_vec() });
        }
        None
    }
}
