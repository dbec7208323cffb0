//! The shared tree: changes of operators, another behavior, and the engine that follows.

use engine::{Command, Control, EditBatch};
use link::udp::PeerId;
use link::{Message, Stream};
use protocol::Role;
use protocol::talk::{News, NoteKind, Sent, ToRobot, Update, pack, unpack};

use super::{Desk, Pending};
use crate::audit::Now;
use crate::runner::{Request, note};
use crate::seen::Marks;
use crate::shared::Shared;

/// Batches are numbered from here: commands count up from 1.
pub(super) const FIRST_BATCH: u64 = 1 << 63;

/// Nobody edits when nobody has for so long.
const QUIET_NS: u64 = 1_000_000_000;

/// Somebody whose edits do not fit gets the whole tree at most this often.
const AGAIN_NS: u64 = 1_000_000_000;

impl Desk {
    pub(super) fn edit(&mut self, now: Now, from: PeerId, bytes: &[u8]) {
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

    fn sent(&mut self, now: Now, from: PeerId, sent: Sent) {
        let Some(operator) = self.operators.get(&from) else { return };
        let (desk, known) = (std::sync::Arc::clone(&operator.desk), operator.epochs_from);
        if sent.refusals != operator.refusals {
            // It stands on an edit that was refused, and comes again.
            return;
        }
        if operator.rank < Role::Operator {
            let why = format!("the key of {desk} may only look: the robot takes no edits from it");
            return self.refuse_edit(from, sent.number, &why);
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
            Err(error) => self.refuse_edit(from, sent.number, &error.to_string()),
            Ok(change) => {
                self.tree_version += 1;
                self.edited_ns = Some(now.ns);
                if !change.edits.is_empty() {
                    self.next_batch += 1;
                    self.requests.push(Request::Edit(EditBatch { id: self.next_batch, edits: change.edits }));
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

    fn refuse_edit(&mut self, from: PeerId, number: u64, why: &str) {
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
            Ok(new) => {
                let news = News::Epoch { epoch: new.epoch, holds: new.holds.to_bytes(), check: new.check };
                self.tell_tree(&news, None);
                self.tree_changed = true;
                self.keep_tree();
            }
            Err(error) => self.warn(&format!("the history of the tree cannot begin anew: {error}")),
        }
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
        let Some(operator) = self.operators.get_mut(&from) else { return };
        if operator.snapshot_ns.is_none_or(|at_ns| now.ns.saturating_sub(at_ns) >= AGAIN_NS) {
            operator.snapshot_ns = Some(now.ns);
            self.send_tree(from);
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
            self.keep_tree();
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

    pub(super) fn keep_tree(&mut self) {
        if !std::mem::take(&mut self.tree_changed) {
            return;
        }
        self.tree_version += 1;
        match self.shared.whole() {
            Ok(update) => self.saves.replace_tree(update, self.tree_version),
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
