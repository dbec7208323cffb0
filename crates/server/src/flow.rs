//! What goes to one life of a robot process. The link hears of a new one before the operator does: what the operator says
//! meanwhile is meant for the life before. Given to the new one, an edit would stand on edits that were lost with the old, be
//! refused, and be taken back from somebody who was told that the robot has it.

use link::{Event, Message};

/// Counted on both sides of the thread of the link, as each hears of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flow(u64);

impl Flow {
    pub fn number(self) -> u64 {
        self.0
    }

    pub fn heard(&mut self, event: &Event) {
        self.0 += u64::from(matches!(event, Event::Connected { resumed: false, .. }));
    }

    /// The message, where it is for the robot that is there; a stop is for any.
    pub fn take(self, said_in: u64, message: Message) -> Result<Message, String> {
        if said_in == self.0 || message == Message::Stop {
            Ok(message)
        } else {
            Err("the robot was just connected anew: look at it, then try again".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_to_the_life_before_does_not_reach_the_next_one_but_a_stop_does() {
        let (mut link, mut operator) = (Flow::default(), Flow::default());
        let edit = || Message::Document { stream: link::Stream::Edits, bytes: vec![1] };
        let connected = |resumed| Event::Connected { peer: None, resumed };
        assert!(link.take(operator.number(), edit()).is_ok());
        link.heard(&connected(true));
        assert!(link.take(operator.number(), edit()).is_ok(), "it went on where it was");
        link.heard(&connected(false));
        assert!(link.take(operator.number(), edit()).is_err());
        assert!(link.take(operator.number(), Message::Stop).is_ok());
        operator.heard(&connected(false));
        assert!(link.take(operator.number(), edit()).is_ok());
    }
}
