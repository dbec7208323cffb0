//! A winning strategy as what is done, one behind the other, and what is looked at in between.

use rustc_hash::FxHashMap;
use serde::Serialize;
use thiserror::Error;

use super::machine::Machine;

/// The first place is the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Strategy {
    pub sensors: Vec<String>,
    pub places: Vec<Place>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// None: it waits until what is sensed leads elsewhere, or it has finished.
    pub does: Option<String>,
    /// By what is sensed when it is done. None at all: finished.
    pub leads: Vec<(Vec<bool>, usize)>,
}

/// A strategy that steps one behind the other cannot follow.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NotSteps {
    #[error("`{0}` would have to be given up when something else is sensed: ask for less")]
    GivesUp(String),
    #[error("what follows `{0}` depends on more than what is sensed then")]
    Depends(String),
    #[error("it may go round for ever, by way of `{0}`")]
    GoesRound(String),
    #[error("written out it has more than {MOST_STEPS} steps")]
    TooLarge,
}

/// More than a person would look through.
pub const MOST_STEPS: usize = 500;

/// What tells places apart: their class so far, what is done there, and where each that is sensed leads.
type Signature<'a> = (usize, &'a Option<String>, Vec<(Vec<bool>, usize)>);

impl Strategy {
    pub fn of(machine: &Machine) -> Result<Strategy, NotSteps> {
        let own = machine.names[..machine.environment].iter().enumerate();
        let at: Vec<usize> = own.filter(|(_, name)| !name.contains('.')).map(|(at, _)| at).collect();
        let sensors: Vec<String> = at.iter().map(|at| machine.names[*at].clone()).collect();
        let sensed = |state: usize| -> Vec<bool> { at.iter().map(|at| machine.states[state].values[*at]).collect() };
        let mut places = Vec::with_capacity(machine.states.len());
        for state in 0..machine.states.len() {
            places.push(place(machine, state, &sensed)?);
        }
        let strategy = Strategy { sensors, places }.merged()?;
        strategy.ends()?;
        Ok(strategy)
    }

    /// Places from which the same is done are one, and those that nothing leads to are none.
    fn merged(&self) -> Result<Strategy, NotSteps> {
        let mut class: Vec<usize> = vec![0; self.places.len()];
        loop {
            let mut known: FxHashMap<Signature<'_>, usize> = FxHashMap::default();
            let signature = |place: &Place, class: &[usize]| {
                let mut leads: Vec<(Vec<bool>, usize)> =
                    place.leads.iter().map(|(sensed, to)| (sensed.clone(), class[*to])).collect();
                leads.sort();
                leads.dedup();
                leads
            };
            let finer: Vec<usize> = (self.places.iter().zip(&class))
                .map(|(place, own)| {
                    let next = known.len();
                    *known.entry((*own, &place.does, signature(place, &class))).or_insert(next)
                })
                .collect();
            let is_same = known.len() == class.iter().max().map_or(0, |most| most + 1);
            if finer == class || is_same && known.len() > 1 {
                return self.with_classes(&finer);
            }
            class = finer;
        }
    }

    fn with_classes(&self, class: &[usize]) -> Result<Strategy, NotSteps> {
        let mut number: FxHashMap<usize, usize> = FxHashMap::default();
        let mut order = vec![0_usize];
        number.insert(class[0], 0);
        let mut places = Vec::new();
        let mut at = 0;
        while at < order.len() {
            let place = &self.places[order[at]];
            let mut leads: Vec<(Vec<bool>, usize)> = Vec::new();
            for (sensed, to) in &place.leads {
                let to = *number.entry(class[*to]).or_insert_with(|| {
                    order.push(*to);
                    order.len() - 1
                });
                match leads.iter().find(|(known, _)| known == sensed) {
                    Some((_, known)) if *known != to => {
                        return Err(NotSteps::Depends(place.does.clone().unwrap_or_default()));
                    }
                    Some(_) => {}
                    None => leads.push((sensed.clone(), to)),
                }
            }
            leads.sort();
            places.push(Place { does: place.does.clone(), leads });
            at += 1;
        }
        Ok(Strategy { sensors: self.sensors.clone(), places })
    }

    /// Only waiting comes back to where it was.
    fn ends(&self) -> Result<(), NotSteps> {
        let mut open = vec![vec![0]];
        let mut steps = 0;
        while let Some(way) = open.pop() {
            let at = way[way.len() - 1];
            steps += 1;
            if steps > MOST_STEPS {
                return Err(NotSteps::TooLarge);
            }
            for to in self.next(at) {
                if way.contains(&to) {
                    let named = way.iter().rev().find_map(|at| self.places[*at].does.clone());
                    return Err(NotSteps::GoesRound(named.unwrap_or_default()));
                }
                open.push(way.iter().copied().chain([to]).collect());
            }
        }
        Ok(())
    }

    /// The places behind one, each once, without itself where it waits.
    pub fn next(&self, at: usize) -> Vec<usize> {
        let place = &self.places[at];
        let mut next: Vec<usize> =
            place.leads.iter().map(|(_, to)| *to).filter(|to| place.does.is_some() || *to != at).collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// What is sensed where one place leads to another.
    pub fn sensed(&self, from: usize, to: usize) -> Vec<&[bool]> {
        self.places[from].leads.iter().filter(|(_, each)| *each == to).map(|(sensed, _)| sensed.as_slice()).collect()
    }

    pub fn waits(&self, at: usize) -> bool {
        let place = &self.places[at];
        place.does.is_none() && place.leads.iter().any(|(_, to)| *to == at)
    }
}

fn place(machine: &Machine, state: usize, sensed: &dyn Fn(usize) -> Vec<bool>) -> Result<Place, NotSteps> {
    if machine.has_ended(state) {
        return Ok(Place::default());
    }
    let active = machine.active(state);
    let next = machine.states[state].next.iter().copied();
    let Some(name) = active.first() else {
        return Ok(Place { does: None, leads: next.map(|to| (sensed(to), to)).collect() });
    };
    let mut leads = Vec::new();
    for to in next {
        let still = machine.active(to);
        if machine.holds(to, "SM.f") || machine.holds(to, &format!("{name}.f")) {
            // The step fails, and with it the behavior; or it is tried again by itself.
            continue;
        }
        if machine.holds(to, &format!("{name}.c")) && !still.contains(name) {
            leads.push((sensed(to), to));
        } else if still != active {
            return Err(NotSteps::GivesUp((*name).to_owned()));
        }
    }
    Ok(Place { does: Some((*name).to_owned()), leads })
}
