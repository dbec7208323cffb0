//! Nodes that lack what they need: children, targets, options.

use engine::{Fails, Finding, Flow, Runs, Within};
use model::{Field, Guards, Needs, Role, Severity, When};

use crate::behavior::{Behavior, File};
use crate::flow::within;
use crate::report::{Report, field, node};
use crate::tree::At;

pub fn check(behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    for at in file.tree.all() {
        needs(file, at, report);
        any_node(file, at, report);
        declared(behavior, file, at, report);
        command(behavior, file, at, report);
        detectors(behavior, file, at, report);
        if file.tree.role(at) == Some(Role::Fallback) {
            fallback(file, at, report);
        }
        match file.tree.runs(at) {
            Some(Runs::FirstCase) => cases(behavior, file, at, report),
            Some(Runs::Called(field)) => called(file, at, field, report),
            _ => {}
        }
    }
}

/// What its type says that it cannot do without.
fn needs(file: &File<'_>, at: At, report: &mut Report<'_>) {
    let needs = file.tree.entry(at).map_or(&[][..], |entry| entry.info.declared.needs);
    for Needs { field: name, missing, remedy } in needs {
        if !report.is_broken(file, at) && is_left_out(file.tree.node(at).fields.get(name)) {
            report.error(file, field(at, name), *missing, *remedy);
        }
    }
}

/// What its type finds in its settings and among its children.
fn declared(behavior: &Behavior<'_>, file: &File<'_>, at: At, report: &mut Report<'_>) {
    if report.is_broken(file, at) {
        return;
    }
    let node_now = file.tree.node(at);
    let findings = match file.tree.role(at) {
        Some(Role::Step) => behavior.registry.findings(node_now),
        Some(Role::Composite) => {
            let ask = |within: &Within<'_>| behavior.registry.findings_within(node_now, within);
            within(&file.tree, &file.jumps, at, Flow::UNKNOWN, |child| file.flow(child), ask)
        }
        _ => return,
    };
    for Finding { severity, field: name, message, remedy } in findings {
        let place = name.map_or_else(|| node(at), |name| field(at, name));
        match severity {
            Severity::Error => report.error(file, place, message, remedy),
            Severity::Warning => report.warning(file, place, message, remedy),
        }
    }
}

fn any_node(file: &File<'_>, at: At, report: &mut Report<'_>) {
    let tree = &file.tree;
    let in_choose = tree
        .parent(at)
        .is_some_and(|parent| tree.runs(parent) == Some(Runs::FirstCase) || tree.entry(parent).is_none());
    let common = tree.common(at);
    if common.when.is_some() && !in_choose {
        let message = "`when` counts only for a child of a choose; here it is ignored";
        report.warning(file, field(at, "when"), message, "put this into a choose, or use a condition step");
    }
    if common.retry > 0 && !file.flow(at).never_ends && file.flow(at).fails == Fails::Never && common.end_as.is_none() {
        let message = "`retry` has no effect: this cannot fail";
        report.warning(file, field(at, "retry"), message, "take `retry` out");
    }
}

fn is_left_out(value: Option<&Field>) -> bool {
    match value {
        None | Some(Field::Null) => true,
        Some(Field::Json(json)) => json.as_array().is_some_and(Vec::is_empty),
        Some(other) => other.as_str().is_some_and(|text| text.trim().is_empty()),
    }
}

fn command(behavior: &Behavior<'_>, file: &File<'_>, at: At, report: &mut Report<'_>) {
    let (Some(known), Some(entry)) = (&behavior.options.commands, file.tree.entry(at)) else { return };
    for info in entry.info.fields.iter().filter(|info| info.format.as_deref() == Some("command")) {
        let written = file.tree.text(at, &info.name);
        if written.is_empty() || known.iter().any(|name| &**name == written) {
            continue;
        }
        let remedy = match behavior.nearest(written, || known.iter().map(|name| &**name).collect()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name a command that the cell describes, or add it there".to_owned(),
        };
        report.error(file, field(at, &info.name), format!("the cell has no command `{written}`"), remedy);
    }
}

/// Settings whose keys name models behind the cameras.
fn detectors(behavior: &Behavior<'_>, file: &File<'_>, at: At, report: &mut Report<'_>) {
    let (Some(known), Some(entry)) = (&behavior.options.detectors, file.tree.entry(at)) else { return };
    for info in entry.info.fields.iter().filter(|info| info.format.as_deref() == Some("detectors")) {
        let Some(Field::Json(json)) = file.tree.node(at).fields.get(&info.name) else { continue };
        let named = json.as_object().into_iter().flatten().map(|(name, _)| name);
        for name in named.filter(|name| known.iter().all(|known| **known != ***name)) {
            let names: Vec<&str> = known.iter().map(|known| &**known).collect();
            let remedy = match behavior.nearest(name, || names.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => "take it out, or run it where that model is".to_owned(),
                None => format!("there is `{}`; name that, or run it where that model is", names.join("`, `")),
            };
            report.warning(file, field(at, &info.name), format!("there is no detector model `{name}` here"), remedy);
        }
    }
}

fn fallback(file: &File<'_>, at: At, report: &mut Report<'_>) {
    let tree = &file.tree;
    let Some(first) = tree.children(at).next() else {
        let message = "the fallback has nothing to try";
        return report.warning(
            file,
            node(at),
            message,
            "give it a first child to try, and behind that what helps if it fails",
        );
    };
    if file.tracks.steps(tree, first).is_empty() {
        let message = "there is nothing in the first child of this fallback, so that the next one is tried instead";
        report.warning(file, node(first), message, "put what is tried into it, or take it out");
    }
}

/// Cases that ask for what no answer is.
fn cases(behavior: &Behavior<'_>, file: &File<'_>, at: At, report: &mut Report<'_>) {
    let tree = &file.tree;
    let Some((of, answers)) = asked_question(behavior, file, at) else { return };
    for case in tree.children(at) {
        if let Some(When::Outcome { outcome }) = &tree.common(case).when
            && !answers.contains(outcome)
        {
            let message = format!("this case is never taken: `{outcome}` is no answer of `{}`", tree.label(of));
            let remedy = format!("ask for one of: {}", answers.join(", "));
            report.warning(file, field(case, "when"), message, remedy);
        }
    }
}

/// The question whose answer a choose asks for, where it is certain to be a question, and its answers.
pub fn asked_question(behavior: &Behavior<'_>, file: &File<'_>, at: At) -> Option<(At, Vec<String>)> {
    let (tree, tracks) = (&file.tree, &file.tracks);
    let of = if engine::reference_in(tree.node(at), "of").is_some() {
        tree.target(at, "of")?
    } else {
        let before = tracks.pos(at).checked_sub(1)?;
        let before = tracks.tracks[tracks.track_of(at)].steps.get(before).copied()?;
        // The last step of a catch stands before it, too, and may not have run.
        Some(before).filter(|before| tree.parent(*before) == tree.parent(at))?
    };
    let common = tree.common(of);
    let plain = common.until == Guards::None
        && common.while_ == Guards::None
        && common.timeout_s.is_none()
        && common.outcome_as.is_none()
        && !tree.is_unclear(of);
    let asks = tree.entry(of).is_some_and(|entry| entry.asks);
    let answers = behavior.registry.outcomes(tree.node(of)).filter(|answers| asks && plain && !answers.is_empty())?;
    Some((of, answers))
}

fn called(file: &File<'_>, at: At, name: &str, report: &mut Report<'_>) {
    let tree = &file.tree;
    let kind = &tree.node(at).kind;
    if let Some(first) = tree.children(at).next() {
        let remedy = format!("move them out, and name them in `{name}` of the {kind}");
        report.error(file, node(first), format!("children of a {kind} never run"), remedy);
    }
    let Some(target) = tree.target(at, name) else { return };
    if tree.span(target).contains(&at) && is_certain(file, target, at) {
        let message = format!(
            "it runs `{}`, which always comes to this {kind} again: it fails when 64 calls are open",
            tree.label(target)
        );
        report.warning(file, field(at, name), message, "put it into a choose, or use a loop or a goto");
    }
}

/// Whoever starts `from` comes to the step `to` inside it, in every run.
fn is_certain(file: &File<'_>, from: At, to: At) -> bool {
    let tree = &file.tree;
    for inner in tree.upward(to) {
        let common = tree.common(inner);
        let limited = common.until != Guards::None || common.while_ != Guards::None || tree.is_unclear(inner);
        if limited || common.timeout_s.is_some() {
            return false;
        }
        if inner == from {
            return true;
        }
        let Some(parent) = tree.parent(inner) else { return false };
        let passes = |at: At| {
            file.flow(at).fails == Fails::Never && !file.flow(at).never_ends && !file.jumps.any_in(tree.span(at))
        };
        let before_pass = || tree.children(parent).take_while(|child| *child != inner).all(passes);
        let certain = match (tree.runs(parent), tree.role(parent)) {
            (Some(Runs::InOrder), _) | (_, Some(Role::Sequence)) => before_pass(),
            (Some(Runs::All), _) => {
                tree.children(parent).all(|child| child == inner || file.flow(child).fails == Fails::Never)
            }
            (_, Some(Role::Fallback)) => tree.children(parent).next() == Some(inner),
            _ => false,
        };
        if !certain {
            return false;
        }
    }
    false
}
