//! Locks and breakpoints belong to a node: they go with it wherever an edit puts it, and come back with it.

use model::NodeId;

use crate::engine::Engine;
use crate::ids::{StepId, TrackId, UseId};
use crate::tracks::Region;

type Key = (UseId, NodeId);

#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) struct Marks {
    pub locked: bool,
    pub breakpoint: bool,
}

impl Marks {
    pub fn any(self) -> bool {
        self.locked || self.breakpoint
    }
}

impl Engine {
    /// To be asked when a step leaves its place.
    pub(crate) fn lay_aside_marks(&mut self, id: StepId) {
        let key = self.key(id);
        if let Some(marks) = self.take_marks_of_step(id) {
            self.edited.laid_aside.insert(key, marks);
        }
    }

    fn take_marks_of_step(&mut self, id: StepId) -> Option<Marks> {
        let extra = self.step_mut(id).extra.as_mut()?;
        let marks = Marks { locked: extra.locked, breakpoint: extra.breakpoint };
        (extra.locked, extra.breakpoint) = (false, false);
        marks.any().then_some(marks)
    }

    /// To be asked before the organising nodes of a track are laid anew.
    pub(crate) fn lay_aside_region_marks(&mut self, id: TrackId) {
        let track = self.track(id);
        let marked = track.locked.iter().chain(&track.breakpoints).map(|index| &track.regions[*index as usize]);
        let marked: Vec<(Key, Marks)> = marked.filter(|region| !self.is_own(id, region)).map(marks_of).collect();
        self.edited.laid_aside.extend(marked);
    }

    /// The marks of a node that is laid in a new place: from where it was, or from when it was last there.
    pub(crate) fn take_marks(&mut self, key: Key) -> Marks {
        let step = self.known.get(&key).and_then(|known| known.step);
        if let Some(marks) = step.and_then(|step| self.take_marks_of_step(step)) {
            return marks;
        }
        if let Some(track) = self.region_of.get(&key).copied()
            && let Some(region) = self.track(track).region(key).filter(|region| !self.is_own(track, region))
            && marks_of(region).1.any()
        {
            return marks_of(region).1;
        }
        self.edited.laid_aside.remove(&key).unwrap_or_default()
    }

    /// The organising node with a guard whose track this is: a step around it has its marks.
    pub(crate) fn is_own(&self, id: TrackId, region: &Region) -> bool {
        let track = self.track(id);
        track.inside && track.owner.is_some_and(|owner| self.key(owner) == (region.use_id, region.node))
    }

    /// The one track of an organising node with a guard.
    pub(crate) fn group_track(&self, step: StepId) -> Option<TrackId> {
        let composite = self.step(step).composite().filter(|composite| composite.is_group)?;
        composite.branches.first().map(|branch| branch.track)
    }

    /// The lock that alone keeps a step from having ended.
    pub(crate) fn kept_in(&self, step: StepId) -> Option<NodeId> {
        let at_end = |id: TrackId| {
            let track = self.track(id);
            track.live && track.running.is_empty() && track.next as usize >= track.entries.len()
        };
        let is_open = self.step(step).is_locked() && self.group_track(step).is_some_and(at_end);
        self.step(step).kept_in().or_else(|| is_open.then_some(self.step(step).node))
    }

    pub(crate) fn key(&self, step: StepId) -> Key {
        (self.step(step).use_id, self.step(step).node)
    }
}

fn marks_of(region: &Region) -> (Key, Marks) {
    ((region.use_id, region.node), Marks { locked: region.locked, breakpoint: region.breakpoint })
}
