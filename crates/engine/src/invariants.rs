//! What must be true of an engine between ticks, whatever was authored and whatever arrived. For tests.

use std::fmt::Write;

use model::NodeId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::door::InstanceId;
use crate::engine::Engine;
use crate::ids::{StepId, TrackId, UseId};
use crate::tracks::{Body, NONE, Phase, Region, RegionKind, StepStatus, Track};
use crate::world::Holder;

type Check = Result<(), String>;

/// Gives the sentence up unless the condition holds.
macro_rules! must {
    ($holds:expr, $($sentence:tt)*) => {
        if !$holds {
            return Err(format!($($sentence)*));
        }
    };
}

impl Engine {
    /// Whether everything the engine keeps fits together; if not, what does not. For tests, between ticks.
    pub fn check_invariants(&self) -> Result<(), String> {
        let free = self.making.free();
        let free_tracks: FxHashSet<TrackId> = free.1.iter().copied().collect();
        let free_steps: FxHashSet<StepId> = free.0.iter().copied().collect();
        must!(free_tracks.len() == free.1.len(), "a track is free twice");
        must!(free_steps.len() == free.0.len(), "a step is free twice");
        must!(self.pending_jump.is_none(), "a jump is left over");
        let mut homes: FxHashMap<StepId, TrackId> = FxHashMap::default();
        for (index, track) in self.tracks.iter().enumerate() {
            let id = TrackId::new(index);
            must!(track.dropped == free_tracks.contains(&id), "{id:?} is dropped or free, not both");
            if track.dropped {
                continue;
            }
            self.check_track(id, track).map_err(|wrong| format!("{id:?}: {wrong}"))?;
            for step in &track.entries {
                must!(!free_steps.contains(step), "{id:?} has the free {step:?}");
                must!(homes.insert(*step, id).is_none(), "{step:?} stands in two tracks");
            }
        }
        for step in &self.detached {
            must!(!free_steps.contains(step), "the detached {step:?} is free");
            must!(self.step(*step).detached, "{step:?} is in the list of the detached, but is not");
            must!(!homes.contains_key(step), "the detached {step:?} stands in a track");
        }
        for (index, _) in self.steps.iter().enumerate() {
            let id = StepId::new(index);
            if !free_steps.contains(&id) {
                let home = homes.get(&id).copied();
                self.check_step(id, home).map_err(|wrong| format!("{id:?} `{}`: {wrong}", self.label(id)))?;
            }
        }
        for (index, step) in self.steps.iter().enumerate() {
            let id = StepId::new(index);
            let held = step.extra.as_ref().is_some_and(|extra| extra.added.is_some());
            let listed = self.edited.holds(id, step.instance);
            must!(!held || listed || free_steps.contains(&id), "{id:?} waits to be admitted, but is not listed");
        }
        for job in &self.world.jobs {
            let waits = |step: &crate::tracks::Step| step.instance == job.step && step.status == StepStatus::Running;
            must!(self.steps.iter().any(waits), "nobody waits for {:?}", job.id);
        }
        self.check_maps(&free_steps)?;
        self.check_claims(&free_steps)
    }

    fn check_track(&self, id: TrackId, track: &Track) -> Check {
        let len = track.entries.len() as u32;
        must!(track.next <= len, "next is {} of {len}", track.next);
        for (place, step) in track.entries.iter().enumerate() {
            let step = self.step(*step);
            must!(step.pos as usize == place, "place {place} has a step that says {}", step.pos);
            must!(step.track == id, "place {place} has a step of {:?}", step.track);
            must!(!step.detached, "place {place} has a detached step");
            must!((-1..place as i32).contains(&step.after), "place {place} executes after {}", step.after);
            must!(step.region == NONE || (step.region as usize) < track.regions.len(), "place {place}: no such region");
        }
        let places: Vec<u32> = track.running.iter().map(|step| self.step(*step).pos).collect();
        must!(places.is_sorted_by(|a, b| a < b), "what runs is not in tree order: {places:?}");
        for step in &track.running {
            must!(track.entries.contains(step), "{step:?} runs, but is not in the track");
            must!(self.step(*step).is_active(), "{step:?} is among the running, but is idle");
        }
        if track.knows_wakes {
            let rows = track.rows.iter().map(|row| row.at);
            must!(rows.eq(track.running.iter().map(|step| self.at(*step))), "what runs is asked otherwise than it is");
        }
        let active = track.entries.iter().filter(|step| self.step(**step).is_active()).count();
        must!(active == track.running.len(), "{active} steps are active, {} run", track.running.len());
        must!(track.live || track.running.is_empty() || self.is_halting(track), "it has ended, but steps of it run");
        let known = |step: &StepId| track.entries.contains(step);
        for failure in track.failed.iter().chain(&track.withheld) {
            must!(known(&failure.step), "a failure of a step that is not in it");
        }
        must!(track.held.is_none() || !track.automatic, "a breakpoint holds it, but it is automatic");
        if let Some(press) = &track.press {
            must!(press.set.iter().all(known), "a press of a step that is not in it");
        }
        must!(track.jumped_to.as_ref().is_none_or(|(step, _)| known(step)), "a jump to a step that is not in it");
        self.check_regions(id, track)?;
        self.check_owner(id, track)
    }

    /// A root that was stopped, or a branch whose composite comes to rest.
    fn is_halting(&self, track: &Track) -> bool {
        track.running.iter().all(|step| self.step(*step).status == StepStatus::Halting)
    }

    fn check_regions(&self, id: TrackId, track: &Track) -> Check {
        let count = track.regions.len() as u32;
        let len = track.entries.len() as u32;
        let mut around: Vec<(u32, u32)> = Vec::new();
        for (index, region) in track.regions.iter().enumerate() {
            let (lo, hi) = (region.lo, region.hi);
            must!(lo <= hi && hi <= len, "region {index} is {lo}..{hi} of {len}");
            must!(lo <= region.try_hi && region.try_hi <= hi, "region {index}: its try ends at {}", region.try_hi);
            while around.last().is_some_and(|(_, end)| *end <= lo && *end < hi.max(lo + 1)) {
                around.pop();
            }
            must!(
                around.iter().all(|(start, end)| *start <= lo && hi <= *end),
                "region {index}, {lo}..{hi}, is not nested in {around:?}"
            );
            around.push((lo, hi));
            must!(region.outer == NONE || (region.outer as usize) < index, "region {index} lies in a later one");
            if let Some(outer) = track.regions.get(region.outer as usize) {
                must!(outer.lo <= lo && hi <= outer.hi, "region {index} is not inside {}", region.outer);
                must!(!matches!(outer.kind, RegionKind::Sequence), "region {index} counts a sequence as outer");
            }
            let home = self.region_of.get(&(region.use_id, region.node));
            must!(
                home == Some(&id) || track.owner.is_some_and(|owner| self.is_out(owner)),
                "region {index} is said to be in {home:?}"
            );
            must!(region.locked == track.locked.contains(&(index as u32)), "region {index} is locked or not listed");
            must!(region.breakpoint == track.breakpoints.contains(&(index as u32)), "breakpoint {index} is not listed");
            must!(
                (region.phase == Phase::Idle) || track.active.contains(&(index as u32)),
                "region {index} is {:?}, but not active",
                region.phase
            );
            if let Some(failure) = &region.failed {
                must!(track.entries.contains(&failure.step), "region {index}: a failure of a step that is gone");
            }
        }
        for index in track.active.iter().chain(&track.locked).chain(&track.breakpoints) {
            must!(*index < count, "there is no region {index}");
        }
        Ok(())
    }

    fn check_owner(&self, id: TrackId, track: &Track) -> Check {
        let Some(owner) = track.owner else {
            must!(id == self.root, "it has no owner");
            return Ok(());
        };
        let branches = self.step(owner).branch_tracks().filter(|branch| *branch == id).count();
        must!(branches == 1, "its owner {owner:?} has it {branches} times");
        must!(track.above == Some(self.step(owner).track), "it is not below the track of its owner");
        must!(!track.live || self.step(owner).is_active(), "it is live, but its owner is idle");
        Ok(())
    }

    fn check_step(&self, id: StepId, home: Option<TrackId>) -> Check {
        let step = self.step(id);
        if step.detached {
            must!(self.detached.contains(&id), "it is detached, but not in the list");
            must!(step.status == StepStatus::Halting, "it is detached and {:?}", step.status);
        } else {
            must!(home == Some(step.track), "it is in {home:?} and says {:?}", step.track);
            let known = self.known.get(&(step.use_id, step.node)).and_then(|known| known.step);
            must!(known == Some(id) || self.is_out(id), "it is known as {known:?}");
        }
        must!((step.status == StepStatus::Halting) == step.halt.is_some(), "it is {:?} without an end", step.status);
        must!(step.pending.is_none() || step.status == StepStatus::Running, "an end is pending, but it does not run");
        for track in step.branch_tracks() {
            must!(!self.track(track).dropped, "its branch {track:?} is dropped");
            must!(self.track(track).owner == Some(id), "its branch {track:?} belongs to another");
            let idle = self.track(track).running.is_empty();
            must!(step.is_active() || idle, "it is idle, but its branch {track:?} runs");
        }
        if let Some(extra) = &step.extra
            && step.status == StepStatus::Running
            && step.pending.is_none()
        {
            for token in &extra.claims {
                let name = self.world.claims.name(*token);
                must!(self.world.claims.holders(*token).contains(&Holder::Step(id)), "it runs without its `{name}`");
            }
        }
        if let Body::Composite(composite) = &step.body {
            must!(composite.is_group || composite.behavior.is_some(), "its behavior was not put back");
        }
        Ok(())
    }

    fn check_maps(&self, free_steps: &FxHashSet<StepId>) -> Check {
        for ((use_id, node), known) in &self.known {
            let Some(step) = known.step else { continue };
            must!(!free_steps.contains(&step), "{node} is known as the free {step:?}");
            let at = self.step(step);
            must!((at.use_id, at.node) == (*use_id, *node), "{node} is known as {step:?}, which is another");
            must!(at.instance == known.instance, "{node} has two instances");
        }
        for ((use_id, node), track) in &self.region_of {
            let regions = &self.track(*track).regions;
            let there = regions.iter().any(|region| (region.use_id, region.node) == (*use_id, *node));
            must!(!self.track(*track).dropped && there, "{node} is not a region of {track:?}");
        }
        Ok(())
    }

    fn check_claims(&self, free_steps: &FxHashSet<StepId>) -> Check {
        let claims = &self.world.claims;
        for (token, name) in claims.tokens() {
            let holders = claims.holders(token);
            for (place, holder) in holders.iter().enumerate() {
                match holder {
                    Holder::Step(step) => {
                        must!(!free_steps.contains(step), "`{name}` is held by the free {step:?}");
                        must!(self.step(*step).is_active(), "`{name}` is held by the idle {step:?}");
                    }
                    Holder::Track(track) => {
                        let track = self.track(*track);
                        must!(track.live && !track.dropped, "`{name}` is reserved by a track that has ended");
                    }
                    Holder::Robot => {}
                }
                if let Some(outer) = place.checked_sub(1).and_then(|before| holders.get(before)) {
                    let nested = match holder {
                        Holder::Step(step) => claims.is_inside(self.step(*step).track, *outer),
                        Holder::Track(track) => claims.is_inside(*track, *outer),
                        Holder::Robot => true,
                    };
                    must!(nested, "`{name}` is held by {outer:?} and by {holder:?}, which is not inside it");
                }
            }
        }
        for (step, track) in claims.waiting() {
            must!(!free_steps.contains(&step), "the free {step:?} waits for a token");
            must!(!self.track(track).dropped, "{step:?} of a dropped track waits for a token");
        }
        Ok(())
    }

    /// How many nodes it could still name. For tests.
    pub fn names_kept(&self) -> usize {
        self.known.len().max(self.instances.len()) + self.gone.len()
    }

    /// Each step at next that waits for one that runs, with that one. For tests.
    pub fn waiting(&self) -> Vec<(InstanceId, InstanceId)> {
        let live = self.tracks.iter().filter(|track| track.live && !track.dropped);
        let at_next = live.filter_map(|track| Some((track, self.step(*track.entries.get(track.next as usize)?))));
        let pairs = at_next.flat_map(|(track, next)| {
            let after = usize::try_from(if self.concurrency { next.after } else { next.pos as i32 - 1 }).ok();
            let before = after.map(|after| track.entries[after]);
            let undecided = |index: &&u32| {
                let region = &track.regions[**index as usize];
                region.phase == Phase::Try && next.pos >= region.try_hi
            };
            let tries = track.active.iter().filter(undecided).map(|index| &track.regions[*index as usize]);
            let tried = |region: &Region| {
                let (lo, hi) = (region.lo, region.try_hi);
                track.running.iter().copied().filter(move |step| (lo..hi).contains(&self.step(*step).pos))
            };
            let awaited = tries.flat_map(tried).chain(before).collect::<Vec<_>>();
            awaited.into_iter().filter_map(|awaited| {
                let awaited = self.step(awaited);
                awaited.is_active().then_some((next.instance, awaited.instance))
            })
        });
        pairs.collect()
    }

    /// The tracks with the order of their steps, without names and ids, so that two engines can be compared. For
    /// tests.
    pub fn structure(&self) -> String {
        let mut text = String::new();
        self.write_track(self.root, 0, &mut text);
        text
    }

    fn write_track(&self, id: TrackId, depth: usize, text: &mut String) {
        let track = self.track(id);
        let indent = "  ".repeat(depth);
        for region in &track.regions {
            let kind = match &region.kind {
                RegionKind::Sequence => "sequence".to_owned(),
                RegionKind::Fallback(asked) => format!("fallback {asked:?}"),
                RegionKind::Skill(_) => "skill".to_owned(),
            };
            let place = self.place_text(region.use_id, region.node);
            let outer = region.outer as i32;
            let span = (region.lo, region.try_hi, region.hi);
            // Writing to a String does not fail.
            let _ = writeln!(text, "{indent}{kind} {place} {span:?} in {outer}");
        }
        for step in &track.entries {
            let step = self.step(*step);
            let place = self.place_text(step.use_id, step.node);
            let body = match &step.body {
                Body::Step(_) => "step".to_owned(),
                Body::Composite(composite) => format!("{:?}", composite.branching),
                Body::Broken(reason) => format!("broken: {reason}"),
            };
            let (after, region) = (step.after, step.region as i32);
            let _ = writeln!(text, "{indent}{place} after {after} in {region} {body}");
            for branch in step.branch_tracks() {
                self.write_track(branch, depth + 1, text);
            }
        }
    }

    fn place_text(&self, use_id: UseId, node: NodeId) -> String {
        let current = &self.uses[use_id.index()];
        let definition = self.library.get(current.definition);
        let mut places: Vec<String> = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            places.extend(definition.index_of(node).map(|index| index.to_string()));
            at = definition.get(node).and_then(|node| node.parent);
        }
        places.reverse();
        let own = format!("{}#{}", definition.file, places.join("."));
        match current.parent {
            Some(parent) => format!("{} > {own}", self.place_text(parent, current.via)),
            None => own,
        }
    }
}
