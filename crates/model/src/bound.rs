//! Settings that are values of the moment: `{"=": "expression"}` in place of a number, a text, a choice, a pose or a list.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::{Field, FieldInfo, Fields, NodeInfo, common_fields, common_schema};

/// What has a meaning beside its value is written out: names of what else is in the tree, conditions, what is written to.
const WRITTEN_OUT: [&str; 12] = [
    "expression",
    "node",
    "file",
    "variable",
    "token",
    "tokens",
    "assignments",
    "inputs",
    "outputs",
    "detectors",
    "command",
    "value",
];

/// The expression, if this stands for a value of the moment.
pub fn bound_text(json: &Json) -> Option<&str> {
    let entries = json.as_object().filter(|entries| entries.len() == 1)?;
    entries.get("=")?.as_str()
}

/// A setting of this schema may be a value of the moment.
pub fn may_be_bound(schema: &Json) -> bool {
    schema.get(FIXED).is_none()
}

const FIXED: &str = "x-fixed";

/// Says in a schema, and in all inside, what cannot be a value of the moment.
pub(crate) fn mark_fixed(schema: &mut Json) {
    match schema {
        Json::Array(items) => items.iter_mut().for_each(mark_fixed),
        Json::Object(entries) => {
            entries.values_mut().for_each(mark_fixed);
            let format = entries.get("format").and_then(Json::as_str);
            if format.is_some_and(|format| WRITTEN_OUT.contains(&format)) {
                entries.insert(FIXED.to_owned(), Json::Bool(true));
            }
        }
        _ => {}
    }
}

/// Where a setting has a value of the moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    pub field: Arc<str>,
    /// Inside the field, as JSON pointers say it; empty: the whole of it.
    pub pointer: Box<str>,
    pub text: Box<str>,
}

impl Bound {
    /// What people call the place.
    pub fn place(&self) -> String {
        format!("{}{}", self.field, self.pointer.replace('/', "."))
    }
}

/// What may stand in a place of the settings.
#[derive(Clone, Debug, PartialEq)]
pub enum Fits {
    Number,
    WholeNumber,
    Choice(Vec<Json>),
    /// With its format.
    Text(Option<String>),
    /// A pose, a list, or what else has parts.
    Parts,
}

impl Bound {
    pub fn fits(&self, info: &NodeInfo) -> Fits {
        let found = info_of(info, &self.field);
        let inner = found.and_then(|(root, known)| Some((root, inner_schema(root, &known.schema, &self.pointer)?)));
        inner.map_or(Fits::Parts, |(root, schema)| fits(root, schema))
    }
}

fn fits(root: &Json, schema: &Json) -> Fits {
    let schema = followed(root, schema);
    if let Some(choices) = crate::schema::options(schema) {
        return Fits::Choice(choices.into_iter().cloned().collect());
    }
    let is_null = |schema: &&Json| schema.get("type").and_then(Json::as_str) == Some("null");
    let mut forms = ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    if let Some(form) = forms.find(|form| !is_null(form)) {
        return fits(root, form);
    }
    match crate::schema::types(schema).into_iter().find(|name| *name != "null") {
        Some("number") => Fits::Number,
        Some("integer") => Fits::WholeNumber,
        Some("boolean") => Fits::Choice(vec![Json::Bool(false), Json::Bool(true)]),
        Some("string") => Fits::Text(schema.get("format").and_then(Json::as_str).map(str::to_owned)),
        _ => Fits::Parts,
    }
}

/// A setting of a node type, or one of every node.
fn info_of<'a>(info: &'a NodeInfo, key: &str) -> Option<(&'a Json, &'a FieldInfo)> {
    let own = info.field(key).map(|field| (&info.schema, field));
    own.or_else(|| common_fields().iter().find(|field| field.name == key).map(|field| (common_schema(), field)))
}

impl NodeInfo {
    /// What may be written in the place of a value of the moment. Where it has several forms, those of the whole.
    pub fn schema_at(&self, place: &Bound) -> Option<Json> {
        let (root, known) = info_of(self, &place.field)?;
        let inner = inner_schema(root, &known.schema, &place.pointer)?;
        Some(followed(root, inner).clone())
    }
}

impl Fields {
    /// The values of the moment among the settings that a type has.
    pub fn bound(&self, info: &NodeInfo) -> Vec<Bound> {
        let mut found = Vec::new();
        for (key, field) in self.iter() {
            if let Field::Json(json) = field
                && info_of(info, key).is_some_and(|(_, known)| may_be_bound(&known.schema))
            {
                find(key, json, &mut String::new(), &mut found);
            }
        }
        found
    }

    /// With what the expressions gave, in the order of [`Fields::bound`].
    pub fn with_values(&self, bound: &[Bound], values: impl Iterator<Item = Json>) -> Fields {
        let mut fields = self.clone();
        for (place, value) in bound.iter().zip(values) {
            let Some(field) = fields.get_mut(&place.field) else { continue };
            if place.pointer.is_empty() {
                *field = Field::from_json(value);
            } else if let Field::Json(json) = field
                && let Some(inside) = json.pointer_mut(&place.pointer)
            {
                *inside = value;
            }
        }
        fields
    }

    /// With something that fits in place of each value of the moment: for who asks before it is known.
    pub fn with_samples(&self, bound: &[Bound], info: &NodeInfo) -> Fields {
        let mut fields = self.clone();
        for place in bound {
            let Some((root, known)) = info_of(info, &place.field) else { continue };
            if place.pointer.is_empty() {
                fields.remove(&place.field);
                if is_required(root, &place.field) {
                    fields.push(place.field.clone(), Field::from_json(sample(root, &known.schema)));
                }
            } else if let Some(Field::Json(json)) = fields.get_mut(&place.field)
                && let Some(inside) = json.pointer_mut(&place.pointer)
            {
                *inside = inner_schema(root, &known.schema, &place.pointer).map_or(Json::Null, |of| sample(root, of));
            }
        }
        fields
    }

    /// What is wrong with the settings that have a value of the moment, now that it is known.
    pub fn wrong_values(&self, bound: &[Bound], info: &NodeInfo) -> Vec<String> {
        let mut found = Vec::new();
        let mut last: Option<&str> = None;
        for place in bound.iter().filter(|place| last.replace(&place.field) != Some(&*place.field)) {
            if let (Some((root, known)), Some(field)) = (info_of(info, &place.field), self.get(&place.field)) {
                found.extend(crate::schema::validate_named(&place.field, root, &known.schema, &field.to_json()));
            }
        }
        found
    }
}

fn find(key: &Arc<str>, json: &Json, pointer: &mut String, found: &mut Vec<Bound>) {
    if let Some(text) = bound_text(json) {
        return found.push(Bound { field: key.clone(), pointer: pointer.as_str().into(), text: text.into() });
    }
    let length = pointer.len();
    let mut go_on = |name: &str, inside: &Json| {
        pointer.push('/');
        pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        find(key, inside, pointer, found);
        pointer.truncate(length);
    };
    match json {
        Json::Array(items) => items.iter().enumerate().for_each(|(index, item)| go_on(&index.to_string(), item)),
        Json::Object(entries) => entries.iter().for_each(|(name, entry)| go_on(name, entry)),
        _ => {}
    }
}

fn is_required(root: &Json, key: &str) -> bool {
    let required = root.get("required").and_then(Json::as_array).into_iter().flatten();
    required.filter_map(Json::as_str).any(|name| name == key)
}

fn followed<'a>(root: &'a Json, schema: &'a Json) -> &'a Json {
    let target = schema.get("$ref").and_then(Json::as_str).and_then(|path| root.pointer(path.strip_prefix('#')?));
    target.unwrap_or(schema)
}

/// Of several forms the first that has what is asked for.
fn inner_schema<'a>(root: &'a Json, schema: &'a Json, pointer: &str) -> Option<&'a Json> {
    let schema = followed(root, schema);
    let Some(rest) = pointer.strip_prefix('/') else { return Some(schema) };
    let (name, behind) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let own = || schema.get("properties").and_then(|properties| properties.get(name));
    let of_entry = || own().or_else(|| schema.get("additionalProperties"));
    let of_item = || {
        let index: usize = name.parse().ok()?;
        schema.get("prefixItems").and_then(|items| items.get(index)).or_else(|| schema.get("items"))
    };
    if let Some(inner) = of_entry().or_else(of_item).filter(|inner| !inner.is_boolean()) {
        return inner_schema(root, inner, behind);
    }
    let forms = ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    forms.into_iter().find_map(|form| inner_schema(root, form, pointer))
}

fn sample(root: &Json, schema: &Json) -> Json {
    let schema = followed(root, schema);
    if let Some(default) = schema.get("default").filter(|default| !default.is_null()) {
        return default.clone();
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(first) = schema.get("enum").and_then(|options| options.get(0)) {
        return first.clone();
    }
    let forms = ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema.get(key)?.get(0)).next();
    if let Some(first) = forms {
        return sample(root, first);
    }
    let kind = match schema.get("type") {
        Some(Json::Array(kinds)) => kinds.first().and_then(Json::as_str),
        other => other.and_then(Json::as_str),
    };
    let bound = |key: &str| schema.get(key).and_then(Json::as_f64);
    match kind {
        Some("boolean") => Json::Bool(false),
        Some("string") => Json::String(String::new()),
        Some("array") => {
            let least = schema.get("minItems").and_then(Json::as_u64).unwrap_or(0);
            let item = || schema.get("items").map_or(Json::Null, |of| sample(root, of));
            Json::Array((0..least).map(|_| item()).collect())
        }
        Some("object") => Json::Object(serde_json::Map::new()),
        Some("integer") => Json::from(bound("minimum").unwrap_or(0.0).max(0.0) as i64),
        Some("number") => {
            let least = bound("minimum").or(bound("exclusiveMinimum")).unwrap_or(f64::NEG_INFINITY);
            let most = bound("maximum").or(bound("exclusiveMaximum")).unwrap_or(f64::INFINITY);
            let middle = if least.is_finite() && most.is_finite() { (least + most) / 2.0 } else { 0.0 };
            Json::from(middle.max(if bound("exclusiveMinimum").is_some() { least + 1e-3 } else { least }).min(most))
        }
        _ => Json::Null,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(json: Json) -> Fields {
        let mut fields = Fields::default();
        for (key, value) in json.as_object().expect("an object") {
            fields.push(key.as_str().into(), Field::from_json(value.clone()));
        }
        fields
    }

    #[test]
    fn what_is_bound_and_what_is_not() {
        assert_eq!(bound_text(&json!({"=": "a + 1"})), Some("a + 1"));
        assert_eq!(bound_text(&json!({"=": 1})), None);
        assert_eq!(bound_text(&json!({"=": "a", "unit": "m"})), None);
        assert!(may_be_bound(&json!({"type": "number"})));
        let mut schema =
            json!({"properties": {"to": {"type": "string", "format": "variable"}, "far_m": {"type": "number"}}});
        mark_fixed(&mut schema);
        assert!(!may_be_bound(&schema["properties"]["to"]));
        assert!(may_be_bound(&schema["properties"]["far_m"]));
    }

    #[test]
    fn values_are_found_and_put_into_their_places() {
        let mut found = Vec::new();
        let pose = json!({"position": {"x": {"=": "far_m"}, "y/~": [0, {"=": "b"}]}});
        find(&"goal".into(), &pose, &mut String::new(), &mut found);
        let places: Vec<_> = found.iter().map(|bound| (&*bound.pointer, &*bound.text)).collect();
        assert_eq!(places, [("/position/x", "far_m"), ("/position/y~1~0/1", "b")]);
        let set = fields(json!({"goal": pose})).with_values(&found, [json!(2), json!(3)].into_iter());
        let goal = set.get("goal").map(Field::to_json);
        assert_eq!(goal, Some(json!({"position": {"x": 2, "y/~": [0, 3]}})));
    }

    #[test]
    fn what_fits_in_a_place() {
        let schema = json!({"type": "object", "properties": {
            "map": {"type": "object", "additionalProperties": {"type": "number"}},
            "list": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
            "side": {"enum": ["left", "right"]}, "frame": {"type": "string", "format": "frame"},
            "pose": {"type": "object", "properties": {"x_m": {"type": "number"}}}}});
        for (pointer, wanted) in [
            ("/map/elbow", Fits::Number),
            ("/list/0", Fits::WholeNumber),
            ("/side", Fits::Choice(vec![json!("left"), json!("right")])),
            ("/frame", Fits::Text(Some("frame".to_owned()))),
            ("/pose", Fits::Parts),
            ("/pose/x_m", Fits::Number),
        ] {
            let inner = inner_schema(&schema, &schema, pointer).expect("a schema");
            assert_eq!(fits(&schema, inner), wanted, "{pointer}");
        }
    }

    #[test]
    fn samples_lie_in_their_range() {
        for (schema, wanted) in [
            (json!({"type": "number", "minimum": 2.0}), json!(2.0)),
            (json!({"type": ["integer", "null"]}), json!(0)),
            (json!({"enum": ["left", "right"]}), json!("left")),
            (json!({"type": "array", "items": {"type": "number"}}), json!([])),
            (json!({"type": "array", "items": {"type": "number"}, "minItems": 2}), json!([0.0, 0.0])),
            (json!({"type": "number", "minimum": -4.0, "maximum": -2.0}), json!(-3.0)),
        ] {
            assert_eq!(sample(&Json::Null, &schema), wanted, "{schema}");
        }
    }
}
