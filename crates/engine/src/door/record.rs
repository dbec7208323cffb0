use std::sync::Arc;

use model::Value;
use scene::SceneChange;
use serde::Serialize;

use crate::ids::{ScopeId, UseId};
use crate::{End, RunFact, Verdict};

/// Names one instance of a step, for the whole life of an engine: never used again for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(pub u32);

/// Something that happened, with what it happened to. Small, because a run makes millions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    pub tick: u64,
    pub time_ns: i64,
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    Started(InstanceId),
    /// `detail` is a place in [`Recording::details`], or [`NO_DETAIL`].
    Ended {
        step: InstanceId,
        verdict: Verdict,
        detail: u32,
    },
    /// A step is held at next; `detail` says why.
    Held {
        step: InstanceId,
        detail: u32,
    },
    /// Place in [`Recording::changes`].
    Changed(u32),
    /// Place in [`Recording::notes`].
    Note(u32),
    /// Place in [`Recording::scene`].
    Scene(u32),
    /// A condition's value, of the step that judges it; a place in [`Recording::measured`].
    Measured(u32),
}

pub const NO_DETAIL: u32 = u32::MAX;

#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Skill use it belongs to; none: a world variable.
    pub(crate) scope: Option<ScopeId>,
    pub name: Arc<str>,
    /// None: it has no value now.
    pub value: Option<Value>,
    /// None: came from outside.
    pub by: Option<InstanceId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    pub step: Option<InstanceId>,
    pub told: Told,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// Written by a log step.
    Log(Box<str>),
    Warning(Box<str>),
    Run(RunFact),
}

/// Something that became of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectChange {
    pub change: SceneChange,
    /// None: what was seen made it so, or an operator.
    pub by: Option<InstanceId>,
}

/// The value that a condition judges: a distance, a count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measured {
    pub value: f64,
    /// Empty: a mere number.
    pub unit: &'static str,
    /// What the condition says of it.
    pub holds: bool,
}

/// Outcome and reason of an end, or the reason of a hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detail {
    pub outcome: Option<Arc<str>>,
    pub reason: Option<Box<str>>,
}

/// All that happened since it was last taken, in order.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    pub events: Vec<Event>,
    pub details: Vec<Detail>,
    pub changes: Vec<Change>,
    pub notes: Vec<Note>,
    pub scene: Vec<ObjectChange>,
    pub measured: Vec<(InstanceId, Measured)>,
}

impl Recording {
    pub fn clear(&mut self) {
        self.events.clear();
        self.details.clear();
        self.changes.clear();
        self.notes.clear();
        self.scene.clear();
        self.measured.clear();
    }

    pub fn detail(&self, index: u32) -> Option<&Detail> {
        self.details.get(index as usize)
    }

    #[inline]
    pub(crate) fn push(&mut self, tick: u64, time_ns: i64, what: What) {
        self.events.push(Event { tick, time_ns, what });
    }

    pub(crate) fn add_detail(&mut self, outcome: Option<Arc<str>>, reason: Option<Box<str>>) -> u32 {
        if outcome.is_none() && reason.is_none() {
            return NO_DETAIL;
        }
        self.details.push(Detail { outcome, reason });
        self.details.len() as u32 - 1
    }

    #[inline]
    pub(crate) fn ended(&mut self, tick: u64, time_ns: i64, step: InstanceId, end: &End) {
        let plain = end.outcome.is_none() && end.reason.is_none();
        let detail = if plain { NO_DETAIL } else { self.add_detail(end.outcome.clone(), end.reason.clone()) };
        self.push(tick, time_ns, What::Ended { step, verdict: end.verdict, detail });
    }

    pub(crate) fn changed(&mut self, tick: u64, time_ns: i64, change: Change) {
        self.changes.push(change);
        self.push(tick, time_ns, What::Changed(self.changes.len() as u32 - 1));
    }

    pub(crate) fn note(&mut self, tick: u64, time_ns: i64, note: Note) {
        self.notes.push(note);
        self.push(tick, time_ns, What::Note(self.notes.len() as u32 - 1));
    }

    pub(crate) fn object(&mut self, tick: u64, time_ns: i64, change: ObjectChange) {
        self.scene.push(change);
        self.push(tick, time_ns, What::Scene(self.scene.len() as u32 - 1));
    }

    pub(crate) fn measured(&mut self, tick: u64, time_ns: i64, step: InstanceId, measured: Measured) {
        self.measured.push((step, measured));
        self.push(tick, time_ns, What::Measured(self.measured.len() as u32 - 1));
    }
}

/// What is needed to name an instance after its node is gone.
#[derive(Clone, Debug)]
pub(crate) struct InstanceInfo {
    pub use_id: UseId,
    pub node: model::NodeId,
}
