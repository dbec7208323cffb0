use std::ops::Range;
use std::sync::LazyLock;

use engine::{Branching, Entry, GROUPING, Registry, Runs, makes_group};
use expression::Expression;
use model::{Common, Definition, DefinitionId, Field, Fields, Finder, Node, NodeId, Role, is_common};
use rustc_hash::FxHashMap;

/// A node's place in tree order.
pub type At = u32;

/// A file's nodes in tree order: a node's span is the node and everything below it.
pub struct Tree<'a> {
    pub id: DefinitionId,
    pub definition: &'a Definition,
    pub finder: Finder<'a>,
    items: Vec<Item<'a>>,
    places: FxHashMap<NodeId, At>,
}

struct Item<'a> {
    node: &'a Node,
    entry: Option<&'a Entry>,
    parent: Option<At>,
    end: At,
    common: Option<Box<Common>>,
    unclear: bool,
    is_group: bool,
}

static PLAIN: LazyLock<Common> = LazyLock::new(Common::default);

impl<'a> Tree<'a> {
    pub fn new(id: DefinitionId, definition: &'a Definition, registry: &'a Registry) -> Tree<'a> {
        let mut items: Vec<Item<'a>> = Vec::with_capacity(definition.len());
        let mut places = FxHashMap::default();
        for node_id in definition.walk_enabled(definition.root) {
            let node = definition.node(node_id);
            let at = items.len() as At;
            places.insert(node_id, at);
            let (common, unclear) = common_of(&registry.with_samples(node));
            items.push(Item {
                node,
                entry: registry.get(&node.kind),
                parent: node.parent.and_then(|parent| places.get(&parent).copied()),
                end: at + 1,
                common,
                unclear,
                is_group: node.fields.iter().any(|(key, field)| {
                    (*field != Field::Null && GROUPING.contains(&&**key)) || makes_group(key, field)
                }),
            });
        }
        for at in (1..items.len()).rev() {
            let end = items[at].end;
            if let Some(parent) = items[at].parent {
                let parent = &mut items[parent as usize];
                parent.end = parent.end.max(end);
            }
        }
        Tree { id, definition, finder: Finder::new(definition), items, places }
    }

    pub fn len(&self) -> At {
        self.items.len() as At
    }

    pub fn all(&self) -> Range<At> {
        0..self.len()
    }

    pub fn place(&self, id: NodeId) -> Option<At> {
        self.places.get(&id).copied()
    }

    pub fn node(&self, at: At) -> &'a Node {
        self.items[at as usize].node
    }

    pub fn label(&self, at: At) -> &'a str {
        self.node(at).label()
    }

    pub fn entry(&self, at: At) -> Option<&'a Entry> {
        self.items[at as usize].entry
    }

    pub fn role(&self, at: At) -> Option<Role> {
        self.entry(at).map(|entry| entry.info.role)
    }

    pub fn branching(&self, at: At) -> Option<Branching> {
        self.entry(at)?.branching
    }

    /// Which of its children a composite runs.
    pub fn runs(&self, at: At) -> Option<Runs> {
        self.entry(at)?.runs
    }

    /// Of a step that jumps: where to, if that is a node of this file. None: it does not jump.
    pub fn jumps_to(&self, at: At) -> Option<Option<At>> {
        let field = self.entry(at)?.jumps_to?;
        engine::reference_in(self.node(at), field).map(|_| self.target(at, field))
    }

    /// The node that a call runs, if it is one of this file. None: it is no call.
    pub fn calls(&self, at: At) -> Option<Option<At>> {
        match self.runs(at)? {
            Runs::Called(field) => Some(self.target(at, field)),
            _ => None,
        }
    }

    pub fn parent(&self, at: At) -> Option<At> {
        self.items[at as usize].parent
    }

    /// The node with everything below it.
    pub fn span(&self, at: At) -> Range<At> {
        at..self.items[at as usize].end
    }

    pub fn children(&self, at: At) -> impl Iterator<Item = At> + '_ {
        let end = self.items[at as usize].end;
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.items[child as usize].end;
            Some(child)
        })
    }

    /// The node and what it lies in, innermost first.
    pub fn upward(&self, at: At) -> impl Iterator<Item = At> + '_ {
        std::iter::successors(Some(at), |at| self.parent(*at))
    }

    /// Settings that any node may have.
    pub fn common(&self, at: At) -> &Common {
        self.items[at as usize].common.as_deref().unwrap_or(&PLAIN)
    }

    /// Those settings cannot be read, so that nothing is certain of the node.
    pub fn is_unclear(&self, at: At) -> bool {
        self.items[at as usize].unclear
    }

    /// Organises and is flattened away. A skill use that is none of its own stands for steps of another file.
    pub fn is_flattened(&self, at: At) -> bool {
        let item = &self.items[at as usize];
        item.entry.is_some_and(|entry| entry.info.role.organises()) && !item.is_group
    }

    pub fn text(&self, at: At, field: &str) -> &'a str {
        self.node(at).fields.get(field).and_then(Field::as_str).unwrap_or_default()
    }

    pub fn list(&self, at: At, field: &str) -> Vec<&'a str> {
        match self.node(at).fields.get(field) {
            Some(Field::Json(json)) => {
                json.as_array().into_iter().flatten().filter_map(serde_json::Value::as_str).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The expression a field holds, unbound; none where it is left out.
    pub fn expression(&self, at: At, field: &str) -> Option<Expression> {
        let text = match self.node(at).fields.get(field)? {
            Field::Text(text) => text.to_string(),
            Field::Bool(value) => value.to_string(),
            Field::Number(number) => number.to_string(),
            _ => return None,
        };
        Some(Expression::new(&text)).filter(|expression| !expression.is_empty())
    }

    /// The node a reference field names, if it is one of this file.
    pub fn target(&self, at: At, field: &str) -> Option<At> {
        let reference = engine::reference_in(self.node(at), field)?;
        self.place(reference.id?)
    }

    /// The field whose value says `text`, in a list or an object too.
    pub fn field_saying(&self, at: At, text: &str) -> Option<&'a str> {
        let says = |field: &Field| match field {
            Field::Json(json) => says(json, text),
            Field::Bool(value) => value.to_string() == text,
            Field::Number(number) => number.to_string() == text,
            other => other.as_str() == Some(text),
        };
        self.node(at).fields.iter().find(|(_, field)| says(field)).map(|(key, _)| &**key)
    }
}

fn says(json: &serde_json::Value, text: &str) -> bool {
    use serde_json::Value as Json;
    match json {
        Json::String(value) => value == text,
        Json::Array(items) => items.iter().any(|item| says(item, text)),
        Json::Object(entries) => entries.iter().any(|(key, value)| key == text || says(value, text)),
        Json::Null => false,
        Json::Bool(_) | Json::Number(_) => format!("{json}") == text,
    }
}

/// None where the node has none of them; the flag says that they cannot be read.
fn common_of(fields: &Fields) -> (Option<Box<Common>>, bool) {
    if !fields.iter().any(|(key, field)| *field != Field::Null && is_common(key)) {
        return (None, false);
    }
    match fields.read::<Common>(is_common) {
        Ok(common) => (Some(Box::new(common)), false),
        Err(_) => (None, true),
    }
}
