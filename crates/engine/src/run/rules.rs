//! What a track does in a tick.

use model::ConflictPolicy;

use crate::door::What;
use crate::engine::{Engine, MAX_STARTS, RunState};
use crate::ids::{StepId, TrackId};
use crate::tracks::{AWAKE, Body, BranchState, Hold, NONE, Phase, StepStatus};
use crate::types::{Context, Effects};
use crate::world::{Grant, Holder};
use crate::{End, Tick, Verdict};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TrackStatus {
    Running,
    Ended(End),
}

impl Engine {
    pub(crate) fn tick_track(&mut self, track: TrackId) -> TrackStatus {
        if self.is_aftermath() {
            return self.effects_in_track(track);
        }
        self.tick_running(track);
        self.advance(track);
        self.status(track)
    }

    fn tick_running(&mut self, track: TrackId) {
        if !self.track(track).knows_wakes {
            return self.tick_running_from(track, 0);
        }
        let mut index = 0;
        while let Some((at, ended)) = self.tick_awake(track, index) {
            index = at;
            let step = self.track(track).running[index];
            if let Some((end, effects)) = ended {
                self.end_of_tick(step, end, effects);
            } else {
                if self.pending_jump.is_some() && !self.take_jump(track) {
                    return;
                }
                if !self.track(track).knows_wakes {
                    return self.tick_running_from(track, index);
                }
                self.tick_running_step(step);
            }
            if !self.track(track).knows_wakes {
                let behind = self.behind_in_running(track, index, step);
                return self.tick_running_from(track, behind);
            }
            self.tracks[track.index()].rows[index] = self.steps[step.index()].row(step);
            index += 1;
        }
    }

    /// Ticks what is awake from a place on, as long as it is plain and goes on: a tree may have hundreds of such steps.
    /// Their ticks reach nothing but the world, so nothing else is looked at between them. Gives the place of the first
    /// that is not plain or ended.
    #[inline(never)]
    fn tick_awake(&mut self, id: TrackId, from: usize) -> Option<(usize, Option<(End, Effects)>)> {
        let now_ns = self.world.active_ns;
        let jumps = self.pending_jump.is_some();
        let (track, steps, world) = (&mut self.tracks[id.index()], &mut self.steps, &mut self.world);
        let count = track.rows.len();
        if jumps {
            let awake = track.rows.iter().skip(from).position(|row| row.wakes_ns <= now_ns)?;
            return Some((from + awake, None));
        }
        let mut rows = track.rows.get_mut(from..)?.iter_mut();
        while let Some(row) = rows.next() {
            if row.wakes_ns > now_ns {
                continue;
            }
            let step = &mut steps[row.at.step.index()];
            let Some(body) = step.plain() else { return Some((count - 1 - rows.len(), None)) };
            let tick = body.tick(&mut Context::of(world, &row.at));
            // As most do: it goes on, is asked again in the next tick, and has asked for nothing.
            if matches!(tick, Tick::Running) && row.wakes_ns == AWAKE && !world.effects.any {
                continue;
            }
            let effects = world.take_effects();
            step.sleep(now_ns, effects.sleep_ns);
            row.wakes_ns = step.wakes_ns;
            if let Tick::Ended(end) = tick {
                return Some((count - 1 - rows.len(), Some((end, effects))));
            }
        }
        None
    }

    fn tick_running_from(&mut self, track: TrackId, mut index: usize) {
        while let Some(step) = self.track(track).running.get(index).copied() {
            if self.pending_jump.is_some() && !self.take_jump(track) {
                return;
            }
            self.tick_running_step(step);
            index = self.behind_in_running(track, index, step);
        }
        let here = &mut self.tracks[track.index()];
        here.rows.clear();
        here.rows.extend(here.running.iter().map(|step| self.steps[step.index()].row(*step)));
        here.knows_wakes = true;
    }

    /// If it ended, or another did meanwhile: behind its place.
    pub(crate) fn behind_in_running(&self, track: TrackId, index: usize, step: StepId) -> usize {
        let running = &self.track(track).running;
        if running.get(index) == Some(&step) {
            return index + 1;
        }
        let pos = self.step(step).pos;
        running.partition_point(|other| self.step(*other).pos <= pos)
    }

    fn end_of_tick(&mut self, step: StepId, end: End, effects: Effects) {
        let (tick, queued) = self.with_jump(step, Tick::Ended(end), effects);
        if let Some(end) = self.conclude(step, tick, queued) {
            self.finish(step, end);
        }
    }

    fn tick_running_step(&mut self, step: StepId) {
        let at = self.at(step);
        if let Some(body) = self.steps[step.index()].plain() {
            let tick = body.tick(&mut Context::of(&mut self.world, &at));
            let effects = self.world.take_effects();
            self.steps[step.index()].sleep(self.world.active_ns, effects.sleep_ns);
            if let Tick::Ended(end) = tick {
                self.end_of_tick(step, end, effects);
            }
            return;
        }
        let ended = match self.step(step).status {
            StepStatus::Idle => return,
            StepStatus::Running => self.tick_step(step, true),
            StepStatus::Halting => self.tick_halting(step),
        };
        if let Some(end) = ended {
            self.finish(step, end);
        }
    }

    /// Lets ended tries decide and triggers what may start, until nothing more may.
    fn advance(&mut self, track: TrackId) {
        if self.track(track).kept_jump.is_some() {
            self.do_kept_jump(track);
        }
        loop {
            if !self.decide(track) {
                return;
            }
            if self.is_quiet(track) {
                self.run_plain(track);
                if self.pending_jump.is_some() {
                    continue;
                }
            }
            match self.startable(track) {
                Ok(step) if self.has_late_ends() && self.hold_freed(track, step) => {}
                Ok(step) => {
                    if !self.trigger(track, step) {
                        return;
                    }
                }
                Err(Hold::Breakpoint(use_id, node)) => return self.hold_at(track, (use_id, node)),
                Err(hold) => return self.set_hold(track, hold),
            }
        }
    }

    /// What the ends of steps mean for their tries, and where next is then. False: a jump leaves the track.
    fn decide(&mut self, track: TrackId) -> bool {
        if self.pending_jump.is_some() && !self.take_jump(track) {
            return false;
        }
        self.settle(track);
        if !self.region_watches.is_empty() {
            self.tell_region_watches(track);
        }
        if self.edited.keeps_shapes() {
            self.lay_anew_at_next(track);
        }
        true
    }

    /// Like going on, but that nothing starts.
    pub(crate) fn decide_without_starting(&mut self, track: TrackId) {
        if self.track(track).kept_jump.is_some() {
            self.do_kept_jump(track);
        }
        self.decide(track);
    }

    pub(crate) fn set_hold(&mut self, id: TrackId, hold: Hold) {
        let track = self.track_mut(id);
        if track.hold == hold {
            return;
        }
        track.hold = hold;
        let Some(step) = track.entries.get(track.next as usize).copied() else { return };
        let recorded =
            matches!(hold, Hold::Locked(_) | Hold::Breakpoint(..) | Hold::Added | Hold::Autonomy | Hold::Claim { .. });
        if recorded {
            let reason = self.hold_text(id, hold);
            let detail = self.world.record.add_detail(None, Some(reason.into()));
            let (tick, time_ns) = (self.world.tick, self.world.time_ns);
            let step = self.step(step).instance;
            self.world.record.push(tick, time_ns, What::Held { step, detail });
        }
        match hold {
            Hold::AgainThisTick => {
                let text =
                    "came round to this step twice in one tick: no time passes in this loop, so it goes once a tick";
                self.warn_once(self.step(step).instance, text);
            }
            Hold::TooMany => {
                self.warn_once(self.step(step).instance, crate::tracks::TOO_MANY);
            }
            _ => {}
        }
    }

    pub(crate) fn is_pressed(&self, track: TrackId, step: StepId) -> bool {
        self.track(track).press.as_ref().is_some_and(|press| press.set.contains(&step))
    }

    pub(crate) fn startable(&self, id: TrackId) -> Result<StepId, Hold> {
        let track = self.track(id);
        if let Some(owner) = track.owner.filter(|owner| self.step(*owner).is_coming_to_rest()) {
            return Err(Hold::ComingToRest(owner));
        }
        if track.failed.is_some() {
            return Err(Hold::Failed);
        }
        if let Some(withheld) = &track.withheld {
            let pos = self.step(withheld.step).pos;
            return Err(self.lock_around(id, pos).map_or(Hold::Failed, Hold::Locked));
        }
        let Some(step_id) = track.entries.get(track.next as usize).copied() else {
            let held = if track.may_hold_results { self.held_results(id).next() } else { None };
            return Err(held.map_or(Hold::AtEnd, Hold::Outcome));
        };
        if self.only.is_some() && !self.only_allows(self.step(step_id).use_id, self.step(step_id).node) {
            return Err(Hold::AtEnd);
        }
        let pressed = track.press.is_some() && self.is_pressed(id, step_id);
        if !track.automatic && !pressed {
            return Err(track.held.map_or(Hold::Manual, |held| Hold::Breakpoint(held.at.0, held.at.1)));
        }
        if self.world.paused {
            return Err(Hold::Paused);
        }
        let step = self.step(step_id);
        // A node that was moved here may still be coming to rest where it was.
        if step.is_active() || self.detached.iter().any(|other| self.step(*other).instance == step.instance) {
            return Err(Hold::StillRunning);
        }
        let after = if self.concurrency { step.after } else { step.pos as i32 - 1 };
        if after >= 0 {
            let before = track.entries[after as usize];
            if self.step(before).is_active() {
                let waits = if self.step(before).has_held_result() { Hold::Outcome } else { Hold::After };
                return Err(self.kept_in(before).map_or(waits(before), Hold::Locked));
            }
        }
        if self.edited.has_waits()
            && let Some(awaited) = self.awaited_by(step.instance)
        {
            return Err(self.kept_in(awaited).map_or(Hold::After(awaited), Hold::Locked));
        }
        if !track.active.is_empty() {
            self.tries_allow(id, step.pos)?;
        }
        if track.exit_tick == self.world.tick {
            return Err(Hold::Outputs);
        }
        if !track.locked.is_empty() {
            let leaves = track.locked.iter().map(|index| &track.regions[*index as usize]);
            if let Some(region) = leaves.into_iter().find(|region| region.inside && !region.holds(step.pos)) {
                return Err(Hold::Locked(region.node));
            }
        }
        if let Some(locked) = track.running.iter().map(|other| self.step(*other)).find(|other| other.is_locked()) {
            return Err(Hold::Locked(locked.node));
        }
        if !pressed {
            self.gates_allow(id, step_id)?;
        }
        if step.started_tick == self.world.tick {
            return Err(Hold::AgainThisTick);
        }
        if self.world.starts >= MAX_STARTS {
            return Err(Hold::TooMany);
        }
        Ok(step_id)
    }

    #[inline]
    fn gates_allow(&self, id: TrackId, step_id: StepId) -> Result<(), Hold> {
        if let Some((use_id, node)) = self.breakpoint_before(id, step_id) {
            return Err(Hold::Breakpoint(use_id, node));
        }
        match &self.step(step_id).extra {
            Some(extra) if extra.added.is_some() => Err(Hold::Added),
            Some(extra) if extra.autonomy >= self.autonomy => Err(Hold::Autonomy),
            None if model::Autonomy::Off >= self.autonomy => Err(Hold::Autonomy),
            _ => Ok(()),
        }
    }

    /// Starts the step at next; false if its claims made it wait.
    #[inline]
    fn trigger(&mut self, track: TrackId, id: StepId) -> bool {
        if self.step(id).stale {
            self.make_body(id);
        }
        if let Err(refused) = self.enter_regions(track, id) {
            self.refuse_use(track, id, refused);
            return true;
        }
        if self.has_values(id)
            && let Err(end) = self.take_values(id)
        {
            self.pass(track, id);
            self.finish_unstarted(id, end);
            return true;
        }
        if let Some(end) = self.guarded_before_start(id) {
            self.pass(track, id);
            self.finish_unstarted(id, end);
            return true;
        }
        if self.step(id).extra.as_ref().is_some_and(|extra| !extra.claims.is_empty()) {
            match self.claim(track, id) {
                Ok(true) => {
                    if let Err(refused) = self.renew_inputs(track, id) {
                        if let Some(extra) = &self.steps[id.index()].extra {
                            self.world.claims.release_step(id, &extra.claims);
                        }
                        self.refuse_use(track, id, refused);
                        return true;
                    }
                }
                Ok(false) => return false,
                Err(end) => {
                    self.pass(track, id);
                    self.finish_unstarted(id, end);
                    return true;
                }
            }
        }
        let into = self.track(track).press.as_ref().is_some_and(|press| press.into && press.set.contains(&id));
        self.pass(track, id);
        self.start(track, id, into);
        true
    }

    /// Moves next behind a step and counts the press.
    #[inline]
    pub(crate) fn pass(&mut self, id: TrackId, step: StepId) {
        let pos = self.step(step).pos;
        self.let_go_step(step);
        if !self.region_watches.is_empty() {
            self.tell_triggered(id, pos);
        }
        let track = self.track_mut(id);
        track.put_next(pos + 1);
        track.hold = Hold::None;
        track.held = None;
        track.passes = None;
        for index in &track.active {
            let region = &mut track.regions[*index as usize];
            region.entered_for.take_if(|(waited, _)| *waited == step);
        }
        if let Some(press) = &mut track.press
            && press.set.contains(&step)
        {
            press.set.retain(|other| *other != step);
            if press.set.is_empty() {
                track.press = None;
            }
            self.count_press(id);
        }
    }

    #[inline]
    fn start(&mut self, track: TrackId, id: StepId, into: bool) {
        let entry = self.track_mut(track).jumped_to.take().filter(|(at, _)| *at == id).map(|(_, entry)| entry);
        let only_entry = self.only_within((self.step(id).use_id, self.step(id).node));
        let (tick, active_ns) = (self.world.tick, self.world.active_ns);
        let step = &mut self.steps[id.index()];
        step.status = StepStatus::Running;
        step.started_tick = tick;
        step.started_ns = active_ns;
        step.jump_dropped = false;
        if let Some(extra) = &mut step.extra {
            extra.attempt = 0;
            extra.first_started_ns = active_ns;
            extra.again_next_tick = false;
            extra.forced = false;
            extra.passed = false;
        }
        if step.watch != NONE {
            self.world.watches[step.watch as usize].running = true;
        }
        self.world.started(step.instance);
        self.record_values(id);
        let step = &mut self.steps[id.index()];
        let is_leaf = match &mut step.body {
            Body::Step(body) => {
                body.reset();
                true
            }
            Body::Composite(composite) => {
                composite.manual_inside = into;
                composite.only_entry = only_entry;
                composite.entry = entry;
                false
            }
            Body::Broken(_) => true,
        };
        if !is_leaf {
            for inner in self.step(id).branch_tracks().collect::<smallvec::SmallVec<[_; 4]>>() {
                self.track_mut(inner).stays_manual = false;
            }
            self.insert_running(track, id);
            self.reset_composite(id);
        }
        let ended = self.tick_step(id, false);
        match ended {
            Some(end) => self.finish(id, end),
            None if is_leaf && self.step(id).is_active() => self.insert_running(track, id),
            None => {}
        }
    }

    pub(super) fn reset_composite(&mut self, id: StepId) {
        let Some(composite) = self.step_mut(id).composite_mut() else { return };
        for branch in &mut composite.branches {
            branch.state = BranchState::Idle;
        }
        if let Some(behavior) = &mut composite.behavior {
            behavior.reset();
        }
    }

    pub(crate) fn insert_running(&mut self, track: TrackId, id: StepId) {
        let pos = self.step(id).pos;
        let running = &self.track(track).running;
        let place = match running.last() {
            Some(last) if self.step(*last).pos > pos => running.partition_point(|other| self.step(*other).pos < pos),
            _ => running.len(),
        };
        self.track_mut(track).running_mut().insert(place, id);
    }

    fn claim(&mut self, track: TrackId, id: StepId) -> Result<bool, End> {
        let extra = self.step(id).extra.as_ref().expect("only called for steps with claims");
        let (wants, policy) = (extra.claims.clone(), extra.on_conflict);
        loop {
            match self.world.claims.acquire(id, track, &wants, self.world.tick) {
                Grant::Granted => return Ok(true),
                Grant::Taken { token, by } => match (policy, by) {
                    (ConflictPolicy::Fail, _) => {
                        self.world.claims.forget_waiter(id);
                        let text = self.claim_text(token, by);
                        return Err(End::failure(text));
                    }
                    (ConflictPolicy::Override, Some(Holder::Step(holder))) => self.override_step(holder, id, &wants),
                    _ => return self.wait_for_claim(track, id, token, by),
                },
            }
        }
    }

    /// Only what is wanted moves: of the rest, a step that is slow to halt keeps its claims.
    fn override_step(&mut self, holder: StepId, by: StepId, wants: &[u32]) {
        self.world.claims.release_step(holder, wants);
        let reason = format!("overridden by `{}`", self.label(by));
        if let Some(end) = self.begin_halt(holder, End::halted(reason)) {
            self.finish(holder, end);
        }
    }

    fn wait_for_claim(&mut self, track: TrackId, id: StepId, token: u32, by: Option<Holder>) -> Result<bool, End> {
        self.set_hold(track, Hold::Claim { token, by });
        let Some(circle) = self.world.claims.circle(id, self.world.tick) else { return Ok(false) };
        let names: Vec<String> = circle.iter().rev().map(|step| format!("`{}`", self.label(*step))).collect();
        let token = self.world.claims.name(token).clone();
        let reason = format!(
            "waits in a circle with {}: each holds what the other needs; it began to wait last (for `{token}`), so it \
             fails. Reserve tokens in the same order everywhere",
            names.join(", ")
        );
        self.world.claims.forget_waiter(id);
        Err(End::failure(reason))
    }

    pub(crate) fn status(&self, id: TrackId) -> TrackStatus {
        let track = self.track(id);
        if !track.running.is_empty() || track.withheld.is_some() || track.exit_tick == self.world.tick {
            return TrackStatus::Running;
        }
        if let Some(failure) = &track.failed {
            return TrackStatus::Ended(failure.end.clone());
        }
        let next = track.entries.get(track.next as usize).map(|step| self.step(*step));
        let at_end = next.is_none_or(|next| self.only.is_some() && !self.only_allows(next.use_id, next.node));
        let kept_in = track.locked.iter().any(|index| track.regions[*index as usize].inside);
        if at_end && track.active.is_empty() && !kept_in {
            // Between runs nobody asks how the root came to its end.
            let asked = id != self.root || self.run == RunState::Active;
            return TrackStatus::Ended(if asked { self.success_of(id) } else { End::SUCCESS });
        }
        TrackStatus::Running
    }

    /// Everything that remains of a track's run is put away; its tree stays.
    pub(crate) fn end_track(&mut self, id: TrackId, verdict: Verdict) {
        self.let_go_track(id);
        self.world.claims.release_track(id);
        for index in self.track(id).active.clone().into_iter().rev() {
            if verdict == Verdict::Halted {
                let region = &mut self.track_mut(id).regions[index as usize];
                region.phase = Phase::Idle;
                region.to_catch = false;
                region.failed = None;
            } else {
                self.leave_region(id, index);
            }
        }
        if !self.region_watches.is_empty() {
            self.tell_track_ended(id);
        }
        let track = self.track_mut(id);
        track.active.clear();
        track.press = None;
        track.withheld = None;
        track.kept_jump = None;
        track.hold = Hold::None;
        track.held = None;
        track.passes = None;
        track.live = false;
        for region in &mut track.regions {
            region.inside = false;
        }
    }

    /// Puts a track at its beginning, or where a jump wants it.
    pub(super) fn start_track(&mut self, id: TrackId, automatic: bool) {
        let tick = self.world.tick;
        self.track_mut(id).put_next(0);
        if self.edited.keeps_shapes() {
            self.lay_ended_anew(id);
        }
        let track = self.track_mut(id);
        track.put_next(0);
        track.failed = None;
        track.withheld = None;
        track.press = None;
        track.hold = Hold::None;
        track.held = None;
        track.passes = None;
        track.automatic = automatic;
        track.start_tick = tick;
        track.live = true;
        self.hold_new_attempt(id);
    }

    /// Root alone: a failed run leaves next on the failed step, to be tried again.
    pub(crate) fn rest_root(&mut self) {
        let root = self.root;
        self.track_mut(root).live = true;
        if let Some(failure) = self.track_mut(root).failed.take() {
            let pos = self.step(failure.step).pos;
            self.track_mut(root).put_next(pos);
        }
    }
}
