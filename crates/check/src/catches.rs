//! Catches that never run.

use engine::Fails;
use model::{EndAs, Role};

use crate::behavior::{Behavior, File};
use crate::outcomes::Outcomes;
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
