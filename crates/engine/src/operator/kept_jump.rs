//! Jumps out of a locked node: kept, and done when the lock opens.

use model::NodeId;

use crate::door::Instance;
use crate::engine::Engine;
use crate::ids::{StepId, TrackId, UseId};
use crate::run::PendingJump;
use crate::tracks::Hold;

/// Of several the latest counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptJump {
    to: JumpTo,
    /// None: an operator's.
    goto: Option<StepId>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum JumpTo {
    Node((UseId, NodeId)),
    /// Of the track itself; only a goto goes there.
    End,
}

impl Engine {
    /// Keeps an operator's jump, or that of a goto, until no lock is in its way.
    pub(crate) fn keep_jump(&mut self, track: TrackId, to: JumpTo, goto: Option<StepId>) {
        self.drop_kept_jump(track);
        self.track_mut(track).kept_jump = Some(KeptJump { to, goto });
    }

    /// A goto whose jump is dropped ends without it.
    pub(super) fn drop_kept_jump(&mut self, track: TrackId) {
        if let Some(goto) = self.track_mut(track).kept_jump.take().and_then(|kept| kept.goto) {
            let goto = self.step_mut(goto);
            goto.jump_dropped = goto.jump_kept_in.is_some();
        }
    }

    pub(super) fn drop_kept_jumps(&mut self) {
        for track in (0..self.tracks.len()).map(TrackId::new) {
            self.drop_kept_jump(track);
        }
    }

    /// Carries out an operator's jump whose lock has opened. A goto does so itself.
    pub(crate) fn do_kept_jump(&mut self, track: TrackId) {
        let Some(kept) = self.track(track).kept_jump else { return };
        if let Some(goto) = kept.goto {
            if self.step(goto).jump_kept_in.is_none() || !self.step(goto).is_active() {
                self.track_mut(track).kept_jump = None;
            }
            return;
        }
        let JumpTo::Node(target) = kept.to else { return };
        if self.place_of(target).is_none() {
            self.track_mut(track).kept_jump = None;
            return;
        }
        if self.lock_left_by(track, self.near_next(track), target).is_none() {
            self.track_mut(track).kept_jump = None;
            self.go_to(track, target);
        }
    }

    /// Next, or the last step before the end.
    pub(super) fn near_next(&self, track: TrackId) -> u32 {
        let track = self.track(track);
        track.next.min(track.entries.len().saturating_sub(1) as u32)
    }

    /// Puts next of a track on a node, as an operator wants it.
    pub(super) fn go_to(&mut self, track: TrackId, target: (UseId, NodeId)) {
        self.jump(PendingJump { track, from: track, target });
        let track = self.track_mut(track);
        (track.held, track.passes) = (None, None);
        track.failed = None;
        track.press = None;
        track.hold = Hold::None;
    }

    /// Where next of a track goes when a lock opens; none: nowhere, or to the end.
    pub(crate) fn kept_target(&self, track: TrackId) -> Option<Instance> {
        match self.track(track).kept_jump?.to {
            JumpTo::Node((use_id, node)) => Some(Instance { uses: self.use_path(use_id), node }),
            JumpTo::End => None,
        }
    }

    pub(crate) fn kept_text(&self, track: TrackId) -> String {
        match self.track(track).kept_jump.map(|kept| kept.to) {
            Some(JumpTo::Node((use_id, node))) => {
                format!("; when it opens, next goes to `{}`", self.node_label_anywhere(use_id, node))
            }
            Some(JumpTo::End) => "; when it opens, next goes to the end of its track".to_owned(),
            None => String::new(),
        }
    }
}
