use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use crate::{Common, FieldInfo};

/// The schema of a settings type and its fields in order.
pub fn fields_of<T: JsonSchema + Serialize + Default>() -> (Json, Vec<FieldInfo>) {
    let mut schema = schemars::schema_for!(T).to_value();
    crate::bound::mark_fixed(&mut schema);
    let defaults = serde_json::to_value(T::default()).unwrap_or(Json::Null);
    let fields = match schema.get("properties").and_then(Json::as_object) {
        Some(properties) => properties
            .iter()
            .map(|(name, field)| FieldInfo {
                name: name.clone(),
                unit: text_of(&schema, field, "x-unit"),
                format: text_of(&schema, field, "format"),
                doc: text_of(&schema, field, "description").unwrap_or_default(),
                default: defaults.get(name).cloned().unwrap_or(Json::Null),
                schema: field.clone(),
            })
            .collect(),
        None => Vec::new(),
    };
    (schema, fields)
}

/// The schema that [`crate::common_fields`] refer into.
pub fn common_schema() -> &'static Json {
    static SCHEMA: OnceLock<Json> = OnceLock::new();
    SCHEMA.get_or_init(|| fields_of::<Common>().0)
}

fn text_of(root: &Json, field: &Json, key: &str) -> Option<String> {
    let own = field.get(key).and_then(Json::as_str);
    own.or_else(|| follow(root, field)?.get(key)?.as_str()).map(str::to_owned)
}

fn follow<'a>(root: &'a Json, schema: &'a Json) -> Option<&'a Json> {
    root.pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
}

/// What is wrong with a setting's value, in sentences that lack their subject: "must be at least 0 s, is -1".
/// `root` is the schema that `$ref`s of `field` point into. Knows what schemars writes, not all of JSON Schema.
pub fn validate(root: &Json, field: &Json, value: &Json) -> Vec<String> {
    validate_named("", root, field, value)
}

/// The same in whole sentences: "`goal.x` must be a number, is null".
pub(crate) fn validate_named(name: &str, root: &Json, field: &Json, value: &Json) -> Vec<String> {
    let mut found = Vec::new();
    Check { root, found: &mut found, may_be_bound: crate::may_be_bound(field) }.value(field, value, name);
    found
}

struct Check<'a> {
    root: &'a Json,
    found: &'a mut Vec<String>,
    /// The setting may be a value of the moment, or have some inside.
    may_be_bound: bool,
}

impl Check<'_> {
    fn say(&mut self, place: &str, sentence: String) {
        let subject = if place.is_empty() { String::new() } else { format!("`{place}` ") };
        self.found.push(format!("{subject}{sentence}"));
    }

    fn value(&mut self, schema: &Json, value: &Json, place: &str) {
        if schema == &Json::Bool(false) {
            return self.say(place, "must not be given".to_owned());
        }
        if crate::bound_text(value).is_some() {
            if !self.may_be_bound || !crate::may_be_bound(schema) {
                self.say(place, "cannot be a value of the moment: it is read before anything runs".to_owned());
            }
            return;
        }
        if let Some(target) = follow(self.root, schema) {
            self.value(target, value, place);
        }
        if let Some(options) = options(schema) {
            if !options.contains(&value) {
                let list: Vec<String> = options.iter().map(|option| plain(option)).collect();
                self.say(place, format!("must be one of {}, is {}", list.join(", "), shown(value)));
            }
            return;
        }
        if !type_fits(schema, value) {
            let unit = unit(schema).map(|unit| format!(" in {unit}")).unwrap_or_default();
            return self.say(place, format!("must be {}{unit}, is {}", wanted(self.root, schema), shown(value)));
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(branches) = schema.get(key).and_then(Json::as_array) {
                self.any_of(branches, value, place);
            }
        }
        match value {
            Json::Number(number) => self.number(schema, number, place),
            Json::String(text) => self.text(schema, text, place),
            Json::Array(items) => self.items(schema, items, place),
            Json::Object(_) => self.object(schema, value, place),
            Json::Null | Json::Bool(_) => {}
        }
    }

    /// The complaint of the one branch that fits in type says more than "fits none".
    fn any_of(&mut self, branches: &[Json], value: &Json, place: &str) {
        let mut close = Vec::new();
        for branch in branches {
            let mut found = Vec::new();
            Check { root: self.root, found: &mut found, may_be_bound: self.may_be_bound }.value(branch, value, place);
            if found.is_empty() {
                return;
            }
            let target = follow(self.root, branch).unwrap_or(branch);
            if type_fits(target, value) && options(target).is_none() {
                close.push(found);
            }
        }
        if let [only] = close.as_mut_slice() {
            return self.found.append(only);
        }
        let mut wants: Vec<String> = branches.iter().map(|branch| wanted(self.root, branch)).collect();
        wants.dedup();
        self.say(place, format!("must be {}, is {}", wants.join(" or "), shown(value)));
    }

    fn number(&mut self, schema: &Json, number: &serde_json::Number, place: &str) {
        let Some(value) = number.as_f64() else { return };
        let unit = unit(schema).map(|unit| format!(" {unit}")).unwrap_or_default();
        let bound = |key: &str| schema.get(key).and_then(Json::as_f64);
        let crossed = [
            ("at least", bound("minimum").filter(|least| value < *least)),
            ("above", bound("exclusiveMinimum").filter(|least| value <= *least)),
            ("at most", bound("maximum").filter(|most| value > *most)),
            ("below", bound("exclusiveMaximum").filter(|most| value >= *most)),
        ];
        if let Some((word, Some(bound))) = crossed.into_iter().find(|(_, crossed)| crossed.is_some()) {
            return self.say(place, format!("must be {word} {bound}{unit}, is {number}"));
        }
        let format = schema.get("format").and_then(Json::as_str).unwrap_or_default();
        if let Some((low, high)) = integer_range(format)
            && !(low..=high).contains(&value)
        {
            self.say(place, format!("must be between {low} and {high}{unit}, is {number}"));
        }
    }

    fn text(&mut self, schema: &Json, text: &str, place: &str) {
        if let Some(least) = schema.get("minLength").and_then(Json::as_u64)
            && (text.chars().count() as u64) < least
        {
            let sentence = match least {
                1 => "must not be empty".to_owned(),
                _ => format!("must have at least {least} letters, is {}", shown(&Json::from(text))),
            };
            self.say(place, sentence);
        }
    }

    fn items(&mut self, schema: &Json, items: &[Json], place: &str) {
        let count = items.len() as u64;
        if let Some(least) = schema.get("minItems").and_then(Json::as_u64).filter(|least| count < *least) {
            self.say(place, format!("must have at least {least} entries, has {count}"));
        }
        if let Some(most) = schema.get("maxItems").and_then(Json::as_u64).filter(|most| count > *most) {
            self.say(place, format!("must have at most {most} entries, has {count}"));
        }
        let first = schema.get("prefixItems").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        for (index, item) in items.iter().enumerate() {
            if let Some(of_item) = first.get(index).or_else(|| schema.get("items")) {
                self.value(of_item, item, &format!("{place}[{}]", index + 1));
            }
        }
    }

    fn object(&mut self, schema: &Json, value: &Json, place: &str) {
        let Some(entries) = value.as_object() else { return };
        let inside = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
        let properties = schema.get("properties").and_then(Json::as_object);
        for key in schema.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str) {
            if !entries.contains_key(key) {
                self.say(place, format!("needs `{key}`"));
            }
        }
        for (key, entry) in entries {
            if let Some(property) = properties.and_then(|properties| properties.get(key)) {
                self.value(property, entry, &inside(key));
                continue;
            }
            match schema.get("additionalProperties") {
                Some(Json::Bool(false)) => {
                    let known: Vec<String> =
                        properties.into_iter().flatten().map(|(name, _)| format!("`{name}`")).collect();
                    self.say(place, format!("must not have `{}`; known are {}", short(key), known.join(", ")));
                }
                Some(of_entry) => self.value(of_entry, entry, &inside(key)),
                None => {}
            }
        }
    }
}

/// The values of an enumeration, also where documentation made it a list of single ones.
pub(crate) fn options(schema: &Json) -> Option<Vec<&Json>> {
    if let Some(constant) = schema.get("const") {
        return Some(vec![constant]);
    }
    if let Some(values) = schema.get("enum").and_then(Json::as_array) {
        return Some(values.iter().collect());
    }
    let branches = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
    let lists: Option<Vec<Vec<&Json>>> = branches.iter().map(options).collect();
    lists.map(|lists| lists.concat())
}

pub(crate) fn types(schema: &Json) -> Vec<&str> {
    match schema.get("type") {
        Some(Json::String(name)) => vec![name],
        Some(Json::Array(names)) => names.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    }
}

fn type_fits(schema: &Json, value: &Json) -> bool {
    let types = types(schema);
    types.is_empty()
        || types.iter().any(|name| match *name {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => true,
        })
}

/// What a schema asks for, in words. `null` is left out: leaving the field out is how people write it.
fn wanted(root: &Json, schema: &Json) -> String {
    let schema = follow(root, schema).unwrap_or(schema);
    if let Some(options) = options(schema) {
        let list: Vec<String> = options.iter().map(|option| plain(option)).collect();
        return format!("one of {}", list.join(", "));
    }
    let types = types(schema);
    let named = types.iter().filter(|name| **name != "null" || types.len() == 1).map(|name| match *name {
        "null" => "left out",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "a text",
        "array" => "a list",
        "object" => "an object",
        other => other,
    });
    let words: Vec<&str> = named.collect();
    if words.is_empty() { "of another form".to_owned() } else { words.join(" or ") }
}

/// The numbers a Rust integer holds, which schemars gives as a format only.
fn integer_range(format: &str) -> Option<(f64, f64)> {
    Some(match format {
        "int8" => (f64::from(i8::MIN), f64::from(i8::MAX)),
        "uint8" => (0.0, f64::from(u8::MAX)),
        "int16" => (f64::from(i16::MIN), f64::from(i16::MAX)),
        "uint16" => (0.0, f64::from(u16::MAX)),
        "int32" => (f64::from(i32::MIN), f64::from(i32::MAX)),
        "uint32" => (0.0, f64::from(u32::MAX)),
        _ => return None,
    })
}

fn unit(schema: &Json) -> Option<&str> {
    schema.get("x-unit").and_then(Json::as_str)
}

/// An option as people write it, without quotes.
fn plain(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn shown(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("a list of {}", items.len()),
        Json::Object(_) => "an object".to_owned(),
        Json::String(text) => format!("\"{}\"", short(text)),
        other => other.to_string(),
    }
}

/// A text cut to what a message can carry.
pub(crate) fn short(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
