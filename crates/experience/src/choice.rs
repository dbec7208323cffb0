use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::batch::State;
use crate::expected::{Ahead, Expected, Horizon, Strategy};
use crate::gathered::{Bin, Experience};

/// What is to be done now.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    pub strategies: &'a [Strategy],
    /// Where it may be, each with its weight.
    pub states: &'a [(State, f64)],
    pub goal: Option<f64>,
    /// From how much below the state to how much above it a strategy must be safe.
    pub window: (f64, f64),
    pub horizon: Horizon,
}

/// Why a strategy is not safe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unsafe {
    pub at: State,
    pub sense: Arc<str>,
    pub expected: f64,
    pub max: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub expected: Expected,
    /// None: it is safe, as far as anybody knows.
    pub unsafe_: Option<Unsafe>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// None: no strategy is safe.
    pub chosen: Option<usize>,
    /// In the order of the strategies.
    pub judged: Vec<Judged>,
}

/// The safe strategy with the least expected time; of equal ones the first.
pub fn choose(question: &Question<'_>, experience: &Experience) -> Choice {
    let mut ahead = Ahead::new(question.strategies, experience, question.goal, question.horizon);
    let mut judged: Vec<Judged> = Vec::with_capacity(question.strategies.len());
    for index in 0..question.strategies.len() {
        let unsafe_ = question.states.iter().find_map(|(state, _)| unsafe_at(question, index, state, experience));
        judged.push(Judged { expected: mean(&mut ahead, index, question.states), unsafe_ });
    }
    let mut chosen: Option<usize> = None;
    for (index, each) in judged.iter().enumerate().filter(|(_, each)| each.unsafe_.is_none()) {
        if chosen.is_none_or(|best| each.expected.s < judged[best].expected.s) {
            chosen = Some(index);
        }
    }
    Choice { chosen, judged }
}

fn mean(ahead: &mut Ahead<'_>, strategy: usize, states: &[(State, f64)]) -> Expected {
    let (mut s, mut weights, mut gets_there) = (0.0, 0.0, true);
    for (state, weight) in states {
        let expected = ahead.expected(strategy, state);
        s += expected.s * weight;
        weights += weight;
        gets_there &= expected.gets_there;
    }
    Expected { s: if weights > 0.0 { s / weights } else { s }, gets_there }
}

fn unsafe_at(question: &Question<'_>, index: usize, state: &State, experience: &Experience) -> Option<Unsafe> {
    let strategy = &question.strategies[index];
    let known = experience.known(&strategy.name)?;
    let grid = experience.grid();
    let (at, limit, expected) = match state {
        State::Number(number) => {
            let (low, high) = question.window;
            let (from, to) = (grid.bin_of(number + low), grid.bin_of(number + high));
            let (bin, limit, expected) =
                if from <= to { known.exceeded_within(from, to, &strategy.limits)? } else { return None };
            (State::Number(bin as f64 * grid.bin), limit, expected)
        }
        State::Named(name) => {
            let (limit, expected) = known.exceeded(&Bin::Named(Arc::clone(name)), &strategy.limits)?;
            (state.clone(), limit, expected)
        }
    };
    let limit = &strategy.limits[limit];
    Some(Unsafe { at, sense: Arc::clone(&limit.sense), expected, max: limit.max })
}
