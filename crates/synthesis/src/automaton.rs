//! The behavior as a machine: what is on, and what each answer leads to.

use serde::Serialize;

use crate::{Plan, Request};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Idle,
    /// The activation of this number is on.
    Active(usize),
    Finished,
    /// The activation of this number has failed.
    Failed(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Leads {
    Start,
    Waits,
    Completed,
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Transition {
    pub from: Place,
    pub on: Leads,
    pub to: Place,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Automaton {
    pub places: Vec<Place>,
    pub transitions: Vec<Transition>,
}

impl Automaton {
    pub fn of(plan: &Plan, request: &Request) -> Automaton {
        let count = plan.activations.len();
        let fails = request.retry == 0;
        let mut places = vec![Place::Idle];
        let mut transitions = vec![Transition { from: Place::Idle, on: Leads::Start, to: Place::Active(0) }];
        for number in 0..count {
            let from = Place::Active(number);
            let done = if number + 1 < count { Place::Active(number + 1) } else { Place::Finished };
            let failed = if fails { Place::Failed(number) } else { from };
            places.push(from);
            transitions.push(Transition { from, on: Leads::Waits, to: from });
            transitions.push(Transition { from, on: Leads::Completed, to: done });
            transitions.push(Transition { from, on: Leads::Failed, to: failed });
        }
        places.push(Place::Finished);
        places.extend((0..count).filter(|_| fails).map(Place::Failed));
        Automaton { places, transitions }
    }
}
