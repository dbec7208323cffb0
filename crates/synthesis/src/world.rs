//! A request as numbers: situations, and what changes them.

use rustc_hash::FxHashMap;

use crate::{Capabilities, Interest, Request};

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set(Box<[u64]>);

impl Set {
    fn with_room(count: usize) -> Set {
        Set(vec![0; count.div_ceil(64)].into())
    }

    pub fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    pub fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn has_all(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| other & !own == 0)
    }

    fn add(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn remove(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own &= !other);
    }
}

/// What is so between two activations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Situation {
    /// Without modes always 0.
    pub mode: usize,
    pub facts: Set,
    /// A bit a goal.
    pub reached: u64,
}

/// An activation that may be chosen.
#[derive(Debug)]
pub struct Move {
    pub name: String,
    /// The mode that is on when it has completed.
    pub to: Option<usize>,
    pub needs_mode: Option<usize>,
    pub needs: Vec<usize>,
    pub achieves: Vec<usize>,
    pub is_mode: bool,
    needs_set: Set,
    achieves_set: Set,
    loses_set: Set,
    goals: u64,
    loses_nothing: bool,
}

#[derive(Debug)]
pub struct World {
    /// Modes first, each in the order of the file: the order in which they are preferred.
    pub moves: Vec<Move>,
    pub start: Situation,
    pub goals: Vec<Goal>,
    pub interest: Interest,
    strict: bool,
    /// Modes that can follow, in numbers.
    next_modes: Vec<Vec<usize>>,
    /// Activations from one mode to another; none: no way.
    pub mode_distance: Vec<Vec<Option<u32>>>,
    /// By fact.
    pub achievers: Vec<Vec<usize>>,
    /// By fact: nothing makes it untrue.
    pub lasts: Vec<bool>,
}

#[derive(Debug)]
pub struct Goal {
    pub name: String,
    /// Activations that reach it when they complete.
    pub moves: Vec<usize>,
}

impl World {
    /// Of a request that was checked.
    pub fn new(capabilities: &Capabilities, request: &Request) -> World {
        let interest = Interest::of(capabilities, request);
        let mode_at: FxHashMap<&str, usize> = numbered(&interest.modes);
        // The name of a mode is no fact: the mode says it.
        let named: Vec<String> = interest.actions.iter().chain(&interest.facts).cloned().collect();
        let fact_at: FxHashMap<&str, usize> = numbered(&named);
        let goal_bits = |names: &[&String]| -> u64 {
            let goals = request.goals.iter().enumerate().filter(|(_, goal)| names.contains(goal));
            goals.fold(0, |bits, (at, _)| bits | 1 << at)
        };
        let set_of = |list: &[usize]| {
            let mut set = Set::with_room(named.len().max(1));
            list.iter().for_each(|at| set.insert(*at));
            set
        };
        let numbers = |names: &[String]| -> Vec<usize> {
            names.iter().filter_map(|name| fact_at.get(name.as_str()).copied()).collect()
        };
        let mut moves = Vec::new();
        for name in interest.modes.iter().chain(&interest.actions) {
            let Some(ability) = capabilities.ability(name) else { continue };
            let needs = numbers(&ability.needs);
            let mut achieves = numbers(&ability.achieves);
            achieves.extend(fact_at.get(name.as_str()));
            let loses = numbers(&ability.loses);
            let reaches: Vec<&String> = ability.achieves.iter().chain([name]).collect();
            moves.push(Move {
                name: name.clone(),
                to: mode_at.get(name.as_str()).copied(),
                // A mode that is not of interest cannot be had: no number stands for it.
                needs_mode: (ability.needs.iter().find(|need| capabilities.is_mode(need)))
                    .map(|need| mode_at.get(need.as_str()).copied().unwrap_or(usize::MAX)),
                is_mode: mode_at.contains_key(name.as_str()),
                needs_set: set_of(&needs),
                achieves_set: set_of(&achieves),
                loses_set: set_of(&loses),
                goals: goal_bits(&reaches),
                loses_nothing: loses.is_empty(),
                needs,
                achieves,
            });
        }
        let next_modes: Vec<Vec<usize>> = (interest.modes.iter())
            .map(|name| {
                let to = capabilities.mode(name).map_or(&[][..], |mode| &mode.to);
                to.iter().chain([name]).filter_map(|next| mode_at.get(next.as_str()).copied()).collect()
            })
            .collect();
        let on = request.from.iter().find_map(|name| mode_at.get(name.as_str()).copied());
        let start = Situation { mode: on.unwrap_or(0), facts: set_of(&numbers(&request.from)), reached: 0 };
        let achievers = by_fact(named.len(), &moves, |each| &each.achieves);
        let mut lost = set_of(&[]);
        moves.iter().for_each(|each| lost.add(&each.loses_set));
        let lasts = (0..named.len()).map(|fact| !lost.has(fact)).collect();
        let goals = request.goals.iter().enumerate().map(|(at, name)| Goal {
            name: name.clone(),
            moves: (0..moves.len()).filter(|each| moves[*each].goals >> at & 1 == 1).collect(),
        });
        let goals = goals.collect();
        let mode_distance = (0..next_modes.len()).map(|from| distances(&next_modes, from)).collect();
        World { moves, start, goals, interest, strict: request.strict, next_modes, mode_distance, achievers, lasts }
    }

    /// The activation may be chosen here.
    pub fn allows(&self, at: &Situation, number: usize) -> bool {
        let each = &self.moves[number];
        let mode_fits = each.needs_mode.is_none_or(|mode| mode == at.mode);
        let can_follow = each.to.is_none_or(|to| self.next_modes[at.mode].contains(&to));
        mode_fits && can_follow && at.facts.has_all(&each.needs_set)
    }

    /// What is so when it has completed.
    pub fn after(&self, at: &Situation, number: usize) -> Situation {
        let each = &self.moves[number];
        let mut next = at.clone();
        next.mode = each.to.unwrap_or(at.mode);
        next.facts.remove(&each.loses_set);
        next.facts.add(&each.achieves_set);
        next.reached |= if self.strict { each.goals & self.in_turn(at) } else { each.goals };
        next
    }

    /// The goals that may be reached now where the order is a must: the first that is open.
    fn in_turn(&self, at: &Situation) -> u64 {
        self.open_goal(at).map_or(0, |goal| 1 << goal)
    }

    /// The first goal that is not reached.
    pub fn open_goal(&self, at: &Situation) -> Option<usize> {
        let first = at.reached.trailing_ones() as usize;
        (first < self.goals.len()).then_some(first)
    }

    pub fn loses_nothing(&self, number: usize) -> bool {
        self.moves[number].loses_nothing
    }

    /// Modes, and what a way from here to the goal could have in it.
    pub fn helping(&self, from: &Situation, goal: usize) -> Vec<usize> {
        let mut helps = vec![false; self.moves.len()];
        let mut open = self.goals[goal].moves.clone();
        open.extend((0..self.moves.len()).filter(|number| self.moves[*number].is_mode));
        while let Some(number) = open.pop() {
            if !std::mem::replace(&mut helps[number], true) {
                let needs = self.moves[number].needs.iter();
                let missing = needs.filter(|fact| !(from.facts.has(**fact) && self.lasts[**fact]));
                open.extend(missing.flat_map(|fact| &self.achievers[*fact]));
            }
        }
        (0..self.moves.len()).filter(|number| helps[*number]).collect()
    }

    /// The fewest activations beside these and changes of mode with which each of the facts can be had, were nothing
    /// ever lost; none: one of them cannot.
    pub fn least_beside(&self, at: &Situation, facts: &[usize], beside: &[usize]) -> Option<u32> {
        let mut cost: Vec<Option<u32>> =
            (0..self.achievers.len()).map(|fact| at.facts.has(fact).then_some(0)).collect();
        loop {
            let mut changed = false;
            for (number, each) in self.moves.iter().enumerate() {
                let needs = each.needs.iter().try_fold(0, |most, fact| Some(cost[*fact]?.max(most)));
                let own = u32::from(!each.is_mode && beside.binary_search(&number).is_err());
                let Some(through) = needs.map(|needs: u32| needs + own) else { continue };
                for fact in &each.achieves {
                    if cost[*fact].is_none_or(|known| through < known) {
                        cost[*fact] = Some(through);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        facts.iter().try_fold(0, |most, fact| Some(cost[*fact]?.max(most)))
    }

    /// To do it early where it must be done anyway changes nothing but the order.
    pub fn is_harmless(&self, number: usize) -> bool {
        let each = &self.moves[number];
        !each.is_mode && each.loses_nothing && each.achieves.iter().all(|fact| self.lasts[*fact])
    }
}

fn numbered(names: &[String]) -> FxHashMap<&str, usize> {
    names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect()
}

fn by_fact(count: usize, moves: &[Move], facts: impl Fn(&Move) -> &Vec<usize>) -> Vec<Vec<usize>> {
    let mut by_fact = vec![Vec::new(); count];
    for (number, each) in moves.iter().enumerate() {
        for fact in facts(each) {
            by_fact[*fact].push(number);
        }
    }
    by_fact
}

fn distances(next: &[Vec<usize>], from: usize) -> Vec<Option<u32>> {
    let mut distance = vec![None; next.len()];
    distance[from] = Some(0);
    let mut open = std::collections::VecDeque::from([(from, 0)]);
    while let Some((at, so_far)) = open.pop_front() {
        for each in &next[at] {
            if distance[*each].is_none() {
                distance[*each] = Some(so_far + 1);
                open.push_back((*each, so_far + 1));
            }
        }
    }
    distance
}
