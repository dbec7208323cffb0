use std::borrow::Cow;

use serde_json::Value as Json;

use super::check::is_word;
use super::write::Writer;
use super::{FILE_KEYS, NODE_KEYS, header};
use crate::{Catalogue, Definition, Field, FieldInfo, Finder, Node, NodeId, NodeInfo, common_fields};

type Entries<'a> = Vec<(Cow<'a, str>, Cow<'a, Json>)>;

/// The text of a file: the same tree gives the same bytes. Settings that equal their default are left out.
pub fn save(definition: &Definition, catalogue: &Catalogue) -> String {
    let refers = |node: &Node| node.fields.iter().any(|(_, field)| matches!(field, Field::Ref(_)));
    let any = definition.walk(definition.root).any(|id| refers(definition.node(id)));
    let finder = any.then(|| Finder::new(definition));
    let mut saving = Saving { definition, catalogue, finder, writer: Writer::new() };
    saving.node(definition.root);
    saving.writer.finish()
}

struct Saving<'a> {
    definition: &'a Definition,
    catalogue: &'a Catalogue,
    finder: Option<Finder<'a>>,
    writer: Writer,
}

impl<'a> Saving<'a> {
    fn node(&mut self, id: NodeId) {
        let definition = self.definition;
        let node = definition.node(id);
        let is_root = id == definition.root;
        let entries = if is_root { self.root_entries(node) } else { self.child_entries(node) };
        if !is_root && node.children.is_empty() && self.writer.object_on_line(&entries) {
            return;
        }
        self.writer.open('{');
        for (place, (key, value)) in entries.iter().enumerate() {
            self.writer.entry(place == 0);
            self.writer.key(key);
            self.writer.json(value);
        }
        if !node.children.is_empty() {
            self.writer.entry(entries.is_empty());
            self.writer.key("children");
            self.writer.open('[');
            for (place, child) in node.children.iter().enumerate() {
                self.writer.entry(place == 0);
                self.node(*child);
            }
            self.writer.close(']');
        }
        self.writer.close('}');
    }

    fn root_entries(&self, node: &'a Node) -> Entries<'a> {
        let mut entries: Entries = Vec::new();
        let mut head = header::put(&self.definition.header, &node.fields).into_iter();
        entries.extend(head.next().map(|(key, value)| (key.into(), Cow::Owned(value))));
        names(node, &mut entries);
        entries.extend(head.map(|(key, value)| (key.into(), Cow::Owned(value))));
        if &*node.kind != "sequence" {
            kind(node, &mut entries);
        }
        identity(node, &mut entries);
        self.settings(node, &mut entries);
        entries
    }

    fn child_entries(&self, node: &'a Node) -> Entries<'a> {
        let mut entries = Vec::new();
        kind(node, &mut entries);
        identity(node, &mut entries);
        names(node, &mut entries);
        self.settings(node, &mut entries);
        entries
    }

    fn settings(&self, node: &'a Node, entries: &mut Entries<'a>) {
        let info = self.catalogue.get(&node.kind);
        let is_root = node.id == self.definition.root;
        if let Some(info) = info {
            for known in known_fields(info).filter(|known| !is_root || !FILE_KEYS.contains(&known.name.as_str())) {
                let Some(field) = node.fields.get(&known.name) else { continue };
                let (value, leads_to_node) = self.value(node.id, &known.name, field);
                // A node may be called like the word that is the default.
                if leads_to_node || is_required(info, known) || !same(&value, &known.default) {
                    entries.push((Cow::from(known.name.as_str()), value));
                }
            }
        }
        if is_root {
            let extra = self.definition.header.extra.iter();
            let extra = extra.filter(|(key, _)| !FILE_KEYS.contains(&key.as_str()));
            entries.extend(extra.map(|(key, value)| (Cow::from(key.as_str()), Cow::Borrowed(value))));
        }
        for (key, field) in node.fields.iter() {
            let known = info.is_some_and(|info| known_fields(info).any(|known| known.name == **key));
            let of_file = is_root && FILE_KEYS.contains(&&**key);
            let of_node = NODE_KEYS.contains(&&**key)
                && (entries.iter().any(|(there, _)| **there == **key)
                    || &**key == "children" && !node.children.is_empty());
            if !known && !of_file && !of_node {
                entries.push((Cow::from(&**key), self.value(node.id, key, field).0));
            }
        }
    }

    /// What is written for a field, and whether that leads to a node.
    fn value(&self, from: NodeId, key: &str, field: &'a Field) -> (Cow<'a, Json>, bool) {
        let reference = match field {
            Field::Json(json) => return (Cow::Borrowed(&**json), false),
            Field::Ref(reference) => reference,
            plain => return (Cow::Owned(plain.to_json()), false),
        };
        // A text whose node is gone may find another one when the file is read again; it is then written as that
        // one would be, so that the next save changes nothing.
        let target = match (&self.finder, reference.id.filter(|id| self.definition.contains(*id))) {
            (_, Some(id)) => Some(id),
            (Some(finder), None) if !is_word(key, &reference.text) => finder.find(from, &reference.text),
            _ => None,
        };
        match (&self.finder, target) {
            (Some(finder), Some(target)) => (Cow::Owned(Json::String(finder.text(from, target))), true),
            _ => (Cow::Owned(field.to_json()), false),
        }
    }
}

/// In the order they are written. A setting of the type hides a common one of its name.
fn known_fields(info: &NodeInfo) -> impl Iterator<Item = &FieldInfo> {
    let common = common_fields().iter().filter(|common| info.field(&common.name).is_none());
    common.chain(&info.fields)
}

fn kind<'a>(node: &'a Node, entries: &mut Entries<'a>) {
    text("type", &node.kind, entries);
}

fn identity<'a>(node: &'a Node, entries: &mut Entries<'a>) {
    if node.id_written {
        entries.push((Cow::from("id"), Cow::Owned(Json::String(node.id.to_string()))));
    }
}

fn names<'a>(node: &'a Node, entries: &mut Entries<'a>) {
    text("name", &node.name, entries);
    text("notes", &node.notes, entries);
}

fn text<'a>(key: &'static str, text: &str, entries: &mut Entries<'a>) {
    if !text.is_empty() {
        entries.push((Cow::from(key), Cow::Owned(Json::from(text))));
    }
}

/// The type cannot be read without it, default or not.
fn is_required(info: &NodeInfo, field: &FieldInfo) -> bool {
    let required = info.schema.get("required").and_then(Json::as_array);
    required.is_some_and(|names| names.iter().any(|name| name.as_str() == Some(&field.name)))
}

/// Equal, with `4` and `4.0` the same number.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(x), Json::Number(y)) => x == y || (x.is_f64() != y.is_f64() && x.as_f64() == y.as_f64()),
        (Json::Array(x), Json::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
        (Json::Object(x), Json::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, x)| y.get(key).is_some_and(|y| same(x, y)))
        }
        _ => a == b,
    }
}
