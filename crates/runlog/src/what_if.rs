//! A recorded run with another tree from some moment on, against what the robot told then: as long as the tree commands
//! the same, that is what it would have told.

use std::sync::Arc;

use engine::{EditBatch, Engine, Registry, RunFact, RunState, Verdict};
use model::{DefinitionId, Edit, Library, NodeId, Subtree};

use crate::line::{Fact, InputLine, TraceLine, facts};
use crate::read::{File, ReadError};
use crate::replay::{Difference, each_tick, first_difference, step};
use crate::summary::Summary;

/// Of the batch that makes the one tree of the other.
const EDIT: u64 = u64::MAX;

#[derive(Clone, Debug)]
pub struct WhatIf {
    /// Steps from the beginning, as of a recording.
    pub summary: Summary,
    /// From here on it commands something else: what the robot would tell then is not on record.
    pub parted_ns: Option<i64>,
    pub difference: Option<Difference>,
    pub result: Option<Verdict>,
    pub reason: String,
}

/// `None` where the edited tree cannot take the place of the other: the text says why.
pub fn what_if(file: &File, registry: &Arc<Registry>, from_ns: i64, edited: &Library) -> Result<WhatIf, ReadError> {
    let options = file.begin().options().map_err(|what| file.content(&what))?;
    let mut engine = Engine::new(file.begin().library(), Arc::clone(registry), &options);
    let mut found =
        WhatIf { summary: Summary::default(), parted_ns: None, difference: None, result: None, reason: String::new() };
    let mut is_edited = false;
    each_tick(file, &mut |mut inputs| {
        let was: Vec<Fact> = parsed(&inputs.trace);
        let time_ns = inputs.input.time_ns;
        let did = if time_ns < from_ns {
            if let Err(difference) = step(&mut engine, &inputs) {
                found.difference = Some(difference);
                return Ok(false);
            }
            was
        } else {
            if !std::mem::replace(&mut is_edited, true) {
                let edits = edits(engine.library(), edited);
                inputs.input.edits.push(EditBatch { id: EDIT, edits, by: None });
            } else {
                // Edits that were made to the other tree mean nothing to this one.
                inputs.input.edits.clear();
            }
            for _ in 0..inputs.idle {
                engine.tick(&engine::TickInput { time_ns: engine.time_ns(), ..engine::TickInput::default() });
            }
            engine.clear_recording();
            engine.tick(&inputs.input);
            let did = facts(&engine, 0);
            engine.clear_recording();
            let (before, after) = (but_the_edit(&was), but_the_edit(&did));
            if found.difference.is_none() && before != after {
                found.difference = Some(first_difference((inputs.tick, time_ns), &before, &after));
            }
            if commands(&was) != commands(&did) {
                found.parted_ns = Some(time_ns);
            }
            did
        };
        let line = InputLine { tick: inputs.tick, input: inputs.input, clouds: Vec::new(), idle: 0 };
        found.summary.input(&line);
        found.summary.trace(&TraceLine { tick: inputs.tick, time_ns, did });
        let is_over = is_edited && matches!(engine.run_state(), RunState::Ended(_));
        Ok(found.parted_ns.is_none() && !is_over)
    })?;
    if let RunState::Ended(end) = engine.run_state() {
        (found.result, found.reason) = (Some(end.verdict), end.reason_text().to_owned());
    }
    Ok(found)
}

fn parsed(trace: &[u8]) -> Vec<Fact> {
    serde_json::from_slice::<TraceLine>(trace).map(|line| line.did).unwrap_or_default()
}

/// That it was edited is no difference: what comes of it is.
fn but_the_edit(did: &[Fact]) -> Vec<Fact> {
    let is_edit = |fact: &Fact| match fact {
        Fact::Run { fact, .. } => *fact == RunFact::Edited,
        Fact::Answered { answer } => answer.id == EDIT,
        _ => false,
    };
    did.iter().filter(|fact| !is_edit(fact)).cloned().collect()
}

/// What the robot was told.
fn commands(did: &[Fact]) -> Vec<&Fact> {
    let is_for_robot =
        |fact: &&Fact| matches!(fact, Fact::Commanded { .. } | Fact::Stop | Fact::StopPart { .. } | Fact::Hold { .. });
    did.iter().filter(is_for_robot).collect()
}

/// What makes the one tree of the other: nodes are the same by their ids.
pub fn edits(from: &Library, to: &Library) -> Vec<Edit> {
    let mut making = Making { now: from.clone(), edits: Vec::new() };
    for (_, tree) in to.iter() {
        match making.now.find(&tree.file).or_else(|| (tree.file == to.main().file).then_some(Library::MAIN)) {
            None => {
                let (file, header) = (Arc::clone(&tree.file), Box::new(tree.header.clone()));
                making.edit(Edit::AddFile { file, header, root: tree.subtree(tree.root) });
            }
            Some(definition) => making.file(definition, tree),
        }
    }
    making.edits
}

struct Making {
    now: Library,
    edits: Vec<Edit>,
}

impl Making {
    fn edit(&mut self, edit: Edit) {
        if self.now.apply(&edit).is_ok() {
            self.edits.push(edit);
        }
    }

    fn file(&mut self, definition: DefinitionId, to: &model::Definition) {
        if self.now.get(definition).header != to.header {
            self.edit(Edit::Header { definition, header: Box::new(to.header.clone()) });
        }
        let root = self.now.get(definition).root;
        self.node(definition, root, to, to.root);
        self.below(definition, root, to, to.root);
        let gone: Vec<NodeId> = {
            let tree = self.now.get(definition);
            tree.walk(tree.root).filter(|id| *id != root && !to.contains(*id)).collect()
        };
        // What is below one that went is gone with it.
        gone.into_iter().for_each(|node| self.edit(Edit::Delete { node }));
    }

    fn below(&mut self, definition: DefinitionId, parent: NodeId, to: &model::Definition, wanted: NodeId) {
        for (index, child) in to.node(wanted).children.iter().copied().enumerate() {
            let tree = self.now.get(definition);
            if !tree.contains(child) {
                let subtree = Subtree { children: Vec::new(), ..to.subtree(child) };
                self.edit(Edit::Insert { parent, index, subtree });
            } else {
                if tree.node(parent).children.get(index) != Some(&child) {
                    self.edit(Edit::Move { node: child, parent, index });
                }
                self.node(definition, child, to, child);
            }
            self.below(definition, child, to, child);
        }
    }

    fn node(&mut self, definition: DefinitionId, node: NodeId, to: &model::Definition, wanted: NodeId) {
        let (before, after) = (self.now.get(definition).node(node).clone(), to.node(wanted).clone());
        if before.kind != after.kind {
            self.edit(Edit::Retype { node, kind: after.kind.clone() });
        }
        if before.name != after.name {
            self.edit(Edit::Rename { node, name: after.name.clone() });
        }
        for (field, _) in before.fields.iter().filter(|(key, _)| after.fields.get(key).is_none()) {
            self.edit(Edit::Set { node, field: Arc::clone(field), value: None, at: None });
        }
        for (at, (field, value)) in after.fields.iter().enumerate() {
            if before.fields.get(field) != Some(value) {
                self.edit(Edit::Set { node, field: Arc::clone(field), value: Some(value.clone()), at: Some(at) });
            }
        }
    }
}
