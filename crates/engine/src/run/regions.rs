//! Fallbacks, skills and locks in a track: what entering, leaving and failing inside of them means.

use smallvec::SmallVec;

use crate::Cannot;
use crate::engine::Engine;
use crate::ids::{StepId, TrackId};
use crate::tracks::{Failure, Hold, NONE, Phase, Region, RegionKind};

/// A use of a skill that was given what it does not take.
pub(super) struct RefusedUse {
    region: u32,
    why: Cannot,
}

impl Engine {
    #[inline]
    pub(crate) fn tries_allow(&self, id: TrackId, pos: u32) -> Result<(), Hold> {
        let track = self.track(id);
        for index in &track.active {
            let region = &track.regions[*index as usize];
            let undecided = region.phase == Phase::Try && (pos >= region.try_hi || region.failed.is_some());
            if undecided && pos >= region.lo {
                let runs = track.running.iter().any(|step| region.in_try(self.step(*step).pos));
                let lock = self.lock_inside(id, region).filter(|_| !runs);
                return Err(lock.map_or(Hold::Try(*index), Hold::Locked));
            }
        }
        Ok(())
    }

    pub(super) fn lock_around(&self, id: TrackId, pos: u32) -> Option<model::NodeId> {
        let track = self.track(id);
        let locked = track.locked.iter().map(|index| &track.regions[*index as usize]);
        locked.into_iter().find(|region| region.inside && region.holds(pos)).map(|region| region.node)
    }

    pub(super) fn enter_regions(&mut self, track: TrackId, id: StepId) -> Result<(), RefusedUse> {
        let (pos, mut region, instance) = (self.step(id).pos, self.step(id).region, self.step(id).instance);
        if region == NONE && self.track(track).locked.is_empty() {
            return Ok(());
        }
        if !self.track(track).locked.is_empty() {
            for index in self.track(track).locked.clone() {
                let region = &mut self.track_mut(track).regions[index as usize];
                region.inside |= region.holds(pos);
            }
        }
        let mut chain: SmallVec<[u32; 8]> = SmallVec::new();
        while region != NONE {
            chain.push(region);
            region = self.track(track).regions[region as usize].outer;
        }
        for index in chain.into_iter().rev() {
            let Some(opened) = self.enter_region(track, index, pos, instance) else { continue };
            self.track_mut(track).regions[index as usize].entered_for = Some((id, self.world.tick));
            opened.map_err(|wrong| self.refused(track, index, wrong))?;
        }
        Ok(())
    }

    fn refused(&self, track: TrackId, index: u32, wrong: Vec<Cannot>) -> RefusedUse {
        let region = &self.track(track).regions[index as usize];
        RefusedUse { region: index, why: Cannot::Inputs { of: self.node_label(region.use_id, region.node), wrong } }
    }

    /// It fails where it begins: nothing of it starts and nothing in it catches that; it gives nothing out.
    pub(super) fn refuse_use(&mut self, track: TrackId, id: StepId, refused: RefusedUse) {
        let region = &self.track(track).regions[refused.region as usize];
        let of_use = (region.use_id, region.node);
        // Before it counts as passed: it has never started.
        self.leave_region(track, refused.region);
        self.pass(track, id);
        self.step_mut(id).started_tick = self.world.tick;
        self.track_mut(track).jumped_to = None;
        self.tell_end(id, refused.why.into(), Some(of_use));
    }

    /// A skill whose first step waited for its claims starts only now: its inputs are those of now.
    pub(super) fn renew_inputs(&mut self, track: TrackId, id: StepId) -> Result<(), RefusedUse> {
        let (tick, by) = (self.world.tick, self.step(id).instance);
        for index in self.track(track).active.clone() {
            let region = &self.track(track).regions[index as usize];
            if let RegionKind::Skill(inner) = region.kind
                && region.entered_for.is_some_and(|(step, entered)| step == id && entered < tick)
            {
                self.open_scope(inner, by).map_err(|wrong| self.refused(track, index, wrong))?;
            }
        }
        Ok(())
    }

    /// None: it was inside before. The error: what a skill does not take.
    fn enter_region(
        &mut self,
        track: TrackId,
        index: u32,
        pos: u32,
        by: crate::InstanceId,
    ) -> Option<Result<(), Vec<Cannot>>> {
        let tick = self.world.tick;
        let region = &mut self.track_mut(track).regions[index as usize];
        let anew = match region.kind {
            RegionKind::Fallback(_) if region.in_try(pos) => {
                std::mem::replace(&mut region.phase, Phase::Try) != Phase::Try
            }
            RegionKind::Fallback(_) if region.phase == Phase::Idle => {
                region.phase = Phase::Catch;
                true
            }
            RegionKind::Skill(_) => std::mem::replace(&mut region.phase, Phase::Open) != Phase::Open,
            _ => false,
        };
        if !anew {
            return None;
        }
        region.failed = None;
        region.gave_up = None;
        region.entered_tick = tick;
        let opened = match region.kind {
            RegionKind::Skill(inner) => Some(inner),
            _ => None,
        };
        let active = &mut self.track_mut(track).active;
        if !active.contains(&index) {
            active.push(index);
        }
        Some(opened.map_or(Ok(()), |inner| {
            self.turn(inner);
            self.open_scope(inner, by)
        }))
    }

    /// Decides tries whose steps have ended and closes skills that next has left.
    pub(super) fn settle(&mut self, id: TrackId) {
        if self.track(id).active.is_empty() {
            return;
        }
        for index in self.track(id).active.clone().into_iter().rev() {
            let track = self.track(id);
            let region = &track.regions[index as usize];
            let running_in =
                |lo: u32, hi: u32| track.running.iter().any(|step| (lo..hi).contains(&self.step(*step).pos));
            let next_at_it = region.lo <= track.next && track.next <= region.hi;
            match region.phase {
                Phase::Try | Phase::Catch | Phase::Open if self.lock_inside(id, region).is_some() => {
                    let tried = running_in(region.lo, region.try_hi) || self.try_awaits(region);
                    if region.phase == Phase::Try && !tried && self.lock_inside(id, region) == Some(region.node) {
                        self.catch_inside(id, index);
                    }
                }
                Phase::Idle => self.leave_region(id, index),
                Phase::Try if running_in(region.lo, region.try_hi) || self.try_awaits(region) => {}
                Phase::Try if !next_at_it => self.leave_region(id, index),
                Phase::Try if region.to_catch => self.enter_catch(id, index),
                Phase::Try if region.failed.is_some() => self.decide_failed(id, index),
                Phase::Try if track.next >= region.try_hi => {
                    let hi = region.hi;
                    self.track_mut(id).put_next(hi);
                    self.leave_region(id, index);
                }
                Phase::Try => {}
                Phase::Catch => {
                    let inside = region.try_hi <= track.next && track.next < region.hi;
                    if !inside && !running_in(region.try_hi, region.hi) {
                        self.leave_region(id, index);
                    }
                }
                Phase::Open => {
                    let inside = region.holds(track.next) && track.failed.is_none();
                    if !inside && !running_in(region.lo, region.hi) {
                        self.leave_region(id, index);
                    }
                }
            }
        }
    }

    /// What runs will succeed, whatever comes: tries that next has passed are as good as decided.
    pub(crate) fn pass_succeeded_tries(&mut self, id: TrackId) {
        for index in self.track(id).active.clone().into_iter().rev() {
            let track = self.track(id);
            let region = &track.regions[index as usize];
            let waits = region.phase == Phase::Try && !region.to_catch && region.failed.is_none();
            if waits && region.try_hi <= track.next && track.next < region.hi {
                let hi = region.hi;
                self.track_mut(id).put_next(hi);
            }
        }
    }

    /// The lock on it, or on something in it, that keeps next inside: it is not over. The innermost counts.
    fn lock_inside(&self, id: TrackId, region: &Region) -> Option<model::NodeId> {
        let track = self.track(id);
        let locked = track.locked.iter().map(|index| &track.regions[*index as usize]);
        let inside = locked.filter(|lock| lock.inside && region.lo <= lock.lo && lock.hi <= region.hi);
        inside.min_by_key(|lock| lock.hi - lock.lo).map(|lock| lock.node)
    }

    /// A locked fallback goes from its try to its catch, but not out.
    fn catch_inside(&mut self, id: TrackId, index: u32) {
        let region = &self.track(id).regions[index as usize];
        if region.to_catch {
            self.enter_catch(id, index);
        } else if region.failed.is_some() && region.try_hi < region.hi {
            self.decide_failed(id, index);
        }
    }

    fn enter_catch(&mut self, id: TrackId, index: u32) {
        let region = &mut self.track_mut(id).regions[index as usize];
        region.phase = Phase::Catch;
        region.to_catch = false;
        region.failed = None;
    }

    fn decide_failed(&mut self, id: TrackId, index: u32) {
        let region = &mut self.track_mut(id).regions[index as usize];
        let (try_hi, hi) = (region.try_hi, region.hi);
        if try_hi < hi {
            self.enter_catch(id, index);
            self.track_mut(id).put_next(try_hi);
        } else {
            region.gave_up = region.failed.as_ref().map(|failure| failure.end.outcome.clone());
            self.track_mut(id).put_next(hi);
            self.leave_region(id, index);
        }
    }

    pub(super) fn leave_region(&mut self, id: TrackId, index: u32) {
        let tick = self.world.tick;
        let track = self.track_mut(id);
        track.active.retain(|other| *other != index);
        let region = &mut track.regions[index as usize];
        let was_open = std::mem::replace(&mut region.phase, Phase::Idle) == Phase::Open;
        region.to_catch = false;
        region.failed = None;
        let never_started = region.entered_for.take().is_some();
        let (RegionKind::Skill(inner), true, false) = (&region.kind, was_open, never_started) else { return };
        let (inner, lo) = (*inner, region.lo);
        let by = track.entries.get(lo as usize).copied();
        let by = by.map_or(crate::InstanceId(0), |step| self.step(step).instance);
        if self.close_scope(inner, by) {
            self.track_mut(id).exit_tick = tick;
        }
    }

    /// A skill that its own guard ended has come to its end, unlike one inside of what ended: its outputs count, and
    /// what follows it waits for them.
    pub(super) fn close_own_skill(&mut self, owner: StepId, inner: TrackId) {
        let key = (self.step(owner).use_id, self.step(owner).node);
        let track = self.track(inner);
        let mut active = track.active.iter().copied();
        let own = active.find(|index| {
            let region = &track.regions[*index as usize];
            (region.use_id, region.node) == key
        });
        let Some(own) = own else { return };
        self.leave_region(inner, own);
        let (tick, outer) = (self.world.tick, self.step(owner).track);
        if self.track(inner).exit_tick == tick && !self.step(owner).detached {
            self.track_mut(outer).exit_tick = tick;
        }
    }

    /// The innermost region that may take a failure: none of a use that did not start.
    fn taken_from(&self, id: TrackId, failure: &Failure) -> u32 {
        let own = self.step(failure.step).region;
        let Some(of_use) = failure.refused else { return own };
        let regions = &self.track(id).regions;
        let mut at = own;
        while at != NONE {
            let region = &regions[at as usize];
            if (region.use_id, region.node) == of_use {
                return region.outer;
            }
            at = region.outer;
        }
        own
    }

    /// A step of a track has failed: the innermost try around it that asks for it takes it, else the track fails.
    pub(crate) fn fail_in_track(&mut self, id: TrackId, failure: Failure) {
        let pos = self.step(failure.step).pos;
        let mut at = self.taken_from(id, &failure);
        let lock = self.lock_span(id, pos);
        while at != NONE {
            let region = &self.track(id).regions[at as usize];
            let takes = match &region.kind {
                RegionKind::Fallback(asked) => {
                    let outcome = failure.end.outcome.as_deref().unwrap_or("");
                    let asks = asked.is_empty() || asked.iter().any(|name| &**name == outcome);
                    region.phase == Phase::Try && region.in_try(pos) && asks
                }
                _ => false,
            };
            if takes && lock.is_none_or(|(lo, hi)| lo <= region.lo && region.hi <= hi) {
                let region = &mut self.track_mut(id).regions[at as usize];
                region.failed.get_or_insert(failure);
                if !self.region_watches.is_empty() {
                    self.tell_failed(id, pos, Some(at));
                }
                return;
            }
            at = region.outer;
        }
        if !self.region_watches.is_empty() {
            self.tell_failed(id, pos, None);
        }
        let before = if lock.is_some() { &self.track(id).withheld } else { &self.track(id).failed };
        // Commands come in any order; of the failures of one tick the first in tree order counts.
        let is_first =
            before.as_ref().is_none_or(|before| before.tick == failure.tick && self.step(before.step).pos > pos);
        if is_first {
            let track = self.track_mut(id);
            let place = if lock.is_some() { &mut track.withheld } else { &mut track.failed };
            *place = Some(failure);
        }
    }

    /// The span of the innermost lock around a place: a failure does not leave it.
    fn lock_span(&self, id: TrackId, pos: u32) -> Option<(u32, u32)> {
        let track = self.track(id);
        let around = track.locked.iter().map(|index| &track.regions[*index as usize]);
        // A composite keeps its own result in: it may have another attempt.
        let around = around.filter(|region| region.inside && region.holds(pos) && !self.is_own(id, region));
        around.min_by_key(|region| region.hi - region.lo).map(|region| (region.lo, region.hi))
    }
}
