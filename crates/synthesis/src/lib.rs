//! Say the goal, get a behavior: what a robot is able to do, what shall be reached, and a tree that reaches it whatever
//! its steps answer, with the proof. No input or output, no clock.

mod any_way;
mod automaton;
mod capabilities;
mod check;
pub mod gr1;
mod interest;
mod proof;
mod request;
mod search;
mod tree;
mod why;
mod world;

use serde::Serialize;

pub use automaton::{Automaton, Leads, Place, Transition};
pub use capabilities::{ANNOTATION, Ability, Capabilities, Sensor, annotation_problem};
pub use interest::Interest;
pub use proof::{Fault, Proof, prove, prove_strategy};
pub use request::{Request, Wrong};
pub use search::Limit;
pub use tree::{definition, every_step, on_board, strategy_tree, tree};
pub use why::Why;

/// One thing that is done and ends completed or failed: an action, or a change to a mode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Activation {
    pub name: String,
    /// It changes the mode to the one of its name.
    pub is_mode: bool,
    /// The goal for which it is done.
    pub goal: String,
}

/// A behavior that was found: what is done, in order, while everything completes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    pub activations: Vec<Activation>,
    /// What could take part: actions of the closure of the goals, modes on the way.
    pub interest: Interest,
    /// How many situations were looked at.
    pub looked_at: usize,
    /// No other way does less for each goal in turn. Else the limit was met, and this is a way all the same.
    pub is_shortest: bool,
}

impl Plan {
    /// Of activations that were found elsewhere. Whether they are a way, [`prove`] says of their tree.
    pub fn told(capabilities: &Capabilities, request: &Request, names: &[String]) -> Plan {
        let mut open: Vec<&String> = request.goals.iter().collect();
        let activations = names.iter().map(|name| {
            let goal = open.first().or(request.goals.last().as_ref()).map(|goal| (*goal).clone()).unwrap_or_default();
            let achieved = capabilities.ability(name).map_or(&[][..], |ability| &ability.achieves);
            let first = open.first().copied();
            open.retain(|goal| {
                let is_reached = *goal == name || achieved.contains(goal);
                !is_reached || request.strict && Some(*goal) != first
            });
            Activation { name: name.clone(), is_mode: capabilities.is_mode(name), goal }
        });
        let activations = activations.collect();
        Plan { activations, interest: Interest::of(capabilities, request), looked_at: 0, is_shortest: true }
    }

    pub fn names(&self) -> Vec<&str> {
        self.activations.iter().map(|each| each.name.as_str()).collect()
    }
}

/// How many situations a search looks at before it stops and says how far it got.
pub const LIMIT: usize = 200_000;

/// The shortest way to the first goal from which all others can still be had, then to the next. Of ways of one length the
/// one that does first what stands first in the file, modes before actions.
pub fn synthesize(capabilities: &Capabilities, request: &Request, limit: usize) -> Result<Plan, Why> {
    find(capabilities, request, &Limit::new(limit, &|| false))
}

/// The same, and it can be stopped. The limit knows afterwards how much was looked at.
pub fn find(capabilities: &Capabilities, request: &Request, limit: &Limit<'_>) -> Result<Plan, Why> {
    let request = request.checked(capabilities).map_err(Why::Wrong)?;
    let world = world::World::new(capabilities, &request);
    if let Some(sensor) = world.interest.facts.iter().find(|name| capabilities.sensor(name).is_some()) {
        return Err(Why::Sensed(sensor.clone()));
    }
    why::impossible(capabilities, &request, &world)?;
    match search::find(&world, limit)? {
        Some(plan) => Ok(plan),
        None => Err(together(capabilities, &request, limit)?),
    }
}

/// The same under formulas of a user, and with sensors: a game of GR(1). What looks at sensors on its way is no row, but a
/// [`gr1::Strategy`].
pub fn synthesize_under(capabilities: &Capabilities, request: &Request, formulas: &str) -> Result<Plan, Why> {
    let request = request.checked(capabilities).map_err(Why::Wrong)?;
    let machine = won(capabilities, &request, formulas)?;
    let names = machine.row().ok_or(Why::Branches)?;
    let interest = Interest::of(capabilities, &request);
    let activations = names.into_iter().map(|(name, goal)| {
        let is_mode = capabilities.is_mode(&name);
        Activation { name, is_mode, goal: request.goals[goal].clone() }
    });
    let activations = activations.collect();
    Ok(Plan { activations, interest, looked_at: machine.states.len(), is_shortest: true })
}

/// What is done and what is looked at in between.
pub fn strategy(capabilities: &Capabilities, request: &Request, formulas: &str) -> Result<gr1::Strategy, Why> {
    let request = request.checked(capabilities).map_err(Why::Wrong)?;
    Ok(gr1::Strategy::of(&won(capabilities, &request, formulas)?)?)
}

fn won(capabilities: &Capabilities, request: &Request, formulas: &str) -> Result<gr1::Machine, Why> {
    let spec = gr1::Spec::under(capabilities, request, formulas)?;
    match gr1::solve(&spec)? {
        gr1::Answer::Won(machine) => Ok(machine),
        gr1::Answer::Lost => Err(Why::Lost),
    }
}

/// Each goal can be had, but not all: the first that is too many.
fn together(capabilities: &Capabilities, request: &Request, limit: &Limit<'_>) -> Result<Why, Why> {
    let mut first = request.goals.len() - 1;
    for count in 1..request.goals.len() {
        let fewer = Request { goals: request.goals[..count].to_vec(), ..request.clone() };
        if search::find(&world::World::new(capabilities, &fewer), limit)?.is_none() {
            first = count - 1;
            break;
        }
    }
    Ok(Why::NotAfter { goal: request.goals[first].clone(), after: request.goals[..first].to_vec() })
}
