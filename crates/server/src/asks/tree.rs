//! The tree as clients have it: all of it, and what changes.

use protocol::api::{Answer, DocumentView, Failure, Operation, Place, Push};

use crate::operator::Operator;
use crate::session::SessionId;
use crate::shared::Deed;

impl Operator {
    /// With a place, where it names none.
    pub(super) fn placed(&mut self, operation: Operation) -> Result<Operation, Failure> {
        Ok(match operation {
            Operation::Insert { tree, place: None, then, capabilities, from } => {
                let (parent, index) = self.insert_place(capabilities.as_deref(), from.as_deref())?;
                let place = Some(Place { parent, index });
                Operation::Insert { tree, place, then, capabilities, from }
            }
            other => other,
        })
    }

    pub(crate) fn document_view(&self, name: &str) -> DocumentView {
        let (undo, redo) = self.shared.labels(name);
        let nodes = self.view.all(self.shared.document());
        DocumentView { version: self.version, files: self.view.files.clone(), nodes, undo, redo }
    }

    pub(super) fn took_back(&mut self, name: &str, deed: Deed) -> Answer {
        for text in &deed.kept {
            self.notice(text.clone(), None);
        }
        if deed.edits.is_empty() {
            // Nothing was left to take back; the step is off the list all the same.
            self.tell_changed(name, "", &crate::view::Difference::default(), Some(name));
        }
        self.did(name, deed);
        Answer::Edited { created: Vec::new(), version: self.version }
    }

    /// Something was done here: the robot and the others are told.
    pub(crate) fn did(&mut self, name: &str, deed: Deed) {
        if deed.edits.is_empty() {
            return;
        }
        self.version += 1;
        if self.setup.has_link {
            self.send_newest();
        } else {
            self.shared.settle(u64::MAX);
            self.robot_has = self.version;
        }
        let difference = self.follow(&deed.edits);
        self.tell_changed(name, &deed.label, &difference, None);
    }

    /// `only`: those of this name, where the others see nothing new.
    pub(crate) fn tell_changed(
        &mut self,
        by: &str,
        what: &str,
        difference: &crate::view::Difference,
        only: Option<&str>,
    ) {
        let sessions: Vec<SessionId> = self.sessions.keys().copied().collect();
        for id in sessions {
            let Some(session) = self.sessions.get_mut(&id) else { continue };
            let Some((name, _)) = session.person.clone().filter(|_| !session.bulk) else { continue };
            if only.is_some_and(|only| only != name) {
                continue;
            }
            session.due.delivery = true;
            if session.due.document || !session.has_room() {
                session.due.document = true;
                continue;
            }
            let (undo, redo) = self.shared.labels(&name);
            let push = Push::Changed {
                version: self.version,
                by: by.to_owned(),
                what: what.to_owned(),
                files: difference.files.clone(),
                nodes: difference.nodes.clone(),
                removed: difference.removed.clone(),
                children: difference.children.clone(),
                undo,
                redo,
            };
            self.push(id, &push);
        }
    }
}
