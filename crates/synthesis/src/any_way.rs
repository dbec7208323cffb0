//! Whether there is a way at all, and one that need not be the shortest. Here what harms nothing is done as soon as it can
//! be, whether it is needed or not: what is left to choose are modes and what loses something.

use rustc_hash::FxHashMap;

use crate::search::{Limit, Stopped, Way};
use crate::world::{Situation, World};

pub struct AnyWay<'w> {
    world: &'w World,
    limit: &'w Limit<'w>,
    pub looked_at: usize,
    /// The most goals that were reached in order, of the situations that were looked at.
    pub furthest: usize,
    known: FxHashMap<Situation, bool>,
}

struct Visit {
    at: Situation,
    before: Option<usize>,
    moves: Way,
}

impl AnyWay<'_> {
    pub fn new<'w>(world: &'w World, limit: &'w Limit<'w>) -> AnyWay<'w> {
        AnyWay { world, limit, looked_at: 0, furthest: 0, known: FxHashMap::default() }
    }

    pub fn is_there(&mut self, from: &Situation) -> Result<bool, Stopped> {
        Ok(match self.known.get(from) {
            Some(known) => *known,
            None => self.search(from)?.is_some(),
        })
    }

    /// None: there is none.
    pub fn way(&mut self, from: &Situation) -> Result<Option<Way>, Stopped> {
        Ok(self.search(from)?.map(|way| self.without_idle(from, way)))
    }

    /// Depth first; where it leads to what is known to be well, the way ends there.
    fn search(&mut self, from: &Situation) -> Result<Option<Way>, Stopped> {
        let mut visits = vec![self.visit(from, None, Vec::new())];
        let mut open = vec![0];
        let mut seen: FxHashMap<Situation, ()> = FxHashMap::from_iter([(visits[0].at.clone(), ())]);
        while let Some(number) = open.pop() {
            let at = visits[number].at.clone();
            let goal = self.world.open_goal(&at);
            if goal.is_none() || self.known.get(&at) == Some(&true) {
                return Ok(Some(self.note_way(from, &visits, number)));
            }
            self.limit.look(&mut self.looked_at)?;
            self.furthest = self.furthest.max(goal.unwrap_or(0));
            let choices = (0..self.world.moves.len()).rev();
            for choice in choices.filter(|each| !self.world.is_harmless(*each) && self.world.allows(&at, *each)) {
                let next = self.visit(&self.world.after(&at, choice), Some(number), vec![choice]);
                let is_known_dead = self.known.get(&next.at) == Some(&false);
                if !is_known_dead && seen.insert(next.at.clone(), ()).is_none() {
                    visits.push(next);
                    open.push(visits.len() - 1);
                }
            }
        }
        self.known.extend(visits.into_iter().map(|visit| (visit.at, false)));
        self.known.insert(from.clone(), false);
        Ok(None)
    }

    /// With everything done that harms nothing.
    fn visit(&self, from: &Situation, before: Option<usize>, mut moves: Way) -> Visit {
        let mut at = from.clone();
        loop {
            let count = moves.len();
            for number in (0..self.world.moves.len()).filter(|number| self.world.is_harmless(*number)) {
                if self.world.allows(&at, number) {
                    let next = self.world.after(&at, number);
                    if next != at {
                        moves.push(number);
                        at = next;
                    }
                }
            }
            if moves.len() == count {
                return Visit { at, before, moves };
            }
        }
    }

    fn note_way(&mut self, from: &Situation, visits: &[Visit], last: usize) -> Way {
        let mut rows = Vec::new();
        let mut at = Some(last);
        while let Some(number) = at {
            self.known.insert(visits[number].at.clone(), true);
            rows.push(visits[number].moves.clone());
            at = visits[number].before;
        }
        self.known.insert(from.clone(), true);
        rows.into_iter().rev().flatten().collect()
    }

    /// What can be left out is left out, the last first.
    fn without_idle(&self, from: &Situation, way: Way) -> Way {
        let mut kept = way;
        for place in (0..kept.len()).rev() {
            let mut without = kept.clone();
            without.remove(place);
            if self.leads_to_all(from, &without) {
                kept = without;
            }
        }
        kept
    }

    fn leads_to_all(&self, from: &Situation, way: &[usize]) -> bool {
        let mut at = from.clone();
        for number in way {
            if !self.world.allows(&at, *number) {
                return false;
            }
            at = self.world.after(&at, *number);
        }
        self.world.open_goal(&at).is_none()
    }
}
