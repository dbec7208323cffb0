//! Whole trees, for those who join or lost track. What a whole tree says to be decided counts as on the robot's disk at
//! whoever gets it: sent earlier, an edit that only memory has would be given up there and lost here with a power cut.

use std::collections::BTreeMap;

use link::udp::PeerId;
use link::{Message, PublicKey, Stream};
use protocol::talk::pieces;

use super::{Desk, Operator};
use crate::audit::Now;

/// A disk that has taken nothing for so long is told of: edits stay unacknowledged and trees unsent until it does.
const DISK_NS: u64 = 5_000_000_000;

/// How long something has waited for the disk.
#[derive(Debug, Default)]
pub(super) struct DiskWaits {
    /// Since when nothing more is on it than this version of the tree.
    since: Option<(u64, u64)>,
    told: bool,
}

/// A tree that waits until it is on disk.
pub(super) struct TreeWaits {
    version: u64,
    epoch: u64,
    bytes: Vec<u8>,
}

impl Desk {
    pub(super) fn send_tree(&mut self, now: Now, to: PeerId) {
        let (version, epoch) = (self.tree_version, self.shared.epoch());
        let waits = |tree: &TreeWaits| tree.epoch == epoch;
        let Some(operator) = self.operators.get_mut(&to) else { return };
        operator.owed = !operator.after.is_empty();
        if operator.owed || operator.tree.as_ref().is_some_and(waits) {
            return;
        }
        // An export that fails is told when the tree is kept on disk, too.
        let Ok(update) = self.shared.whole() else { return };
        if let Some(operator) = self.operators.get_mut(&to) {
            operator.snapshot_ns = Some(now.ns);
            operator.epochs_from = epoch;
            operator.tree = Some(TreeWaits { version, epoch, bytes: update.to_bytes() });
        }
        self.send_trees();
    }

    /// Edits that wait, of others with the same key. It may be the same operator process, killed and started again: told
    /// of a tree without them, it would do them once more.
    pub(super) fn sent_before(&self, from: PeerId, key: Option<PublicKey>) -> BTreeMap<PeerId, usize> {
        let others = self.operators.iter().filter(|(id, other)| **id != from && other.key == key);
        others.map(|(id, _)| (*id, self.waiting.len_of(*id))).filter(|(_, count)| *count > 0).collect()
    }

    /// So many edits of one operator wait no longer.
    pub(super) fn were_taken(&mut self, from: PeerId, count: usize) {
        for operator in self.operators.values_mut() {
            if let Some(left) = operator.after.get_mut(&from) {
                *left = left.saturating_sub(count);
            }
            operator.after.retain(|_, left| *left > 0);
        }
    }

    /// To those who waited for edits that are taken now.
    pub(super) fn send_owed(&mut self, now: Now) {
        let is_due = |operator: &Operator| operator.owed && operator.after.is_empty();
        let due: Vec<PeerId> = self.operators.iter().filter(|(_, each)| is_due(each)).map(|(id, _)| *id).collect();
        due.into_iter().for_each(|to| self.send_tree(now, to));
    }

    /// Those that are on disk.
    pub(super) fn send_trees(&mut self) {
        let kept_version = self.kept_version;
        for (to, operator) in &mut self.operators {
            let due = operator.tree.take_if(|tree| tree.version <= kept_version);
            for bytes in due.iter().flat_map(|tree| pieces(&tree.bytes)) {
                self.messages.push((*to, Message::Document { stream: Stream::Snapshot, bytes }));
            }
        }
    }

    /// People are told of a disk that is silent, and of one that is so no longer.
    pub(super) fn mind_disk(&mut self, now: Now) {
        let waits = self.kept_version < self.tree_version;
        let since = self.disk.since.filter(|(version, _)| waits && *version == self.kept_version);
        self.disk.since = since.or(waits.then_some((self.kept_version, now.ns)));
        let is_silent = self.disk.since.is_some_and(|(_, at_ns)| now.ns.saturating_sub(at_ns) > DISK_NS);
        if is_silent && !self.disk.told {
            self.warn(
                "the robot's disk has not answered for 5 s: edits are in force and not acknowledged, and whoever joins \
                 gets no tree until it does",
            );
        } else if self.disk.told && !is_silent {
            self.warn("the robot's disk answers again");
        }
        self.disk.told = is_silent;
    }
}
