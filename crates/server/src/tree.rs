//! The tree between this process and the robot: what the robot tells of it, and edits until the robot has them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use link::{Message, Stream};
use protocol::Role;
use protocol::api::{Failure, FailureCode, Push};
use protocol::talk::{News, Sent, ToRobot, Whole, pack};
use replica::{NewEpoch, Unsent, Version};

use crate::load::Gathered;
use crate::operator::{Operator, failure};
use crate::session::SessionId;
use crate::shared::{Arrived, Shared, SharedError};

/// The file of unsent edits is written anew when it has so many lines that are none any more.
const MOST_DEAD_LINES: usize = 1_000;

/// What comes before the tree it belongs to; beyond it, the tree is asked for once more.
const MOST_EARLY: usize = 20_000;

impl Operator {
    /// Without a tree that the robot shares, or with a key that may only look, there is nothing to edit.
    pub(crate) fn may_edit(&self) -> Result<(), Failure> {
        if !self.setup.has_link {
            return Ok(());
        }
        if let Some(text) = self.look_only() {
            return Err(failure(FailureCode::NotAllowed, text));
        }
        if self.shared.epoch() == 0 {
            let text = match self.arriving.progress() {
                None => "the robot's behavior has not arrived yet: wait for the link".to_owned(),
                Some((here, total)) => {
                    format!("the robot's behavior is on its way, {here} of {total} bytes: wait until it is here")
                }
            };
            return Err(failure(FailureCode::NoRobot, text));
        }
        self.same_version()?;
        self.robot_keeps_up()
    }

    /// The robot takes no edits from here, and why.
    pub(crate) fn look_only(&self) -> Option<String> {
        let overview = self.overview.as_ref().filter(|overview| overview.role < Role::Operator)?;
        Some(format!(
            "{} takes no edits and no commands from here: the key of this operator process has the rank of an observer; \
             give it the rank `operator` in the robot's key file",
            overview.name
        ))
    }

    pub(crate) fn news_came(&mut self, news: News) {
        // An edit overtakes a whole tree on its way: it waits for the tree that it belongs to.
        let early = match &news {
            News::Kept { .. } => false,
            News::Refused { .. } => !self.tree_is_here,
            News::Update { epoch, .. } => !self.tree_is_here || *epoch > self.shared.epoch(),
            News::Epoch { epoch, .. } => !self.tree_is_here || *epoch > self.shared.epoch() + 1,
        };
        if early {
            self.early.push(news);
            if self.early.len() > MOST_EARLY {
                self.early.clear();
                self.ask_for_tree();
            }
            return;
        }
        match news {
            News::Update { epoch, update } => {
                if epoch != self.shared.epoch() {
                    // Of before; it is in the tree.
                    return;
                }
                match self.shared.merge(&update) {
                    Ok(arrived) => self.arrived(arrived),
                    Err(error) => self.lost_track(&format!("a change of others could not be taken over: {error}")),
                }
            }
            News::Kept { number } => self.kept(number),
            News::Refused { number, why } => self.refused(number, &why),
            News::Epoch { epoch, holds, check } => {
                let Ok(holds) = Version::from_bytes(&holds) else { return };
                if holds.epoch != self.shared.epoch() {
                    return;
                }
                match self.shared.advance(&NewEpoch { epoch, holds, check }) {
                    Ok(arrived) => {
                        self.arrived(arrived);
                        self.send_unsent();
                    }
                    Err(_) => self.ask_for_tree(),
                }
            }
        }
    }

    fn lost_track(&mut self, text: &str) {
        self.notice(text.to_owned(), None);
        self.ask_for_tree();
    }

    /// What is here is not what the robot has; until it comes, edits wait.
    fn ask_for_tree(&mut self) {
        self.tree_is_here = false;
        self.offer(Message::Document { stream: Stream::Edits, bytes: pack(&ToRobot::SendTree) });
    }

    fn arrived(&mut self, arrived: Arrived) {
        if !arrived.edits.is_empty() {
            self.version += 1;
            self.note_robot_has();
            let by = arrived.by.last().map(ToString::to_string).unwrap_or_default();
            match &mut self.gathers {
                Some(gathered) => {
                    gathered.edits.extend(arrived.edits);
                    gathered.by = by;
                }
                None => self.tell_arrived(&Gathered { edits: arrived.edits, by }),
            }
        }
        for (text, node) in arrived.notices {
            self.notice(text, node);
        }
    }

    /// Nothing was done here that it does not have: what came from the robot it has.
    fn note_robot_has(&mut self) {
        if self.unacknowledged.is_empty() {
            self.robot_has = self.version;
        }
    }

    /// The edit that was made last, to disk and to the robot.
    pub(crate) fn send_newest(&mut self) {
        let Some(newest) = self.shared.unsent().last() else { return };
        let newest = newest.clone();
        let kept = self.setup.outbox.add(&newest);
        self.stored_lines += 1;
        self.tell_failed(kept);
        self.unacknowledged.push_back((self.version, newest.number));
        if self.tree_is_here {
            self.send_edit(newest);
        }
    }

    fn send_edit(&mut self, Unsent { number, epoch, update, .. }: Unsent) {
        let sent = Sent { desk: self.setup.outbox.desk(), number, refusals: self.refusals, epoch, update };
        self.offer(Message::Document { stream: Stream::Edits, bytes: pack(&ToRobot::Edit(sent)) });
    }

    /// Everything that the robot does not have, again: after a cut, in a new epoch, behind an edit that was refused.
    fn send_unsent(&mut self) {
        let unsent = self.shared.unsent().to_vec();
        let kept = self.setup.outbox.replace(&unsent);
        self.stored_lines = unsent.len();
        self.tell_failed(kept);
        // Each keeps its version: with the newest one, the first that is kept would acknowledge all.
        let before: BTreeMap<u64, u32> =
            self.unacknowledged.iter().map(|(version, number)| (*number, *version)).collect();
        let version_of = |number: u64| before.get(&number).copied().unwrap_or(self.version);
        self.unacknowledged = unsent.iter().map(|unsent| (version_of(unsent.number), unsent.number)).collect();
        self.note_robot_has();
        if self.tree_is_here {
            unsent.into_iter().for_each(|unsent| self.send_edit(unsent));
        }
        self.everyone(|due| due.delivery = true);
    }

    fn tell_failed(&mut self, kept: std::io::Result<()>) {
        if let Err(error) = kept {
            let text = format!("edits that the robot does not have yet cannot be kept on disk here: {error}");
            self.notice(text, None);
        }
    }

    /// Applied and on disk at the robot.
    fn kept(&mut self, number: u64) {
        self.shared.settle(number);
        while let Some((version, _)) = self.unacknowledged.pop_front_if(|(_, each)| *each <= number) {
            let next = self.unacknowledged.front().map_or(u32::MAX, |(version, _)| *version);
            self.robot_has = version.min(next - 1).max(self.robot_has);
        }
        self.note_robot_has();
        let unsent = self.shared.unsent();
        if unsent.is_empty() && self.stored_lines > 0 || self.stored_lines > unsent.len() + MOST_DEAD_LINES {
            let kept = self.setup.outbox.replace(unsent);
            self.stored_lines = self.shared.unsent().len();
            self.tell_failed(kept);
        }
        self.everyone(|due| due.delivery = true);
    }

    /// The robot has not taken an edit: it is taken back here, and whoever made it is told why.
    fn refused(&mut self, number: u64, why: &str) {
        self.refusals += 1;
        match self.shared.take_back(number) {
            Ok((arrived, of)) => {
                if let Some((who, label)) = of {
                    let label = if label.is_empty() { "edit".to_owned() } else { format!("`{label}`") };
                    self.audit(format!("the robot did not take an edit of {who}, {label}: {why}"));
                    let text = format!("the robot did not take your {label}, which is taken back: {why}");
                    self.notice_to(&who, &text);
                }
                self.arrived(arrived);
                self.send_unsent();
            }
            Err(error) => self.lost_track(&format!("an edit that the robot did not take ({why}) stays here: {error}")),
        }
    }

    fn notice_to(&mut self, who: &str, text: &str) {
        let named = |person: &Option<(String, Role)>| person.as_ref().is_some_and(|(name, _)| name == who);
        let sessions = self.sessions.iter().filter(|(_, session)| session.is_here() && named(&session.person));
        let sessions: Vec<SessionId> = sessions.map(|(id, _)| *id).collect();
        if sessions.is_empty() {
            self.untold.keep(Some(who), (text.to_owned(), None));
        }
        for session in sessions {
            self.push(session, &Push::Notice { text: text.to_owned(), node: None });
        }
    }

    pub(crate) fn whole_came(&mut self, whole: &Whole) {
        match self.take_whole(whole) {
            Ok(()) => self.compare_beside(),
            Err(error) => self.notice(format!("the robot's behavior could not be taken over: {error}"), None),
        }
        for news in std::mem::take(&mut self.early) {
            self.news_came(news);
        }
    }

    fn take_whole(&mut self, whole: &Whole) -> Result<(), SharedError> {
        let peer = self.setup.peer.clone();
        let known = self.shared.document().library();
        let theirs = Shared::from_whole(whole, Arc::clone(&self.setup.registry), peer, known)?;
        let (ours, epoch) = (self.shared.epoch(), theirs.epoch());
        // What this process opens is as it was loaded, whatever was edited before.
        let opens = self.opening.as_ref().is_some_and(|opening| opening.shared.epoch() == epoch);
        let same_file = self.file() == theirs.document().library().main().file && !opens;
        let was_here = std::mem::replace(&mut self.tree_is_here, true);
        let same = same_file && (epoch > ours || whole.origin == self.shared.origin());
        if ours == 0 || !same {
            let unsent = self.shared.unsent().to_vec();
            self.leave_behind(&unsent);
            self.adopt(theirs, Vec::new());
            self.adopt_saved();
            self.look_at_all();
            return self.do_stored(whole);
        }
        let decided = whole.decided_of(self.setup.outbox.desk());
        self.shared.settle(decided);
        let arrived = if epoch > ours {
            self.shared.rebase(whole)?
        } else if was_here && epoch < ours {
            // It was overtaken by what is newer.
            return Ok(());
        } else if epoch == ours && (was_here || self.shared.is_all_at(&Version::from_bytes(&whole.version)?)) {
            self.merge_whole(whole)?
        } else {
            // The robot was killed before it had on disk what it had told.
            self.shared.go_back(whole)?
        };
        self.arrived(arrived);
        self.send_unsent();
        Ok(())
    }

    fn merge_whole(&mut self, whole: &Whole) -> Result<Arrived, SharedError> {
        if whole.updates.is_empty() { Ok(Arrived::default()) } else { self.shared.merge(&whole.updates) }
    }

    /// Edits of a process before this one that could not be sent.
    fn do_stored(&mut self, whole: &Whole) -> Result<(), SharedError> {
        let decided = whole.decided_of(self.setup.outbox.desk());
        let stored = std::mem::take(&mut self.stored);
        let last = stored.iter().map(|unsent| unsent.number).fold(decided, u64::max);
        self.shared.number_from(last);
        let (open, of_others): (Vec<Unsent>, Vec<Unsent>) = stored
            .into_iter()
            .filter(|unsent| unsent.number > decided)
            .partition(|unsent| unsent.epoch >= whole.origin);
        self.leave_behind(&of_others);
        if !open.is_empty() {
            let people: BTreeSet<&str> = open.iter().map(|unsent| &*unsent.who).collect();
            let people = people.into_iter().collect::<Vec<&str>>().join(", ");
            let text = format!("{} edits of {people} that the robot never got are sent now", open.len());
            self.notice(text, None);
            let arrived = self.shared.redo_unsent(open)?;
            // Before anybody is told of a version that has them: the robot has none of them.
            let version = self.version + 1;
            self.unacknowledged = self.shared.unsent().iter().map(|unsent| (version, unsent.number)).collect();
            self.arrived(arrived);
        }
        self.send_unsent();
        Ok(())
    }

    /// The robot has another behavior open: edits of the one before have no place.
    fn leave_behind(&mut self, unsent: &[Unsent]) {
        if unsent.is_empty() {
            return;
        }
        let aside = self.setup.outbox.put_aside(unsent).unwrap_or_else(|error| format!("they are gone: {error}"));
        let text = format!("the robot has another behavior open; {} edits it never got: {aside}", unsent.len());
        self.notice(text, None);
    }

    fn file(&self) -> Arc<str> {
        self.shared.document().library().main().file.clone()
    }
}
