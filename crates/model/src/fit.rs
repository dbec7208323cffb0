//! What an edit may bring into a tree: only what a file can hold, so that saving and loading give the same tree.

use rustc_hash::FxHashSet;
use serde_json::Value as Json;

use crate::file::{FILE_KEYS, MAX_LEVELS, NODE_KEYS};
use crate::{Definition, EditError, Field, Fields, Header, NodeId, Subtree};

type Fit = Result<(), EditError>;

/// A subtree whose top will have `above` nodes above it.
pub(crate) fn subtree(top: &Subtree, above: usize) -> Fit {
    let mut stack = vec![(top, above)];
    while let Some((node, above)) = stack.pop() {
        fields(&node.fields, above)?;
        stack.extend(node.children.iter().map(|child| (child, above + 1)));
    }
    Ok(())
}

/// The root of a new file.
pub(crate) fn root(top: &Subtree) -> Fit {
    if top.kind.is_empty() {
        return Err(EditError::NoType);
    }
    if let Some((key, _)) = top.fields.iter().find(|(key, _)| FILE_KEYS.contains(&&***key)) {
        return Err(EditError::NoSetting(key.to_string()));
    }
    subtree(top, 0)
}

/// What is in the tree already and goes to where `above` nodes are above it.
pub(crate) fn moved(tree: &Definition, top: NodeId, above: usize) -> Fit {
    let mut stack = vec![(top, above)];
    while let Some((id, above)) = stack.pop() {
        let node = tree.node(id);
        node.fields.iter().try_for_each(|(_, field)| level(above, field))?;
        level(above, &Field::Null)?;
        stack.extend(node.children.iter().map(|child| (*child, above + 1)));
    }
    Ok(())
}

/// A single setting. Names, notes, types, ids and children have edits of their own; so has what a file declares.
pub(crate) fn setting(tree: &Definition, node: NodeId, key: &str, value: Option<&Field>) -> Fit {
    let of_file = node == tree.root && FILE_KEYS.contains(&key);
    if NODE_KEYS.contains(&key) || of_file {
        return Err(EditError::NoSetting(key.to_owned()));
    }
    value.map_or(Ok(()), |value| level(tree.ancestors(node).count(), value))
}

/// A setting, from wherever it comes, can stand at a node with `above` nodes above it.
pub fn fits(key: &str, value: &Field, above: usize, is_root: bool) -> bool {
    let of_file = is_root && FILE_KEYS.contains(&key);
    !of_file && !reads_as_part_of_node(key, value) && level(above, value).is_ok()
}

/// Everything below and with a node could lie where `above` nodes are above it.
pub fn fits_below(tree: &Definition, top: NodeId, above: usize) -> bool {
    moved(tree, top, above).is_ok()
}

/// A key that is a setting, not a part of what makes a node or a file.
pub fn is_setting(key: &str, is_root: bool) -> bool {
    !NODE_KEYS.contains(&key) && (!is_root || !FILE_KEYS.contains(&key))
}

/// In a file a default lies four levels deep: in the file, its inputs and its declaration.
pub(crate) fn header(header: &Header) -> Fit {
    let defaults = header.inputs.iter().filter_map(|(_, input)| input.default.as_ref()).map(|json| 3 + depth(json));
    let variables = header.variables.iter().map(|(_, json)| 2 + depth(json));
    let extra = header.extra.values().map(|json| 1 + depth(json));
    let deepest = defaults.chain(variables).chain(extra).max().unwrap_or(0);
    if deepest > MAX_LEVELS { Err(EditError::TooDeep) } else { Ok(()) }
}

fn fields(fields: &Fields, above: usize) -> Fit {
    level(above, &Field::Null)?;
    let mut keys = FxHashSet::default();
    for (key, field) in fields.iter() {
        if reads_as_part_of_node(key, field) {
            return Err(EditError::NoSetting(key.to_string()));
        }
        if !keys.insert(key) {
            return Err(EditError::Twice(key.to_string()));
        }
        level(above, field)?;
    }
    Ok(())
}

/// A file may hold a `name` that is no text; it is kept as it is. One that is a text would be the node's name when
/// the file is read again.
fn reads_as_part_of_node(key: &str, field: &Field) -> bool {
    match key {
        "type" | "name" | "notes" => matches!(field, Field::Null | Field::Text(_) | Field::Ref(_)),
        "id" => match field {
            Field::Text(text) => text.parse::<NodeId>().is_ok(),
            other => matches!(other, Field::Null | Field::Ref(_)),
        },
        "children" => match field {
            Field::Json(json) => json.is_array(),
            other => *other == Field::Null,
        },
        _ => false,
    }
}

/// A node is an object in a list of its parent: two levels each.
fn level(above: usize, field: &Field) -> Fit {
    let own = match field {
        Field::Json(json) => depth(json),
        _ => 0,
    };
    if 2 * above + 1 + own > MAX_LEVELS { Err(EditError::TooDeep) } else { Ok(()) }
}

/// How deep lists and objects lie in each other; counts no further than matters.
fn depth(json: &Json) -> usize {
    let mut deepest = 0;
    let mut stack = vec![(json, 1)];
    while let Some((json, level)) = stack.pop() {
        match json {
            Json::Array(items) => stack.extend(items.iter().map(|item| (item, level + 1))),
            Json::Object(entries) => stack.extend(entries.values().map(|entry| (entry, level + 1))),
            _ => continue,
        }
        deepest = deepest.max(level);
        if deepest > MAX_LEVELS {
            break;
        }
    }
    deepest
}
