//! Suites of runs, and a trial of one as far as it is.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A suite in the folder of the operator process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct SuiteView {
    /// Names it in requests.
    pub file: String,
    /// What is wrong with it; none: it can be started.
    pub wrong: Option<String>,
    pub cases: Vec<SuiteCaseView>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct SuiteCaseView {
    pub name: String,
    pub behavior: String,
    pub robot: Option<String>,
    pub world: Option<String>,
    /// As the suite says.
    pub runs: u32,
}

/// The trial that runs, or the one that ran last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct TrialView {
    pub suite: String,
    /// Who started it.
    pub by: String,
    /// Milliseconds since 1970.
    pub began_unix_ms: f64,
    pub running: bool,
    /// Somebody stopped it: what is being run ends first.
    pub stopping: bool,
    /// Why it ended before all runs were made.
    pub ended: Option<String>,
    /// Where its report is, once it is written.
    pub report: Option<String>,
    pub cases: Vec<TrialCaseView>,
    /// Those that were made, in the order of cases and seeds.
    pub runs: Vec<TrialRunView>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct TrialCaseView {
    pub name: String,
    pub total: u32,
    pub done: u32,
    pub succeeded: u32,
    /// The share of runs that succeeds, with 95 %; none: nothing was run.
    pub least_share: Option<f64>,
    pub greatest_share: Option<f64>,
    /// Of those that succeeded.
    pub mean_s: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct TrialRunView {
    pub case: String,
    pub seed: f64,
    pub success: bool,
    pub duration_s: f64,
    /// What went wrong, for a person; empty: nothing did.
    pub why: String,
    /// To be opened as any recording; none: it left none.
    pub recording: Option<String>,
}
