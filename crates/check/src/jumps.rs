use std::ops::Range;

use crate::tree::{At, Tree};

/// Where gotos and gosubs of a file stand and lead.
pub struct Jumps {
    /// In tree order; no target: it leads out of the file, or nobody knows where.
    gotos: Vec<(At, Option<At>)>,
    /// Sorted.
    goto_targets: Vec<At>,
    gosub_targets: Vec<At>,
    /// Lies inside what a gosub runs.
    called: Vec<bool>,
}

impl Jumps {
    /// `jumps_out` says of a skill use that a goto in it leads out of its file.
    pub fn new(tree: &Tree<'_>, jumps_out: &dyn Fn(At) -> bool) -> Jumps {
        let mut gotos = Vec::new();
        let mut gosub_targets = Vec::new();
        for at in tree.all() {
            if let Some(target) = tree.jumps_to(at) {
                gotos.push((at, target));
            } else if let Some(target) = tree.calls(at) {
                gosub_targets.extend(target);
            } else if jumps_out(at) {
                gotos.push((at, None));
            }
        }
        let mut goto_targets: Vec<At> = gotos.iter().filter_map(|(_, target)| *target).collect();
        goto_targets.sort_unstable();
        gosub_targets.sort_unstable();
        let mut called = vec![false; tree.len() as usize];
        let mut done = 0;
        for target in &gosub_targets {
            let span = tree.span(*target);
            for at in span.start.max(done)..span.end {
                called[at as usize] = true;
            }
            done = done.max(span.end);
        }
        Jumps { gotos, goto_targets, gosub_targets, called }
    }

    /// A goto leads out of the file, or to where nobody knows.
    pub fn any_out(&self) -> bool {
        self.gotos.iter().any(|(_, target)| target.is_none())
    }

    fn in_span(&self, span: &Range<At>) -> &[(At, Option<At>)] {
        let from = self.gotos.partition_point(|(at, _)| *at < span.start);
        let to = self.gotos.partition_point(|(at, _)| *at < span.end);
        self.gotos.get(from..to).unwrap_or_default()
    }

    pub fn any_in(&self, span: Range<At>) -> bool {
        !self.in_span(&span).is_empty()
    }

    /// Some goto of the span leads out of it.
    pub fn leaves(&self, span: Range<At>) -> bool {
        self.in_span(&span).iter().any(|(_, target)| target.is_none_or(|target| !span.contains(&target)))
    }

    /// Some goto of the one span leads into the other.
    pub fn lead(&self, from: Range<At>, to: Range<At>) -> bool {
        self.in_span(&from).iter().any(|(_, target)| target.is_some_and(|target| to.contains(&target)))
    }

    /// Some goto, wherever it stands, leads into the span.
    pub fn enters(&self, span: Range<At>) -> bool {
        holds(&self.goto_targets, span)
    }

    /// Some gosub runs the span, something in it, or something around it.
    pub fn calls(&self, span: Range<At>) -> bool {
        self.called.get(span.start as usize).copied().unwrap_or(false) || holds(&self.gosub_targets, span)
    }

    pub fn goto_targets(&self) -> impl Iterator<Item = At> + '_ {
        self.goto_targets.iter().copied()
    }
}

fn holds(sorted: &[At], span: Range<At>) -> bool {
    let from = sorted.partition_point(|at| *at < span.start);
    sorted.get(from).is_some_and(|at| *at < span.end)
}
