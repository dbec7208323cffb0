//! A tree that changes while it runs.

mod admit;
mod aftermath;
mod apply;
mod as_started;
mod boundary;
mod forget;
mod marks;
mod splice;

use model::NodeId;
use rustc_hash::FxHashMap;

use crate::door::InstanceId;
use crate::ids::{StepId, TrackId, UseId};

pub(crate) use admit::Added;
pub(crate) use as_started::Shape;
pub(crate) use boundary::Laid;

use admit::Admissions;
use boundary::{EditNow, Wait};
use marks::Marks;

/// What edits leave to be looked at later: only this room looks into it.
#[derive(Default)]
pub(crate) struct Edited {
    now: EditNow,
    admissions: Admissions,
    waits: Vec<Wait>,
    /// Tracks in which something that runs is laid as it was before an edit.
    keeping: Vec<TrackId>,
    /// Edited while they ran: they take their new settings when they start again, or when the run is over.
    running: Vec<StepId>,
    /// Locks and breakpoints of nodes that are in no track now.
    laid_aside: FxHashMap<(UseId, NodeId), Marks>,
    /// Deleted, and not forgotten yet: the record may still name them.
    deleted: Vec<(UseId, NodeId)>,
}

impl Edited {
    /// Somebody waits for a step that an edit has moved or hidden from them.
    #[inline]
    pub fn has_waits(&self) -> bool {
        !self.waits.is_empty()
    }

    /// Something that runs is laid otherwise than its nodes say now.
    #[inline]
    pub fn keeps_shapes(&self) -> bool {
        !self.keeping.is_empty()
    }

    /// Until the holder of control admits it.
    pub fn holds(&self, step: StepId, instance: InstanceId) -> bool {
        self.admissions.held.contains(&(step, instance))
    }
}
