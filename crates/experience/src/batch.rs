use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Of what a batch holds and means: a batch of another one is not used.
pub const FORMAT: u32 = 1;

/// How far a task is: a number, as the angle of a valve, or one of several states by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum State {
    Number(f64),
    /// Empty where a task has no states.
    Named(Arc<str>),
}

impl State {
    pub fn none() -> State {
        State::Named("".into())
    }

    pub fn number(&self) -> Option<f64> {
        match self {
            State::Number(number) => Some(*number),
            State::Named(_) => None,
        }
    }
}

/// Beyond this magnitude an attempt is ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// The expression that is watched.
    pub sense: Arc<str>,
    pub max: f64,
}

/// One sample: when, since the attempt began, where, and what each limit's sense was. In files a list of three.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row(pub f64, pub State, pub Vec<f64>);

/// How long the parts of an attempt took, in seconds. All but `manipulate` is overhead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Phases {
    pub setup: f64,
    /// Of the strategy, before its samples begin.
    pub approach: f64,
    /// While samples are taken.
    pub manipulate: f64,
    /// Of the strategy, behind its samples.
    pub retract: f64,
    pub recover: f64,
}

impl Phases {
    pub fn overhead_s(&self) -> f64 {
        self.setup + self.approach + self.retract + self.recover
    }
}

/// What one attempt has shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    pub format: u32,
    pub task: Arc<str>,
    pub robot: Arc<str>,
    pub strategy: Arc<str>,
    /// What was chosen for a strategy that has a parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<f64>,
    /// All attempts from one start of the step to its end have the same.
    pub trial: u64,
    pub attempt: u32,
    /// False: its states count from somewhere, until a shift says from where.
    pub placed: bool,
    pub limits: Vec<Limit>,
    pub rows: Vec<Row>,
    /// How far the state went while samples were taken.
    pub moved: f64,
    pub phases_s: Phases,
    pub ended: Arc<str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub outcome: Arc<str>,
}

impl Batch {
    /// Numbers that are none would make every estimate none.
    pub fn is_finite(&self) -> bool {
        let phases = [self.phases_s.overhead_s(), self.phases_s.manipulate, self.moved];
        let limits = self.limits.iter().map(|limit| limit.max);
        let rows = self.rows.iter().flat_map(|Row(t_s, state, values)| {
            [*t_s, state.number().unwrap_or_default()].into_iter().chain(values.iter().copied())
        });
        phases.into_iter().chain(limits).chain(self.parameter).chain(rows).all(f64::is_finite)
            && self.rows.iter().all(|Row(_, _, values)| values.len() == self.limits.len())
    }
}

/// The end of a task has shown where its states count from: by so much every state of the trial is moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shift {
    pub task: Arc<str>,
    pub trial: u64,
    pub by: f64,
}

/// A person made a trial end as it did: nothing is learned from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forget {
    pub task: Arc<str>,
    pub trial: u64,
}

impl Forget {
    pub fn is_of(&self, batch: &Batch) -> bool {
        batch.trial == self.trial && batch.task == self.task
    }
}
