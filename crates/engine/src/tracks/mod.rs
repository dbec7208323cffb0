//! From a tree to tracks: how steps and tracks are made of nodes and what they are made of.

mod build;
mod flatten;
mod resolve;
mod scope;
mod step;
mod track;
mod turned;
mod values;

use expression::Cache;
pub(crate) use flatten::{Flat, HOME};
use model::NodeId;
use rustc_hash::FxHashMap;

use crate::ids::{StepId, TrackId, UseId};

pub use flatten::{GROUPING, makes_group};
pub(crate) use scope::Interface;
pub use step::StepStatus;
pub(crate) use step::{
    AWAKE, Body, BoundGuard, BoundWhen, Branch, BranchState, Extra, Failure, Halting, Pending, PendingWhy, Step,
};
pub(crate) use track::{Held, Hold, NONE, Phase, Press, Region, RegionKind, TOO_MANY, Track};

/// What making steps and tracks needs to remember: only this room looks into it.
#[derive(Default)]
pub(crate) struct Making {
    cache: Cache,
    free_steps: Vec<StepId>,
    free_tracks: Vec<TrackId>,
    next_instance: u32,
    /// Places of nodes whose results expressions ask for.
    watch_of: FxHashMap<(UseId, NodeId), u32>,
    /// Uses of skills that an edit may have turned to the other side.
    to_turn: Vec<UseId>,
}

impl Making {
    /// Places of steps and tracks that wait to be used again.
    pub fn free(&self) -> (&[StepId], &[TrackId]) {
        (&self.free_steps, &self.free_tracks)
    }
}
