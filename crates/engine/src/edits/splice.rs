//! A node inserted into a track: what is behind it moves up, nothing is laid anew.

use model::{NodeId, Role};
use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::ids::{StepId, TrackId, UseId};
use crate::tracks::{Flat, HOME, Hold, NONE, Region, RegionKind};

/// Where a node goes in a track.
struct Spot {
    node: NodeId,
    /// The organising node it is a child of; none: it stands in the track itself.
    home: Option<usize>,
    /// Innermost fallback or skill around it.
    around: u32,
    /// Its first step.
    place: usize,
    /// Its first organising node.
    region: usize,
}

impl Engine {
    /// Puts the node of an edit that only inserted one into its track. False: the track has to be laid anew.
    pub(super) fn splice(&mut self, id: TrackId, use_id: UseId, parent: NodeId) -> bool {
        let Some(spot) = self.spot(id, use_id, parent) else { return false };
        let depth = self.depth_in_track(id, (use_id, parent));
        let flat = self.flatten_below(use_id, spot.node, depth);
        if flat.too_long.is_some() || flat.entries.is_empty() {
            return false;
        }
        let was_next = self.track(id).next as usize;
        let was_order = self.order(id);
        let was_key = self.track(id).entries.get(was_next).map(|step| self.key(*step));
        let steps: Vec<StepId> = flat.entries.iter().map(|entry| self.new_step(id, entry.use_id, entry.node)).collect();
        self.move_up(id, &spot, &flat);
        let (count, regions) = (steps.len(), flat.regions.len());
        self.put_in(id, &spot, steps, flat);
        self.settle_new_tries(id, &spot, regions);
        let order = self.order_with(id, was_order, spot.place, count);
        self.track_mut(id).order = Some(order);
        let next = match self.laid_before(id, was_order, was_key, order) {
            Some(key) => self.place_of_key(id, key),
            None => self.next_behind_insert(id, &spot, (count, regions), was_next),
        };
        self.track_mut(id).next = next as u32;
        self.track_mut(id).hold = Hold::None;
        true
    }

    /// None: it is not so simple.
    fn spot(&self, id: TrackId, use_id: UseId, parent: NodeId) -> Option<Spot> {
        let (inserted_into, node) = self.edited.now.inserted?;
        let track = self.track(id);
        let is_new = self.known.get(&(use_id, node)).is_none_or(|known| known.step.is_none())
            && !self.region_of.contains_key(&(use_id, node));
        if inserted_into != parent || !is_new || !track.kept_shapes.is_empty() || track.is_too_long {
            return None;
        }
        let tree = self.tree_of(use_id).filter(|tree| tree.contains(parent))?;
        let children: Vec<NodeId> = tree.enabled_children(parent).collect();
        let index = children.iter().position(|child| *child == node)?;
        let mut others = children.iter().filter(|child| **child != node);
        let first = others.find_map(|child| self.end_step(id, (use_id, *child), false))?;
        let home = self.region_at(id, (use_id, parent), first);
        if home.is_none() && !(track.inside && (track.use_id, track.container) == (use_id, parent)) {
            return None;
        }
        let before = children[..index].iter().rev().find_map(|child| self.end_step(id, (use_id, *child), true));
        let place = before.map_or(first, |last| last + 1) as usize;
        let from = track.regions.partition_point(|region| (region.lo as usize) < place);
        let starting = track.regions[from..].iter().take_while(|region| region.lo as usize == place);
        if starting.clone().any(|region| region.hi == region.lo) {
            return None;
        }
        if before.is_none() && self.has_after_around(id, (use_id, parent)) {
            return None;
        }
        let behind_home = home.map_or(0, |home| home + 1);
        let region = behind_home + track.regions[behind_home..].partition_point(|region| (region.lo as usize) < place);
        let around = home.map_or(NONE, |home| match track.regions[home].kind {
            RegionKind::Sequence => track.regions[home].outer,
            _ => home as u32,
        });
        Some(Spot { node, home, around, place, region })
    }

    /// The first or last step of a node in a track.
    fn end_step(&self, id: TrackId, key: (UseId, NodeId), last: bool) -> Option<u32> {
        if let Some(step) = self.known.get(&key).and_then(|known| known.step) {
            return (self.step(step).track == id && !self.step(step).detached).then_some(self.step(step).pos);
        }
        if self.region_of.get(&key) != Some(&id) {
            return None;
        }
        let tree = self.tree_of(key.0)?;
        let node = tree.get(key.1)?;
        // A skill that was written out has the node of its use.
        if self.registry.catalogue().role(&node.kind) == Some(Role::Skill) {
            let inner = self.use_of.get(&key).copied()?;
            let root = self.tree_of(inner)?.root;
            return self.end_step(id, (inner, root), last);
        }
        let mut children = tree.enabled_children(key.1);
        let step = |child: NodeId| self.end_step(id, (key.0, child), last);
        if last { children.rev().find_map(step) } else { children.find_map(step) }
    }

    /// The organising node that begins at a place.
    fn region_at(&self, id: TrackId, key: (UseId, NodeId), lo: u32) -> Option<usize> {
        let regions = &self.track(id).regions;
        let from = regions.partition_point(|region| region.lo < lo);
        let here = regions[from..].iter().take_while(|region| region.lo == lo);
        here.into_iter().position(|region| (region.use_id, region.node) == key).map(|at| from + at)
    }

    /// An organising node has an execute-after of its own, which its first step takes over.
    fn has_after_around(&self, id: TrackId, key: (UseId, NodeId)) -> bool {
        let mut at = Some(key);
        while let Some(key) = at.filter(|key| self.region_of.get(key) == Some(&id)) {
            let node = self.tree_of(key.0).and_then(|tree| tree.get(key.1));
            if node.is_none_or(|node| node.fields.get("after").is_some()) {
                return true;
            }
            at = self.one_up(key);
        }
        false
    }

    fn depth_in_track(&self, id: TrackId, key: (UseId, NodeId)) -> u32 {
        let mut at = Some(key);
        let mut depth = 0;
        while let Some(key) = at.filter(|key| self.region_of.get(key) == Some(&id)) {
            depth += 1;
            at = self.one_up(key);
        }
        depth
    }

    /// Everything behind the place makes room.
    fn move_up(&mut self, id: TrackId, spot: &Spot, flat: &Flat) {
        let (count, regions) = (flat.entries.len() as u32, flat.regions.len() as u32);
        let (place, first) = (spot.place as u32, spot.region as u32);
        let follows_previous = self.follows_previous(id, spot);
        let track = &mut self.tracks[id.index()];
        for step in &track.entries[spot.place..] {
            let step = &mut self.steps[step.index()];
            step.pos += count;
            if step.after >= place as i32 {
                step.after += count as i32;
            }
            if step.region != NONE && step.region >= first {
                step.region += regions;
            }
        }
        if follows_previous {
            let next = &mut self.steps[track.entries[spot.place].index()];
            next.after = next.pos as i32 - 1;
        }
        let home = spot.home.map(|home| (home, track.regions[home].lo, track.regions[home].hi));
        for (index, region) in track.regions.iter_mut().enumerate() {
            if index >= spot.region {
                region.lo += count;
                region.hi += count;
                region.try_hi += count;
                if region.outer != NONE && region.outer >= first {
                    region.outer += regions;
                }
            } else if home.is_some_and(|(home, lo, hi)| index <= home && region.lo <= lo && hi <= region.hi) {
                region.hi += count;
            }
        }
        for list in [&mut track.locked, &mut track.breakpoints] {
            list.iter_mut().filter(|index| **index >= first).for_each(|index| *index += regions);
        }
        track.active.iter_mut().filter(|index| **index >= first).for_each(|index| *index += regions);
    }

    /// The step at the place executes after whatever is directly before it.
    fn follows_previous(&self, id: TrackId, spot: &Spot) -> bool {
        let track = self.track(id);
        let Some(step) = track.entries.get(spot.place).map(|step| self.step(*step)) else { return false };
        let has_after = |key: (UseId, NodeId)| self.written_after(key.0, key.1).is_some();
        let starting = track.regions[spot.region..].iter().take_while(|region| region.lo as usize == spot.place);
        let from_around = starting.map(|region| (region.use_id, region.node)).any(has_after);
        !has_after((step.use_id, step.node)) && !from_around
    }

    fn put_in(&mut self, id: TrackId, spot: &Spot, steps: Vec<StepId>, flat: Flat) {
        let index_of = |index: u32| match index {
            HOME => spot.around,
            NONE => NONE,
            index => index + spot.region as u32,
        };
        let place = spot.place as u32;
        for (offset, (step, entry)) in steps.iter().zip(&flat.entries).enumerate() {
            let step = self.step_mut(*step);
            step.pos = place + offset as u32;
            step.region = index_of(entry.region);
        }
        let added = flat.regions.into_iter().map(|region| Region {
            outer: index_of(region.outer),
            lo: region.lo + place,
            hi: region.hi + place,
            try_hi: region.try_hi + place,
            ..region
        });
        let added: Vec<Region> = added.collect();
        let keys: Vec<(UseId, NodeId)> = added.iter().map(|region| (region.use_id, region.node)).collect();
        let track = self.track_mut(id);
        track.entries.splice(spot.place..spot.place, steps.iter().copied());
        track.regions.splice(spot.region..spot.region, added);
        for (offset, key) in keys.into_iter().enumerate() {
            self.mark_region_at(id, spot.region + offset, key);
        }
        for (step, entry) in steps.into_iter().zip(&flat.entries) {
            self.order_step(id, step, entry.after_from);
        }
    }

    /// Of the fallbacks around it and of those that came with it.
    fn settle_new_tries(&mut self, id: TrackId, spot: &Spot, count: usize) {
        let mut at = spot.around;
        while at != NONE {
            self.settle_try(id, at as usize);
            at = self.track(id).regions[at as usize].outer;
        }
        for index in spot.region..spot.region + count {
            self.settle_try(id, index);
        }
    }

    fn settle_try(&mut self, id: TrackId, index: usize) {
        let region = &self.track(id).regions[index];
        if !matches!(region.kind, RegionKind::Fallback(_)) {
            return;
        }
        let (lo, hi, use_id) = (region.lo, region.hi, region.use_id);
        let fallback = (use_id, region.node);
        let Some(tree) = self.tree_of(use_id).filter(|tree| tree.contains(fallback.1)) else { return };
        let mut try_hi = lo;
        for (number, child) in tree.enabled_children(fallback.1).enumerate() {
            let step = self.track(id).entries.get(try_hi as usize);
            let joins = number == 0 || step.is_none_or(|step| self.joins_try(id, *step, fallback, lo));
            if !joins || try_hi >= hi {
                break;
            }
            try_hi = self.end_step(id, (use_id, child), true).map_or(try_hi, |last| last + 1).max(try_hi);
        }
        self.track_mut(id).regions[index].try_hi = try_hi.min(hi);
    }

    fn place_of_key(&self, id: TrackId, key: Option<(UseId, NodeId)>) -> usize {
        let step = key.and_then(|key| self.known.get(&key)).and_then(|known| known.step);
        let step = step.map(|step| self.step(step)).filter(|step| step.track == id);
        step.map_or(self.track(id).entries.len(), |step| step.pos as usize)
    }

    /// What is put directly before next becomes next, unless it is put into what is over.
    fn next_behind_insert(&self, id: TrackId, spot: &Spot, (count, regions): (usize, usize), was: usize) -> usize {
        if spot.place != was {
            return if spot.place < was { was + count } else { was };
        }
        let anchor = was + count;
        let is_new = |index: u32| (spot.region..spot.region + regions).contains(&(index as usize));
        let over = |place: &usize| was > 0 && self.is_behind(id, *place as u32, anchor as u32, &|index| !is_new(index));
        (spot.place..anchor).rev().find(over).map_or(spot.place, |place| place + 1)
    }

    /// Tracks that have been started and belong to the tree.
    pub(super) fn live_tracks(&self) -> Vec<TrackId> {
        let mut found = vec![self.root];
        let mut at = 0;
        while let Some(track) = found.get(at).copied() {
            let running = self.track(track).running.iter();
            let inner = running.flat_map(|step| self.step(*step).branch_tracks()).collect::<Vec<_>>();
            found.extend(inner.into_iter().filter(|inner| !self.track(*inner).dropped));
            at += 1;
        }
        found
    }

    fn flatten_below(&mut self, use_id: UseId, node: NodeId, depth: u32) -> Flat {
        self.flatten_at(use_id, node, depth, &FxHashMap::default())
    }
}
