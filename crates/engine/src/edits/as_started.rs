//! What runs keeps the shape it started with: an organising node that gets its first guard, loses its last, or changes
//! its type is laid anew when it has ended, a step that becomes an organising node likewise.

use model::NodeId;
use rustc_hash::FxHashMap;

use crate::engine::{Engine, RunState};
use crate::ids::{TrackId, UseId};
use crate::tracks::{Phase, Region, RegionKind};

type Key = (UseId, NodeId);

/// How a node that is in progress is laid in its track.
pub(crate) enum Shape {
    Step,
    Region(RegionKind),
}

impl Engine {
    /// What of a track is in progress, and how it is laid. To be asked before the track is laid anew.
    pub(super) fn shapes_in_progress(&self, id: TrackId) -> FxHashMap<Key, Shape> {
        let track = self.track(id);
        let mut shapes = FxHashMap::default();
        if track.next == 0 && track.running.is_empty() {
            return shapes;
        }
        for region in track.regions.iter().filter(|region| self.is_in_progress(id, region)) {
            shapes.insert((region.use_id, region.node), Shape::Region(region.kind.clone()));
        }
        for step in track.running.iter().map(|step| self.step(*step)) {
            shapes.insert((step.use_id, step.node), Shape::Step);
        }
        shapes
    }

    /// Something of it was triggered in this pass, and next has not left it or something of it runs.
    pub(crate) fn is_in_progress(&self, id: TrackId, region: &Region) -> bool {
        let track = self.track(id);
        if region.phase != Phase::Idle || (region.locked && region.inside) {
            return true;
        }
        let since_tick = self.pass_began(id).max(1);
        let triggered = || {
            let passed = &track.entries[region.lo as usize..track.next as usize];
            passed.iter().any(|step| self.step(*step).started_tick >= since_tick)
        };
        let behind = track.running.partition_point(|step| self.step(*step).pos < region.lo);
        let runs = track.running.get(behind).is_some_and(|step| region.holds(self.step(*step).pos));
        runs || (track.live && region.lo < track.next && track.next < region.hi && triggered())
    }

    /// Before next comes to what is laid as it was: if that has ended, it is laid as it is now.
    pub(crate) fn lay_anew_at_next(&mut self, id: TrackId) {
        let track = self.track(id);
        if track.kept_shapes.is_empty() {
            return;
        }
        let next = track.next;
        let is_kept = |key: Key| track.kept_shapes.contains(&key);
        let at_next = track.entries.get(next as usize).is_some_and(|step| is_kept(self.key(*step)));
        let around = track.regions.iter().any(|region| region.holds(next) && is_kept((region.use_id, region.node)));
        if at_next || around {
            self.lay_ended_anew(id);
        }
    }

    /// Lays a track anew if something in it that kept its shape has ended.
    pub(crate) fn lay_ended_anew(&mut self, id: TrackId) {
        if self.track(id).kept_shapes.is_empty() {
            return;
        }
        let shapes = self.shapes_in_progress(id);
        if self.track(id).kept_shapes.iter().any(|key| !shapes.contains_key(key)) {
            // The edit of this tick has nothing to do with it: nobody has put these steps where they are.
            let edit = std::mem::take(&mut self.edited.now);
            self.reflatten(id);
            self.edited.now = edit;
        }
    }

    /// Between runs nothing has to wait for its next pass.
    pub(crate) fn lay_all_ended_anew(&mut self) {
        if self.run == RunState::Active || (self.edited.keeping.is_empty() && self.edited.running.is_empty()) {
            return;
        }
        for id in std::mem::take(&mut self.edited.running) {
            let step = self.step(id);
            if step.is_active() {
                self.edited.running.push(id);
            } else if step.stale && !step.detached {
                self.make_body(id);
            }
        }
        for id in std::mem::take(&mut self.edited.keeping) {
            self.lay_ended_anew(id);
            if !self.track(id).kept_shapes.is_empty() && !self.edited.keeping.contains(&id) {
                self.edited.keeping.push(id);
            }
        }
    }
}
