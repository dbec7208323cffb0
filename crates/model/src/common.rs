use std::collections::BTreeMap;
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalogue::FieldInfo;
use crate::schema::fields_of;

/// How much a robot may do by itself. A step starts by itself only if the operator's level is above the step's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Autonomy {
    #[default]
    Off,
    Low,
    High,
    Full,
}

/// What a step does when what it claims is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConflictPolicy {
    /// Waits until it is free.
    #[default]
    Wait,
    /// Fails at once.
    Fail,
    /// Takes it; the step that had it ends halted.
    Override,
}

/// When a guard's condition counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Edge {
    /// Whenever it holds.
    #[default]
    State,
    /// When it becomes true after the start.
    Rise,
    /// When it becomes false after the start.
    Fall,
}

/// A condition that is watched while a step runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// What is watched.
    #[schemars(extend("format" = "expression"))]
    pub condition: String,
    /// When it counts: whenever it holds, or on its edge.
    #[serde(default)]
    pub edge: Edge,
    /// The named outcome the step then ends with.
    #[serde(default)]
    pub outcome: String,
    /// In a preview, where nothing is felt, it is taken as met: a `while` always, an `until` when the step has come to its
    /// own end.
    #[serde(default, skip_serializing_if = "is_false")]
    pub preview: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// One guard or several: `"contact"`, `{"condition": "contact", "edge": "rise"}` or a list of these.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Guards {
    #[default]
    None,
    Plain(#[schemars(extend("format" = "expression"))] String),
    One(Guard),
    Many(Vec<Guards>),
}

impl Guards {
    pub fn list(&self) -> Vec<Guard> {
        match self {
            Guards::None => Vec::new(),
            Guards::Plain(condition) => vec![Guard { condition: condition.clone(), ..Guard::default() }],
            Guards::One(guard) => vec![guard.clone()],
            Guards::Many(guards) => guards.iter().flat_map(Guards::list).collect(),
        }
    }
}

/// The result a step reports whatever its own was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EndAs {
    Success,
    Failure,
}

/// When a case of a choose is taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum When {
    Condition(#[schemars(extend("format" = "expression"))] String),
    Outcome { outcome: String },
}

/// Settings that any node may have, beside those of its type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Common {
    /// Starts when this no longer runs: `Previous`, `Beginning`, or a node.
    #[schemars(extend("format" = "node", "x-fixed" = true))]
    pub after: Option<String>,
    /// Under a choose: the case is taken when this holds.
    #[schemars(extend("x-fixed" = true))]
    pub when: Option<When>,
    /// Ends it as success when this holds.
    #[schemars(extend("x-fixed" = true))]
    pub until: Guards,
    /// Ends it as failure when this no longer holds.
    #[serde(rename = "while")]
    #[schemars(extend("x-fixed" = true))]
    pub while_: Guards,
    /// Ends it as failure after this time, all attempts together, pauses excluded.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub timeout_s: Option<f64>,
    /// How many more attempts its own failure is given.
    pub retry: u32,
    /// Reports this result whatever its own was; halted stays halted.
    pub end_as: Option<EndAs>,
    /// The named outcome it ends with, whatever its own was.
    pub outcome_as: Option<String>,
    /// Tokens it needs for itself while it runs.
    #[schemars(extend("format" = "tokens", "x-fixed" = true))]
    pub claims: Vec<String>,
    /// What it does when a claim is taken.
    pub on_conflict: ConflictPolicy,
    /// Starts by itself only if the operator's level is above this.
    #[schemars(extend("x-fixed" = true))]
    pub autonomy: Autonomy,
    /// By named outcome: it is reported only if the operator's level is above this; until then it waits for the operator.
    #[schemars(extend("x-fixed" = true))]
    pub outcome_autonomy: BTreeMap<String, Autonomy>,
    /// It does not run and counts as not there, with all that is in it, until it is enabled again.
    #[schemars(extend("x-fixed" = true))]
    pub disabled: bool,
    /// How it ends in a preview, where nothing is touched or seen; only of steps that judge, wait or ask. What moves the
    /// body is computed.
    #[schemars(extend("x-fixed" = true))]
    pub preview: Option<EndAs>,
}

/// The keys of [`Common`], in the order files are written.
pub const COMMON_FIELDS: [&str; 14] = [
    "after",
    "when",
    "until",
    "while",
    "timeout_s",
    "retry",
    "end_as",
    "outcome_as",
    "claims",
    "on_conflict",
    "autonomy",
    "outcome_autonomy",
    "disabled",
    "preview",
];

pub fn is_common(key: &str) -> bool {
    COMMON_FIELDS.contains(&key)
}

pub fn common_fields() -> &'static [FieldInfo] {
    static FIELDS: OnceLock<Vec<FieldInfo>> = OnceLock::new();
    FIELDS.get_or_init(|| fields_of::<Common>().1)
}
