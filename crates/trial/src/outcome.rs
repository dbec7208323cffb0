use recording::StoppedBy;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::case::Case;
use crate::cause::{Cause, Kind, Leaves};

/// What a run gave.
#[derive(Clone, Debug)]
pub enum Ran {
    /// The report of the run.
    Ended(Value),
    /// It was not started: what was told.
    Refused(String),
    Crashed(String),
}

/// What became of one run, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub case: String,
    pub seed: u64,
    pub success: bool,
    /// Of the behavior: `success`, `failure`, `halted`; `crashed` or `refused`.
    pub result: String,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StoppedBy>,
    pub ended_s: f64,
    /// Until all that is expected was true; until the end, where nothing is.
    pub duration_s: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<Again>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truths: Vec<TruthLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_margin_m: Option<f64>,
    /// The longest time in a row with the centre of pressure outside the feet; above 0.1 s the robot falls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest_outside_s: Option<f64>,
    /// That the feet needed; above 0.6 the robot falls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_friction: Option<f64>,
}

/// A step that was started again after it had failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    pub step: String,
    pub times: usize,
}

/// As the report of a run has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TruthLine {
    pub truth: String,
    /// It is the one about the robot: that it did not fall.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_balance: bool,
    pub met: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_s: Option<f64>,
    /// How many of how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub things: Option<[usize; 2]>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

impl Outcome {
    pub fn judge(case: &Case, seed: u64, ran: &Ran) -> Outcome {
        match ran {
            Ran::Ended(report) => Outcome::of_report(case, seed, report),
            Ran::Refused(why) => Outcome::without_report(case, seed, ("refused", Kind::Refused), why),
            Ran::Crashed(why) => Outcome::without_report(case, seed, ("crashed", Kind::Crashed), why),
        }
    }

    fn without_report(case: &Case, seed: u64, (result, kind): (&str, Kind), why: &str) -> Outcome {
        Outcome {
            case: case.name.clone(),
            seed,
            success: false,
            result: result.to_owned(),
            reason: why.to_owned(),
            stopped: None,
            ended_s: 0.0,
            duration_s: 0.0,
            cause: Some(Cause { kind, step: String::new(), why: why.to_owned() }),
            again: Vec::new(),
            truths: Vec::new(),
            min_margin_m: None,
            longest_outside_s: None,
            max_friction: None,
        }
    }

    fn of_report(case: &Case, seed: u64, report: &Value) -> Outcome {
        let text = |key: &str| report[key].as_str().unwrap_or_default().to_owned();
        let truths: Vec<TruthLine> = serde_json::from_value(report["truths"].clone()).unwrap_or_default();
        let ended_s = report["duration_s"].as_f64().unwrap_or_default();
        let met = truths.iter().filter(|truth| truth.met).filter_map(|truth| truth.at_s);
        let leaves = Leaves::of(report);
        let balance = |key: &str| report["balance"][key].as_f64();
        let mut outcome = Outcome {
            case: case.name.clone(),
            seed,
            success: false,
            result: text("result"),
            reason: text("reason"),
            stopped: serde_json::from_value(report["stopped"].clone()).ok(),
            ended_s,
            duration_s: met.reduce(f64::max).unwrap_or(ended_s),
            cause: None,
            again: leaves.again(report),
            truths,
            min_margin_m: balance("min_margin_m"),
            longest_outside_s: balance("longest_outside_s"),
            max_friction: balance("max_friction"),
        };
        outcome.cause = outcome.cause(case, &leaves);
        outcome.success = outcome.cause.is_none();
        outcome
    }

    /// None: it has succeeded.
    fn cause(&self, case: &Case, leaves: &Leaves) -> Option<Cause> {
        let cause = |kind: Kind, step: Option<&str>, why: &str| {
            Some(Cause { kind, step: step.unwrap_or_default().to_owned(), why: why.to_owned() })
        };
        let untrue = self.truths.iter().find(|truth| !truth.met);
        if let Some(fall) = self.truths.iter().find(|truth| truth.of_balance && !truth.met) {
            return cause(Kind::Fell, leaves.cut_short(), &fall.why);
        }
        if !case.ends.allows(&self.result) {
            return match self.result.as_str() {
                "failure" => {
                    let (step, why) = leaves.last_failed().unwrap_or(("", &self.reason));
                    cause(Kind::Failed, Some(step), if why.is_empty() { &self.reason } else { why })
                }
                "halted" if self.stopped != Some(StoppedBy::Interrupt) => {
                    cause(Kind::TimeOver, leaves.cut_short(), untrue.map_or("", |truth| &truth.why))
                }
                other => cause(Kind::EndedOtherwise, None, &format!("{other} instead of {}", case.ends.word())),
            };
        }
        let truth = untrue?;
        let why = if truth.why.is_empty() { truth.truth.clone() } else { format!("{}: {}", truth.truth, truth.why) };
        match truth.at_s {
            Some(at_s) => cause(Kind::Touched, leaves.running_at(at_s), &why),
            None => cause(Kind::NotTrue, Some(&truth.truth), &truth.why),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::suite::Suite;

    fn case(more: &str) -> Case {
        let text = format!(r#"{{"version": 1, "cases": [{{"name": "a", "behavior": "b.json"{more}}}]}}"#);
        Suite::from_json("s.json", &text).expect("a suite").cases.remove(0)
    }

    fn judged(case: &Case, result: &str, truths: &Value) -> Outcome {
        let steps = json!([
            {"path": "/Walk", "node": "Walk", "start_s": 0.0, "end_s": 4.0, "result": "failure", "reason": "too far"},
            {"path": "/Wait", "node": "Wait", "start_s": 4.0, "end_s": 9.0, "result": "halted", "reason": ""}]);
        let report =
            json!({"result": result, "reason": "why", "duration_s": 9.0, "steps": steps, "truths": truths, "log": []});
        Outcome::judge(case, 3, &Ran::Ended(report))
    }

    fn cause(outcome: &Outcome) -> (Kind, &str, &str) {
        let cause = outcome.cause.as_ref().expect("a cause");
        (cause.kind, &cause.step, &cause.why)
    }

    #[test]
    fn a_run_succeeds_if_the_behavior_and_the_world_say_so() {
        let stands = json!({"truth": "the robot never fell", "of_balance": true, "met": true});
        let through = json!({"truth": "through door", "met": true, "at_s": 7.5});
        let untouched = json!({"truth": "frame untouched", "met": true});
        let good = judged(&case(""), "success", &json!([stands, through, untouched]));
        assert!(good.success);
        assert_eq!((good.duration_s, good.ended_s), (7.5, 9.0));
        assert_eq!(judged(&case(""), "success", &json!([stands, untouched])).duration_s, 9.0);
        let not = json!({"truth": "through door", "met": false, "why": "it stands before it"});
        let bad = judged(&case(""), "success", &json!([stands, not]));
        assert_eq!(cause(&bad), (Kind::NotTrue, "through door", "it stands before it"));
        let touched = json!({"truth": "frame untouched", "met": false, "at_s": 2.0, "why": "the elbow did"});
        let bad = judged(&case(""), "success", &json!([touched]));
        assert_eq!(cause(&bad), (Kind::Touched, "Walk", "frame untouched: the elbow did"));
    }

    #[test]
    fn the_behavior_must_end_as_the_case_wants() {
        let none = json!([]);
        assert_eq!(cause(&judged(&case(""), "failure", &none)), (Kind::Failed, "Walk", "too far"));
        assert_eq!(cause(&judged(&case(""), "halted", &none)), (Kind::TimeOver, "Wait", ""));
        let waits = case(r#", "ends": "halted""#);
        assert!(judged(&waits, "halted", &none).success);
        assert_eq!(cause(&judged(&waits, "success", &none)).0, Kind::EndedOtherwise);
        let any = case(r#", "ends": "any""#);
        assert!(judged(&any, "failure", &none).success);
        let fell = json!([{"truth": "the robot never fell", "of_balance": true, "met": false, "why": "its feet"}]);
        assert_eq!(cause(&judged(&any, "failure", &fell)), (Kind::Fell, "Wait", "its feet"));
    }

    #[test]
    fn crashes_are_failures() {
        let crashed = Outcome::judge(&case(""), 3, &Ran::Crashed("signal 11".to_owned()));
        assert_eq!((crashed.success, cause(&crashed)), (false, (Kind::Crashed, "", "signal 11")));
    }
}
