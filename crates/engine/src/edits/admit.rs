//! Who is not in control starts nothing by an edit: what the edit alone would start is held until it is admitted.

use std::sync::Arc;

use super::aftermath::Aftermath;
use crate::Refused;
use crate::door::{Instance, InstanceId};
use crate::engine::Engine;
use crate::ids::{StepId, TrackId};
use crate::tracks::Hold;

/// Whom a step is held for, and why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Added {
    pub by: Arc<str>,
    /// It was there before; the edit took away what held it.
    pub freed: bool,
}

/// What is held for whom.
#[derive(Default)]
pub(crate) struct Admissions {
    pub held: Vec<(StepId, InstanceId)>,
    pub aftermath: Aftermath,
}

impl Engine {
    pub(super) fn hold_for(&mut self, step: StepId, by: &Arc<str>) {
        let instance = self.step(step).instance;
        let freed = !self.is_put((self.step(step).use_id, self.step(step).node));
        let extra = self.step_mut(step).extra.get_or_insert_default();
        if extra.added.is_none() {
            extra.added = Some(Added { by: Arc::clone(by), freed });
            self.edited.admissions.held.push((step, instance));
        }
    }

    /// Taken back, or edited so that it waits for something else: it is held by nobody any more.
    pub(super) fn let_go_what_waits(&mut self) {
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
        for (step, instance) in std::mem::take(&mut self.edited.admissions.held) {
            let is_held = self.step(step).instance == instance
                && !self.step(step).detached
                && self.step(step).extra.as_ref().is_some_and(|extra| extra.added.is_some());
            if !is_held {
                continue;
            }
            if !which(self, step) {
                self.edited.admissions.held.push((step, instance));
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
        if !self.edited.admissions.held.is_empty() {
            self.let_go(|engine, step| engine.step(step).track == id);
        }
    }

    /// It starts: whoever pressed has admitted it.
    pub(crate) fn let_go_step(&mut self, id: StepId) {
        if !self.edited.admissions.held.is_empty() {
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
