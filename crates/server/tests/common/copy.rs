//! The document as a client keeps it, from pushes alone.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

pub struct Copy {
    nodes: BTreeMap<String, Json>,
    files: Json,
}

fn texts(list: &Json) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

impl Copy {
    pub fn of(document: &Json) -> Copy {
        let by_id = |node: &Json| (node["id"].as_str().unwrap().to_owned(), node.clone());
        let nodes = document["nodes"].as_array().unwrap().iter().map(by_id).collect();
        Copy { nodes, files: document["files"].clone() }
    }

    /// A `document` or a `changed`.
    pub fn take(&mut self, push: &Json) {
        if push["push"] == "document" {
            *self = Copy::of(push);
            return;
        }
        if push["files"] != json!([]) {
            self.files = push["files"].clone();
        }
        for node in push["nodes"].as_array().unwrap() {
            let id = node["id"].as_str().unwrap();
            let before = self.nodes.get(id).map_or(Json::Null, |node| node["children"].clone());
            assert_eq!(node.get("children").is_none(), !before.is_null(), "a new one has its children: {node}");
            let mut node = node.clone();
            if !before.is_null() {
                node["children"] = before;
            }
            self.nodes.insert(id.to_owned(), node);
        }
        for id in texts(&push["removed"]) {
            self.nodes.remove(&id).unwrap();
        }
        for change in push["children"].as_array().unwrap() {
            let node = self.nodes.get_mut(change["parent"].as_str().unwrap()).unwrap();
            let mut children = texts(&node["children"]);
            let out = texts(&change["out"]);
            children.retain(|child| !out.contains(child));
            for put in change["in"].as_array().unwrap() {
                children.insert(put[0].as_u64().unwrap() as usize, put[1].as_str().unwrap().to_owned());
            }
            node["children"] = json!(children);
        }
    }

    pub fn is_like(&self, document: &Json) {
        let whole = Copy::of(document);
        assert_eq!(self.files, whole.files);
        for (id, node) in &whole.nodes {
            assert_eq!(self.nodes.get(id), Some(node), "{id}");
        }
        assert_eq!(self.nodes.len(), whole.nodes.len());
    }
}
