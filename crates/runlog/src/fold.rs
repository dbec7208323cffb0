//! What is told of the run, taken together: a moment is the last of these before it, and what was told since.

use std::collections::BTreeMap;

use engine::RunFact;
use protocol::talk::{Happening, InstanceNumber, What};

use crate::line::SeenLine;

#[derive(Clone, Debug, Default)]
pub struct Folded {
    all: SeenLine,
    began: Option<Happening>,
    ended: Option<Happening>,
    started: BTreeMap<InstanceNumber, Happening>,
    results: BTreeMap<InstanceNumber, Happening>,
    variables: BTreeMap<u32, protocol::talk::Detail>,
}

impl Folded {
    pub fn take(&mut self, line: SeenLine) {
        let SeenLine { tick, time_ns, happenings, run, details, variables, marks, .. } = line;
        (self.all.tick, self.all.time_ns) = (tick, time_ns);
        happenings.into_iter().for_each(|happening| self.happened(happening));
        for detail in variables {
            self.variables.insert(detail.key(), detail);
        }
        take(&mut self.all.run, run);
        take(&mut self.all.details, details);
        take(&mut self.all.marks, marks);
        take(&mut self.all.objects, line.objects);
        take(&mut self.all.detections, line.detections);
        take(&mut self.all.solids, line.solids);
        take(&mut self.all.outlines, line.outlines);
    }

    fn happened(&mut self, happening: Happening) {
        match &happening.what {
            What::Started(step) => drop(self.started.insert(*step, happening)),
            What::Ended { step, .. } => {
                self.started.remove(step);
                self.results.insert(*step, happening);
            }
            What::Run { step: None, fact: RunFact::Began } => {
                self.results.clear();
                self.ended = None;
                self.began = Some(happening);
            }
            What::Run { step: None, fact: RunFact::Ended { .. } | RunFact::Stopped { .. } } => {
                self.ended = Some(happening);
            }
            What::Anew => {
                self.started.clear();
                self.results.clear();
                (self.began, self.ended) = (None, None);
            }
            What::Run { .. } | What::Note { .. } | What::Control(_) => {}
        }
    }

    /// One line that says all of it.
    pub fn line(&self) -> SeenLine {
        let steps = self.results.values().chain(self.started.values());
        let happenings = self.began.iter().chain(steps).chain(&self.ended).cloned().collect();
        SeenLine { happenings, variables: self.variables.values().cloned().collect(), ..self.all.clone() }
    }
}

fn take<T>(into: &mut Option<T>, newer: Option<T>) {
    if newer.is_some() {
        *into = newer;
    }
}
