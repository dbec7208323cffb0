use std::sync::Arc;

use model::file::{join, new_beside, relative};
use model::{Definition, Edit, Field, Fields, Header, Input, NodeId, NodeRef, Output, Role, Subtree};
use rustc_hash::FxHashSet;
use serde_json::{Map, Value as Json};

use crate::DocumentError;
use crate::border::{own_names, variable_of};
use crate::document::{Document, node};

/// What belongs to the place of a node, not to what it does: it stays with the use.
const OF_THE_PLACE: [&str; 2] = ["after", "when"];

impl Document {
    /// Makes a subtree a skill file of its own and puts a use of it into its place. Variables that the outside gives
    /// it become inputs, those it gives the outside become outputs, each mapped to itself. `file` is seen from the
    /// folder of the file the node is in.
    pub fn extract(&mut self, top: NodeId, file: &str) -> Result<Vec<Edit>, DocumentError> {
        let (_, tree, at) = self.at(top)?;
        let (Some(parent), Some(index)) = (at.parent, tree.index_of(top)) else {
            return Err(model::EditError::Root.into());
        };
        let crossings = self.crossings(tree, top);
        if !crossings.is_empty() {
            return Err(DocumentError::CrossesBorder(crossings));
        }
        let main = &self.library().main().file;
        let path: Arc<str> = new_beside(main, &tree.file, file).map_err(DocumentError::File)?.into();
        let (inputs, outputs, lets) = self.interface(tree, top);
        let mut use_node = node("skill", &at.name);
        use_node.notes = at.notes.clone();
        for key in OF_THE_PLACE {
            if let Some(field) = at.fields.get(key) {
                use_node.fields.push(key.into(), field.clone());
            }
        }
        use_node.fields.push("file".into(), Field::Text(file.into()));
        for (key, names) in [("inputs", &inputs), ("outputs", &outputs)] {
            if !names.is_empty() {
                use_node.fields.push(key.into(), Field::from_json(Json::Object(to_themselves(names))));
            }
        }
        let header = Header {
            inputs: inputs.into_iter().map(|name| (name.into(), Input::default())).collect(),
            outputs: outputs.into_iter().map(|name| (name.into(), Output::default())).collect(),
            lets,
            cell: tree.header.cell.as_ref().map(|cell| relative(&path, &join(&tree.file, cell))),
            ..Header::default()
        };
        let mut root = tree.subtree(top);
        let from = tree.file.clone();
        let referring = referring(tree, top);
        self.rebase_skills(&mut root, &from, &path);
        root.fields = without_place(&root.fields);
        if !self.may_be_root(&root) {
            let mut around = node("sequence", &root.name);
            around.id = self.fresh_id();
            around.children.push(root);
            root = around;
        }
        use_node.id = self.fresh_id();
        let use_id = use_node.id;
        let mut draft = self.draft();
        draft.apply(Edit::Delete { node: top })?;
        draft.apply(Edit::AddFile { file: path, header: Box::new(header), root })?;
        draft.apply(Edit::Insert { parent, index, subtree: use_node })?;
        for (node, key, text) in referring {
            let reference = NodeRef { id: Some(use_id), text };
            draft.set(node, &key, Some(Field::Ref(Box::new(reference))))?;
        }
        Ok(draft.finish("make it a skill"))
    }

    /// What the subtree takes from the rest of its file, and what it gives it.
    fn interface(&self, tree: &Definition, top: NodeId) -> (Vec<String>, Vec<String>, Lets) {
        let within: FxHashSet<NodeId> = tree.walk(top).collect();
        let mut inside = self.mentions(tree, tree.walk(top));
        let lets = take_lets(tree, &mut inside.reads);
        let outside = self.mentions(tree, tree.walk(tree.root).filter(|id| !within.contains(id)));
        let theirs = own_names(tree, &outside);
        let mut all = theirs.clone();
        all.extend(inside.writes.iter().cloned());
        let inputs: Vec<String> = once(inside.reads.iter().map(|name| variable_of(name, &all)))
            .into_iter()
            .filter(|name| theirs.contains(name))
            .collect();
        let read: Vec<String> = once(outside.reads.iter().map(|name| variable_of(name, &all)));
        let declared: Vec<&str> = crate::border::declared(tree).collect();
        // What it reads and sets itself must survive from one time it is run to the next.
        let counts = |name: &String| read.contains(name) || declared.contains(&name.as_str()) || inputs.contains(name);
        let outputs = inside.writes.iter().filter(|name| counts(name)).cloned().collect();
        (inputs, outputs, lets)
    }

    fn may_be_root(&self, root: &Subtree) -> bool {
        let role = self.catalogue().role(&root.kind);
        let is_file_key =
            |key: &str| ["version", "inputs", "outputs", "variables", "let", "cell", "capability"].contains(&key);
        role.is_some_and(|role| role.has_children() && role != Role::Skill)
            && !root.fields.iter().any(|(key, _)| is_file_key(key))
    }

    /// Skill files are named from the folder of the file that uses them.
    pub(crate) fn rebase_skills(&self, subtree: &mut Subtree, from: &str, to: &str) {
        if self.catalogue().role(&subtree.kind) == Some(Role::Skill)
            && let Some(Field::Text(file)) = subtree.fields.get_mut("file")
            && !file.is_empty()
        {
            let whole = join(from, file);
            if join(to, file) != whole {
                *file = relative(to, &whole).into();
            }
        }
        for child in &mut subtree.children {
            self.rebase_skills(child, from, to);
        }
    }
}

/// Names that stand for expressions, with their texts.
type Lets = Vec<(Arc<str>, Arc<str>)>;

/// Those of the file that are read, and that they are made of: what they are made of is read in their place.
fn take_lets(tree: &Definition, reads: &mut Vec<String>) -> Lets {
    let mut said: FxHashSet<Arc<str>> = FxHashSet::default();
    let mut plain = Vec::new();
    while let Some(name) = reads.pop() {
        let own = tree.header.lets.iter().find(|(own, _)| *name == **own || name.starts_with(&format!("{own}.")));
        match own {
            Some((own, text)) if said.insert(own.clone()) => {
                reads.extend(expression::Expression::new(text).variables().unwrap_or_default());
            }
            Some(_) => {}
            None => plain.push(name),
        }
    }
    *reads = plain;
    reads.sort();
    reads.dedup();
    tree.header.lets.iter().filter(|(name, _)| said.contains(name)).cloned().collect()
}

fn without_place(fields: &Fields) -> Fields {
    let mut left = Fields::default();
    for (key, field) in fields.iter().filter(|(key, _)| !OF_THE_PLACE.contains(&&***key)) {
        left.push(key.clone(), field.clone());
    }
    left
}

/// Settings outside of `top` that refer to it.
fn referring(tree: &Definition, top: NodeId) -> Vec<(NodeId, Arc<str>, Arc<str>)> {
    let mut found = Vec::new();
    for id in tree.walk(tree.root).filter(|id| !tree.is_within(*id, top)) {
        for (key, field) in tree.node(id).fields.iter() {
            if let Field::Ref(reference) = field
                && reference.id == Some(top)
            {
                found.push((id, key.clone(), reference.text.clone()));
            }
        }
    }
    found
}

fn to_themselves(names: &[String]) -> Map<String, Json> {
    names.iter().map(|name| (name.clone(), Json::String(name.clone()))).collect()
}

fn once<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}
