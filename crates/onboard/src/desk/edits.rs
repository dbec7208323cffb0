//! The shared tree: changes of operators, another behavior, and the engine that follows.

use std::sync::Arc;

use engine::{Command, Control, EditBatch, Editor};
use link::udp::PeerId;
use link::{Message, Stream};
use protocol::talk::{ControlFact, News, NoteKind, Sent, ToRobot, Update, pack, unpack};
use protocol::{Role, person_name};
use replica::NewEpoch;

use super::waiting::MOST_OF_ONE;
use super::{Desk, Pending};
use crate::audit::{Deed, Now};
use crate::runner::{Request, note};
use crate::seen::Marks;
use crate::shared::{Change, Shared};

/// Batches are numbered from here: commands count up from 1.
pub(super) const FIRST_BATCH: u64 = 1 << 63;

/// Nobody edits when nobody has for so long.
const QUIET_NS: u64 = 1_000_000_000;

/// Somebody whose edits do not fit gets the whole tree at most this often.
const AGAIN_NS: u64 = 1_000_000_000;

fn open_request(number: u64, shared: &Shared, world: Option<Arc<str>>) -> Request {
    Request::Open { number, library: Box::new(shared.library().clone()), beside: shared.beside().cloned(), world }
}

impl Desk {
    /// Nothing else that was heard waits for edits: they are taken when there is time, by [`Self::take_edit`].
    pub(super) fn wait_for_turn(&mut self, from: PeerId, bytes: Vec<u8>) {
        if self.waiting.push(from, bytes) > MOST_OF_ONE {
            let desk =
                self.operators.get(&from).map_or_else(|| "somebody".into(), |operator| Arc::clone(&operator.desk));
            self.warn(&format!("{desk} sends more edits than the robot can take: it must connect again"));
            self.forget(from);
        }
    }

    /// Edits that have arrived and are not merged yet.
    pub fn edits_waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Merges one of the edits that wait. False: there is none.
    pub fn take_edit(&mut self, now: Now) -> bool {
        let Some((from, bytes)) = self.waiting.pop() else { return false };
        self.edit(now, from, &bytes);
        self.were_taken(from, 1);
        self.send_owed(now);
        true
    }

    /// All that one operator has given, before it is told of a tree that should have them.
    pub(super) fn take_edits_of(&mut self, now: Now, from: PeerId) {
        for bytes in self.waiting.take_of(from) {
            self.edit(now, from, &bytes);
            self.were_taken(from, 1);
        }
    }

    fn edit(&mut self, now: Now, from: PeerId, bytes: &[u8]) {
        match unpack::<ToRobot>(bytes) {
            Some(ToRobot::Edit(sent)) => self.sent(now, from, sent),
            Some(ToRobot::SendTree) => self.send_again(now, from),
            None => {
                let desk = self.operators.get(&from).map(|operator| std::sync::Arc::clone(&operator.desk));
                self.warn(&format!("an edit of {} cannot be read", desk.as_deref().unwrap_or("somebody")));
                self.send_again(now, from);
            }
        }
    }

    /// Whom edits are held against: the first of their authors who is not in control.
    fn editor(&self, from: PeerId, authors: &[Arc<str>]) -> Editor {
        let key = self.operators.get(&from).and_then(|operator| operator.key);
        let holds = |name: &&Arc<str>| self.control.is_held_by_name(name, key);
        let outsider = authors.iter().find(|name| !holds(name));
        let name = outsider.or(authors.first()).cloned().unwrap_or_else(|| "somebody".into());
        Editor { name, in_control: outsider.is_none() && !authors.is_empty() }
    }

    fn sent(&mut self, now: Now, from: PeerId, sent: Sent) {
        let Some(operator) = self.operators.get(&from) else { return };
        let (desk, known) = (std::sync::Arc::clone(&operator.desk), operator.epochs_from);
        if sent.refusals != operator.refusals {
            // It stands on an edit that was refused, and comes again.
            return;
        }
        if operator.rank < Role::Operator {
            let why = format!("the key of {desk} may only look: the robot takes no edits from it");
            return self.refuse_edit(now, from, sent.number, &why);
        }
        if sent.epoch != self.shared.epoch() {
            // One who was told of the new epoch sends it again in that; another does not know of this tree.
            if !(known..self.shared.epoch()).contains(&sent.epoch) {
                self.send_again(now, from);
            }
            return;
        }
        if sent.number <= self.shared.decided_of(sent.desk) {
            return self.taken(from, sent.number);
        }
        match self.shared.take(&sent) {
            Err(error) => {
                self.refuse_edit(now, from, sent.number, &error.to_string());
                if let Some(new) = self.shared.take_begun() {
                    self.warn(&format!(
                        "a change of {desk} has broken the shared tree: it begins anew as it was before"
                    ));
                    self.begin_epoch(&new);
                }
            }
            Ok(change) => {
                self.tree_version += 1;
                self.edited_ns = Some(now.ns);
                if change.is_new {
                    self.audit_edits(now, from, &change);
                }
                if !change.edits.is_empty() {
                    self.next_batch += 1;
                    let by = Some(self.editor(from, &change.authors));
                    self.requests.push(Request::Edit(EditBatch { id: self.next_batch, edits: change.edits, by }));
                }
                if change.is_new {
                    let news = News::Update { epoch: sent.epoch, update: sent.update.clone() };
                    self.tell_tree(&news, Some(from));
                }
                self.taken(from, sent.number);
                self.saves.append_edit(sent, self.tree_version);
                self.trim(false);
            }
        }
    }

    /// Who changed the tree, by the names that its changes carry.
    fn audit_edits(&mut self, now: Now, from: PeerId, change: &Change) {
        for by in change.authors.iter().map(|name| person_name(name).map_or_else(|| "somebody".into(), Arc::from)) {
            let mut entry = self.entry(now, from, None, (Deed::Edit, change.describe()));
            entry.said = change.said();
            entry.by = by;
            self.audit(entry, "done".to_owned());
        }
    }

    /// Decided; whoever sent it is told when it is on disk.
    fn taken(&mut self, from: PeerId, number: u64) {
        if let Some(operator) = self.operators.get_mut(&from) {
            operator.unkept.push_back((self.tree_version, number));
        }
        self.tell_kept();
    }

    /// Everything up to this version of the tree is on disk.
    pub fn kept(&mut self, tree_version: u64) {
        if tree_version > self.kept_version {
            self.kept_version = tree_version;
            self.tell_kept();
            self.send_trees();
            while let Some((_, pending)) = self.opened.pop_front_if(|(version, _)| *version <= tree_version) {
                self.reply(pending.from, pending.id, pending.entry, Ok(()));
            }
            while let Some((_, news)) = self.new_epochs.pop_front_if(|(version, _)| *version <= tree_version) {
                self.tell_tree(&news, None);
            }
        }
    }

    fn tell_kept(&mut self) {
        let kept_version = self.kept_version;
        let mut news = Vec::new();
        for (to, operator) in &mut self.operators {
            let mut last = None;
            while let Some((_, number)) = operator.unkept.pop_front_if(|(version, _)| *version <= kept_version) {
                last = Some(number);
            }
            news.extend(last.map(|number| (*to, News::Kept { number })));
        }
        news.into_iter().for_each(|(to, news)| self.tell_one(to, &news));
    }

    fn tell_one(&mut self, to: PeerId, news: &News) {
        self.messages.push((to, Message::Document { stream: Stream::Edits, bytes: pack(news) }));
    }

    fn tell_tree(&mut self, news: &News, but: Option<PeerId>) {
        let bytes = pack(news);
        for to in self.operators.keys().filter(|to| Some(**to) != but) {
            self.messages.push((*to, Message::Document { stream: Stream::Edits, bytes: bytes.clone() }));
        }
    }

    fn refuse_edit(&mut self, now: Now, from: PeerId, number: u64, why: &str) {
        let entry = self.entry(now, from, None, (Deed::Edit, "an edit".to_owned()));
        self.audit(entry, format!("refused: {why}"));
        let Some(operator) = self.operators.get_mut(&from) else { return };
        operator.refusals += 1;
        let text = format!("an edit of {} was not taken: {why}", operator.desk);
        self.happened(note(self.time_ns, NoteKind::Warning, &text));
        self.tell_one(from, &News::Refused { number, why: why.to_owned() });
    }

    /// Begins a new epoch when history has grown: joining, disk and memory follow the tree, not what was done to it.
    pub(super) fn trim(&mut self, quiet: bool) {
        if !self.shared.is_long(quiet) {
            return;
        }
        match self.shared.next_epoch() {
            Ok(new) => self.begin_epoch(&new),
            Err(error) => self.warn(&format!("the history of the tree cannot begin anew: {error}")),
        }
    }

    fn begin_epoch(&mut self, new: &NewEpoch) {
        let news = News::Epoch { epoch: new.epoch, holds: new.holds.to_bytes(), check: new.check };
        self.tree_changed = true;
        self.keep_tree();
        // Told now, operators would give up edits that are in it and not on disk.
        self.new_epochs.push_back((self.tree_version, news));
    }

    /// Nobody has edited for a while.
    pub(super) fn trim_when_quiet(&mut self, now: Now) {
        if self.edited_ns.is_some_and(|at_ns| now.ns.saturating_sub(at_ns) > QUIET_NS) {
            self.edited_ns = None;
            self.trim(true);
        }
    }

    /// The whole tree, for somebody who has another one.
    fn send_again(&mut self, now: Now, from: PeerId) {
        let Some(operator) = self.operators.get(&from) else { return };
        if operator.snapshot_ns.is_none_or(|at_ns| now.ns.saturating_sub(at_ns) >= AGAIN_NS) {
            self.send_tree(now, from);
        }
    }

    pub(super) fn offered(&mut self, from: PeerId, bytes: &[u8]) {
        let Some(operator) = self.operators.get_mut(&from) else { return };
        if operator.rank >= Role::Operator
            && let Some(whole) = operator.offering.take(bytes)
        {
            operator.offered = Update::from_bytes(&whole);
        }
    }

    /// Lets the engine build it.
    pub(super) fn begin_open(&mut self, (shared, world): (Shared, Option<Arc<str>>), pending: Pending) {
        self.next_batch += 1;
        self.requests.push(open_request(self.next_batch, &shared, world));
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
            self.new_epochs.clear();
            self.tree_changed = true;
            self.keep_tree();
            self.forget_variables();
            let everybody: Vec<PeerId> = self.operators.keys().copied().collect();
            for to in everybody {
                self.send_overview(to);
                self.send_tree(now, to);
            }
        }
        match result {
            // A robot that is killed now comes back with the one before.
            Ok(()) if self.kept_version < self.tree_version => self.opened.push_back((self.tree_version, pending)),
            result => self.reply(pending.from, pending.id, pending.entry, result),
        }
    }

    /// The engine's tree is not ours: it never should be so. Ours counts; the robot stops and gets it.
    pub(super) fn batch_refused(&mut self, why: &str) {
        if std::mem::replace(&mut self.resync, true) {
            return;
        }
        self.give_engine(Control::Stop, ControlFact::TreeAnew { why: why.to_owned() });
    }

    pub(super) fn resync(&mut self) {
        if self.resync && self.opening.is_none() && self.state.as_ref().is_some_and(|state| state.at_rest) {
            self.resync = false;
            self.next_batch += 1;
            self.requests.push(open_request(self.next_batch, &self.shared, None));
        }
    }

    pub(super) fn keep_tree(&mut self) {
        if !std::mem::take(&mut self.tree_changed) {
            return;
        }
        self.tree_version += 1;
        match self.shared.kept() {
            Ok(update) => self.saves.replace_tree(update, self.tree_version),
            Err(error) => {
                let text = format!("the tree cannot be kept on disk: {error}");
                self.happened(note(self.time_ns, NoteKind::Warning, &text));
            }
        }
    }

    /// What operators had set before a restart. A pause is none: nothing runs, and a press should not find one.
    pub(super) fn restore(&mut self, marks: Marks) {
        for what in marks.controls() {
            self.next_command += 1;
            self.requests.push(Request::Command { command: Command { id: self.next_command, what }, stops: u64::MAX });
        }
    }
}
