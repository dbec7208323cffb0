//! Nodes that lack what they need: children, targets, options.

use model::{Field, Guards, Role, When};

use crate::behavior::{Behavior, File};
use crate::flow::Fails;
use crate::kinds;
use crate::report::{Report, field, node};
use crate::tree::At;

/// Settings without which a step cannot do its work: type, field, what is missing, what to write.
const NEEDED: &[(&str, &str, &str, &str)] = &[
    (kinds::GOSUB, "target", "the gosub has no target, so it fails", "name the node to run in `target`"),
    (kinds::CONDITION, "condition", "there is no condition, so it fails", "write what must hold in `condition`"),
    (kinds::WAIT_UNTIL, "condition", "there is no condition, so it fails", "write what it waits for in `condition`"),
    (kinds::SEND, "command", "there is no command, so it fails", "name the command to send in `command`"),
    (kinds::RECEIVE, "command", "there is no command, so it waits for ever", "name the command it waits for"),
    (kinds::RESERVE, "token", "there is no token to take", "name it in `token`"),
    (kinds::RELINQUISH, "token", "there is no token to give back", "name it in `token`"),
    ("input", "variable", "the value goes to no variable", "name one in `variable`"),
];

pub fn check(behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    for at in file.tree.all() {
        any_node(file, at, report);
        command(behavior, file, at, report);
        detectors(behavior, file, at, report);
        if file.tree.role(at) == Some(Role::Fallback) {
            fallback(file, at, report);
        }
        match &*file.tree.node(at).kind {
            kinds::PARALLEL => parallel(file, at, report),
            kinds::CHOOSE => choose(file, at, report),
            kinds::GOTO => goto(file, at, report),
            kinds::GOSUB => gosub(file, at, report),
            kinds::QUESTION => question(file, at, report),
            kinds::COUNTER => counter(file, at, report),
            _ => {}
        }
    }
}

fn any_node(file: &File<'_>, at: At, report: &mut Report<'_>) {
    let tree = &file.tree;
    for (kind, name, message, remedy) in NEEDED {
        if tree.is(at, kind) && !report.is_broken(file, at) && is_left_out(file, at, name) {
            report.error(file, field(at, name), *message, *remedy);
        }
    }
    let in_choose =
        tree.parent(at).is_some_and(|parent| tree.is(parent, kinds::CHOOSE) || tree.entry(parent).is_none());
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

fn is_left_out(file: &File<'_>, at: At, name: &str) -> bool {
    file.tree.text(at, name).trim().is_empty() && file.tree.expression(at, name).is_none()
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

/// The default of one execution makes it a step that always ends the same way, which nobody means.
fn counter(file: &File<'_>, at: At, report: &mut Report<'_>) {
    let left_out = file.tree.node(at).fields.get("limit").is_none_or(|limit| *limit == Field::Null);
    if left_out && !report.is_broken(file, at) {
        let message = "the counter has no limit, so the first execution reaches it";
        report.error(file, field(at, "limit"), message, "write in `limit` how many executions reach it");
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

fn parallel(file: &File<'_>, at: At, report: &mut Report<'_>) {
    let tree = &file.tree;
    if !tree.has_children(at) {
        return report.warning(file, node(at), "the parallel has no branches", "put a child into it for each branch");
    }
    let by_priority = tree.text(at, "policy") == "priority";
    let is_named = engine::reference_in(tree.node(at), "priority").is_some();
    match tree.target(at, "priority") {
        None if by_priority && !is_named => {
            let message = "the policy is `priority`, but no branch is named as the one that decides";
            report.error(file, field(at, "priority"), message, "name the deciding child in `priority`");
        }
        Some(target) if by_priority && !(at + 1..tree.span(at).end).contains(&target) => {
            let message =
                format!("`{}` is no branch of this parallel, so nothing decides when it ends", tree.label(target));
            report.error(file, field(at, "priority"), message, "name one of its children in `priority`");
        }
        _ if is_named && !by_priority => {
            let message = "`priority` counts only with the policy `priority`; here it is ignored";
            report.warning(file, field(at, "priority"), message, "set `policy` to `priority`, or take `priority` out");
        }
        _ => {}
    }
}

fn choose(file: &File<'_>, at: At, report: &mut Report<'_>) {
    let tree = &file.tree;
    if !tree.has_children(at) {
        let message = "the choose has no cases";
        return report.warning(file, node(at), message, "put a child into it for each case, with a `when`");
    }
    let Some(of) = asked_question(file, at) else { return };
    let mut answers = tree.list(of, "options");
    answers.extend(tree.text(of, "default").split_terminator('\n'));
    for case in tree.children(at) {
        if let Some(When::Outcome { outcome }) = &tree.common(case).when
            && !answers.contains(&outcome.as_str())
        {
            let message = format!("this case is never taken: `{outcome}` is no answer of `{}`", tree.label(of));
            let remedy = format!("ask for one of: {}", answers.join(", "));
            report.warning(file, field(case, "when"), message, remedy);
        }
    }
}

/// The question whose answer a choose asks for, where it is certain to be a question.
pub fn asked_question(file: &File<'_>, at: At) -> Option<At> {
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
    (tree.is(of, kinds::QUESTION) && plain && !tree.list(of, "options").is_empty()).then_some(of)
}

fn goto(file: &File<'_>, at: At, report: &mut Report<'_>) {
    if file.tree.is(at, kinds::GOTO)
        && file.tree.node(at).fields.get("target").is_none_or(|target| target.as_str() == Some(""))
    {
        let message = "the goto has no target, so it goes on with the step behind it";
        report.warning(file, field(at, "target"), message, "name a node in `target`, or write `Next`");
    }
}

fn gosub(file: &File<'_>, at: At, report: &mut Report<'_>) {
    let tree = &file.tree;
    if let Some(first) = tree.children(at).next() {
        let message = "children of a gosub never run";
        report.error(file, node(first), message, "move them out, and name them in `target` of the gosub");
    }
    let Some(target) = tree.target(at, "target") else { return };
    if tree.span(target).contains(&at) && is_certain(file, target, at) {
        let message = format!(
            "it runs `{}`, which always comes to this gosub again: it fails when 64 calls are open",
            tree.label(target)
        );
        report.warning(file, field(at, "target"), message, "put it into a choose, or use a loop or a goto");
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
        let certain = match (&*tree.node(parent).kind, tree.role(parent)) {
            (kinds::LOOP, _) | (_, Some(Role::Sequence)) => before_pass(),
            (kinds::PARALLEL, _) => {
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

fn question(file: &File<'_>, at: At, report: &mut Report<'_>) {
    let tree = &file.tree;
    if !tree.is(at, kinds::QUESTION) || report.is_broken(file, at) {
        return;
    }
    let options = tree.list(at, "options");
    if options.is_empty() {
        let message = "the question offers no answers, so nobody can answer it";
        return report.error(file, field(at, "options"), message, "list the answers in `options`");
    }
    let default = Some(tree.text(at, "default")).filter(|default| !default.is_empty());
    let failures = tree.list(at, "failures").into_iter().map(|answer| ("failures", answer));
    for (name, answer) in default.map(|answer| ("default", answer)).into_iter().chain(failures) {
        if !options.contains(&answer) {
            let message = format!("`{answer}` is not among the answers of the question");
            let remedy = format!("write one of: {}; or add it to `options`", options.join(", "));
            report.warning(file, field(at, name), message, remedy);
        }
    }
}
