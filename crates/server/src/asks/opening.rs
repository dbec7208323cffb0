//! Another behavior onto the robot.

use std::collections::BTreeMap;
use std::sync::Arc;

use link::{Message, Stream};
use model::file::{inside, load};
use model::{Beside, Library};
use protocol::Role;
use protocol::api::{Answer, Failure, FailureCode};
use protocol::talk::pieces;

use super::Reaction;
use crate::commands::{Opening, Waiting};
use crate::operator::{Now, Operator, Tag, failure};
use crate::reading::Reading;
use crate::session::SessionId;
use crate::shared::Shared;
use crate::workshop::Workshop;

/// A whole tree takes its time on a narrow line.
const OPENING_NS: u64 = 180_000_000_000;

impl Operator {
    pub(super) fn open(
        &mut self,
        now: Now,
        asked: (SessionId, u32),
        who: (&str, Role),
        to: Leaving,
    ) -> Result<Reaction, Failure> {
        let file = inside(&to.file).map_err(|text| failure(FailureCode::Refused, text))?;
        self.may_leave(to.discard)?;
        let reading = Reading::of(&*self.setup.store);
        let loaded = load(&file, &reading, self.setup.registry.catalogue());
        let loaded = loaded.map_err(|problem| failure(FailureCode::Refused, problem.to_string()))?;
        let texts = reading.texts();
        self.load(now, asked, who, Read { library: loaded.library, texts, world: to.world })
    }

    pub(super) fn create(
        &mut self,
        now: Now,
        asked: (SessionId, u32),
        who: (&str, Role),
        to: Leaving,
    ) -> Result<Reaction, Failure> {
        let file = inside(&to.file).map_err(|text| failure(FailureCode::Refused, text))?;
        if self.setup.store.exists(&file) {
            return Err(failure(
                FailureCode::Refused,
                format!("{file} is there already: open it, or take another name"),
            ));
        }
        self.may_leave(to.discard)?;
        self.load(now, asked, who, Read { library: crate::empty(&file), texts: BTreeMap::new(), world: to.world })
    }

    pub(super) fn may_leave(&self, discard: bool) -> Result<(), Failure> {
        let unsaved: Vec<&str> =
            self.view.files.iter().filter(|file| file.unsaved).map(|file| file.file.as_str()).collect();
        // What was there before anybody did anything is nobody's work.
        if discard || unsaved.is_empty() || !self.shared.is_touched() {
            return Ok(());
        }
        let text = format!("{} has changes that are not saved: save, or open with `discard`", unsaved.join(", "));
        Err(failure(FailureCode::Refused, text))
    }

    /// Onto the robot: first the whole behavior, then the order to open it.
    pub(super) fn load(
        &mut self,
        now: Now,
        (session, request): (SessionId, u32),
        (name, role): (&str, Role),
        Read { library, mut texts, world }: Read,
    ) -> Result<Reaction, Failure> {
        let epoch = (self.shared.epoch() + 1).max(now.wall_ms / 1000);
        let saved = library.iter().map(|(_, tree)| (tree.file.to_string(), texts.remove(&*tree.file)));
        let saved: Vec<(String, Option<String>)> = saved.collect();
        let shared = Shared::new(library, Arc::clone(&self.setup.registry), self.setup.peer.clone(), epoch)?;
        if !self.setup.has_link && world.is_none() {
            self.adopt(shared, saved);
            return Ok(Reaction::Now(Answer::Done));
        }
        self.has_robot()?;
        if self.opening.is_some() {
            return Err(failure(FailureCode::Refused, "another behavior is on its way to the robot: wait for it"));
        }
        let beside = Beside::gather(shared.document().library(), &*self.setup.store)
            .map_err(|problem| failure(FailureCode::Refused, problem.to_string()))?;
        let update = protocol::talk::Update { epoch, bytes: shared.whole()?.pack_with(&beside) };
        let mut tag = Tag(0);
        for bytes in pieces(&update.to_bytes()) {
            tag = self.offer(Message::Document { stream: Stream::Snapshot, bytes });
        }
        let waiting = Waiting { session, request, until_ns: now.ns.saturating_add(OPENING_NS) };
        let by = (name.into(), role);
        let window = self.sessions.get(&session).map_or(0, |session| session.number);
        let world = world.map(|world| world.as_str().into());
        self.opening = Some(Opening { tag, number: None, ordered: false, by, window, shared, saved, world, waiting });
        Ok(Reaction::Later)
    }

    pub(super) fn workshop(&self) -> Result<Workshop, Failure> {
        self.setup.workshop.clone().ok_or_else(|| {
            let text = "the URDF of this robot is none of a demo here: start `coact demo --robot FILE.urdf` to look at what is guessed";
            failure(FailureCode::Refused, text)
        })
    }

    /// With another robot: nothing that runs or is not saved may be lost by it.
    pub(super) fn may_begin_anew(&self, session: u64) -> Result<(), Failure> {
        self.may_leave(false)?;
        if self.run.is_active() {
            return Err(failure(FailureCode::Refused, "the robot has not stopped: stop it first"));
        }
        let others = self.run.in_control().is_some_and(|holder| holder.session != session);
        if others {
            let text = "somebody else has run control: ask for it before the robot is taken from them";
            return Err(failure(FailureCode::NotAllowed, text));
        }
        Ok(())
    }

    /// The tree is another one now; `saved` are the texts that it was loaded from, file by file.
    pub(crate) fn adopt(&mut self, shared: Shared, saved: Vec<(String, Option<String>)>) {
        let last_number = self.shared.last_number();
        self.shared = shared;
        self.shared.number_from(last_number);
        for (file, text) in saved {
            self.shared.set_loaded(&file, text.as_deref());
        }
        self.version += 1;
        self.unacknowledged.clear();
        self.robot_has = self.version;
        self.use_templates();
        self.look_at_all();
        self.everyone(|due| {
            due.document = true;
            due.delivery = true;
            due.run = true;
        });
    }
}

/// To another behavior.
pub(super) struct Leaving {
    pub file: String,
    pub discard: bool,
    pub world: Option<String>,
}

/// A behavior with the texts of its files as they were read, and the world that it is to run in.
pub(super) struct Read {
    library: Library,
    texts: BTreeMap<String, String>,
    world: Option<String>,
}
