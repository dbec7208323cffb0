//! What an expression gives now, for somebody who looks at it while it is written: nothing is run, nothing is recorded.

use std::collections::BTreeMap;
use std::sync::Arc;

use expression::{Env, Expression, Names, Query, Slot};
use model::{Header, Value};

use super::super::body::{Body, Frames, PoseFrames, pose_frames_of};
use super::super::senses::Sense;
use super::of_body;
use crate::types::Cannot;

/// With the names of a file, the values its variables have and the robot as it is. What tokens and nodes do, time and
/// chance only a run knows.
pub fn evaluate(
    text: &str,
    header: &Header,
    values: &BTreeMap<String, Value>,
    body: Option<&Body>,
) -> Result<Value, String> {
    let mut known = Known { header, values, body, slots: Vec::new() };
    let mut expression = Expression::new(text);
    expression.bind(&mut known).map_err(|error| error.message)?;
    let knows_nothing_of = |names: Result<Vec<String>, _>| names.is_ok_and(|names: Vec<String>| !names.is_empty());
    if knows_nothing_of(expression.tokens()) || knows_nothing_of(expression.nodes()) {
        return Err(Cannot::OnlyARunKnows.to_string());
    }
    let poses = pose_frames_of(values.iter().map(|(name, value)| (name.as_str(), value)));
    let now = Now { values: known.slots, body, poses };
    expression.value(&now).map_err(|why| why.to_string())
}

struct Known<'k> {
    header: &'k Header,
    values: &'k BTreeMap<String, Value>,
    body: Option<&'k Body>,
    slots: Vec<Option<Value>>,
}

impl Known<'_> {
    fn slot(&mut self, value: Option<Value>) -> Slot {
        self.slots.push(value);
        Slot(self.slots.len() as u32 - 1)
    }

    fn is_declared(&self, name: &str) -> bool {
        let header = self.header;
        header.inputs.iter().any(|(own, _)| **own == *name)
            || header.outputs.iter().any(|(own, _)| **own == *name)
            || header.variables.iter().any(|(own, _)| **own == *name)
    }
}

impl Names for Known<'_> {
    fn definition(&mut self, name: &str) -> Option<Arc<str>> {
        self.header.let_of(name).cloned()
    }

    fn variable(&mut self, name: &str) -> Option<Slot> {
        if let Some(value) = self.values.get(name) {
            return Some(self.slot(Some(value.clone())));
        }
        let sense = self.body.and_then(|body| Some(Sense::named(body.robot(), name)?.value(body.state())));
        match sense {
            Some(value) => Some(self.slot(Some(value))),
            None => self.is_declared(name).then(|| self.slot(None)),
        }
    }

    fn token(&mut self, _: &str) -> u32 {
        0
    }

    fn node(&mut self, _: &str) -> Option<u32> {
        Some(0)
    }
}

struct Now<'n> {
    values: Vec<Option<Value>>,
    body: Option<&'n Body>,
    poses: PoseFrames,
}

impl Now<'_> {
    fn frames(&self) -> Result<Frames<'_>, Cannot> {
        let body = self.body.ok_or(Cannot::NoRobotToAsk)?;
        Ok(Frames { body, variables: &self.poses })
    }
}

impl Env for Now<'_> {
    fn variable(&self, slot: Slot) -> Option<&Value> {
        self.values.get(slot.0 as usize)?.as_ref()
    }

    fn is_free(&self, _: u32) -> bool {
        false
    }

    fn outcome(&self, _: u32) -> &str {
        ""
    }

    fn result(&self, _: u32) -> &'static str {
        ""
    }

    fn time_s(&self) -> f64 {
        f64::NAN
    }

    fn random(&self) -> f64 {
        f64::NAN
    }

    fn distance_m(&self, a: &str, b: &str) -> Result<f64, String> {
        let frames = self.frames()?;
        Ok((frames.world_from(a)?.translation_m() - frames.world_from(b)?.translation_m()).norm())
    }

    fn ask(&self, query: Query, about: &[Value]) -> Result<Value, String> {
        Ok(of_body(self.frames()?, query, about)?)
    }
}
