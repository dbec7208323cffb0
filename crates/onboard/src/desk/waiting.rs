//! Edits that have arrived and wait for their turn, one of each operator after the other.
//!
//! Merging costs by the size of the tree: done as they arrive, a flood of edits would keep the desk from answering
//! commands for as long as it lasts.

use std::collections::{BTreeMap, VecDeque};

use link::udp::PeerId;

/// Of one operator; ours wait for the robot long before. More is somebody who floods.
pub(super) const MOST_OF_ONE: usize = 4_096;

#[derive(Debug, Default)]
pub(super) struct Waiting {
    edits: BTreeMap<PeerId, VecDeque<Vec<u8>>>,
    /// Whose turn it was last.
    last: Option<PeerId>,
}

impl Waiting {
    /// How many of this operator wait now.
    pub fn push(&mut self, from: PeerId, bytes: Vec<u8>) -> usize {
        let edits = self.edits.entry(from).or_default();
        edits.push_back(bytes);
        edits.len()
    }

    pub fn pop(&mut self) -> Option<(PeerId, Vec<u8>)> {
        let after = |last: PeerId| self.edits.range((std::ops::Bound::Excluded(last), std::ops::Bound::Unbounded));
        let next = self.last.and_then(|last| after(last).next()).or_else(|| self.edits.iter().next());
        let from = next.map(|(from, _)| *from)?;
        self.last = Some(from);
        let edits = self.edits.get_mut(&from)?;
        let bytes = edits.pop_front();
        if edits.is_empty() {
            self.edits.remove(&from);
        }
        bytes.map(|bytes| (from, bytes))
    }

    /// All of one operator, in their order.
    pub fn take_of(&mut self, from: PeerId) -> VecDeque<Vec<u8>> {
        self.edits.remove(&from).unwrap_or_default()
    }

    pub fn len_of(&self, from: PeerId) -> usize {
        self.edits.get(&from).map_or(0, VecDeque::len)
    }

    pub fn len(&self) -> usize {
        self.edits.values().map(VecDeque::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operator_has_its_turn_and_its_order() {
        let mut waiting = Waiting::default();
        for number in 0..3 {
            waiting.push(PeerId(1), vec![1, number]);
        }
        waiting.push(PeerId(2), vec![2, 0]);
        assert_eq!(waiting.len(), 4);
        let order: Vec<Vec<u8>> = std::iter::from_fn(|| waiting.pop()).map(|(_, bytes)| bytes).collect();
        assert_eq!(order, [vec![1, 0], vec![2, 0], vec![1, 1], vec![1, 2]]);
        assert_eq!((waiting.len(), waiting.pop()), (0, None));
    }
}
