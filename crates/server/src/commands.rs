//! What was asked of the robot and is not answered yet. Each gets an answer: the robot's, or why there is none.

use std::collections::BTreeMap;

use link::{CommandId, Outcome, Refusal};
use protocol::api::{Answer, Failure, FailureCode};
use protocol::talk::Reply;

use crate::operator::{Tag, failure};
use crate::session::SessionId;
use crate::shared::Shared;

/// Beyond the time a command is valid, its answer may take this long.
const ANSWER_NS: u64 = 5_000_000_000;

#[derive(Debug, Clone)]
pub struct Waiting {
    pub session: SessionId,
    pub request: u32,
    pub until_ns: u64,
}

#[derive(Debug, Default)]
pub struct Commands {
    waiting: BTreeMap<Tag, Waiting>,
    numbers: BTreeMap<CommandId, Tag>,
    stops: Vec<Waiting>,
}

/// A behavior on its way to the robot: first all of it, then the order to open it.
pub struct Opening {
    pub tag: Tag,
    /// On the stream, once it is known.
    pub number: Option<u64>,
    /// The order was given.
    pub ordered: bool,
    pub by: (std::sync::Arc<str>, protocol::Role),
    /// The session of whoever opens it.
    pub window: protocol::talk::SessionNumber,
    pub shared: Shared,
    pub saved: Vec<(String, Option<String>)>,
    /// Another simulated world, which begins with it.
    pub world: Option<std::sync::Arc<str>>,
    pub waiting: Waiting,
}

impl Commands {
    pub fn wait(&mut self, tag: Tag, session: SessionId, request: u32, until_ns: u64) {
        let until_ns = until_ns.saturating_add(ANSWER_NS);
        self.waiting.insert(tag, Waiting { session, request, until_ns });
    }

    pub fn is_waiting(&self, tag: Tag) -> bool {
        self.waiting.contains_key(&tag)
    }

    pub fn is_number(&mut self, tag: Tag, id: CommandId) {
        if self.waiting.contains_key(&tag) {
            self.numbers.insert(id, tag);
        }
    }

    pub fn refused(&mut self, tag: Tag) -> Option<Waiting> {
        self.waiting.remove(&tag)
    }

    pub fn tag_of(&self, id: CommandId) -> Option<Tag> {
        self.numbers.get(&id).copied()
    }

    pub fn answered(&mut self, id: CommandId) -> Option<Waiting> {
        let tag = self.numbers.remove(&id)?;
        self.waiting.remove(&tag)
    }

    /// Those that nobody will answer any more.
    pub fn overdue(&mut self, now_ns: u64) -> Vec<Waiting> {
        let late: Vec<Tag> =
            self.waiting.iter().filter(|(_, each)| each.until_ns <= now_ns).map(|(tag, _)| *tag).collect();
        self.numbers.retain(|_, tag| !late.contains(tag));
        late.iter().filter_map(|tag| self.waiting.remove(tag)).collect()
    }

    pub fn stop(&mut self, session: SessionId, request: u32, now_ns: u64) {
        let until_ns = now_ns.saturating_add(ANSWER_NS);
        self.stops.push(Waiting { session, request, until_ns });
    }

    pub fn stopped(&mut self) -> Vec<Waiting> {
        std::mem::take(&mut self.stops)
    }

    pub fn overdue_stops(&mut self, now_ns: u64) -> Vec<Waiting> {
        let (late, open) = std::mem::take(&mut self.stops).into_iter().partition(|stop| stop.until_ns <= now_ns);
        self.stops = open;
        late
    }
}

/// The robot's answer, or that of the link, for the person who asked.
pub fn answer(outcome: &Outcome) -> Result<Answer, Failure> {
    let refused = |text: &str| Err(failure(FailureCode::RobotRefused, text));
    match outcome {
        Outcome::Answered(bytes) => match serde_json::from_slice::<Reply>(bytes) {
            Ok(Reply::Done) => Ok(Answer::Done),
            Ok(Reply::Refused(why)) => refused(&why),
            Ok(Reply::Behavior(_)) | Err(_) => {
                refused("the robot answered something that is not understood here: are both of one version?")
            }
        },
        Outcome::Refused(Refusal::Late) => refused("it reached the robot too late and was not done: try again"),
        Outcome::Refused(Refusal::OvertakenByStop) => refused("a stop overtook it, so it was not done"),
        Outcome::Refused(Refusal::TooMany) => refused("too many commands in a second: it was not done"),
        Outcome::PeerRestarted => {
            refused("the robot process was started anew before it answered: look at its state before you go on")
        }
    }
}

pub fn no_answer() -> Failure {
    failure(
        FailureCode::NoRobot,
        "no answer from the robot: if the command arrives late it is refused, so look at its state before you try again",
    )
}
