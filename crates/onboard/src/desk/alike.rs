//! Two operator processes with one key: each works, and people are told.

use link::PublicKey;
use link::udp::PeerId;
use protocol::talk::NoteKind;

use super::Desk;
use crate::audit::Now;
use crate::runner::note;

/// An operator that was started again leaves its old link behind: that goes as soon as it has been silent for so long.
const LEFT_BEHIND_NS: u64 = 3_000_000_000;

impl Desk {
    /// An older link of the same key that has fallen silent is the same operator before it was started again. One that
    /// goes on is another process: they would be one in every list, and neither would know.
    pub(super) fn mind_alike(&mut self, now: Now) {
        let keys: Vec<(PublicKey, PeerId, u64)> = self
            .operators
            .iter()
            .filter_map(|(id, operator)| Some((operator.key?, *id, operator.connected_ns)))
            .collect();
        for (key, older, connected_ns) in &keys {
            let newer = keys.iter().find(|(each, id, at_ns)| each == key && (at_ns, id) > (connected_ns, older));
            if let Some((_, newer, newer_ns)) = newer {
                self.mind_pair(now, *older, (*newer, *newer_ns));
            }
        }
    }

    fn mind_pair(&mut self, now: Now, older: PeerId, (newer, newer_ns): (PeerId, u64)) {
        let silent_since_ns = |id| self.operators.get(&id).and_then(|operator| operator.silent_since_ns);
        if let Some(since_ns) = silent_since_ns(older) {
            if now.ns.saturating_sub(since_ns) >= LEFT_BEHIND_NS {
                self.forget(older);
            }
            return;
        }
        let together_ns = now.ns.saturating_sub(newer_ns);
        if silent_since_ns(newer).is_some() || together_ns < self.settings.free_control_after_ns {
            return;
        }
        let Some(operator) = self.operators.get_mut(&newer) else { return };
        if std::mem::replace(&mut operator.told_alike, true) {
            return;
        }
        let text = format!(
            "two operator processes use the key of {} at once: nobody can tell them apart; make each its own with `coact keys`",
            operator.desk
        );
        self.happened(note(self.time_ns, NoteKind::Warning, &text));
    }
}
