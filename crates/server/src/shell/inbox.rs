//! What waits for the operator. Orders and what the robot answers go before everything else; then each client has its
//! turn, and the edits of others have theirs. Whoever floods waits for themselves alone.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use link::Event;

use super::core::Input;
use super::link_thread::FromLink;
use crate::session::SessionId;

/// Requests of one client that wait.
pub const MOST_OF_ONE: usize = 128;
/// Orders of all clients that wait.
const MOST_ORDERS: usize = 1_024;
/// Edits of others that are taken in one turn at most: the tree is looked at once for all of them.
const EDITS_A_TURN: usize = 32;
/// A turn of them should take no longer: what is urgent waits for it. Of a large tree fewer are taken.
const TURN: Duration = Duration::from_millis(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    Robot,
    Client(SessionId),
}

#[derive(Default)]
pub struct Inbox {
    lanes: Mutex<Lanes>,
    ready: Condvar,
}

#[derive(Default)]
struct Lanes {
    urgent: VecDeque<Input>,
    orders: usize,
    requests: BTreeMap<SessionId, VecDeque<Input>>,
    edits: VecDeque<Vec<u8>>,
    /// How often the edits of a turn are halved.
    halved: u32,
    /// Those for whom something waits, each once.
    turns: VecDeque<Whose>,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, Lanes> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives it back when there is no room for it now.
    pub fn give(&self, input: Input) -> Result<(), Input> {
        let refused = self.lock().give(input);
        self.ready.notify_one();
        refused
    }

    /// A turn of edits took so long.
    pub fn edits_took(&self, took: Duration) {
        let mut lanes = self.lock();
        let slower = (lanes.halved + 1).min(EDITS_A_TURN.ilog2());
        lanes.halved = if took > TURN { slower } else { lanes.halved.saturating_sub(1) };
    }

    /// The next, or none in this time.
    pub fn next(&self, wait: Duration) -> Option<Input> {
        let lanes = self.lock();
        let empty = |lanes: &mut Lanes| lanes.urgent.is_empty() && lanes.turns.is_empty();
        let waited = self.ready.wait_timeout_while(lanes, wait, empty);
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

fn begins_anew(event: &Event) -> bool {
    matches!(event, Event::Connected { resumed: false, .. })
}

impl Lanes {
    fn give(&mut self, input: Input) -> Result<(), Input> {
        match input {
            Input::Order(..) if self.orders >= MOST_ORDERS => return Err(input),
            Input::Order(..) => {
                self.orders += 1;
                self.urgent.push_back(input);
            }
            Input::Text(session, _) => {
                if self.requests.get(&session).is_some_and(|waiting| waiting.len() >= MOST_OF_ONE) {
                    return Err(input);
                }
                self.wait(session, input);
            }
            // Behind all that it has asked for.
            Input::Leave(session) => self.wait(session, input),
            Input::Link(FromLink::Edit(bytes)) => {
                if self.edits.is_empty() {
                    self.turns.push_back(Whose::Robot);
                }
                self.edits.push_back(bytes);
            }
            Input::Join { .. }
            | Input::Sent(..)
            | Input::Link(_)
            | Input::Edits(_)
            | Input::Worked(_)
            | Input::Rehearsed(..)
            | Input::Stopped(..)
            | Input::End => {
                if matches!(&input, Input::Link(FromLink::Event(event)) if begins_anew(event)) {
                    // Of the life before: the robot says all of it again, with its tree.
                    self.edits.clear();
                    self.turns.retain(|whose| *whose != Whose::Robot);
                }
                self.urgent.push_back(input);
            }
        }
        Ok(())
    }

    fn wait(&mut self, session: SessionId, input: Input) {
        let waiting = self.requests.entry(session).or_default();
        if waiting.is_empty() {
            self.turns.push_back(Whose::Client(session));
        }
        waiting.push_back(input);
    }

    fn take(&mut self) -> Option<Input> {
        if let Some(input) = self.urgent.pop_front() {
            self.orders -= usize::from(matches!(input, Input::Order(..)));
            return Some(input);
        }
        match self.turns.pop_front()? {
            Whose::Robot => {
                let count = self.edits.len().min(EDITS_A_TURN >> self.halved);
                let edits = self.edits.drain(..count).collect();
                if !self.edits.is_empty() {
                    self.turns.push_back(Whose::Robot);
                }
                Some(Input::Edits(edits))
            }
            Whose::Client(session) => {
                let waiting = self.requests.get_mut(&session)?;
                let input = waiting.pop_front();
                if waiting.is_empty() {
                    self.requests.remove(&session);
                } else {
                    self.turns.push_back(Whose::Client(session));
                }
                input
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(session: u64, text: &str) -> Input {
        Input::Text(SessionId(session), text.to_owned())
    }

    /// All that waits, in the order in which it is taken.
    fn taken(inbox: &Inbox) -> Vec<String> {
        let name = |input: Input| match input {
            Input::Text(session, text) | Input::Order(session, text) => format!("{} {text}", session.0),
            Input::Edits(edits) => format!("{} edits", edits.len()),
            Input::Sent(session, _) => format!("{} has read", session.0),
            Input::Leave(session) => format!("{} left", session.0),
            _ => "something".to_owned(),
        };
        std::iter::from_fn(|| inbox.next(Duration::ZERO)).map(name).collect()
    }

    #[test]
    fn an_order_and_what_the_robot_answers_overtake_all_that_waits() {
        let inbox = Inbox::default();
        for number in 0..3 {
            assert!(inbox.give(text(1, &format!("edit {number}"))).is_ok());
            assert!(inbox.give(Input::Link(FromLink::Edit(vec![]))).is_ok());
        }
        assert!(inbox.give(Input::Order(SessionId(1), "stop".to_owned())).is_ok());
        assert!(inbox.give(Input::Sent(SessionId(1), 9)).is_ok());
        assert_eq!(taken(&inbox), ["1 stop", "1 has read", "1 edit 0", "3 edits", "1 edit 1", "1 edit 2"]);
    }

    #[test]
    fn whoever_floods_waits_for_themselves_alone() {
        let inbox = Inbox::default();
        for _ in 0..MOST_OF_ONE {
            assert!(inbox.give(text(1, "edit")).is_ok());
        }
        assert!(inbox.give(text(1, "edit")).is_err(), "told that there is no room");
        assert!(inbox.give(text(2, "look")).is_ok());
        assert!(inbox.give(Input::Leave(SessionId(2))).is_ok());
        assert!(inbox.give(Input::Order(SessionId(1), "run".to_owned())).is_ok());
        let taken = taken(&inbox);
        assert_eq!(taken[..5], ["1 run", "1 edit", "2 look", "1 edit", "2 left"]);
        assert_eq!(taken.len(), MOST_OF_ONE + 3);
    }

    #[test]
    fn what_a_robot_said_before_it_began_anew_is_not_heard_after() {
        let inbox = Inbox::default();
        let edit = |byte: u8| Input::Link(FromLink::Edit(vec![byte]));
        let connected = |resumed| Input::Link(FromLink::Event(Box::new(Event::Connected { peer: None, resumed })));
        for input in [edit(1), connected(true), edit(2)] {
            assert!(inbox.give(input).is_ok());
        }
        assert_eq!(taken(&inbox), ["something", "2 edits"], "a link that goes on loses nothing");
        for input in [edit(3), edit(4), connected(false), edit(5), text(1, "look")] {
            assert!(inbox.give(input).is_ok());
        }
        // What is on its disk it says with its tree; what it refused it refuses again.
        assert_eq!(taken(&inbox), ["something", "1 edits", "1 look"]);
    }

    #[test]
    fn edits_of_others_come_some_at_a_time() {
        let inbox = Inbox::default();
        for _ in 0..EDITS_A_TURN + 1 {
            assert!(inbox.give(Input::Link(FromLink::Edit(vec![]))).is_ok());
        }
        assert!(inbox.give(text(1, "edit")).is_ok());
        assert_eq!(taken(&inbox), ["32 edits", "1 edit", "1 edits"]);
        for (took, count) in [(2 * TURN, 16), (2 * TURN, 8), (TURN, 16), (TURN, 32), (TURN, 32)] {
            inbox.edits_took(took);
            for _ in 0..EDITS_A_TURN {
                assert!(inbox.give(Input::Link(FromLink::Edit(vec![]))).is_ok());
            }
            assert_eq!(taken(&inbox)[0], format!("{count} edits"), "slow ones are taken fewer at a time");
        }
    }
}
