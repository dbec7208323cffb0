use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::parse::{Finding, Raw};
use crate::{Definition, Field, Finder, Header, Library, Node, NodeId, resolve};

/// Gives every node its id and makes the tree. The ids are in the order of `nodes`.
pub(super) fn build(
    nodes: Vec<Raw>,
    (file, id_file): (&str, &str),
    header: Header,
    library: &Library,
    findings: &mut Vec<Finding>,
) -> (Definition, Vec<NodeId>) {
    let mut nodes = nodes;
    let written = written_ids(&mut nodes, library, findings);
    let ids = all_ids(&nodes, id_file, &written, library);
    let count = nodes.len();
    let mut made = nodes.into_iter().zip(&ids).map(|(raw, id)| Node {
        id: *id,
        parent: raw.parent.map(|parent| ids[parent as usize]),
        kind: raw.kind,
        name: raw.name,
        notes: raw.notes,
        children: Vec::with_capacity(raw.child_count as usize),
        fields: raw.fields,
        id_written: raw.id.is_some(),
    });
    let root = made.next().expect("a parsed file has a root");
    let mut definition = Definition::new(file.into(), header, root);
    definition.reserve(count - 1);
    for node in made {
        if let Some(parent) = node.parent.and_then(|parent| definition.get_mut(parent)) {
            parent.children.push(node.id);
        }
        definition.insert_node(node);
    }
    (definition, ids)
}

/// Ids that the file spells out. They come first: a derived id must not take one that stands further down.
fn written_ids(nodes: &mut [Raw], library: &Library, findings: &mut Vec<Finding>) -> FxHashSet<NodeId> {
    let mut written = FxHashSet::default();
    for (at, raw) in nodes.iter_mut().enumerate() {
        let Some(id) = raw.id else { continue };
        let elsewhere = library.owner_of(id).map(|owner| library.get(owner).file.clone());
        if elsewhere.is_none() && written.insert(id) {
            continue;
        }
        raw.id = None;
        let place = elsewhere.map_or("in this file".to_owned(), |file| format!("in {file}"));
        let message = format!("id {id} is already taken {place}; the node gets another one");
        findings.push(Finding::error(at as u32, Some("id"), message, "leave the id out, or write one of its own"));
    }
    written
}

fn all_ids(nodes: &[Raw], id_file: &str, written: &FxHashSet<NodeId>, library: &Library) -> Vec<NodeId> {
    let mut used = FxHashSet::with_capacity_and_hasher(nodes.len(), Default::default());
    let mut ids = Vec::with_capacity(nodes.len());
    let mut above: Vec<u32> = Vec::new();
    let mut position: Vec<usize> = Vec::new();
    for (at, raw) in nodes.iter().enumerate() {
        while above.last().copied() != raw.parent && above.pop().is_some() {
            position.pop();
        }
        if raw.parent.is_some() {
            position.push(raw.index as usize);
        }
        above.push(at as u32);
        let id = raw.id.unwrap_or_else(|| {
            let taken = |id| written.contains(&id) || used.contains(&id) || library.owner_of(id).is_some();
            NodeId::from_position(id_file, &position).or_next_free(taken)
        });
        used.insert(id);
        ids.push(id);
    }
    ids
}

/// Finds the nodes that references name, now that all of them are there.
pub(super) fn resolve_references(definition: &mut Definition, references: &[(NodeId, Arc<str>)]) {
    const FEW: usize = 8;
    let text = |definition: &Definition, node, key: &str| {
        let field = definition.get(node).and_then(|node| node.fields.get(key));
        field.and_then(Field::as_str).unwrap_or_default().to_owned()
    };
    let found: Vec<Option<NodeId>> = if references.len() <= FEW {
        let find = |(node, key): &(NodeId, Arc<str>)| resolve(definition, *node, &text(definition, *node, key)).first();
        references.iter().map(find).collect()
    } else {
        let finder = Finder::new(definition);
        references.iter().map(|(node, key)| finder.find(*node, &text(definition, *node, key))).collect()
    };
    for ((node, key), id) in references.iter().zip(found) {
        if let Some(Field::Ref(reference)) = definition.get_mut(*node).and_then(|node| node.fields.get_mut(key)) {
            reference.id = id;
        }
    }
}
