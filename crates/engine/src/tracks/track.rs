use std::sync::Arc;

use model::NodeId;
use smallvec::SmallVec;

use super::step::Failure;
use crate::edits::Laid;
use crate::ids::{StepId, TrackId, UseId};
use crate::operator::KeptJump;
use crate::world::{At, Holder};

/// No region, no watch.
pub(crate) const NONE: u32 = u32::MAX;

/// The flattened steps under the root or under one branch of a composite.
pub(crate) struct Track {
    /// None for the root.
    pub owner: Option<StepId>,
    pub above: Option<TrackId>,
    pub use_id: UseId,
    pub container: NodeId,
    /// The container's own guards stand outside: only what is in it is flattened.
    pub inside: bool,
    pub entries: Vec<StepId>,
    pub regions: Vec<Region>,
    /// Place of the next step to trigger; the number of entries when it is behind the last.
    pub next: u32,
    /// In tree order.
    pub running: Vec<StepId>,
    /// What a tick needs to know of each of those, while [`Self::knows_wakes`].
    pub rows: Vec<Row>,
    pub knows_wakes: bool,
    /// A result of its steps may be held for an autonomy level.
    pub may_hold_results: bool,
    pub automatic: bool,
    /// A breakpoint took automatic off, and nobody has let it go on since.
    pub held: Option<Held>,
    /// Automatic is off since a breakpoint, also in the next pass and the next attempt.
    pub stays_manual: bool,
    /// The step whose breakpoint is passed once, because the operator let it go on.
    pub passes: Option<(UseId, NodeId)>,
    pub press: Option<Press>,
    pub failed: Option<Failure>,
    /// A failure that a lock keeps in.
    pub withheld: Option<Failure>,
    /// Fallbacks and skills entered and not left, outermost first.
    pub active: SmallVec<[u32; 4]>,
    pub locked: SmallVec<[u32; 1]>,
    pub breakpoints: SmallVec<[u32; 1]>,
    pub hold: Hold,
    /// The composite a jump put next on, and the node in it at which it starts.
    pub jumped_to: Option<(StepId, (UseId, NodeId))>,
    /// Where next goes once no lock is in the way.
    pub kept_jump: Option<KeptJump>,
    /// Orders of its steps that edits have changed since a step was last triggered.
    pub laid: Vec<Laid>,
    pub start_tick: u64,
    /// The tick in which a skill's outputs were queued: what follows waits for the next.
    pub exit_tick: u64,
    /// Steps with an execute-after by name, and the node that has it: an edit elsewhere may change what it means.
    pub referring: Vec<(StepId, (UseId, NodeId))>,
    /// The order of its steps, as one number; none: nobody has asked yet.
    pub order: Option<u64>,
    /// Has been started and has not ended.
    pub live: bool,
    /// Its place waits to be used again.
    pub dropped: bool,
    /// It would have more steps than there may be: its one step says so.
    pub is_too_long: bool,
    /// In progress, and laid otherwise than their nodes say now.
    pub kept_shapes: Vec<(UseId, NodeId)>,
}

/// A step that runs, as a tick goes through them: what it is asked with lies in a row with that of its neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub at: At,
    pub wakes_ns: i64,
}

/// Where a breakpoint holds a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    pub step: (UseId, NodeId),
    /// The node with the breakpoint: the step itself or an organising node that begins with it.
    pub at: (UseId, NodeId),
}

pub(crate) struct Press {
    pub set: SmallVec<[StepId; 4]>,
    pub into: bool,
}

/// An organising node of a track: the span of steps it stands for.
pub(crate) struct Region {
    pub node: NodeId,
    pub use_id: UseId,
    pub kind: RegionKind,
    /// Innermost fallback or skill around it.
    pub outer: u32,
    pub lo: u32,
    pub hi: u32,
    /// End of a fallback's try.
    pub try_hi: u32,
    pub phase: Phase,
    /// The step it was entered for and when, while that step waits for its claims: nothing of it has started.
    pub entered_for: Option<(StepId, u64)>,
    /// A jump put next into the catch: it runs once the try has ended, however that ends.
    pub to_catch: bool,
    pub failed: Option<Failure>,
    /// Its try failed and it has no catch: the named outcome of the step that decided it.
    pub gave_up: Option<Option<Arc<str>>>,
    /// The tick in which it was entered; sequences are not.
    pub entered_tick: u64,
    pub locked: bool,
    /// A step of it was triggered and next has not left it.
    pub inside: bool,
    pub breakpoint: bool,
}

#[derive(Clone, PartialEq)]
pub(crate) enum RegionKind {
    Sequence,
    /// The outcomes its catch asks for; empty: any.
    Fallback(Box<[Arc<str>]>),
    /// The use whose scope it opens.
    Skill(UseId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Idle,
    Try,
    Catch,
    /// A skill that has been entered.
    Open,
}

impl Track {
    /// What runs, to be changed.
    pub fn running_mut(&mut self) -> &mut Vec<StepId> {
        self.knows_wakes = false;
        &mut self.running
    }

    pub fn region(&self, key: (UseId, NodeId)) -> Option<&Region> {
        self.regions.iter().find(|region| (region.use_id, region.node) == key)
    }

    /// The step at a place is gone: what its organising nodes stand for is as much less.
    pub fn take_place(&mut self, place: u32) {
        for region in &mut self.regions {
            for bound in [&mut region.lo, &mut region.hi, &mut region.try_hi] {
                *bound -= u32::from(*bound > place);
            }
        }
    }

    /// Moves next otherwise than by an edit: no undo moves it back.
    pub fn put_next(&mut self, pos: u32) {
        self.next = pos;
        self.laid.clear();
    }
}

impl Region {
    pub fn holds(&self, pos: u32) -> bool {
        self.lo <= pos && pos < self.hi
    }

    pub fn in_try(&self, pos: u32) -> bool {
        self.lo <= pos && pos < self.try_hi
    }
}

/// Why the step at next has not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Nothing holds it; the track has not come to it.
    None,
    AtEnd,
    /// The composite it belongs to is being halted.
    ComingToRest(StepId),
    /// A step failed; what runs runs to its end.
    Failed,
    Manual,
    Paused,
    StillRunning,
    /// It started in this tick already.
    AgainThisTick,
    /// So many steps have started in this tick that it would not end.
    TooMany,
    After(StepId),
    /// A try is undecided.
    Try(u32),
    /// A skill's outputs become visible in the next tick.
    Outputs,
    Locked(NodeId),
    Breakpoint(UseId, NodeId),
    /// Somebody who is not in control added or freed it.
    Added,
    /// The result of a step that has ended needs a higher autonomy level.
    Outcome(StepId),
    Autonomy,
    /// The token, and who has it; none: somebody who waits longer goes first.
    Claim {
        token: u32,
        by: Option<Holder>,
    },
}

/// What [`Hold::TooMany`] says.
pub(crate) const TOO_MANY: &str =
    "so many steps have started in this tick that it would not end; the rest follows in the next";
