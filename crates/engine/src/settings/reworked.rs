//! The settings that a rework leaves, as an author would have written them.

use model::{Field, Fields, Node};
use serde_json::Value as Json;

use super::texts::setting;
use crate::Cannot;
use crate::types::{Registry, Rework};

impl Registry {
    /// The settings of a node after a rework: only what it changes is other than before. None: its type has nothing to
    /// rework.
    pub fn reworked(&self, node: &Node, rework: &Rework<'_>) -> Result<Option<Fields>, Cannot> {
        let (after, before) = (self.rework(node, rework)?, self.settings(node)?);
        let (Some(Json::Object(after)), Some(Json::Object(before))) = (after, before) else { return Ok(None) };
        let mut fields = node.fields.clone();
        let keys = before.keys().chain(after.keys().filter(|key| !before.contains_key(*key)));
        for key in keys.filter(|key| before.get(*key) != after.get(*key)) {
            let default = setting(self.catalogue(), &node.kind, key).map(|(info, _)| &info.default);
            match after.get(key).filter(|value| Some(*value) != default) {
                None => drop(fields.remove(key)),
                Some(value) => {
                    let written = node.fields.get(key).map(Field::to_json);
                    put(&mut fields, key, Field::from_json(as_written(value, written.as_ref())));
                }
            }
        }
        Ok(Some(fields))
    }
}

/// Numbers as the author wrote them where they are the same, else as people write them: `1`, not `1.0`.
fn as_written(value: &Json, written: Option<&Json>) -> Json {
    const LARGEST_WHOLE: f64 = 1e15;
    match value {
        Json::Number(number) => match number.as_f64() {
            same if written.is_some_and(|written| written.is_number() && written.as_f64() == same) => {
                written.cloned().unwrap_or_default()
            }
            Some(whole) if whole.fract() == 0.0 && whole.abs() < LARGEST_WHOLE => Json::from(whole as i64),
            _ => value.clone(),
        },
        Json::Array(items) => {
            let of = |at: usize| written.and_then(|written| written.get(at));
            items.iter().enumerate().map(|(at, item)| as_written(item, of(at))).collect()
        }
        Json::Object(entries) => {
            let of = |key: &str| written.and_then(|written| written.get(key));
            entries.iter().map(|(key, value)| (key.clone(), as_written(value, of(key)))).collect()
        }
        _ => value.clone(),
    }
}

pub(crate) fn put(fields: &mut Fields, key: &str, value: Field) {
    match fields.get_mut(key) {
        Some(field) => *field = value,
        None => fields.push(key.into(), value),
    }
}
