//! Which children of a fallback are its try.

use std::collections::BTreeMap;

use model::{Catalogue, Definition, Field, Node, NodeId};

/// Where each node of a file stands in tree order.
pub type Places = BTreeMap<NodeId, usize>;

pub fn places(tree: &Definition) -> Places {
    tree.walk(tree.root).enumerate().map(|(place, id)| (id, place)).collect()
}

/// How many children: the first, and those right behind it that start together with it.
pub fn try_count(tree: &Definition, places: &Places, catalogue: &Catalogue, fallback: NodeId) -> usize {
    let place = |id: NodeId| places.get(&id).copied().unwrap_or(0);
    let Some(first) = first_step(tree, catalogue, fallback).map(place) else {
        return 1;
    };
    let joins = |child: &NodeId| {
        let after = after_of(tree, catalogue, *child);
        match after {
            None => false,
            Some(After::Beginning) => true,
            Some(After::Node(target)) => match first_step(tree, catalogue, target) {
                Some(step) if organises(tree.node(target), catalogue) => place(step) <= first,
                _ => place(target) < first,
            },
        }
    };
    1 + tree.node(fallback).children.iter().skip(1).take_while(|child| joins(child)).count()
}

enum After {
    Beginning,
    Node(NodeId),
}

fn organises(node: &Node, catalogue: &Catalogue) -> bool {
    catalogue.role(&node.kind).is_some_and(|role| role.organises())
}

/// The step a node begins with: itself, unless it only organises.
fn first_step(tree: &Definition, catalogue: &Catalogue, id: NodeId) -> Option<NodeId> {
    let node = tree.node(id);
    if !organises(node, catalogue) || node.fields.get("file").is_some() {
        return Some(id);
    }
    node.children.iter().find_map(|child| first_step(tree, catalogue, *child))
}

/// What the first step of a node executes after: its own setting, or that of the nodes it is the first of.
fn after_of(tree: &Definition, catalogue: &Catalogue, id: NodeId) -> Option<After> {
    let step = first_step(tree, catalogue, id)?;
    let up = std::iter::once(step).chain(tree.ancestors(step).take_while(|above| *above != id)).chain([id]);
    let written = up.map(|at| tree.node(at)).find_map(|node| node.fields.get("after"));
    match written? {
        Field::Ref(reference) => reference.id.map(After::Node),
        other => (other.as_str() == Some("Beginning")).then_some(After::Beginning),
    }
}
