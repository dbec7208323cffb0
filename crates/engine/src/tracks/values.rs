//! Settings that are values of the moment: evaluated when their step is about to be triggered, before its guards and claims
//! are asked, and fixed by its start. Each retry and each pass evaluates anew.

use std::sync::Arc;

use expression::Expression;
use model::{Bound, Fields, Value};

use crate::door::{InstanceId, RunFact, Told};
use crate::engine::Engine;
use crate::ids::{ScopeId, StepId, UseId};
use crate::world::World;
use crate::{Cannot, End};

/// Values by what people call their places.
type Known = Arc<[(Arc<str>, Value)]>;

/// The values of the moment among the settings of a step.
pub(crate) struct Values {
    /// As written, of the time at which the step was made: what runs keeps the settings it started with.
    fields: Fields,
    kind: Arc<str>,
    bound: Vec<Bound>,
    expressions: Vec<Expression>,
    /// Asking some of them twice is not asking once.
    by_chance: bool,
    /// What people call their places.
    places: Vec<Arc<str>>,
    /// What the body was made of, by their places; none: of samples.
    known: Option<Known>,
}

impl Values {
    /// Without a place to keep them: most values of most starts are those of the start before.
    pub fn are_as_known(&self, world: &World, scope: ScopeId) -> bool {
        let Some(known) = &self.known else { return false };
        // Chance gives another value each time it is asked.
        !self.by_chance
            && self
                .expressions
                .iter()
                .zip(known.iter())
                .all(|(expression, (_, known))| world.gives(scope, expression, known))
    }

    /// What a step starts with is part of the record.
    pub fn record(&self, world: &mut World, step: InstanceId) {
        if let Some(known) = &self.known {
            world.tell(Some(step), Told::Run(RunFact::With { values: Arc::clone(known) }));
        }
    }
}

impl Engine {
    /// The settings with samples in place of values of the moment, and what those are.
    pub(super) fn settled(
        &mut self,
        (use_id, node): (UseId, model::NodeId),
        kind: &Arc<str>,
        fields: Fields,
    ) -> (Fields, Option<Box<Values>>) {
        let registry = Arc::clone(&self.registry);
        let Some(entry) = registry.get(kind) else { return (fields, None) };
        let bound = fields.bound(&entry.info);
        if bound.is_empty() {
            return (fields, None);
        }
        let samples = fields.with_samples(&bound, &entry.info);
        let expression = |place: &Bound| {
            let mut expression = Expression::new(&self.text_on_its_side(use_id, &place.text));
            // Unbound, it gives its error when the step is about to start.
            let _ = self.bind_expression(use_id, node, &mut expression);
            expression
        };
        let expressions: Vec<Expression> = bound.iter().map(expression).collect();
        let by_chance = expressions.iter().any(Expression::asks_chance);
        let places = bound.iter().map(|place| place.place().into()).collect();
        (
            samples,
            Some(Box::new(Values { fields, kind: kind.clone(), bound, expressions, by_chance, places, known: None })),
        )
    }

    /// Makes the body of a step that is about to start of what its expressions give now. The end: it cannot start.
    pub(crate) fn take_values(&mut self, id: StepId) -> Result<(), End> {
        let Some(fields) = self.fields_of_now(id)? else { return Ok(()) };
        let Some(kind) = self.values(id).map(|values| values.kind.clone()) else { return Ok(()) };
        self.make_body_of(id, &kind, &fields);
        self.take_side(id, &kind, &fields);
        Ok(())
    }

    /// The same between two attempts: what the step claims stays as it was at its start.
    pub(crate) fn take_values_again(&mut self, id: StepId) -> Result<(), End> {
        let Some(fields) = self.fields_of_now(id)? else { return Ok(()) };
        let Some(kind) = self.values(id).map(|values| values.kind.clone()) else { return Ok(()) };
        let step = self.step(id);
        let claimed = step.extra.as_ref().map(|extra| extra.claims.clone()).unwrap_or_default();
        let (plan, mut claims) = self.plan_of(step.use_id, step.node, &kind, &fields);
        let (use_id, node) = (self.step(id).use_id, self.step(id).node);
        let claims = self.extra_of(use_id, node, &fields, &mut claims).map(|extra| extra.claims).unwrap_or_default();
        if claims != claimed {
            return Err(Cannot::ClaimsChanged.into());
        }
        self.replace_body(id, plan);
        self.take_side(id, &kind, &fields);
        Ok(())
    }

    fn values(&self, id: StepId) -> Option<&Values> {
        self.step(id).values.as_deref()
    }

    /// None: they are as they were, and so is the body.
    fn fields_of_now(&mut self, id: StepId) -> Result<Option<Fields>, End> {
        let Some(values) = self.values(id) else { return Ok(None) };
        let scope = self.step(id).scope;
        if values.are_as_known(&self.world, scope) {
            return Ok(None);
        }
        let value = |(place, expression): (&Bound, &Expression)| {
            let value = self.world.value(scope, expression);
            value.map_err(|why| Cannot::ValueOf { place: place.place(), text: place.text.clone(), why: Box::new(why) })
        };
        let now: Result<Vec<Value>, Cannot> = values.bound.iter().zip(&values.expressions).map(value).collect();
        let now = match now {
            // What it will be is not known before it runs.
            Err(_) if self.world.dry => return Ok(None),
            now => now?,
        };
        if values.known.as_ref().is_some_and(|known| known.iter().map(|(_, value)| value).eq(&now)) {
            return Ok(None);
        }
        let fields = values.fields.with_values(&values.bound, now.iter().map(Value::to_json));
        if let Some(entry) = self.registry.get(&values.kind)
            && let Some(wrong) = fields.wrong_values(&values.bound, &entry.info).into_iter().next()
        {
            return Err(Cannot::WrongValue { wrong: wrong.into() }.into());
        }
        let fields = self.on_its_side((self.step(id).use_id, self.step(id).node), fields)?;
        if let Some(values) = &mut self.step_mut(id).values {
            values.known = Some(values.places.iter().cloned().zip(now).collect());
        }
        Ok(Some(fields))
    }

    /// See [`Values::record`].
    pub(crate) fn record_values(&mut self, id: StepId) {
        let step = &self.steps[id.index()];
        if let Some(values) = &step.values {
            values.record(&mut self.world, step.instance);
        }
    }

    /// It has values of the moment.
    pub(crate) fn has_values(&self, id: StepId) -> bool {
        self.step(id).values.is_some()
    }
}

impl From<Cannot> for End {
    fn from(why: Cannot) -> End {
        End::failure(why.to_string())
    }
}
