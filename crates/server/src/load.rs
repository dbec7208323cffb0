//! What keeps many edits from keeping others waiting.

use link::{Quality, Stream};
use model::Edit;
use protocol::api::{Failure, FailureCode};

use crate::operator::{Now, Operator, failure};

/// So many edits may be on their way to a robot that is there; more would only wait. In the dark they are kept.
const MOST_ON_THEIR_WAY: usize = 256;

/// Edits of others that are in the tree, until all are told of.
#[derive(Debug, Default)]
pub struct Gathered {
    pub edits: Vec<Edit>,
    /// Who made the last of them.
    pub by: String,
}

impl Operator {
    /// Edits of others, taken together: the tree is looked at and told of once.
    pub fn edits(&mut self, now: Now, all: Vec<Vec<u8>>) {
        self.gathers = Some(Gathered::default());
        for bytes in &all {
            self.document_came(Stream::Edits, bytes);
        }
        if let Some(gathered) = self.gathers.take() {
            self.tell_arrived(&gathered);
        }
        self.flush_all(now);
    }

    pub(crate) fn tell_arrived(&mut self, Gathered { edits, by }: &Gathered) {
        if !edits.is_empty() {
            let difference = self.follow(edits);
            self.tell_changed(by, "edit", &difference, None);
        }
    }

    /// Somebody who edits faster than the robot takes it is told so, before it is done.
    pub(crate) fn robot_keeps_up(&self) -> Result<(), Failure> {
        let up = self.status.as_ref().is_some_and(|status| matches!(status.quality, Quality::Good | Quality::Poor));
        let waiting = self.unacknowledged.len();
        if up && waiting >= MOST_ON_THEIR_WAY {
            let text = format!("the robot is behind: {waiting} edits wait for it; wait a moment, then do it again");
            return Err(failure(FailureCode::TooMany, text));
        }
        Ok(())
    }
}
