//! The shared tree: changes of operators, another behavior, and the engine that follows.

use std::sync::Arc;

use engine::{Command, Control, EditBatch};
use link::udp::PeerId;
use link::{Message, Stream};
use protocol::talk::{NoteKind, Update};
use protocol::{Role, person_name};

use super::{Desk, Pending};
use crate::audit::{Deed, Now};
use crate::runner::{Request, note};
use crate::seen::Marks;
use crate::shared::{Change, Shared};

/// Batches are numbered from here: commands count up from 1.
pub(super) const FIRST_BATCH: u64 = 1 << 63;

/// Somebody whose edits do not fit gets the whole tree at most this often.
const AGAIN_NS: u64 = 1_000_000_000;

impl Desk {
    pub(super) fn edit(&mut self, now: Now, from: PeerId, bytes: &[u8]) {
        let Some(operator) = self.operators.get(&from) else { return };
        let desk = std::sync::Arc::clone(&operator.desk);
        if operator.rank < Role::Operator {
            let text = format!("{desk} may only look: its edits were not taken");
            return self.refuse_edit(now, from, &text);
        }
        let Some(update) = Update::from_bytes(bytes) else {
            return self.refuse_edit(now, from, &format!("an edit of {desk} cannot be read"));
        };
        if update.epoch != self.shared.epoch() {
            // Made before another behavior was opened, or by somebody who does not know of it yet.
            return self.send_again(now, from);
        }
        match self.shared.merge(&update.bytes) {
            Err(error) => self.refuse_edit(now, from, &format!("an edit of {desk} was not taken: {error}")),
            Ok(change) if !change.is_new => {}
            Ok(change) => {
                self.audit_edits(now, from, &change);
                if !change.edits.is_empty() {
                    self.next_batch += 1;
                    self.requests.push(Request::Edit(EditBatch { id: self.next_batch, edits: change.edits }));
                }
                self.tree_changed = true;
                for to in self.operators.keys().filter(|to| **to != from) {
                    self.messages.push((*to, Message::Document { stream: Stream::Edits, bytes: bytes.to_vec() }));
                }
            }
        }
    }

    /// Who changed the tree, by the names that its changes carry.
    fn audit_edits(&mut self, now: Now, from: PeerId, change: &Change) {
        for by in change.by.iter().map(|name| person_name(name).map_or_else(|| "somebody".into(), Arc::from)) {
            let mut entry = self.entry(now, from, None, (Deed::Edit, change.describe()));
            entry.by = by;
            self.audit(entry, "done".to_owned());
        }
    }

    fn refuse_edit(&mut self, now: Now, from: PeerId, text: &str) {
        self.happened(note(self.time_ns, NoteKind::Warning, text));
        let entry = self.entry(now, from, None, (Deed::Edit, "an edit".to_owned()));
        self.audit(entry, format!("refused: {text}"));
        self.send_again(now, from);
    }

    /// The whole tree, for somebody who has another one.
    fn send_again(&mut self, now: Now, from: PeerId) {
        let Some(operator) = self.operators.get_mut(&from) else { return };
        if operator.snapshot_ns.is_none_or(|at_ns| now.ns.saturating_sub(at_ns) >= AGAIN_NS) {
            operator.snapshot_ns = Some(now.ns);
            self.send_tree(from);
        }
    }

    pub(super) fn offered(&mut self, from: PeerId, bytes: &[u8]) {
        let Some(operator) = self.operators.get_mut(&from) else { return };
        if operator.rank >= Role::Operator {
            operator.offered = Update::from_bytes(bytes);
        }
    }

    /// Lets the engine build it.
    pub(super) fn begin_open(&mut self, shared: Shared, pending: Pending) {
        self.next_batch += 1;
        let library = Box::new(shared.library().clone());
        self.requests.push(Request::Open { number: self.next_batch, library });
        self.opening = Some((self.next_batch, shared, pending));
    }

    /// The behavior that was sent before, if it can be opened now.
    pub(super) fn take_offered(&mut self, epoch: u64, from: PeerId) -> Result<Shared, String> {
        if self.opening.is_some() {
            return Err("another behavior is being opened".to_owned());
        }
        if !self.state.as_ref().is_some_and(|state| state.at_rest) {
            return Err("something runs: stop it first".to_owned());
        }
        if epoch <= self.shared.epoch() {
            return Err("another behavior was opened meanwhile: open yours again".to_owned());
        }
        let offered = self.operators.get_mut(&from).and_then(|operator| operator.offered.take());
        let Some(update) = offered.filter(|update| update.epoch == epoch) else {
            return Err("the behavior has not arrived: send it before it is opened".to_owned());
        };
        Shared::from_update(&update, self.settings.peer.clone()).map_err(|error| error.to_string())
    }

    pub(super) fn opened(&mut self, now: Now, number: u64, result: Result<(), String>) {
        let Some((_, shared, pending)) = self.opening.take_if(|(awaited, ..)| *awaited == number) else {
            // Ours again, not somebody's order.
            self.resync |= result.is_err();
            return;
        };
        if result.is_ok() {
            self.shared = shared;
            self.tree_changed = true;
            self.forget_variables();
            let everybody: Vec<PeerId> = self.operators.keys().copied().collect();
            for to in everybody {
                if let Some(operator) = self.operators.get_mut(&to) {
                    operator.snapshot_ns = Some(now.ns);
                }
                self.send_overview(to);
                self.send_tree(to);
            }
        }
        self.reply(pending.from, pending.id, pending.entry, result);
    }

    /// The engine's tree is not ours: it never should be so. Ours counts; the robot stops and gets it.
    pub(super) fn batch_refused(&mut self, why: &str) {
        if std::mem::replace(&mut self.resync, true) {
            return;
        }
        let text = format!("an edit was not taken by the engine, which stops and gets the whole tree anew: {why}");
        self.give_engine(Control::Stop, &text);
    }

    pub(super) fn resync(&mut self) {
        if self.resync && self.opening.is_none() && self.state.as_ref().is_some_and(|state| state.at_rest) {
            self.resync = false;
            self.next_batch += 1;
            let library = Box::new(self.shared.library().clone());
            self.requests.push(Request::Open { number: self.next_batch, library });
        }
    }

    pub(super) fn keep_tree(&mut self, now: Now) {
        if !std::mem::take(&mut self.tree_changed) {
            return;
        }
        self.tree_kept_ns = Some(now.ns);
        match self.shared.whole() {
            Ok(update) => self.saves.tree = Some(update),
            Err(error) => {
                let text = format!("the tree cannot be kept on disk: {error}");
                self.happened(note(self.time_ns, NoteKind::Warning, &text));
            }
        }
    }

    /// What operators had set before a restart. A pause is none: nothing runs, and a press should not find one.
    pub(super) fn restore(&mut self, marks: Marks) {
        let mut all =
            vec![Control::AutonomyLevel { level: marks.autonomy }, Control::Concurrency { on: marks.concurrency }];
        all.extend(marks.locks.into_iter().map(|node| Control::Lock { node, on: true }));
        all.extend(marks.breakpoints.into_iter().map(|node| Control::Breakpoint { node, on: true }));
        for what in all {
            self.next_command += 1;
            self.requests.push(Request::Command { command: Command { id: self.next_command, what }, stops: u64::MAX });
        }
    }
}
