//! The named outcomes that nodes end with, and settings that ask for others.

use std::collections::BTreeSet;

use engine::Runs;
use model::{Role, When};
use rustc_hash::FxHashSet;

use crate::behavior::{Behavior, File};
use crate::report::{Report, field};
use crate::tree::At;

pub fn check(behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    for at in file.tree.all() {
        levels(behavior, file, at, report);
        if file.tree.runs(at) == Some(Runs::FirstCase) {
            cases(behavior, file, at, report);
        }
    }
}

/// A level for an outcome that never comes holds nothing back, though it looks as if it did.
fn levels(behavior: &Behavior<'_>, file: &File<'_>, at: At, report: &mut Report<'_>) {
    let asked = &file.tree.common(at).outcome_autonomy;
    if asked.is_empty() {
        return;
    }
    let mut outcomes = Outcomes::default();
    outcomes.of_span(behavior, file, at);
    for name in asked.keys().filter(|name| outcomes.lacks(name)) {
        let message = format!("it never ends with the outcome `{name}`, so this level is never asked for");
        let remedy = outcomes.remedy(behavior, name, "take it out, or give a step that outcome");
        report.warning(file, field(at, "outcome_autonomy"), message, remedy);
    }
}

/// Cases that ask for an outcome which what they ask never ends with. Questions are told by their answers.
fn cases(behavior: &Behavior<'_>, file: &File<'_>, at: At, report: &mut Report<'_>) {
    let tree = &file.tree;
    if crate::shape::asked_question(behavior, file, at).is_some() {
        return;
    }
    let mut outcomes = Outcomes::default();
    if engine::reference_in(tree.node(at), "of").is_some() {
        let Some(of) = tree.target(at, "of") else { return };
        outcomes.of_span(behavior, file, of);
    } else {
        let steps = &file.tracks.tracks[file.tracks.track_of(at)].steps;
        steps.iter().take(file.tracks.pos(at)).for_each(|step| outcomes.of_span(behavior, file, *step));
    }
    for case in tree.children(at) {
        if let Some(When::Outcome { outcome }) = &tree.common(case).when
            && outcomes.lacks(outcome)
        {
            let message = format!("this case is never taken: what is asked never ends with the outcome `{outcome}`");
            let remedy = outcomes.remedy(behavior, outcome, "take the case out, or give what is asked that outcome");
            report.warning(file, field(case, "when"), message, remedy);
        }
    }
}

/// Every named outcome that a node may end with, its own or handed up to it; more than can happen, never fewer.
#[derive(Default)]
pub struct Outcomes {
    pub names: BTreeSet<String>,
    /// Others may come, too.
    pub unknown: bool,
    seen: FxHashSet<u32>,
}

impl Outcomes {
    fn lacks(&self, name: &str) -> bool {
        name.is_empty() || (!self.unknown && !self.names.contains(name))
    }

    fn remedy(&self, behavior: &Behavior<'_>, wrong: &str, otherwise: &str) -> String {
        let known: Vec<&str> = self.names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
        match behavior.nearest(wrong, || known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => otherwise.to_owned(),
            None => format!("those that come are `{}`; {otherwise}", known.join("`, `")),
        }
    }

    pub fn of_span(&mut self, behavior: &Behavior<'_>, file: &File<'_>, at: At) {
        let mut to_ask = vec![(file, file.tree.span(at))];
        while let Some((file, span)) = to_ask.pop() {
            for at in span {
                self.of_node(behavior, file, at);
                if file.tree.role(at) != Some(Role::Skill) {
                    continue;
                }
                match file.skill(at) {
                    Some(used) if self.seen.insert(used.0) => {
                        let used = behavior.file(used);
                        to_ask.push((used, used.tree.all()));
                    }
                    Some(_) => {}
                    None => self.unknown = true,
                }
            }
        }
    }

    fn of_node(&mut self, behavior: &Behavior<'_>, file: &File<'_>, at: At) {
        let tree = &file.tree;
        let common = tree.common(at);
        self.unknown |= tree.is_unclear(at) || tree.entry(at).is_none();
        self.names.extend(common.outcome_as.clone());
        if common.timeout_s.is_some() {
            self.names.insert("timeout".to_owned());
        }
        let guards = common.while_.list().into_iter().chain(common.until.list());
        self.names.extend(guards.map(|guard| guard.outcome));
        self.names.insert(String::new());
        match behavior.registry.outcomes(tree.node(at)) {
            Some(names) => self.names.extend(names),
            None => self.unknown = true,
        }
    }
}
