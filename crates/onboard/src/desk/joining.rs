//! Whole trees, for those who join or lost track. What a whole tree says to be decided counts as on the robot's disk at
//! whoever gets it: sent earlier, an edit that only memory has would be given up there and lost here with a power cut.

use std::collections::BTreeMap;

use link::udp::PeerId;
use link::{Message, PublicKey, Stream};
use protocol::talk::pieces;

use super::{Desk, Operator};
use crate::audit::Now;

/// A disk that takes longer is broken, of which everybody is told; they see the tree all the same.
const DISK_NS: u64 = 5_000_000_000;

/// A tree that waits until it is on disk.
pub(super) struct TreeWaits {
    version: u64,
    epoch: u64,
    since_ns: u64,
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
            operator.tree = Some(TreeWaits { version, epoch, since_ns: now.ns, bytes: update.to_bytes() });
        }
        self.send_trees(None);
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

    /// Those that are on disk, and those that have waited for too long.
    pub(super) fn send_trees(&mut self, now: Option<Now>) {
        let kept_version = self.kept_version;
        let is_late = |tree: &TreeWaits| now.is_some_and(|now| now.ns.saturating_sub(tree.since_ns) > DISK_NS);
        for (to, operator) in &mut self.operators {
            let due = operator.tree.take_if(|tree| tree.version <= kept_version || is_late(tree));
            for bytes in due.iter().flat_map(|tree| pieces(&tree.bytes)) {
                self.messages.push((*to, Message::Document { stream: Stream::Snapshot, bytes }));
            }
        }
    }
}
