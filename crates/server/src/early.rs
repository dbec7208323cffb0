//! Changes that came before the tree they belong to: edits and whole trees go by streams that do not wait for each other.

use protocol::talk::Update;

/// A robot that sends more than this before its tree is not kept up with; its next whole tree has all of it.
const MOST_BYTES: usize = 4 << 20;

#[derive(Default)]
pub struct Early {
    updates: Vec<Update>,
    bytes: usize,
}

impl Early {
    pub fn keep(&mut self, update: Update) {
        self.bytes += update.bytes.len();
        self.updates.push(update);
        while self.bytes > MOST_BYTES {
            self.bytes -= self.updates.remove(0).bytes.len();
        }
    }

    /// The tree is here: what belongs to it, in the order in which it came. Nothing else is kept any longer.
    pub fn take(&mut self, epoch: u64) -> Vec<Update> {
        self.bytes = 0;
        let mut updates = std::mem::take(&mut self.updates);
        updates.retain(|update| update.epoch == epoch);
        updates
    }

    /// What was on its way to us is said anew.
    pub fn forget(&mut self) {
        *self = Early::default();
    }
}
