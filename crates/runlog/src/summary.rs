//! A recording at a glance: what a list shows, the bars of its steps, where the time went. Made while it is written, and
//! made again from one that was cut off.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Instance, RunFact, Verdict};
use protocol::api::LineKind;
use serde::{Deserialize, Serialize};

use crate::line::{Aside, Fact, InputLine, TraceLine};
use crate::witness::Doing;

/// More than anybody looks at one by one; the steps of a loop that ran for days.
const MOST_BARS: usize = 20_000;
const MOST_LINES: usize = 5_000;
const MOST_EDITS: usize = 5_000;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub ticks: u64,
    pub end_ns: i64,
    pub result: Option<Verdict>,
    pub reason: String,
    pub runs: Vec<Run>,
    pub who: Vec<String>,
    pub bars: Vec<Bar>,
    /// Beyond the most.
    pub bars_left_out: u64,
    pub lines: Vec<Line>,
    pub edits: Vec<EditedAt>,
    pub cameras: Vec<String>,
    /// Ticks that are missing.
    pub lost: u64,
    /// Nanoseconds, by what they went to.
    pub time_went: Vec<(Doing, i64)>,
    pub link_dark_ns: i64,
    /// Names of what can be plotted beside joints and the body.
    pub numbers: Vec<(String, String)>,
    #[serde(skip)]
    open: BTreeMap<(Vec<u64>, u64), usize>,
    #[serde(skip)]
    last: Option<(i64, Doing)>,
    #[serde(skip)]
    dark_since: Option<i64>,
    #[serde(skip)]
    links: BTreeMap<String, bool>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub began_ns: i64,
    pub ended_ns: Option<i64>,
    pub result: Option<Verdict>,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    pub step: Instance,
    pub path: String,
    pub kind: Arc<str>,
    pub start_ns: i64,
    pub end_ns: Option<i64>,
    pub result: Option<Verdict>,
    pub outcome: Option<Arc<str>>,
    pub reason: Option<Box<str>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub at_ns: i64,
    pub kind: LineKind,
    pub step: Option<Instance>,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditedAt {
    pub at_ns: i64,
    pub version: u32,
    pub by: Option<String>,
}

impl Summary {
    pub fn input(&mut self, line: &InputLine) {
        (self.ticks, self.end_ns) = (line.tick, line.input.time_ns);
        for batch in &line.input.edits {
            let version = self.edits.last().map_or(0, |edit| edit.version) + 1;
            let by = batch.by.as_ref().map(|by| by.name.to_string());
            by.iter().for_each(|by| self.met(by));
            if self.edits.len() < MOST_EDITS {
                self.edits.push(EditedAt { at_ns: line.input.time_ns, version, by });
            } else if let Some(last) = self.edits.last_mut() {
                last.version = version;
            }
        }
        for sight in &line.input.sights {
            if !self.cameras.iter().any(|known| **known == *sight.camera) {
                self.cameras.push(sight.camera.to_string());
            }
        }
    }

    fn met(&mut self, name: &str) {
        if !self.who.iter().any(|known| known == name) {
            self.who.push(name.to_owned());
        }
    }

    /// What the time from here to the next tick goes to.
    pub fn doing(&mut self, time_ns: i64, doing: Doing) {
        if let Some((since_ns, was)) = self.last.replace((time_ns, doing))
            && was != Doing::Nothing
        {
            let passed_ns = time_ns - since_ns;
            match self.time_went.iter_mut().find(|(known, _)| *known == was) {
                Some((_, sum_ns)) => *sum_ns += passed_ns,
                None => self.time_went.push((was, passed_ns)),
            }
        }
    }

    pub fn aside(&mut self, time_ns: i64, aside: &Aside) {
        match aside {
            Aside::Deed { by, text } => {
                self.met(by);
                self.line(time_ns, LineKind::Command, None, format!("{by}: {text}"));
            }
            Aside::Warning { text } => self.line(time_ns, LineKind::Warning, None, text.clone()),
            Aside::Note { text } => self.line(time_ns, LineKind::Log, None, text.clone()),
            Aside::Lost { ticks } => self.lost += ticks,
            Aside::Link { operator, is_up } => self.link(time_ns, operator, *is_up),
        }
    }

    /// Dark is where nobody who was there can be reached.
    fn link(&mut self, time_ns: i64, operator: &str, is_up: bool) {
        self.links.insert(operator.to_owned(), is_up);
        let is_dark = !self.links.values().any(|is_up| *is_up);
        match (is_dark, self.dark_since) {
            (true, None) => self.dark_since = Some(time_ns),
            (false, Some(since_ns)) => {
                self.dark_since = None;
                self.link_dark_ns += time_ns - since_ns;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }

    fn line(&mut self, at_ns: i64, kind: LineKind, step: Option<Instance>, text: String) {
        if self.lines.len() < MOST_LINES {
            self.lines.push(Line { at_ns, kind, step, text });
        }
    }

    pub fn trace(&mut self, line: &TraceLine) {
        for fact in &line.did {
            self.fact(line.time_ns, fact);
        }
    }

    fn fact(&mut self, at_ns: i64, fact: &Fact) {
        match fact {
            Fact::Started { step, path, kind } => self.started(at_ns, step, path, kind),
            Fact::Ended { step, path, result, outcome, reason } => {
                let place = match self.open.remove(&key(step)) {
                    Some(place) => place,
                    // A guard can end a step that never started.
                    None => {
                        self.started(at_ns, step, path, &"".into());
                        self.open.remove(&key(step)).unwrap_or(usize::MAX)
                    }
                };
                if let Some(bar) = self.bars.get_mut(place) {
                    bar.end_ns = Some(at_ns);
                    (bar.result, bar.outcome, bar.reason) = (Some(*result), outcome.clone(), reason.clone());
                }
            }
            Fact::Held { step, path, reason } => {
                let why = reason.as_deref().unwrap_or_default();
                self.line(at_ns, LineKind::Held, Some(step.clone()), format!("{path}: {why}"));
            }
            Fact::Log { step, text } => self.line(at_ns, LineKind::Log, step.clone(), text.to_string()),
            Fact::Warning { step, text } => self.line(at_ns, LineKind::Warning, step.clone(), text.to_string()),
            Fact::Run { step: None, fact } => self.run_fact(at_ns, fact),
            Fact::Measured { path, unit, .. } => self.number(&format!("condition{path}"), unit),
            Fact::Changed { name, value: Some(model::Value::Number(_)), .. } => {
                self.number(&format!("variable/{name}"), "");
            }
            _ => {}
        }
    }

    fn number(&mut self, name: &str, unit: &str) {
        const MOST: usize = 2_000;
        if self.numbers.len() < MOST && !self.numbers.iter().any(|(known, _)| known == name) {
            self.numbers.push((name.to_owned(), unit.to_owned()));
        }
    }

    fn started(&mut self, at_ns: i64, step: &Instance, path: &str, kind: &Arc<str>) {
        if self.bars.len() >= MOST_BARS {
            self.bars_left_out += 1;
            return;
        }
        self.open.insert(key(step), self.bars.len());
        self.bars.push(Bar {
            step: step.clone(),
            path: path.to_owned(),
            kind: Arc::clone(kind),
            start_ns: at_ns,
            end_ns: None,
            result: None,
            outcome: None,
            reason: None,
        });
    }

    fn run_fact(&mut self, at_ns: i64, fact: &RunFact) {
        let (result, reason) = match fact {
            RunFact::Began => {
                self.runs.push(Run { began_ns: at_ns, ended_ns: None, result: None, reason: String::new() });
                (self.result, self.reason) = (None, String::new());
                self.line(at_ns, LineKind::Run, None, fact.to_string());
                return;
            }
            RunFact::Ended { result, reason } => (*result, reason.as_deref().unwrap_or_default().to_owned()),
            RunFact::Stopped { why } => (Verdict::Halted, why.to_string()),
            RunFact::Paused
            | RunFact::Resumed
            | RunFact::Edited
            | RunFact::Again { .. }
            | RunFact::With { .. }
            | RunFact::Chose(_)
            | RunFact::Tried(_) => return,
        };
        (self.result, self.reason) = (Some(result), reason.clone());
        if let Some(run) = self.runs.last_mut() {
            (run.ended_ns, run.result, run.reason) = (Some(at_ns), Some(result), reason);
        }
        self.line(at_ns, LineKind::Run, None, fact.to_string());
    }
}

fn key(step: &Instance) -> (Vec<u64>, u64) {
    (step.uses.iter().map(|node| node.0).collect(), step.node.0)
}
