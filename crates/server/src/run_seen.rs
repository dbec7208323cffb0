//! The run as the robot last told it.

use std::collections::BTreeMap;

use engine::{RunFact, Verdict};
use protocol::api::{
    HappenedWhat, HappeningView, HeldView, LateView, MeasuredView, QuestionView, ResultView, RunEnd, RunView,
    RunningView, TokenView, TrackView, VariableView,
};
use protocol::report::{RunMode, RunReport};
use protocol::talk::{Detail, Happening, Holder, InstanceNumber, LateTicks, RunDetail, What};

use crate::numbers::Numbers;

/// Ticks a second of the engine on the robot.
const ENGINE_HZ: f64 = 100.0;

#[derive(Clone, Debug)]
struct Ended {
    /// Counts up over all that ended.
    order: u64,
    result: Verdict,
    outcome: Option<String>,
    reason: Option<String>,
}

/// Kept by number: the tree that says what a number is may come later.
#[derive(Default)]
pub struct RunSeen {
    report: RunReport,
    run: RunDetail,
    late: Option<LateTicks>,
    started_ms: BTreeMap<InstanceNumber, u64>,
    results: BTreeMap<InstanceNumber, Ended>,
    /// By owner and branch.
    tracks: BTreeMap<(Option<InstanceNumber>, u16), protocol::talk::TrackAt>,
    questions: BTreeMap<InstanceNumber, protocol::talk::Question>,
    measured: BTreeMap<InstanceNumber, protocol::talk::Measured>,
    variables: BTreeMap<u32, (Option<InstanceNumber>, String, String)>,
    tokens: BTreeMap<String, Option<String>>,
    ended: Option<RunEnd>,
    steps_ended: u64,
    /// When the run began and ended, by the engine's clock.
    began_ms: Option<u64>,
    ended_ms: Option<u64>,
    runs: u32,
}

impl RunSeen {
    pub fn report(&mut self, report: RunReport) {
        self.report = report;
    }

    pub fn time_s(&self) -> f64 {
        self.report.tick as f64 / ENGINE_HZ
    }

    /// Something may still move.
    pub fn is_active(&self) -> bool {
        !matches!(self.report.mode, RunMode::Stopped | RunMode::Failed)
    }

    pub fn in_control(&self) -> Option<&Holder> {
        self.run.in_control.as_ref()
    }

    pub fn happening(&mut self, happening: &Happening) {
        match &happening.what {
            What::Started(step) => {
                self.started_ms.insert(*step, happening.at_ms);
            }
            What::Ended { step, result, outcome, reason } => {
                self.started_ms.remove(step);
                let text = |text: &Option<std::sync::Arc<str>>| text.as_ref().map(|text| text.to_string());
                self.steps_ended += 1;
                let ended =
                    Ended { order: self.steps_ended, result: *result, outcome: text(outcome), reason: text(reason) };
                self.results.insert(*step, ended);
            }
            What::Run { step: None, fact } => self.run_fact(fact, happening.at_ms),
            What::Run { .. } | What::Control(_) | What::Note { .. } => {}
            // Tracks, questions and what is measured come on a stream of their own, which may be ahead of this one: the
            // first question of a run would be gone again. The robot itself says when one of them ends.
            What::Anew => {
                self.started_ms.clear();
                self.results.clear();
                self.ended = None;
                (self.began_ms, self.ended_ms) = (None, None);
            }
        }
    }

    fn run_fact(&mut self, fact: &RunFact, at_ms: u64) {
        let (result, reason, stopped) = match fact {
            RunFact::Began => {
                self.runs += 1;
                (self.began_ms, self.ended_ms) = (Some(at_ms), None);
                self.ended = None;
                self.results.clear();
                return;
            }
            RunFact::Ended { result, reason } => (*result, reason.as_deref().map(str::to_owned), false),
            RunFact::Stopped { why } => (Verdict::Halted, Some(why.to_string()), true),
            RunFact::Paused
            | RunFact::Resumed
            | RunFact::Edited
            | RunFact::Again { .. }
            | RunFact::With { .. }
            | RunFact::Chose(_)
            | RunFact::Tried(_) => return,
        };
        self.ended = Some(RunEnd { result, reason, stopped, text: fact.to_string() });
        self.ended_ms = self.ended_ms.or(Some(at_ms));
    }

    /// True: a variable or a token is another now.
    pub fn detail(&mut self, detail: Detail) -> bool {
        let key = detail.key();
        match detail {
            Detail::Variable { of, name, value } => {
                match value {
                    Some(value) => self.variables.insert(key, (of, name.to_string(), value)),
                    None => self.variables.remove(&key),
                };
                return true;
            }
            Detail::Token { name, holder } => {
                self.tokens.insert(name.to_string(), holder);
                return true;
            }
            Detail::Track { owner, branch, at: Some(at) } => drop(self.tracks.insert((owner, branch), at)),
            Detail::Track { owner, branch, at: None } => drop(self.tracks.remove(&(owner, branch))),
            Detail::Question { step, asked: Some(asked) } => drop(self.questions.insert(step, asked)),
            Detail::Question { step, asked: None } => drop(self.questions.remove(&step)),
            Detail::Measured { step, value: Some(value) } => drop(self.measured.insert(step, value)),
            Detail::Measured { step, value: None } => drop(self.measured.remove(&step)),
            Detail::Run(run) => self.run = run,
            Detail::Late(late) => self.late = Some(late),
        }
        false
    }

    /// All of tracks, tokens, questions and values; what is not among them has gone. True: a token is another now.
    pub fn details(&mut self, details: Vec<Detail>) -> bool {
        self.tracks.clear();
        self.questions.clear();
        self.measured.clear();
        let tokens = std::mem::take(&mut self.tokens);
        for detail in details {
            self.detail(detail);
        }
        tokens != self.tokens
    }

    /// The values of the behavior's own variables, as they were last told.
    pub fn own_variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables
            .values()
            .filter(|(of, ..)| *of == Some(0))
            .map(|(_, name, value)| (name.as_str(), value.as_str()))
    }

    /// Where the root's next is.
    pub fn next(&self) -> Option<InstanceNumber> {
        self.report.next
    }

    /// Steps of this run whose last end was a success, in the order in which they ended.
    pub fn succeeded(&self) -> Vec<InstanceNumber> {
        let results = self.results.iter().filter(|(_, ended)| ended.result == Verdict::Success);
        let mut succeeded: Vec<(u64, InstanceNumber)> = results.map(|(step, ended)| (ended.order, *step)).collect();
        succeeded.sort_unstable();
        succeeded.into_iter().map(|(_, step)| step).collect()
    }

    pub fn has_result(&self, step: InstanceNumber) -> bool {
        self.results.contains_key(&step)
    }

    pub fn running(&self) -> impl Iterator<Item = InstanceNumber> + '_ {
        self.report.running.iter().map(|running| running.node)
    }

    pub fn locks(&self) -> impl Iterator<Item = InstanceNumber> + '_ {
        self.run.locks.iter().copied()
    }

    /// Its own time, not that of the engine, which may have been up for days.
    fn run_s(&self) -> Option<f64> {
        let until_ms = self.ended_ms.map_or(self.time_s() * 1e3, |ms| ms as f64);
        Some((until_ms - self.began_ms? as f64).max(0.0) / 1e3)
    }

    pub fn view(&self, numbers: &Numbers) -> RunView {
        let instances = |list: &[InstanceNumber]| list.iter().filter_map(|number| numbers.get(*number)).collect();
        let root = self.tracks.get(&(None, 0));
        let time_s = self.time_s();
        let since_s = |step| self.started_ms.get(&step).map_or(time_s, |ms| *ms as f64 / 1e3);
        RunView {
            mode: self.report.mode,
            time_s,
            run_s: self.run_s(),
            automatic: root.map_or(self.report.mode == RunMode::Automatic, |root| root.automatic),
            paused: self.run.paused,
            concurrency: self.run.concurrency,
            autonomy: self.run.autonomy,
            in_control: self.run.in_control.as_ref().map(|holder| holder.name.to_string()),
            next: self.report.next.and_then(|next| numbers.get(next)),
            waits: root.map(|root| root.waits.clone()).unwrap_or_default(),
            running: self
                .report
                .running
                .iter()
                .filter_map(|running| {
                    let progress = running.progress_percent.map(|percent| f64::from(percent) / 100.0);
                    Some(RunningView { step: numbers.get(running.node)?, since_s: since_s(running.node), progress })
                })
                .collect(),
            results: self
                .results
                .iter()
                .filter_map(|(step, ended)| {
                    let Ended { result, outcome, reason, .. } = ended.clone();
                    Some(ResultView { step: numbers.get(*step)?, result, outcome, reason })
                })
                .collect(),
            tracks: self
                .tracks
                .iter()
                .filter_map(|((owner, _), at)| {
                    let owner = match owner {
                        None => None,
                        Some(owner) => Some(numbers.get(*owner)?),
                    };
                    let next = at.next.and_then(|next| numbers.get(next));
                    Some(TrackView {
                        owner,
                        next,
                        automatic: at.automatic,
                        waits: at.waits.clone(),
                        kept_next: at.kept_next.and_then(|kept| numbers.get(kept)),
                        added_by: at.added_by.as_deref().map(str::to_owned),
                    })
                })
                .collect(),
            questions: self
                .questions
                .iter()
                .filter_map(|(step, asked)| {
                    let protocol::talk::Question { text, options, kind, class, of, team_role, parts } = asked.clone();
                    Some(QuestionView { step: numbers.get(*step)?, text, options, kind, class, of, team_role, parts })
                })
                .collect(),
            held: self.held(numbers),
            locks: instances(&self.run.locks),
            breakpoints: instances(&self.run.breakpoints),
            measured: self
                .measured
                .iter()
                .filter_map(|(step, value)| {
                    let protocol::talk::Measured { value, unit, holds } = value.clone();
                    Some(MeasuredView { step: numbers.get(*step)?, value, unit, holds })
                })
                .collect(),
            ended: self.ended.clone(),
            runs: self.runs,
            late: self.late.map(late_view),
        }
    }

    fn held(&self, numbers: &Numbers) -> Vec<HeldView> {
        let held = self.tracks.values().flat_map(|track| &track.held);
        held.filter_map(|held| {
            let protocol::talk::Held { step, by, reason } = held.clone();
            Some(HeldView { step: numbers.get(step)?, by, reason })
        })
        .collect()
    }

    pub fn variables(&self, numbers: &Numbers) -> (Vec<VariableView>, Vec<TokenView>) {
        let variable = |(of, name, value): &(Option<InstanceNumber>, String, String)| VariableView {
            name: name.clone(),
            of: of.filter(|of| *of != 0).and_then(|of| numbers.get(of)),
            world: of.is_none(),
            value: serde_json::from_str(value).unwrap_or_default(),
        };
        let tokens = self.tokens.iter();
        let tokens = tokens.map(|(name, holder)| TokenView { name: name.clone(), holder: holder.clone() });
        (self.variables.values().map(variable).collect(), tokens.collect())
    }
}

/// None: it is about a step that is not in the tree any more.
pub fn happening_view(happening: &Happening, numbers: &Numbers) -> Option<HappeningView> {
    let text = |text: &Option<std::sync::Arc<str>>| text.as_ref().map(|text| text.to_string());
    let what = match &happening.what {
        What::Started(step) => HappenedWhat::Started { step: numbers.get(*step)? },
        What::Ended { step, result, outcome, reason } => HappenedWhat::Ended {
            step: numbers.get(*step)?,
            result: *result,
            outcome: text(outcome),
            reason: text(reason),
        },
        What::Note { kind, step, text } => {
            HappenedWhat::Note { kind: *kind, step: step.and_then(|step| numbers.get(step)), text: text.to_string() }
        }
        What::Run { step, fact } => HappenedWhat::Run {
            step: step.and_then(|step| numbers.get(step)),
            text: fact.to_string(),
            fact: fact.clone(),
        },
        What::Control(fact) => HappenedWhat::Control { text: fact.to_string(), fact: fact.clone() },
        What::Anew => HappenedWhat::Anew,
    };
    Some(HappeningView { at_s: happening.at_ms as f64 / 1e3, what })
}

fn late_view(late: LateTicks) -> LateView {
    let ms = |us: u32| f64::from(us) / 1e3;
    LateView {
        count: late.count,
        worst_ms: ms(late.worst_us),
        last_ms: ms(late.last_us),
        last_at_s: late.last_at_ms as f64 / 1e3,
    }
}
