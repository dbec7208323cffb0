//! Where next is after an edit. Next is a boundary between what was triggered in this pass and what was not: what is put
//! directly before it runs, what is put further up does not, and nobody who waits starts earlier for it.

use std::hash::{Hash, Hasher};

use model::{Edit, NodeId};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::door::{EditBatch, InstanceId};
use crate::engine::Engine;
use crate::ids::{StepId, TrackId, UseId};
use crate::tracks::{Phase, Region, RegionKind};

type Key = (UseId, NodeId);

/// What the batch that is being applied did to places and to the order.
#[derive(Default)]
pub(crate) struct EditNow {
    /// Nodes inserted or moved, each with all that is below it.
    pub put: FxHashSet<NodeId>,
    /// Nodes whose execute after was set.
    after_set: FxHashSet<NodeId>,
    /// It did nothing but insert this node into that parent.
    pub inserted: Option<(NodeId, NodeId)>,
}

impl EditNow {
    pub fn of(batch: &EditBatch) -> EditNow {
        let mut now = EditNow::default();
        if let [Edit::Insert { parent, subtree, .. }] = &batch.edits[..] {
            now.inserted = Some((*parent, subtree.id));
        }
        for edit in &batch.edits {
            match edit {
                Edit::Insert { subtree, .. } => {
                    now.put.insert(subtree.id);
                }
                Edit::Move { node, .. } => {
                    now.put.insert(*node);
                }
                Edit::Set { node, field, .. } if &**field == "after" => {
                    now.after_set.insert(*node);
                }
                // Enabled again, it comes to where it stands.
                Edit::Set { node, field, .. } if &**field == "disabled" => {
                    now.put.insert(*node);
                }
                _ => {}
            }
        }
        now
    }
}

/// Who waits until a step that runs has ended, wherever edits have put either of them.
#[derive(Clone, Copy)]
pub(crate) struct Wait {
    waiter: Waiter,
    step: StepId,
    instance: InstanceId,
}

#[derive(Clone, Copy, PartialEq)]
enum Waiter {
    Step(InstanceId),
    /// The try of this fallback is not decided before.
    Try(Key),
}

/// A track before an edit.
pub(super) struct Before {
    pub entries: Vec<StepId>,
    keys: Vec<Key>,
    regions: FxHashMap<Key, Span>,
    pub next: usize,
}

/// What a region stood for.
#[derive(Clone, Copy)]
struct Span {
    lo: u32,
    hi: u32,
    /// Something of it ran.
    runs: bool,
}

/// An order of steps that an edit has changed, and where next was in it: an undo brings both back.
#[derive(Clone, Copy)]
pub(crate) struct Laid {
    order: u64,
    /// None: behind the last step.
    next: Option<Key>,
}

/// So many edits can be taken back, one by one, without next being in another place than before.
const MAX_LAID: usize = 256;

impl Engine {
    /// To be asked before the track is laid anew.
    pub(super) fn before_edit(&mut self, id: TrackId) -> Before {
        let track = self.track(id);
        let span = |region: &Region| Span {
            lo: region.lo,
            hi: region.hi,
            runs: track.running.iter().any(|step| region.holds(self.step(*step).pos)),
        };
        let regions = track.regions.iter().map(|region| ((region.use_id, region.node), span(region))).collect();
        let next = track.next as usize;
        let entries = std::mem::take(&mut self.track_mut(id).entries);
        let keys = entries.iter().map(|step| self.key(*step)).collect();
        Before { entries, keys, regions, next }
    }

    /// Puts next where it belongs in a track that was laid anew.
    pub(super) fn follow_with_next(&mut self, id: TrackId, before: &Before) {
        let keys: Vec<Key> = self.track(id).entries.iter().map(|step| self.key(*step)).collect();
        if keys == before.keys {
            self.track_mut(id).next = before.next as u32;
            return;
        }
        let wrapped = self.wrapped_next(before, &keys);
        let order = order_of(&keys);
        self.track_mut(id).order = Some(order);
        let next = match self.laid_before(id, order_of(&before.keys), before.keys.get(before.next).copied(), order) {
            Some(Some(next)) => keys.iter().position(|key| *key == next).unwrap_or(keys.len()),
            Some(None) => keys.len(),
            None => wrapped.unwrap_or_else(|| self.boundary(id, before, &keys)),
        };
        self.track_mut(id).next = next as u32;
        if wrapped == Some(next) {
            self.track_mut(id).jumped_to = Some((self.track(id).entries[next], before.keys[before.next]));
        }
        self.keep_wait_of_track(id, before);
    }

    /// A step that ran was next, set by hand or by a stop, so that the track waited for it: what takes its place goes on
    /// waiting until it has come to rest.
    fn keep_wait_of_track(&mut self, id: TrackId, before: &Before) {
        if let Some(step) = before.entries.get(before.next).copied()
            && self.track(id).entries.get(self.track(id).next as usize) != Some(&step)
        {
            self.next_waits_for(id, step);
        }
    }

    pub(super) fn next_waits_for(&mut self, id: TrackId, step: StepId) {
        let Some(next) = self.track(id).entries.get(self.track(id).next as usize).copied() else { return };
        if self.step(step).is_active() && !self.is_put(self.key(next)) {
            let waiter = Waiter::Step(self.step(next).instance);
            self.edited.waits.push(Wait { waiter, step, instance: self.step(step).instance });
        }
    }

    /// Next stood inside of an organising node of which nothing had started and that is a step now: that starts there.
    fn wrapped_next(&self, before: &Before, keys: &[Key]) -> Option<usize> {
        let was = *before.keys.get(before.next)?;
        let mut at = self.tree_of(was.0)?.get(was.1).and_then(|_| self.one_up(was));
        while let Some(above) = at {
            if let Some(span) = before.regions.get(&above).filter(|span| (span.lo as usize) < before.next) {
                let was_step = (span.lo as usize..span.hi as usize).any(|place| before.keys[place] == above);
                let place = keys.iter().position(|key| *key == above);
                if let Some(place) = place.filter(|_| !was_step && !keys.contains(&was)) {
                    return Some(place);
                }
            }
            at = self.one_up(above);
        }
        None
    }

    /// Where next was when the steps stood in this order before, if nothing has moved it since but edits. None inside:
    /// behind the last step.
    pub(super) fn laid_before(
        &mut self,
        id: TrackId,
        was_order: u64,
        was_next: Option<Key>,
        order: u64,
    ) -> Option<Option<Key>> {
        let laid = &mut self.track_mut(id).laid;
        if let Some(place) = laid.iter().rposition(|laid| laid.order == order) {
            let found = laid[place];
            laid.truncate(place);
            return Some(found.next);
        }
        if laid.len() >= MAX_LAID {
            laid.remove(0);
        }
        laid.push(Laid { order: was_order, next: was_next });
        None
    }

    /// The order of a track's steps.
    pub(crate) fn order(&self, id: TrackId) -> u64 {
        let track = self.track(id);
        track.order.unwrap_or_else(|| order_of(&track.entries.iter().map(|step| self.key(*step)).collect::<Vec<_>>()))
    }

    /// The order of a track's steps, known without `count` of them from a place on.
    pub(super) fn order_with(&self, id: TrackId, without: u64, place: usize, count: usize) -> u64 {
        let entries = &self.track(id).entries;
        let key = |at: Option<usize>| at.and_then(|at| entries.get(at)).map(|step| self.key(*step));
        let before = place.checked_sub(1);
        let behind = place + count;
        let mut order = without.wrapping_sub(neighbours(key(before), key(Some(behind))));
        let mut last = key(before);
        for at in place..=behind {
            order = order.wrapping_add(neighbours(last, key(Some(at))));
            last = key(Some(at));
        }
        order
    }

    fn boundary(&self, id: TrackId, before: &Before, keys: &[Key]) -> usize {
        let old_place: FxHashMap<Key, usize> = before.keys.iter().enumerate().map(|(at, key)| (*key, at)).collect();
        let put = self.put_steps(keys, &old_place);
        let stays = |at: &usize| old_place.get(&keys[*at]).is_some_and(|old| *old >= before.next) && !put[*at];
        let anchor = (0..keys.len()).find(stays).unwrap_or(keys.len());
        let mut next = anchor;
        while let Some(place) = next.checked_sub(1) {
            let key = keys[place];
            let runs_next = match (put[place], old_place.contains_key(&key)) {
                (true, _) => {
                    let step = self.track(id).entries[place];
                    let was_filled = |index: u32| {
                        let region = &self.track(id).regions[index as usize];
                        let was = before.regions.get(&(region.use_id, region.node));
                        was.is_some_and(|was| was.lo < was.hi)
                    };
                    let is_behind = before.next > 0 && self.is_behind(id, place as u32, anchor as u32, &was_filled);
                    !self.step(step).is_active() && !is_behind
                }
                (false, true) => false,
                (false, false) => self.was_ahead(key, before, &old_place, anchor < keys.len()),
            };
            if !runs_next {
                break;
            }
            next = place;
        }
        next
    }

    /// Which steps an edit has put where they are: new ones and those that stand in another order to the rest.
    fn put_steps(&self, keys: &[Key], old_place: &FxHashMap<Key, usize>) -> Vec<bool> {
        let places: Vec<Option<usize>> = keys.iter().map(|key| old_place.get(key).copied()).collect();
        let mut least_behind = vec![usize::MAX; keys.len() + 1];
        for at in (0..keys.len()).rev() {
            least_behind[at] = places[at].unwrap_or(usize::MAX).min(least_behind[at + 1]);
        }
        let mut most_before = None;
        let mut put = Vec::with_capacity(keys.len());
        for (at, place) in places.iter().enumerate() {
            let in_order = place.is_some_and(|place| most_before < Some(place) && place < least_behind[at + 1]);
            put.push(!in_order && self.is_put(keys[at]));
            most_before = most_before.max(*place);
        }
        put
    }

    pub(super) fn is_put(&self, key: Key) -> bool {
        self.is_among(key, &self.edited.now.put)
    }

    /// It, or what it is below.
    fn is_among(&self, key: Key, nodes: &FxHashSet<NodeId>) -> bool {
        let mut at = Some(key);
        while let Some(key) = at {
            if nodes.contains(&key.1) {
                return true;
            }
            at = self.one_up(key);
        }
        false
    }

    /// The node above, out of skill uses and calls too.
    pub(super) fn one_up(&self, (use_id, node): Key) -> Option<Key> {
        let parent = self.tree_of(use_id).and_then(|tree| tree.get(node)).and_then(|node| node.parent);
        let current = &self.uses[use_id.index()];
        parent.map(|parent| (use_id, parent)).or_else(|| current.parent.map(|parent| (parent, current.via)))
    }

    /// Put into a fallback that is decided or a skill that has ended: what is in there is over, unless it was empty.
    pub(super) fn is_behind(&self, id: TrackId, place: u32, anchor: u32, was_filled: &dyn Fn(u32) -> bool) -> bool {
        let track = self.track(id);
        let mut at = self.step(track.entries[place as usize]).region;
        while let Some(region) = track.regions.get(at as usize) {
            if was_filled(at) && self.is_over(id, region, place, anchor) {
                return true;
            }
            at = region.outer;
        }
        false
    }

    fn is_over(&self, id: TrackId, region: &Region, place: u32, anchor: u32) -> bool {
        let holds_next = region.holds(anchor);
        if let RegionKind::Fallback(_) = region.kind
            && region.in_try(place)
            && (region.phase == Phase::Catch || holds_next && !region.in_try(anchor))
        {
            return region.phase != Phase::Try;
        }
        let running = &self.track(id).running;
        let runs = || running.iter().any(|step| region.holds(self.step(*step).pos));
        region.phase == Phase::Idle && !holds_next && !runs()
    }

    /// A step that is new in the track though nobody put it there (its organiser got a guard or lost its last, its
    /// skill another file): it stands for what was there before, which is ahead unless all of it is over.
    fn was_ahead(&self, key: Key, before: &Before, old_place: &FxHashMap<Key, usize>, follows: bool) -> bool {
        if before.next == 0 {
            return true;
        }
        let mut at = Some(key);
        while let Some(above) = at {
            if let Some(place) = old_place.get(&above) {
                return *place >= before.next;
            }
            if let Some(was) = before.regions.get(&above)
                && (was.lo < was.hi || above != key)
            {
                // Of an organiser that became a composite, what it held has gone into another track, and next with it: it
                // is at what follows, if anything does.
                let steps = &before.keys[was.lo as usize..was.hi as usize];
                let is_there = |(use_id, node): Key| self.tree_of(use_id).is_some_and(|tree| tree.get(node).is_some());
                let became_composite =
                    follows && above == key && steps.iter().any(|old| is_there(*old) && self.is_above(key, *old));
                let in_progress = was.runs || was.hi as usize > before.next;
                return was.lo as usize >= before.next || (in_progress && !became_composite);
            }
            at = self.one_up(above);
        }
        let mut inside = before.keys.iter().enumerate().filter(|(_, old)| self.is_above(key, **old)).peekable();
        inside.peek().is_some() && inside.all(|(place, _)| place >= before.next)
    }

    /// Whoever waits at next for a step that runs goes on doing so until that has ended.
    pub(super) fn keep_all_waits(&mut self) {
        for id in self.live_tracks() {
            self.keep_waits(id);
        }
    }

    pub(crate) fn keep_waits(&mut self, id: TrackId) {
        let track = self.track(id);
        if !track.live || track.running.is_empty() {
            return;
        }
        let mut waits = Vec::new();
        let running = |step: &StepId| (*step, self.step(*step).instance, self.step(*step).pos);
        if let Some(next) = track.entries.get(track.next as usize) {
            let next = self.step(*next);
            let after = if self.concurrency { next.after } else { next.pos as i32 - 1 };
            let held_by = |step: &&StepId| self.step(**step).pos as i32 == after || self.step(**step).is_locked();
            for (step, instance, _) in track.running.iter().filter(held_by).map(running) {
                waits.push(Wait { waiter: Waiter::Step(next.instance), step, instance });
            }
        }
        let held = track.entries.get(track.next as usize).map(|next| self.step(*next));
        for region in track.active.iter().map(|index| &track.regions[*index as usize]) {
            let tried = track.running.iter().map(running).filter(|(_, _, pos)| region.in_try(*pos));
            for (step, instance, _) in tried.filter(|_| region.phase == Phase::Try) {
                waits.push(Wait { waiter: Waiter::Try((region.use_id, region.node)), step, instance });
                if let Some(held) = held.filter(|held| self.tries_allow(id, held.pos).is_err()) {
                    waits.push(Wait { waiter: Waiter::Step(held.instance), step, instance });
                }
            }
        }
        for wait in waits {
            let known = |other: &Wait| other.waiter == wait.waiter && other.step == wait.step;
            if !self.edited.waits.iter().any(known) {
                self.edited.waits.push(wait);
            }
        }
    }

    /// Next was moved to another track: what is next now waits for what that one waited for.
    pub(super) fn hand_on_waits(&mut self, id: TrackId, before: &Before) {
        let Some(was) = before.keys.get(before.next).filter(|_| !self.edited.waits.is_empty()) else { return };
        let is_in_tree = self.tree_of(was.0).is_some_and(|tree| tree.contains(was.1));
        let Some(known) = self.known.get(was).filter(|_| is_in_tree) else { return };
        let Some(next) = self.track(id).entries.get(self.track(id).next as usize) else { return };
        let (from, to) = (Waiter::Step(known.instance), Waiter::Step(self.step(*next).instance));
        if known.step.is_some_and(|step| self.step(step).track == id && !self.step(step).detached) {
            return;
        }
        let handed: Vec<Wait> = self.edited.waits.iter().filter(|wait| wait.waiter == from).copied().collect();
        self.edited.waits.extend(handed.into_iter().map(|wait| Wait { waiter: to, ..wait }));
    }

    /// An edit may free who waits: by its own execute after, by a file that is gone, or because it now stands inside
    /// of what it waits for.
    pub(super) fn free_waiters(&mut self) {
        if self.edited.waits.is_empty() {
            return;
        }
        let waits = std::mem::take(&mut self.edited.waits);
        self.edited.waits = waits.into_iter().filter(|wait| self.is_kept(wait)).collect();
    }

    fn is_kept(&self, wait: &Wait) -> bool {
        if !self.is_awaited(wait) {
            return false;
        }
        let Waiter::Step(instance) = wait.waiter else { return true };
        let Some(info) = self.instances.get(&instance) else { return false };
        let Some(waiter) = self.known.get(&(info.use_id, info.node)).and_then(|known| known.step) else { return false };
        let (track, pos) = (self.step(waiter).track, self.step(waiter).pos);
        let begins = self.track(track).regions.iter().filter(|region| region.lo == pos).map(|region| region.node);
        let set = begins.chain([info.node]).any(|node| self.edited.now.after_set.contains(&node));
        !set && !self.is_inside(track, wait.step)
    }

    fn is_inside(&self, track: TrackId, composite: StepId) -> bool {
        let mut at = self.track(track).owner;
        while let Some(owner) = at {
            if owner == composite {
                return true;
            }
            at = self.track(self.step(owner).track).owner;
        }
        false
    }

    fn is_awaited(&self, wait: &Wait) -> bool {
        self.step(wait.step).instance == wait.instance && self.step(wait.step).is_active()
    }

    pub(crate) fn forget_ended_waits(&mut self) {
        if !self.edited.waits.is_empty() {
            let waits = std::mem::take(&mut self.edited.waits);
            self.edited.waits = waits.into_iter().filter(|wait| self.is_awaited(wait)).collect();
        }
    }

    /// The running step that an edited step still waits for.
    pub(crate) fn awaited_by(&self, instance: InstanceId) -> Option<StepId> {
        let waits = self.edited.waits.iter().filter(|wait| wait.waiter == Waiter::Step(instance));
        waits.filter(|wait| self.is_awaited(wait)).map(|wait| wait.step).next()
    }

    /// A try waits for steps only that were taken out of the tree.
    pub(super) fn try_awaits_detached(&self, region: &Region) -> bool {
        let waiter = Waiter::Try((region.use_id, region.node));
        let mut waits =
            self.edited.waits.iter().filter(|wait| wait.waiter == waiter && self.is_awaited(wait)).peekable();
        waits.peek().is_some() && waits.all(|wait| self.step(wait.step).detached)
    }

    /// Steps that were moved out of a try still belong to what it waits for.
    pub(crate) fn try_awaits(&self, region: &Region) -> bool {
        let waiter = Waiter::Try((region.use_id, region.node));
        self.edited.waits.iter().any(|wait| wait.waiter == waiter && self.is_awaited(wait))
    }
}

/// As a sum over neighbours, so that an insert changes little of it. No step stands twice in a track: the pairs of
/// neighbours say the whole order.
fn order_of(keys: &[Key]) -> u64 {
    let ends = |at: usize| neighbours(at.checked_sub(1).map(|at| keys[at]), keys.get(at).copied());
    (0..=keys.len()).fold(0, |order, at| order.wrapping_add(ends(at)))
}

fn neighbours(first: Option<Key>, second: Option<Key>) -> u64 {
    let mut hasher = FxHasher::default();
    (first, second).hash(&mut hasher);
    let mixed = hasher.finish().wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb)
}
