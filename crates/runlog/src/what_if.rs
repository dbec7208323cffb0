//! A recorded run with another tree from some moment on: against what the robot told then, as long as the tree commands the
//! same, or in the simulator, which has done until then what it was told on record.

use std::sync::Arc;

use engine::{EditBatch, Engine, Registry, RunFact, RunState, TickInput, Verdict};
use model::{DefinitionId, Edit, Library, NodeId, Subtree};
use site::Site;

use crate::begin::Begin;
use crate::line::{Fact, InputLine, TraceLine, facts};
use crate::read::{File, ReadError};
use crate::replay::{Difference, Inputs, compared, each_tick, first_difference, idle_times_ns, none_missing, step};
use crate::summary::Summary;

/// Of the batch that makes the one tree of the other.
const EDIT: u64 = u64::MAX;
/// Nobody waits longer than this, behind the end of the record, for a run to end.
const MOST_BEHIND_NS: i64 = 60_000_000_000;

/// Makes what was around a run anew, as it was when it began, where it was simulated.
pub type Simulate = Arc<dyn Fn(&Begin, &Arc<Registry>) -> Result<Site, String> + Send + Sync>;

#[derive(Clone, Debug)]
pub struct WhatIf {
    /// Steps from the beginning, as of a recording.
    pub summary: Summary,
    /// From here on it commands something else. Without a simulator nobody knows what the robot would tell then.
    pub parted_ns: Option<i64>,
    pub difference: Option<Difference>,
    pub result: Option<Verdict>,
    pub reason: String,
    pub simulated: bool,
    /// The simulator tells something else than is on record, from here on, though nothing was edited yet: tick, time and
    /// what. What it does is not what would have happened.
    pub unlike: Option<(u64, i64, String)>,
}

/// With a simulator, all that was around the run stands as it stood when it began.
pub fn what_if(
    file: &File,
    registry: &Arc<Registry>,
    from_ns: i64,
    edited: &Library,
    simulator: Option<Site>,
) -> Result<WhatIf, ReadError> {
    let options = file.begin().options().map_err(|what| file.content(&what))?;
    let engine = Engine::new(file.begin().library(), Arc::clone(registry), &options);
    let found = WhatIf {
        summary: Summary::default(),
        parted_ns: None,
        difference: None,
        result: None,
        reason: String::new(),
        simulated: simulator.is_some(),
        unlike: None,
    };
    let mut again = Again { engine, simulator, edited, is_edited: false, found };
    each_tick(file, &mut |inputs| {
        if inputs.input.time_ns < from_ns {
            return Ok(again.before(&inputs));
        }
        Ok(if again.simulator.is_some() { again.simulated(Some(inputs)) } else { again.on_record(inputs) })
    })?;
    again.behind_the_record((1e9 / file.begin().rate_hz.max(1.0)) as i64);
    let Again { engine, mut found, is_edited, .. } = again;
    if !is_edited && found.difference.is_none() {
        let end_s = file.begin().at_s(found.summary.end_ns);
        return Err(file.content(&format!("it ends at {end_s:.2} s, before the moment that was asked for")));
    }
    if let RunState::Ended(end) = engine.run_state() {
        (found.result, found.reason) = (Some(end.verdict), end.reason_text().to_owned());
    }
    Ok(found)
}

/// The run, once more. What its methods give: it wants another tick.
struct Again<'a> {
    engine: Engine,
    simulator: Option<Site>,
    edited: &'a Library,
    is_edited: bool,
    found: WhatIf,
}

impl Again<'_> {
    /// A tick before the moment.
    fn before(&mut self, inputs: &Inputs) -> bool {
        let done = match &mut self.simulator {
            None => step(&mut self.engine, inputs),
            Some(site) => {
                let mut done = none_missing(&self.engine, inputs);
                if done.is_ok() {
                    for time_ns in idle_times_ns(&self.engine, inputs) {
                        let input = TickInput { time_ns, ..TickInput::default() };
                        // How the robot stood while nothing ran is not on record.
                        let tick = |engine: &mut Engine| {
                            engine.tick(&input);
                        };
                        let _ = site.follow(&mut self.engine, &input, tick);
                        self.engine.clear_recording();
                    }
                    let unlike = site.follow(&mut self.engine, &inputs.input, |engine| done = compared(engine, inputs));
                    if let (None, Some(what)) = (&self.found.unlike, unlike) {
                        self.found.unlike = Some((inputs.tick, inputs.input.time_ns, what));
                    }
                }
                done
            }
        };
        self.found.difference = done.err();
        self.sum_up(&inputs.input, parsed(&inputs.trace));
        self.found.difference.is_none()
    }

    /// On what the robot told then.
    fn on_record(&mut self, mut inputs: Inputs) -> bool {
        // Edits that were made to the other tree mean nothing to this one.
        let edits = self.edits();
        if edits.is_empty() {
            inputs.input.edits.clear()
        } else {
            inputs.input.edits.extend(edits)
        }
        for _ in 0..inputs.idle {
            self.engine.tick(&TickInput { time_ns: self.engine.time_ns(), ..TickInput::default() });
        }
        self.engine.clear_recording();
        self.engine.tick(&inputs.input);
        let did = self.did();
        self.compare(inputs.input.time_ns, &parsed(&inputs.trace), &did);
        self.sum_up(&inputs.input, did);
        self.found.parted_ns.is_none() && !self.is_over()
    }

    /// What the robot tells now. Until it commands something else, people do what they did then; from there on nobody does
    /// anything.
    fn simulated(&mut self, recorded: Option<Inputs>) -> bool {
        if let Some(inputs) = &recorded {
            for time_ns in idle_times_ns(&self.engine, inputs) {
                self.live(TickInput { time_ns, ..TickInput::default() }, None);
            }
        }
        let Some(Inputs { input, trace, .. }) = recorded else { return false };
        let mut now = TickInput { time_ns: input.time_ns, ..TickInput::default() };
        if self.found.parted_ns.is_none() {
            (now.stop, now.stop_why, now.commands) = (input.stop, input.stop_why, input.commands);
        }
        self.live(now, Some(&trace));
        !self.is_over()
    }

    fn live(&mut self, mut input: TickInput, trace: Option<&[u8]>) {
        input.edits = self.edits();
        let Some(site) = &mut self.simulator else { return };
        site.tick(&mut self.engine, &mut input);
        let did = self.did();
        if let Some(trace) = trace.filter(|_| self.found.parted_ns.is_none()) {
            self.compare(input.time_ns, &parsed(trace), &did);
        }
        self.sum_up(&input, did);
    }

    /// The simulator goes on until the run is over.
    fn behind_the_record(&mut self, period_ns: i64) {
        let until_ns = self.engine.time_ns().saturating_add(MOST_BEHIND_NS);
        while self.is_edited && self.simulator.is_some() && !self.is_over() && self.engine.time_ns() < until_ns {
            self.live(TickInput { time_ns: self.engine.time_ns() + period_ns, ..TickInput::default() }, None);
        }
    }

    /// Once: those that make the edited tree of the one that runs.
    fn edits(&mut self) -> Vec<EditBatch> {
        if std::mem::replace(&mut self.is_edited, true) {
            return Vec::new();
        }
        let edits = edits(self.engine.library(), self.edited);
        if edits.is_empty() { Vec::new() } else { vec![EditBatch { id: EDIT, edits, by: None }] }
    }

    fn did(&mut self) -> Vec<Fact> {
        let did = facts(&self.engine, 0);
        self.engine.clear_recording();
        did
    }

    fn compare(&mut self, time_ns: i64, was: &[Fact], did: &[Fact]) {
        let (before, after) = (but_the_edit(was), but_the_edit(did));
        if self.found.difference.is_none() && before != after {
            self.found.difference = Some(first_difference((self.engine.tick_count(), time_ns), &before, &after));
        }
        if commands(was) != commands(did) {
            self.found.parted_ns = Some(time_ns);
        }
    }

    fn sum_up(&mut self, input: &TickInput, did: Vec<Fact>) {
        let (tick, time_ns) = (self.engine.tick_count(), input.time_ns);
        let input = TickInput { robot: None, sights: Vec::new(), ..input.clone() };
        self.found.summary.input(&InputLine { tick, input, clouds: Vec::new(), idle: 0 });
        self.found.summary.trace(&TraceLine { tick, time_ns, did });
    }

    fn is_over(&self) -> bool {
        self.is_edited && matches!(self.engine.run_state(), RunState::Ended(_))
    }
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
