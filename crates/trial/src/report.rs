//! All outcomes of a suite, summed up.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::book::Book;
use crate::case::{Case, Target};
use crate::cause::Kind;
use crate::command::shell_line;
use crate::outcome::{Again, Outcome};
use crate::statistics::{Durations, Share};
use crate::suite::Suite;

/// Its JSON form is a contract: keys are added, never changed. Nothing in it depends on the clock or the machine.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub suite: String,
    /// What `low` and `high` are.
    pub interval: &'static str,
    /// All targets are reached; without any, all runs succeeded.
    pub reached: bool,
    pub all: Summary,
    pub cases: Vec<CaseReport>,
    pub failures: Vec<Failure>,
}

#[derive(Clone, Debug, Serialize)]
pub struct CaseReport {
    pub name: String,
    #[serde(flatten)]
    pub summary: Summary,
    /// What was expected: in how many runs it was true.
    pub truths: Vec<TruthCount>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Runs that were not made yet.
    pub missing: usize,
    pub success: Share,
    /// Of the runs that succeeded.
    pub duration: Option<Durations>,
    pub things: Option<Share>,
    pub retries: Retries,
    pub causes: Vec<CauseCount>,
    /// The smallest of all runs.
    pub min_margin_m: Option<f64>,
    /// The longest and the largest of the runs that succeeded.
    pub longest_outside_s: Option<f64>,
    pub max_friction: Option<f64>,
    pub targets: Vec<Reached>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Retries {
    pub times: usize,
    /// Runs with at least one.
    pub runs: usize,
    pub by_step: Vec<Again>,
}

#[derive(Clone, Debug, Serialize)]
pub struct CauseCount {
    pub kind: Kind,
    pub step: String,
    pub times: usize,
    /// Of the first of them.
    pub why: String,
    /// `case-seed`.
    pub runs: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct TruthCount {
    pub truth: String,
    pub met: Share,
    pub things: Option<Share>,
}

/// A target and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Reached {
    pub what: &'static str,
    pub target: f64,
    /// None: nothing was measured.
    pub is: Option<f64>,
    pub reached: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The folder with all that is needed to repeat it.
    pub folder: String,
    /// What repeats it.
    pub command: String,
    #[serde(flatten)]
    pub outcome: Outcome,
}

impl Report {
    /// `out` is the folder of the results, as it was named.
    pub fn new(suite: &Suite, book: &Book, out: &str) -> Report {
        let of = |case: &Case| case.seeds().filter_map(|seed| book.outcome(&case.name, seed)).collect::<Vec<_>>();
        let by_case: Vec<(&Case, Vec<&Outcome>)> = suite.cases.iter().map(|case| (case, of(case))).collect();
        let cases: Vec<CaseReport> = by_case
            .iter()
            .map(|(case, outcomes)| CaseReport {
                name: case.name.clone(),
                summary: Summary::of(outcomes, case.runs, &case.target),
                truths: truths(outcomes),
            })
            .collect();
        let everything: Vec<&Outcome> = by_case.iter().flat_map(|(_, outcomes)| outcomes.iter().copied()).collect();
        let all = Summary::of(&everything, suite.cases.iter().map(|case| case.runs).sum(), &suite.target);
        let failed = by_case.iter().flat_map(|(case, outcomes)| {
            let failed = outcomes.iter().filter(|outcome| !outcome.success);
            failed.map(|outcome| Failure::new(case, outcome, out)).collect::<Vec<_>>()
        });
        let targets: Vec<&Reached> = cases.iter().flat_map(|case| &case.summary.targets).chain(&all.targets).collect();
        let reached = match targets[..] {
            [] => all.success.done == all.success.of,
            _ => targets.iter().all(|target| target.reached),
        };
        Report {
            suite: suite.name.clone(),
            interval: "95 %, Wilson",
            reached: reached && all.missing == 0,
            failures: failed.collect(),
            all,
            cases,
        }
    }
}

impl Summary {
    fn of(outcomes: &[&Outcome], runs: usize, target: &Target) -> Summary {
        let good: Vec<&&Outcome> = outcomes.iter().filter(|outcome| outcome.success).collect();
        let things: Vec<[usize; 2]> =
            outcomes.iter().flat_map(|outcome| outcome.truths.iter().filter_map(|truth| truth.things)).collect();
        let mut summary = Summary {
            missing: runs.saturating_sub(outcomes.len()),
            success: Share::new(good.len(), outcomes.len()),
            duration: Durations::of(good.iter().map(|outcome| outcome.duration_s).collect()),
            things: share_of(&things),
            retries: retries(outcomes),
            causes: causes(outcomes),
            min_margin_m: outcomes.iter().filter_map(|outcome| outcome.min_margin_m).reduce(f64::min),
            longest_outside_s: good.iter().filter_map(|outcome| outcome.longest_outside_s).reduce(f64::max),
            max_friction: good.iter().filter_map(|outcome| outcome.max_friction).reduce(f64::max),
            targets: Vec::new(),
        };
        let least = |what, target: Option<f64>, is: Option<f64>| {
            target.map(|target| Reached { what, target, is, reached: is.is_some_and(|is| is >= target) })
        };
        let success = (summary.success.of > 0).then_some(summary.success.share);
        let mean_s = summary.duration.map(|duration| duration.mean_s);
        let most = |target: f64| Reached {
            what: "mean_s",
            target,
            is: mean_s,
            reached: mean_s.is_some_and(|is| is <= target),
        };
        let all = [
            least("success", target.success, success),
            target.mean_s.map(most),
            least("things", target.things, summary.things.map(|things| things.share)),
        ];
        summary.targets = all.into_iter().flatten().collect();
        summary
    }
}

fn share_of(things: &[[usize; 2]]) -> Option<Share> {
    let [done, of] = things.iter().fold([0, 0], |[done, of], [more, all]| [done + more, of + all]);
    (of > 0).then(|| Share::new(done, of))
}

fn retries(outcomes: &[&Outcome]) -> Retries {
    let mut by_step: BTreeMap<&str, usize> = BTreeMap::new();
    for again in outcomes.iter().flat_map(|outcome| &outcome.again) {
        *by_step.entry(&again.step).or_default() += again.times;
    }
    let mut by_step: Vec<Again> =
        by_step.into_iter().map(|(step, times)| Again { step: step.to_owned(), times }).collect();
    by_step.sort_by_key(|again| std::cmp::Reverse(again.times));
    Retries {
        times: by_step.iter().map(|again| again.times).sum(),
        runs: outcomes.iter().filter(|outcome| !outcome.again.is_empty()).count(),
        by_step,
    }
}

fn causes(outcomes: &[&Outcome]) -> Vec<CauseCount> {
    let mut counts: BTreeMap<(Kind, &str), CauseCount> = BTreeMap::new();
    for outcome in outcomes {
        let Some(cause) = &outcome.cause else { continue };
        let count = counts.entry((cause.kind, &cause.step)).or_insert_with(|| CauseCount {
            kind: cause.kind,
            step: cause.step.clone(),
            times: 0,
            why: cause.why.clone(),
            runs: Vec::new(),
        });
        count.times += 1;
        count.runs.push(format!("{}-{}", outcome.case, outcome.seed));
    }
    let mut counts: Vec<CauseCount> = counts.into_values().collect();
    counts.sort_by_key(|count| std::cmp::Reverse(count.times));
    counts
}

/// By place: what is drawn may give another text to the same one.
fn truths(outcomes: &[&Outcome]) -> Vec<TruthCount> {
    let most = outcomes.iter().map(|outcome| outcome.truths.len()).max().unwrap_or(0);
    let at = |index: usize| {
        let all: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.truths.get(index)).collect();
        let things: Vec<[usize; 2]> = all.iter().filter_map(|truth| truth.things).collect();
        TruthCount {
            truth: all.first().map_or_else(String::new, |truth| truth.truth.clone()),
            met: Share::new(all.iter().filter(|truth| truth.met).count(), all.len()),
            things: share_of(&things),
        }
    };
    (0..most).map(at).collect()
}

impl Failure {
    fn new(case: &Case, outcome: &Outcome, out: &str) -> Failure {
        let folder = format!("{out}/failures/{}", case.run_name(outcome.seed));
        let world = case.world.as_ref().map(|world| format!("{folder}/{}.json", world.name()));
        let arguments = case.arguments(outcome.seed, world.as_deref());
        let command = shell_line(std::iter::once("coact").chain(arguments.iter().map(String::as_str)));
        Failure { folder, command, outcome: outcome.clone() }
    }
}
