//! What may be seen of an engine from outside.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::{Autonomy, Library, NodeId, Value};

use super::input::{Asked, Instance, TickOutput};
use super::record::{Change, InstanceId, Measured, Recording};
use crate::engine::{Engine, RunState};
use crate::ids::{TrackId, UseId};
use crate::operator::HeldView;
use crate::tracks::{Body, Hold, RegionKind, StepStatus};
use crate::world::Holder;
use crate::{Verdict, ns_to_seconds};

/// One step, as an operator sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct StepView {
    pub id: InstanceId,
    pub status: StepStatus,
    /// Result of its last run.
    pub last: Option<Verdict>,
    /// Since its start, pauses excluded.
    pub elapsed_s: f64,
    pub expected_s: Option<f64>,
    /// 0 to 1, of a running step that tells it.
    pub progress: Option<f64>,
    /// The work it has given away and waits for, such as `planning`.
    pub waits_for: Option<&'static str>,
    /// The value that it judges, or did when it last ran.
    pub measured: Option<Measured>,
    /// What it remembers.
    pub state: serde_json::Value,
}

/// One track: where it stands and why it does not go on.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackView {
    /// The composite that owns it; none for the root.
    pub owner: Option<InstanceId>,
    /// None: behind the last step.
    pub next: Option<InstanceId>,
    pub automatic: bool,
    pub running: Vec<InstanceId>,
    /// Why the step at next has not started.
    pub waits: String,
    /// Where next goes when the lock that keeps it opens.
    pub kept_next: Option<Instance>,
    /// Who added or freed the step at next without being in control: it waits to be admitted.
    pub added_by: Option<Arc<str>>,
    /// What waits here for *continue*.
    pub held: Vec<HeldView>,
}

impl Engine {
    pub fn library(&self) -> &Library {
        &self.library
    }

    pub fn run_state(&self) -> &RunState {
        &self.run
    }

    /// How many runs have begun at the first step: nothing of an earlier one counts any more.
    pub fn beginnings(&self) -> u64 {
        self.beginnings
    }

    /// Only one node and what is below it runs.
    pub fn runs_only(&self) -> bool {
        self.only.is_some()
    }

    pub fn autonomy(&self) -> Autonomy {
        self.autonomy
    }

    pub fn concurrency(&self) -> bool {
        self.concurrency
    }

    pub fn is_paused(&self) -> bool {
        self.world.paused
    }

    pub fn tick_count(&self) -> u64 {
        self.world.tick
    }

    pub fn time_ns(&self) -> i64 {
        self.world.time_ns
    }

    pub fn output(&self) -> &TickOutput {
        &self.world.out
    }

    /// All that happened since it was last cleared.
    pub fn recording(&self) -> &Recording {
        &self.world.record
    }

    pub fn clear_recording(&mut self) {
        self.world.record.clear();
        self.forget_deleted();
    }

    /// The robot among its frames, as the last tick saw it.
    pub fn body(&self) -> Option<&crate::Body> {
        self.world.body.as_ref()
    }

    pub fn asked(&self) -> &[Asked] {
        &self.world.asked
    }

    pub fn label_of(&self, id: InstanceId) -> Arc<str> {
        let info = self.instances.get(&id);
        match info.and_then(|info| self.tree_of(info.use_id)?.get(info.node)) {
            Some(node) => node.label().clone(),
            None => self.gone.get(&id).map_or_else(|| "a deleted step".into(), |name| name.label.clone()),
        }
    }

    pub fn path_of(&self, id: InstanceId) -> String {
        self.describe(id).or_else(|| self.gone.get(&id).cloned()).map_or_else(String::new, |name| name.path)
    }

    pub fn role_of(&self, kind: &str) -> Option<model::Role> {
        self.registry.catalogue().role(kind)
    }

    pub fn kind_of(&self, id: InstanceId) -> Arc<str> {
        self.describe(id).or_else(|| self.gone.get(&id).cloned()).map_or_else(|| "".into(), |name| name.kind)
    }

    /// The name commands use, of a step that is in the tree, runs, or is named in the recording.
    pub fn instance_of_id(&self, id: InstanceId) -> Instance {
        let info = &self.instances[&id];
        Instance { uses: self.use_path(info.use_id), node: info.node }
    }

    pub(crate) fn use_path(&self, use_id: UseId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = use_id;
        while let Some(parent) = self.uses[at.index()].parent {
            path.push(self.uses[at.index()].via);
            at = parent;
        }
        path.reverse();
        path
    }

    pub fn id_of(&self, instance: &Instance) -> Option<InstanceId> {
        let key = self.find_instance(instance).ok()?;
        self.known.get(&key).map(|known| known.instance)
    }

    pub fn step_view(&self, instance: &Instance) -> Option<StepView> {
        let key = self.find_instance(instance).ok()?;
        let step = self.step(self.known.get(&key)?.step?);
        let running = step.is_active();
        Some(StepView {
            id: step.instance,
            status: step.status,
            last: step.last,
            elapsed_s: if running { ns_to_seconds(self.world.active_ns - step.started_ns) } else { 0.0 },
            progress: self.world.progress.get(&step.instance).copied(),
            waits_for: self.world.jobs.iter().find(|job| job.step == step.instance).map(|job| job.word),
            measured: self.world.measured.get(&step.instance).copied(),
            expected_s: match &step.body {
                Body::Step(body) => body.expected_s(),
                _ => None,
            },
            state: match &step.body {
                Body::Step(body) => body.state(),
                Body::Composite(composite) => {
                    composite.behavior.as_ref().map(|behavior| behavior.state()).unwrap_or_default()
                }
                Body::Broken(_) => serde_json::Value::Null,
            },
        })
    }

    /// Every track that has been started, the root first.
    pub fn tracks(&self) -> Vec<TrackView> {
        let live =
            (0..self.tracks.len()).map(TrackId::new).filter(|id| self.track(*id).live && !self.track(*id).dropped);
        let mut live: Vec<TrackId> = live.collect();
        live.sort_by_key(|id| (*id != self.root, *id));
        live.into_iter().map(|id| self.track_view(id)).collect()
    }

    pub fn root(&self) -> TrackView {
        self.track_view(self.root)
    }

    fn track_view(&self, id: TrackId) -> TrackView {
        let track = self.track(id);
        let rests = track.owner.filter(|owner| self.step(*owner).is_coming_to_rest());
        let hold = match (rests, track.hold) {
            (Some(owner), _) => Hold::ComingToRest(owner),
            (None, Hold::None) => self.startable(id).err().unwrap_or(Hold::None),
            (None, hold) => hold,
        };
        TrackView {
            owner: track.owner.map(|owner| self.step(owner).instance),
            next: track.entries.get(track.next as usize).map(|step| self.step(*step).instance),
            automatic: track.automatic,
            running: track.running.iter().map(|step| self.step(*step).instance).collect(),
            waits: self.hold_text(id, hold),
            kept_next: self.kept_target(id),
            added_by: self.added(id).filter(|_| hold == Hold::Added).map(|added| added.by.clone()),
            held: self.held_in(id),
        }
    }

    fn added(&self, id: TrackId) -> Option<&crate::edits::Added> {
        let track = self.track(id);
        self.step(*track.entries.get(track.next as usize)?).extra.as_ref()?.added.as_ref()
    }

    /// How many children of each fallback are its try.
    pub fn try_lengths(&self) -> BTreeMap<NodeId, usize> {
        let mut lengths = BTreeMap::new();
        let current = self.tracks.iter().filter(|track| !track.dropped);
        for region in current.flat_map(|track| &track.regions) {
            if let RegionKind::Fallback(_) = region.kind {
                let children =
                    &self.library.get(self.uses[region.use_id.index()].definition).node(region.node).children;
                // One that is disabled stands in no place, behind whatever it is.
                let in_try =
                    |child: &NodeId| self.place_of((region.use_id, *child)).is_some_and(|(_, pos)| pos < region.try_hi);
                lengths.insert(region.node, children.iter().rposition(in_try).map_or(0, |last| last + 1));
            }
        }
        lengths
    }

    /// Everything that runs, in tree order within each track.
    pub fn running(&self) -> Vec<InstanceId> {
        let live = self.tracks.iter().filter(|track| track.live && !track.dropped);
        let running = live.flat_map(|track| track.running.iter().copied()).chain(self.detached.iter().copied());
        running.map(|step| self.step(step).instance).collect()
    }

    /// Something runs, or still comes to rest.
    pub fn is_active(&self) -> bool {
        let runs = |track: &crate::tracks::Track| track.live && !track.dropped && !track.running.is_empty();
        !self.detached.is_empty() || self.tracks.iter().any(runs)
    }

    /// 0 to 1, of a running step that tells it or says how long it will take.
    pub fn progress_of(&self, id: InstanceId) -> Option<f64> {
        if let Some(progress) = self.world.progress.get(&id) {
            return Some(*progress);
        }
        let info = self.instances.get(&id)?;
        let step = self.step(self.known.get(&(info.use_id, info.node))?.step?);
        let expected_s = match &step.body {
            Body::Step(body) if step.is_active() => body.expected_s()?,
            _ => return None,
        };
        let elapsed_s = ns_to_seconds(self.world.active_ns - step.started_ns);
        (expected_s > 0.0).then(|| (elapsed_s / expected_s).clamp(0.0, 1.0))
    }

    /// What a running condition judges.
    pub fn measured_of(&self, id: InstanceId) -> Option<Measured> {
        self.world.measured.get(&id).copied()
    }

    /// Every node that is locked, and every node with a breakpoint. Looks at the whole tree.
    pub fn marks(&self) -> (Vec<Instance>, Vec<Instance>) {
        let of_step = |pick: fn(&crate::tracks::Extra) -> bool| {
            let steps = self.known.values().filter_map(|known| known.step);
            let marked = steps.filter(move |step| self.step(*step).extra.as_ref().is_some_and(|extra| pick(extra)));
            marked.map(|step| self.instance_of_id(self.step(step).instance))
        };
        let current = || self.tracks.iter().filter(|track| !track.dropped);
        let of_region = |pick: fn(&crate::tracks::Region) -> bool| {
            let marked = current().flat_map(|track| &track.regions).filter(move |region| pick(region));
            marked.map(|region| Instance { uses: self.use_path(region.use_id), node: region.node })
        };
        let mut locks: Vec<Instance> = of_step(|extra| extra.locked).chain(of_region(|region| region.locked)).collect();
        let mut breakpoints: Vec<Instance> =
            of_step(|extra| extra.breakpoint).chain(of_region(|region| region.breakpoint)).collect();
        for marks in [&mut locks, &mut breakpoints] {
            marks.sort_by(|a, b| (&a.uses, a.node).cmp(&(&b.uses, b.node)));
            marks.dedup();
        }
        (locks, breakpoints)
    }

    pub fn variable(&self, name: &str) -> Option<&Value> {
        let scope = self.uses[0].scope;
        self.world.board.get(scope, self.world.board.find(scope, name)?)
    }

    /// The behavior's own variables and the world's, by name.
    pub fn variables(&self) -> Vec<(Arc<str>, Value)> {
        let own = self.world.board.scope_values(self.uses[0].scope);
        let mut all: Vec<(Arc<str>, Value)> =
            own.chain(self.world.board.world_values()).map(|(name, value)| (name.clone(), value.clone())).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.dedup_by(|a, b| a.0 == b.0);
        all
    }

    /// The skill uses that lead to the scope a change belongs to; none: a world variable.
    pub fn scope_of(&self, change: &Change) -> Option<Vec<NodeId>> {
        let scope = change.scope?;
        let owner = self.uses.iter().position(|each| each.scope == scope && !each.is_call)?;
        Some(self.use_path(UseId::new(owner)))
    }

    /// Each token with the steps and tracks that hold it, outermost first, as text.
    pub fn tokens(&self) -> Vec<(Arc<str>, Option<String>)> {
        let claims = &self.world.claims;
        claims
            .tokens()
            .map(|(token, name)| (name.clone(), claims.holder(token).map(|holder| self.holder_text(holder))))
            .collect()
    }

    fn holder_text(&self, holder: Holder) -> String {
        match holder {
            Holder::Step(step) => format!("`{}`", self.label(step)),
            Holder::Track(track) => match self.track(track).owner {
                None => "the behavior (reserved)".to_owned(),
                Some(owner) => {
                    let branch = self.node_label(self.track(track).use_id, self.track(track).container);
                    format!("`{branch}` in `{}` (reserved)", self.label(owner))
                }
            },
            Holder::Robot => "the robot, which has not come to rest".to_owned(),
        }
    }

    pub(crate) fn claim_text(&self, token: u32, by: Option<Holder>) -> String {
        let name = self.world.claims.spoken_name(token);
        match by {
            Some(holder) => format!("`{name}` is held by {}", self.holder_text(holder)),
            None => format!("`{name}` goes first to a step that has waited longer"),
        }
    }

    /// Why the step at next has not started, for people.
    pub(crate) fn hold_text(&self, id: TrackId, hold: Hold) -> String {
        let track = self.track(id);
        match hold {
            Hold::None => String::new(),
            Hold::ComingToRest(owner) => format!("`{}` is coming to rest", self.label(owner)),
            Hold::AtEnd => "the end is reached".to_owned(),
            Hold::Failed => "a step failed".to_owned(),
            Hold::Manual => "automatic is off".to_owned(),
            Hold::Paused => "paused".to_owned(),
            Hold::StillRunning => "it still runs".to_owned(),
            Hold::AgainThisTick => "it has started in this tick already".to_owned(),
            Hold::TooMany => crate::tracks::TOO_MANY.to_owned(),
            Hold::After(step) => format!("waits until `{}` has ended", self.label(step)),
            Hold::Try(region) => {
                let region = &track.regions[region as usize];
                format!("the try of `{}` is not decided", self.node_label(region.use_id, region.node))
            }
            Hold::Outputs => "the outputs of a skill become visible".to_owned(),
            Hold::Locked(node) => {
                format!("`{}` is locked{}", self.node_label_anywhere(track.use_id, node), self.kept_text(id))
            }
            Hold::Added => match self.added(id) {
                Some(added) if added.freed => format!("freed by an edit of {}: waits to be admitted", added.by),
                Some(added) => format!("added by {}: waits to be admitted", added.by),
                None => String::new(),
            },
            Hold::Breakpoint(use_id, node) => {
                format!("held at `{}`: breakpoint", self.node_label_anywhere(use_id, node))
            }
            Hold::Outcome(step) => self.result_text(step),
            Hold::Autonomy => {
                let step = track.entries.get(track.next as usize).map(|step| self.step(*step));
                let needed =
                    step.and_then(|step| step.extra.as_ref()).map_or(model::Autonomy::Off, |extra| extra.autonomy);
                self.level_text(needed)
            }
            Hold::Claim { token, by } => self.claim_text(token, by),
        }
    }

    pub(crate) fn node_label_anywhere(&self, use_id: UseId, node: NodeId) -> Arc<str> {
        match self.tree_of(use_id).and_then(|tree| tree.get(node)) {
            Some(node) => node.label().clone(),
            None => self
                .library
                .owner_of(node)
                .map_or_else(|| "a deleted node".into(), |owner| self.library.get(owner).node(node).label().clone()),
        }
    }
}
