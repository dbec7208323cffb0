//! What a skill says of a value that it takes or gives: the form of a use, and what is told of a value that does not fit.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use crate::schema::validate_named;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    Number,
    Text,
    Truth,
    /// One of the skill's own words.
    Choice,
    Pose,
    /// The name of one.
    Frame,
    List,
}

/// All of it may be left out: then anything fits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wanted {
    /// What people read; else the name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ValueKind>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
}

impl Wanted {
    /// As keys of a file.
    pub(crate) const KEYS: [&'static str; 5] = ["title", "kind", "choices", "minimum", "maximum"];

    /// What it says, else what a value says that stands for all others.
    pub fn kind_or_of(&self, default: Option<&Json>) -> Option<ValueKind> {
        if self.kind.is_none() && !self.choices.is_empty() {
            return Some(ValueKind::Choice);
        }
        self.kind.or_else(|| match default? {
            Json::Bool(_) => Some(ValueKind::Truth),
            Json::Number(_) => Some(ValueKind::Number),
            Json::String(_) => Some(ValueKind::Text),
            Json::Array(_) => Some(ValueKind::List),
            Json::Null | Json::Object(_) => None,
        })
    }

    /// For a form, and for whoever judges a value.
    pub fn schema(&self, unit: &str, notes: &str, default: Option<&Json>) -> Json {
        let mut schema = match self.kind_or_of(default) {
            Some(ValueKind::Number) => json!({"type": "number"}),
            Some(ValueKind::Text) => json!({"type": "string"}),
            Some(ValueKind::Truth) => json!({"type": "boolean"}),
            Some(ValueKind::Choice) => json!({"type": "string", "enum": self.choices}),
            Some(ValueKind::Pose) => pose(),
            Some(ValueKind::Frame) => json!({"type": "string", "format": "frame"}),
            Some(ValueKind::List) => json!({"type": "array"}),
            None => json!({}),
        };
        let Some(entries) = schema.as_object_mut() else { return schema };
        let mut add = |key: &str, value: Option<Json>| {
            if let Some(value) = value {
                entries.insert(key.to_owned(), value);
            }
        };
        add("title", (!self.title.is_empty()).then(|| self.title.as_str().into()));
        add("description", (!notes.is_empty()).then(|| notes.into()));
        add("x-unit", (!unit.is_empty()).then(|| unit.into()));
        add("minimum", self.minimum.map(Json::from));
        add("maximum", self.maximum.map(Json::from));
        add("default", default.cloned());
        schema
    }

    /// What is wrong with a value, by the name of what it is for.
    pub fn wrong(&self, name: &str, unit: &str, value: &Json) -> Vec<String> {
        let schema = self.schema(unit, "", None);
        validate_named(name, &schema, &schema, value)
    }
}

fn pose() -> Json {
    let lengths = ["x_m", "y_m", "z_m"].map(|key| (key, "m"));
    let angles = ["roll_deg", "pitch_deg", "yaw_deg"].map(|key| (key, "deg"));
    let entry = |(key, unit): (&str, &str)| (key.to_owned(), json!({"type": "number", "default": 0, "x-unit": unit}));
    let mut properties: Map<String, Json> = lengths.into_iter().chain(angles).map(entry).collect();
    properties.insert("frame".to_owned(), json!({"type": "string", "format": "frame"}));
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_told() {
        let side = Wanted { choices: vec!["left".into(), "right".into()], ..Wanted::default() };
        assert!(side.wrong("side", "", &json!("left")).is_empty());
        assert_eq!(side.wrong("side", "", &json!("middle")).len(), 1);
        let far = Wanted { kind: Some(ValueKind::Number), minimum: Some(0.0), maximum: Some(2.0), ..Wanted::default() };
        assert!(far.wrong("far", "m", &json!(1.5)).is_empty());
        assert!(far.wrong("far", "m", &json!(3))[0].contains("at most 2 m"), "{:?}", far.wrong("far", "m", &json!(3)));
        assert_eq!(far.wrong("far", "m", &json!("a")).len(), 1);
        let spot = Wanted { kind: Some(ValueKind::Pose), ..Wanted::default() };
        assert!(spot.wrong("spot", "", &json!({"x_m": 1, "frame": "door"})).is_empty());
        assert_eq!(spot.wrong("spot", "", &json!({"x": 1})).len(), 1);
        assert!(Wanted::default().wrong("any", "", &json!([1, "a"])).is_empty());
    }
}
