//! What holds until an operator lets it go on: a breakpoint that was reached, a result that needs a higher level.

use model::{Autonomy, NodeId};
use serde::{Deserialize, Serialize};

use crate::door::{Instance, InstanceId, What};
use crate::engine::Engine;
use crate::ids::{StepId, TrackId, UseId};
use crate::tracks::{Held, Hold, Pending, PendingWhy, Step, StepStatus};
use crate::{End, Refused, Verdict};

/// Why something waits for *continue*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum HeldBy {
    /// It has not started.
    Breakpoint,
    /// It has ended, with a named outcome that needs a higher autonomy level.
    Outcome,
}

/// A step that *continue* may name.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldView {
    pub step: InstanceId,
    pub by: HeldBy,
    /// For people.
    pub reason: String,
}

impl Engine {
    /// The node whose breakpoint stands before a step; none if the operator has let it pass.
    #[inline]
    pub(crate) fn breakpoint_before(&self, id: TrackId, step_id: StepId) -> Option<(UseId, NodeId)> {
        let (track, step) = (self.track(id), self.step(step_id));
        let own = step.extra.as_ref().is_some_and(|extra| extra.breakpoint);
        if (!own && track.breakpoints.is_empty()) || track.passes == Some((step.use_id, step.node)) {
            return None;
        }
        let marked = track.breakpoints.iter().map(|index| &track.regions[*index as usize]);
        let region = marked.into_iter().find(|region| region.lo == step.pos);
        region.map(|region| (region.use_id, region.node)).or_else(|| own.then_some((step.use_id, step.node)))
    }

    /// Reaching a breakpoint takes automatic off for its track, so that clearing it starts nothing.
    pub(crate) fn hold_at(&mut self, id: TrackId, at: (UseId, NodeId)) {
        let track = self.track(id);
        if track.held.is_none()
            && let Some(step) = track.entries.get(track.next as usize).map(|step| self.step(*step))
        {
            let step = (step.use_id, step.node);
            let track = self.track_mut(id);
            track.held = Some(Held { step, at });
            track.automatic = false;
            track.stays_manual = true;
        }
        self.set_hold(id, Hold::Breakpoint(at.0, at.1));
    }

    /// The held step that is named, or all that breakpoints hold. Other tracks stay as they are.
    pub(super) fn continue_held(&mut self, named: Option<&Instance>) -> Result<(), Refused> {
        let Some(instance) = named else {
            let held: Vec<TrackId> = self.held_tracks().collect();
            if held.is_empty() {
                return Err(Refused::NothingHeld { held: self.held_labels() });
            }
            held.into_iter().for_each(|track| self.let_go_on(track));
            return Ok(());
        };
        let key = self.find_instance(instance)?;
        if let Some(step) = self.known.get(&key).and_then(|known| known.step)
            && self.step(step).has_held_result()
        {
            self.let_result_pass(step);
            return Ok(());
        }
        let is_it = |track: &TrackId| {
            let track = self.track(*track);
            let next = track.entries.get(track.next as usize).map(|step| self.step(*step));
            let at_next = next.is_some_and(|step| (step.use_id, step.node) == key);
            at_next || track.held.is_some_and(|held| held.step == key || held.at == key)
        };
        let Some(track) = self.held_tracks().find(is_it) else {
            let node = self.node_label(key.0, key.1).to_string();
            return Err(Refused::NotHeld { node, held: self.held_labels() });
        };
        self.let_go_on(track);
        Ok(())
    }

    fn held_tracks(&self) -> impl Iterator<Item = TrackId> + '_ {
        let all = (0..self.tracks.len()).map(TrackId::new);
        all.filter(|id| self.track(*id).live && !self.track(*id).dropped && self.track(*id).held.is_some())
    }

    /// What could be named instead.
    fn held_labels(&self) -> Vec<String> {
        self.held().iter().map(|held| self.label_of(held.step).to_string()).collect()
    }

    fn let_go_on(&mut self, id: TrackId) {
        let next = self.track(id).entries.get(self.track(id).next as usize);
        let next = next.map(|step| (self.step(*step).use_id, self.step(*step).node));
        let track = self.track_mut(id);
        let held = track.held.take();
        track.passes = held.map(|held| held.step).filter(|step| Some(*step) == next);
        track.automatic = true;
        track.stays_manual = false;
        track.hold = Hold::None;
    }

    /// The level that the end of a step needs and the operator's is not above.
    fn level_missing(&self, id: StepId, end: &End) -> Option<Autonomy> {
        let extra = self.step(id).extra.as_ref()?;
        if extra.outcome_autonomy.is_empty() || extra.forced || extra.passed || end.verdict == Verdict::Halted {
            return None;
        }
        let outcome = self.reported_end(id, end.clone()).outcome?;
        let needed = extra.outcome_autonomy.iter().find(|(name, _)| *name == outcome)?.1;
        (needed >= self.autonomy).then_some(needed)
    }

    /// True: the result waits for the operator, and the step counts as running until then.
    pub(crate) fn holds_result(&mut self, id: StepId, end: &End) -> bool {
        // Behind a stop no result decides anything.
        if self.is_let_out(id) || self.level_missing(id, end).is_none() {
            return false;
        }
        self.keep_in(id, end.clone(), PendingWhy::Level);
        let detail = self.world.record.add_detail(None, Some(self.result_text(id).into()));
        let (tick, time_ns, step) = (self.world.tick, self.world.time_ns, self.step(id).instance);
        self.world.record.push(tick, time_ns, What::Held { step, detail });
        true
    }

    /// It has ended, but nobody hears of it yet.
    pub(crate) fn keep_in(&mut self, id: StepId, end: End, why: PendingWhy) {
        let step = self.step_mut(id);
        step.status = StepStatus::Running;
        step.halt = None;
        step.pending = Some(Box::new(Pending { end, why }));
        let track = step.track;
        self.wake(id);
        self.track_mut(track).may_hold_results |= why == PendingWhy::Level;
        if !self.track(track).running.contains(&id) {
            self.insert_running(track, id);
        }
    }

    pub(crate) fn still_needs_level(&self, id: StepId) -> bool {
        let pending = self.step(id).pending.as_ref();
        pending.is_some_and(|pending| self.level_missing(id, &pending.end).is_some())
    }

    fn let_result_pass(&mut self, id: StepId) {
        if let Some(extra) = &mut self.step_mut(id).extra {
            extra.passed = true;
        }
    }

    /// A press lets the results of its track pass that wait for a level. True: there was one.
    pub(super) fn pass_results(&mut self, id: TrackId) -> bool {
        let waits: Vec<StepId> = self.held_results(id).collect();
        waits.iter().for_each(|step| self.let_result_pass(*step));
        !waits.is_empty()
    }

    pub(crate) fn held_results(&self, id: TrackId) -> impl Iterator<Item = StepId> + '_ {
        let waits = |step: &Step| step.has_held_result() && !step.extra.as_ref().is_some_and(|extra| extra.passed);
        self.track(id).running.iter().copied().filter(move |step| waits(self.step(*step)))
    }

    pub(crate) fn result_text(&self, id: StepId) -> String {
        let Some(pending) = &self.step(id).pending else { return String::new() };
        let end = self.reported_end(id, pending.end.clone());
        let needed = self.level_missing(id, &pending.end).unwrap_or(Autonomy::Off);
        let outcome = end.outcome.as_deref().unwrap_or("");
        let levels = self.level_text(needed);
        format!("`{}` ended in {} \"{outcome}\", which {levels}", self.label(id), end.verdict.word())
    }

    pub(crate) fn level_text(&self, needed: Autonomy) -> String {
        format!("needs an autonomy level above {needed:?}, the operator's is {:?}", self.autonomy).to_lowercase()
    }

    /// Everything that waits for *continue*, track by track.
    pub fn held(&self) -> Vec<HeldView> {
        self.tracks().into_iter().flat_map(|track| track.held).collect()
    }

    pub(crate) fn held_in(&self, id: TrackId) -> Vec<HeldView> {
        let track = self.track(id);
        let next = track.entries.get(track.next as usize).copied();
        let at_next = next.zip(track.held).map(|(step, held)| HeldView {
            step: self.step(step).instance,
            by: HeldBy::Breakpoint,
            reason: self.hold_text(id, Hold::Breakpoint(held.at.0, held.at.1)),
        });
        let ended = self.held_results(id).map(|step| HeldView {
            step: self.step(step).instance,
            by: HeldBy::Outcome,
            reason: self.result_text(step),
        });
        at_next.into_iter().chain(ended).collect()
    }
}
