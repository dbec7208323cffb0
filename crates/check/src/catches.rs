//! Catches that never run.

use std::collections::BTreeSet;

use model::{EndAs, Role};
use rustc_hash::FxHashSet;

use crate::behavior::{Behavior, File};
use crate::flow::Fails;
use crate::kinds;
use crate::report::{Report, field, node};
use crate::tree::At;

pub fn check(behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    let tree = &file.tree;
    for fallback in tree.all().filter(|at| tree.role(*at) == Some(Role::Fallback)) {
        let (tries, catch) = file.tracks.try_and_catch(tree, fallback);
        let (Some(first), false) = (catch.first().copied(), tries.is_empty()) else { continue };
        let catch_span = first..tree.span(fallback).end;
        if file.jumps.enters(catch_span.clone()) || file.jumps.calls(catch_span) {
            continue;
        }
        if tries.iter().all(|at| file.flow(*at).fails == Fails::Never) {
            never_fails(file, &tries, first, report);
        } else {
            never_asked(behavior, file, (fallback, &tries), report);
        }
    }
}

fn never_fails(file: &File<'_>, tries: &[At], catch: At, report: &mut Report<'_>) {
    let told = |at: &At| file.tree.common(*at).end_as == Some(EndAs::Success);
    let (message, remedy) = if tries.iter().all(told) {
        (
            "this catch never runs: what is tried is set to end as success",
            "take `end_as` out of what is tried, or take the catch out",
        )
    } else {
        (
            "this catch never runs: nothing that is tried can fail",
            "give what is tried a `timeout_s` or a `while`, or take the catch out",
        )
    };
    report.warning(file, node(catch), message, remedy);
}

fn never_asked(behavior: &Behavior<'_>, file: &File<'_>, (fallback, tries): (At, &[At]), report: &mut Report<'_>) {
    let asked = file.tree.list(fallback, "outcomes");
    if asked.is_empty() {
        return;
    }
    let mut outcomes = Outcomes::default();
    for at in tries {
        outcomes.of_span(behavior, file, *at);
    }
    if outcomes.unknown {
        return;
    }
    let missing: Vec<&str> = asked.iter().copied().filter(|outcome| !outcomes.names.contains(*outcome)).collect();
    let none_left = missing.len() == asked.len();
    for outcome in missing {
        let ends = if none_left { ", so the catch never runs" } else { "" };
        let message = format!("nothing that is tried fails with the outcome `{outcome}`{ends}");
        let known: Vec<String> =
            outcomes.names.iter().filter(|name| !name.is_empty()).map(|name| format!("`{name}`")).collect();
        let remedy = match behavior.nearest(outcome, || outcomes.names.iter().map(String::as_str).collect()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "take it out of `outcomes`, or give a tried step that outcome".to_owned(),
            None => format!(
                "those that come are {}; write one of these, or give a tried step that outcome",
                known.join(", ")
            ),
        };
        report.warning(file, field(fallback, "outcomes"), message, remedy);
    }
}

/// Every named outcome that a failure may have; more than can happen, never fewer.
#[derive(Default)]
struct Outcomes {
    names: BTreeSet<String>,
    unknown: bool,
    seen: FxHashSet<u32>,
}

impl Outcomes {
    fn of_span(&mut self, behavior: &Behavior<'_>, file: &File<'_>, at: At) {
        let mut to_ask = vec![(file, file.tree.span(at))];
        while let Some((file, span)) = to_ask.pop() {
            for at in span {
                self.of_node(file, at);
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

    fn of_node(&mut self, file: &File<'_>, at: At) {
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
        match &*tree.node(at).kind {
            kinds::ALWAYS_FAIL | kinds::CONDITION | kinds::STAND_IN | "always_succeed" => {
                self.names.insert(tree.text(at, "outcome").to_owned());
            }
            kinds::COUNTER => {
                self.names.insert("counter".to_owned());
            }
            kinds::QUESTION => {
                let answers = tree.list(at, "options").into_iter().chain(tree.list(at, "failures"));
                self.names.extend(answers.map(str::to_owned));
            }
            kinds::GOSUB => self.unknown = true,
            kinds::PARALLEL | kinds::LOOP | kinds::CHOOSE => {}
            kinds::GOTO | kinds::RECEIVE | kinds::RELINQUISH | kinds::RESERVE | kinds::SEND | kinds::SET => {}
            kinds::WAIT | kinds::WAIT_UNTIL | "input" | "log" | "checkpoint" => {}
            // A type this file does not know may end with any outcome.
            _ => self.unknown |= tree.role(at).is_none_or(|role| !role.organises()),
        }
    }
}
