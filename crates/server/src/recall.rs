//! Recorded runs, for those who look at them.

use protocol::api::{Ask, Failure, FailureCode};

use crate::operator::{Operator, failure};
use crate::session::SessionId;

impl Operator {
    pub(crate) fn recall(&mut self, _from: (SessionId, u32), _name: &str, _ask: Ask) -> Result<(), Failure> {
        Err(failure(FailureCode::Refused, "this operator process has no recordings: start it with --recordings FOLDER"))
    }
}
