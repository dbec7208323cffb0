//! A small blackboard for the tests.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::collections::BTreeMap;

use expression::{Env, Expression, Names, Query, Slot};
use model::Value;

/// Variables by name; one without a value is declared but unset.
#[derive(Default)]
pub struct World {
    variables: BTreeMap<&'static str, (u32, Option<Value>)>,
    texts: BTreeMap<&'static str, std::sync::Arc<str>>,
}

impl World {
    pub fn set(mut self, name: &'static str, value: impl Into<Value>) -> World {
        let slot = self.variables.len() as u32;
        self.variables.insert(name, (slot, Some(value.into())));
        self
    }

    pub fn stands_for(mut self, name: &'static str, text: &str) -> World {
        self.texts.insert(name, text.into());
        self
    }

    pub fn declare(mut self, name: &'static str) -> World {
        let slot = self.variables.len() as u32;
        self.variables.insert(name, (slot, None));
        self
    }

    /// What an expression gives here, as JSON, or what it complains of.
    pub fn run(&mut self, text: &str) -> String {
        let mut expression = Expression::new(text);
        if let Err(error) = expression.bind(self) {
            return format!("{}: {error}", error.column);
        }
        match expression.value(self) {
            Ok(value) => value.to_json().to_string(),
            Err(error) => error.to_string(),
        }
    }
}

pub fn sample() -> World {
    let items = Value::List([Value::from(1.0), Value::from("two"), Value::from(true)].into());
    let entries = [("slot".into(), Value::from(4.0)), ("name".into(), Value::from("tray"))];
    let tray = Value::Map(std::sync::Arc::new(entries.into_iter().collect()));
    World::default()
        .set("x", 3.0)
        .set("s", "go")
        .set("ok", true)
        .set("items", items)
        .set("tray", tray)
        .set("T1.slot", 7.0)
        .set("huge", 1e308)
        .declare("speed")
}

impl Names for World {
    fn definition(&mut self, name: &str) -> Option<std::sync::Arc<str>> {
        self.texts.get(name).cloned()
    }

    fn variable(&mut self, name: &str) -> Option<Slot> {
        self.variables.get(name).map(|(slot, _)| Slot(*slot))
    }

    fn token(&mut self, name: &str) -> u32 {
        u32::from(name == "left_hand")
    }

    fn node(&mut self, name: &str) -> Option<u32> {
        (name == "scan").then_some(9)
    }
}

impl Env for World {
    fn ask(&self, query: Query, about: &[Value]) -> Result<Value, String> {
        match (query, about) {
            (Query::Has, [Value::Text(what)]) => Ok(Value::from(**what == *"neck")),
            (Query::Reach, [Value::Text(_)]) => Ok(Value::from(0.6)),
            (Query::Size, [Value::Text(_)]) => {
                Ok(Value::Map(std::sync::Arc::new([("width_m".into(), Value::from(0.9))].into())))
            }
            _ => Err("nobody knows".into()),
        }
    }

    fn distance_m(&self, a: &str, b: &str) -> Result<f64, String> {
        if [a, b] == ["a", "b"] { Ok(0.5) } else { Err(format!("`{a}` or `{b}` is nowhere")) }
    }

    fn points(&self, frame: &str, radius_m: f64) -> Result<usize, String> {
        if frame == "frame" { Ok((120.0 * radius_m) as usize) } else { Err(format!("`{frame}` is nowhere")) }
    }

    fn variable(&self, slot: Slot) -> Option<&Value> {
        self.variables.values().find(|(known, _)| *known == slot.0).and_then(|(_, value)| value.as_ref())
    }

    fn is_free(&self, token: u32) -> bool {
        token == 1
    }

    fn outcome(&self, node: u32) -> &str {
        if node == 9 { "found" } else { "" }
    }

    fn result(&self, node: u32) -> &'static str {
        if node == 9 { "success" } else { "" }
    }

    fn time_s(&self) -> f64 {
        12.5
    }

    fn random(&self) -> f64 {
        0.25
    }
}
