//! Goto and set-next.

use model::NodeId;

use crate::End;
use crate::engine::Engine;
use crate::ids::{TrackId, UseId};
use crate::tracks::Region;

/// A jump on its way to the track in which it takes place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingJump {
    /// The innermost track that holds both ends.
    pub track: TrackId,
    pub from: TrackId,
    pub target: (UseId, NodeId),
}

impl Engine {
    /// Where a node stands: its track and the place of its first step there.
    pub(crate) fn place_of(&self, target: (UseId, NodeId)) -> Option<(TrackId, u32)> {
        if let Some(step) = self.known.get(&target).and_then(|known| known.step) {
            return Some((self.step(step).track, self.step(step).pos));
        }
        let track = *self.region_of.get(&target)?;
        let region = self.track(track).regions.iter().find(|region| (region.use_id, region.node) == target)?;
        Some((track, region.lo))
    }

    /// Inside a call, a name means the called instance first, then what is around the call.
    fn instance_of(&self, from: TrackId, target: (UseId, NodeId)) -> (UseId, NodeId) {
        let mut at = Some(from);
        while let Some(track) = at {
            let use_id = self.track(track).use_id;
            if self.uses[use_id.index()].is_call && self.place_of((use_id, target.1)).is_some() {
                return (use_id, target.1);
            }
            at = self.track(track).above;
        }
        let definition = self.uses[target.0.index()].definition;
        let mut around = Some(target.0);
        while let Some(use_id) = around {
            let found = (use_id, target.1);
            if self.uses[use_id.index()].definition == definition && self.place_of(found).is_some() {
                return found;
            }
            around = self.uses[use_id.index()].parent;
        }
        target
    }

    pub(super) fn meeting_track(&self, from: TrackId, target: (UseId, NodeId)) -> Option<TrackId> {
        let (home, _) = self.place_of(self.instance_of(from, target))?;
        let mut at = Some(from);
        while let Some(track) = at {
            if self.is_track_within(home, track) {
                return Some(track);
            }
            at = self.track(track).above;
        }
        None
    }

    fn is_track_within(&self, track: TrackId, outer: TrackId) -> bool {
        let mut at = Some(track);
        while let Some(track) = at {
            if track == outer {
                return true;
            }
            at = self.track(track).above;
        }
        false
    }

    /// A node stands in this track or in one below it.
    pub(super) fn branch_holds(&self, track: TrackId, target: (UseId, NodeId)) -> bool {
        self.place_of(target).is_some_and(|(home, _)| self.is_track_within(home, track))
    }

    /// Carries out a pending jump if this is its track; false: the track's turn is over.
    pub(super) fn take_jump(&mut self, track: TrackId) -> bool {
        let Some(jump) = self.pending_jump else { return true };
        if jump.track != track {
            return false;
        }
        self.pending_jump = None;
        self.jump(jump);
        true
    }

    pub(crate) fn jump(&mut self, jump: PendingJump) {
        let PendingJump { track, from, target } = jump;
        let target = self.instance_of(from, target);
        if from != track {
            self.leave_composite(track, from);
        }
        self.enter_at(track, target);
    }

    /// Halts the composite of `track` that holds `inner`.
    fn leave_composite(&mut self, track: TrackId, inner: TrackId) {
        let mut at = inner;
        while let Some(owner) = self.track(at).owner {
            if self.step(owner).track == track {
                if let Some(end) = self.begin_halt(owner, End::halted("a jump left it")) {
                    self.finish(owner, end);
                }
                return;
            }
            at = self.step(owner).track;
        }
    }

    /// Puts next on the step that is or contains a node; a composite will start with the node's track at the node.
    pub(super) fn enter_at(&mut self, track: TrackId, target: (UseId, NodeId)) {
        let Some((home, pos)) = self.place_of(target) else { return };
        self.track_mut(track).jumped_to = None;
        if home == track {
            return self.put_next(track, pos);
        }
        let mut at = home;
        while let Some(owner) = self.track(at).owner {
            let (outer, pos) = (self.step(owner).track, self.step(owner).pos);
            if outer == track {
                self.track_mut(track).jumped_to = Some((owner, target));
                return self.put_next(track, pos);
            }
            at = outer;
        }
    }

    /// A fallback whose catch is jumped into has its try skipped, not passed.
    pub(crate) fn put_next(&mut self, track: TrackId, pos: u32) {
        if !self.region_watches.is_empty() {
            self.tell_jump(track, pos);
        }
        let track = self.track_mut(track);
        track.put_next(pos);
        for index in &track.active {
            let region = &mut track.regions[*index as usize];
            region.to_catch = region.holds(pos) && !region.in_try(pos);
        }
    }

    /// The locked node a jump would leave.
    pub(crate) fn lock_left_by(&self, from: TrackId, pos: u32, target: (UseId, NodeId)) -> Option<NodeId> {
        let target = self.instance_of(from, target);
        let mut at = Some((from, pos));
        while let Some((track, pos)) = at {
            let here = self.track(track);
            let to = self.place_within(track, target);
            if let Some(lock) = self.lock_between(track, pos, to) {
                return Some(lock);
            }
            let owner = here.owner?;
            if to.is_none() && self.step(owner).is_locked() {
                return Some(self.step(owner).node);
            }
            if to.is_some() {
                return None;
            }
            at = Some((self.step(owner).track, self.step(owner).pos));
        }
        None
    }

    /// The locked node of a track that next would leave from one place for another, or for one outside.
    pub(crate) fn lock_between(&self, track: TrackId, pos: u32, to: Option<u32>) -> Option<NodeId> {
        let track = self.track(track);
        let regions = track.locked.iter().map(|index| &track.regions[*index as usize]);
        let left = |region: &&Region| region.inside && to.is_none_or(|to| !region.holds(to));
        if let Some(region) = regions.into_iter().find(left) {
            return Some(region.node);
        }
        let at = track.entries.get(pos as usize).into_iter().chain(&track.running).map(|step| self.step(*step));
        let mut locked = at.filter(|step| step.is_active() && step.is_locked() && to != Some(step.pos));
        locked.next().map(|step| step.node)
    }

    fn place_within(&self, track: TrackId, target: (UseId, NodeId)) -> Option<u32> {
        let (mut home, mut pos) = self.place_of(target)?;
        while home != track {
            let owner = self.track(home).owner?;
            (home, pos) = (self.step(owner).track, self.step(owner).pos);
        }
        Some(pos)
    }
}
