//! Named outcomes handed up: what a track and the organising nodes flattened into it end with.

use std::ops::Range;
use std::sync::Arc;

use model::NodeId;

use crate::End;
use crate::engine::Engine;
use crate::ids::{TrackId, UseId};
use crate::tracks::{NONE, RegionKind};

impl Engine {
    /// How a track that came to its end succeeds.
    pub(super) fn success_of(&self, id: TrackId) -> End {
        let track = self.track(id);
        let outcome = self.handed_up(id, 0..track.entries.len() as u32, self.pass_began(id));
        End { outcome, ..End::SUCCESS }
    }

    pub(crate) fn pass_began(&self, id: TrackId) -> u64 {
        if id == self.root { self.run_since_tick } else { self.track(id).start_tick }
    }

    /// The named outcome of the last step in tree order that ran since a tick; where a fallback around it gave up, that
    /// of the step that decided it.
    fn handed_up(&self, id: TrackId, span: Range<u32>, since_tick: u64) -> Option<Arc<str>> {
        let track = self.track(id);
        let ran = |step: &&crate::ids::StepId| self.step(**step).started_tick >= since_tick.max(1);
        let last = track.entries[span.start as usize..span.end as usize].iter().rev().find(ran)?;
        let mut outcome = self.step(*last).last_outcome.clone();
        let mut at = self.step(*last).region;
        while at != NONE {
            let region = &track.regions[at as usize];
            if let Some(gave_up) = &region.gave_up
                && span.start <= region.lo
                && region.hi <= span.end
            {
                outcome.clone_from(gave_up);
            }
            at = region.outer;
        }
        outcome
    }

    /// The named outcome of the last run of an organising node that was flattened away.
    pub(crate) fn outcome_of_region(&self, key: (UseId, NodeId)) -> Option<Arc<str>> {
        let id = *self.region_of.get(&key)?;
        let region = self.track(id).regions.iter().find(|region| (region.use_id, region.node) == key)?;
        let since_tick = match region.kind {
            RegionKind::Sequence => self.pass_began(id),
            RegionKind::Fallback(_) | RegionKind::Skill(_) => region.entered_tick,
        };
        self.handed_up(id, region.lo..region.hi, since_tick)
    }

    /// The named outcome of whatever ran last in tree order before a place of a track.
    pub(super) fn outcome_before(&self, id: TrackId, pos: u32) -> Option<Arc<str>> {
        self.handed_up(id, 0..pos, self.pass_began(id))
    }
}
