//! The results of organising nodes that are flattened away, for expressions that ask.

use model::NodeId;

use crate::Verdict;
use crate::engine::Engine;
use crate::ids::{TrackId, UseId};
use crate::tracks::Region;
use crate::world::Watch;

type Key = (UseId, NodeId);

impl Engine {
    /// The watches of a track's organising nodes, each with its node.
    fn watches_in(&self, id: TrackId) -> Vec<(u32, Key)> {
        let is_here = |key: &Key| {
            let is_step = self.known.get(key).is_some_and(|known| known.step.is_some());
            !is_step && self.region_of.get(key) == Some(&id)
        };
        let regions = &self.track(id).regions;
        // A tree that calls itself has a watch for each of many thousand calls.
        if regions.len() < self.region_watches.len() {
            let keys = regions.iter().map(|region| (region.use_id, region.node));
            let watched = keys.filter_map(|key| self.region_watches.get(&key).map(|watch| (*watch, key)));
            watched.filter(|(_, key)| is_here(key)).collect()
        } else {
            let here = self.region_watches.iter().filter(|(key, _)| is_here(key));
            here.map(|(key, watch)| (*watch, *key)).collect()
        }
    }

    fn change_watches(&mut self, id: TrackId, change: impl Fn(&Engine, &Region, &Watch) -> Watch) {
        for (watch, key) in self.watches_in(id) {
            let Some(region) = self.track(id).region(key) else { continue };
            let changed = change(self, region, &self.world.watches[watch as usize]);
            self.world.watches[watch as usize] = changed;
        }
    }

    pub(crate) fn is_region_in_progress(&self, key: Key) -> bool {
        let Some(id) = self.region_of.get(&key).copied() else { return false };
        self.track(id).region(key).is_some_and(|region| self.is_in_progress(id, region))
    }

    /// A step is triggered: what is around it runs.
    pub(super) fn tell_triggered(&mut self, id: TrackId, pos: u32) {
        self.change_watches(id, |_, region, watch| {
            let enters = region.holds(pos) && !watch.running;
            Watch {
                running: watch.running || enters,
                failed: watch.failed && !enters,
                left: watch.left && !enters,
                ..watch.clone()
            }
        });
    }

    /// A failure has left what is around a step, up to the fallback that took it.
    pub(super) fn tell_failed(&mut self, id: TrackId, pos: u32, taken_by: Option<u32>) {
        let taken = taken_by.map(|index| {
            let region = &self.track(id).regions[index as usize];
            ((region.use_id, region.node), region.lo, region.hi)
        });
        self.change_watches(id, |_, region, watch| {
            let outside = taken.is_some_and(|(key, lo, hi)| {
                let around = region.lo <= lo && hi <= region.hi && (region.hi - region.lo) > (hi - lo);
                around || (region.use_id, region.node) == key
            });
            Watch { failed: watch.failed || (region.holds(pos) && !outside), ..watch.clone() }
        });
    }

    /// A jump has put next on another place.
    pub(super) fn tell_jump(&mut self, id: TrackId, pos: u32) {
        self.change_watches(id, |_, region, watch| Watch {
            left: watch.left || (watch.running && !region.holds(pos)),
            ..watch.clone()
        });
    }

    /// What they end with, once nothing of them runs and next has left them.
    pub(super) fn tell_region_watches(&mut self, id: TrackId) {
        self.change_watches(id, |engine, region, watch| {
            let outcome = engine.outcome_of_region((region.use_id, region.node));
            let track = engine.track(id);
            let runs = track.running.iter().any(|step| region.holds(engine.step(*step).pos));
            let ended = watch.running && !runs && (watch.failed || !engine.is_in_progress(id, region));
            match ended {
                true => Watch { running: false, verdict: Some(verdict(watch)), outcome, ..watch.clone() },
                false => Watch { outcome, ..watch.clone() },
            }
        });
    }

    /// A track is put away: what has not ended is cut off.
    pub(super) fn tell_track_ended(&mut self, id: TrackId) {
        self.change_watches(id, |_, _, watch| match watch.running {
            true => Watch {
                running: false,
                left: true,
                verdict: Some(verdict(&Watch { left: true, ..watch.clone() })),
                ..watch.clone()
            },
            false => watch.clone(),
        });
    }
}

fn verdict(watch: &Watch) -> Verdict {
    match (watch.failed, watch.left) {
        (true, _) => Verdict::Failure,
        (false, true) => Verdict::Halted,
        (false, false) => Verdict::Success,
    }
}
