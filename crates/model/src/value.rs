use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a blackboard variable holds. Numbers are finite doubles: an operation that leaves them is an error.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Bool(bool),
    Number(f64),
    Text(Arc<str>),
    List(Arc<[Value]>),
    Map(Arc<BTreeMap<Arc<str>, Value>>),
}

impl Value {
    pub fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// What people call this kind of value in messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }

    /// None for JSON `null`, which stands for "no value".
    pub fn from_json(json: &serde_json::Value) -> Option<Value> {
        use serde_json::Value as Json;
        Some(match json {
            Json::Null => return None,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => Value::Number(number.as_f64()?),
            Json::String(text) => Value::text(text),
            Json::Array(items) => Value::List(items.iter().filter_map(Value::from_json).collect()),
            Json::Object(entries) => Value::Map(Arc::new(
                entries
                    .iter()
                    .filter_map(|(key, value)| Some((key.as_str().into(), Value::from_json(value)?)))
                    .collect(),
            )),
        })
    }

    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match self {
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(number) => number_to_json(*number),
            Value::Text(text) => Json::String(text.to_string()),
            Value::List(items) => Json::Array(items.iter().map(Value::to_json).collect()),
            Value::Map(entries) => {
                Json::Object(entries.iter().map(|(key, value)| (key.to_string(), value.to_json())).collect())
            }
        }
    }
}

/// Whole numbers as people write them: `3`, not `3.0`.
fn number_to_json(number: f64) -> serde_json::Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        return serde_json::Value::from(number as i64);
    }
    serde_json::Number::from_f64(number).map_or(serde_json::Value::Null, serde_json::Value::Number)
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => write!(f, "{text}"),
            other => write!(f, "{}", other.to_json()),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = self.to_json();
        if serializer.is_human_readable() { json.serialize(serializer) } else { json.to_string().serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        // Packed forms do not say of what kind a thing is: there it is a text.
        let json = if deserializer.is_human_readable() {
            serde_json::Value::deserialize(deserializer)?
        } else {
            let text = String::deserialize(deserializer)?;
            serde_json::from_str(&text).map_err(serde::de::Error::custom)?
        };
        Value::from_json(&json).ok_or_else(|| serde::de::Error::custom("expected a value, found null"))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Number(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::text(value)
    }
}
