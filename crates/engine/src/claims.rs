use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ids::{StepId, TrackId};

/// Who has a token. A track's reservation or a composite's claim is open to the steps inside, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    Step(StepId),
    Track(TrackId),
    /// A step was cut off while it halted; the parts stay taken until the robot reports them still.
    Robot,
}

/// A step at next that could start but for its claims.
#[derive(Clone, Debug)]
struct Waiter {
    step: StepId,
    track: TrackId,
    wants: Box<[u32]>,
    since_tick: u64,
    /// Last tick it asked: one that no longer asks has gone elsewhere.
    asked_tick: u64,
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
    waiters: Vec<Waiter>,
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
        self.waiters.iter().map(|waiter| (waiter.step, waiter.track))
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
        self.waiters.retain(|waiter| waiter.step != step);
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
                    let mut before_me = self.waiters.iter().take_while(|waiter| waiter.step != step);
                    let may_have = |waiter: &Waiter| holder.is_none_or(|holder| self.is_inside(waiter.track, holder));
                    if before_me.any(|waiter| waiter.wants.contains(token) && may_have(waiter)) {
                        return Some((*token, None));
                    }
                }
            }
        }
        None
    }

    fn wait(&mut self, step: StepId, track: TrackId, wants: &[u32], tick: u64) {
        match self.waiters.iter_mut().find(|waiter| waiter.step == step) {
            Some(waiter) => {
                waiter.asked_tick = tick;
                // Its claims may have been edited since it began to wait: it keeps its place, but may close a circle.
                if *waiter.wants != *wants {
                    waiter.wants = wants.into();
                    waiter.since_tick = tick;
                }
            }
            None => self.waiters.push(Waiter { step, track, wants: wants.into(), since_tick: tick, asked_tick: tick }),
        }
    }

    /// At the start of a tick: who did not ask in the last one has gone elsewhere.
    pub fn forget_stale_waiters(&mut self, tick: u64) {
        if !self.waiters.is_empty() {
            self.waiters.retain(|waiter| waiter.asked_tick + 1 >= tick);
        }
    }

    pub fn forget_waiter(&mut self, step: StepId) {
        self.waiters.retain(|waiter| waiter.step != step);
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
        let start = self.waiters.iter().position(|waiter| waiter.step == step)?;
        if self.waiters[start].since_tick != tick {
            return None;
        }
        let mut path = vec![start];
        let mut seen = vec![false; self.waiters.len()];
        if !self.reaches(start, start, &mut seen, &mut path) {
            return None;
        }
        path.sort_unstable_by(|a, b| b.cmp(a));
        Some(path.into_iter().map(|index| self.waiters[index].step).collect())
    }

    fn reaches(&self, at: usize, goal: usize, seen: &mut [bool], path: &mut Vec<usize>) -> bool {
        for next in self.waits_on(at) {
            if next == goal {
                return true;
            }
            if std::mem::replace(&mut seen[next], true) {
                continue;
            }
            path.push(next);
            if self.reaches(next, goal, seen, path) {
                return true;
            }
            path.pop();
        }
        false
    }

    /// The waiters that must get on before waiter `at` can.
    fn waits_on(&self, at: usize) -> Vec<usize> {
        let waiter = &self.waiters[at];
        let mut on = Vec::new();
        for token in &waiter.wants {
            match self.holder(*token) {
                Some(holder) if self.is_inside(waiter.track, holder) => {}
                Some(holder) => on
                    .extend((0..self.waiters.len()).filter(|other| self.is_inside(self.waiters[*other].track, holder))),
                None => on.extend((0..at).filter(|other| self.waiters[*other].wants.contains(token))),
            }
        }
        on
    }
}
