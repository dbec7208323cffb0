//! The proof: a tree is run against every row of answers that its steps could give. It knows capabilities and the request
//! and nothing of how the tree was found.

use std::collections::BTreeSet;
use std::fmt;

use model::{Field, Subtree};
use serde::Serialize;
use thiserror::Error;

use crate::gr1::Strategy;
use crate::{Capabilities, Request};

/// In every run each activation had what it needs, and each run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// Rows of answers, each up to the end of the behavior.
    pub runs: usize,
    pub finished: usize,
    /// Each because a step failed, its attempts all used.
    pub failed: usize,
    /// Activations in the longest.
    pub longest: usize,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Proof { runs, finished, failed, longest } = self;
        write!(
            f,
            "Proved in all {runs} runs of answers, {finished} finished and {failed} failed, none longer than {longest} \
             activations: each step has what it needs, modes follow each other as they can, goals are reached in order."
        )
    }
}

/// What is wrong with a tree, in one of its runs.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    #[error("`{0}` is neither an action nor a mode")]
    Unknown(String),
    #[error("`{activation}` is done while `{needs}` does not hold")]
    Needs { activation: String, needs: String },
    #[error("`{to}` cannot follow `{from}`")]
    CannotFollow { from: String, to: String },
    #[error("it finishes and `{0}` was not reached")]
    NotReached(String),
    #[error("{runs} runs are too many to try them all")]
    TooMany { runs: usize },
}

/// More than a person would accept as one behavior.
const MOST_RUNS: usize = 1_000_000;

pub fn prove(capabilities: &Capabilities, request: &Request, tree: &Subtree) -> Result<Proof, Fault> {
    let mut steps = Vec::new();
    flatten(capabilities, tree, &mut steps)?;
    let mut at = Run { holds: request.from.iter().cloned().collect(), reached: BTreeSet::new() };
    let mut proof = Proof::default();
    // Answers before the first that ends the behavior are all alike: completed, after some failures within the attempts.
    // What differs between them is how often each step failed.
    let mut rows: usize = 1;
    let mut longest = 0;
    for step in &steps {
        at.may(capabilities, &step.name)?;
        let failed_here = rows;
        proof.failed = add(proof.failed, failed_here)?;
        rows = rows.checked_mul(step.attempts).filter(|rows| *rows <= MOST_RUNS).unwrap_or(MOST_RUNS);
        longest += step.attempts;
        at.complete(capabilities, request, &step.name);
    }
    if let Some(goal) = request.goals.iter().find(|goal| !at.reached.contains(*goal)) {
        return Err(Fault::NotReached(goal.clone()));
    }
    proof.finished = rows;
    proof.runs = add(proof.failed, rows)?;
    proof.longest = longest;
    Ok(proof)
}

/// The same over whatever is sensed: each way through a strategy, with a failure at each of its steps.
pub fn prove_strategy(capabilities: &Capabilities, request: &Request, strategy: &Strategy) -> Result<Proof, Fault> {
    let start = Run { holds: request.from.iter().cloned().collect(), reached: BTreeSet::new() };
    let mut open = vec![(0, start, 0)];
    let mut proof = Proof::default();
    while let Some((place, at, done)) = open.pop() {
        let next = strategy.next(place);
        if next.is_empty() {
            if let Some(goal) = request.goals.iter().find(|goal| !at.reached.contains(*goal)) {
                return Err(Fault::NotReached(goal.clone()));
            }
            proof.finished = add(proof.finished, 1)?;
            proof.longest = proof.longest.max(done);
            continue;
        }
        for to in next {
            for sensed in strategy.sensed(place, to) {
                let mut then = at.clone();
                for (sensor, value) in strategy.sensors.iter().zip(sensed) {
                    then.holds.remove(sensor);
                    then.holds.extend(value.then(|| sensor.clone()));
                }
                let Some(name) = strategy.places[to].does.clone() else {
                    open.push((to, then, done));
                    continue;
                };
                then.may(capabilities, &name)?;
                proof.failed = add(proof.failed, 1)?;
                then.complete(capabilities, request, &name);
                open.push((to, then, done + 1));
            }
        }
    }
    proof.runs = add(proof.finished, proof.failed)?;
    Ok(proof)
}

fn add(one: usize, other: usize) -> Result<usize, Fault> {
    Some(one + other).filter(|sum| *sum <= MOST_RUNS).ok_or(Fault::TooMany { runs: one + other })
}

struct Step {
    name: String,
    attempts: usize,
}

/// A node that is named as an ability is one activation, whatever is in it.
fn flatten(capabilities: &Capabilities, node: &Subtree, steps: &mut Vec<Step>) -> Result<(), Fault> {
    if capabilities.ability(&node.name).is_some() {
        let retry = match node.fields.get("retry") {
            Some(Field::Number(number)) => number.as_u64().unwrap_or(0),
            _ => 0,
        };
        steps.push(Step { name: node.name.to_string(), attempts: retry as usize + 1 });
        return Ok(());
    }
    if &*node.kind != "sequence" {
        return Err(Fault::Unknown(node.name.to_string()));
    }
    node.children.iter().try_for_each(|child| flatten(capabilities, child, steps))
}

#[derive(Clone)]
struct Run {
    holds: BTreeSet<String>,
    reached: BTreeSet<String>,
}

impl Run {
    fn mode(&self, capabilities: &Capabilities) -> Option<String> {
        self.holds.iter().find(|name| capabilities.is_mode(name)).cloned()
    }

    fn may(&self, capabilities: &Capabilities, name: &str) -> Result<(), Fault> {
        let ability = capabilities.ability(name).ok_or_else(|| Fault::Unknown(name.to_owned()))?;
        if let Some(missing) = ability.needs.iter().find(|need| !self.holds.contains(*need)) {
            return Err(Fault::Needs { activation: name.to_owned(), needs: missing.clone() });
        }
        let Some(on) = self.mode(capabilities).filter(|_| capabilities.is_mode(name)) else { return Ok(()) };
        let follows = on == name || capabilities.mode(&on).is_some_and(|mode| mode.to.iter().any(|to| to == name));
        if follows { Ok(()) } else { Err(Fault::CannotFollow { from: on, to: name.to_owned() }) }
    }

    fn complete(&mut self, capabilities: &Capabilities, request: &Request, name: &str) {
        let Some(ability) = capabilities.ability(name) else { return };
        if capabilities.is_mode(name) {
            self.holds.retain(|each| !capabilities.is_mode(each));
        }
        self.holds.retain(|each| !ability.loses.contains(each));
        self.holds.extend(ability.achieves.iter().cloned().chain([name.to_owned()]));
        let is_open = |goal: &&String| !self.reached.contains(*goal);
        let first = request.goals.iter().find(is_open).cloned();
        for goal in request.goals.iter().filter(|goal| *goal == name || ability.achieves.contains(goal)) {
            if !request.strict || Some(goal) == first.as_ref() {
                self.reached.insert(goal.clone());
            }
        }
    }
}
