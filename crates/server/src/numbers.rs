//! What the numbers of instances stand for, of one tree.

use engine::Instance;
use model::{Catalogue, Definition, DefinitionId, Field, Library, NodeId, Role};
use protocol::api::InstanceView;
use protocol::talk::{InstanceNumber, instance_number};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::view::Steps;

const MOST_INSTANCES: usize = 200_000;
const MOST_DEPTH: usize = 64;

/// A part of a file as it runs: its top, and the uses that lead there.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    file: DefinitionId,
    top: NodeId,
    uses: Vec<NodeId>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Each with the part it is in.
    known: FxHashMap<InstanceNumber, (u32, NodeId)>,
    parts: Vec<Part>,
    /// Nodes that lead into a part: uses of skills, and calls.
    doors: FxHashSet<NodeId>,
    /// To be made anew before anything is looked up.
    old: bool,
}

impl Numbers {
    pub fn of(library: &Library, catalogue: &Catalogue) -> Numbers {
        let mut numbers = Numbers::default();
        let mut uses = Vec::new();
        numbers.below((library, catalogue), (Library::MAIN, library.main().root), &mut uses);
        numbers
    }

    /// Follows an edit. Where that is not simple, all is made anew when something is looked up.
    pub fn follow(&mut self, steps: &Steps, library: &Library, catalogue: &Catalogue) {
        let is_door = |node: &NodeId| {
            let file = library.owner_of(*node);
            file.is_some_and(|file| is_door(catalogue, library.get(file), *node)) || self.doors.contains(node)
        };
        let named = steps.came.iter().chain(&steps.gone).map(|(_, node)| node).chain(&steps.content);
        let is_whole = |part: &Part| part.file.index() < library.len() && library.get(part.file).root == part.top;
        let moved = steps.moved || !steps.came.is_empty() || !steps.gone.is_empty();
        let is_full = self.known.len() + steps.came.len() >= MOST_INSTANCES;
        self.old |= steps.files || is_full || named.clone().any(is_door) || moved && !self.parts.iter().all(is_whole);
        if self.old {
            return;
        }
        for (place, part) in self.parts.iter().enumerate() {
            for (_, node) in steps.gone.iter().filter(|(file, _)| *file == part.file) {
                self.known.remove(&number(&part.uses, *node));
            }
            for (_, node) in steps.came.iter().filter(|(file, _)| *file == part.file) {
                self.known.insert(number(&part.uses, *node), (place as u32, *node));
            }
        }
    }

    /// Before something is looked up.
    pub fn refresh(&mut self, library: &Library, catalogue: &Catalogue) {
        if self.old {
            *self = Numbers::of(library, catalogue);
        }
    }

    fn below(
        &mut self,
        (library, catalogue): (&Library, &Catalogue),
        (file, top): (DefinitionId, NodeId),
        uses: &mut Vec<NodeId>,
    ) {
        let tree = library.get(file);
        let place = self.parts.len() as u32;
        self.parts.push(Part { file, top, uses: uses.clone() });
        for id in tree.walk(top) {
            if self.known.len() >= MOST_INSTANCES {
                return;
            }
            self.known.insert(number(uses, id), (place, id));
            if !is_door(catalogue, tree, id) {
                continue;
            }
            self.doors.insert(id);
            let inside = behind(library, catalogue, (file, id));
            if let Some(inside) = inside.filter(|_| uses.len() < MOST_DEPTH && !uses.contains(&id)) {
                uses.push(id);
                self.below((library, catalogue), inside, uses);
                uses.pop();
            }
        }
    }

    /// It gives what the other gives: else says so.
    pub fn check(&self, other: &Numbers) -> Result<(), String> {
        let same = |number: &InstanceNumber| self.get(*number) == other.get(*number);
        let all = self.known.len() == other.known.len() && self.known.keys().all(same);
        if all { Ok(()) } else { Err("kept: numbers of instances".to_owned()) }
    }

    pub fn get(&self, number: InstanceNumber) -> Option<InstanceView> {
        let (part, node) = *self.known.get(&number)?;
        Some(InstanceView { uses: self.parts.get(part as usize)?.uses.clone(), node })
    }
}

fn number(uses: &[NodeId], node: NodeId) -> InstanceNumber {
    instance_number(&Instance { uses: uses.to_vec(), node })
}

fn is_door(catalogue: &Catalogue, tree: &Definition, node: NodeId) -> bool {
    catalogue.get(&tree.node(node).kind).is_some_and(|info| info.role == Role::Skill || info.declared.calls)
}

fn behind(
    library: &Library,
    catalogue: &Catalogue,
    (file, id): (DefinitionId, NodeId),
) -> Option<(DefinitionId, NodeId)> {
    let tree = library.get(file);
    let node = tree.node(id);
    if catalogue.role(&node.kind) == Some(Role::Skill) {
        return library.skill_of(file, id).map(|used| (used, library.get(used).root));
    }
    node.fields.iter().find_map(|(_, field)| match field {
        Field::Ref(reference) => reference.id.filter(|to| tree.contains(*to)).map(|to| (file, to)),
        _ => None,
    })
}
