use engine::{Binder, OrganiserType, Target, Variable};
use experience::Means;
use expression::Expression;
use model::Role;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Strategy;

/// What a sense may not exceed, in either direction, while the strategy runs.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// What is watched, as `effort('right', 'elbow')`.
    pub sense: Expression,
    /// Beyond this the attempt ends, and the strategy is not chosen where more was needed.
    #[schemars(range(min = 0.0))]
    pub max: f64,
}

/// What else ends an attempt.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ends {
    /// The attempt ends as soon as this holds, or cannot be judged.
    pub condition: Expression,
    /// What it is called in the record, and the outcome if nothing follows.
    #[serde(default)]
    pub outcome: String,
    /// What it means for the next attempt.
    #[serde(default)]
    pub means: Then,
    /// Whether the attempt counts; left out: as `means` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<bool>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Then {
    /// It went wrong: counted, and tried again.
    #[default]
    Retry,
    /// Another strategy is wanted: counted only if the same is chosen again.
    Switch,
    /// The hand must be placed anew: not counted.
    Regrasp,
    /// Nothing is tried again.
    Abort,
}

impl Ends {
    pub fn means(&self) -> Means {
        match (self.counts, self.means) {
            (_, Then::Abort) => Means::Abort,
            (Some(true), _) | (None, Then::Retry) => Means::Retry,
            (_, Then::Switch) => Means::Switch,
            (_, Then::Regrasp) | (Some(false), Then::Retry) => Means::Regrasp,
        }
    }
}

/// A number that the strategy runs with, as a share of its speed: as large as loads allow.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The variable that is set before the strategy starts.
    pub name: Variable,
    /// The least.
    pub from: f64,
    /// The most: what it runs with under no load.
    pub to: f64,
    /// What makes it less.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<Load>,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// What is borne, as an effort with the object less that before it.
    pub sense: Expression,
    /// By so much a unit of it makes the number less.
    #[schemars(range(min = 0.0))]
    pub slows: f64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnComplete {
    /// The task is done.
    #[default]
    Done,
    /// There is more to do, if no task condition holds: the next attempt follows, and this one does not count.
    Again,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// What ends an attempt because it takes more than this strategy may. They are learned from, too.
    pub limits: Vec<Limit>,
    /// What else ends an attempt, each with what it means.
    pub conditions: Vec<Ends>,
    /// For strategies that can be run more or less quickly.
    pub parameter: Option<Parameter>,
    /// How long an attempt takes, s, while nobody knows better; left out: what its steps are expected to take.
    #[schemars(extend("x-unit" = "s"))]
    pub nominal_s: Expression,
    /// What of that does not move the state, s.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub overhead_s: f64,
    /// How far one attempt moves the state; left out: it does all at once, or the task has no number for a state.
    #[schemars(range(min = 0.0))]
    pub stroke: Option<f64>,
    /// The node in it while which samples are taken; left out: all the time.
    pub records: Target,
    /// What it means that it has run to its end.
    pub on_complete: OnComplete,
    #[serde(skip)]
    pub is_recording: Expression,
}

impl OrganiserType for Strategy {
    const NAME: &'static str = "strategy";
    const DOC: &'static str = "One of the ways in which an `adaptive` does its task, with what must not be exceeded meanwhile. Its children \
         run like those of a sequence.";
    const ICON: Option<&'static str> = Some("route");
    const WORDS: &'static [&'static str] = &["adaptive", "way", "alternative", "limit", "attempt"];
    const ROLE: Role = Role::Sequence;
    const IS_ASKED: bool = true;
    type Settings = Settings;

    fn bind(settings: &mut Settings, binder: &mut Binder<'_>) {
        for limit in &mut settings.limits {
            binder.expression("limits", &mut limit.sense);
        }
        for each in &mut settings.conditions {
            binder.expression("conditions", &mut each.condition);
        }
        if let Some(parameter) = &mut settings.parameter {
            binder.writes(&mut parameter.name);
            for load in &mut parameter.loads {
                binder.expression("parameter", &mut load.sense);
            }
        }
        binder.expression("nominal_s", &mut settings.nominal_s);
        binder.target("records", &mut settings.records);
        if !settings.records.is_empty() {
            let name = settings.records.text().replace('\\', "\\\\").replace('\'', "\\'");
            settings.is_recording = Expression::new(&format!("result('{name}') == 'running'"));
            binder.expression("records", &mut settings.is_recording);
        }
    }
}
