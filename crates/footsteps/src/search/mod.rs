//! A search for footholds: A* whose trust in its estimate starts high, for a first plan soon, and sinks to 1 as long as
//! it may go on (ARA*). What was learnt with one weight is kept for the next.

mod costs;
mod estimate;
mod field;
mod lattice;
mod nodes;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::BinaryHeap;

use robot::Side;

use crate::ordered::Ordered;
use crate::plan::{Improvement, Plan, PlanFailure, Reason, SearchReport};
use crate::planar::Planar;
use crate::quick::stands_there;
use crate::setup::{Setup, Step};
use crate::terrain::Foothold;
use costs::{StepView, cost, least_cost, risk};
use estimate::Estimate;
use lattice::{Cell, Lattice, Place};
use nodes::{NONE, Nodes};

struct Search<'a, 'b> {
    setup: &'a Setup<'b>,
    lattice: Lattice,
    estimate: Estimate,
    nodes: Nodes,
    open: BinaryHeap<Reverse<(Ordered, Ordered, u32)>>,
    /// Improved after they were expanded with this weight: to be looked at with the next.
    later: Vec<u32>,
    weight: f64,
    /// Of expansions.
    limit: usize,
    round: u32,
    report: SearchReport,
    best: Option<(f64, Vec<Step>)>,
    /// Nearest to the goal so far.
    nearest: (f64, u32),
}

/// A plan that was found at once may be a poor one: so much is always spent on better ones.
const LEAST_EXPANSIONS: usize = 100;

/// Enough to come to the edge of what there is.
const NEAR_EXPANSIONS: usize = 200;

pub(crate) fn plan(setup: &Setup, stop: &dyn Fn() -> bool) -> Result<Plan, PlanFailure> {
    if stands_there(setup) {
        return Ok(Plan {
            steps: Vec::new(),
            cost: 0.0,
            search: SearchReport::default(),
            way: Vec::new(),
            goal_moved_m: [0.0; 2],
        });
    }
    let mut search = Search::of(setup);
    if search.estimate.is_cut_off(&setup.start_hips()) {
        // Goes as near as it can, to say what ends the way there.
        let mut blind = Search::with(setup, search.estimate.straight());
        blind.limit = blind.limit.min(NEAR_EXPANSIONS);
        blind.run(stop);
        setup.count(blind.report.expansions, 0);
        return Err(blind.failure(true));
    }
    let finished = search.run(stop);
    search.report.finished = finished;
    setup.count(search.report.expansions, 0);
    let Some((cost, steps)) = search.best.take() else { return Err(search.failure(finished)) };
    if steps.len() > setup.parameters.max_steps {
        return Err(setup.failure(Reason::TooManySteps(setup.parameters.max_steps), None));
    }
    Ok(Plan { steps: setup.footsteps(&steps), cost, search: search.report, way: Vec::new(), goal_moved_m: [0.0; 2] })
}

impl<'a, 'b> Search<'a, 'b> {
    fn of(setup: &'a Setup<'b>) -> Search<'a, 'b> {
        Search::with(setup, Estimate::of(setup))
    }

    fn with(setup: &'a Setup<'b>, estimate: Estimate) -> Search<'a, 'b> {
        let parameters = &setup.parameters.search;
        let mut search = Search {
            setup,
            lattice: Lattice::new(parameters.cell_m, parameters.yaw_cell_deg),
            estimate,
            limit: parameters.max_expansions,
            nodes: Nodes::default(),
            open: BinaryHeap::new(),
            later: Vec::new(),
            weight: parameters.first_weight,
            round: 1,
            report: SearchReport::default(),
            best: None,
            nearest: (f64::INFINITY, 0),
        };
        // Each foot of the start is the stance of a first step, and the other one what swings.
        for side in Side::BOTH {
            let foothold = Foothold::level(setup.start[side.index()]);
            let index = search.nodes.add(Place::Start(side), side, foothold, 0.0);
            search.nodes.all[index as usize].parent = 1 - index;
        }
        for side in Side::BOTH.into_iter().filter(|stance| setup.first.is_none_or(|first| first != *stance)) {
            let index = side.index() as u32;
            let estimate = search.estimate.of_foot(side, &setup.start[side.index()].at);
            let node = &mut search.nodes.all[index as usize];
            (node.cost, node.estimate) = (0.0, estimate);
            search.push(index);
        }
        search
    }

    /// Whether nothing is left to be found.
    fn run(&mut self, stop: &dyn Fn() -> bool) -> bool {
        loop {
            if !self.improve(stop) {
                return false;
            }
            if self.weight <= 1.0 || self.best.is_none() {
                return true;
            }
            self.weight = self.next_weight();
            self.round += 1;
            let mut waiting: Vec<u32> = self.open.drain().map(|Reverse((_, _, index))| index).collect();
            waiting.append(&mut self.later);
            waiting.sort_unstable();
            waiting.dedup();
            for index in waiting {
                self.push(index);
            }
        }
    }

    /// The nearer to 1, the more a step down costs: from 1.5 on they are a fifth as large, so that what can be had for
    /// little comes before what is dear.
    fn next_weight(&self) -> f64 {
        let step = self.setup.parameters.search.weight_step;
        let step = if self.weight > 1.5 { step.min((self.weight - 1.5).max(step / 5.0)) } else { step / 5.0 };
        (self.weight - step).max(1.0)
    }

    fn push(&mut self, index: u32) {
        let node = &self.nodes.all[index as usize];
        if node.estimate.is_finite() {
            let total = node.cost + self.weight * node.estimate;
            self.open.push(Reverse((Ordered(total), Ordered(node.estimate), index)));
        }
    }

    /// Until nothing open can lead to a better plan with this weight; false if it was stopped before.
    fn improve(&mut self, stop: &dyn Fn() -> bool) -> bool {
        while let Some(Reverse((Ordered(total), _, index))) = self.open.peek().copied() {
            if self.best.as_ref().is_some_and(|(cost, _)| total >= *cost) {
                return true;
            }
            self.open.pop();
            let node = &mut self.nodes.all[index as usize];
            let outdated = total > node.cost + self.weight * node.estimate + 1e-12;
            if node.round == self.round || outdated {
                continue;
            }
            node.round = self.round;
            if self.report.expansions >= self.enough() || (self.report.expansions.is_multiple_of(16) && stop()) {
                self.nodes.all[index as usize].round = 0;
                self.push(index);
                return false;
            }
            self.report.expansions += 1;
            self.expand(index, &mut None);
        }
        true
    }

    /// Expansions after which it ends. Better plans come ever more rarely: whoever waits much longer than it took to find
    /// the last waits in vain most of the time.
    fn enough(&self) -> usize {
        let Some(last) = self.report.improvements.last() else { return self.limit };
        let patient = (last.expansions as f64 * (1.0 + self.setup.parameters.search.patience)) as usize;
        self.limit.min(patient.max(last.expansions + LEAST_EXPANSIONS))
    }

    fn expand(&mut self, index: u32, problems: &mut Option<BTreeMap<String, (usize, String)>>) {
        let node = self.nodes.all[index as usize];
        if node.estimate < self.nearest.0 {
            self.nearest = (node.estimate, index);
        }
        let side = node.side.other();
        if let Place::Goal(_) | Place::Start(_) = node.place {
            let there = self.setup.is_at_goal(node.side, &node.foothold.sole.at);
            if there && (matches!(node.place, Place::Goal(_)) || self.setup.square_up) {
                self.relax(index, Place::Done, self.setup.goal[side.index()], problems);
            }
        }
        if let Place::Goal(_) = node.place {
            return;
        }
        let goal = self.setup.goal[side.index()];
        if self.setup.reach.check_place(side, &node.foothold.sole.at, &goal.sole.at).is_ok() {
            let place = if self.setup.square_up { Place::Goal(side) } else { Place::Done };
            self.relax(index, place, goal, problems);
        }
        match node.place {
            Place::On(_, cell) => {
                // Taken out while it is walked through: relaxing needs the lattice too.
                let landings = self.lattice.landings(self.setup, side, cell.yaw).to_vec();
                for (dx, dy, yaw) in landings {
                    let (Some(x), Some(y)) = (cell.x.checked_add(dx), cell.y.checked_add(dy)) else { continue };
                    self.relax_cell(index, side, Cell { x, y, yaw }, problems);
                }
            }
            _ => {
                for cell in self.lattice.landings_beside(self.setup, side, &node.foothold.sole.at) {
                    self.relax_cell(index, side, cell, problems);
                }
            }
        }
    }

    fn relax_cell(
        &mut self,
        stance: u32,
        side: Side,
        cell: Cell,
        problems: &mut Option<BTreeMap<String, (usize, String)>>,
    ) {
        let place = Place::On(side, cell);
        let known = self.nodes.find(place);
        if problems.is_none() {
            let known_cost = known.map_or(f64::INFINITY, |index| self.nodes.all[index as usize].cost);
            let from = &self.nodes.all[self.nodes.all[stance as usize].parent as usize].foothold.sole.at;
            let distance_m = from.distance_m(&self.lattice.at(cell)) / 2.0;
            let least = self.nodes.all[stance as usize].cost + least_cost(&self.setup.parameters.cost, distance_m);
            if least >= known_cost || self.best.as_ref().is_some_and(|(best, _)| least >= *best) {
                return;
            }
        }
        match self.lattice.foothold(self.setup, cell) {
            Ok(foothold) => self.relax(stance, place, foothold, problems),
            Err(problem) => note(problems, "foothold", || problem.to_string()),
        }
    }

    /// A step from a stance to a place: is it possible, and is it the cheapest way there so far?
    fn relax(
        &mut self,
        stance: u32,
        place: Place,
        landing: Foothold,
        problems: &mut Option<BTreeMap<String, (usize, String)>>,
    ) {
        let node = self.nodes.all[stance as usize];
        let from = self.nodes.all[node.parent as usize];
        let side = node.side.other();
        if let Err(why) = self.setup.reach.check(side, &node.foothold.sole, &landing.sole, &from.foothold.sole) {
            return note(problems, "reach", || why.to_string());
        }
        let before = (from.parent != NONE && from.parent != stance)
            .then(|| self.nodes.all[from.parent as usize].foothold)
            .filter(|_| matches!(node.place, Place::On(..) | Place::Goal(_)));
        let view = StepView {
            side,
            reach: &self.setup.reach,
            stance: &node.foothold,
            landing: &landing,
            from: &from.foothold,
            before: before.as_ref(),
        };
        let total = node.cost + cost(&view, self.setup.parameters);
        let known = self.nodes.find(place);
        if problems.is_none() && known.is_some_and(|index| self.nodes.all[index as usize].cost <= total) {
            return;
        }
        if risk(&view, self.setup.parameters) > self.setup.parameters.risk.max {
            return note(problems, "risk", || "the step risks too much".to_owned());
        }
        if let Some(hit) = self.setup.view.step_hit(&node.foothold.sole, &landing.sole, &from.foothold.sole) {
            return note(problems, "hit", || format!("it would touch {hit}"));
        }
        if problems.is_none() {
            self.reached(stance, place, landing, total);
        }
    }

    fn reached(&mut self, stance: u32, place: Place, landing: Foothold, total: f64) {
        let side = self.nodes.all[stance as usize].side.other();
        let index = self.nodes.find(place).unwrap_or_else(|| {
            let estimate = if place == Place::Done { 0.0 } else { self.estimate.of_foot(side, &landing.sole.at) };
            self.nodes.add(place, side, landing, estimate)
        });
        let node = &mut self.nodes.all[index as usize];
        (node.side, node.foothold, node.cost, node.parent) = (side, landing, total, stance);
        if place == Place::Done {
            self.found(index);
        } else if node.round == self.round {
            self.later.push(index);
        } else {
            self.push(index);
        }
    }

    fn found(&mut self, done: u32) {
        let steps = self.nodes.steps_to(done);
        let cost = self.nodes.all[done as usize].cost;
        // A cheaper way to a stance may have changed where its next swing comes from.
        if !self.holds(&steps) {
            self.nodes.all[done as usize].cost = f64::INFINITY;
            return;
        }
        if self.best.as_ref().is_none_or(|(best, _)| cost < *best) {
            let (expansions, weight) = (self.report.expansions, self.weight);
            self.report.improvements.push(Improvement { expansions, weight, cost, steps: steps.len() });
            if self.best.replace((cost, steps)).is_none() {
                (self.setup.first_plan)();
            }
        }
    }

    fn holds(&self, steps: &[Step]) -> bool {
        let mut feet = self.setup.start;
        steps.iter().all(|(side, foothold)| {
            let stance = feet[side.other().index()];
            let from = std::mem::replace(&mut feet[side.index()], foothold.sole);
            self.setup.reach.allows(*side, &stance, &foothold.sole, &from)
                && self.setup.view.step_hit(&stance, &foothold.sole, &from).is_none()
        })
    }

    /// Looks once more at the place that came nearest: what stops most steps from there?
    fn failure(&mut self, finished: bool) -> PlanFailure {
        let (_, nearest) = self.nearest;
        let mut problems = Some(BTreeMap::new());
        self.expand(nearest, &mut problems);
        let counted = problems.unwrap_or_default();
        let most = counted.into_values().max_by_key(|(count, _)| *count);
        let why = most.map_or_else(|| "none is left to try".to_owned(), |(_, why)| why);
        let node = &self.nodes.all[nearest as usize];
        let at: Planar = node.foothold.sole.at;
        let short_m = self.estimate.hips(node.side, &at).distance_m(&self.setup.goal_hips());
        let expansions = self.report.expansions;
        let reason =
            if finished { Reason::Unreachable { short_m, why } } else { Reason::Stopped { expansions, short_m, why } };
        self.setup.failure(reason, Some(&at))
    }
}

fn note(problems: &mut Option<BTreeMap<String, (usize, String)>>, kind: &str, text: impl FnOnce() -> String) {
    if let Some(problems) = problems {
        let (count, _) = problems.entry(kind.to_owned()).or_insert_with(|| (0, text()));
        *count += 1;
    }
}
