//! The document as clients see it. What they see of a node follows from the tree; kept here is only what it takes to say
//! what an edit changed, without a look at what it did not touch.

use std::collections::BTreeMap;
use std::sync::Arc;

use document::Document;
use model::{DefinitionId, Edit, Library, NodeId, Role};
use protocol::api::{ChildrenView, FileView, NodeView};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::node_view::{file_view, node_view, role_of};
use crate::shared::Shared;
use crate::touched::Touched;
use crate::trace;

/// Of a node, as it was last told.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kept {
    parent: Option<NodeId>,
    file: DefinitionId,
    /// Of its content and of its children.
    trace: (u64, u64),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    pub files: Vec<FileView>,
    nodes: FxHashMap<NodeId, Kept>,
    /// Of nodes that have some.
    children: FxHashMap<NodeId, Box<[NodeId]>>,
    /// Of each file, of what it declares and of all its nodes.
    traces: Vec<(u64, u64)>,
    /// What the traces of files were when they were as on disk.
    clean: BTreeMap<Arc<str>, (u64, u64)>,
    /// Uses of skills, with the file each uses.
    uses: BTreeMap<NodeId, Option<DefinitionId>>,
    /// Fallbacks, with how many of their children are their try, as far as that is known.
    fallbacks: BTreeMap<NodeId, Option<usize>>,
    /// What is known of fallbacks may be wrong.
    pub tries_open: bool,
}

/// What differs from an older view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    pub files: Vec<FileView>,
    pub nodes: Vec<NodeView>,
    pub removed: Vec<NodeId>,
    pub children: Vec<ChildrenView>,
}

/// What an edit did to the steps that there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    pub came: Vec<(DefinitionId, NodeId)>,
    pub gone: Vec<(DefinitionId, NodeId)>,
    pub content: Vec<NodeId>,
    pub moved: bool,
    /// Files came or went, or nodes went from one to another.
    pub files: bool,
}

impl View {
    /// Of the whole tree.
    pub fn of(shared: &Shared) -> View {
        let mut view = View::default();
        let library = shared.document().library();
        view.take_files(library);
        for (file, tree) in library.iter() {
            for node in tree.walk(tree.root) {
                view.keep(shared.document(), file, node, true);
            }
        }
        view.tries_open = !view.fallbacks.is_empty();
        let files: Vec<Arc<str>> = library.iter().map(|(_, tree)| tree.file.clone()).collect();
        files.iter().for_each(|file| view.compare_with_disk(shared, file));
        view
    }

    /// Follows edits that are in the tree already.
    pub fn follow(&mut self, shared: &Shared, edits: &[Edit]) -> (Difference, Steps) {
        let document = shared.document();
        let library = document.library();
        let mut touched = Touched::default();
        edits.iter().for_each(|edit| touched.note(edit, self));
        let mut files_differ = touched.files || !touched.headers.is_empty();
        if touched.files {
            touched.note_files(library, self);
            self.note_uses(library, &mut touched);
        }
        if files_differ {
            self.take_files(library);
        }
        self.tries_open |= touched.sequence;
        let mut change = (Difference::default(), Steps { files: touched.files, ..Steps::default() });
        for (node, structure) in touched.take() {
            match library.owner_of(node) {
                Some(file) => self.update(document, file, (node, structure), &touched.placed, &mut change),
                None => self.forget(library, node, &mut change),
            }
        }
        self.tries_open &= !self.fallbacks.is_empty();
        for file in
            edits.iter().filter_map(|edit| if let Edit::AddFile { file, .. } = edit { Some(file) } else { None })
        {
            self.compare_with_disk(shared, file);
        }
        files_differ |= self.note_unsaved();
        if files_differ {
            // An index into the files is only good with all of them.
            change.0.files = self.files.clone();
        }
        change
    }

    /// The nodes as they come in the files.
    pub fn all(&self, document: &Document) -> Vec<NodeView> {
        let files = document.library().iter();
        let nodes = files.flat_map(|(file, tree)| tree.walk(tree.root).map(move |node| (file, node)));
        nodes.map(|(file, node)| self.view(document, file, node)).collect()
    }

    /// These nodes as they are now, without their children.
    pub fn only(&self, document: &Document, nodes: &[NodeId]) -> Vec<NodeView> {
        let view = |node: &NodeId| {
            let file = document.library().owner_of(*node)?;
            Some(NodeView { children: None, ..self.view(document, file, *node) })
        };
        nodes.iter().filter_map(view).collect()
    }

    fn view(&self, document: &Document, file: DefinitionId, node: NodeId) -> NodeView {
        let tries = self.fallbacks.get(&node).copied().flatten();
        NodeView { tries, ..node_view(document, file, node) }
    }

    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes.get(&node)?.parent
    }

    pub fn children(&self, node: NodeId) -> &[NodeId] {
        self.children.get(&node).map_or(&[], |children| children)
    }

    /// A node and everything below it.
    pub fn below(&self, top: NodeId) -> Vec<NodeId> {
        let mut below = vec![top];
        let mut at = 0;
        while let Some(node) = below.get(at).copied() {
            below.extend_from_slice(self.children(node));
            at += 1;
        }
        below
    }

    /// What was found out of fallbacks; gives those of which it is news.
    pub fn take_tries(&mut self, tries: &BTreeMap<NodeId, usize>) -> Vec<NodeId> {
        let mut news = Vec::new();
        for (node, known) in &mut self.fallbacks {
            let found = tries.get(node).copied();
            if std::mem::replace(known, found) != found {
                news.push(*node);
            }
        }
        news
    }

    /// A file was written or read: whether what is here is what it holds.
    pub fn compare_with_disk(&mut self, shared: &Shared, file: &str) {
        let Some(at) = shared.document().library().find(file) else { return };
        if shared.is_unsaved(file) {
            self.clean.remove(file);
        } else if let Some(trace) = self.traces.get(at.index()) {
            self.clean.insert(file.into(), *trace);
        }
        self.note_unsaved();
    }

    /// True: another file is changed now, or one no longer.
    fn note_unsaved(&mut self) -> bool {
        let mut news = false;
        for (view, trace) in self.files.iter_mut().zip(&self.traces) {
            let unsaved = self.clean.get(view.file.as_str()) != Some(trace);
            news |= std::mem::replace(&mut view.unsaved, unsaved) != unsaved;
        }
        news
    }

    /// What the files are; the traces of their nodes follow as each is looked at.
    fn take_files(&mut self, library: &Library) {
        let unsaved: FxHashSet<String> =
            self.files.drain(..).filter(|view| view.unsaved).map(|view| view.file).collect();
        let view = |tree: &model::Definition| FileView { unsaved: unsaved.contains(&*tree.file), ..file_view(tree) };
        self.files = library.iter().map(|(_, tree)| view(tree)).collect();
        self.traces.resize(library.len(), (0, 0));
        for ((of_header, _), (_, tree)) in self.traces.iter_mut().zip(library.iter()) {
            *of_header = trace::of_header(&tree.header);
        }
    }

    /// Uses of skills that lead to another file now.
    fn note_uses(&self, library: &Library, touched: &mut Touched) {
        for (node, used) in &self.uses {
            let now = library.owner_of(*node).and_then(|file| library.skill_of(file, *node));
            if now != *used {
                touched.node(*node, false);
            }
        }
    }

    fn update(
        &mut self,
        document: &Document,
        file: DefinitionId,
        (node, structure): (NodeId, bool),
        placed: &FxHashSet<NodeId>,
        (difference, steps): &mut (Difference, Steps),
    ) {
        let Some(before) = self.nodes.get(&node).copied() else {
            self.keep(document, file, node, true);
            difference.nodes.push(self.view(document, file, node));
            steps.came.push((file, node));
            return;
        };
        let children = &document.library().get(file).node(node).children;
        if structure && self.children(node) != children {
            difference.children.push(children_change(node, self.children(node), children, placed));
        }
        let used = self.uses.get(&node).copied();
        let now = self.keep(document, file, node, structure);
        let same = Kept { trace: (before.trace.0, now.trace.1), ..before } == now;
        if !same || used != self.uses.get(&node).copied() {
            difference.nodes.extend(self.only(document, &[node]));
            steps.content.push(node);
        }
        steps.files |= before.file != file;
        steps.moved |= structure;
    }

    /// Keeps a node as it is now.
    fn keep(&mut self, document: &Document, file: DefinitionId, node: NodeId, structure: bool) -> Kept {
        let at = document.library().get(file).node(node);
        let before = self.nodes.get(&node).copied();
        let of_children = match before {
            Some(before) if !structure => before.trace.1,
            _ => trace::of_children(&at.children),
        };
        let now = Kept { parent: at.parent, file, trace: (trace::of_content(at), of_children) };
        self.nodes.insert(node, now);
        self.count(before, u64::wrapping_sub);
        self.count(Some(now), u64::wrapping_add);
        if structure && at.children.is_empty() {
            self.children.remove(&node);
        } else if structure {
            self.children.insert(node, at.children.as_slice().into());
        }
        self.keep_role(document, file, node);
        now
    }

    fn keep_role(&mut self, document: &Document, file: DefinitionId, node: NodeId) {
        let library = document.library();
        let role = role_of(document.catalogue(), library.get(file), node);
        if role == Some(Role::Skill) {
            self.uses.insert(node, library.skill_of(file, node));
        } else if !self.uses.is_empty() {
            self.uses.remove(&node);
        }
        if role == Some(Role::Fallback) {
            self.fallbacks.entry(node).or_default();
        } else if !self.fallbacks.is_empty() {
            self.fallbacks.remove(&node);
        }
    }

    fn count(&mut self, kept: Option<Kept>, count: fn(u64, u64) -> u64) {
        if let Some(kept) = kept
            && let Some((_, of_nodes)) = self.traces.get_mut(kept.file.index())
        {
            *of_nodes = count(*of_nodes, trace::mixed(kept.trace));
        }
    }

    /// A node that is gone, and what went with it: it may have been moved below it first.
    fn forget(&mut self, library: &Library, node: NodeId, (difference, steps): &mut (Difference, Steps)) {
        let mut gone = vec![node];
        while let Some(node) = gone.pop() {
            if library.owner_of(node).is_some() {
                continue;
            }
            let Some(kept) = self.nodes.remove(&node) else { continue };
            self.count(Some(kept), u64::wrapping_sub);
            gone.extend(self.children.remove(&node).unwrap_or_default());
            self.uses.remove(&node);
            self.fallbacks.remove(&node);
            difference.removed.push(node);
            steps.gone.push((kept.file, node));
        }
    }
}

impl View {
    /// It is what it would be, were it made anew from the tree: else says what is not.
    pub fn check(&self, shared: &Shared) -> Result<(), String> {
        let anew = View::of(shared);
        let same = |what: &str, is_same: bool| if is_same { Ok(()) } else { Err(format!("kept: {what}")) };
        same("nodes", self.nodes == anew.nodes)?;
        same("children", self.children == anew.children)?;
        same("traces", self.traces == anew.traces)?;
        same("uses of skills", self.uses == anew.uses)?;
        same("fallbacks", self.fallbacks.keys().eq(anew.fallbacks.keys()))?;
        for (kept, new) in self.files.iter().zip(&anew.files) {
            // One that was typed again is the same on disk and not here: it says rather too often that it is unsaved.
            same("unsaved", kept.unsaved || !new.unsaved)?;
            let (kept, new) = (FileView { unsaved: false, ..kept.clone() }, FileView { unsaved: false, ..new.clone() });
            same("a file", kept == new)?;
        }
        same("number of files", self.files.len() == anew.files.len())
    }
}

/// What leads from one list of children to the other; only those `placed` have come, gone or moved.
fn children_change(parent: NodeId, old: &[NodeId], new: &[NodeId], placed: &FxHashSet<NodeId>) -> ChildrenView {
    let (mut out, mut put) = (Vec::new(), Vec::new());
    let (mut at, mut place) = (0, 0);
    loop {
        match (old.get(at), new.get(place)) {
            (None, None) => return ChildrenView { parent, out, put },
            (Some(before), Some(now)) if before == now => (at, place) = (at + 1, place + 1),
            (Some(before), _) if placed.contains(before) => {
                out.push(*before);
                at += 1;
            }
            (_, Some(now)) if placed.contains(now) => {
                put.push((place as u32, *now));
                place += 1;
            }
            _ => break,
        }
    }
    // Something else than what was said: all of them.
    let put = new.iter().enumerate().map(|(place, child)| (place as u32, *child)).collect();
    ChildrenView { parent, out: old.to_vec(), put }
}
