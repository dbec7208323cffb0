//! What an edit of somebody who is not in control would start by itself. It is found by letting the edit have its effects
//! before any time passes: ends lead to ends, branches begin, tries are decided, but no step is ticked or started and no guard
//! is asked. The same is done before the edit; whatever is about to start behind it and was not before is held.

use std::sync::Arc;

use model::ConflictPolicy;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::door::InstanceId;
use crate::engine::Engine;
use crate::ids::{StepId, TrackId};
use crate::run::TrackStatus;
use crate::tracks::{Hold, Phase, Region, StepStatus};
use crate::world::Holder;

#[derive(Default)]
pub(super) struct Aftermath {
    /// While effects are let happen.
    now: Option<Whose>,
    /// What was about to start before the edit.
    due: FxHashSet<InstanceId>,
    /// Composites that were about to make another attempt before the edit.
    resting: FxHashSet<InstanceId>,
    /// Composites that an edit has ended, or sent into another attempt, while something in them still came to rest.
    outlasting: Vec<(StepId, InstanceId, Arc<str>)>,
    /// Tracks in which one of those has come to rest, and when.
    freed: Vec<(TrackId, Arc<str>, u64)>,
}

#[derive(Clone)]
enum Whose {
    /// What was there before the edit.
    Due,
    EditOf(Arc<str>),
}

impl Engine {
    /// To be asked before a batch of somebody who is not in control is applied.
    pub(super) fn note_what_is_due(&mut self) {
        self.edited.admissions.aftermath.due.clear();
        self.edited.admissions.aftermath.resting.clear();
        self.let_happen(Whose::Due);
    }

    /// To be asked when it is applied.
    pub(super) fn hold_what_is_not_due(&mut self, by: &Arc<str>) {
        self.let_happen(Whose::EditOf(Arc::clone(by)));
    }

    fn let_happen(&mut self, whose: Whose) {
        self.edited.admissions.aftermath.now = Some(whose);
        // What has ended may have held a claim for which somebody waits further up.
        loop {
            let ends = self.world.record.events.len();
            self.effects_in_track(self.root);
            if self.world.record.events.len() == ends {
                break;
            }
        }
        self.edited.admissions.aftermath.now = None;
    }

    pub(crate) fn is_aftermath(&self) -> bool {
        self.edited.admissions.aftermath.now.is_some()
    }

    /// In place of a tick of the track.
    pub(crate) fn effects_in_track(&mut self, id: TrackId) -> TrackStatus {
        let mut index = 0;
        while let Some(step) = self.track(id).running.get(index).copied() {
            self.effects_in_step(step);
            index = self.behind_in_running(id, index, step);
        }
        self.decide_without_starting(id);
        for step in self.about_to_start(id) {
            self.judge_start(id, step);
        }
        self.status(id)
    }

    fn effects_in_step(&mut self, id: StepId) {
        let step = self.step(id);
        if step.composite().is_none() || step.pending.is_some() {
            return;
        }
        if step.status == StepStatus::Halting {
            self.rest_if_halted(id);
        } else if step.makes_another_attempt() {
            if self.branches_rest(id) {
                self.judge_attempt(id);
            }
        } else {
            let (tick, queued) = self.tick_body(id);
            match self.conclude(id, tick, queued) {
                Some(end) => self.finish(id, end),
                None => self.note_outlasting(id),
            }
        }
    }

    /// A composite that halts has come to rest if nothing in it moves any more.
    fn rest_if_halted(&mut self, id: StepId) {
        if self.step(id).composite().is_some()
            && self.branches_rest(id)
            && let Some(halt) = self.step_mut(id).halt.take()
        {
            self.finish(id, halt.end);
        }
    }

    fn branches_rest(&mut self, id: StepId) -> bool {
        let tracks: Vec<TrackId> = self.step(id).branch_tracks().collect();
        for track in tracks {
            for inside in self.track(track).running.clone() {
                self.rest_if_halted(inside);
            }
        }
        !self.has_running_branches(id)
    }

    fn note_outlasting(&mut self, id: StepId) {
        if let Some(Whose::EditOf(by)) = self.edited.admissions.aftermath.now.clone()
            && self.step(id).is_coming_to_rest()
        {
            self.edited.admissions.aftermath.outlasting.push((id, self.step(id).instance, by));
        }
    }

    fn judge_attempt(&mut self, id: StepId) {
        let instance = self.step(id).instance;
        match self.edited.admissions.aftermath.now {
            Some(Whose::EditOf(_)) if !self.edited.admissions.aftermath.resting.contains(&instance) => {
                self.note_outlasting(id)
            }
            Some(Whose::Due) => {
                self.edited.admissions.aftermath.resting.insert(instance);
            }
            _ => {}
        }
    }

    /// A branch is about to begin. False: it is to begin now, because it ends at once.
    pub(crate) fn judges_first(&mut self, id: TrackId) -> bool {
        let first = self.track(id).entries.first().copied();
        if let Some(first) = first.filter(|_| self.is_aftermath()) {
            self.judge_start(id, first);
        }
        match self.edited.admissions.aftermath.now {
            None => false,
            Some(Whose::Due) => true,
            Some(Whose::EditOf(_)) => first.is_some(),
        }
    }

    fn judge_start(&mut self, id: TrackId, step: StepId) {
        let instance = self.step(step).instance;
        match self.edited.admissions.aftermath.now.clone() {
            Some(Whose::Due) => {
                self.edited.admissions.aftermath.due.insert(instance);
            }
            Some(Whose::EditOf(by)) => {
                let is_due = self.edited.admissions.aftermath.due.contains(&instance) || self.is_pressed(id, step);
                if !is_due {
                    self.hold_for(step, &by);
                }
            }
            None => {}
        }
    }

    /// What would start in a track now, or as soon as what an edit has taken out of the tree has come to rest.
    fn about_to_start(&self, id: TrackId) -> SmallVec<[StepId; 1]> {
        let track = self.track(id);
        let next = track.entries.get(track.next as usize).copied();
        let starts = match (self.startable(id), next) {
            (Ok(step), _) => !self.waits_for_claims(step),
            (Err(Hold::After(awaited)), Some(_)) => self.step(awaited).detached,
            // Its instance elsewhere comes to rest.
            (Err(Hold::StillRunning), Some(next)) => !self.step(next).is_active(),
            (Err(Hold::Outputs), Some(_)) => true,
            (Err(Hold::Try(_)), _) => return self.behind_tries(id),
            _ => false,
        };
        next.filter(|_| starts).into_iter().collect()
    }

    /// A try that only waits for what was taken out of the tree is as good as decided.
    fn behind_tries(&self, id: TrackId) -> SmallVec<[StepId; 1]> {
        let track = self.track(id);
        let tries = track.active.iter().map(|index| &track.regions[*index as usize]);
        let waiting = tries.filter(|region| region.phase == Phase::Try && self.try_awaits_detached(region));
        let places = waiting.flat_map(|region: &Region| [track.next, region.try_hi, region.hi]);
        places.filter_map(|place| track.entries.get(place as usize).copied()).collect()
    }

    /// With its claims as they are now, for one that runs on.
    fn waits_for_claims(&self, id: StepId) -> bool {
        let step = self.step(id);
        let Some(extra) = &step.extra else { return false };
        let obstacle = self.world.claims.obstacle(id, step.track, &extra.claims);
        let waits = |by: Option<Holder>| match (extra.on_conflict, by) {
            (ConflictPolicy::Fail, _) | (ConflictPolicy::Override, Some(Holder::Step(_))) => false,
            (_, Some(Holder::Step(holder))) => self.runs_on(holder),
            _ => true,
        };
        obstacle.is_some_and(|(_, by)| waits(by))
    }

    /// It runs, and no edit has told it to halt.
    pub(super) fn runs_on(&self, step: StepId) -> bool {
        let (instance, outlasting) = (self.step(step).instance, &self.edited.admissions.aftermath.outlasting);
        let is_ended = outlasting.iter().any(|(id, of, _)| (*id, *of) == (step, instance));
        self.step(step).is_active() && !self.step(step).detached && !is_ended
    }

    /// A step has come to rest. Of a composite that an edit ended before, what follows is held; so it is where that ends a
    /// composite around it.
    pub(crate) fn note_late_end(&mut self, id: StepId) {
        let aftermath = &self.edited.admissions.aftermath;
        if aftermath.outlasting.is_empty() && aftermath.freed.is_empty() {
            return;
        }
        let instance = self.step(id).instance;
        let ended = aftermath.outlasting.iter().find(|(step, of, _)| (*step, *of) == (id, instance));
        let by_inside = || self.step(id).branch_tracks().find_map(|inside| self.freed_by(inside));
        let Some(by) = ended.map(|(_, _, by)| Arc::clone(by)).or_else(by_inside) else { return };
        let waits = |other: &TrackId| matches!(self.track(*other).hold, Hold::Claim { by: Some(Holder::Step(holder)), .. } if holder == id);
        let mut tracks = self.live_tracks();
        tracks.retain(waits);
        tracks.push(self.step(id).track);
        let tick = self.world.tick;
        let aftermath = &mut self.edited.admissions.aftermath;
        aftermath.outlasting.retain(|(step, _, _)| *step != id);
        aftermath.freed.extend(tracks.into_iter().map(|track| (track, Arc::clone(&by), tick)));
    }

    fn freed_by(&self, id: TrackId) -> Option<Arc<str>> {
        let freed = self.edited.admissions.aftermath.freed.iter().find(|(track, ..)| *track == id);
        freed.map(|(_, by, _)| Arc::clone(by))
    }

    pub(crate) fn has_late_ends(&self) -> bool {
        !self.edited.admissions.aftermath.freed.is_empty()
    }

    /// True: the step that would start now is held, as an edit alone brought the track to it.
    pub(crate) fn hold_freed(&mut self, track: TrackId, step: StepId) -> bool {
        match self.freed_by(track).filter(|_| !self.is_pressed(track, step)) {
            Some(by) => {
                self.hold_for(step, &by);
                true
            }
            None => false,
        }
    }

    /// A branch begins: where an edit alone led to another attempt, its first step is held.
    pub(crate) fn hold_new_attempt(&mut self, id: TrackId) {
        if self.edited.admissions.aftermath.outlasting.is_empty() || !self.track(id).automatic {
            return;
        }
        let Some(owner) = self.track(id).owner else { return };
        let instance = self.step(owner).instance;
        let ended =
            self.edited.admissions.aftermath.outlasting.iter().find(|(id, of, _)| (*id, *of) == (owner, instance));
        if let Some(by) = ended.map(|(_, _, by)| Arc::clone(by))
            && let Some(first) = self.track(id).entries.get(self.track(id).next as usize).copied()
        {
            self.hold_for(first, &by);
        }
    }

    pub(crate) fn end_of_aftermath(&mut self) {
        let tick = self.world.tick;
        let mut aftermath = std::mem::take(&mut self.edited.admissions.aftermath);
        aftermath
            .outlasting
            .retain(|(step, of, _)| self.step(*step).instance == *of && self.step(*step).is_coming_to_rest());
        // A skill's outputs hold what follows for one tick more.
        aftermath.freed.retain(|(track, _, since)| *since == tick && self.track(*track).exit_tick == tick);
        self.edited.admissions.aftermath = aftermath;
    }
}
