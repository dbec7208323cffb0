//! Nodes and files as clients see them.

use document::Document;
use model::{Catalogue, Definition, DefinitionId, Field, NodeId, Role};
use protocol::api::{FileView, NodeView};
use serde_json::{Map, Value as Json};

pub fn file_view(tree: &Definition) -> FileView {
    let header = &tree.header;
    let json = |list: Vec<(String, Json)>| Json::Object(list.into_iter().collect());
    FileView {
        file: tree.file.to_string(),
        root: tree.root,
        unsaved: true,
        variables: header.variables.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
        lets: header.lets.iter().map(|(name, text)| (name.to_string(), Json::from(&**text))).collect(),
        inputs: json(header.inputs.iter().map(|(name, input)| (name.to_string(), with_schema(input))).collect()),
        outputs: json(header.outputs.iter().map(|(name, output)| (name.to_string(), to_json(output))).collect()),
    }
}

/// With the schema of its values, for the form of a use.
fn with_schema(input: &model::Input) -> Json {
    let mut view = to_json(input);
    view["schema"] = input.schema();
    view
}

fn to_json(value: &impl serde::Serialize) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

/// Nothing but what follows from the node itself and the list of files.
pub fn node_view(document: &Document, definition: DefinitionId, id: NodeId) -> NodeView {
    let tree = document.library().get(definition);
    let node = tree.node(id);
    let (mut settings, mut references) = (Map::new(), Map::new());
    for (key, field) in node.fields.iter() {
        if let Field::Ref(reference) = field
            && let Some(target) = reference.id
        {
            references.insert(key.to_string(), Json::String(target.to_string()));
        }
        settings.insert(key.to_string(), field.to_json());
    }
    let is_use = role_of(document.catalogue(), tree, id) == Some(Role::Skill);
    NodeView {
        id,
        parent: node.parent,
        file: definition.0,
        kind: node.kind.to_string(),
        name: node.name.to_string(),
        notes: node.notes.to_string(),
        children: Some(node.children.clone()),
        settings,
        references,
        skill: if is_use { document.library().skill_of(definition, id).map(|used| used.0) } else { None },
        tries: None,
    }
}

pub fn role_of(catalogue: &Catalogue, tree: &Definition, node: NodeId) -> Option<Role> {
    catalogue.role(&tree.node(node).kind)
}
