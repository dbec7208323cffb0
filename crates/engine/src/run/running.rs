//! What happens to a step between its start and its end: guards, limits, retry, halting.

use model::{Edge, EndAs, NodeId};

use super::children::Children;
use super::jump::PendingJump;
use crate::door::{RunFact, Told};
use crate::engine::{Engine, RunState};
use crate::ids::{StepId, TrackId, UseId};
use crate::operator::JumpTo;
use crate::tracks::{AWAKE, Body, BoundGuard, BranchState, Failure, Halting, NONE, Pending, PendingWhy, StepStatus};
use crate::types::{Context, Effects, Jump, Target};
use crate::world::{At, World};
use crate::{Cannot, End, Halt, Tick, Verdict};

/// A step that does not come to rest within this time is cut off.
const HALT_LIMIT_NS: i64 = 2_000_000_000;

impl Engine {
    pub(crate) fn at(&self, id: StepId) -> At {
        self.step(id).at(id)
    }

    /// Some end: it has come to rest with that result.
    pub(super) fn tick_step(&mut self, id: StepId, check_guards: bool) -> Option<End> {
        if self.step(id).pending.is_some() {
            return self.tick_pending(id);
        }
        if self.step(id).extra.is_some() {
            if check_guards && let Some(end) = self.check_limits(id) {
                return self.begin_halt(id, end);
            }
            match self.start_next_attempt(id) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(end) => return Some(end),
            }
        }
        let (tick, queued) = self.tick_body(id);
        self.conclude(id, tick, queued)
    }

    /// What a tick of the body means for the step. Some end: it has come to rest with that result.
    pub(crate) fn conclude(&mut self, id: StepId, tick: Tick, queued: bool) -> Option<End> {
        let Tick::Ended(end) = tick else { return None };
        let end = self.met_at_end(id, end);
        let step = self.step(id);
        if step.status == StepStatus::Halting {
            return None;
        }
        if end.verdict == Verdict::Failure && step.extra.is_some() && self.may_retry(id) {
            return None;
        }
        if queued {
            self.step_mut(id).pending = Some(Box::new(Pending { end, why: PendingWhy::Updates }));
            return None;
        }
        // A composite may decide while branches still run: they halt, and its result is fixed.
        if self.step(id).composite().is_some() && self.has_running_branches(id) {
            return self.begin_halt(id, end);
        }
        Some(end)
    }

    /// In a preview what a step waits for comes when it has done all it can for it.
    fn met_at_end(&self, id: StepId, end: End) -> End {
        let extra = self.step(id).extra.as_ref();
        match extra.and_then(|extra| extra.met_at_end.as_ref()).filter(|_| end.verdict == Verdict::Success) {
            Some(outcome) => End::SUCCESS.with_outcome(outcome).with_reason("taken as met in a preview".to_owned()),
            None => end,
        }
    }

    fn tick_pending(&mut self, id: StepId) -> Option<End> {
        let locked = self.step(id).is_locked();
        let why = self.step(id).pending.as_ref().map(|pending| pending.why);
        if why == Some(PendingWhy::Updates)
            && let Some(end) = self.check_limits(id)
        {
            self.step_mut(id).pending = None;
            return Some(end);
        }
        if (why == Some(PendingWhy::Lock) && locked) || (why == Some(PendingWhy::Level) && self.still_needs_level(id)) {
            return None;
        }
        self.step_mut(id).pending.take().map(|pending| pending.end)
    }

    #[inline]
    pub(crate) fn tick_body(&mut self, id: StepId) -> (Tick, bool) {
        let step = &mut self.steps[id.index()];
        let at = step.at(id);
        match &mut step.body {
            Body::Step(body) => {
                let tick = body.tick(&mut Context::of(&mut self.world, &at));
                let effects = self.world.take_effects();
                step.sleep(self.world.active_ns, effects.sleep_ns);
                self.with_jump(id, tick, effects)
            }
            Body::Composite(_) => (self.tick_composite(id), false),
            Body::Broken(reason) => (Tick::failure(reason.to_string()), false),
        }
    }

    /// The tick of a body, and whether it queued updates, once its jump is on its way.
    #[inline]
    pub(super) fn with_jump(&mut self, id: StepId, tick: Tick, effects: Effects) -> (Tick, bool) {
        match effects.jump {
            Some(Jump::To(target)) if matches!(tick, Tick::Ended(_)) => self.request_jump(id, &target, tick),
            Some(Jump::End) if matches!(tick, Tick::Ended(_)) => self.request_end(id, tick),
            _ => (tick, effects.queued),
        }
    }

    /// A jump out of a locked node waits until it is unlocked.
    fn request_jump(&mut self, id: StepId, target: &Target, tick: Tick) -> (Tick, bool) {
        let Some(target) = self.target(id, target) else {
            return (Tick::failure(format!("there is no node `{}` to go to", target.text())), false);
        };
        self.warn_of_outside(id, target);
        let from = self.step(id).track;
        let lock = self.lock_left_by(from, self.step(id).pos, target);
        let waited = std::mem::replace(&mut self.step_mut(id).jump_kept_in, lock).is_some();
        let meeting = self.meeting_track(from, target);
        if lock.is_some() {
            if let Some(track) = meeting.filter(|_| !waited) {
                self.keep_jump(track, JumpTo::Node(target), Some(id));
            }
            return (Tick::Running, false);
        }
        if std::mem::take(&mut self.step_mut(id).jump_dropped) {
            return (tick, false);
        }
        match meeting {
            Some(track) => {
                self.pending_jump = Some(PendingJump { track, from, target });
                (tick, false)
            }
            None => {
                let label = self.node_label(target.0, target.1);
                (Tick::failure(format!("cannot go to `{label}`: it is not part of the tree any more")), false)
            }
        }
    }

    /// Nothing behind it in its track runs. In a locked node it waits until that is unlocked.
    fn request_end(&mut self, id: StepId, tick: Tick) -> (Tick, bool) {
        let (track, pos) = (self.step(id).track, self.step(id).pos);
        let lock = self.lock_between(track, pos, None);
        let is_locked = lock.is_some();
        let waited = std::mem::replace(&mut self.step_mut(id).jump_kept_in, lock).is_some();
        if is_locked {
            if !waited {
                self.keep_jump(track, JumpTo::End, Some(id));
            }
            return (Tick::Running, false);
        }
        if !std::mem::take(&mut self.step_mut(id).jump_dropped) {
            let end = self.track(track).entries.len() as u32;
            self.track_mut(track).jumped_to = None;
            self.put_next(track, end);
        }
        (tick, false)
    }

    fn tick_composite(&mut self, id: StepId) -> Tick {
        let Some(composite) = self.step_mut(id).composite_mut() else { return Tick::Running };
        let tick = if composite.is_group {
            Children::new(self, id).run(0).into_tick()
        } else if composite.only_entry {
            let mut children = Children::new(self, id);
            let entry = children.entry().unwrap_or(0);
            children.run(entry).into_tick()
        } else {
            let Some(mut behavior) = composite.behavior.take() else {
                return Tick::failure("it was asked to run inside itself");
            };
            let tick = behavior.tick(&mut Children::new(self, id));
            if let Some(composite) = self.step_mut(id).composite_mut() {
                composite.behavior.get_or_insert(behavior);
            }
            tick
        };
        if self.pending_jump.is_some() && matches!(tick, Tick::Ended(_)) {
            // It is being left; what it says about its branches no longer counts.
            return Tick::Running;
        }
        tick
    }

    pub(crate) fn has_running_branches(&self, id: StepId) -> bool {
        self.step(id).branch_tracks().any(|track| !self.track(track).running.is_empty())
    }

    /// Between attempts it counts as running; the next one starts a tick later. False: not yet.
    fn start_next_attempt(&mut self, id: StepId) -> Result<bool, End> {
        let active_ns = self.world.active_ns;
        let paused = self.world.paused;
        if !self.step(id).extra.as_ref().is_some_and(|extra| extra.again_next_tick) {
            return Ok(true);
        }
        if !self.rest_branches(id) || paused {
            return Ok(false);
        }
        if self.has_values(id) {
            self.take_values_again(id)?;
            self.record_values(id);
        }
        let step = &mut self.steps[id.index()];
        if let Some(extra) = &mut step.extra {
            extra.again_next_tick = false;
        }
        step.started_ns = active_ns;
        step.started_tick = self.world.tick;
        match &mut step.body {
            Body::Step(body) => body.reset(),
            Body::Composite(_) => self.reset_composite(id),
            Body::Broken(_) => {}
        }
        Ok(true)
    }

    fn may_retry(&mut self, id: StepId) -> bool {
        let Some(extra) = &mut self.step_mut(id).extra else { return false };
        if extra.attempt >= extra.retry {
            return false;
        }
        extra.attempt += 1;
        extra.again_next_tick = true;
        let fact = RunFact::Again { attempt: extra.attempt + 1, of: extra.retry + 1 };
        let instance = self.step(id).instance;
        self.world.tell(Some(instance), Told::Run(fact));
        self.rest_branches(id);
        true
    }

    /// Before another attempt everything of the last one comes to rest. False: not yet.
    fn rest_branches(&mut self, id: StepId) -> bool {
        if self.has_running_branches(id) && self.halt_body(id) == Halt::StillHalting {
            return false;
        }
        for track in self.step(id).branch_tracks().collect::<Vec<_>>() {
            self.end_track(track, Verdict::Halted);
        }
        true
    }

    /// *While* beats *until* beats the time limit beats the step's own end.
    fn check_limits(&mut self, id: StepId) -> Option<End> {
        let step = &mut self.steps[id.index()];
        let (scope, instance) = (step.scope, step.instance);
        let extra = step.extra.as_mut()?;
        if !extra.while_.is_empty()
            && let Some(end) = violated(&self.world, scope, &mut extra.while_, true)
        {
            return Some(end);
        }
        if !extra.until.is_empty() {
            match fired(&self.world, scope, &mut extra.until, true) {
                Ok(Some(end)) => return Some(end),
                Ok(None) => {}
                Err(text) => self.world.warn(instance, text),
            }
        }
        let timeout_ns = extra.timeout_ns?;
        if self.world.active_ns - extra.first_started_ns >= timeout_ns {
            let end = End::failure(format!("timed out after {} s", crate::ns_to_seconds(timeout_ns)));
            return Some(end.with_outcome("timeout"));
        }
        None
    }

    /// The end of a step that its guards do not let start. Edges only count after the start.
    pub(super) fn guarded_before_start(&mut self, id: StepId) -> Option<End> {
        let step = &mut self.steps[id.index()];
        let (scope, instance) = (step.scope, step.instance);
        let extra = step.extra.as_mut()?;
        if let Some(end) = violated(&self.world, scope, &mut extra.while_, false) {
            let reason = format!("not started: {}", end.reason_text());
            return Some(end.with_reason(reason));
        }
        match fired(&self.world, scope, &mut extra.until, false) {
            Ok(Some(end)) => {
                let reason = format!("not started: {}", end.reason_text());
                Some(end.with_reason(reason))
            }
            Ok(None) => None,
            Err(text) => {
                self.world.warn(instance, text);
                None
            }
        }
    }

    /// Tells a step to come to rest with this result. Some: it has, at once.
    pub(crate) fn begin_halt(&mut self, id: StepId, end: End) -> Option<End> {
        match self.step(id).status {
            StepStatus::Idle | StepStatus::Halting => return None,
            StepStatus::Running => {}
        }
        let between_attempts = self.step(id).extra.as_ref().is_some_and(|extra| extra.again_next_tick);
        let body_rests = self.step(id).pending.is_some() || (between_attempts && !self.has_running_branches(id));
        self.step_mut(id).pending = None;
        self.world.forget_question(self.steps[id.index()].instance);
        if body_rests || self.halt_body(id) == Halt::Done {
            return Some(end);
        }
        let since_ns = self.world.time_ns;
        self.wake(id);
        let step = self.step_mut(id);
        step.status = StepStatus::Halting;
        step.halt = Some(Box::new(Halting { end, since_ns }));
        None
    }

    /// Something has happened to a step that it has to be ticked for.
    pub(crate) fn wake(&mut self, id: StepId) {
        self.step_mut(id).wakes_ns = AWAKE;
        let track = self.step(id).track;
        self.track_mut(track).knows_wakes = false;
    }

    pub(super) fn tick_halting(&mut self, id: StepId) -> Option<End> {
        if self.halt_body(id) == Halt::StillHalting && !self.cut_off(id) {
            return None;
        }
        self.step_mut(id).halt.take().map(|halt| halt.end)
    }

    fn halt_body(&mut self, id: StepId) -> Halt {
        let at = self.at(id);
        if let Body::Step(body) = &mut self.steps[id.index()].body {
            let halt = body.halt(&mut Context::of(&mut self.world, &at));
            self.world.take_effects();
            return halt;
        }
        let tracks: Vec<_> = self.step(id).branch_tracks().collect();
        let mut halt = Halt::Done;
        for track in tracks {
            if self.halt_track(track) == Halt::StillHalting {
                halt = Halt::StillHalting;
            }
        }
        halt
    }

    pub(super) fn halt_track(&mut self, track: TrackId) -> Halt {
        self.track_mut(track).press = None;
        for child in self.track(track).running.clone() {
            let ended = match self.step(child).status {
                StepStatus::Running => self.begin_halt(child, End::halted("what it belongs to was halted")),
                StepStatus::Halting => self.tick_halting(child),
                StepStatus::Idle => None,
            };
            if let Some(end) = ended {
                self.finish(child, end);
            }
        }
        if self.track(track).running.is_empty() { Halt::Done } else { Halt::StillHalting }
    }

    /// Past the limit the robot stops the parts itself; they stay claimed until it reports them still.
    fn cut_off(&mut self, id: StepId) -> bool {
        let step = self.step(id);
        let since_ns = step.halt.as_ref().map_or(i64::MAX, |halt| halt.since_ns);
        if matches!(step.body, Body::Composite(_)) || self.world.time_ns.saturating_sub(since_ns) < HALT_LIMIT_NS {
            return false;
        }
        let instance = step.instance;
        for token in self.parts_moved_by(id) {
            self.world.claims.leave_to_robot(id, token);
            let name = self.world.claims.name(token).clone();
            self.world.out.stop_parts.push(name);
        }
        self.world.warn(instance, "did not come to rest in 2 s: its parts get a robot stop");
        true
    }

    /// What it claims and was not overridden in; a step without claims moves what the composite around it claims.
    fn parts_moved_by(&self, id: StepId) -> Vec<u32> {
        let mut at = Some(id);
        while let Some(step) = at {
            let claims = self.step(step).extra.as_ref().map(|extra| &*extra.claims).unwrap_or_default();
            if !claims.is_empty() {
                return claims.iter().copied().filter(|token| self.world.claims.is_held_by(*token, step)).collect();
            }
            at = self.track(self.step(step).track).owner;
        }
        Vec::new()
    }

    /// Reports a step's end to its track, unless a lock keeps it in.
    #[inline]
    pub(crate) fn finish(&mut self, id: StepId, end: End) {
        for track in self.step(id).branch_tracks().collect::<smallvec::SmallVec<[_; 4]>>() {
            if end.verdict != Verdict::Halted {
                self.close_own_skill(id, track);
            }
            // What has not ended by now is cut off, however the composite ends.
            self.end_track(track, Verdict::Halted);
        }
        if self.step(id).is_locked() && end.verdict != Verdict::Halted && !self.is_let_out(id) {
            return self.keep_in(id, end, PendingWhy::Lock);
        }
        if self.holds_result(id, &end) {
            return;
        }
        self.drop_calls(id);
        self.note_late_end(id);
        let step = &mut self.steps[id.index()];
        step.status = StepStatus::Idle;
        step.jump_kept_in = None;
        if step.halt.is_some() || step.pending.is_some() {
            step.halt = None;
            step.pending = None;
        }
        let (track, detached) = (step.track, step.detached);
        if let Some(extra) = &step.extra
            && !extra.claims.is_empty()
        {
            self.world.claims.release_step(id, &extra.claims);
        }
        if !detached && !self.tracks[track.index()].running.is_empty() {
            let running = self.tracks[track.index()].running_mut();
            if running.last() == Some(&id) {
                running.pop();
            } else {
                running.retain(|other| *other != id);
            }
        }
        self.report(id, end);
    }

    /// It was deleted, a stop came, or the composite it is in comes to rest: no lock and no level keeps it in.
    pub(crate) fn is_let_out(&self, id: StepId) -> bool {
        let step = self.step(id);
        let owner = self.track(step.track).owner;
        let is_resting = owner.is_some_and(|owner| self.step(owner).is_coming_to_rest());
        step.detached || is_resting || self.is_of_old_run(id)
    }

    /// A stop came since it began.
    fn is_of_old_run(&self, id: StepId) -> bool {
        let step = self.step(id);
        let is_over = self.run != RunState::Active || step.started_tick < self.run_since_tick;
        step.track == self.root && is_over
    }

    /// A step whose guards or claims ended it before it started.
    pub(super) fn finish_unstarted(&mut self, id: StepId, end: End) {
        let tick = self.world.tick;
        self.step_mut(id).started_tick = tick;
        let track = self.step(id).track;
        self.track_mut(track).jumped_to = None;
        if let Some(extra) = &mut self.step_mut(id).extra {
            (extra.forced, extra.passed) = (false, false);
        }
        if !self.holds_result(id, &end) {
            self.report(id, end);
        }
    }

    #[inline]
    fn report(&mut self, id: StepId, end: End) {
        let end = if self.step(id).extra.is_some() { self.reported_end(id, end) } else { end };
        self.tell_end(id, end, None);
    }

    /// As it is; a failure is one of the region `from` on.
    #[inline]
    pub(crate) fn tell_end(&mut self, id: StepId, end: End, refused: Option<(UseId, NodeId)>) {
        let step = &mut self.steps[id.index()];
        step.last = Some(end.verdict);
        step.last_outcome.clone_from(&end.outcome);
        let (instance, track, detached) = (step.instance, step.track, step.detached);
        if step.watch != NONE {
            let watch = &mut self.world.watches[step.watch as usize];
            watch.running = false;
            watch.verdict = Some(end.verdict);
            watch.outcome = end.outcome.clone();
        }
        self.world.forget_question(instance);
        if !self.world.progress.is_empty() {
            self.world.progress.remove(&instance);
        }
        let (tick, time_ns) = (self.world.tick, self.world.time_ns);
        self.world.record.ended(tick, time_ns, instance, &end);
        if end.verdict == Verdict::Failure && !detached && !self.is_of_old_run(id) {
            self.fail_in_track(track, Failure { step: id, end, tick, refused });
        }
        if !self.region_watches.is_empty() && !detached {
            self.tell_region_watches(track);
        }
    }

    #[inline]
    pub(crate) fn reported_end(&self, id: StepId, mut end: End) -> End {
        let Some(extra) = &self.step(id).extra else { return end };
        if end.verdict == Verdict::Halted || extra.forced {
            return end;
        }
        match extra.end_as {
            Some(EndAs::Success) => end.verdict = Verdict::Success,
            Some(EndAs::Failure) => {
                if end.verdict == Verdict::Success {
                    end.reason = Some("it is set to end as failure".into());
                }
                end.verdict = Verdict::Failure;
            }
            None => {}
        }
        if let Some(outcome) = &extra.outcome_as {
            end.outcome = Some(outcome.clone());
        }
        end
    }

    pub(crate) fn tick_detached(&mut self) {
        if self.detached.is_empty() {
            return;
        }
        for id in std::mem::take(&mut self.detached) {
            match self.tick_halting(id) {
                Some(end) => {
                    self.finish(id, end);
                    self.drop_step(id);
                }
                None => self.detached.push(id),
            }
        }
    }

    /// The state of the branches of a running composite, for its children view.
    pub(super) fn branch_state(&self, id: StepId, index: usize) -> Option<&BranchState> {
        self.step(id).composite()?.branches.get(index).map(|branch| &branch.state)
    }
}

fn unjudged(word: &'static str, guard: &BoundGuard, why: Cannot) -> Cannot {
    Cannot::Judge { word, condition: guard.condition.text().to_owned(), why: Box::new(why) }
}

/// Where a guard stands now, and whether it counts.
fn counts(guard: &mut BoundGuard, now: bool, started: bool) -> bool {
    let before = std::mem::replace(&mut guard.before, now);
    match guard.edge {
        Edge::State => now,
        Edge::Rise => started && now && !before,
        Edge::Fall => started && !now && before,
    }
}

fn violated(world: &World, scope: crate::ids::ScopeId, guards: &mut [BoundGuard], started: bool) -> Option<End> {
    for guard in guards {
        let (bad, reason) = match (world.holds(scope, &guard.condition), guard.edge) {
            (Err(error), _) => (true, Some(unjudged("while", guard, error).to_string())),
            (Ok(now), Edge::State) => {
                guard.before = now;
                (!now, None)
            }
            (Ok(now), _) => (counts(guard, now, started), None),
        };
        if bad {
            let reason = reason.unwrap_or_else(|| match guard.edge {
                Edge::State => format!("`while {}` does not hold", guard.condition.text()),
                Edge::Rise => format!("`{}` became true", guard.condition.text()),
                Edge::Fall => format!("`{}` became false", guard.condition.text()),
            });
            return Some(End::failure(reason).with_outcome(&guard.outcome));
        }
    }
    None
}

fn fired(
    world: &World,
    scope: crate::ids::ScopeId,
    guards: &mut [BoundGuard],
    started: bool,
) -> Result<Option<End>, Cannot> {
    for guard in guards {
        match world.holds(scope, &guard.condition) {
            Ok(now) => {
                if counts(guard, now, started) {
                    let reason = match guard.edge {
                        Edge::State => format!("`until {}` holds", guard.condition.text()),
                        Edge::Rise => format!("`{}` became true", guard.condition.text()),
                        Edge::Fall => format!("`{}` became false", guard.condition.text()),
                    };
                    return Ok(Some(End::SUCCESS.with_outcome(&guard.outcome).with_reason(reason)));
                }
            }
            Err(error) => {
                if !std::mem::replace(&mut guard.warned, true) {
                    return Err(unjudged("until", guard, error));
                }
            }
        }
    }
    Ok(None)
}
