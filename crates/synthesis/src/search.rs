//! The exact core. An activation is chosen, ends, and only then the next is chosen: so a behavior that may fail at once
//! is a way through situations in which everything completes, and the search for one is exact.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::any_way::AnyWay;
use crate::world::{Situation, World};
use crate::{Activation, Plan, Why};

/// None: there is no way.
pub fn find(world: &World, limit: &Limit<'_>) -> Result<Option<Plan>, Why> {
    let stopped = |reached: usize| Why::Limit {
        looked_at: limit.looked_at(),
        goals_reached: reached,
        goals: world.goals.len(),
        goal: world.goals[reached].name.clone(),
    };
    let mut any = AnyWay::new(world, limit);
    let Some(some) = any.way(&world.start).map_err(|Stopped| stopped(any.furthest))? else { return Ok(None) };
    let mut search =
        Search { world, limit, looked_at: 0, any, ways: FxHashMap::default(), lengths: FxHashMap::default() };
    let (way, is_shortest) = match search.way(&world.start) {
        Ok(Some(way)) => (way, true),
        Ok(None) | Err(Stopped) => (some, false),
    };
    let looked_at = search.looked_at + search.any.looked_at;
    let interest = world.interest.clone();
    Ok(Some(Plan { activations: named(world, &way), interest, looked_at, is_shortest }))
}

fn named(world: &World, way: &[usize]) -> Vec<Activation> {
    let mut at = world.start.clone();
    let mut named = Vec::new();
    for number in way {
        let goal = world.open_goal(&at).unwrap_or(0);
        let each = &world.moves[*number];
        let goal = world.goals[goal].name.clone();
        named.push(Activation { name: each.name.clone(), is_mode: each.is_mode, goal });
        at = world.after(&at, *number);
    }
    named
}

/// How much a search may look at.
pub struct Limit<'a> {
    situations: usize,
    /// Asked now and then: nobody has time any more.
    stop: &'a dyn Fn() -> bool,
    looked_at: Cell<usize>,
}

/// Situations between two questions whether to stop.
const ASKED_EVERY: usize = 64;

impl<'a> Limit<'a> {
    pub fn new(situations: usize, stop: &'a dyn Fn() -> bool) -> Limit<'a> {
        Limit { situations, stop, looked_at: Cell::new(0) }
    }

    /// In all searches that it was for.
    pub fn looked_at(&self) -> usize {
        self.looked_at.get()
    }

    /// One more situation is looked at; `own`: how many by this search.
    pub(crate) fn look(&self, own: &mut usize) -> Result<(), Stopped> {
        let all = self.looked_at.get();
        if *own >= self.situations || all.is_multiple_of(ASKED_EVERY) && (self.stop)() {
            return Err(Stopped);
        }
        *own += 1;
        self.looked_at.set(all + 1);
        Ok(())
    }
}

/// The limit was met.
pub struct Stopped;

pub type Way = Vec<usize>;

struct Search<'w> {
    world: &'w World,
    limit: &'w Limit<'w>,
    looked_at: usize,
    any: AnyWay<'w>,
    /// From where a goal was just reached, the rest of the way; none: there is none.
    ways: FxHashMap<Situation, Option<Way>>,
    /// Activations to the first open goal, from where all others can be had too.
    lengths: FxHashMap<Situation, Option<u32>>,
}

impl Search<'_> {
    /// From here to all goals.
    fn way(&mut self, from: &Situation) -> Result<Option<Way>, Stopped> {
        let Some(goal) = self.world.open_goal(from) else { return Ok(Some(Vec::new())) };
        if let Some(known) = self.ways.get(from) {
            return Ok(known.clone());
        }
        let way = match self.length(from, goal)? {
            Some(length) => Some(self.first_of_length(from, goal, length)?),
            None => None,
        };
        self.ways.insert(from.clone(), way.clone());
        Ok(way)
    }

    /// Of the ways of this length the one whose moves stand first in the file.
    fn first_of_length(&mut self, from: &Situation, goal: usize, length: u32) -> Result<Way, Stopped> {
        let (mut way, mut at, mut left) = (Vec::new(), from.clone(), length);
        // Only what helps can be part of a shortest way, unless a detour is needed for goals that come later.
        let is_direct = self.shortest(from, goal, Reach::Direct)?.is_some();
        let moves = self.moves_of(from, goal, if is_direct { Reach::Direct } else { Reach::All });
        'moves: while left > 0 {
            for &number in &moves {
                if !self.world.allows(&at, number) {
                    continue;
                }
                let next = self.world.after(&at, number);
                let reaches = self.reaches(&next, goal);
                let fits = match (left, reaches) {
                    (1, true) => self.any.is_there(&next)?,
                    (1, false) | (_, true) => false,
                    _ => {
                        self.at_least(&next, goal).is_some_and(|least| least < left)
                            && self.length(&next, goal)? == Some(left - 1)
                    }
                };
                if fits {
                    way.push(number);
                    (at, left) = (next, left - 1);
                    continue 'moves;
                }
            }
            unreachable!("a way of this length was found from here");
        }
        way.extend(self.way(&at)?.unwrap_or_default());
        Ok(way)
    }

    fn reaches(&self, at: &Situation, goal: usize) -> bool {
        at.reached >> goal & 1 == 1
    }

    /// The fewest activations to this goal that leave all others to be had: A*.
    fn length(&mut self, from: &Situation, goal: usize) -> Result<Option<u32>, Stopped> {
        if let Some(known) = self.lengths.get(from) {
            return Ok(*known);
        }
        let found = match self.shortest(from, goal, Reach::Direct)? {
            None => self.shortest(from, goal, Reach::All)?,
            direct => direct,
        };
        self.lengths.insert(from.clone(), found);
        Ok(found)
    }

    fn shortest(&mut self, from: &Situation, goal: usize, reach: Reach) -> Result<Option<u32>, Stopped> {
        let Some(least) = self.at_least(from, goal) else { return Ok(None) };
        let moves = self.moves_of(from, goal, reach);
        let mut open = BinaryHeap::from([Reverse((least, Reverse(0_u32), 0_usize))]);
        let mut situations = vec![from.clone()];
        let mut best: FxHashMap<Situation, u32> = FxHashMap::from_iter([(from.clone(), 0)]);
        let mut done: FxHashSet<Situation> = FxHashSet::default();
        while let Some(Reverse((_, Reverse(so_far), number))) = open.pop() {
            let at = situations[number].clone();
            if self.reaches(&at, goal) {
                match (self.any.is_there(&at)?, reach) {
                    (true, _) => return Ok(Some(so_far)),
                    // A detour may be shorter than the next direct way.
                    (false, Reach::Direct) => return Ok(None),
                    (false, Reach::All) => continue,
                }
            }
            if !done.insert(at.clone()) {
                continue;
            }
            self.limit.look(&mut self.looked_at)?;
            for each in self.moves_from(&at, goal, &moves) {
                let (next, length) = (self.world.after(&at, each), so_far + 1);
                let Some(least) = self.at_least(&next, goal) else { continue };
                if best.get(&next).is_some_and(|known| *known <= length) || self.is_dead_end(&at, &next, each)? {
                    continue;
                }
                best.insert(next.clone(), length);
                situations.push(next);
                open.push(Reverse((length + least, Reverse(length), situations.len() - 1)));
            }
        }
        Ok(None)
    }

    /// What must be done anyway and harms nothing is done now; only without it there is a choice.
    fn moves_from(&self, at: &Situation, goal: usize, moves: &[usize]) -> Vec<usize> {
        let needed = self.needed(at, goal);
        let harmless = |number: &usize| self.world.is_harmless(*number) && self.world.allows(at, *number);
        if let Some(now) = needed.moves.iter().copied().find(harmless) {
            return vec![now];
        }
        moves.iter().copied().filter(|number| self.world.allows(at, *number)).collect()
    }

    fn moves_of(&self, from: &Situation, goal: usize, reach: Reach) -> Vec<usize> {
        match reach {
            Reach::All => (0..self.world.moves.len()).collect(),
            Reach::Direct => self.world.helping(from, goal),
        }
    }

    /// From here the goals can no longer be had. Only what cannot be taken back leads there.
    fn is_dead_end(&mut self, at: &Situation, next: &Situation, number: usize) -> Result<bool, Stopped> {
        let goes_back = self.world.mode_distance.get(next.mode).is_none_or(|back| back[at.mode].is_some());
        let can_be_undone = goes_back && self.world.loses_nothing(number);
        Ok(!can_be_undone && !self.any.is_there(next)?)
    }

    /// No way is shorter; none: there is no way.
    fn at_least(&self, at: &Situation, goal: usize) -> Option<u32> {
        if self.reaches(at, goal) {
            return Some(0);
        }
        let needed = self.needed(at, goal);
        if self.world.goals[goal].moves.is_empty() {
            return None;
        }
        let mut furthest = 0;
        let mut modes = needed.modes.clone();
        modes.sort_unstable();
        modes.dedup();
        for mode in &modes {
            // A mode that is not of interest is none that can be had.
            let distances = self.world.mode_distance.get(at.mode)?;
            furthest = furthest.max((*distances.get(*mode)?)?);
        }
        let others = modes.iter().filter(|mode| **mode != at.mode).count() as u32;
        let by_modes = furthest.max(others);
        let chosen =
            if needed.chosen.is_empty() { 0 } else { self.world.least_beside(at, &needed.chosen, &needed.moves)? };
        Some((needed.moves.len() as u32 + by_modes + chosen).max(1))
    }

    /// What every way to the goal has in it.
    fn needed(&self, at: &Situation, goal: usize) -> Needed {
        let mut needed = Needed::default();
        if let [only] = self.world.goals[goal].moves[..] {
            self.need(at, only, &mut needed);
        }
        needed.moves.sort_unstable();
        needed
    }

    fn need(&self, at: &Situation, first: usize, needed: &mut Needed) {
        let mut open = vec![first];
        let mut seen = FxHashSet::default();
        while let Some(number) = open.pop() {
            if !seen.insert(number) {
                continue;
            }
            let each = &self.world.moves[number];
            needed.modes.extend(each.needs_mode);
            match each.to {
                Some(mode) => needed.modes.push(mode),
                None => needed.moves.push(number),
            }
            for fact in each.needs.iter().filter(|fact| !at.facts.has(**fact)) {
                match self.world.achievers[*fact][..] {
                    [only] => open.push(only),
                    _ => needed.chosen.push(*fact),
                }
            }
        }
    }
}

#[derive(Default)]
struct Needed {
    moves: Vec<usize>,
    modes: Vec<usize>,
    /// Facts that several activations would achieve.
    chosen: Vec<usize>,
}

/// What a search may use.
#[derive(Clone, Copy, PartialEq)]
enum Reach {
    /// What helps to the goal itself.
    Direct,
    All,
}
