//! Orders: who may give which, and one answer to each.

use std::sync::Arc;

use engine::{Answer, Command, Control, FindingSteps};
use link::udp::PeerId;
use link::{CommandId, Message};
use protocol::talk::{Demand, Look, Reply, Want};
use protocol::{Role, person_name};

use super::control::Person;
use super::{Desk, Pending, said};
use crate::audit::{DONE, Deed, Entry, Now};
use crate::runner::Request;

/// Commands that the engine has not answered; it answers in its next tick.
const MAX_PENDING: usize = 1_024;

/// Where an order came from.
#[derive(Clone, Copy)]
pub(super) struct Heard {
    pub from: PeerId,
    pub id: CommandId,
    pub given_ns: u64,
    pub stops: u64,
}

/// What is to be done with an order that may be given.
enum Done {
    Now,
    /// The engine answers.
    Engine(Control),
    /// The engine builds another tree first.
    Open(u64, Option<Arc<str>>),
    /// The simulated world begins anew first.
    ResetWorld(Option<Arc<str>>),
    /// A camera is to see something first.
    Look(Look),
    /// A way is to be found first.
    Find(FindingSteps),
}

impl Desk {
    pub(super) fn order(&mut self, now: Now, heard: Heard, bytes: &[u8]) {
        let order = match Demand::from_bytes(bytes) {
            Ok(order) => order,
            Err(why) => {
                let what = (Deed::Lost, "something that is no order here".to_owned());
                let entry = self.entry(now, heard.from, None, what);
                return self.answer(heard, entry, Err(why));
            }
        };
        let Some(operator) = self.operators.get(&heard.from) else { return };
        let (rank, key) = (operator.rank, operator.key);
        let role = order.role.min(rank);
        let name = person_name(&order.by).map_or_else(|| Arc::clone(&operator.desk), Arc::from);
        let person = Person { name, key, session: order.session };
        let what = (deed(&order.what), describe(&order.what));
        let said = said::of(&order.what, self.shared.library());
        let entry = Entry { said, ..self.entry(now, heard.from, Some((&person.name, role)), what) };
        self.control.is_here(&person, heard.from, true);
        self.was_active(heard.from, order.session);
        match self.judge(heard, &person, (role, order.team_role.as_deref()), order.what) {
            Err(why) => self.answer(heard, entry, Err(why)),
            Ok(Done::Now) => self.answer(heard, entry, Ok(())),
            Ok(Done::Engine(what)) => {
                self.next_command += 1;
                let command = Command { id: self.next_command, what };
                self.pending.insert(command.id, Pending { from: heard.from, id: heard.id, entry });
                self.requests.push(Request::Command { command, stops: heard.stops });
            }
            Ok(Done::ResetWorld(world)) => {
                self.next_command += 1;
                let id = self.next_command;
                self.pending.insert(id, Pending { from: heard.from, id: heard.id, entry });
                self.requests.push(Request::ResetWorld { id, world });
            }
            Ok(Done::Find(finding)) => self.begin_to_find(finding, Pending { from: heard.from, id: heard.id, entry }),
            Ok(Done::Look(look)) => {
                let pending = Pending { from: heard.from, id: heard.id, entry };
                self.wait_for_sight(now, look, pending);
            }
            Ok(Done::Open(epoch, world)) => match self.take_offered(epoch, heard.from) {
                Err(why) => self.answer(heard, entry, Err(why)),
                Ok(shared) => self.begin_open((shared, world), Pending { from: heard.from, id: heard.id, entry }),
            },
        }
    }

    /// Control that is handed to a name goes to the window that did something last.
    fn was_active(&mut self, from: PeerId, session: protocol::talk::SessionNumber) {
        self.heard += 1;
        let people = self.operators.get_mut(&from).into_iter().flat_map(|operator| operator.people.values_mut());
        for here in people.filter(|here| here.presence.session == session) {
            here.heard = self.heard;
        }
    }

    fn judge(
        &mut self,
        heard: Heard,
        person: &Person,
        (role, team_role): (Role, Option<&str>),
        what: Want,
    ) -> Result<Done, String> {
        match what {
            Want::Run(Control::Stop) => {
                self.last_stop = Some((heard.given_ns, heard.from));
                Ok(Done::Engine(Control::Stop))
            }
            Want::Run(control) => {
                if !self.may_share(&control, role, team_role) {
                    self.may_run(person, role).map_err(|why| self.asked_of_others(&control).unwrap_or(why))?;
                }
                self.not_overtaken(heard)?;
                if self.opening.is_some() {
                    return Err("another behavior is being opened".to_owned());
                }
                if self.pending.len() >= MAX_PENDING {
                    return Err("too many commands wait for the robot: try again".to_owned());
                }
                Ok(Done::Engine(control))
            }
            Want::TakeControl => self.take_control(person, heard.from, role).map(|()| Done::Now),
            Want::GiveControl(to) => self.give_control(person, role, to.as_ref()).map(|()| Done::Now),
            Want::Open { epoch, world } => {
                self.may_run(person, role)?;
                if world.is_some() && !self.settings.resets {
                    return Err("this world cannot begin anew".to_owned());
                }
                Ok(Done::Open(epoch, world))
            }
            Want::ResetWorld(world) => {
                self.may_run(person, role)?;
                self.not_overtaken(heard)?;
                if !self.settings.resets {
                    return Err("this world cannot begin anew".to_owned());
                }
                if self.opening.is_some() || !self.state.as_ref().is_some_and(|state| state.at_rest) {
                    return Err("something runs: stop it first".to_owned());
                }
                Ok(Done::ResetWorld(world))
            }
            // The stop itself went before it; this says who pressed it.
            Want::PressedStop => Ok(Done::Now),
            Want::Watch { clouds, images } => self.watch(heard.from, clouds, images).map(|()| Done::Now),
            Want::WatchBody { hz } => {
                self.watch_body(heard.from, hz);
                Ok(Done::Now)
            }
            Want::Look(look) => Ok(Done::Look(look)),
            Want::Achieve(goal) => {
                if role < Role::Operator {
                    return Err("an observer lets nothing be looked for".to_owned());
                }
                self.finding_of(*goal).map(Done::Find)
            }
        }
    }

    fn may_run(&self, person: &Person, role: Role) -> Result<(), String> {
        if role < Role::Operator {
            return Err("an observer cannot command; stop is always allowed".to_owned());
        }
        if self.control.is_held_by(person) { Ok(()) } else { Err(self.not_in_control(person)) }
    }

    /// Somebody else pressed stop while this was on its way: whoever gave it did not know.
    fn not_overtaken(&self, heard: Heard) -> Result<(), String> {
        match self.last_stop {
            Some((at_ns, by)) if by != heard.from && heard.given_ns < at_ns => {
                Err("somebody pressed stop after it was given".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn watch(&mut self, from: PeerId, clouds: bool, images: bool) -> Result<(), String> {
        if (clouds || images) && self.settings.tile_bytes.is_none() {
            let why = "this link is too narrow to watch clouds and pictures: ask for one with `look`";
            return Err(why.to_owned());
        }
        let Some(operator) = self.operators.get_mut(&from) else { return Ok(()) };
        (operator.watches_clouds, operator.watches_images) = (clouds, images);
        if clouds || images {
            self.requests.push(Request::OpenEyes);
        }
        Ok(())
    }

    pub(super) fn engine_answered(&mut self, answer: Answer) {
        let Answer { id, refused } = answer;
        if id >= super::edits::FIRST_BATCH {
            if let Some(why) = refused {
                self.batch_refused(&why);
            }
            return;
        }
        if let Some(Pending { from, id, entry }) = self.pending.remove(&id) {
            self.reply(from, id, entry, refused.map_or(Ok(()), Err));
        }
    }

    fn answer(&mut self, heard: Heard, entry: Entry, result: Result<(), String>) {
        self.reply(heard.from, heard.id, entry, result);
    }

    pub(super) fn reply(&mut self, from: PeerId, to: CommandId, entry: Entry, result: Result<(), String>) {
        let reply = result.map_or_else(Reply::Refused, |()| Reply::Done);
        self.reply_with(from, to, entry, &reply);
    }

    pub(super) fn reply_with(&mut self, from: PeerId, to: CommandId, entry: Entry, reply: &Reply) {
        let outcome = match reply {
            Reply::Done | Reply::Behavior(Ok(_)) => DONE.to_owned(),
            Reply::Refused(why) | Reply::Behavior(Err(why)) => format!("refused: {why}"),
        };
        let bytes = serde_json::to_vec(reply).expect("a reply is JSON");
        self.messages.push((from, Message::Answer { to, bytes }));
        self.audit(entry, outcome);
    }
}

fn deed(what: &Want) -> Deed {
    match what {
        Want::Run(Control::Stop) | Want::PressedStop => Deed::Stop,
        Want::Run(_) => Deed::Run,
        Want::TakeControl | Want::GiveControl(_) => Deed::Control,
        Want::Open { .. } | Want::ResetWorld(_) => Deed::Open,
        Want::Watch { .. } | Want::WatchBody { .. } | Want::Look(_) | Want::Achieve(_) => Deed::Watch,
    }
}

/// For the audit trail, short.
fn describe(what: &Want) -> String {
    const LONGEST: usize = 300;
    let text = match what {
        Want::Run(control) => serde_json::to_string(control).unwrap_or_default(),
        Want::TakeControl => "take control".to_owned(),
        Want::GiveControl(Some(to)) => format!("give control to {}", to.name),
        Want::PressedStop => "stop".to_owned(),
        Want::GiveControl(None) => "give control away".to_owned(),
        Want::Open { epoch, world: None } => format!("open behavior {epoch}"),
        Want::Open { epoch, world: Some(world) } => format!("open behavior {epoch} in the world {world}"),
        Want::ResetWorld(None) => "reset the world".to_owned(),
        Want::ResetWorld(Some(world)) => format!("open the world {world}"),
        Want::Watch { clouds, images } => format!("watch: clouds {clouds}, pictures {images}"),
        Want::WatchBody { hz } => format!("watch the body {hz} times a second"),
        Want::Look(look) => format!("look at one {}", if look.cloud { "cloud" } else { "picture" }),
        Want::Achieve(goal) => format!("find the way to {}", goal.request.goals.join(", ")),
    };
    if text.chars().count() > LONGEST { text.chars().take(LONGEST).collect::<String>() + "…" } else { text }
}
