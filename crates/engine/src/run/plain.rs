//! The short way for the plainest case: steps that end in the tick they start in, one behind the other, in a track in
//! which nothing else goes on. It does what the rules do and leaves out what cannot be; a tree of thousands of instant
//! steps runs in half the time. Whatever is not plain is left to the rules.

use model::Autonomy;

use crate::engine::{Engine, MAX_STARTS};
use crate::ids::{StepId, TrackId};
use crate::tracks::{Body, Hold, NONE, Step, StepStatus};
use crate::types::Context;
use crate::world::At;
use crate::{End, Tick, Verdict};

impl Engine {
    /// Nothing in the track or in the engine can hold a step that has no settings of its own for that.
    #[inline]
    pub(super) fn is_quiet(&self, id: TrackId) -> bool {
        let track = self.track(id);
        let alone =
            track.running.is_empty() && track.active.is_empty() && self.detached.is_empty() && !self.edited.has_waits();
        let alone = alone && !self.has_late_ends() && !self.edited.keeps_shapes();
        alone
            && track.automatic
            && track.press.is_none()
            && track.failed.is_none()
            && track.withheld.is_none()
            && track.locked.is_empty()
            && track.breakpoints.is_empty()
            && track.passes.is_none()
            && track.jumped_to.is_none()
            && track.exit_tick != self.world.tick
            && track.owner.is_none_or(|owner| !self.step(owner).is_coming_to_rest())
            && self.only.is_none()
            && self.region_watches.is_empty()
            && !self.world.paused
            && self.autonomy > Autonomy::Off
    }

    /// Runs plain steps from next on, up to the first that is not, or that does not end at once. Not in line with the
    /// rules around it: what it looks at in every step then stays in registers.
    #[inline(never)]
    pub(super) fn run_plain(&mut self, id: TrackId) {
        let (tick, active_ns) = (self.world.tick, self.world.active_ns);
        let entries = std::mem::take(&mut self.tracks[id.index()].entries);
        let first = self.tracks[id.index()].next as usize;
        let mut next = first;
        let mut last = None;
        for step_id in &entries[first.min(entries.len())..] {
            let step = &mut self.steps[step_id.index()];
            if !is_plain(step, tick) || self.world.starts >= MAX_STARTS {
                break;
            }
            if step.values.as_ref().is_some_and(|values| !values.are_as_known(&self.world, step.scope)) {
                break;
            }
            let Body::Step(body) = &mut step.body else { break };
            next += 1;
            step.started_tick = tick;
            step.started_ns = active_ns;
            let (scope, instance) = (step.scope, step.instance);
            self.world.started(instance);
            if let Some(values) = &step.values {
                values.record(&mut self.world, instance);
            }
            let at = At { step: *step_id, track: id, scope, instance, started_ns: active_ns };
            let result = body.start(&mut Context::of(&mut self.world, &at));
            let plainly =
                matches!(&result, Tick::Ended(End { verdict: Verdict::Success, outcome: None, reason: None }));
            if !plainly || self.world.effects.go_on() {
                let effects = self.world.take_effects();
                step.status = StepStatus::Running;
                step.sleep(active_ns, effects.sleep_ns);
                last = Some((*step_id, result, effects));
                break;
            }
            if self.world.effects.any {
                self.world.take_effects();
            }
            step.last = Some(Verdict::Success);
            step.last_outcome = None;
            self.world.succeeded(instance);
        }
        let track = &mut self.tracks[id.index()];
        track.entries = entries;
        if next > first {
            track.put_next(next as u32);
            track.hold = Hold::None;
        }
        if let Some((step, result, effects)) = last {
            let (result, queued) = self.with_jump(step, result, effects);
            self.go_on(id, step, result, queued);
        }
    }

    /// As behind the first tick of any step.
    fn go_on(&mut self, track: TrackId, id: StepId, tick: Tick, queued: bool) {
        match self.conclude(id, tick, queued) {
            Some(end) => self.finish(id, end),
            None if self.step(id).is_active() => self.insert_running(track, id),
            None => {}
        }
    }
}

/// No guards, claims or gates, no fallback or skill around it, nobody who asks for its result.
#[inline]
fn is_plain(step: &Step, tick: u64) -> bool {
    step.extra.is_none()
        && step.region == NONE
        && step.watch == NONE
        && !step.stale
        && step.status == StepStatus::Idle
        && step.started_tick != tick
}
