//! The document as clients see it, and what a change is of it.

use std::collections::BTreeMap;

use document::Document;
use engine::{Engine, Options, Registry};
use model::{Definition, DefinitionId, Field, Library, NodeId, Role, reference_text};
use protocol::api::{FileView, NodeView};
use serde_json::{Map, Value as Json};

use std::sync::Arc;

/// All of it, as it was last told.
#[derive(Clone, Debug, Default)]
pub struct View {
    pub files: Vec<FileView>,
    pub nodes: BTreeMap<NodeId, NodeView>,
    /// The nodes as they come in the files.
    pub order: Vec<NodeId>,
}

/// What differs from an older view.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    pub files: Vec<FileView>,
    pub nodes: Vec<NodeView>,
    pub removed: Vec<NodeId>,
}

impl View {
    pub fn of(document: &Document, registry: &Arc<Registry>, unsaved: &dyn Fn(&str) -> bool) -> View {
        let library = document.library();
        let tries = tries(library, registry);
        let mut view = View::default();
        for (id, tree) in library.iter() {
            view.files.push(file_view(tree, unsaved(&tree.file)));
            for node in tree.walk(tree.root) {
                view.order.push(node);
                view.nodes.insert(node, node_view(document, (id, tree), node, &tries));
            }
        }
        view
    }

    pub fn difference(&self, older: &View) -> Difference {
        let changed = |id: &&NodeId| older.nodes.get(id) != self.nodes.get(id);
        Difference {
            // An index into the files is only good with all of them.
            files: if self.files == older.files { Vec::new() } else { self.files.clone() },
            nodes: self.order.iter().filter(changed).filter_map(|id| self.nodes.get(id).cloned()).collect(),
            removed: older.order.iter().filter(|id| !self.nodes.contains_key(id)).copied().collect(),
        }
    }

    pub fn all(&self) -> Vec<NodeView> {
        self.order.iter().filter_map(|id| self.nodes.get(id).cloned()).collect()
    }
}

/// Only the engine knows which children of a fallback start together.
fn tries(library: &Library, registry: &Arc<Registry>) -> BTreeMap<NodeId, usize> {
    let catalogue = registry.catalogue();
    let is_fallback = |tree: &Definition, id| catalogue.role(&tree.node(id).kind) == Some(Role::Fallback);
    if !library.iter().any(|(_, tree)| tree.walk(tree.root).any(|id| is_fallback(tree, id))) {
        return BTreeMap::new();
    }
    Engine::new(library.clone(), Arc::clone(registry), &Options::default()).try_lengths()
}

fn file_view(tree: &Definition, unsaved: bool) -> FileView {
    let header = &tree.header;
    let json = |list: Vec<(String, Json)>| Json::Object(list.into_iter().collect());
    FileView {
        file: tree.file.to_string(),
        root: tree.root,
        unsaved,
        variables: header.variables.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
        inputs: json(header.inputs.iter().map(|(name, input)| (name.to_string(), to_json(input))).collect()),
        outputs: json(header.outputs.iter().map(|(name, output)| (name.to_string(), to_json(output))).collect()),
    }
}

fn to_json(value: &impl serde::Serialize) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

fn node_view(
    document: &Document,
    (definition, tree): (DefinitionId, &Definition),
    id: NodeId,
    tries: &BTreeMap<NodeId, usize>,
) -> NodeView {
    let node = tree.node(id);
    let (mut settings, mut references) = (Map::new(), Map::new());
    for (key, field) in node.fields.iter() {
        let mut value = field.to_json();
        if let Field::Ref(reference) = field
            && let Some(target) = reference.id.filter(|target| tree.contains(*target))
        {
            value = Json::String(reference_text(tree, id, target));
            references.insert(key.to_string(), Json::String(target.to_string()));
        }
        settings.insert(key.to_string(), value);
    }
    let is_use = document.catalogue().role(&node.kind) == Some(Role::Skill);
    NodeView {
        id,
        parent: node.parent,
        file: definition.0,
        kind: node.kind.to_string(),
        name: node.name.to_string(),
        notes: node.notes.to_string(),
        children: node.children.clone(),
        settings,
        references,
        skill: if is_use { document.library().skill_of(definition, id).map(|used| used.0) } else { None },
        tries: tries.get(&id).copied(),
    }
}
