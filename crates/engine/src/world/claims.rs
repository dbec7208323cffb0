use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::ids::{StepId, TrackId};

/// Who has a token. A track's reservation or a composite's claim is open to the steps inside, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Holder {
    Step(StepId),
    Track(TrackId),
    /// A step was cut off while it halted; the parts stay taken until the robot reports them still.
    Robot,
}

/// When a step began to wait, among all that ever did.
type Arrival = u64;

/// A step at next that could start but for its claims.
#[derive(Clone, Debug)]
struct Waiter {
    step: StepId,
    track: TrackId,
    wants: Box<[u32]>,
    /// What may hold something open to it: the tracks and composites around it.
    around: Box<[Holder]>,
    since_tick: u64,
    /// Last tick it asked: one that no longer asks has gone elsewhere.
    asked_tick: u64,
}

/// Who waits, in the order of arrival, found by step, by token and by what is around. Whatever thousands wait for, each of them
/// asks in every tick.
#[derive(Debug, Default)]
struct Waiters {
    last: Arrival,
    all: BTreeMap<Arrival, Waiter>,
    arrivals: FxHashMap<StepId, Arrival>,
    of_token: FxHashMap<u32, BTreeSet<Arrival>>,
    inside: FxHashMap<Holder, BTreeSet<Arrival>>,
}

impl Waiters {
    fn add(&mut self, waiter: Waiter) {
        self.last += 1;
        self.arrivals.insert(waiter.step, self.last);
        self.put(self.last, waiter);
    }

    fn put(&mut self, arrival: Arrival, waiter: Waiter) {
        for token in &waiter.wants {
            self.of_token.entry(*token).or_default().insert(arrival);
        }
        for holder in &waiter.around {
            self.inside.entry(*holder).or_default().insert(arrival);
        }
        self.all.insert(arrival, waiter);
    }

    fn take(&mut self, arrival: Arrival) -> Option<Waiter> {
        let waiter = self.all.remove(&arrival)?;
        for token in &waiter.wants {
            remove_from(&mut self.of_token, token, arrival);
        }
        for holder in &waiter.around {
            remove_from(&mut self.inside, holder, arrival);
        }
        Some(waiter)
    }

    fn forget(&mut self, step: StepId) {
        if let Some(arrival) = self.arrivals.remove(&step) {
            self.take(arrival);
        }
    }

    fn forget_stale(&mut self, tick: u64) {
        let stale = self.all.values().filter(|waiter| waiter.asked_tick + 1 < tick);
        for step in stale.map(|waiter| waiter.step).collect::<Vec<_>>() {
            self.forget(step);
        }
    }

    /// Who wants a token and began to wait between the one and the other.
    fn between(&self, token: u32, from: Arrival, to: Arrival) -> impl Iterator<Item = Arrival> {
        self.of_token.get(&token).into_iter().flat_map(move |queue| queue.range(from.min(to)..to)).copied()
    }
}

fn remove_from<K: Eq + std::hash::Hash>(sets: &mut FxHashMap<K, BTreeSet<Arrival>>, key: &K, arrival: Arrival) {
    if let Some(set) = sets.get_mut(key) {
        set.remove(&arrival);
        if set.is_empty() {
            sets.remove(key);
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Lineage {
    owner: Option<StepId>,
    above: Option<TrackId>,
}

pub(crate) enum Grant {
    Granted,
    /// The token, and who has it; none: somebody who waits longer.
    Taken {
        token: u32,
        by: Option<Holder>,
    },
}

/// Who holds and who waits for which joint or token.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    names: Vec<Arc<str>>,
    by_name: FxHashMap<Arc<str>, u32>,
    /// A part of the body stands for its joints.
    parts: BTreeMap<u32, Box<[u32]>>,
    /// Innermost holder last.
    holders: Vec<SmallVec<[Holder; 2]>>,
    waiters: Waiters,
    lineage: Vec<Lineage>,
}

impl Claims {
    pub fn token(&mut self, name: &str) -> u32 {
        if let Some(token) = self.by_name.get(name) {
            return *token;
        }
        let token = self.names.len() as u32;
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.by_name.insert(name, token);
        self.holders.push(SmallVec::new());
        token
    }

    pub fn add_part(&mut self, name: &str, joints: &[&str]) {
        let part = self.token(name);
        let joints: Box<[u32]> = joints.iter().map(|joint| self.token(joint)).collect();
        // A part named as its only joint is that joint.
        if *joints != [part] {
            self.parts.insert(part, joints);
        }
    }

    /// The joints of a part; a token that is no part stands for itself.
    pub fn members<'a>(&'a self, token: &'a u32) -> &'a [u32] {
        self.parts.get(token).map_or(std::slice::from_ref(token), |joints| &**joints)
    }

    /// The part a joint belongs to, else the token itself: what people call it.
    pub fn spoken_name(&self, token: u32) -> &Arc<str> {
        let part = self.parts.iter().find(|(_, joints)| joints.contains(&token));
        self.name(part.map_or(token, |(part, _)| *part))
    }

    pub fn name(&self, token: u32) -> &Arc<str> {
        &self.names[token as usize]
    }

    pub fn is_free(&self, token: u32) -> bool {
        let empty = |token: &u32| self.holders.get(*token as usize).is_none_or(|holders| holders.is_empty());
        self.members(&token).iter().all(empty)
    }

    pub fn holder(&self, token: u32) -> Option<Holder> {
        self.holders[token as usize].last().copied()
    }

    pub fn tokens(&self) -> impl Iterator<Item = (u32, &Arc<str>)> {
        self.names.iter().enumerate().map(|(token, name)| (token as u32, name))
    }

    /// Innermost last.
    pub fn holders(&self, token: u32) -> &[Holder] {
        &self.holders[token as usize]
    }

    pub fn waiting(&self) -> impl Iterator<Item = (StepId, TrackId)> {
        self.waiters.all.values().map(|waiter| (waiter.step, waiter.track))
    }

    pub fn place_track(&mut self, track: TrackId, owner: Option<StepId>, above: Option<TrackId>) {
        if self.lineage.len() <= track.index() {
            self.lineage.resize(track.index() + 1, Lineage::default());
        }
        self.lineage[track.index()] = Lineage { owner, above };
    }

    /// `track` lies inside what holds.
    pub fn is_inside(&self, track: TrackId, holder: Holder) -> bool {
        let mut at = Some(track);
        while let Some(track) = at {
            let lineage = self.lineage[track.index()];
            match holder {
                Holder::Track(holder) if holder == track => return true,
                Holder::Step(holder) if lineage.owner == Some(holder) => return true,
                _ => at = lineage.above,
            }
        }
        false
    }

    /// All or nothing; on success the step holds them.
    pub fn acquire(&mut self, step: StepId, track: TrackId, wants: &[u32], tick: u64) -> Grant {
        if let Some((token, by)) = self.obstacle(step, track, wants) {
            self.wait(step, track, wants, tick);
            return Grant::Taken { token, by };
        }
        self.take(step, wants);
        Grant::Granted
    }

    pub fn take(&mut self, step: StepId, wants: &[u32]) {
        self.waiters.forget(step);
        for token in wants {
            self.holders[*token as usize].push(Holder::Step(step));
        }
    }

    /// The token it cannot have now, and who has it; none: somebody who waits longer.
    pub fn obstacle(&self, step: StepId, track: TrackId, wants: &[u32]) -> Option<(u32, Option<Holder>)> {
        for token in wants {
            match self.holder(*token) {
                Some(holder) if !self.is_inside(track, holder) => return Some((*token, Some(holder))),
                holder => {
                    let mine = self.waiters.arrivals.get(&step).copied().unwrap_or(Arrival::MAX);
                    let may_have = |arrival| {
                        let around = &self.waiters.all[&arrival].around;
                        holder.is_none_or(|holder| around.contains(&holder))
                    };
                    if self.waiters.between(*token, 0, mine).any(may_have) {
                        return Some((*token, None));
                    }
                }
            }
        }
        None
    }

    fn wait(&mut self, step: StepId, track: TrackId, wants: &[u32], tick: u64) {
        let known = self.waiters.arrivals.get(&step).copied();
        let Some(arrival) = known else {
            let waiter = self.waiter(step, track, wants, tick);
            return self.waiters.add(waiter);
        };
        match self.waiters.all.get_mut(&arrival) {
            Some(waiter) if *waiter.wants == *wants && waiter.track == track => waiter.asked_tick = tick,
            // Its claims may have been edited since it began to wait: it keeps its place, but may close a circle.
            _ => {
                self.waiters.take(arrival);
                let waiter = self.waiter(step, track, wants, tick);
                self.waiters.put(arrival, waiter);
            }
        }
    }

    fn waiter(&self, step: StepId, track: TrackId, wants: &[u32], tick: u64) -> Waiter {
        let around = self.around(track).collect();
        Waiter { step, track, wants: wants.into(), around, since_tick: tick, asked_tick: tick }
    }

    /// The tracks and composites around, from the inside out.
    fn around(&self, track: TrackId) -> impl Iterator<Item = Holder> {
        let lineage = |track: &TrackId| self.lineage[track.index()];
        let tracks = std::iter::successors(Some(track), move |track| lineage(track).above);
        tracks.flat_map(move |track| {
            [Some(Holder::Track(track)), lineage(&track).owner.map(Holder::Step)].into_iter().flatten()
        })
    }

    /// At the start of a tick: who did not ask in the last one has gone elsewhere.
    pub fn forget_stale_waiters(&mut self, tick: u64) {
        self.waiters.forget_stale(tick);
    }

    pub fn forget_waiter(&mut self, step: StepId) {
        self.waiters.forget(step);
    }

    pub fn release_step(&mut self, step: StepId, held: &[u32]) {
        for token in held {
            self.holders[*token as usize].retain(|holder| *holder != Holder::Step(step));
        }
    }

    pub fn is_held_by(&self, token: u32, step: StepId) -> bool {
        self.holders[token as usize].contains(&Holder::Step(step))
    }

    /// A part that a step moves which was cut off while halting.
    pub fn leave_to_robot(&mut self, step: StepId, token: u32) {
        let holders = &mut self.holders[token as usize];
        holders.retain(|holder| *holder != Holder::Step(step) && *holder != Holder::Robot);
        holders.push(Holder::Robot);
    }

    pub fn robot_is_still(&mut self, name: &str) {
        if let Some(token) = self.by_name.get(name) {
            self.holders[*token as usize].retain(|holder| *holder != Holder::Robot);
        }
    }

    /// Makes a step's token its track's, until relinquished or the track ends.
    pub fn reserve(&mut self, step: StepId, track: TrackId, token: u32) {
        let holders = &mut self.holders[token as usize];
        let reserved = holders.contains(&Holder::Track(track));
        for holder in holders.iter_mut().filter(|holder| **holder == Holder::Step(step)) {
            *holder = Holder::Track(track);
        }
        if reserved {
            let last = holders.iter().rposition(|holder| *holder == Holder::Track(track));
            holders.remove(last.expect("just set"));
        }
    }

    /// Gives a token back for the track or the nearest one around it that reserved it; false if none did.
    pub fn relinquish(&mut self, track: TrackId, token: u32) -> bool {
        let mut at = Some(track);
        while let Some(track) = at {
            let holders = &mut self.holders[token as usize];
            if let Some(place) = holders.iter().rposition(|holder| *holder == Holder::Track(track)) {
                holders.remove(place);
                return true;
            }
            at = self.lineage[track.index()].above;
        }
        false
    }

    pub fn release_track(&mut self, track: TrackId) {
        for holders in &mut self.holders {
            holders.retain(|holder| *holder != Holder::Track(track));
        }
    }

    /// A circle of waits closed by `step`: those in it, the youngest first. Only a step that began to wait in this
    /// tick can close one.
    pub fn circle(&self, step: StepId, tick: u64) -> Option<Vec<StepId>> {
        let start = *self.waiters.arrivals.get(&step)?;
        let waiter = &self.waiters.all[&start];
        if waiter.since_tick != tick || !self.is_waited_for(start, waiter) {
            return None;
        }
        let mut circle = self.path_back_to(start)?;
        circle.sort_unstable_by(|a, b| b.cmp(a));
        Some(circle.into_iter().map(|arrival| self.waiters.all[&arrival].step).collect())
    }

    /// Somebody wants what it is before them to get, or what something around it holds.
    fn is_waited_for(&self, arrival: Arrival, waiter: &Waiter) -> bool {
        let is_before = |token: &u32| self.waiters.of_token[token].last() != Some(&arrival);
        let is_held_around = || {
            let wanted = self.waiters.of_token.keys().filter_map(|token| self.holder(*token));
            wanted.into_iter().any(|holder| waiter.around.contains(&holder))
        };
        waiter.wants.iter().any(is_before) || is_held_around()
    }

    /// From one to the next that must get on before it, and so on until the first again. Each waiter, and what is inside of
    /// each holder, is looked at once.
    fn path_back_to(&self, start: Arrival) -> Option<Vec<Arrival>> {
        let mut came_from: FxHashMap<Arrival, Arrival> = FxHashMap::default();
        let mut opened: FxHashSet<Holder> = FxHashSet::default();
        let mut queued: FxHashMap<u32, Arrival> = FxHashMap::default();
        let mut to_do = vec![start];
        while let Some(at) = to_do.pop() {
            let waiter = &self.waiters.all[&at];
            for token in &waiter.wants {
                let next: Vec<Arrival> = match self.holder(*token) {
                    Some(holder) if waiter.around.contains(&holder) || !opened.insert(holder) => continue,
                    Some(holder) => self.waiters.inside.get(&holder).into_iter().flatten().copied().collect(),
                    None => {
                        let known = queued.entry(*token).or_default();
                        let from = std::mem::replace(known, at.max(*known));
                        self.waiters.between(*token, from, at).collect()
                    }
                };
                for next in next {
                    if next == start {
                        return Some(back(&came_from, at, start));
                    }
                    if let Entry::Vacant(new) = came_from.entry(next) {
                        new.insert(at);
                        to_do.push(next);
                    }
                }
            }
        }
        None
    }
}

fn back(came_from: &FxHashMap<Arrival, Arrival>, last: Arrival, start: Arrival) -> Vec<Arrival> {
    let mut path = vec![last];
    let mut at = last;
    while at != start {
        at = came_from[&at];
        path.push(at);
    }
    path
}
