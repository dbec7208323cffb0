//! How nodes end, as far as that is the same in every run.

use model::{EndAs, Guards, Role, Value, When};

use crate::facts::Facts;
use crate::jumps::Jumps;
use crate::kinds;
use crate::tracks::Tracks;
use crate::tree::{At, Tree};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fails {
    Never,
    Maybe,
    Always,
}

/// What is certain of a node's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    pub fails: Fails,
    /// Once started it goes on until it is halted from outside.
    pub never_ends: bool,
    /// It ends in the tick it starts in.
    pub instant: bool,
}

impl Flow {
    pub const UNKNOWN: Flow = Flow { fails: Fails::Maybe, never_ends: false, instant: false };
    const NOTHING: Flow = Flow { fails: Fails::Never, never_ends: false, instant: true };
}

/// For every node of a file, in tree order.
pub fn settle(
    tree: &Tree<'_>,
    facts: &Facts,
    tracks: &Tracks,
    jumps: &Jumps,
    skill_flow: &dyn Fn(At) -> Flow,
) -> Vec<Flow> {
    let flows = vec![Flow::UNKNOWN; tree.len() as usize];
    let mut settling = Settling { tree, facts, tracks, jumps, flows };
    // Children stand behind their parents.
    for at in tree.all().rev() {
        let own = match tree.role(at) {
            Some(Role::Skill) => settling.skill(at, skill_flow(at)),
            Some(Role::Sequence) => settling.in_order(at),
            Some(Role::Fallback) => settling.fallback(at),
            Some(Role::Composite) => settling.composite(at),
            Some(Role::Step) => settling.step(at),
            None => Flow::UNKNOWN,
        };
        settling.flows[at as usize] = settling.as_authored(at, own);
    }
    settling.flows
}

struct Settling<'s, 'a> {
    tree: &'s Tree<'a>,
    facts: &'s Facts,
    tracks: &'s Tracks,
    jumps: &'s Jumps,
    flows: Vec<Flow>,
}

impl Settling<'_, '_> {
    fn flow(&self, at: At) -> Flow {
        self.flows[at as usize]
    }

    /// With guards, limits, claims and the result it is told to report.
    fn as_authored(&self, at: At, own: Flow) -> Flow {
        if self.tree.is_unclear(at) || self.facts.unreadable.contains_key(&at) {
            return Flow::UNKNOWN;
        }
        let common = self.tree.common(at);
        let (has_until, has_while) = (common.until != Guards::None, common.while_ != Guards::None);
        let has_claims = self.facts.claims.contains_key(&at);
        let mut flow = own;
        if (has_while || common.timeout_s.is_some() || has_claims) && flow.fails == Fails::Never {
            flow.fails = Fails::Maybe;
        }
        if has_until && flow.fails == Fails::Always {
            flow.fails = Fails::Maybe;
        }
        match common.end_as {
            Some(EndAs::Success) => flow.fails = Fails::Never,
            Some(EndAs::Failure) => flow.fails = Fails::Always,
            None => {}
        }
        flow.never_ends &= !has_until && !has_while && common.timeout_s.is_none();
        flow.instant &= common.retry == 0 && !has_claims;
        flow
    }

    fn skill(&self, at: At, inside: Flow) -> Flow {
        // Outputs become visible in the next tick.
        let has_outputs = self.tree.node(at).fields.get("outputs").is_some();
        Flow { instant: inside.instant && !has_outputs, ..inside }
    }

    fn in_order(&self, at: At) -> Flow {
        let mut flow = self.order(self.tree.children(at), at);
        // A jump may lead past the step that fails, from inside or from outside.
        let span = self.tree.span(at);
        if flow.fails == Fails::Always && (self.jumps.any_in(span.clone()) || self.jumps.enters(at + 1..span.end)) {
            flow.fails = Fails::Maybe;
        }
        flow
    }

    /// Steps one behind the other, all of them children of `parent`.
    fn order(&self, children: impl Iterator<Item = At>, parent: At) -> Flow {
        let mut flow = Flow::NOTHING;
        let mut certain = true;
        for child in children {
            let own = self.flow(child);
            flow.instant &= own.instant;
            flow.fails = match (flow.fails, own.fails) {
                (Fails::Always, _) => Fails::Always,
                // Behind a step that never ends nothing fails for certain.
                (_, Fails::Always) if flow.never_ends => Fails::Maybe,
                (so_far, next) => so_far.max(next),
            };
            let behind = self.tree.span(child).end..self.tree.span(parent).end;
            if certain && own.never_ends && !self.jumps.any_in(behind.clone()) && !self.jumps.enters(behind) {
                flow.never_ends = true;
            }
            certain &= own.fails == Fails::Never && !self.jumps.any_in(self.tree.span(child));
        }
        flow
    }

    fn fallback(&self, at: At) -> Flow {
        let (tries, catch) = self.tracks.try_and_catch(self.tree, at);
        let has_catch = !catch.is_empty();
        let mut tried = self.order(tries.into_iter(), at);
        let caught = self.order(catch.into_iter(), at);
        if self.jumps.any_in(self.tree.span(at)) || self.jumps.enters(self.tree.span(at)) {
            tried.fails = tried.fails.min(Fails::Maybe).max(caught.fails.min(Fails::Maybe));
            return Flow { fails: tried.fails, never_ends: false, instant: tried.instant && caught.instant };
        }
        let picky = !self.tree.list(at, "outcomes").is_empty();
        let fails = match (tried.fails, caught.fails) {
            (Fails::Never, _) => Fails::Never,
            (_, _) if !has_catch && !picky => Fails::Never,
            (Fails::Always, Fails::Always) => Fails::Always,
            (_, _) if picky => Fails::Maybe,
            (_, Fails::Never) => Fails::Never,
            _ => Fails::Maybe,
        };
        Flow { fails, never_ends: tried.never_ends, instant: tried.instant && caught.instant }
    }

    fn composite(&self, at: At) -> Flow {
        match &*self.tree.node(at).kind {
            kinds::PARALLEL => self.parallel(at),
            kinds::LOOP => self.repeated(at),
            kinds::CHOOSE => self.choose(at),
            _ => Flow::UNKNOWN,
        }
    }

    fn parallel(&self, at: At) -> Flow {
        let branches: Vec<(At, Flow)> = self.tree.children(at).map(|child| (child, self.flow(child))).collect();
        let has_goal = self.tree.expression(at, "goal").is_some();
        let fail = |(_, flow): &(At, Flow)| flow.fails != Fails::Never;
        let never = |(_, flow): &&(At, Flow)| flow.never_ends;
        let may_fail = has_goal || branches.iter().any(fail);
        let goes_on = match self.tree.text(at, "policy") {
            "one" => !branches.is_empty() && branches.iter().all(|branch| never(&branch)),
            "priority" => {
                let decides = self.tree.target(at, "priority");
                let decides = decides
                    .and_then(|target| branches.iter().find(|(child, _)| self.tree.span(*child).contains(&target)));
                decides.is_some_and(|branch| never(&branch))
            }
            _ => branches.iter().any(|branch| never(&branch)),
        };
        Flow {
            fails: if may_fail { Fails::Maybe } else { Fails::Never },
            never_ends: goes_on && !may_fail && !self.jumps.leaves(self.tree.span(at)),
            instant: branches.iter().all(|(_, flow)| flow.instant),
        }
    }

    fn repeated(&self, at: At) -> Flow {
        let body = self.in_order(at);
        let count = self.tree.number(at, "count");
        let condition = self.tree.expression(at, "condition");
        let constant = condition.as_ref().map(|condition| condition.constant());
        let is_endless = count.is_none() && matches!(&constant, None | Some(Some(Value::Bool(true))));
        let judged = matches!(&constant, None | Some(Some(Value::Bool(_))));
        let once = count == Some(1.0) || matches!(&constant, Some(Some(Value::Bool(false))));
        Flow {
            fails: if judged { body.fails } else { body.fails.max(Fails::Maybe) },
            never_ends: body.never_ends
                || is_endless && body.fails == Fails::Never && !self.jumps.leaves(self.tree.span(at)),
            instant: once && body.instant,
        }
    }

    fn choose(&self, at: At) -> Flow {
        let mut flow = Flow::NOTHING;
        let mut certain = false;
        for case in self.tree.children(at) {
            let own = self.flow(case);
            flow.instant &= own.instant;
            flow.fails = flow.fails.max(own.fails.min(Fails::Maybe));
            match case_holds(self.tree, case) {
                Some(holds) => certain |= holds,
                None => flow.fails = flow.fails.max(Fails::Maybe),
            }
        }
        if !certain && self.tree.text(at, "if_none") == "failure" {
            flow.fails = Fails::Maybe;
        }
        flow
    }

    fn step(&self, at: At) -> Flow {
        let Some(entry) = self.tree.entry(at) else { return Flow::UNKNOWN };
        let fails = if entry.may_fail { Fails::Maybe } else { Fails::Never };
        let flow = Flow { fails, never_ends: false, instant: entry.instant };
        let constant = |field: &str| self.tree.expression(at, field).map(|expression| expression.constant());
        let is_zero = self.tree.number(at, "duration_s") == Some(0.0);
        match entry.info.name {
            kinds::ALWAYS_FAIL => Flow { fails: Fails::Always, ..flow },
            kinds::CONDITION => match constant("condition") {
                Some(Some(Value::Bool(true))) => Flow { fails: Fails::Never, ..flow },
                Some(Some(Value::Bool(false))) => Flow { fails: Fails::Always, ..flow },
                _ => flow,
            },
            kinds::WAIT_UNTIL => match constant("condition") {
                None => Flow::UNKNOWN,
                Some(Some(Value::Bool(false))) => Flow { never_ends: true, ..flow },
                Some(_) => flow,
            },
            kinds::WAIT => Flow { instant: is_zero, ..flow },
            kinds::STAND_IN => match constant("fails_if") {
                None | Some(Some(Value::Bool(false))) => Flow { fails: Fails::Never, instant: is_zero, ..flow },
                Some(Some(Value::Bool(true))) => Flow { fails: Fails::Always, instant: is_zero, ..flow },
                Some(_) => Flow { instant: is_zero, ..flow },
            },
            kinds::SET | kinds::SEND if self.facts.varying.contains(&at) => Flow { fails: Fails::Maybe, ..flow },
            kinds::SEND if self.tree.text(at, "command").is_empty() => Flow { fails: Fails::Maybe, ..flow },
            kinds::QUESTION if !self.tree.text(at, "default").is_empty() => {
                let may_fail = !self.tree.list(at, "failures").is_empty();
                Flow { fails: if may_fail { Fails::Maybe } else { Fails::Never }, ..flow }
            }
            kinds::GOTO if crate::jumps::is_jump(self.tree, at) && self.tree.target(at, "target").is_none() => {
                Flow { fails: Fails::Maybe, ..flow }
            }
            _ => flow,
        }
    }
}

/// Whether a case of a choose is always or never taken when its turn comes; none: that depends.
pub fn case_holds(tree: &Tree<'_>, case: At) -> Option<bool> {
    if tree.is_unclear(case) {
        return None;
    }
    match &tree.common(case).when {
        None => Some(true),
        Some(When::Outcome { .. }) => None,
        Some(When::Condition(text)) => match expression::Expression::new(text).constant() {
            Some(Value::Bool(holds)) => Some(holds),
            _ => None,
        },
    }
}
