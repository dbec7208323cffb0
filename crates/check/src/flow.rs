//! How nodes end, as far as that is the same in every run.

use engine::{Case, Fails, Flow, Registry, Within};
use model::{EndAs, Guards, Role, Value, When};

use crate::facts::Facts;
use crate::jumps::Jumps;
use crate::tracks::Tracks;
use crate::tree::{At, Tree};

/// For every node of a file, in tree order.
pub fn settle(
    registry: &Registry,
    tree: &Tree<'_>,
    facts: &Facts,
    (tracks, jumps): (&Tracks, &Jumps),
    skill_flow: &dyn Fn(At) -> Flow,
) -> Vec<Flow> {
    let flows = vec![Flow::UNKNOWN; tree.len() as usize];
    let mut settling = Settling { registry, tree, facts, tracks, jumps, flows };
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
    registry: &'s Registry,
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
        let flow = |within: &Within<'_>| self.registry.flow_within(self.tree.node(at), within);
        within(self.tree, self.jumps, at, self.in_order(at), |child| self.flow(child), flow)
    }

    fn step(&self, at: At) -> Flow {
        let flow = self.registry.flow(self.tree.node(at));
        match self.tree.jumps_to(at) {
            Some(None) => flow.failing(flow.fails.max(Fails::Maybe)),
            _ => flow,
        }
    }
}

/// What a composite type is told of the children of a node.
pub fn within<T>(
    tree: &Tree<'_>,
    jumps: &Jumps,
    at: At,
    in_order: Flow,
    flow: impl Fn(At) -> Flow,
    ask: impl FnOnce(&Within<'_>) -> T,
) -> T {
    let children: Vec<At> = tree.children(at).collect();
    let branches: Vec<Case> =
        children.iter().map(|child| Case { flow: flow(*child), holds: case_holds(tree, *child) }).collect();
    let position = |target: At| children.iter().position(|child| tree.span(*child).contains(&target));
    ask(&Within {
        branches: &branches,
        in_order,
        is_left: jumps.leaves(tree.span(at)),
        position_of: &|field| position(tree.target(at, field)?),
        label_of: &|field| Some(tree.label(tree.target(at, field)?)),
        is_named: &|field| engine::reference_in(tree.node(at), field).is_some(),
    })
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
