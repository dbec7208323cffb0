//! Steps that no run comes to.

use engine::{Fails, Runs};
use model::{Guards, Role};
use rustc_hash::FxHashSet;

use crate::behavior::{Behavior, File};
use crate::flow::case_holds;
use crate::report::{Report, field, node};
use crate::tracks::{After, Start};
use crate::tree::At;

pub fn check(_: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    let mut walk = Walk { file, report, jumped_to: jumped_to(file), reached: 0, depth: 0 };
    for track in &file.tracks.tracks {
        match track.start {
            Start::Node(at) => _ = walk.node(at, State::Reached),
            Start::Inside(at) if file.tree.role(at) == Some(Role::Fallback) => _ = walk.fallback(at, State::Reached),
            Start::Inside(at) => _ = walk.in_order(file.tree.children(at), State::Reached),
        }
    }
    for at in file.tree.all().filter(|at| file.tree.runs(*at) == Some(Runs::FirstCase)) {
        check_cases(file, at, report);
    }
}

/// Steps that a goto leads to by naming what they are the first step of.
fn jumped_to(file: &File<'_>) -> FxHashSet<At> {
    let first_step = |target: At| {
        let steps = &file.tracks.tracks[file.tracks.track_of(target)].steps;
        steps.get(file.tracks.pos(target)).copied()
    };
    file.jumps.goto_targets().filter_map(first_step).collect()
}

/// Whether a run can come to a place of a track.
#[derive(Clone, Copy)]
enum State {
    Reached,
    /// Not past this step.
    Cut {
        by: At,
        reported: bool,
    },
}

struct Walk<'w, 'a, 'r> {
    file: &'w File<'a>,
    report: &'w mut Report<'r>,
    jumped_to: FxHashSet<At>,
    /// How many steps were reached so far.
    reached: usize,
    depth: usize,
}

/// Files cannot nest so deep; a tree made otherwise could.
const MAX_DEPTH: usize = 1000;

impl Walk<'_, '_, '_> {
    fn node(&mut self, at: At, state: State) -> State {
        if self.file.tracks.is_step(at) {
            return self.step(at, state);
        }
        if self.depth >= MAX_DEPTH {
            return State::Reached;
        }
        let state = self.report_if_cut(at, state);
        self.depth += 1;
        let state = match self.file.tree.role(at) {
            Some(Role::Fallback) => self.fallback(at, state),
            _ => self.in_order(self.file.tree.children(at), state),
        };
        self.depth -= 1;
        state
    }

    fn in_order(&mut self, nodes: impl Iterator<Item = At>, state: State) -> State {
        nodes.fold(state, |state, at| self.node(at, state))
    }

    /// A failure leads from the try to the catch, so that what cuts the try does not cut the catch.
    fn fallback(&mut self, at: At, state: State) -> State {
        let (tries, catch) = self.file.tracks.try_and_catch(&self.file.tree, at);
        let before = self.reached;
        let tried = self.in_order(tries.into_iter(), state);
        let entered = self.reached > before;
        let Some(first_caught) = catch.first().copied() else {
            return if entered { State::Reached } else { tried };
        };
        let caught = self.in_order(catch.into_iter(), if entered { State::Reached } else { tried });
        // A try that is left for its own catch counts as passed: the track goes on behind the fallback.
        let end = self.file.tree.span(at).end;
        if entered && self.file.jumps.lead(at..first_caught, first_caught..end) {
            return State::Reached;
        }
        match (tried, caught) {
            (State::Reached, _) | (_, State::Reached) => State::Reached,
            (_, cut) => cut,
        }
    }

    fn step(&mut self, at: At, state: State) -> State {
        let file = self.file;
        let mut state = state;
        if self.is_led_to(at) {
            state = State::Reached;
        } else if let (State::Reached, After::Step(before)) = (state, file.tracks.after(at)) {
            let steps = &file.tracks.tracks[file.tracks.track_of(at)].steps;
            if let Some(by) = steps.get(before as usize).copied().filter(|by| self.holds_up(*by, at)) {
                state = State::Cut { by, reported: false };
            }
        }
        match self.report_if_cut(at, state) {
            State::Reached => {
                self.reached += 1;
                if self.cuts(at) { State::Cut { by: at, reported: false } } else { State::Reached }
            }
            cut => cut,
        }
    }

    /// The step never ends, and whoever comes to `at` behind it has started it.
    fn holds_up(&self, by: At, at: At) -> bool {
        let (tree, tracks) = (&self.file.tree, &self.file.tracks);
        if !self.file.flow(by).never_ends || self.file.jumps.enters(tree.span(by).end..at + 1) {
            return false;
        }
        // A failure in a try leads past what comes behind it there.
        let fallback = tracks.around(tree, by).find(|up| tree.role(*up) == Some(Role::Fallback));
        fallback.is_none_or(|fallback| {
            let (_, catch) = tracks.try_and_catch(tree, fallback);
            let caught_from = catch.first().copied().unwrap_or(tree.span(fallback).end);
            tree.span(fallback).contains(&at) && (by < caught_from) == (at < caught_from)
        })
    }

    /// Some goto or gosub leads here, whatever comes before.
    fn is_led_to(&self, at: At) -> bool {
        let (tracks, span) = (&self.file.tracks, self.file.tree.span(at));
        let first = tracks.tracks[tracks.track_of(at)].steps.get(tracks.pos(at));
        self.file.jumps.enters(span.clone())
            || self.file.jumps.calls(span)
            || first.is_some_and(|first| self.jumped_to.contains(first))
    }

    /// Nothing behind the step is reached through it.
    fn cuts(&self, at: At) -> bool {
        let (tree, tracks) = (&self.file.tree, &self.file.tracks);
        let common = tree.common(at);
        if tree.jumps_to(at).is_some() {
            let guarded = common.until != Guards::None || common.while_ != Guards::None || tree.is_unclear(at);
            return !guarded && tree.target(at, "target").is_some();
        }
        let flow = self.file.flow(at);
        let next = tracks.tracks[tracks.track_of(at)].after.get(tracks.pos(at) + 1);
        let next_waits = next == Some(&After::Step(tracks.pos(at) as u32));
        flow.fails == Fails::Always && (flow.instant || next_waits)
    }

    /// Reports the first node of what is cut off; those behind it have the same reason.
    fn report_if_cut(&mut self, at: At, state: State) -> State {
        let State::Cut { by, reported } = state else { return state };
        let tree = &self.file.tree;
        if reported || self.is_led_to(at) {
            return state;
        }
        // An empty sequence has nothing that could run.
        if self.file.tracks.steps(tree, at).is_empty() {
            return state;
        }
        let label = tree.label(by);
        let (why, remedy) = if tree.jumps_to(by).is_some() {
            let target = tree.target(by, "target").map_or("elsewhere", |target| tree.label(target));
            (
                format!("`{label}` before it always goes to `{target}`"),
                "take it out, or let a goto lead here".to_owned(),
            )
        } else if self.file.flow(by).never_ends {
            (
                format!("`{label}` before it never ends"),
                format!("let `{label}` end, or set `after` so that this does not wait for it"),
            )
        } else {
            (format!("`{label}` before it always fails"), format!("take `{label}` out, or move this before it"))
        };
        self.report.warning(self.file, node(at), format!("this never runs: {why}"), remedy);
        State::Cut { by, reported: true }
    }
}

/// Cases of a choose that are never taken.
fn check_cases(file: &File<'_>, choose: At, report: &mut Report<'_>) {
    let tree = &file.tree;
    let mut always: Option<At> = None;
    for case in tree.children(choose) {
        let span = tree.span(case);
        let led_to = file.jumps.enters(span.clone()) || file.jumps.calls(span);
        if let Some(before) = always.filter(|_| !led_to) {
            let message = format!("this case is never taken: `{}` before it always is", tree.label(before));
            let remedy = format!("move it before `{}`, or give that case a `when`", tree.label(before));
            return report.warning(file, node(case), message, remedy);
        }
        match case_holds(tree, case) {
            Some(true) => always = always.or(Some(case)),
            Some(false) if !led_to => {
                let message = "this case is never taken: its condition never holds";
                report.warning(file, field(case, "when"), message, "mend the condition, or take the case out");
            }
            _ => {}
        }
    }
}
