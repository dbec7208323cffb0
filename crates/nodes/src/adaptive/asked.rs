//! What is asked of experience: strategies, state and goal as they are now, and the choice.

use std::sync::Arc;

use engine::{Children, Chose, Considered, NotSafe, RunFact};
use experience::{Choice, Limit, Nominal, Question, State, slowed};
use model::Value;

use super::trial::Trial;
use super::{Settings, number, role, settings_of};
use crate::strategy;

/// Of the children that are strategies, in tree order.
fn places(settings: &Settings, children: &Children<'_>) -> Vec<usize> {
    let others = [&settings.setup, &settings.recover, &settings.exit].map(|target| role(target, children));
    let all = (0..children.len()).filter(|index| !others.contains(&Some(*index)));
    if settings.adapt { all.collect() } else { all.take(1).collect() }
}

pub fn strategies(settings: &Settings, children: &Children<'_>) -> Vec<experience::Strategy> {
    places(settings, children).into_iter().map(|index| strategy(children, index)).collect()
}

fn strategy(children: &Children<'_>, index: usize) -> experience::Strategy {
    let settings = settings_of(children, index);
    let attempt_s = number(&settings.nominal_s, children).unwrap_or_else(|| children.expected_s(index)).max(0.0);
    let nominal = Nominal { attempt_s, overhead_s: settings.overhead_s, stroke: settings.stroke };
    let pace = parameter(&settings, children).unwrap_or(1.0);
    experience::Strategy {
        name: children.label(index).unwrap_or_default(),
        limits: limits(&settings),
        nominal,
        pace: if pace > 0.0 { pace } else { 1.0 },
    }
}

pub fn limits(settings: &strategy::Settings) -> Vec<Limit> {
    settings.limits.iter().map(|limit| Limit { sense: limit.sense.text().into(), max: limit.max }).collect()
}

/// A load that cannot be told is borne as if it slowed to the least.
pub fn parameter(settings: &strategy::Settings, children: &Children<'_>) -> Option<f64> {
    let parameter = settings.parameter.as_ref()?;
    let loads = parameter.loads.iter().map(|load| {
        let borne = if children.is_preview() { Some(0.0) } else { number(&load.sense, children) };
        borne.map(|borne| (load.slows, borne))
    });
    Some(match loads.collect::<Option<Vec<_>>>() {
        Some(loads) => slowed(parameter.from, parameter.to, loads),
        None => parameter.from,
    })
}

/// Whether anybody knows where the state counts from.
pub fn is_known(settings: &Settings, children: &Children<'_>) -> bool {
    if settings.state.is_empty() {
        return true;
    }
    let has_value = children.value(&settings.state).is_ok();
    let is_said = settings.state_known.is_empty() || matches!(children.judge(&settings.state_known), Ok(true));
    has_value && is_said
}

/// How far the task is.
pub fn state(settings: &Settings, trial: &Trial, children: &Children<'_>) -> State {
    if settings.state.is_empty() {
        return State::none();
    }
    match (children.value(&settings.state), trial.off) {
        (Ok(Value::Text(name)), _) => State::Named(name),
        (Ok(Value::Bool(holds)), _) => State::Named(if holds { "yes" } else { "no" }.into()),
        (Ok(Value::Number(number)), off) if number.is_finite() => State::Number(number + off.unwrap_or_default()),
        _ => State::Number(settings.state_unknown),
    }
}

/// The child to try now, or why there is none.
pub fn choose(settings: &Settings, trial: &mut Trial, children: &mut Children<'_>) -> Result<usize, String> {
    trial.gather(settings, children);
    let places = places(settings, children);
    let state = state(settings, trial, children);
    let spread = trial.off.filter(|_| !settings.state_distribution.is_empty());
    let states: Vec<(State, f64)> = match spread {
        Some(_) => settings.state_distribution.iter().map(|each| (State::Number(each.state), each.weight)).collect(),
        None => vec![(state.clone(), 1.0)],
    };
    let question = Question {
        strategies: &trial.strategies,
        states: &states,
        goal: number(&settings.goal, children),
        window: (settings.window[0], settings.window[1]),
        horizon: settings.horizon,
    };
    let Some(experience) = &trial.experience else { return Err("nothing is known".to_owned()) };
    let choice = experience::choose(&question, experience);
    let chose = said(&state, &trial.strategies, &choice);
    let text = chose.to_string();
    children.tell(RunFact::Chose(chose));
    match choice.chosen {
        Some(chosen) => Ok(places[chosen]),
        None if places.is_empty() => Err("there is no strategy".to_owned()),
        None => Err(text),
    }
}

fn said(state: &State, strategies: &[experience::Strategy], choice: &Choice) -> Chose {
    let considered = strategies.iter().zip(&choice.judged).map(|(strategy, judged)| Considered {
        strategy: Arc::clone(&strategy.name),
        expected_s: judged.expected.s,
        not_safe: judged.unsafe_.as_ref().map(|why| NotSafe {
            at: value(&why.at),
            sense: Arc::clone(&why.sense),
            expected: why.expected,
            max: why.max,
        }),
    });
    Chose {
        state: Some(value(state)).filter(|_| *state != State::none()),
        strategy: choice.chosen.map(|index| Arc::clone(&strategies[index].name)),
        among: considered.collect(),
    }
}

fn value(state: &State) -> Value {
    match state {
        State::Number(number) => Value::Number(*number),
        State::Named(name) => Value::Text(Arc::clone(name)),
    }
}
