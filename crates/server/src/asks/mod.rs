//! What clients ask, verb by verb.

mod opening;
mod orders;
mod questions;
mod tree;

use protocol::Role;
use protocol::api::{Answer, Ask, Failure, FailureCode, Request};
use protocol::talk::{Demand, Looks, Presence, Want};

use crate::clip;
use crate::edit::Around;
use crate::goals::Wanted;
use crate::hello::Hello;
use crate::operator::{Effect, Now, Operator, failure};
use crate::people::may;
use crate::session::{Session, SessionId};
use crate::shared::SharedError;
use crate::work::{Listing, What};
use crate::workshop::RobotWork;
use opening::Leaving;
use orders::heir;

/// Before a hello nobody needs more.
const MOST_BEFORE_HELLO: usize = 64 << 10;
pub const MOST_MESSAGE: usize = 1 << 20;
/// Sockets whose hello has not come yet; those who open them let the oldest go before.
const MOST_UNKNOWN: usize = 512;

const VALID_S: f64 = 2.0;
/// A picture is no hurry.
const LOOK_VALID_S: f64 = 10.0;
const LONGEST_VALID_S: f64 = 60.0;

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
        self.watch_body();
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
                let operation = self.placed(operation)?;
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
            Ask::Capabilities { file } => self.capabilities(file)?,
            Ask::Synthesize { capabilities, goals, from: begin, strict, retry, modes } => {
                let request = synthesis::Request { from: Vec::new(), goals, strict, retry, modes };
                self.synthesize(now, (from, id), Wanted { capabilities, from: begin, request }, order)?;
                return Ok(Reaction::Later);
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
            | Ask::WhatIf { .. }
            | Ask::Suites
            | Ask::StartTrial { .. }
            | Ask::StopTrial
            | Ask::Trial => {
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

    fn watch(&mut self, from: SessionId, topics: protocol::api::Topics) {
        let bulk = topics.clouds || topics.pictures;
        if let Some(session) = self.sessions.get_mut(&from) {
            let before = std::mem::replace(&mut session.topics, crate::body_seen::clamped(topics));
            session.due.robot = session.topics.robot_hz > 0.0;
            // What was watched before was told before: all of a world again would be a new world to whoever draws it.
            session.due.variables |= session.topics.variables && !before.variables;
            if session.topics.scene && !before.scene {
                (session.due.scene, session.due.world, session.due.world_told) = (true, true, None);
            }
        }
        if bulk || self.watching_bulk {
            self.watch_bulk();
        }
        self.watch_body();
    }
}

#[derive(serde::Deserialize)]
struct Numbered {
    id: u32,
}

pub(crate) fn failed(error: &std::io::Error) -> Failure {
    failure(FailureCode::Failed, error.to_string())
}
