//! Who holds run control, and what becomes of it when they vanish.

use std::sync::Arc;

use engine::{Command, Control};
use link::PublicKey;
use link::udp::PeerId;
use protocol::Role;
use protocol::talk::{ControlFact, Happening, Heir, Holder, SessionNumber, What};

use super::Desk;
use crate::audit::Now;
use crate::runner::{Request, to_ms};
use crate::settings::WhenLost;

/// A person in one of their windows, at the operator with this key. The same name at another key is somebody else; the
/// same person in another window is not in control because this one is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Person {
    pub name: Arc<str>,
    pub key: Option<PublicKey>,
    pub session: SessionNumber,
}

impl Person {
    /// Also in another window.
    fn is_same(&self, other: &Person) -> bool {
        self.name == other.name && self.key == other.key
    }
}

#[derive(Default)]
pub(super) struct RunControl {
    holder: Option<Person>,
    /// The operator process that spoke for them last.
    at: Option<PeerId>,
    /// Said goodbye, or the link to them is down.
    lost_since_ns: Option<u64>,
    left: bool,
    manual_held: bool,
}

impl RunControl {
    pub fn name(&self) -> Option<&Arc<str>> {
        self.holder.as_ref().map(|holder| &holder.name)
    }

    pub fn holder(&self) -> Option<Holder> {
        self.holder.as_ref().map(|holder| Holder { name: Arc::clone(&holder.name), session: holder.session })
    }

    fn is_held_elsewhere_by(&self, person: &Person) -> bool {
        self.holder.as_ref().is_some_and(|holder| holder.is_same(person) && holder != person)
    }

    /// In whichever window: an edit says its author's name.
    pub fn is_held_by_name(&self, name: &Arc<str>, key: Option<PublicKey>) -> bool {
        self.holder.as_ref().is_some_and(|holder| holder.name == *name && holder.key == key)
    }

    pub fn is_held_by(&self, person: &Person) -> bool {
        self.holder.as_ref() == Some(person)
    }

    pub fn set(&mut self, holder: Option<(Person, PeerId)>) {
        let (holder, at) = holder.unzip();
        *self = RunControl { holder, at, ..RunControl::default() };
    }

    /// Somebody came, left, or gave a sign of life.
    pub fn is_here(&mut self, person: &Person, from: PeerId, here: bool) {
        if self.is_held_by(person) && (here || self.at == Some(from)) {
            self.left = !here;
            self.at = Some(from);
        }
    }
}

impl Desk {
    pub(super) fn take_control(&mut self, person: &Person, from: PeerId, role: Role) -> Result<(), String> {
        match self.control.name() {
            _ if role < Role::Operator => Err("an observer only looks: run control is for operators".to_owned()),
            None => Ok(()),
            Some(_) if self.control.is_held_by(person) => return Ok(()),
            Some(_) if role >= Role::Supervisor || self.control.is_held_elsewhere_by(person) => Ok(()),
            Some(holder) => {
                Err(format!("{holder} is in control: ask them to hand it over, or a supervisor to take it"))
            }
        }?;
        self.hand_control(Some((person.clone(), from)));
        Ok(())
    }

    pub(super) fn give_control(&mut self, person: &Person, role: Role, to: Option<&Heir>) -> Result<(), String> {
        if !self.control.is_held_by(person) && role < Role::Supervisor {
            return Err(self.not_in_control(person));
        }
        let Some(Heir { name, session }) = to else {
            self.hand_control(None);
            return Ok(());
        };
        let people = self
            .operators
            .iter()
            .flat_map(|(id, operator)| operator.people.values().map(move |here| (here, operator.key, *id)));
        let named = people.filter(|(here, ..)| here.presence.name == *name);
        let named = named.filter(|(here, ..)| session.is_none_or(|session| here.presence.session == session));
        // Of two with one name, the one at the same desk is meant, in the window that did something last.
        let heir = named.min_by_key(|(here, key, _)| {
            (*key != person.key, std::cmp::Reverse(here.presence.role), std::cmp::Reverse(here.heard))
        });
        match heir {
            None if session.is_some() => Err(format!("{name} is not here in that window any more")),
            None => Err(format!("nobody named {name} is here")),
            Some((here, ..)) if here.presence.role < Role::Operator => {
                Err(format!("{name} is an observer, who cannot run"))
            }
            Some((here, key, at)) => {
                let heir = Person { name: Arc::clone(name), key, session: here.presence.session };
                self.hand_control(Some((heir, at)));
                Ok(())
            }
        }
    }

    pub(super) fn hand_control(&mut self, to: Option<(Person, PeerId)>) {
        let fact = to.as_ref().map_or(ControlFact::Free, |(person, _)| ControlFact::HeldBy(Arc::clone(&person.name)));
        let lost_hands = to.is_none();
        self.control.set(to);
        self.control_happened(fact);
        if lost_hands {
            self.hold_manual();
        }
    }

    pub(super) fn not_in_control(&self, person: &Person) -> String {
        match self.control.name() {
            Some(_) if self.control.is_held_elsewhere_by(person) => {
                "you are in control in another window: take control here first".to_owned()
            }
            Some(holder) => format!("{holder} is in control: ask for it, or take it as a supervisor"),
            None => "nobody is in control: take control first".to_owned(),
        }
    }

    /// The robot goes on with what it was told to do by itself. What somebody led step by step does not go on without
    /// them, and control does not stay with somebody who is not there.
    pub(super) fn mind_control(&mut self, now: Now) {
        let Some(holder) = self.control.holder.clone() else { return };
        let at = self.control.at.and_then(|at| self.operators.get(&at));
        let heard = at.is_some_and(|operator| operator.silent_since_ns.is_none());
        let lost = !heard || self.control.left;
        match (lost, self.control.lost_since_ns) {
            (false, _) => {
                self.control.lost_since_ns = None;
                self.control.manual_held = false;
            }
            (true, None) => self.control.lost_since_ns = Some(now.ns),
            (true, Some(since_ns)) => self.without_holder(now.ns.saturating_sub(since_ns), &holder),
        }
    }

    fn without_holder(&mut self, lost_ns: u64, holder: &Person) {
        if lost_ns >= self.settings.hold_manual_after_ns && !std::mem::replace(&mut self.control.manual_held, true) {
            match self.settings.when_lost {
                WhenLost::GoOn => self.hold_manual(),
                WhenLost::Stop => {
                    self.give_engine(Control::Stop, ControlFact::StoppedWithout(Arc::clone(&holder.name)))
                }
            }
        }
        if lost_ns >= self.settings.free_control_after_ns {
            self.hand_control(None);
        }
    }

    /// Nothing more starts of what was pressed or is run as a part; what runs comes to its end.
    fn hold_manual(&mut self) {
        if self.state.as_ref().is_some_and(|state| state.needs_operator) {
            self.give_engine(Control::Automatic { on: false }, ControlFact::NobodyLeads);
        }
    }

    pub(super) fn give_engine(&mut self, what: Control, why: ControlFact) {
        self.next_command += 1;
        self.requests.push(Request::Command { command: Command { id: self.next_command, what }, stops: u64::MAX });
        self.control_happened(why);
    }

    fn control_happened(&mut self, fact: ControlFact) {
        self.happened(Happening { at_ms: to_ms(self.time_ns), what: What::Control(fact) });
    }
}
