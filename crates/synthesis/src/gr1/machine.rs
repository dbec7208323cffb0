//! A winning strategy, written out: every situation that can come about, and what follows each answer.

use oxidd::BooleanFunction;
use oxidd::bdd::BDDFunction as Bdd;
use rustc_hash::FxHashMap;

use super::game::{Game, Made, Won};
use super::spec::Spec;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The value of each proposition.
    pub values: Vec<bool>,
    /// The states that can follow, one for each answer.
    pub next: Vec<usize>,
}

/// The first state is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    pub names: Vec<String>,
    pub environment: usize,
    pub states: Vec<State>,
}

impl Machine {
    fn number(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    pub fn holds(&self, state: usize, name: &str) -> bool {
        self.number(name).is_some_and(|number| self.states[state].values[number])
    }

    /// Finished or failed: what happens then is nobody's concern.
    pub fn has_ended(&self, state: usize) -> bool {
        self.holds(state, "SM.c") || self.holds(state, "SM.f")
    }

    /// What is activated in this state.
    pub fn active(&self, state: usize) -> Vec<&str> {
        let is_activation = |name: &&String| !name.contains('.');
        let system = self.names[self.environment..].iter().zip(&self.states[state].values[self.environment..]);
        system.filter(|(name, value)| **value && is_activation(name)).map(|(name, _)| name.as_str()).collect()
    }

    /// States, and the steps between them.
    pub fn size(&self) -> (usize, usize) {
        (self.states.len(), self.states.iter().map(|state| state.next.len()).sum())
    }

    /// The activations, each with the number of the goal that was open, if what follows depends on nothing but whether
    /// they complete.
    pub fn row(&self) -> Option<Vec<(String, usize)>> {
        let senses = self.names[..self.environment].iter().any(|name| !name.contains('.'));
        let run = self.run();
        let idle = self.states.iter().enumerate().filter(|(at, _)| self.active(*at).is_empty() && !self.has_ended(*at));
        if senses || idle.count() > 1 {
            return None;
        }
        let memory: Vec<usize> =
            self.names.iter().enumerate().filter(|(_, name)| name.starts_with("reached.")).map(|(at, _)| at).collect();
        let open = |name: &String| {
            let state = (0..self.states.len()).find(|at| self.active(*at).contains(&name.as_str()))?;
            memory.iter().position(|memory| !self.states[state].values[*memory])
        };
        Some(
            run.into_iter()
                .map(|name| {
                    let goal = open(&name).unwrap_or(0);
                    (name, goal)
                })
                .collect(),
        )
    }

    /// What is activated while everything completes.
    pub fn run(&self) -> Vec<String> {
        let (mut at, mut run) = (0, Vec::new());
        let mut seen = vec![false; self.states.len()];
        while !std::mem::replace(&mut seen[at], true) && !self.has_ended(at) {
            let active: Vec<String> = self.active(at).into_iter().map(str::to_owned).collect();
            let completes = |next: &&usize| {
                active.iter().all(|name| {
                    self.holds(**next, &format!("{name}.c")) && !self.active(**next).contains(&name.as_str())
                })
            };
            run.extend(active.iter().cloned());
            let Some(next) = self.states[at].next.iter().find(completes) else { break };
            at = *next;
        }
        run
    }
}

/// More than a person would look through.
const MOST_STATES: usize = 100_000;

pub(super) fn extract(spec: &Spec, game: &Game, won: &Won) -> Made<Machine> {
    let mut chooser = Chooser::new(spec, game, won)?;
    let mut machine = Machine { names: spec.names.clone(), environment: spec.environment, states: Vec::new() };
    let mut known: FxHashMap<(Vec<bool>, usize), usize> = FxHashMap::default();
    let mut turns = Vec::new();
    for values in game.first_states(spec.names.len())?.into_iter().take(1) {
        known.insert((values.clone(), 0), 0);
        machine.states.push(State { values, next: Vec::new() });
        turns.push(0);
    }
    let mut at = 0;
    while at < machine.states.len() && machine.states.len() < MOST_STATES {
        if !machine.has_ended(at) {
            for (values, turn) in chooser.steps(&machine.states[at].values.clone(), turns[at])? {
                let number = *known.entry((values.clone(), turn)).or_insert_with(|| {
                    machine.states.push(State { values, next: Vec::new() });
                    turns.push(turn);
                    machine.states.len() - 1
                });
                if !machine.states[at].next.contains(&number) {
                    machine.states[at].next.push(number);
                }
            }
        }
        at += 1;
    }
    Ok(machine)
}

struct Chooser<'a> {
    spec: &'a Spec,
    game: &'a Game,
    won: &'a Won,
    /// For each liveness of the system, for each layer: steps that lead near, and those that wait.
    ways: Vec<Vec<(Bdd, Vec<Bdd>)>>,
}

type Step = (Vec<bool>, usize);

/// Layers to the goal, then what is activated, by preference.
type Rank = (usize, Vec<usize>);

impl Chooser<'_> {
    fn new<'a>(spec: &'a Spec, game: &'a Game, won: &'a Won) -> Made<Chooser<'a>> {
        let ways = (0..won.ways.len()).map(|goal| game.steps_of(won, goal)).collect::<Made<Vec<_>>>()?;
        Ok(Chooser { spec, game, won, ways })
    }

    /// One for each answer of the environment, with the liveness that is next.
    fn steps(&mut self, state: &[bool], turn: usize) -> Made<Vec<Step>> {
        let count = self.spec.environment;
        let may = self.game.from(&self.game.environment_may, state)?;
        let open = self.spec.memory.iter().position(|memory| !state[*memory]);
        let turn = if self.won.is_staged { open.unwrap_or(0) } else { turn };
        let mut steps = Vec::new();
        for answer in self.game.assignments(&may, &self.game.next[..count])? {
            steps.extend(self.answer(state, &answer, turn)?);
        }
        Ok(steps)
    }

    /// The nearest layer that this answer lets us have; in it the activation that is preferred.
    fn answer(&self, state: &[bool], answer: &[bool], turn: usize) -> Made<Option<Step>> {
        let may = self.game.answered(&self.game.from(&self.game.system_may, state)?, answer)?;
        let here = self.game.at(state)?;
        for (layer, (near, waits)) in self.ways[turn].iter().enumerate() {
            let is_waiting = |wait: usize| {
                Ok::<_, super::game::TooLarge>(
                    self.won.ways[turn].layers[layer].waiting[wait].and(&here)?.satisfiable(),
                )
            };
            let closer = may.and(&self.game.answered(&self.game.from(near, state)?, answer)?)?;
            if let Some(values) = self.preferred(&closer, answer, state)? {
                let goes_on = layer == 0 && !self.won.is_staged;
                return Ok(Some((values, if goes_on { (turn + 1) % self.ways.len() } else { self.turn_kept(turn) })));
            }
            for (number, wait) in waits.iter().enumerate() {
                if !is_waiting(number)? {
                    continue;
                }
                let stays = may.and(&self.game.answered(&self.game.from(wait, state)?, answer)?)?;
                if let Some(values) = self.preferred(&stays, answer, state)? {
                    return Ok(Some((values, self.turn_kept(turn))));
                }
            }
        }
        Ok(None)
    }

    /// Where the goals say whose turn it is, nothing else must be remembered.
    fn turn_kept(&self, turn: usize) -> usize {
        if self.won.is_staged { 0 } else { turn }
    }

    fn preferred(&self, steps: &Bdd, answer: &[bool], state: &[bool]) -> Made<Option<Vec<bool>>> {
        let open = self.spec.memory.iter().position(|memory| !state[*memory]);
        let order = open.map_or(&[][..], |goal| &self.spec.preferred[goal]);
        let rows = self.game.assignments(steps, &self.game.next[self.spec.environment..])?;
        let whole = |row: &Vec<bool>| answer.iter().chain(row).copied().collect::<Vec<bool>>();
        let mut best: Option<(Rank, Vec<bool>)> = None;
        for row in &rows {
            let values = whole(row);
            let active = order.iter().enumerate().filter(|(_, number)| values[**number]).map(|(place, _)| place);
            let rank = (self.distance(&values)?, active.collect());
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, values));
            }
        }
        Ok(best.map(|(_, values)| values))
    }

    /// Layers to the goal whose turn it is there; where goals take no turns none is nearer than another.
    fn distance(&self, state: &[bool]) -> Made<usize> {
        let open = self.spec.memory.iter().position(|memory| !state[*memory]);
        let Some(goal) = open.filter(|_| self.won.is_staged) else { return Ok(0) };
        let here = self.game.at(state)?;
        for (place, layer) in self.won.ways[goal].layers.iter().enumerate() {
            if layer.reached.and(&here)?.satisfiable() {
                return Ok(place);
            }
        }
        Ok(usize::MAX)
    }
}
