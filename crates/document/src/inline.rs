use std::sync::Arc;

use model::{Definition, Edit, Field, Fields, NodeId, Subtree};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value as Json};

use crate::DocumentError;
use crate::border::{declared, own_names, variable_of};
use crate::document::{Document, node};
use crate::draft::{ids_of, remap};

/// How the variables of a skill become variables of the file that uses it.
struct Mapping {
    names: FxHashMap<String, String>,
    /// Values the skill has at its start.
    before: Map<String, Json>,
    /// Copied out at its end.
    after: Map<String, Json>,
}

impl Document {
    /// Puts the tree of a skill into the place of a use of it. The file stays. Variables that would meet others of
    /// their name get another one.
    pub fn inline(&mut self, top: NodeId) -> Result<Vec<Edit>, DocumentError> {
        let (owner, tree, at) = self.at(top)?;
        let is_skill = self.catalogue().role(&at.kind) == Some(model::Role::Skill);
        let skill = self.library.skill_of(owner, top).filter(|_| is_skill);
        let skill = skill.ok_or_else(|| DocumentError::NoSkill(self.label(top)))?;
        let skill = self.library.get(skill);
        if at.fields.get("mirrored").is_some_and(|mirrored| *mirrored != Field::Bool(false)) {
            return Err(DocumentError::MirroredUse(tree.path(top)));
        }
        let mapping = self.mapping(tree, top, skill)?;
        let (from, to) = (skill.file.clone(), tree.file.clone());
        let lets = self.renamed_lets(skill, &mapping.names);
        let mut header = tree.header.clone();
        let original = skill.subtree(skill.root);
        let old: Vec<&'static str> =
            ["file", "inputs", "outputs", "mirrored"].into_iter().filter(|key| at.fields.get(key).is_some()).collect();
        let mut root = self.copy(&original);
        self.rebase_skills(&mut root, &from, &to);
        self.rename_in(&mut root, &mapping.names);
        let mut children = Vec::new();
        if !mapping.before.is_empty() {
            children.push(self.assignment(mapping.before));
        }
        if &*root.kind == "sequence" && root.fields.is_empty() {
            // The use takes its place, also for those inside who refer to it.
            let ids = FxHashMap::from_iter([(root.id, top)]);
            remap(&mut root, &ids);
            children.append(&mut root.children);
        } else {
            children.push(root);
        }
        if !mapping.after.is_empty() {
            children.push(self.assignment(mapping.after));
        }
        let mut draft = self.draft();
        for key in old {
            draft.set(top, key, None)?;
        }
        draft.apply(Edit::Retype { node: top, kind: "sequence".into() })?;
        let mut ids = Vec::new();
        for (index, subtree) in children.into_iter().enumerate() {
            ids.extend(ids_of(&subtree));
            draft.apply(Edit::Insert { parent: top, index, subtree })?;
        }
        draft.resolve_references(&ids)?;
        if !lets.is_empty() {
            header.lets.extend(lets);
            draft.apply(Edit::Header { definition: owner, header: Box::new(header) })?;
        }
        Ok(draft.finish("write the skill out"))
    }

    /// Names that stand for expressions come along.
    fn renamed_lets(&self, skill: &Definition, names: &FxHashMap<String, String>) -> Vec<(Arc<str>, Arc<str>)> {
        let renamed = |(name, text): &(Arc<str>, Arc<str>)| {
            let mut fields = Fields::default();
            fields.push("condition".into(), Field::Text((&**text).into()));
            self.rename_variables("condition", &mut fields, names);
            let text = fields.get("condition").and_then(Field::as_str).unwrap_or(text);
            (names.get(&**name).map_or_else(|| name.clone(), |name| name.as_str().into()), text.into())
        };
        skill.header.lets.iter().map(renamed).collect()
    }

    fn assignment(&mut self, values: Map<String, Json>) -> Subtree {
        let mut set = node("set", "");
        set.id = self.fresh_id();
        set.fields.push("values".into(), Field::from_json(Json::Object(values)));
        set
    }

    fn rename_in(&self, subtree: &mut Subtree, names: &FxHashMap<String, String>) {
        self.rename_variables(&subtree.kind, &mut subtree.fields, names);
        for child in &mut subtree.children {
            self.rename_in(child, names);
        }
    }

    fn mapping(&self, tree: &Definition, top: NodeId, skill: &Definition) -> Result<Mapping, DocumentError> {
        let outside = self.mentions(tree, tree.walk(tree.root));
        let inside = self.mentions(skill, skill.walk(skill.root));
        let own = own_names(skill, &inside);
        let theirs = own_names(tree, &outside);
        let captured: Vec<String> = inside
            .reads
            .iter()
            .map(|name| variable_of(name, &own))
            .filter(|name| !own.contains(*name) && theirs.contains(variable_of(name, &theirs)))
            .map(|name| format!("it reads `{name}` of the world, and this file has one of its own"))
            .collect();
        if !captured.is_empty() {
            return Err(DocumentError::Captures(captured));
        }
        let fields = &tree.node(top).fields;
        let given = entries(fields.get("inputs"));
        let taken = entries(fields.get("outputs"));
        let mut used: FxHashSet<String> = theirs;
        used.extend(outside.reads.iter().cloned());
        used.extend(inside.reads.iter().filter(|name| !own.contains(*name)).cloned());
        let mut mapping = Mapping { names: FxHashMap::default(), before: Map::new(), after: Map::new() };
        let mut names: Vec<&String> = own.iter().collect();
        names.sort();
        let mut shared: FxHashMap<&str, String> = FxHashMap::default();
        for name in &names {
            let outer = shared_with(name, skill, inside.writes.contains(name), (&given, &taken));
            // Two variables of the skill must not become one.
            if let Some(outer) = outer.filter(|outer| !shared.values().any(|other| other == outer)) {
                shared.insert(name, outer);
            }
        }
        for name in names {
            let outer = shared.get(name.as_str()).cloned().unwrap_or_else(|| free_name(name, &used));
            used.insert(outer.clone());
            if outer != *name {
                mapping.names.insert(name.clone(), outer);
            }
        }
        let outer = |name: &str| mapping.names.get(name).cloned().unwrap_or_else(|| name.to_owned());
        for name in declared(skill).collect::<FxHashSet<_>>() {
            if shared.contains_key(name) {
                continue;
            }
            if let Some(value) = start_value(name, skill, &given) {
                mapping.before.insert(outer(name), value);
            }
            if let Some(Json::String(to)) = taken.get(name)
                && skill.header.outputs.iter().any(|(output, _)| &**output == name)
            {
                mapping.after.insert(to.clone(), Json::String(outer(name)));
            }
        }
        mapping.before.sort_keys();
        mapping.after.sort_keys();
        Ok(mapping)
    }
}

/// The variable of the caller that stands for one of the skill: given and taken back, only taken back, or given and
/// never set.
fn shared_with(
    name: &str,
    skill: &Definition,
    is_set: bool,
    (given, taken): (&Map<String, Json>, &Map<String, Json>),
) -> Option<String> {
    let header = &skill.header;
    let is_input = header.inputs.iter().any(|(input, _)| &**input == name);
    let is_output = header.outputs.iter().any(|(output, _)| &**output == name);
    let has_start = header.variables.iter().any(|(variable, value)| &**variable == name && !value.is_null());
    let to = taken.get(name).and_then(Json::as_str).filter(|_| is_output);
    let from = given.get(name).and_then(Json::as_str).filter(|_| is_input);
    match (from, to) {
        (Some(from), Some(to)) => (from.trim() == to).then(|| to.to_owned()),
        (None, Some(to)) if !is_input && !has_start => Some(to.to_owned()),
        (Some(from), None) if !is_set && is_name(from) => Some(from.to_owned()),
        _ => None,
    }
}

/// The expression that gives a variable of a skill the value it has at the start.
fn start_value(name: &str, skill: &Definition, given: &Map<String, Json>) -> Option<Json> {
    let header = &skill.header;
    if let Some((_, input)) = header.inputs.iter().find(|(input, _)| &**input == name) {
        return match given.get(name) {
            Some(Json::String(text)) => Some(Json::String(text.clone())),
            Some(value) if !value.is_null() => Some(literal(value)),
            _ => input.default.as_ref().map(literal),
        };
    }
    let (_, value) = header.variables.iter().find(|(variable, _)| &**variable == name)?;
    (!value.is_null()).then(|| literal(value))
}

/// A value as an expression that gives it: JSON, but for the quotes and escapes of a text.
fn literal(value: &Json) -> Json {
    Json::String(value.to_string())
}

fn is_name(text: &str) -> bool {
    let letters = |part: &str| part.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let begins = |part: &str| part.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_');
    !["true", "false", "null"].contains(&text) && text.split('.').all(|part| begins(part) && letters(part))
}

/// The name itself, or with a number behind it where it is taken.
fn free_name(name: &str, used: &FxHashSet<String>) -> String {
    if !used.contains(name) {
        return name.to_owned();
    }
    let mut number = 2_u64;
    loop {
        let candidate = format!("{name}_{number}");
        if !used.contains(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

fn entries(field: Option<&Field>) -> Map<String, Json> {
    match field {
        Some(Field::Json(json)) => json.as_object().cloned().unwrap_or_default(),
        _ => Map::new(),
    }
}
