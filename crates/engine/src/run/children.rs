use std::sync::Arc;

use expression::Expression;
use model::NodeId;

use super::rules::TrackStatus;
use crate::door::{Job, JobAnswer, JobId};
use crate::engine::{Engine, MAX_STEPS, MAX_USES, Use};
use crate::ids::{StepId, TrackId, UseId};
use crate::tracks::{BoundWhen, Branch, BranchState};
use crate::types::{Branching, Target};
use crate::{Cannot, End, Tick};

/// What a composite sees of its branches and may do with them.
pub struct Children<'a> {
    pub(super) engine: &'a mut Engine,
    pub(super) step: StepId,
}

/// Where a branch stands.
#[derive(Clone, Debug, PartialEq)]
pub enum BranchStatus {
    Running,
    Ended(End),
}

impl BranchStatus {
    pub fn into_tick(self) -> Tick {
        match self {
            BranchStatus::Running => Tick::Running,
            BranchStatus::Ended(end) => Tick::Ended(end),
        }
    }
}

/// Deeper calls than this are a mistake that never ends.
pub(crate) const MAX_CALLS: u32 = 64;

impl<'a> Children<'a> {
    pub(crate) fn new(engine: &'a mut Engine, step: StepId) -> Children<'a> {
        Children { engine, step }
    }

    pub fn len(&self) -> usize {
        self.engine.step(self.step).composite().map_or(0, |composite| composite.branches.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The child a branch stands for.
    pub fn node(&self, index: usize) -> Option<NodeId> {
        self.engine.step(self.step).composite()?.branches.get(index).map(|branch| branch.child)
    }

    /// What the child is called.
    pub fn label(&self, index: usize) -> Option<Arc<str>> {
        let node = self.node(index)?;
        Some(self.engine.node_label_anywhere(self.engine.step(self.step).use_id, node))
    }

    /// As of a step: work that is too long for a tick.
    pub fn give_job(&mut self, job: Job) -> JobId {
        let instance = self.engine.step(self.step).instance;
        self.engine.world.give_job(instance, job)
    }

    /// Once, when the job is done.
    pub fn take_answer(&mut self, id: JobId) -> Option<JobAnswer> {
        self.engine.world.take_answer(id)
    }

    pub fn position(&self, node: NodeId) -> Option<usize> {
        let composite = self.engine.step(self.step).composite()?;
        composite.branches.iter().position(|branch| branch.child == node)
    }

    /// The child that is, or contains, what a setting refers to.
    pub fn position_of(&self, target: &Target) -> Option<usize> {
        self.branch_holding(self.engine.target(self.step, target)?)
    }

    fn branch_holding(&self, target: (UseId, NodeId)) -> Option<usize> {
        let composite = self.engine.step(self.step).composite()?;
        composite.branches.iter().position(|branch| self.engine.branch_holds(branch.track, target))
    }

    /// The branch a jump wants it to start in.
    pub fn entry(&self) -> Option<usize> {
        let entry = self.engine.step(self.step).composite()?.entry?;
        self.branch_holding(entry)
    }

    /// Ticks a branch, starting it if it has not been; the end of an ended one stays.
    pub fn run(&mut self, index: usize) -> BranchStatus {
        if self.engine.pending_jump.is_some() {
            return BranchStatus::Running;
        }
        match self.engine.branch_state(self.step, index) {
            None => return BranchStatus::Ended(End::SUCCESS),
            Some(BranchState::Ended(end)) => return BranchStatus::Ended(end.clone()),
            Some(BranchState::Running) => {}
            Some(BranchState::Idle) => {
                if self.engine.judges_first(self.track(index)) || !self.start(index) {
                    return BranchStatus::Running;
                }
            }
        }
        let track = self.track(index);
        let status = self.engine.tick_track(track);
        // The tick may have edited nothing, but a call may have been dropped by a jump.
        let Some(branch) = self.branch_mut(index) else { return BranchStatus::Running };
        match status {
            TrackStatus::Running => BranchStatus::Running,
            TrackStatus::Ended(end) => {
                branch.state = BranchState::Ended(end.clone());
                self.engine.end_track(track, end.verdict);
                BranchStatus::Ended(end)
            }
        }
    }

    pub(super) fn track(&self, index: usize) -> TrackId {
        self.engine.step(self.step).composite().expect("a composite is ticked").branches[index].track
    }

    pub(super) fn branch_mut(&mut self, index: usize) -> Option<&mut Branch> {
        self.engine.step_mut(self.step).composite_mut()?.branches.get_mut(index)
    }

    /// False: it began in this tick already, so it begins again in the next.
    fn start(&mut self, index: usize) -> bool {
        let track = self.track(index);
        if self.engine.track(track).start_tick == self.engine.world.tick {
            let text =
                "begins again in the tick in which it began: no time passes in this loop, so it goes once a tick";
            self.engine.warn_once(self.engine.step(self.step).instance, text);
            self.engine.judges_first(track);
            return false;
        }
        let manual = self.engine.step(self.step).composite().is_some_and(|composite| composite.manual_inside);
        let stays_manual = self.engine.track(track).stays_manual;
        self.engine.start_track(track, !manual && !stays_manual);
        let entry = self.engine.step(self.step).composite().and_then(|composite| composite.entry);
        if let Some(entry) = entry
            && self.engine.branch_holds(track, entry)
        {
            self.engine.enter_at(track, entry);
            if let Some(composite) = self.engine.step_mut(self.step).composite_mut()
                && !composite.only_entry
            {
                composite.entry = None;
            }
        }
        if let Some(branch) = self.branch_mut(index) {
            branch.state = BranchState::Running;
        }
        true
    }

    /// Lets a branch begin again the next time it is run.
    pub fn restart(&mut self, index: usize) {
        if let Some(branch) = self.branch_mut(index) {
            branch.state = BranchState::Idle;
        }
    }

    /// A case's condition, or its outcome against that of the node `of`. A case without either always holds.
    pub fn case_holds(&mut self, index: usize, of: &Target) -> Result<bool, Cannot> {
        let scope = self.engine.step(self.step).scope;
        let composite = self.engine.step(self.step).composite().expect("a composite is ticked");
        match &composite.branches[index].when {
            None => Ok(true),
            Some(BoundWhen::Condition(condition)) => {
                let holds = self.engine.world.holds(scope, condition);
                if self.engine.world.dry { Ok(holds.unwrap_or(true)) } else { holds }
            }
            // Nobody answered, nothing was seen.
            Some(BoundWhen::Outcome(_)) if self.engine.world.dry => Ok(true),
            Some(BoundWhen::Outcome(wanted)) => {
                let wanted = wanted.clone();
                let outcome = self.engine.outcome_of(self.step, of)?;
                Ok(outcome.as_deref() == Some(&*wanted))
            }
        }
    }

    pub fn holds(&self, condition: &Expression) -> Result<bool, Cannot> {
        let holds = self.engine.world.holds(self.engine.step(self.step).scope, condition);
        if self.engine.world.dry { Ok(holds.unwrap_or(false)) } else { holds }
    }

    /// What ends a composite whatever its branches do. Not asked while an edit takes effect.
    pub fn reached(&self, goal: &Expression) -> Result<bool, Cannot> {
        if self.engine.is_aftermath() { Ok(false) } else { self.holds(goal) }
    }

    /// Runs another node as a new instance, whether or not it also runs elsewhere.
    pub fn call(&mut self, target: &Target) -> BranchStatus {
        if self.is_empty() {
            let Some(found) = self.engine.target(self.step, target) else {
                return BranchStatus::Ended(End::failure(format!("there is no node `{}` to call", target.text())));
            };
            self.engine.warn_of_outside(self.step, found);
            if let Err(reason) = self.engine.open_call(self.step, found) {
                return BranchStatus::Ended(End::failure(reason));
            }
        }
        self.run(0)
    }
}

impl Engine {
    /// The last named outcome of the node a choose asks, or of the step before it.
    fn outcome_of(&mut self, asking: StepId, of: &Target) -> Result<Option<std::sync::Arc<str>>, Cannot> {
        if of.is_empty() {
            let (track, pos) = (self.step(asking).track, self.step(asking).pos);
            if pos == 0 {
                return Err(Cannot::NoOutcomeBefore);
            }
            return Ok(self.outcome_before(track, pos));
        }
        let Some(key) = self.target(asking, of) else {
            return Err(Cannot::NoNodeToAsk { name: of.text().to_owned() });
        };
        if self.known.get(&key).is_none_or(|known| known.step.is_none()) && self.region_of.contains_key(&key) {
            return Ok(self.outcome_of_region(key));
        }
        let watch = self.watch(key.0, key.1);
        Ok(self.world.watches[watch as usize].outcome.clone())
    }

    fn open_call(&mut self, caller: StepId, target: (UseId, NodeId)) -> Result<(), Cannot> {
        let (use_id, via) = (self.step(caller).use_id, self.step(caller).node);
        let calls = self.uses[use_id.index()].calls + 1;
        if calls > MAX_CALLS {
            return Err(Cannot::CallsTooDeep);
        }
        let is_new = !self.use_of.contains_key(&(use_id, via));
        if is_new && (self.uses.len() >= MAX_USES || self.instances.len() >= 4 * MAX_STEPS) {
            return Err(Cannot::TooManyCalls);
        }
        let (definition, scope) = (self.uses[target.0.index()].definition, self.uses[target.0.index()].scope);
        let called = match self.use_of.get(&(use_id, via)) {
            Some(known) => *known,
            None => {
                self.uses.push(Use {
                    parent: Some(use_id),
                    via,
                    definition,
                    scope,
                    is_call: true,
                    calls,
                    interface: None,
                    mirrored: false,
                    to_be_mirrored: false,
                });
                let called = UseId::new(self.uses.len() - 1);
                self.use_of.insert((use_id, via), called);
                called
            }
        };
        self.uses[called.index()].definition = definition;
        self.uses[called.index()].scope = scope;
        // What is called runs on the side on which it is written.
        self.uses[called.index()].mirrored = self.is_mirrored(use_id) != self.is_mirrored(target.0);
        let track = self.build_track(Some(caller), called, target.1, false);
        if let Some(composite) = self.step_mut(caller).composite_mut() {
            composite.branches.push(Branch {
                child: target.1,
                track,
                state: BranchState::Idle,
                when: None,
                settings: None,
            });
        }
        Ok(())
    }

    /// What a gosub called goes when the call is over.
    pub(super) fn drop_calls(&mut self, id: StepId) {
        let Some(composite) = self.step_mut(id).composite_mut() else { return };
        if composite.branching == Branching::Call {
            for branch in std::mem::take(&mut composite.branches) {
                self.drop_track(branch.track);
            }
        }
    }
}
