//! Files of the form the thesis shows: a node's `type` is the name of a class that ends in `Definition`.
//!
//! What their form says, beside the fields of each type: a node has `type`, `name`, `notes` and `children`; a child
//! that is a file of its own is `{"file": "door/Open.json"}`, named from the folder of all behaviors, not from the
//! file it stands in; such a file's root has that same text as its `name`; a leaf names what it executes after in
//! `executeAfterAction`. The root node of a running tree is never saved: a file begins with what lies below it.

use std::sync::Arc;

use super::parse::{Raw, Words};
use super::{folder, join, relative};
use crate::{Catalogue, Field, Foreign, Role};

pub(super) fn is_foreign(kind: &str) -> bool {
    kind.ends_with("Definition")
}

/// Turns the nodes of that form into ours, where a type of ours is known for them; the others stay as they are.
pub(super) fn convert(nodes: &mut [Raw], file: &str, catalogue: &Catalogue, words: &mut Words) {
    let whole = nodes.first().is_some_and(|root| is_foreign(&root.kind));
    let home = nodes.first().map_or("", |root| home(file, &root.name)).to_owned();
    for node in nodes {
        if is_foreign(&node.kind) {
            map(node, catalogue, words);
        } else if whole && node.kind.is_empty() && node.parent.is_some() {
            skill_use(node, file, &home, catalogue, words);
        }
    }
}

/// The folder of all behaviors: the root's name tells how far below it the file is.
fn home<'a>(file: &'a str, name: &str) -> &'a str {
    match file.strip_suffix(name) {
        Some(home) if home.is_empty() || home.ends_with('/') => home,
        _ => folder(file),
    }
}

fn skill_use(node: &mut Raw, file: &str, home: &str, catalogue: &Catalogue, words: &mut Words) {
    let Some(Field::Text(named)) = node.fields.get("file") else { return };
    let skill = catalogue.iter().find(|info| info.role == Role::Skill).map_or("skill", |info| info.name);
    // Other nodes refer to it by the name its file's root has.
    if node.name.is_empty() {
        node.name = Arc::from(&**named);
    }
    let path = relative(file, &join(home, named));
    if let Some(field) = node.fields.get_mut("file") {
        *field = Field::Text(path.into());
    }
    node.kind = words.intern(skill);
}

fn map(node: &mut Raw, catalogue: &Catalogue, words: &mut Words) {
    let Some((kind, foreign)) = counterpart(node, catalogue) else { return };
    node.was = Some(std::mem::replace(&mut node.kind, words.intern(kind)));
    if let Some((key, _)) = foreign.only_if {
        // The type now says it.
        node.fields.remove(key);
    }
    for (theirs, ours) in foreign.fields {
        rename(node, theirs, ours, words);
    }
    if let Some(convert) = foreign.convert {
        convert(&mut node.fields);
        node.fields.rename_keys(|key| words.intern(key));
    }
    if let Some(mode) = node.fields.get_mut("executionMode") {
        let ours = match mode.as_str() {
            Some("OVERRIDE") => Some("override"),
            Some("QUEUE") => Some("wait"),
            _ => None,
        };
        if let Some(ours) = ours {
            *mode = Field::Text(ours.into());
            rename(node, "executionMode", "on_conflict", words);
        }
    }
    rename(node, "executeAfterAction", "after", words);
}

fn counterpart<'c>(node: &Raw, catalogue: &'c Catalogue) -> Option<(&'c str, Foreign)> {
    let fits = |foreign: &Foreign| {
        let said = |(key, text): (&str, &str)| node.fields.get(key).and_then(Field::as_str) == Some(text);
        let inside = |(key, inner, text): (&str, &str, &str)| {
            let object = node.fields.get(key).map(Field::to_json);
            object.and_then(|object| Some(object.get(inner)?.as_str()? == text)).unwrap_or(false)
        };
        *foreign.kind == *node.kind && foreign.only_if.is_none_or(said) && foreign.only_inside.is_none_or(inside)
    };
    let known = catalogue.iter().flat_map(|info| info.foreign.iter().map(|foreign| (info.name, *foreign)));
    known.into_iter().find(|(_, foreign)| fits(foreign))
}

/// Keeps its place, and its old key where ours is taken already.
fn rename(node: &mut Raw, theirs: &str, ours: &str, words: &mut Words) {
    if theirs != ours && node.fields.get(ours).is_some() {
        return;
    }
    if let Some((place, field)) = node.fields.remove(theirs) {
        node.fields.insert(place, words.intern(ours), field);
    }
}
