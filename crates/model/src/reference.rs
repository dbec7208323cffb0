use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::{Definition, NodeId};

/// A reference to a node of the same file: found once by its text, then followed by id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeRef {
    /// None: not found in this file. A skill may name a node of its caller; that is settled per use.
    pub id: Option<NodeId>,
    /// As written, or as last known.
    pub text: Arc<str>,
}

/// What a text finds, seen from a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolution {
    Found(NodeId),
    /// Several at the same distance; the first in tree order counts.
    Ambiguous(NodeId, Vec<NodeId>),
    Missing,
}

impl Resolution {
    pub fn first(&self) -> Option<NodeId> {
        match self {
            Resolution::Found(id) | Resolution::Ambiguous(id, _) => Some(*id),
            Resolution::Missing => None,
        }
    }

    fn of(mut found: Vec<NodeId>) -> Resolution {
        match found.len() {
            0 => Resolution::Missing,
            1 => Resolution::Found(found[0]),
            _ => {
                let others = found.split_off(1);
                Resolution::Ambiguous(found[0], others)
            }
        }
    }
}

/// Words that a reference field may hold instead of a node's name. A node so called is reached by its path.
const WORDS: [&str; 3] = ["Previous", "Beginning", "Next"];

/// Finds `text` from `from`: own subtree first, then for each ancestor upward its subtree in tree order, then the
/// ancestor itself. A text that starts with `/` is a path from the root.
pub fn resolve(definition: &Definition, from: NodeId, text: &str) -> Resolution {
    if text.starts_with('/') {
        return resolve_path(definition, text, |parent, name| {
            let children = definition.node(parent).children.iter().copied();
            children.filter(|child| &**definition.node(*child).label() == name).collect()
        });
    }
    if !definition.contains(from) {
        return Resolution::Missing;
    }
    let mut found = named_below(definition, from, None, text);
    let mut searched = from;
    for ancestor in definition.ancestors(from) {
        if !found.is_empty() {
            break;
        }
        found = named_below(definition, ancestor, Some(searched), text);
        if found.is_empty() && &**definition.node(ancestor).label() == text {
            found.push(ancestor);
        }
        searched = ancestor;
    }
    Resolution::of(found)
}

/// The text that finds `target` from `from`: its bare name, or a path where the name would find another node.
pub fn reference_text(definition: &Definition, from: NodeId, target: NodeId) -> String {
    let Some(node) = definition.get(target) else { return String::new() };
    let name = node.label();
    if may_stand_alone(name) && resolve(definition, from, name).first() == Some(target) {
        return name.to_string();
    }
    path_text(definition, target, |parent, id, name| {
        let children = definition.node(parent).children.iter();
        let alike = children.filter(|child| definition.node(**child).label() == name);
        let place = alike.clone().position(|child| *child == id).unwrap_or(0);
        (place, alike.count())
    })
}

/// Nodes below `top` of that name, in tree order, without `skip` and what is below it.
fn named_below(definition: &Definition, top: NodeId, skip: Option<NodeId>, name: &str) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut stack: Vec<NodeId> = definition.node(top).children.iter().rev().copied().collect();
    while let Some(id) = stack.pop() {
        if Some(id) == skip {
            continue;
        }
        let node = definition.node(id);
        if &**node.label() == name {
            found.push(id);
        }
        stack.extend(node.children.iter().rev());
    }
    found
}

fn may_stand_alone(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('/') && !WORDS.contains(&name)
}

/// Follows a path; `named` gives the children of a node that have a name.
fn resolve_path<'a, F>(definition: &Definition, path: &str, named: F) -> Resolution
where
    F: Fn(NodeId, &str) -> Vec<NodeId> + 'a,
{
    let mut at = vec![definition.root];
    if path != "/" {
        for segment in path[1..].split('/') {
            let Some((name, place)) = read_segment(segment) else { return Resolution::Missing };
            let mut next = Vec::new();
            for parent in at {
                let children = named(parent, &name);
                match place {
                    Some(place) => next.extend(children.get(place)),
                    None => next.extend(children),
                }
            }
            at = next;
        }
    }
    Resolution::of(at)
}

/// `place_of` gives a node's place among the siblings of its name, and how many those are.
fn path_text<F>(definition: &Definition, target: NodeId, place_of: F) -> String
where
    F: Fn(NodeId, NodeId, &Arc<str>) -> (usize, usize),
{
    let mut segments = Vec::new();
    let mut at = target;
    while let Some(parent) = definition.get(at).and_then(|node| node.parent) {
        let name = definition.node(at).label();
        let (place, count) = place_of(parent, at, name);
        segments.push(write_segment(name, place, count));
        at = parent;
    }
    segments.reverse();
    format!("/{}", segments.join("/"))
}

/// Where the `[n]` begins that a text ends with.
fn place_suffix(text: &str) -> Option<usize> {
    let inner = text.strip_suffix(']')?;
    let open = inner.rfind('[')?;
    let digits = &inner[open + 1..];
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(open)
}

fn write_segment(name: &str, place: usize, count: usize) -> String {
    let mut escaped = String::with_capacity(name.len());
    let own_suffix = place_suffix(name);
    for (at, letter) in name.char_indices() {
        match letter {
            '~' => escaped.push_str("~0"),
            '/' => escaped.push_str("~1"),
            '[' if own_suffix == Some(at) => escaped.push_str("~2"),
            other => escaped.push(other),
        }
    }
    // An empty name alone would leave `/`, which is the root.
    if count > 1 || name.is_empty() {
        escaped.push_str(&format!("[{}]", place + 1));
    }
    escaped
}

/// The name and, counted from 0, which of the siblings of that name. None: no such place can be.
fn read_segment(segment: &str) -> Option<(String, Option<usize>)> {
    let (escaped, place) = match place_suffix(segment) {
        Some(open) => {
            let number: usize = segment[open + 1..segment.len() - 1].parse().ok()?;
            (&segment[..open], Some(number.checked_sub(1)?))
        }
        None => (segment, None),
    };
    // `~0` last, so that `~01` stays the text `~1`.
    Some((escaped.replace("~2", "[").replace("~1", "/").replace("~0", "~"), place))
}

/// Resolves many references of one tree: an index over all names, built once. It holds for the tree as it was then.
pub struct Finder<'a> {
    definition: &'a Definition,
    /// Where a node and the end of what is below it stand in tree order.
    spans: FxHashMap<NodeId, (u32, u32)>,
    named: FxHashMap<&'a str, Vec<(u32, NodeId)>>,
    siblings: FxHashMap<(NodeId, &'a str), Vec<NodeId>>,
}

impl<'a> Finder<'a> {
    pub fn new(definition: &'a Definition) -> Finder<'a> {
        let order: Vec<NodeId> = definition.walk(definition.root).collect();
        let mut spans = FxHashMap::default();
        let mut named: FxHashMap<&str, Vec<(u32, NodeId)>> = FxHashMap::default();
        let mut siblings: FxHashMap<(NodeId, &str), Vec<NodeId>> = FxHashMap::default();
        for (place, id) in order.iter().enumerate() {
            let node = definition.node(*id);
            spans.insert(*id, (place as u32, place as u32 + 1));
            named.entry(node.label()).or_default().push((place as u32, *id));
            if let Some(parent) = node.parent {
                siblings.entry((parent, node.label())).or_default().push(*id);
            }
        }
        for id in order.iter().rev() {
            let end = spans[id].1;
            if let Some(span) = definition.node(*id).parent.and_then(|parent| spans.get_mut(&parent)) {
                span.1 = span.1.max(end);
            }
        }
        Finder { definition, spans, named, siblings }
    }

    /// The first node that [`resolve`] gives.
    pub fn find(&self, from: NodeId, text: &str) -> Option<NodeId> {
        self.find_two(from, text).map(|(first, _)| first)
    }

    /// The first node that [`resolve`] gives, and the second at the same distance if there is one.
    pub fn find_two(&self, from: NodeId, text: &str) -> Option<(NodeId, Option<NodeId>)> {
        if text.starts_with('/') {
            let named = |parent, name: &str| self.siblings.get(&(parent, name)).cloned().unwrap_or_default();
            return match resolve_path(self.definition, text, named) {
                Resolution::Found(id) => Some((id, None)),
                Resolution::Ambiguous(id, others) => Some((id, others.first().copied())),
                Resolution::Missing => None,
            };
        }
        let candidates = self.named.get(text)?;
        let (mut start, mut end) = *self.spans.get(&from)?;
        let inside = |start: u32, end: u32| {
            let at = candidates.partition_point(|(place, _)| *place < start);
            candidates[at..].iter().take_while(move |(place, _)| *place < end).map(|(_, id)| *id)
        };
        let mut below = inside(start + 1, end);
        if let Some(id) = below.next() {
            return Some((id, below.next()));
        }
        for ancestor in self.definition.ancestors(from) {
            let (top, bottom) = self.spans[&ancestor];
            let mut around = inside(top + 1, start).chain(inside(end, bottom));
            if let Some(id) = around.next() {
                return Some((id, around.next()));
            }
            if &**self.definition.node(ancestor).label() == text {
                return Some((ancestor, None));
            }
            (start, end) = (top, bottom);
        }
        None
    }

    /// As [`reference_text`].
    pub fn text(&self, from: NodeId, target: NodeId) -> String {
        let Some(node) = self.definition.get(target) else { return String::new() };
        let name = node.label();
        if may_stand_alone(name) && self.find(from, name) == Some(target) {
            return name.to_string();
        }
        self.path(target)
    }

    /// The path that finds `target`, and it alone, from everywhere in its file.
    pub fn path(&self, target: NodeId) -> String {
        path_text(self.definition, target, |parent, id, name| {
            let Some(alike) = self.siblings.get(&(parent, &**name)) else { return (0, 1) };
            let place = self.spans[&id].0;
            (alike.partition_point(|sibling| self.spans[sibling].0 < place), alike.len())
        })
    }
}
