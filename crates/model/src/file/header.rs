use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::VERSIONS;
use super::parse::Finding;
use crate::{Field, Fields, Header, Input, Output, Wanted};

/// Takes what belongs to the file as a whole out of its root node. What cannot be understood goes to `extra`.
pub(super) fn take(fields: &mut Fields, needs_version: bool, findings: &mut Vec<Finding>) -> Header {
    let mut header = Header::default();
    version(fields, needs_version, &mut header, findings);
    let mut taking = Taking { fields, extra: &mut header.extra, findings };
    for (name, declared) in taking.declarations("inputs") {
        header.inputs.push((name, declared));
    }
    for (name, Input { wanted, unit, notes, .. }) in taking.declarations("outputs") {
        header.outputs.push((name, Output { wanted, unit, notes }));
    }
    if let Some(entries) = taking.object("variables") {
        header.variables = entries.into_iter().map(|(name, value)| (name.into(), value)).collect();
    }
    header.lets = taking.lets();
    header.cell = taking.text("cell");
    // For goals; whoever looks for the way to them reads it.
    if let Some((_, said)) = fields.remove("capability") {
        header.extra.insert("capability".to_owned(), said.to_json());
    }
    header
}

/// Of one that says none, or none that is known, the newest.
pub(super) fn written_version(fields: &Fields) -> u64 {
    let written = fields.get("version").and_then(|field| field.to_json().as_u64());
    written.filter(|version| VERSIONS.contains(version)).unwrap_or(VERSIONS[VERSIONS.len() - 1])
}

fn version(fields: &mut Fields, needed: bool, header: &mut Header, findings: &mut Vec<Finding>) {
    let known: Vec<String> = VERSIONS.iter().map(u64::to_string).collect();
    let known = known.join(", ");
    let Some((_, written)) = fields.remove("version") else {
        if needed {
            let remedy = format!("write \"version\": {}", VERSIONS[VERSIONS.len() - 1]);
            findings.push(Finding::error(0, Some("version"), "the file does not say its version", remedy));
        }
        return;
    };
    let written = written.to_json();
    if !written.as_u64().is_some_and(|version| VERSIONS.contains(&version)) {
        let message = format!("file version {written} is not known; known: {known}");
        let remedy = "use the program that wrote the file, or a newer one than this";
        findings.push(Finding::error(0, Some("version"), message, remedy));
        // Saving must not claim a version that the content may not have.
        header.extra.insert("version".to_owned(), written);
    }
}

struct Taking<'a> {
    fields: &'a mut Fields,
    extra: &'a mut Map<String, Json>,
    findings: &'a mut Vec<Finding>,
}

impl Taking<'_> {
    fn wrong(&mut self, place: &str, wanted: &str) {
        let message = format!("`{place}` must be {wanted}");
        self.findings.push(Finding::error(0, Some(place), message, "mend it or leave it out"));
    }

    fn object(&mut self, key: &str) -> Option<Map<String, Json>> {
        let (_, field) = self.fields.remove(key)?;
        match field.to_json() {
            Json::Object(entries) => return Some(entries),
            Json::Null => {}
            other => {
                self.wrong(key, "an object");
                self.extra.insert(key.to_owned(), other);
            }
        }
        None
    }

    fn text(&mut self, key: &str) -> Option<String> {
        match self.fields.remove(key)?.1 {
            Field::Text(text) => return Some(text.into()),
            Field::Null => {}
            other => {
                self.wrong(key, "a text");
                self.extra.insert(key.to_owned(), other.to_json());
            }
        }
        None
    }

    /// Numbers and truths need no quotes, as wherever an expression is written.
    fn lets(&mut self) -> Vec<(Arc<str>, Arc<str>)> {
        let mut lets = Vec::new();
        let mut left = Map::new();
        for (name, written) in self.object("let").unwrap_or_default() {
            match written {
                Json::String(text) => lets.push((name.into(), text.into())),
                Json::Number(_) | Json::Bool(_) => lets.push((name.into(), written.to_string().into())),
                other => {
                    self.wrong(&format!("let.{name}"), "an expression, a text");
                    left.insert(name, other);
                }
            }
        }
        if !left.is_empty() {
            self.extra.insert("let".to_owned(), Json::Object(left));
        }
        lets
    }

    fn declarations(&mut self, key: &str) -> Vec<(Arc<str>, Input)> {
        let mut declared = Vec::new();
        let mut left = Map::new();
        for (name, entry) in self.object(key).unwrap_or_default() {
            let place = format!("{key}.{name}");
            let mut entry = match entry {
                Json::Object(entry) => entry,
                Json::Null => Map::new(),
                other => {
                    self.wrong(&place, "an object: {\"unit\", \"notes\"}, and for inputs \"default\"");
                    left.insert(name, other);
                    continue;
                }
            };
            let default =
                if key == "inputs" { entry.shift_remove("default").filter(|json| !json.is_null()) } else { None };
            // What is not understood keeps its place: each save would write it in another order.
            let mut text = |key: &str| match entry.get(key) {
                Some(Json::String(_) | Json::Null) => match entry.shift_remove(key) {
                    Some(Json::String(text)) => text,
                    _ => String::new(),
                },
                _ => String::new(),
            };
            let (unit, notes) = (text("unit"), text("notes"));
            let wanted = wanted(&mut entry);
            if !entry.is_empty() {
                let keys = super::words::list(entry.keys().map(String::as_str));
                self.wrong(&place, &format!("made of \"default\", \"kind\", \"choices\", \"minimum\", \"maximum\", \"title\", \"unit\" and \"notes\"; not understood: {keys}"));
                left.insert(name.clone(), Json::Object(entry));
            }
            declared.push((name.into(), Input { default, wanted, unit, notes }));
        }
        if !left.is_empty() {
            self.extra.insert(key.to_owned(), Json::Object(left));
        }
        declared
    }
}

/// What [`take`] took, as it is written. `fields` are the root's: a file key set there by an edit counts too.
pub(super) fn put(header: &Header, fields: &Fields) -> Vec<(&'static str, Json)> {
    let inputs = header.inputs.iter().map(|(name, input)| (name, declaration(input)));
    let outputs = header.outputs.iter().map(|(name, Output { wanted, unit, notes })| {
        let (wanted, unit, notes) = (wanted.clone(), unit.clone(), notes.clone());
        (name, declaration(&Input { default: None, wanted, unit, notes }))
    });
    let variables = header.variables.iter().map(|(name, value)| (name.to_string(), value.clone()));
    let lets = header.lets.iter().map(|(name, text)| (name.to_string(), Json::from(&**text)));
    let lets: Map<String, Json> = lets.chain(left_lets(header)).collect();
    let own: [(&'static str, Option<Json>); 6] = [
        ("inputs", merged(inputs, header.extra.get("inputs"))),
        ("outputs", merged(outputs, header.extra.get("outputs"))),
        ("variables", (!header.variables.is_empty()).then(|| Json::Object(variables.collect()))),
        ("let", (!lets.is_empty()).then_some(Json::Object(lets))),
        ("cell", header.cell.clone().map(Json::String)),
        ("capability", None),
    ];
    let version = header.extra.get("version").cloned();
    let mut written = vec![("version", version.unwrap_or_else(|| Json::from(VERSIONS[VERSIONS.len() - 1])))];
    for (key, value) in own {
        let value = value.or_else(|| header.extra.get(key).cloned()).or_else(|| fields.get(key).map(Field::to_json));
        written.extend(value.map(|value| (key, value)));
    }
    written
}

/// Takes what is understood; one that is not stays where it is.
fn wanted(entry: &mut Map<String, Json>) -> Wanted {
    let mut known = Map::new();
    for key in Wanted::KEYS {
        let Some(value) = entry.get(key) else { continue };
        known.insert(key.to_owned(), value.clone());
        if serde_json::from_value::<Wanted>(Json::Object(known.clone())).is_ok() {
            entry.shift_remove(key);
        } else {
            known.remove(key);
        }
    }
    serde_json::from_value(Json::Object(known)).unwrap_or_default()
}

/// `1`, not `1.0`, as people write it.
fn whole(value: Json) -> Json {
    let number = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
    number.map_or(value, |number| Json::from(number as i64))
}

fn left_lets(header: &Header) -> impl Iterator<Item = (String, Json)> + '_ {
    let left = header.extra.get("let").and_then(Json::as_object).into_iter().flatten();
    left.map(|(name, value)| (name.clone(), value.clone()))
}

fn declaration(input: &Input) -> Map<String, Json> {
    let mut entry = Map::new();
    if let Some(default) = &input.default {
        entry.insert("default".to_owned(), default.clone());
    }
    if let Ok(Json::Object(wanted)) = serde_json::to_value(&input.wanted) {
        entry.extend(wanted.into_iter().map(|(key, value)| (key, whole(value))));
    }
    for (key, text) in [("unit", &input.unit), ("notes", &input.notes)] {
        if !text.is_empty() {
            entry.insert(key.to_owned(), Json::from(text.as_str()));
        }
    }
    entry
}

/// Declarations with what was not understood of them put back.
fn merged<'a>(declared: impl Iterator<Item = (&'a Arc<str>, Map<String, Json>)>, left: Option<&Json>) -> Option<Json> {
    let left = left.and_then(Json::as_object);
    let mut all = Map::new();
    for (name, mut entry) in declared {
        if let Some(Json::Object(more)) = left.and_then(|left| left.get(&**name)) {
            for (key, value) in more {
                entry.entry(key).or_insert_with(|| value.clone());
            }
        }
        all.insert(name.to_string(), Json::Object(entry));
    }
    for (name, entry) in left.into_iter().flatten() {
        all.entry(name).or_insert_with(|| entry.clone());
    }
    (!all.is_empty()).then_some(Json::Object(all))
}
