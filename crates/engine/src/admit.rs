//! Who is not in control starts nothing by an edit: what the edit alone would start is held until it is admitted.

use std::sync::Arc;

use model::{ConflictPolicy, NodeId};
use rustc_hash::FxHashSet;

use crate::Refused;
use crate::claims::Holder;
use crate::engine::Engine;
use crate::ids::{StepId, TrackId, UseId};
use crate::input::{EditBatch, Instance};
use crate::node_type::Branching;
use crate::record::InstanceId;
use crate::rules::TrackStatus;
use crate::track::{Hold, Phase};

/// Whom a step is held for, and why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Added {
    pub by: Arc<str>,
    /// It was there before; the edit took away what held it.
    pub freed: bool,
}

/// Where a track stood before an edit.
struct Stood {
    track: TrackId,
    owner: Option<(StepId, InstanceId)>,
    next: Option<InstanceId>,
    hold: Result<StepId, Hold>,
    /// The step that was waited for came to rest already, out of the tree.
    awaits_detached: bool,
    ended: bool,
}

/// What is held for whom, and where the edits of this tick may yet start something.
#[derive(Default)]
pub(crate) struct Admissions {
    pub held: Vec<(StepId, InstanceId)>,
    /// Composites that an edit gave or took a branch, or that it may have ended.
    composites: Vec<(StepId, Arc<str>)>,
    /// Composites of which an edit may have changed which branch decides: it may have ended them.
    decided: Vec<(StepId, Arc<str>)>,
    /// Tracks in which one of those has ended.
    pub tracks: Vec<(TrackId, Arc<str>)>,
    stood: Vec<Stood>,
    /// Branches between two passes of what runs, with nothing in them yet.
    hollow: Vec<(TrackId, StepId, InstanceId)>,
    /// What such edits of this tick inserted or moved: branches start when all of them are applied.
    put: FxHashSet<NodeId>,
}

impl Engine {
    /// To be asked before the edits of a batch are applied.
    pub(crate) fn look_before(&mut self, batch: &EditBatch) {
        self.admissions.stood.clear();
        self.admissions.hollow.clear();
        if batch.outsider().is_none() {
            return;
        }
        self.admissions.hollow = (0..self.tracks.len()).map(TrackId::new).filter_map(|id| self.hollow(id)).collect();
        let live = (0..self.tracks.len()).map(TrackId::new).filter(|id| self.track(*id).live);
        let stood: Vec<Stood> = live.map(|id| self.stood(id)).collect();
        self.admissions.stood = stood;
    }

    fn hollow(&self, id: TrackId) -> Option<(TrackId, StepId, InstanceId)> {
        let track = self.track(id);
        let owner = track.owner.filter(|owner| self.step(*owner).is_active())?;
        let is_hollow = !track.live && !track.dropped && track.entries.is_empty();
        is_hollow.then(|| (id, owner, self.step(owner).instance))
    }

    fn stood(&self, id: TrackId) -> Stood {
        let track = self.track(id);
        let startable = self.startable(id);
        let hold = match (startable, track.hold) {
            // Claims are asked only when everything else allows it.
            (Ok(_), claim @ Hold::Claim { .. }) => Err(claim),
            (startable, _) => startable,
        };
        Stood {
            track: id,
            owner: track.owner.map(|owner| (owner, self.step(owner).instance)),
            next: track.entries.get(track.next as usize).map(|step| self.step(*step).instance),
            hold,
            awaits_detached: matches!(hold, Err(Hold::After(step)) if self.step(step).detached),
            ended: self.status(id) != TrackStatus::Running,
        }
    }

    /// To be asked when a batch is applied.
    pub(crate) fn hold_what_starts(&mut self, batch: &EditBatch) {
        self.let_go_what_waits();
        let stood = std::mem::take(&mut self.admissions.stood);
        let Some(by) = batch.outsider() else { return };
        self.admissions.put.extend(self.edit_now.put.iter().copied());
        for (track, owner, instance) in std::mem::take(&mut self.admissions.hollow) {
            if self.step(owner).instance == instance && !self.track(track).entries.is_empty() {
                self.admissions.composites.push((owner, Arc::clone(by)));
            }
        }
        for stood in stood {
            let is_same = stood.owner == self.track(stood.track).owner.map(|owner| (owner, self.step(owner).instance));
            if is_same && self.track(stood.track).live && !self.track(stood.track).dropped {
                self.settle(stood.track);
                self.hold_in_track(&stood, by);
            } else if let Some((owner, instance)) = stood.owner
                && self.step(owner).instance == instance
            {
                self.shake(owner, by);
            }
        }
    }

    fn hold_in_track(&mut self, stood: &Stood, by: &Arc<str>) {
        let track = self.track(stood.track);
        let Some(step) = track.entries.get(track.next as usize).copied() else {
            if let Some(owner) = track.owner
                && !stood.ended
                && self.status(stood.track) != TrackStatus::Running
            {
                self.shake(owner, by);
            }
            return;
        };
        let was_next = stood.next == Some(self.step(step).instance);
        let frees = match (self.startable(stood.track), stood.hold) {
            (Ok(step), Ok(before)) => step != before,
            (Ok(step), Err(Hold::Claim { by, .. })) if was_next => {
                let ends = matches!(by, Some(Holder::Step(holder)) if !self.runs_on(holder));
                ends || !self.waits_for_claims(step)
            }
            (Ok(_), Err(_)) => true,
            (Err(Hold::After(awaited)), _) => self.step(awaited).detached && !stood.awaits_detached,
            (Err(Hold::Outputs), Err(Hold::Outputs)) => false,
            (Err(Hold::Outputs), _) => true,
            (Err(Hold::Try(_)), _) => return self.hold_behind_try(stood.track, by),
            (Err(_), _) => false,
        };
        if frees {
            self.hold_for(step, by);
        }
    }

    /// With its claims as they are now.
    fn waits_for_claims(&self, id: StepId) -> bool {
        let step = self.step(id);
        let Some(extra) = &step.extra else { return false };
        let obstacle = self.world.claims.obstacle(id, step.track, &extra.claims);
        obstacle.is_some_and(|(_, by)| match extra.on_conflict {
            ConflictPolicy::Wait => true,
            ConflictPolicy::Override => !matches!(by, Some(Holder::Step(_))),
            ConflictPolicy::Fail => false,
        })
    }

    /// It runs, and no edit has told it to halt.
    fn runs_on(&self, step: StepId) -> bool {
        self.step(step).is_active() && !self.step(step).detached
    }

    /// A try that only waits for a deleted step to come to rest is decided by the deletion.
    fn hold_behind_try(&mut self, id: TrackId, by: &Arc<str>) {
        let track = self.track(id);
        let tries = track.active.iter().map(|index| &track.regions[*index as usize]);
        let waiting = tries.filter(|region| region.phase == Phase::Try && self.try_awaits_detached(region));
        let places: Vec<u32> = waiting.flat_map(|region| [track.next, region.try_hi, region.hi]).collect();
        let steps: Vec<StepId> =
            places.into_iter().filter_map(|place| self.track(id).entries.get(place as usize).copied()).collect();
        for step in steps {
            self.hold_for(step, by);
        }
    }

    fn hold_for(&mut self, step: StepId, by: &Arc<str>) {
        let instance = self.step(step).instance;
        let freed = !self.is_among((self.step(step).use_id, self.step(step).node), &self.admissions.put);
        let extra = self.step_mut(step).extra.get_or_insert_default();
        if extra.added.is_none() {
            extra.added = Some(Added { by: Arc::clone(by), freed });
            self.admissions.held.push((step, instance));
        }
    }

    /// A composite and those around it may end, or start a branch, in this tick by an edit alone.
    fn shake(&mut self, composite: StepId, by: &Arc<str>) {
        let mut at = Some(composite);
        while let Some(step) = at {
            self.admissions.composites.push((step, Arc::clone(by)));
            at = self.track(self.step(step).track).owner;
        }
    }

    /// A composite got or lost a branch by the batch that is being applied.
    pub(crate) fn shake_by_edit(&mut self, composite: StepId) {
        if let Some(by) = self.edit_now.outsider.clone()
            && self.step(composite).is_active()
        {
            self.shake(composite, &by);
        }
    }

    /// A node was put, taken or named somewhere in a composite: a branch that was not the deciding one may be it now.
    pub(crate) fn doubt_decisions(&mut self, key: (UseId, NodeId)) {
        let Some(by) = self.edit_now.outsider.clone() else { return };
        let mut at = Some(key);
        while let Some(above) = at {
            let step = self.known.get(&above).and_then(|known| known.step).filter(|step| self.step(*step).is_active());
            if let Some(step) = step
                && self.step(step).composite().is_some_and(|composite| composite.branching == Branching::Each)
            {
                self.admissions.decided.push((step, Arc::clone(&by)));
            }
            at = self.one_up(above);
        }
    }

    /// A branch starts: in the tick of an edit that shook its composite it is held.
    pub(crate) fn hold_new_branch(&mut self, id: TrackId) {
        if self.admissions.composites.is_empty() || !self.track(id).automatic {
            return;
        }
        let owner = self.track(id).owner;
        let shaken = self.admissions.composites.iter().find(|(composite, _)| Some(*composite) == owner);
        if let Some(by) = shaken.map(|(_, by)| Arc::clone(by))
            && let Some(first) = self.track(id).entries.get(self.track(id).next as usize).copied()
        {
            self.hold_for(first, &by);
        }
    }

    /// A composite has ended: by an edit alone it frees nobody.
    pub(crate) fn note_shaken_end(&mut self, id: StepId) {
        let mut doubted = self.admissions.composites.iter().chain(&self.admissions.decided);
        let shaken = doubted.find(|(composite, _)| *composite == id);
        if let Some(by) = shaken.map(|(_, by)| Arc::clone(by)) {
            let track = self.step(id).track;
            let claims = |other: &TrackId| matches!(self.track(*other).hold, Hold::Claim { by: Some(Holder::Step(holder)), .. } if holder == id);
            let waiting = self.live_tracks().into_iter().filter(claims).collect::<Vec<_>>();
            self.admissions.tracks.extend(waiting.into_iter().map(|waiting| (waiting, Arc::clone(&by))));
            self.admissions.tracks.push((track, by));
        }
    }

    /// True: the step that would start now is held, as an edit alone brought the track to it.
    pub(crate) fn hold_freed(&mut self, track: TrackId, step: StepId) -> bool {
        let shaken = self.admissions.tracks.iter().find(|(other, _)| *other == track);
        let pressed = self.is_pressed(track, step);
        match shaken.map(|(_, by)| Arc::clone(by)).filter(|_| !pressed) {
            Some(by) => {
                self.hold_for(step, &by);
                true
            }
            None => false,
        }
    }

    pub(crate) fn end_of_edits(&mut self) {
        self.admissions.composites.clear();
        self.admissions.decided.clear();
        if !self.admissions.tracks.is_empty() {
            // A skill's outputs hold what follows for one tick more.
            let tick = self.world.tick;
            let tracks = std::mem::take(&mut self.admissions.tracks);
            let waits = |(track, _): &(TrackId, Arc<str>)| self.track(*track).exit_tick == tick;
            self.admissions.tracks = tracks.into_iter().filter(waits).collect();
        }
        if self.admissions.tracks.is_empty() {
            self.admissions.put.clear();
        }
    }

    /// Taken back, or edited so that it waits for something else: it is held by nobody any more.
    fn let_go_what_waits(&mut self) {
        let waiting = |engine: &Engine, step: StepId| {
            let track = engine.step(step).track;
            let at_next = engine.track(track).entries.get(engine.track(track).next as usize) == Some(&step);
            at_next && matches!(engine.startable(track), Err(Hold::After(other)) if engine.runs_on(other))
        };
        self.let_go(|engine, step| waiting(engine, step));
    }

    /// Lifts the gate of those for which it holds; gives their number.
    fn let_go(&mut self, which: impl Fn(&Engine, StepId) -> bool) -> usize {
        let mut count = 0;
        for (step, instance) in std::mem::take(&mut self.admissions.held) {
            let is_held = self.step(step).instance == instance
                && !self.step(step).detached
                && self.step(step).extra.as_ref().is_some_and(|extra| extra.added.is_some());
            if !is_held {
                continue;
            }
            if !which(self, step) {
                self.admissions.held.push((step, instance));
                continue;
            }
            if let Some(extra) = &mut self.step_mut(step).extra {
                extra.added = None;
            }
            let track = self.step(step).track;
            self.track_mut(track).hold = Hold::None;
            count += 1;
        }
        count
    }

    /// A track ends, or everything is stopped: the next time, what was added is part of the tree like anything else.
    pub(crate) fn let_go_track(&mut self, id: TrackId) {
        if !self.admissions.held.is_empty() {
            self.let_go(|engine, step| engine.step(step).track == id);
        }
    }

    /// It starts: whoever pressed has admitted it.
    pub(crate) fn let_go_step(&mut self, id: StepId) {
        if !self.admissions.held.is_empty() {
            self.let_go(|_, step| step == id);
        }
    }

    /// The holder of control lets a held step start, or all of them.
    pub(crate) fn admit(&mut self, step: Option<&Instance>) -> Result<(), Refused> {
        let only = match step {
            Some(instance) => {
                let key = self.find_instance(instance)?;
                Some(self.known.get(&key).and_then(|known| known.step).ok_or(Refused::NoStep)?)
            }
            None => None,
        };
        match self.let_go(|_, step| only.is_none_or(|only| only == step)) {
            0 if only.is_some() => Err(Refused::NotAdded),
            0 => Err(Refused::NothingAdded),
            _ => Ok(()),
        }
    }
}
