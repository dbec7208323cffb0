//! What clients ask, verb by verb.

use std::collections::BTreeMap;
use std::sync::Arc;

use link::{Message, Quality, Stream};
use model::file::{inside, load};
use model::{Beside, Library, common_fields, common_schema};
use protocol::Role;
use protocol::api::{Answer, Ask, DocumentView, Failure, FailureCode, Push, Request};
use protocol::talk::{Demand, Heir, Looks, Presence, Want, pieces};
use serde_json::{Value as Json, json};

use crate::clip;
use crate::commands::{Opening, Waiting};
use crate::edit::Around;
use crate::hello::Hello;
use crate::operator::{Effect, Now, Operator, Tag, failure};
use crate::people::may;
use crate::reading::Reading;
use crate::session::{Session, SessionId};
use crate::shared::{Deed, Shared, SharedError};
use crate::work::{Listing, What, Work, Worked};
use crate::workshop::{RobotWork, Workshop};

/// Before a hello nobody needs more.
const MOST_BEFORE_HELLO: usize = 64 << 10;
pub const MOST_MESSAGE: usize = 1 << 20;
/// Sockets whose hello has not come yet; those who open them let the oldest go before.
const MOST_UNKNOWN: usize = 512;

const VALID_S: f64 = 2.0;
/// A picture is no hurry.
const LOOK_VALID_S: f64 = 10.0;
const LONGEST_VALID_S: f64 = 60.0;
/// Who pressed stop may be told this late.
const PRESSED_VALID_NS: u64 = 30_000_000_000;
/// A whole tree takes its time on a narrow line.
const OPENING_NS: u64 = 180_000_000_000;

/// What a verb came to: its answer, or that one comes later.
#[expect(clippy::large_enum_variant, reason = "one at a time, never kept")]
enum Reaction {
    Now(Answer),
    Later,
}

impl From<SharedError> for Failure {
    fn from(error: SharedError) -> Failure {
        failure(FailureCode::Refused, error.to_string())
    }
}

impl Operator {
    /// Somebody has connected. None: there are too many.
    pub fn join(&mut self, now: Now, loopback: bool, bulk: bool) -> Option<SessionId> {
        if self.sessions.values().filter(|session| session.person.is_none()).count() >= MOST_UNKNOWN {
            return None;
        }
        self.last_session += 1;
        let id = SessionId(self.last_session);
        self.sessions.insert(id, Session::new(loopback, bulk, now.ns));
        Some(id)
    }

    pub fn leave(&mut self, id: SessionId) {
        self.end_preview(id);
        let Some(session) = self.sessions.remove(&id) else { return };
        if session.bulk {
            self.watch_bulk();
        }
        if let Some((name, role)) = session.person.filter(|_| !session.bulk) {
            self.audit(format!("{name} left"));
            let team_role = session.team_role;
            let gone = Presence { name: name.into(), role, team_role, session: session.number, at: None };
            self.tell_presence(session.presence_key, &gone);
            self.everyone(|due| due.people = true);
        }
    }

    /// A message of a client, as text.
    pub fn text(&mut self, now: Now, from: SessionId, text: &str) {
        let Some(session) = self.sessions.get_mut(&from) else { return };
        let most = if session.person.is_some() { MOST_MESSAGE } else { MOST_BEFORE_HELLO };
        if text.len() > most {
            self.close(from, "the message is too large");
            return;
        }
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                let id = serde_json::from_str::<Numbered>(text).map_or(0, |numbered| numbered.id);
                self.reply(from, id, Err(failure(FailureCode::BadRequest, format!("not understood: {error}"))));
                return;
            }
        };
        let order = matches!(request.ask, Ask::Stop | Ask::Run { .. } | Ask::TakeControl | Ask::GiveControl { .. });
        let may_ask = self.sessions.get_mut(&from).is_some_and(|session| session.may_ask(now.ns, order));
        // However much somebody has asked before.
        if !may_ask && request.ask != Ask::Stop {
            self.reply(from, request.id, Err(failure(FailureCode::TooMany, "too many requests: ask less often")));
            return;
        }
        match self.react(now, from, request) {
            Ok(()) => {}
            Err((id, failure)) => self.reply(from, id, Err(failure)),
        }
        if self.sessions.get_mut(&from).is_some_and(|session| std::mem::take(&mut session.wrong_token)) {
            self.effects.push(Effect::WrongToken(from));
        }
        self.flush_all(now);
    }

    fn react(&mut self, now: Now, from: SessionId, Request { id, ask }: Request) -> Result<(), (u32, Failure)> {
        let with_id = |failure| (id, failure);
        if let Ask::Hello { version, token, name, team_role, session } = ask {
            let answer = self.hello(from, Hello { version, token, name, team_role, session }).map_err(with_id)?;
            self.reply(from, id, Ok(answer));
            return Ok(());
        }
        let Some((name, role)) = self.role_of(from) else {
            return Err((id, failure(FailureCode::NotAllowed, "say hello first")));
        };
        may(role, &ask).map_err(with_id)?;
        match self.verb(now, (from, id), (&name, role), ask).map_err(with_id)? {
            Reaction::Now(answer) => self.reply(from, id, Ok(answer)),
            Reaction::Later => {}
        }
        Ok(())
    }

    fn verb(
        &mut self,
        now: Now,
        (from, id): (SessionId, u32),
        (name, role): (&str, Role),
        ask: Ask,
    ) -> Result<Reaction, Failure> {
        let (session, team_role) =
            self.sessions.get(&from).map_or((0, None), |session| (session.number, session.team_role.clone()));
        let order = |what| Demand { by: name.into(), role, team_role: team_role.clone(), session, what };
        Ok(Reaction::Now(match ask {
            Ask::Hello { .. } => return Ok(Reaction::Later),
            Ask::Ack => {
                self.took(now, from);
                return Ok(Reaction::Later);
            }
            Ask::Files => {
                let (lister, folders) = (self.setup.store.lister(), self.setup.store.folder_lister());
                self.effects.push(Effect::List(Listing { session: from, request: id, lister, folders }));
                return Ok(Reaction::Later);
            }
            Ask::Open { file, discard, world } => {
                return self.open(now, (from, id), (name, role), Leaving { file, discard, world });
            }
            Ask::New { file, discard, world } => {
                return self.create(now, (from, id), (name, role), Leaving { file, discard, world });
            }
            Ask::Save { files, overwrite } => self.save(name, files, overwrite)?,
            Ask::SaveAs { file } => self.save_as(name, &file)?,
            Ask::RenameFile { file, to, anyway } => self.rename_file(name, (&file, &to), anyway)?,
            Ask::DeleteFile { file, anyway } => self.delete_file(name, &file, anyway)?,
            Ask::NewFolder { folder } => self.new_folder(name, &folder)?,
            Ask::Copy { nodes } => {
                Answer::Copied { text: clip::text(self.shared.document(), &nodes).map_err(SharedError::from)? }
            }
            Ask::Document => Answer::Document(self.document_view(name)),
            Ask::Edit { operation } => {
                self.may_edit()?;
                let body = self.robot.as_ref().map(|robot| robot.body().clone());
                let when_s = (now.wall_ms / 1000) as i64;
                let around = Around { body: body.as_ref(), files: &*self.setup.store };
                let deed =
                    self.shared.act((name, when_s), |document| crate::edit::apply(document, operation, &around))?;
                let created = document::created(&deed.edits);
                self.note_brought(&deed.edits);
                self.did(name, deed);
                Answer::Edited { created, version: self.version }
            }
            Ask::Undo => {
                self.may_edit()?;
                let undone = self.shared.undo(name, (now.wall_ms / 1000) as i64)?;
                self.took_back(name, undone)
            }
            Ask::Redo => {
                self.may_edit()?;
                let redone = self.shared.redo(name, (now.wall_ms / 1000) as i64)?;
                self.took_back(name, redone)
            }
            Ask::Check => {
                self.check(from, id);
                return Ok(Reaction::Later);
            }
            Ask::History { most } => Answer::History { entries: self.shared.history(most.min(10_000) as usize) },
            Ask::NodeTypes => self.node_types(),
            Ask::Evaluate { node, text } => self.evaluate(node, &text),
            Ask::Robot => match &self.robot {
                Some(robot) => Answer::Robot(robot.view()),
                None => return Err(failure(FailureCode::NoRobot, "nothing is known of the robot yet")),
            },
            Ask::RobotGuess { corrections } => {
                let workshop = self.workshop()?;
                let work = RobotWork::Guess(corrections.unwrap_or_else(|| workshop.said()));
                self.give_work((from, id), What::Robot { workshop, work });
                return Ok(Reaction::Later);
            }
            Ask::WriteRobot { corrections, file, overwrite } => {
                let workshop = self.workshop()?;
                self.audit(format!("{name} writes the robot to {file}"));
                let work = RobotWork::Write { corrections, file, overwrite };
                self.give_work((from, id), What::Robot { workshop, work });
                return Ok(Reaction::Later);
            }
            Ask::UseRobot { file } => {
                let (_, path) = self.workshop()?.place(Some(&file))?;
                self.may_begin_anew(session)?;
                self.audit(format!("{name} begins anew with the robot of {file}"));
                self.give_work((from, id), What::UseRobot { path });
                return Ok(Reaction::Later);
            }
            // Whoever believes to be in a preview must not move the robot, and the other way round.
            Ask::Run { .. } if self.is_previewing(from) => {
                let text = "this window is in a preview, which the robot does not follow: end the preview first";
                return Err(failure(FailureCode::Refused, text));
            }
            Ask::Run { control, valid_for_s } => {
                let valid_s = valid_for_s.unwrap_or(VALID_S);
                if !(valid_s > 0.0 && valid_s <= LONGEST_VALID_S) {
                    let text = format!("valid_for_s must be above 0 and up to {LONGEST_VALID_S} s");
                    return Err(failure(FailureCode::BadRequest, text));
                }
                self.order(now, (from, id), order(Want::Run(control)), valid_s)?;
                return Ok(Reaction::Later);
            }
            Ask::Stop => {
                self.stop(now, (from, id), &order(Want::PressedStop));
                return Ok(Reaction::Later);
            }
            Ask::TakeControl => {
                self.order(now, (from, id), order(Want::TakeControl), VALID_S)?;
                return Ok(Reaction::Later);
            }
            Ask::ResetWorld { world } => {
                let world = world.map(|world| world.as_str().into());
                self.order(now, (from, id), order(Want::ResetWorld(world)), VALID_S)?;
                return Ok(Reaction::Later);
            }
            Ask::GiveControl { to, session } => {
                let to = to.map(|name| heir(&name, session.as_deref())).transpose()?;
                self.order(now, (from, id), order(Want::GiveControl(to)), VALID_S)?;
                return Ok(Reaction::Later);
            }
            Ask::Watch { topics } => {
                self.can_watch(&topics)?;
                self.watch(from, topics);
                Answer::Done
            }
            Ask::Look { what, camera, region } => {
                let look = self.look_for(from, what, camera, region)?;
                self.order(now, (from, id), order(Want::Look(look)), LOOK_VALID_S)?;
                return Ok(Reaction::Later);
            }
            Ask::Preview { node, with } => {
                self.preview((from, id), node, with.unwrap_or_default())?;
                return Ok(Reaction::Later);
            }
            Ask::Expected => {
                let body = self.robot.as_ref().map(|robot| robot.body().clone());
                self.give_work((from, id), What::Expected { body });
                return Ok(Reaction::Later);
            }
            Ask::StartPreview { from: begin, speed } => self.start_preview(from, begin, speed)?,
            Ask::PreviewRun { control } => {
                self.command_preview(from, id, control)?;
                return Ok(Reaction::Later);
            }
            Ask::PreviewSpeed { speed } => self.speed_preview(from, speed)?,
            Ask::EndPreview => {
                self.end_preview_for(from, None);
                Answer::Done
            }
            Ask::Recordings { .. }
            | Ask::OpenRecording { .. }
            | Ask::Moment { .. }
            | Ask::Range { .. }
            | Ask::RecordedPicture { .. }
            | Ask::RecordedCloud { .. }
            | Ask::Mark { .. }
            | Ask::Keep { .. }
            | Ask::Compare { .. }
            | Ask::Replay { .. }
            | Ask::WhatIf { .. } => {
                self.recall((from, id), name, ask)?;
                return Ok(Reaction::Later);
            }
            Ask::Presence { node, edits, wants_control } => {
                if let Some(session) = self.sessions.get_mut(&from) {
                    session.looks = Looks { node, edits, wants_control };
                }
                self.present(from);
                self.everyone(|due| due.people = true);
                Answer::Done
            }
        }))
    }

    pub(crate) fn document_view(&self, name: &str) -> DocumentView {
        let (undo, redo) = self.shared.labels(name);
        let nodes = self.view.all(self.shared.document());
        DocumentView { version: self.version, files: self.view.files.clone(), nodes, undo, redo }
    }

    fn took_back(&mut self, name: &str, deed: Deed) -> Answer {
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

    /// With the values that the robot last told: of a skill, those of its first use.
    fn evaluate(&self, node: model::NodeId, text: &str) -> Answer {
        let library = self.shared.document().library();
        let header = library.owner_of(node).map(|owner| library.get(owner).header.clone()).unwrap_or_default();
        let is_main = library.owner_of(node).is_none_or(|owner| owner == Library::MAIN);
        let (variables, _) = self.run.variables(&self.numbers);
        let names_of = |view: &protocol::api::VariableView| match &view.of {
            Some(of) => {
                !is_main
                    && library
                        .owner_of(of.node)
                        .is_some_and(|at| library.skill_of(at, of.node) == library.owner_of(node))
            }
            None => view.world || is_main,
        };
        let mut values = BTreeMap::new();
        for view in variables.iter().filter(|view| names_of(view)) {
            if let Some(value) = model::Value::from_json(&view.value) {
                values.entry(view.name.clone()).or_insert(value);
            }
        }
        let body = self.robot.as_ref().map(|robot| robot.body());
        match engine::evaluate(text, &header, &values, body) {
            Ok(value) => Answer::Value { value: value.to_json(), why: None },
            Err(why) => Answer::Value { value: Json::Null, why: Some(why) },
        }
    }

    fn node_types(&self) -> Answer {
        let catalogue = self.setup.registry.catalogue();
        let types: Vec<_> = catalogue.iter().collect();
        let functions: Vec<_> = expression::FUNCTIONS
            .iter()
            .map(|function| json!({"name": function.name, "usage": function.usage, "help": function.help}))
            .collect();
        Answer::NodeTypes {
            types: json!(types),
            common: json!({"fields": common_fields(), "schema": common_schema()}),
            functions: json!(functions),
        }
    }

    fn watch(&mut self, from: SessionId, topics: protocol::api::Topics) {
        let bulk = topics.clouds || topics.pictures;
        if let Some(session) = self.sessions.get_mut(&from) {
            let robot_hz = if topics.robot_hz.is_finite() { topics.robot_hz.clamp(0.0, 100.0) } else { 0.0 };
            session.topics = protocol::api::Topics { robot_hz, ..topics };
            session.due.robot = robot_hz > 0.0;
            session.due.variables = session.topics.variables;
            session.due.scene = session.topics.scene;
            session.due.world = session.topics.scene;
            session.due.world_told = None;
        }
        if bulk || self.watching_bulk {
            self.watch_bulk();
        }
    }

    fn preview(
        &mut self,
        asked: (SessionId, u32),
        node: Option<model::NodeId>,
        with: serde_json::Map<String, Json>,
    ) -> Result<(), Failure> {
        let Some(robot) = &self.robot else {
            return Err(failure(
                FailureCode::NoRobot,
                "nothing is known of the robot yet: a preview begins where it is",
            ));
        };
        let library = self.shared.document().library();
        if let Some(node) = node
            && library.owner_of(node).is_none()
        {
            return Err(failure(FailureCode::Refused, format!("node {node} is not in the tree")));
        }
        let what = What::Preview { body: robot.body().clone(), node, with };
        self.give_work(asked, what);
        Ok(())
    }

    fn give_work(&mut self, asked: (SessionId, u32), what: What) {
        let library = self.shared.document().library().clone();
        let work = Work { asked: Some(asked), registry: Arc::clone(&self.setup.registry), library, what };
        self.effects.push(Effect::Work(Box::new(work)));
    }

    fn workshop(&self) -> Result<Workshop, Failure> {
        self.setup.workshop.clone().ok_or_else(|| {
            let text = "the URDF of this robot is none of a demo here: start `coact demo --robot FILE.urdf` to look at what is guessed";
            failure(FailureCode::Refused, text)
        })
    }

    /// With another robot: nothing that runs or is not saved may be lost by it.
    fn may_begin_anew(&self, session: u64) -> Result<(), Failure> {
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

    fn check(&mut self, session: SessionId, request: u32) {
        let robot = self.robot.as_ref().map(|robot| Arc::clone(&robot.robot));
        let frames = self.robot.iter().flat_map(|robot| robot.body().objects().keys().cloned()).collect();
        let files = self.setup.store.reader();
        self.give_work((session, request), What::Check { files, robot, frames });
    }

    /// Nobody had time for work that was given away.
    pub fn too_busy(&mut self, now: Now, asked: Option<(SessionId, u32)>) {
        match asked {
            Some((session, request)) => {
                let text = "too many previews, checks and lists wait: try again";
                self.reply(session, request, Err(failure(FailureCode::TooMany, text)));
            }
            None => self.tries_found(None),
        }
        self.flush_all(now);
    }

    /// Work that was given away is done.
    pub fn done(&mut self, now: Now, worked: Worked) {
        match worked {
            Worked::Answer { session, request, answer } => self.reply(session, request, *answer),
            Worked::Robot { session, request, path } => {
                self.reply(session, request, Ok(Answer::Done));
                self.effects.push(Effect::UseRobot(path));
            }
            Worked::Tries(tries) => self.tries_found(tries.as_ref()),
        }
        self.flush_all(now);
    }

    fn order(&mut self, now: Now, (from, id): (SessionId, u32), order: Demand, valid_s: f64) -> Result<(), Failure> {
        self.has_robot()?;
        self.audit(format!("{} wants {:?}", order.by, order.what));
        let valid_for_ns = (valid_s * 1e9) as u64;
        let tag = self.offer(Message::Command { bytes: order.to_bytes(), valid_for_ns });
        self.commands.wait(tag, from, id, now.ns.saturating_add(valid_for_ns));
        Ok(())
    }

    fn has_robot(&self) -> Result<(), Failure> {
        self.same_version()?;
        let quality = self.status.as_ref().map_or(Quality::NotConnected, |status| status.quality);
        match quality {
            Quality::Good | Quality::Poor => Ok(()),
            Quality::Down => Err(failure(
                FailureCode::NoRobot,
                "the link to the robot is down: it was not sent, try again when it is up",
            )),
            Quality::NotConnected if !self.setup.has_link => {
                Err(failure(FailureCode::NoRobot, "there is no robot here, only the tree to edit"))
            }
            Quality::NotConnected => Err(failure(FailureCode::NoRobot, "no robot has answered on the link yet")),
        }
    }

    fn stop(&mut self, now: Now, (from, id): (SessionId, u32), pressed: &Demand) {
        self.audit(format!("{} stops the robot", pressed.by));
        if !self.setup.has_link {
            self.reply(from, id, Err(failure(FailureCode::NoRobot, "there is no robot here to stop")));
            return;
        }
        // The shell has sent it already if it could; a second one does nothing.
        self.offer(Message::Stop);
        self.tell_who_stopped(pressed);
        self.commands.stop(from, id, now.ns);
    }

    /// Somebody stopped the robot by other means than a socket; the stop is on its way already.
    pub fn stopped_by(&mut self, name: &str, role: Role) {
        self.audit(format!("{name} stops the robot"));
        if self.setup.has_link {
            self.tell_who_stopped(&Demand {
                by: name.into(),
                role,
                team_role: None,
                session: 0,
                what: Want::PressedStop,
            });
        }
    }

    /// The stop itself names nobody: it must be small and first.
    pub(crate) fn tell_who_stopped(&mut self, pressed: &Demand) {
        self.offer(Message::Command { bytes: pressed.to_bytes(), valid_for_ns: PRESSED_VALID_NS });
    }

    fn open(&mut self, now: Now, asked: (SessionId, u32), who: (&str, Role), to: Leaving) -> Result<Reaction, Failure> {
        let file = inside(&to.file).map_err(|text| failure(FailureCode::Refused, text))?;
        self.may_leave(to.discard)?;
        let reading = Reading::of(&*self.setup.store);
        let loaded = load(&file, &reading, self.setup.registry.catalogue());
        let loaded = loaded.map_err(|problem| failure(FailureCode::Refused, problem.to_string()))?;
        let texts = reading.texts();
        self.load(now, asked, who, Read { library: loaded.library, texts, world: to.world })
    }

    fn create(
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

    fn may_leave(&self, discard: bool) -> Result<(), Failure> {
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
    fn load(
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
struct Leaving {
    file: String,
    discard: bool,
    world: Option<String>,
}

/// A behavior with the texts of its files as they were read, and the world that it is to run in.
struct Read {
    library: Library,
    texts: BTreeMap<String, String>,
    world: Option<String>,
}

fn heir(name: &str, session: Option<&str>) -> Result<Heir, Failure> {
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let session = session.map(|text| {
        number(text).ok_or_else(|| failure(FailureCode::BadRequest, format!("`{text}` names no session: see `people`")))
    });
    Ok(Heir { name: name.into(), session: session.transpose()? })
}

#[derive(serde::Deserialize)]
struct Numbered {
    id: u32,
}

pub(crate) fn failed(error: &std::io::Error) -> Failure {
    failure(FailureCode::Failed, error.to_string())
}
