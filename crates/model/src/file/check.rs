use std::sync::Arc;

use serde_json::Value as Json;

use super::NODE_KEYS;
use super::parse::{Finding, Raw};
use super::words::{list, nearest};
use crate::schema::{common_schema, short, validate_named};
use crate::{Catalogue, Field, FieldInfo, NodeInfo, NodeRef, Role, common_fields};

/// What loading needs to know of each node type, worked out once for all its nodes.
pub(super) struct Plans<'c> {
    catalogue: &'c Catalogue,
    types: Vec<Option<Plan<'c>>>,
    common: Vec<FieldPlan<'c>>,
}

struct Plan<'c> {
    fields: Vec<FieldPlan<'c>>,
    required: Vec<&'c str>,
}

struct FieldPlan<'c> {
    info: &'c FieldInfo,
    root: &'c Json,
    quick: Quick,
}

/// What checking a node finds out beside problems.
#[derive(Default)]
pub(super) struct Checked {
    pub references: Vec<(u32, Arc<str>)>,
    pub skill_uses: Vec<u32>,
    /// Keys of the root that its type does not know.
    pub unknown_at_root: Vec<Arc<str>>,
}

impl<'c> Plans<'c> {
    pub fn new(catalogue: &'c Catalogue) -> Plans<'c> {
        let types = catalogue.iter().map(|_| None).collect();
        Plans { catalogue, types, common: plans(common_fields(), common_schema()) }
    }

    pub fn check(&mut self, at: u32, raw: &mut Raw, checked: &mut Checked, findings: &mut Vec<Finding>) {
        let Some(index) = self.catalogue.index_of(&raw.kind) else {
            findings.push(self.unknown_type(at, raw));
            return self.references_of_unknown(at, raw, checked);
        };
        let Some(info) = self.catalogue.get(&raw.kind) else { return };
        let plan = self.types[index].get_or_insert_with(|| Plan::of(info));
        for (key, field) in raw.fields.iter_mut() {
            let found = plan.fields.iter().chain(&self.common).find(|known| known.info.name == **key);
            let Some(known) = found else {
                if !NODE_KEYS.contains(&&**key) {
                    findings.push(unknown_field(at, key, info, raw.was.as_deref()));
                    if raw.parent.is_none() {
                        checked.unknown_at_root.push(key.clone());
                    }
                }
                continue;
            };
            known.check(at, field, findings);
            if known.info.is_reference() && refer(key, field) {
                checked.references.push((at, key.clone()));
            }
        }
        for name in &plan.required {
            if raw.fields.get(name).is_none() {
                let message = format!("a `{}` needs `{name}`", info.name);
                findings.push(Finding::error(at, Some(name), message, format!("give `{name}`")));
            }
        }
        if raw.child_count > 0 && !info.role.has_children() {
            findings.push(childless(at, info, raw.child_count));
        }
        if info.role == Role::Skill {
            if raw.parent.is_none() {
                // Its `inputs` would be taken for those the file declares.
                let remedy = "make the root a sequence and put the skill use into it";
                findings.push(Finding::error(at, Some("type"), "the root of a file cannot be a skill use", remedy));
            }
            checked.skill_uses.push(at);
        }
    }

    /// Nothing is known of its settings, but what it executes after must survive a rename.
    fn references_of_unknown(&self, at: u32, raw: &mut Raw, checked: &mut Checked) {
        for known in self.common.iter().filter(|known| known.info.is_reference()) {
            for (key, field) in raw.fields.iter_mut().filter(|(key, _)| ***key == *known.info.name) {
                if refer(key, field) {
                    checked.references.push((at, key.clone()));
                }
            }
        }
    }

    fn unknown_type(&self, at: u32, raw: &Raw) -> Finding {
        let names = || self.catalogue.iter().map(|info| info.name);
        if raw.kind.is_empty() {
            if raw.fields.get("value").is_some() && raw.fields.len() == 1 {
                let remedy = r#"write an object: {"type": "…", "name": "…"}"#;
                return Finding::error(at, None, "a child must be a node, an object with a `type`", remedy);
            }
            let remedy = format!("give its `type`; known are {}", list(names()));
            return Finding::error(at, Some("type"), "the node has no `type`", remedy);
        }
        let kind = short(&raw.kind);
        if super::thesis::is_foreign(&raw.kind) {
            let message = format!("`{kind}` is kept, but this version cannot run it");
            return Finding::warning(at, Some("type"), message, "replace it by a type of this version to run it");
        }
        let remedy = match nearest(&raw.kind, names()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("known types are {}", list(names())),
        };
        Finding::error(at, Some("type"), format!("unknown type `{kind}`"), remedy)
    }
}

impl<'c> Plan<'c> {
    fn of(info: &'c NodeInfo) -> Plan<'c> {
        let required = info.schema.get("required").and_then(Json::as_array).into_iter().flatten();
        let required = required.filter_map(Json::as_str).collect();
        Plan { fields: plans(&info.fields, &info.schema), required }
    }
}

fn plans<'c>(fields: &'c [FieldInfo], root: &'c Json) -> Vec<FieldPlan<'c>> {
    fields.iter().map(|info| FieldPlan { info, root, quick: Quick::of(&info.schema) }).collect()
}

impl FieldPlan<'_> {
    fn check(&self, at: u32, field: &Field, findings: &mut Vec<Finding>) {
        if self.quick.accepts(field) {
            return;
        }
        let wrong = match field {
            Field::Json(json) => validate_named(&self.info.name, self.root, &self.info.schema, json),
            other => validate_named(&self.info.name, self.root, &self.info.schema, &other.to_json()),
        };
        for message in wrong {
            let remedy = match &self.info.default {
                Json::Null => "change it, or leave it out".to_owned(),
                default => format!("change it, or leave it out for its default, {}", short(&default.to_string())),
            };
            findings.push(Finding::error(at, Some(&self.info.name), message, remedy));
        }
    }
}

/// The words that stand for a place; they are no names.
pub(super) fn is_word(key: &str, text: &str) -> bool {
    match key {
        "after" => matches!(text, "" | "Previous" | "Beginning"),
        _ => matches!(text, "" | "Next"),
    }
}

/// Makes a reference of a name.
fn refer(key: &str, field: &mut Field) -> bool {
    let Field::Text(text) = field else { return false };
    if is_word(key, text) {
        return false;
    }
    *field = Field::Ref(Box::new(NodeRef { id: None, text: Arc::from(&**text) }));
    true
}

fn unknown_field(at: u32, key: &str, info: &NodeInfo, was: Option<&str>) -> Finding {
    if let Some(was) = was {
        let message =
            format!("`{}` of `{was}` has no counterpart in `{}`; it is kept and ignored", short(key), info.name);
        return Finding::warning(at, Some(key), message, "take it out if it does not matter");
    }
    let names = || info.fields.iter().chain(common_fields()).map(|field| field.name.as_str());
    let remedy = match nearest(key, names()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("known fields of `{}` are {}", info.name, list(names())),
    };
    Finding::error(at, Some(key), format!("unknown field `{}`", short(key)), remedy)
}

fn childless(at: u32, info: &NodeInfo, count: u32) -> Finding {
    let message = format!("a `{}` has no children of its own, but this one has {count}; they never run", info.name);
    Finding::error(at, Some("children"), message, "move them beside it")
}

/// A check without detours for the plain fields that most settings are. It may say no to a good value; the full
/// check then decides.
#[derive(Clone, Copy)]
enum Quick {
    Bool,
    Text,
    Number { least: f64, most: f64 },
    Slow,
}

impl Quick {
    fn of(schema: &Json) -> Quick {
        const PLAIN: [&str; 7] = ["type", "description", "default", "format", "x-unit", "minimum", "maximum"];
        let Some(entries) = schema.as_object() else { return Quick::Slow };
        if !entries.keys().all(|key| PLAIN.contains(&key.as_str()) || key.starts_with("x-")) {
            return Quick::Slow;
        }
        let bound = |key, without| schema.get(key).map_or(Some(without), Json::as_f64);
        let kind = match schema.get("type") {
            Some(Json::String(kind)) => Some(kind.as_str()),
            Some(Json::Array(kinds)) => kinds.iter().filter_map(Json::as_str).find(|kind| *kind != "null"),
            _ => None,
        };
        match (kind, bound("minimum", f64::NEG_INFINITY), bound("maximum", f64::INFINITY)) {
            (Some("boolean"), ..) => Quick::Bool,
            (Some("string"), ..) => Quick::Text,
            (Some("number"), Some(least), Some(most)) => Quick::Number { least, most },
            _ => Quick::Slow,
        }
    }

    fn accepts(self, field: &Field) -> bool {
        match (self, field) {
            (Quick::Bool, Field::Bool(_)) | (Quick::Text, Field::Text(_)) => true,
            (Quick::Number { least, most }, Field::Number(number)) => {
                number.as_f64().is_some_and(|value| least <= value && value <= most)
            }
            _ => false,
        }
    }
}
