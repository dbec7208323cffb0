//! Where a run went wrong, and how often steps were tried again, as its report tells.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Bound;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::outcome::Again;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    pub kind: Kind,
    /// What failed or ran; empty: none did.
    pub step: String,
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The behavior failed, with this step last.
    Failed,
    Fell,
    /// This step still ran when the time was over.
    TimeOver,
    /// While this step ran.
    Touched,
    /// All went well, but for what the world says.
    NotTrue,
    /// The behavior ended otherwise than the case wants.
    EndedOtherwise,
    /// The program did not start the run.
    Refused,
    Crashed,
}

impl Kind {
    pub fn words(self) -> &'static str {
        match self {
            Kind::Failed => "failed",
            Kind::Fell => "the robot fell during",
            Kind::TimeOver => "time was over during",
            Kind::Touched => "touched something during",
            Kind::NotTrue => "not true of the world at the end",
            Kind::EndedOtherwise => "the behavior ended otherwise than it should",
            Kind::Refused => "the run was not started",
            Kind::Crashed => "the program crashed",
        }
    }
}

/// In a line, for a person.
impl fmt::Display for Cause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.kind.words())?;
        if !self.step.is_empty() {
            write!(out, " `{}`", self.step)?;
        }
        if self.why.is_empty() { Ok(()) } else { write!(out, ": {}", self.why) }
    }
}

/// Executions of steps that have no others in them.
pub(crate) struct Leaves<'a>(Vec<Leaf<'a>>);

struct Leaf<'a> {
    name: &'a str,
    path: &'a str,
    start_s: f64,
    end_s: Option<f64>,
    result: Option<&'a str>,
    reason: &'a str,
}

impl<'a> Leaves<'a> {
    /// Of the report of a run.
    pub fn of(report: &'a Value) -> Leaves<'a> {
        let steps = report["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
        let text = |step: &'a Value, key: &str| step[key].as_str().unwrap_or_default();
        let paths: BTreeSet<&str> = steps.iter().map(|step| text(step, "path")).collect();
        let has_others = |path: &str| {
            let inside = format!("{}/", path.trim_end_matches('/'));
            paths
                .range::<str, _>((Bound::Included(&*inside), Bound::Unbounded))
                .next()
                .is_some_and(|next| next.starts_with(&inside))
        };
        let leaves = steps.iter().filter(|step| !has_others(text(step, "path"))).map(|step| Leaf {
            name: text(step, "node"),
            path: text(step, "path"),
            start_s: step["start_s"].as_f64().unwrap_or_default(),
            end_s: step["end_s"].as_f64(),
            result: step["result"].as_str(),
            reason: text(step, "reason"),
        });
        Leaves(leaves.collect())
    }

    /// The step that failed last, and why.
    pub fn last_failed(&self) -> Option<(&'a str, &'a str)> {
        let failed = self.0.iter().filter(|leaf| leaf.result == Some("failure"));
        let last = failed.max_by(|a, b| a.end_s.unwrap_or(0.0).total_cmp(&b.end_s.unwrap_or(0.0)))?;
        Some((last.name, last.reason))
    }

    /// What had started last of all that ran then.
    pub fn running_at(&self, time_s: f64) -> Option<&'a str> {
        let ran = self.0.iter().filter(|leaf| leaf.start_s <= time_s && leaf.end_s.is_none_or(|end_s| end_s >= time_s));
        ran.max_by(|a, b| a.start_s.total_cmp(&b.start_s)).map(|leaf| leaf.name)
    }

    /// What was cut short last.
    pub fn cut_short(&self) -> Option<&'a str> {
        let cut = self.0.iter().filter(|leaf| leaf.result.is_none_or(|result| result == "halted"));
        let end_s = |leaf: &Leaf| leaf.end_s.unwrap_or(f64::INFINITY);
        cut.max_by(|a, b| end_s(a).total_cmp(&end_s(b)).then(a.start_s.total_cmp(&b.start_s))).map(|leaf| leaf.name)
    }

    /// How often each step was started again after it had failed, with the attempts of `retry`.
    pub fn again(&self, report: &Value) -> Vec<Again> {
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        let mut has_failed: BTreeMap<&str, bool> = BTreeMap::new();
        for leaf in &self.0 {
            let failed = leaf.result == Some("failure");
            if has_failed.insert(leaf.path, failed) == Some(true) {
                *times.entry(leaf.name).or_default() += 1;
            }
        }
        let log = report["log"].as_array().map(Vec::as_slice).unwrap_or_default();
        for note in log {
            if note["attempt"].is_number() {
                let path = note["path"].as_str().unwrap_or_default();
                *times.entry(path.rsplit('/').next().unwrap_or(path)).or_default() += 1;
            }
        }
        times.into_iter().map(|(step, times)| Again { step: step.to_owned(), times }).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn step(path: &str, times: (f64, f64), result: &str) -> Value {
        let node = path.rsplit('/').next();
        json!({"path": path, "node": node, "start_s": times.0, "end_s": times.1, "result": result, "reason": "so"})
    }

    #[test]
    fn what_failed_is_a_step_and_not_what_it_is_in() {
        let report = json!({"steps": [
            step("/Open", (0.0, 9.0), "failure"),
            step("/Open/Grasp", (0.0, 1.0), "failure"),
            step("/Open/Grasp", (2.0, 3.0), "success"),
            step("/Open/Pull", (3.0, 4.0), "failure"),
            step("/Open/Grasp", (5.0, 6.0), "success"),
            step("/Open/Pull", (6.0, 9.0), "failure"),
            step("/Opener", (9.0, 9.5), "halted"),
        ], "log": [{"path": "/Look", "text": "failed", "attempt": 2}]});
        let leaves = Leaves::of(&report);
        assert_eq!(leaves.last_failed(), Some(("Pull", "so")));
        assert_eq!(leaves.running_at(2.5), Some("Grasp"));
        assert_eq!(leaves.running_at(4.5), None);
        assert_eq!(leaves.cut_short(), Some("Opener"));
        let again: Vec<_> = leaves.again(&report).into_iter().map(|again| (again.step, again.times)).collect();
        assert_eq!(again, [("Grasp".to_owned(), 1), ("Look".to_owned(), 1), ("Pull".to_owned(), 1)]);
    }
}
