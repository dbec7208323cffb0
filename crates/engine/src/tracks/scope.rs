//! What a skill declares and how a use maps it: copied in at the start, copied out at the end.

use std::sync::Arc;

use expression::{Expression, Slot};
use model::{DefinitionId, Field, Fields, Input, Value};
use rustc_hash::FxHashSet;
use serde_json::Value as Json;

use crate::Cannot;
use crate::door::InstanceId;
use crate::engine::{Engine, Options};
use crate::ids::UseId;
use crate::world::Update;

type NamedInput = Arc<(Arc<str>, Input)>;

/// The mapping of one use, with names resolved.
pub(crate) struct Interface {
    /// Own variables and the value each start gives them.
    pub initial: Vec<(Slot, Option<Value>)>,
    pub inputs: Vec<(Slot, Given, NamedInput)>,
    /// Slot in the skill, slot in the caller.
    pub outputs: Vec<(Slot, Slot)>,
}

pub(crate) enum Given {
    Literal(Value),
    Expression(Expression),
    Missing(Arc<str>),
}

impl Engine {
    pub(crate) fn declare_main_variables(&mut self, options: &Options) {
        let scope = self.uses[0].scope;
        for (slot, value) in self.initial_values(model::Library::MAIN) {
            self.world.begin_with(scope, slot, value);
        }
        for (name, value) in &options.set {
            let slot = self.world.board.slot(model::Library::MAIN, name, self.declares(model::Library::MAIN, name));
            self.world.begin_with(scope, slot, Some(value.clone()));
        }
    }

    /// Names a file declares are its own even where the world has one of that name.
    pub(crate) fn declares(&self, definition: DefinitionId, name: &str) -> bool {
        let header = &self.library.get(definition).header;
        header.inputs.iter().any(|(own, _)| &**own == name)
            || header.outputs.iter().any(|(own, _)| &**own == name)
            || header.variables.iter().any(|(own, _)| &**own == name)
    }

    fn initial_values(&mut self, definition: DefinitionId) -> Vec<(Slot, Option<Value>)> {
        let header = &self.library.get(definition).header;
        let inputs =
            header.inputs.iter().map(|(name, input)| (name.clone(), input.default.as_ref().and_then(Value::from_json)));
        let outputs = header.outputs.iter().map(|(name, _)| (name.clone(), None));
        let variables = header.variables.iter().map(|(name, value)| (name.clone(), Value::from_json(value)));
        let mut seen = FxHashSet::default();
        let all: Vec<_> =
            variables.chain(inputs).chain(outputs).filter(|(name, _)| seen.insert(name.clone())).collect();
        all.into_iter().map(|(name, value)| (self.world.board.slot(definition, &name, true), value)).collect()
    }

    /// A variable that was declared while the tree runs has its first value at once; others keep theirs.
    pub(crate) fn give_first_values(&mut self, use_id: UseId) {
        let (definition, scope) = (self.uses[use_id.index()].definition, self.uses[use_id.index()].scope);
        for (slot, value) in self.initial_values(definition) {
            if self.world.board.get(scope, slot).is_none() {
                self.world.set_now(scope, slot, value, None);
            }
        }
    }

    /// Reads what the using node maps; `inner` is the use it opens.
    pub(super) fn interface_of(&mut self, caller: UseId, fields: &Fields, inner: DefinitionId) -> Interface {
        let initial = self.initial_values(inner);
        let header = self.library.get(inner).header.clone();
        let given = object(fields.get("inputs"));
        let mut inputs = Vec::new();
        for (name, input) in &header.inputs {
            let slot = self.world.board.slot(inner, name, true);
            let value = match given.iter().find(|(key, _)| *key == **name).map(|(_, json)| json) {
                Some(Json::String(text)) => Given::Expression(self.bound(caller, text)),
                Some(json) => Value::from_json(json).map_or(Given::Missing(name.clone()), Given::Literal),
                None if input.default.is_some() => continue,
                None => Given::Missing(name.clone()),
            };
            inputs.push((slot, value, Arc::new((name.clone(), input.clone()))));
        }
        let outer = self.uses[caller.index()].definition;
        let mut outputs = Vec::new();
        for (name, json) in object(fields.get("outputs")) {
            let (Some(variable), true) = (json.as_str(), header.outputs.iter().any(|(own, _)| **own == name)) else {
                continue;
            };
            let from = self.world.board.slot(inner, &name, true);
            let declared = self.declares(outer, variable);
            outputs.push((from, self.world.board.slot(outer, variable, declared)));
        }
        Interface { initial, inputs, outputs }
    }

    fn bound(&mut self, use_id: UseId, text: &str) -> Expression {
        let mut expression = Expression::new(text);
        let node = self.library.get(self.uses[use_id.index()].definition).root;
        // What cannot be bound fails when it is evaluated, with the reason; the checker reports it before.
        let _ = self.bind_expression(use_id, node, &mut expression);
        expression
    }

    /// Gives the scope its values: those of a fresh start, then the inputs. The error: all that it does not take.
    pub(crate) fn open_scope(&mut self, inner: UseId, by: InstanceId) -> Result<(), Vec<Cannot>> {
        let Some(interface) = self.uses[inner.index()].interface.clone() else { return Ok(()) };
        let scope = self.uses[inner.index()].scope;
        let caller = self.uses[inner.index()].parent.expect("a skill is used by somebody");
        let caller_scope = self.uses[caller.index()].scope;
        for (slot, value) in &interface.initial {
            self.world.set_now(scope, *slot, value.clone(), Some(by));
        }
        let mut wrong = Vec::new();
        for (slot, given, declared) in &interface.inputs {
            let value = match given {
                Given::Literal(value) => Ok(value.clone()),
                Given::Expression(expression) => {
                    let why_of = |why| Cannot::ValueOf {
                        place: declared.0.to_string(),
                        text: expression.text().into(),
                        why: Box::new(why),
                    };
                    self.world.value(caller_scope, expression).map_err(why_of)
                }
                Given::Missing(name) => Err(Cannot::InputMissing { name: name.clone() }),
            };
            let (name, input) = &**declared;
            let fitting = value.and_then(|value| match input.wrong(name, &value.to_json()).into_iter().next() {
                Some(wrong) => Err(Cannot::WrongValue { wrong: wrong.into() }),
                None => Ok(value),
            });
            match fitting {
                Ok(value) => self.world.set_now(scope, *slot, Some(value), Some(by)),
                // What it will be is not known before it runs.
                Err(why) if self.world.dry => self.world.warn(by, why),
                Err(why) => wrong.push(why),
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// Queues the outputs; true if there were any.
    pub(crate) fn close_scope(&mut self, inner: UseId, by: InstanceId) -> bool {
        let Some(interface) = self.uses[inner.index()].interface.clone() else { return false };
        let scope = self.uses[inner.index()].scope;
        let caller = self.uses[inner.index()].parent.expect("a skill is used by somebody");
        let caller_scope = self.uses[caller.index()].scope;
        let mut any = false;
        for (from, to) in &interface.outputs {
            if let Some(value) = self.world.board.latest(scope, *from).cloned() {
                self.world.board.queue.push(Update { scope: caller_scope, slot: *to, value: Some(value), by });
                any = true;
            }
        }
        any
    }
}

fn object(field: Option<&Field>) -> Vec<(String, Json)> {
    match field {
        Some(Field::Json(json)) => match &**json {
            Json::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
