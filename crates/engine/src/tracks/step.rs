use std::sync::Arc;

use expression::Expression;
use model::{Autonomy, ConflictPolicy, Edge, EndAs, NodeId};

use super::track::Row;
use super::values::Values;
use crate::door::InstanceId;
use crate::edits::Added;
use crate::ids::{ScopeId, StepId, TrackId, UseId};
use crate::types::{AnyComposite, AnyStep, AskedSettings, Branching};
use crate::world::At;
use crate::{End, Verdict};

/// Where a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepStatus {
    Idle,
    Running,
    /// Told to stop; still counts as running.
    Halting,
}

/// One instance of a step in its track. What is looked at in every tick of one that runs lies together at its beginning.
#[repr(C)]
pub(crate) struct Step {
    pub status: StepStatus,
    /// The tree was edited since the body was made.
    pub stale: bool,
    /// No longer part of any track; it halts, then goes.
    pub detached: bool,
    /// Its jump waited, and a later one has taken its place.
    pub jump_dropped: bool,
    pub scope: ScopeId,
    pub track: TrackId,
    pub instance: InstanceId,
    pub started_ns: i64,
    pub body: Body,
    pub extra: Option<Box<Extra>>,
    /// Settings that are evaluated when it is about to start. Once it runs they cost nothing.
    pub values: Option<Box<Values>>,
    pub pending: Option<Box<Pending>>,
    /// Not ticked before, in the time of step timers.
    pub wakes_ns: i64,
    pub started_tick: u64,
    /// Innermost fallback or skill of the track around it; [`super::track::NONE`] if there is none.
    pub region: u32,
    /// Place in the watches, or [`super::track::NONE`].
    pub watch: u32,
    pub node: NodeId,
    pub use_id: UseId,
    /// Place in its track.
    pub pos: u32,
    /// Place of the step it executes after; -1: the beginning.
    pub after: i32,
    pub last: Option<Verdict>,
    /// Named outcome of its last run: a choose may ask for it later.
    pub last_outcome: Option<Arc<str>>,
    /// Its jump waits for the lock of this node.
    pub jump_kept_in: Option<NodeId>,
    pub halt: Option<Box<Halting>>,
}

pub(crate) enum Body {
    Step(Box<dyn AnyStep>),
    Composite(Box<Composite>),
    /// Cannot run, with the reason.
    Broken(Box<str>),
}

pub(crate) struct Composite {
    /// None: a sequence, fallback or skill with a guard. Taken out while it is ticked.
    pub behavior: Option<Box<dyn AnyComposite>>,
    pub is_group: bool,
    pub branching: Branching,
    pub branches: Vec<Branch>,
    /// Where a jump wants it to start.
    pub entry: Option<(UseId, NodeId)>,
    /// Its tracks wait for presses.
    pub manual_inside: bool,
    /// Only the branch with the entry runs.
    pub only_entry: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BranchState {
    Idle,
    Running,
    Ended(End),
}

pub(crate) struct Branch {
    pub child: NodeId,
    pub track: TrackId,
    pub state: BranchState,
    pub when: Option<BoundWhen>,
    /// Of a child whose type lets the composite ask for them.
    pub settings: Option<AskedSettings>,
}

pub(crate) enum BoundWhen {
    Condition(Expression),
    Outcome(Arc<str>),
}

pub(crate) struct BoundGuard {
    pub condition: Expression,
    pub edge: Edge,
    pub outcome: Arc<str>,
    pub before: bool,
    pub warned: bool,
}

/// What few steps have: guards, limits, claims, gates.
#[derive(Default)]
pub(crate) struct Extra {
    pub until: Vec<BoundGuard>,
    pub while_: Vec<BoundGuard>,
    /// In a preview: the outcome of an `until` that is taken as met when the step has come to its own end.
    pub met_at_end: Option<Arc<str>>,
    pub timeout_ns: Option<i64>,
    pub retry: u32,
    pub end_as: Option<EndAs>,
    pub outcome_as: Option<Arc<str>>,
    pub claims: Box<[u32]>,
    pub on_conflict: ConflictPolicy,
    pub autonomy: Autonomy,
    /// The level that a named outcome needs before it is reported.
    pub outcome_autonomy: Box<[(Arc<str>, Autonomy)]>,
    pub breakpoint: bool,
    pub locked: bool,
    /// Held until the holder of control admits it.
    pub added: Option<Added>,
    pub attempt: u32,
    pub first_started_ns: i64,
    pub again_next_tick: bool,
    /// The operator said how it ends.
    pub forced: bool,
    /// The operator lets its result pass, whatever level it needs.
    pub passed: bool,
}

pub(crate) struct Halting {
    /// Fixed when halting begins.
    pub end: End,
    pub since_ns: i64,
}

/// An end that is not reported yet.
pub(crate) struct Pending {
    pub end: End,
    pub why: PendingWhy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PendingWhy {
    /// Its updates become visible in the next tick.
    Updates,
    /// It is locked.
    Lock,
    /// Its named outcome needs a higher autonomy level.
    Level,
}

/// Ticked in every tick.
pub(crate) const AWAKE: i64 = i64::MIN;

impl Step {
    /// Guards and limits are asked in every tick, whatever the step itself has to do.
    pub fn sleep(&mut self, active_ns: i64, sleep_ns: i64) {
        let sleeps = sleep_ns > 0 && self.extra.is_none();
        self.wakes_ns = if sleeps { active_ns.saturating_add(sleep_ns) } else { AWAKE };
    }

    /// What is ticked of one that runs and has nothing but its body to ask: no guard, no limit, no result that is held.
    #[inline]
    pub fn plain(&mut self) -> Option<&mut dyn AnyStep> {
        if self.status != StepStatus::Running || self.extra.is_some() || self.pending.is_some() {
            return None;
        }
        let Body::Step(body) = &mut self.body else { return None };
        Some(&mut **body)
    }

    pub fn row(&self, id: StepId) -> Row {
        Row { at: self.at(id), wakes_ns: self.wakes_ns }
    }

    /// What it is asked with.
    #[inline]
    pub fn at(&self, id: StepId) -> At {
        At { step: id, track: self.track, scope: self.scope, instance: self.instance, started_ns: self.started_ns }
    }

    pub fn is_active(&self) -> bool {
        self.status != StepStatus::Idle
    }

    /// It halts, or what is left of a failed attempt does.
    pub fn is_coming_to_rest(&self) -> bool {
        self.status == StepStatus::Halting || self.makes_another_attempt()
    }

    pub fn makes_another_attempt(&self) -> bool {
        self.extra.as_ref().is_some_and(|extra| extra.again_next_tick)
    }

    pub fn composite(&self) -> Option<&Composite> {
        match &self.body {
            Body::Composite(composite) => Some(composite),
            _ => None,
        }
    }

    pub fn composite_mut(&mut self) -> Option<&mut Composite> {
        match &mut self.body {
            Body::Composite(composite) => Some(composite),
            _ => None,
        }
    }

    pub fn branch_tracks(&self) -> impl Iterator<Item = TrackId> + '_ {
        self.composite().into_iter().flat_map(|composite| composite.branches.iter().map(|branch| branch.track))
    }

    /// It is done, but for the lock of this node.
    pub fn kept_in(&self) -> Option<NodeId> {
        let own = self.pending.as_ref().filter(|pending| pending.why == PendingWhy::Lock).map(|_| self.node);
        own.or(self.jump_kept_in)
    }

    /// It is done, but for the autonomy level that its named outcome needs.
    pub fn has_held_result(&self) -> bool {
        self.pending.as_ref().is_some_and(|pending| pending.why == PendingWhy::Level)
    }

    pub fn is_locked(&self) -> bool {
        self.extra.as_ref().is_some_and(|extra| extra.locked)
    }
}

/// Who a failure belongs to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub step: StepId,
    pub end: End,
    pub tick: u64,
    /// The use of a skill that did not start: only what is around it takes that, whenever it is decided.
    pub refused: Option<(UseId, NodeId)>,
}
