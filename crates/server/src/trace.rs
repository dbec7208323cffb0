//! A number that stands for a part of the tree: equal where the part is. A file's is the sum of those of its nodes, so that
//! an edit changes it by what it touches. Only compared within one process.

use std::hash::{DefaultHasher, Hash, Hasher};

use model::hash::spread;
use model::{Field, Header, Node, NodeId};
use rustc_hash::FxHasher;

pub fn of_content(node: &Node) -> u64 {
    let mut hasher = FxHasher::default();
    (node.id.0, &node.kind, &node.name, &node.notes, node.id_written).hash(&mut hasher);
    for (key, field) in node.fields.iter() {
        key.hash(&mut hasher);
        hash_field(field, &mut hasher);
    }
    spread(hasher.finish())
}

pub fn of_children(children: &[NodeId]) -> u64 {
    let mut hasher = FxHasher::default();
    children.iter().for_each(|child| hasher.write_u64(child.0));
    spread(hasher.finish() ^ children.len() as u64)
}

/// Of a text, which may be long, its length and a number.
pub fn of_text(text: &str) -> (usize, u64) {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    (text.len(), hasher.finish())
}

pub fn of_header(header: &Header) -> u64 {
    let mut hasher = FxHasher::default();
    // Declarations are few; their text has all of them.
    format!("{header:?}").hash(&mut hasher);
    spread(hasher.finish())
}

/// Content and children of one node.
pub fn mixed((content, children): (u64, u64)) -> u64 {
    spread(content ^ children.rotate_left(32))
}

fn hash_field(field: &Field, hasher: &mut FxHasher) {
    std::mem::discriminant(field).hash(hasher);
    match field {
        Field::Null => {}
        Field::Bool(value) => value.hash(hasher),
        Field::Number(number) => number.hash(hasher),
        Field::Text(text) => text.hash(hasher),
        Field::Json(json) => json.to_string().hash(hasher),
        Field::Ref(reference) => (reference.id, &reference.text).hash(hasher),
    }
}
