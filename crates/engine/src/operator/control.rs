//! Run control: what operators may tell the engine.

use model::NodeId;

use crate::door::{Accepts, Answer, Command, Control, Instance, RunFact};
use crate::engine::{Engine, Only, RunState};
use crate::ids::{TrackId, UseId};
use crate::operator::JumpTo;
use crate::tracks::{Body, Hold, Press, StepStatus};
use crate::{End, Refused, Verdict};

type Done = Result<(), Refused>;

/// A press of this tick that is not answered yet.
pub(crate) struct Pressed {
    id: u64,
    tracks: Vec<TrackId>,
    triggered: bool,
}

impl Engine {
    pub(crate) fn obey(&mut self, command: &Command) {
        let starts = matches!(
            command.what,
            Control::Press { .. }
                | Control::Automatic { on: true }
                | Control::FromStart
                | Control::RunOnly { .. }
                | Control::Admit { .. }
                | Control::Continue { .. }
                | Control::Pause { on: true }
        );
        if starts && self.world.out.stop {
            return self.refuse_for_stop(command.id);
        }
        let done = match &command.what {
            Control::Press { track, into } => return self.press(command.id, track.as_ref(), *into),
            Control::Automatic { on: true } if self.is_at_end() => Err(Refused::AtTheEnd),
            Control::Automatic { on } => {
                self.automatic(*on);
                Ok(())
            }
            Control::FromStart => self.run_from_start(),
            Control::Continue { step } => self.continue_held(step.as_ref()),
            Control::SetNext { to } => self.set_next(to),
            Control::MoveNext { by } => self.move_next(*by),
            Control::Pause { on } => {
                self.pause(*on);
                Ok(())
            }
            Control::Stop => {
                self.stop("stop was pressed");
                Ok(())
            }
            Control::ResetFailures => {
                self.reset_failures();
                Ok(())
            }
            Control::Concurrency { on } => {
                self.concurrency = *on;
                Ok(())
            }
            Control::RunOnly { node } => self.run_only(node),
            Control::AutonomyLevel { level } => {
                self.autonomy = *level;
                Ok(())
            }
            Control::Lock { node, on } => self.mark(node, *on, Mark::Lock),
            Control::Breakpoint { node, on } => self.mark(node, *on, Mark::Breakpoint),
            Control::Admit { step } => self.admit(step.as_ref()),
            Control::Force { step, verdict, outcome } => self.force(step, *verdict, outcome.as_deref()),
            Control::Answer { step, value } => self.answer(step, value.clone()),
            Control::SetVariable { uses, name, value } => self.set_variable(uses, name, value.clone()),
            Control::FreezeObject { object, on } => self.freeze_object(object, *on),
            Control::DeleteObject { object } => self.delete_object(object),
            Control::PlaceObject(placement) => self.place_object(placement),
        };
        self.world.out.answers.push(Answer { id: command.id, refused: done.err().map(|refused| refused.to_string()) });
    }

    pub(crate) fn set_automatic(&mut self, on: bool) {
        for track in &mut self.tracks {
            if track.live {
                track.automatic = on;
                track.passes = None;
                if on {
                    track.held = None;
                    track.stays_manual = false;
                }
                track.press = None;
                track.hold = Hold::None;
            }
        }
        // A running composite may yet start tracks: the next pass of a loop, a new branch, another attempt.
        for track in self.tracks.iter().filter(|track| !track.dropped) {
            for step in &track.running {
                if let Some(composite) = self.steps[step.index()].composite_mut() {
                    composite.manual_inside = !on;
                }
            }
        }
    }

    fn automatic(&mut self, on: bool) {
        if on {
            self.begin_run();
        }
        self.set_automatic(on);
    }

    /// Nothing is left to run: a run that began now would take back what the last one left to be seen, and end at once.
    fn is_at_end(&self) -> bool {
        let root = self.track(self.root);
        let is_behind_all = root.next > 0 && root.next as usize >= root.entries.len();
        self.run != RunState::Active && is_behind_all && root.running.is_empty()
    }

    fn run_from_start(&mut self) -> Done {
        let root = self.track(self.root);
        if self.run == RunState::Active || !root.running.is_empty() {
            return Err(Refused::StillRuns);
        }
        if self.lock_between(self.root, root.next, Some(0)).is_some() {
            return Err(Refused::NextLocked);
        }
        self.drop_kept_jumps();
        self.put_next(self.root, 0);
        self.automatic(true);
        Ok(())
    }

    fn begin_run(&mut self) {
        if self.run == RunState::Active {
            return;
        }
        let root = self.track(self.root);
        if root.next == 0 && root.running.is_empty() {
            self.beginnings += 1;
            for step in &mut self.steps {
                step.last = None;
                step.last_outcome = None;
            }
            for step in &self.keepers {
                if let Body::Step(body) = &mut self.steps[step.index()].body {
                    body.forget();
                }
            }
        }
        self.said.clear();
        self.run_since_tick = self.world.tick;
        self.run = RunState::Active;
        self.world.remembered.begin_run();
        self.world.tell_run(RunFact::Began);
    }

    fn pause(&mut self, on: bool) {
        if self.world.paused != on {
            self.world.paused = on;
            self.world.out.hold = Some(on);
            self.world.tell_run(if on { RunFact::Paused } else { RunFact::Resumed });
        }
    }

    /// Halts everything; works with the tree in any state.
    pub(crate) fn stop(&mut self, reason: &str) {
        self.pending_jump = None;
        self.world.out.stop = true;
        // What was stopped is not paused: the next start would find a pause that nobody sees.
        if std::mem::take(&mut self.world.paused) {
            self.world.out.hold = Some(false);
        }
        self.world.answers.clear();
        self.world.asked.clear();
        for pressed in std::mem::take(&mut self.pressed) {
            self.refuse_for_stop(pressed.id);
        }
        self.set_automatic(false);
        self.drop_kept_jumps();
        let root = self.root;
        let mut earliest = None;
        for step in self.track(root).running.clone() {
            let pos = self.step(step).pos;
            let succeeded = self.step(step).halt.as_ref().is_some_and(|halt| halt.end.verdict == Verdict::Success);
            if !succeeded {
                earliest = Some(earliest.map_or(pos, |before: u32| before.min(pos)));
            }
            if self.step(step).status == StepStatus::Running
                && let Some(end) = self.begin_halt(step, End::halted(reason))
            {
                self.finish(step, end);
            }
        }
        if earliest.is_none() {
            self.pass_succeeded_tries(root);
            self.keep_waits(root);
        }
        self.end_track(root, Verdict::Halted);
        let track = self.track_mut(root);
        track.live = true;
        track.failed = None;
        if let Some(pos) = earliest {
            track.put_next(pos);
        }
        self.only = None;
        if self.run == RunState::Active {
            self.world.tell_run(RunFact::Stopped { why: reason.into() });
            self.run = RunState::Ended(End::halted(reason));
        }
    }

    /// Whatever the order in which they arrived, nothing starts in the tick of a stop.
    fn refuse_for_stop(&mut self, id: u64) {
        let refused = Some("stop was pressed in this tick".to_owned());
        let refused = refused.map(|refused| refused.to_string());
        self.world.out.answers.push(Answer { id, refused });
    }

    fn reset_failures(&mut self) {
        for step in &mut self.steps {
            if step.last == Some(Verdict::Failure) {
                step.last = None;
            }
        }
    }

    fn press(&mut self, id: u64, track: Option<&Instance>, into: bool) {
        let target = match track {
            _ if self.is_at_end() => Err(Refused::AtTheEnd),
            None => Ok(self.root),
            Some(instance) => self.track_at(instance),
        };
        let pressed = target.and_then(|track| {
            let mut pressed = Pressed { id, tracks: Vec::new(), triggered: false };
            self.press_track(track, into, &mut pressed).map(|()| pressed)
        });
        match pressed {
            Ok(pressed) => {
                self.begin_run();
                self.pressed.push(pressed);
            }
            Err(refused) => self.world.out.answers.push(Answer { id, refused: Some(refused.to_string()) }),
        }
    }

    /// Arms a track, or the manual tracks of the composites that hold it up.
    fn press_track(&mut self, id: TrackId, into: bool, pressed: &mut Pressed) -> Done {
        if self.pressed.iter().any(|pressed| pressed.tracks.contains(&id)) || pressed.tracks.contains(&id) {
            return Err(Refused::PressedAlready);
        }
        let track = self.track(id);
        let next = track.next;
        let set = track
            .entries
            .iter()
            .skip(next as usize)
            .enumerate()
            .take_while(|(index, step)| *index == 0 || (self.concurrency && self.step(**step).after < next as i32))
            .map(|(_, step)| *step)
            .collect();
        self.track_mut(id).press = Some(Press { set, into });
        let Err(hold) = self.startable(id) else {
            pressed.tracks.push(id);
            return Ok(());
        };
        self.track_mut(id).press = None;
        if self.pass_results(id) {
            pressed.tracks.push(id);
            pressed.triggered = true;
            return Ok(());
        }
        let before = pressed.tracks.len();
        for inner in self.manual_tracks_in_the_way(id, hold) {
            // A track that can trigger nothing is passed over; only if all are is the press refused.
            let _ = self.press_track(inner, into, pressed);
        }
        if pressed.tracks.len() > before { Ok(()) } else { Err(Refused::Held { hold: self.hold_text(id, hold) }) }
    }

    fn manual_tracks_in_the_way(&self, id: TrackId, hold: Hold) -> Vec<TrackId> {
        let track = self.track(id);
        let blockers: Vec<_> = match hold {
            Hold::After(step) => vec![step],
            Hold::StillRunning => track.entries.get(track.next as usize).copied().into_iter().collect(),
            Hold::AtEnd | Hold::Try(_) => track.running.clone(),
            _ => Vec::new(),
        };
        let inner = blockers.into_iter().flat_map(|step| self.step(step).branch_tracks().collect::<Vec<_>>());
        inner.filter(|inner| self.track(*inner).live && !self.track(*inner).automatic).collect()
    }

    /// A press on a track has started a step.
    pub(crate) fn count_press(&mut self, track: TrackId) {
        for pressed in self.pressed.iter_mut().filter(|pressed| pressed.tracks.contains(&track)) {
            pressed.triggered = true;
        }
    }

    /// A press that triggered nothing is refused, never kept for later.
    pub(crate) fn answer_presses(&mut self) {
        for Pressed { id, tracks, triggered } in std::mem::take(&mut self.pressed) {
            let mut refused = None;
            for track in tracks.into_iter().filter(|_| !triggered) {
                self.track_mut(track).press = None;
                let reason = match self.track(track).live {
                    true => Refused::Held { hold: self.hold_text(track, self.track(track).hold) },
                    false => Refused::Ended,
                };
                refused.get_or_insert(reason);
            }
            let refused = refused.map(|refused| refused.to_string());
            self.world.out.answers.push(Answer { id, refused });
        }
    }

    fn set_next(&mut self, to: &Instance) -> Done {
        let target = self.find_instance(to)?;
        let (home, _) = self.place_of(target).ok_or(Refused::NotInRun)?;
        let mut track = home;
        while !self.track(track).live {
            track = self.track(track).above.ok_or(Refused::NotInRun)?;
        }
        if self.lock_left_by(track, self.near_next(track), target).is_some() {
            self.keep_jump(track, JumpTo::Node(target), None);
            return Ok(());
        }
        self.drop_kept_jump(track);
        self.go_to(track, target);
        Ok(())
    }

    fn move_next(&mut self, by: i64) -> Done {
        let root = self.track(self.root);
        let last = root.entries.len() as i64;
        let to = i64::from(root.next).saturating_add(by).clamp(0, last) as u32;
        if let Some(lock) = self.lock_between(self.root, root.next, Some(to)) {
            let Some(step) = root.entries.get(to as usize).map(|step| self.step(*step)) else {
                let lock = self.node_label_anywhere(UseId(0), lock).to_string();
                return Err(Refused::LockedToEnd { lock });
            };
            self.keep_jump(self.root, JumpTo::Node((step.use_id, step.node)), None);
            return Ok(());
        }
        self.drop_kept_jump(self.root);
        self.put_next(self.root, to);
        let track = self.track_mut(self.root);
        (track.held, track.passes) = (None, None);
        track.failed = None;
        track.jumped_to = None;
        track.press = None;
        track.hold = Hold::None;
        Ok(())
    }

    fn run_only(&mut self, node: &Instance) -> Done {
        if self.tracks.iter().any(|track| track.live && !track.running.is_empty()) {
            return Err(Refused::StillRuns);
        }
        let target = self.find_instance(node)?;
        self.set_next(node)?;
        if self.tracks.iter().any(|track| track.kept_jump.is_some()) {
            self.drop_kept_jumps();
            return Err(Refused::NextLocked);
        }
        self.only = Some(Only { use_id: target.0, node: target.1 });
        self.begin_run();
        self.set_automatic(true);
        Ok(())
    }

    /// While only one subtree runs: the step is in it, or it is in the step.
    pub(crate) fn only_allows(&self, use_id: UseId, node: NodeId) -> bool {
        match &self.only {
            None => true,
            Some(only) => {
                let only = (only.use_id, only.node);
                self.is_above(only, (use_id, node)) || self.is_above((use_id, node), only)
            }
        }
    }

    /// While only one subtree runs: it lies inside of this node.
    pub(crate) fn only_within(&self, node: (UseId, NodeId)) -> bool {
        let only = self.only.as_ref().map(|only| (only.use_id, only.node));
        only.is_some_and(|only| only != node && self.is_above(node, only))
    }

    pub(crate) fn is_above(&self, above: (UseId, NodeId), below: (UseId, NodeId)) -> bool {
        let (mut use_id, mut node) = below;
        loop {
            if (use_id, node) == above {
                return true;
            }
            let current = &self.uses[use_id.index()];
            match self.library.get(current.definition).get(node).and_then(|node| node.parent) {
                Some(parent) => node = parent,
                None => match current.parent {
                    Some(parent) => (use_id, node) = (parent, current.via),
                    None => return false,
                },
            }
        }
    }

    fn mark(&mut self, instance: &Instance, on: bool, mark: Mark) -> Done {
        let key = self.find_instance(instance)?;
        if let Some(step) = self.known.get(&key).and_then(|known| known.step) {
            let extra = self.step_mut(step).extra.get_or_insert_default();
            match mark {
                Mark::Lock => extra.locked = on,
                Mark::Breakpoint => extra.breakpoint = on,
            }
            if mark == Mark::Lock
                && let Some(inner) = self.group_track(step)
            {
                self.mark_region(inner, key, on, mark);
            }
            return Ok(());
        }
        let track = *self.region_of.get(&key).ok_or(Refused::NotInRun)?;
        self.mark_region(track, key, on, mark);
        Ok(())
    }

    fn mark_region(&mut self, id: TrackId, key: (UseId, NodeId), on: bool, mark: Mark) {
        let Some(index) = self.track(id).regions.iter().position(|region| (region.use_id, region.node) == key) else {
            return;
        };
        let track = self.track(id);
        let region = &track.regions[index];
        let running = track.running.iter().any(|step| region.holds(self.step(*step).pos));
        let inside = running || (region.lo < track.next && track.next <= region.hi);
        let index = index as u32;
        let track = self.track_mut(id);
        let region = &mut track.regions[index as usize];
        let list = match mark {
            Mark::Lock => {
                region.locked = on;
                region.inside = on && inside;
                &mut track.locked
            }
            Mark::Breakpoint => {
                region.breakpoint = on;
                &mut track.breakpoints
            }
        };
        list.retain(|other| *other != index);
        if on {
            list.push(index);
        }
        track.hold = Hold::None;
        if mark == Mark::Lock
            && !on
            && let Some(failure) = self.track_mut(id).withheld.take()
        {
            self.fail_in_track(id, failure);
        }
        if mark == Mark::Lock && !on {
            self.do_kept_jump(id);
        }
    }

    fn force(&mut self, step: &Instance, verdict: Verdict, outcome: Option<&str>) -> Done {
        let key = self.find_instance(step)?;
        let id = self.known.get(&key).and_then(|known| known.step).ok_or(Refused::NoStep)?;
        match self.step(id).status {
            StepStatus::Running => {}
            StepStatus::Halting => return Err(Refused::HaltingAlready),
            StepStatus::Idle => return Err(Refused::NotRunning),
        }
        let end = End { verdict, outcome: outcome.map(Into::into), reason: Some("forced by the operator".into()) };
        if let Some(extra) = &mut self.step_mut(id).extra {
            extra.forced = true;
        }
        // What a person made so is nothing that the attempts have shown.
        self.world.out.learned.extend(self.world.remembered.forced());
        if let Some(end) = self.begin_halt(id, end) {
            self.finish(id, end);
        }
        Ok(())
    }

    fn answer(&mut self, step: &Instance, value: model::Value) -> Done {
        let key = self.find_instance(step)?;
        let instance = self.known.get(&key).ok_or(Refused::NoStep)?.instance;
        let asked = self.world.asked.iter().find(|asked| asked.step == instance);
        let asked = asked.ok_or(Refused::AsksNothing)?;
        if self.world.answers.iter().any(|(to, _)| *to == instance) {
            return Err(Refused::AnsweredAlready);
        }
        let why = asked.accepts.refusal(&value).or_else(|| self.names_nothing(&asked.accepts, &value));
        why.map_or(Ok(()), |why| Err(Refused::NoAnswer { why }))?;
        self.world.answers.push((instance, value));
        Ok(())
    }

    /// Why what an answer names is not what it was asked for; none: it is.
    fn names_nothing(&self, accepts: &Accepts, value: &model::Value) -> Option<String> {
        if let Accepts::Several(parts) = accepts {
            let model::Value::Map(entries) = value else { return None };
            return parts.iter().find_map(|part| self.names_nothing(&part.accepts, entries.get(&*part.name)?));
        }
        let model::Value::Text(name) = value else { return None };
        let (Accepts::Object(class) | Accepts::Template(class)) = accepts else {
            let is_frame = *accepts != Accepts::Frame || self.has_frame(name);
            return (!is_frame).then(|| format!("there is no frame `{name}`"));
        };
        let Some(body) = self.world.body.as_ref() else {
            return Some("there is no robot, so that there is no scene".to_owned());
        };
        if !body.objects().contains_key(name) {
            return Some(format!("there is no object `{name}` in the scene: place it first"));
        }
        let class_of = body.scene().object(name).and_then(|object| object.class().cloned());
        if let Some(class) = class.as_ref().filter(|class| class_of.as_deref() != Some(class.as_str())) {
            return Some(format!("`{name}` is not of the class `{class}`"));
        }
        let is_template = || class_of.as_deref().is_some_and(|class| body.templates().get(class).is_ok());
        let lacks = matches!(accepts, Accepts::Template(_)) && !is_template();
        lacks.then(|| format!("`{name}` is not placed as a template"))
    }

    fn has_frame(&self, name: &str) -> bool {
        self.world.body.as_ref().is_some_and(|body| body.world_from(name).is_ok())
    }

    fn set_variable(&mut self, uses: &[NodeId], name: &str, value: model::Value) -> Done {
        let use_id = self.find_use(uses)?;
        let definition = self.uses[use_id.index()].definition;
        self.settable(definition, name)?;
        let declared = self.declares(definition, name);
        let slot = self.world.board.slot(definition, name, declared);
        let scope = self.uses[use_id.index()].scope;
        self.world.set_now(scope, slot, Some(value), None);
        Ok(())
    }

    fn find_use(&self, uses: &[NodeId]) -> Result<UseId, Refused> {
        uses.iter()
            .try_fold(UseId(0), |at, via| self.use_of.get(&(at, *via)).copied().ok_or(Refused::NoUse { via: *via }))
    }

    pub(crate) fn find_instance(&self, instance: &Instance) -> Result<(UseId, NodeId), Refused> {
        let use_id = self.find_use(&instance.uses)?;
        if !self.tree_of(use_id).is_some_and(|tree| tree.contains(instance.node)) {
            return Err(Refused::NoNode { node: instance.node });
        }
        Ok((use_id, instance.node))
    }

    /// The track a node lies in: that of a step, or of a branch of a composite. Never another than the one named.
    fn track_at(&self, instance: &Instance) -> Result<TrackId, Refused> {
        let target = self.find_instance(instance)?;
        let (track, _) = self.place_of(target).ok_or(Refused::NotInRun)?;
        match self.track(track).live {
            true => Ok(track),
            false => Err(Refused::TrackAtRest { node: self.node_label(target.0, target.1).to_string() }),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Lock,
    Breakpoint,
}
