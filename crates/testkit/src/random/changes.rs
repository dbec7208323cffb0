use std::sync::Arc;

use model::{Definition, DefinitionId, Edit, Field, Fields, Library, NodeId, NodeRef, Subtree};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

use super::trees::{common_setting, name, subtree_json};

/// A node, as a file and a place in tree order; which it is follows from the library it is asked of.
#[derive(Clone, Copy, Debug)]
pub struct NodePick {
    file: usize,
    node: usize,
}

impl NodePick {
    pub fn any() -> impl Strategy<Value = NodePick> + Clone {
        (0..4_usize, 0..40_usize).prop_map(|(file, node)| NodePick { file: file.saturating_sub(1), node })
    }

    pub fn definition(self, library: &Library) -> DefinitionId {
        DefinitionId((self.file % library.len()) as u32)
    }

    /// Now and then a node that is not there.
    pub fn node(self, library: &Library) -> NodeId {
        if self.node == 39 {
            return NodeId(0xdead);
        }
        nth(library.get(self.definition(library)), self.node)
    }
}

pub(super) fn nth(tree: &Definition, place: usize) -> NodeId {
    let order: Vec<NodeId> = tree.walk(tree.root).collect();
    order[place % order.len()]
}

/// An edit before its nodes are known.
#[derive(Clone, Debug)]
pub enum ChangePlan {
    Insert(NodePick, usize, Json),
    Delete(NodePick),
    Move(NodePick, NodePick, usize),
    Set(NodePick, &'static str, Option<Json>),
    Refer(NodePick, &'static str, NodePick),
    Rename(NodePick, &'static str),
    Notes(NodePick),
    Retype(NodePick, &'static str),
    Header(NodePick, Json),
    AddFile(Json),
    RemoveFile,
}

pub fn change() -> impl Strategy<Value = ChangePlan> {
    let place = NodePick::any();
    let kinds = ["sequence", "fallback", "parallel", "loop", "choose", "wait", "goto", "gosub", "skill", "teleport"];
    let own = prop_oneof![
        select(&[0.0, 0.2][..]).prop_map(|seconds| ("duration_s", json!(seconds))),
        name().prop_map(|name| ("target", json!(name))),
        select(&["s1.json", "s2.json", "new.json", "main.json"][..]).prop_map(|file| ("file", json!(file))),
        Just(("name", json!("A"))),
        Just(("children", json!([{"type": "wait"}]))),
        Just(("odd", json!({"a": [1, null]}))),
    ];
    let setting = prop_oneof![3 => common_setting(), 2 => own];
    prop_oneof![
        4 => (place.clone(), 0..5_usize, subtree_json()).prop_map(|(parent, index, json)| ChangePlan::Insert(parent, index, json)),
        3 => place.clone().prop_map(ChangePlan::Delete),
        4 => (place.clone(), place.clone(), 0..4_usize).prop_map(|(node, to, index)| ChangePlan::Move(node, to, index)),
        3 => (place.clone(), setting, option::weighted(0.8, Just(())))
            .prop_map(|(node, (key, value), some)| ChangePlan::Set(node, key, some.map(|()| value))),
        2 => (place.clone(), select(&["after", "target"][..]), place.clone())
            .prop_map(|(node, key, to)| ChangePlan::Refer(node, key, to)),
        1 => (place.clone(), name()).prop_map(|(node, name)| ChangePlan::Rename(node, name)),
        1 => place.clone().prop_map(ChangePlan::Notes),
        2 => (place.clone(), select(kinds.to_vec())).prop_map(|(node, kind)| ChangePlan::Retype(node, kind)),
        1 => (place, select(vec![json!({"x": 5}), json!({}), json!({"z": [1]})]))
            .prop_map(|(file, variables)| ChangePlan::Header(file, variables)),
        1 => subtree_json().prop_map(ChangePlan::AddFile),
        1 => Just(ChangePlan::RemoveFile),
    ]
}

impl ChangePlan {
    /// The edit this means for a library. New nodes take ids from `next_id`.
    pub fn edit(&self, library: &Library, next_id: &mut u64) -> Edit {
        match self {
            ChangePlan::Insert(parent, index, json) => {
                Edit::Insert { parent: parent.node(library), index: *index, subtree: subtree(json, next_id) }
            }
            ChangePlan::Delete(node) => Edit::Delete { node: node.node(library) },
            ChangePlan::Move(node, to, index) => {
                Edit::Move { node: node.node(library), parent: to.node(library), index: *index }
            }
            ChangePlan::Set(node, key, value) => {
                let value = value.clone().map(Field::from_json);
                Edit::Set { node: node.node(library), field: (*key).into(), value, at: None }
            }
            ChangePlan::Refer(node, key, to) => {
                let id = to.node(library);
                let target = library.owner_of(id).map(|owner| library.get(owner).node(id));
                let text = target.map_or_else(|| "gone".into(), |node| node.label().clone());
                let value = Some(Field::Ref(Box::new(NodeRef { id: Some(id), text })));
                Edit::Set { node: node.node(library), field: (*key).into(), value, at: None }
            }
            ChangePlan::Rename(node, name) => Edit::Rename { node: node.node(library), name: (*name).into() },
            ChangePlan::Notes(node) => Edit::Notes { node: node.node(library), notes: "noted".into() },
            ChangePlan::Retype(node, kind) => Edit::Retype { node: node.node(library), kind: (*kind).into() },
            ChangePlan::Header(file, variables) => {
                let definition = file.definition(library);
                let mut header = library.get(definition).header.clone();
                let entries = variables.as_object().into_iter().flatten();
                header.variables = entries.map(|(name, value)| (Arc::from(name.as_str()), value.clone())).collect();
                Edit::Header { definition, header: Box::new(header) }
            }
            ChangePlan::AddFile(json) => {
                let root = json!({"type": "sequence", "children": [json]});
                Edit::AddFile { file: "new.json".into(), header: Box::default(), root: subtree(&root, next_id) }
            }
            ChangePlan::RemoveFile => Edit::RemoveFile { file: "new.json".into() },
        }
    }
}

fn subtree(json: &Json, next_id: &mut u64) -> Subtree {
    *next_id += 1;
    let id = NodeId(0xabc_0000 + *next_id);
    let mut fields = Fields::default();
    for (key, value) in json.as_object().into_iter().flatten() {
        if !["type", "name", "children"].contains(&key.as_str()) {
            fields.push(key.as_str().into(), Field::from_json(value.clone()));
        }
    }
    let text = |key: &str| json.get(key).and_then(Json::as_str).unwrap_or("").into();
    let children = json.get("children").and_then(Json::as_array).into_iter().flatten();
    Subtree {
        id,
        kind: text("type"),
        name: text("name"),
        notes: "".into(),
        fields,
        id_written: false,
        children: children.map(|child| subtree(child, next_id)).collect(),
    }
}

/// Several nodes.
pub type NodePicks = Vec<NodePick>;

impl NodePick {
    pub fn several() -> impl Strategy<Value = NodePicks> {
        vec(NodePick::any(), 1..4)
    }
}
