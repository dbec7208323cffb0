//! A setting's schema in words.

use model::FieldInfo;
use recording::seconds_text;
use serde_json::Value as Json;

/// What may be written: `number, s, 0 to 1000000000`, `all, one or priority`, `expression`.
pub fn kind(root: &Json, field: &FieldInfo) -> String {
    let schema = inner(root, &field.schema);
    let named = options(root, schema);
    if !named.is_empty() {
        let names: Vec<String> = named.into_iter().map(|(name, _)| name).collect();
        return join_or(&names);
    }
    let mut text = match field.format.as_deref() {
        Some("expression" | "variable" | "node" | "token" | "file" | "command") => {
            field.format.clone().unwrap_or_default()
        }
        Some("value") => "any value".to_owned(),
        Some("tokens") => "list of tokens".to_owned(),
        Some("assignments") => "variables, each with an expression".to_owned(),
        Some("outputs") => "names, each with a variable".to_owned(),
        _ => plain_kind(root, schema),
    };
    if let Some(unit) = &field.unit {
        text += &format!(", {unit}");
    }
    text + &range(schema)
}

/// The schema itself behind a reference, and what may be left out without the `null` that stands for that.
fn inner<'a>(root: &'a Json, schema: &'a Json) -> &'a Json {
    if let Some(target) = schema.get("$ref").and_then(Json::as_str).and_then(|path| path.strip_prefix('#')) {
        return root.pointer(target).map_or(schema, |target| inner(root, target));
    }
    let branches = schema.get("anyOf").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_null = |branch: &&Json| branch.get("type").and_then(Json::as_str) == Some("null");
    let real: Vec<&Json> = branches.iter().filter(|branch| !is_null(branch)).collect();
    match real.as_slice() {
        [only] if branches.len() > 1 => inner(root, only),
        _ => schema,
    }
}

fn plain_kind(root: &Json, schema: &Json) -> String {
    let names: Vec<&str> = match schema.get("type") {
        Some(Json::String(name)) => vec![name],
        Some(Json::Array(names)) => names.iter().filter_map(Json::as_str).filter(|name| *name != "null").collect(),
        _ => Vec::new(),
    };
    let words: Vec<String> = names.iter().map(|name| word(root, schema, name)).collect();
    if words.is_empty() { guards_or_any(root, schema) } else { join_or(&words) }
}

fn word(root: &Json, schema: &Json, name: &str) -> String {
    match name {
        "boolean" => "true or false".to_owned(),
        "integer" => "whole number".to_owned(),
        "string" => match schema.get("format").and_then(Json::as_str) {
            Some("expression") => "expression".to_owned(),
            _ => "text".to_owned(),
        },
        "array" => match schema.get("items").map(|items| plain_kind(root, inner(root, items))) {
            Some(items) => format!("list of {items}s"),
            None => "list".to_owned(),
        },
        "object" => match schema.get("additionalProperties").filter(|inner| inner.is_object()) {
            Some(entry) => format!("names, each with {}", with_article(&plain_kind(root, inner(root, entry)))),
            None => "object".to_owned(),
        },
        other => other.to_owned(),
    }
}

/// Several forms are allowed; naming the first is what helps most.
fn guards_or_any(root: &Json, schema: &Json) -> String {
    let branches = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Json::as_array);
    let words: Vec<String> = branches
        .into_iter()
        .flatten()
        .map(|branch| inner(root, branch))
        .filter(|branch| branch.get("type").and_then(Json::as_str) != Some("null"))
        .map(|branch| match branch.get("type").and_then(Json::as_str) {
            Some("array") => "list of these".to_owned(),
            Some("object") => "object".to_owned(),
            _ => plain_kind(root, branch),
        })
        .collect();
    if words.is_empty() { "any value".to_owned() } else { join_or(&words) }
}

fn with_article(word: &str) -> String {
    let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {word}", if vowel { "an" } else { "a" })
}

fn range(schema: &Json) -> String {
    let bound = |key: &str| schema.get(key).and_then(Json::as_f64).map(seconds_text);
    match (bound("minimum"), bound("maximum")) {
        (Some(least), Some(most)) => format!(", {least} to {most}"),
        (Some(least), None) => format!(", at least {least}"),
        (None, Some(most)) => format!(", at most {most}"),
        (None, None) => String::new(),
    }
}

/// The words a setting may have, each with what it means, where only certain words are allowed.
pub fn options(root: &Json, schema: &Json) -> Vec<(String, String)> {
    let schema = inner(root, schema);
    let doc = |schema: &Json| schema.get("description").and_then(Json::as_str).unwrap_or_default().to_owned();
    if let Some(Json::String(only)) = schema.get("const") {
        return vec![(only.clone(), doc(schema))];
    }
    if let Some(names) = schema.get("enum").and_then(Json::as_array) {
        let names = names.iter().filter_map(Json::as_str);
        return names.map(|name| (name.to_owned(), String::new())).collect();
    }
    let branches = schema.get("oneOf").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let named: Vec<Vec<(String, String)>> = branches.iter().map(|branch| options(root, branch)).collect();
    if named.iter().any(Vec::is_empty) { Vec::new() } else { named.concat() }
}

/// The default with its unit; none: leaving the setting out is what it means.
pub fn default(field: &FieldInfo) -> Option<String> {
    match &field.default {
        Json::Null => None,
        Json::String(text) if text.is_empty() => None,
        Json::Array(items) if items.is_empty() => None,
        Json::Object(entries) if entries.is_empty() => None,
        value => Some(value_text(value, field.unit.as_deref())),
    }
}

/// A value as people read it, with its unit behind.
pub fn value_text(value: &Json, unit: Option<&str>) -> String {
    let text = match value {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.as_f64().map_or_else(|| number.to_string(), seconds_text),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| value_text(item, None)).collect();
            items.join(", ")
        }
        Json::Object(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(key, value)| format!("{key}: {}", value_text(value, None))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => other.to_string(),
    };
    unit.map_or_else(|| text.clone(), |unit| format!("{text} {unit}"))
}

fn join_or(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
