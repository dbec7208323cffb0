//! Desk and runner in one thread, in the time they are given.

use link::udp::PeerId;
use link::{Event, Message};

use crate::audit::Now;
use crate::desk::{Desk, LinkFact, Saves};
use crate::runner::{Inbox, Runner};

pub struct Robot {
    pub desk: Desk,
    pub runner: Runner,
    inbox: Inbox,
}

impl Robot {
    pub fn new(desk: Desk, runner: Runner) -> Robot {
        Robot { desk, runner, inbox: Inbox::default() }
    }

    /// One tick, with what arrived before it.
    pub fn step(&mut self, now: Now, events: Vec<(PeerId, Event)>, links: &[LinkFact]) -> Vec<(PeerId, Message)> {
        for (from, event) in events {
            if event == Event::Stop {
                self.inbox.press_stop();
            }
            self.desk.hear(now, from, event, self.inbox.stops);
        }
        self.desk.look_after(now, links);
        self.inbox.requests.extend(self.desk.take_requests());
        let seen = self.runner.tick(i64::try_from(now.ns).unwrap_or(i64::MAX), self.inbox.take());
        self.desk.saw(now, seen);
        self.desk.take_messages()
    }

    /// Whoever takes them has them on disk: operators are told so.
    pub fn take_saves(&mut self) -> Saves {
        let saves = self.desk.take_saves();
        self.desk.kept(saves.tree_version);
        saves
    }
}
