//! What leads from inside a subtree to the outside, or the other way.

use model::{Definition, Field, NodeId, resolve};
use rustc_hash::FxHashSet;

use crate::document::Document;
use crate::names::Mentions;

impl Document {
    /// Everything that would no longer find its node if `top` were in a file of its own.
    pub(crate) fn crossings(&self, tree: &Definition, top: NodeId) -> Vec<String> {
        let inside: FxHashSet<NodeId> = tree.walk(top).collect();
        let mut crossings = Vec::new();
        for id in tree.walk(tree.root) {
            let is_in = inside.contains(&id);
            for (key, field) in tree.node(id).fields.iter() {
                let Field::Ref(reference) = field else { continue };
                let found = reference.id.filter(|id| tree.contains(*id));
                let Some(target) = found.or_else(|| resolve(tree, id, &reference.text).first()) else { continue };
                // What refers to the whole will refer to the use of it. What the whole executes after stays with the
                // use, too.
                let of_place = id == top && key.as_ref() == "after";
                let stays = (!is_in && target == top) || of_place;
                let leads_in = inside.contains(&target);
                if (is_in != leads_in && !stays) || (of_place && leads_in) {
                    crossings.push(self.crossing(tree, id, target, is_in));
                }
            }
        }
        let asked = self.mentions(tree, tree.walk(tree.root));
        for (id, name) in asked.nodes {
            let Some(target) = resolve(tree, id, &name).first() else { continue };
            let is_in = inside.contains(&id);
            if is_in != inside.contains(&target) {
                crossings.push(self.crossing(tree, id, target, is_in));
            }
        }
        crossings
    }

    fn crossing(&self, tree: &Definition, from: NodeId, to: NodeId, from_inside: bool) -> String {
        let both_inside = from_inside && tree.is_within(to, from);
        let (from, to) = (tree.path(from), tree.path(to));
        if both_inside {
            format!("`{from}` executes after `{to}`, which is a part of it")
        } else if from_inside {
            format!("`{from}` refers to `{to}`, which stays outside")
        } else {
            format!("`{from}` stays outside and refers to `{to}`")
        }
    }
}

/// Names that a file has itself: declared, or set by its nodes.
pub(crate) fn own_names(tree: &Definition, mentions: &Mentions) -> FxHashSet<String> {
    let mut names: FxHashSet<String> = declared(tree).map(str::to_owned).collect();
    names.extend(mentions.writes.iter().cloned());
    names
}

pub(crate) fn declared(tree: &Definition) -> impl Iterator<Item = &str> {
    let header = &tree.header;
    let inputs = header.inputs.iter().map(|(name, _)| &**name);
    let outputs = header.outputs.iter().map(|(name, _)| &**name);
    let lets = header.lets.iter().map(|(name, _)| &**name);
    inputs.chain(outputs).chain(header.variables.iter().map(|(name, _)| &**name)).chain(lets)
}

/// `pose.x` is a variable of that name where there is one, else a key of the map `pose`.
pub(crate) fn variable_of<'n>(name: &'n str, known: &FxHashSet<String>) -> &'n str {
    if known.contains(name) {
        return name;
    }
    let prefixes = name.rmatch_indices('.').map(|(end, _)| &name[..end]);
    prefixes.into_iter().find(|prefix| known.contains(*prefix)).unwrap_or(name)
}
