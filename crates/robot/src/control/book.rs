use crate::interface::{CommandId, CommandStatus, Phase};

/// How long what became of a command is told after its end.
const KEPT_NS: i64 = 5_000_000_000;

/// What became of commands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Book {
    ended: Vec<Ended>,
}

#[derive(Clone, Debug)]
struct Ended {
    at_ns: i64,
    status: CommandStatus,
}

impl Book {
    pub fn end(&mut self, id: CommandId, phase: Phase, now_ns: i64) {
        if self.ended.iter().all(|ended| ended.status.id != id) {
            self.ended.push(Ended { at_ns: now_ns, status: CommandStatus { id, phase } });
        }
    }

    pub fn forget(&mut self, now_ns: i64) {
        if self.ended.first().is_some_and(|oldest| now_ns - oldest.at_ns > KEPT_NS) {
            self.ended.retain(|ended| now_ns - ended.at_ns <= KEPT_NS);
        }
    }

    pub fn knows(&self, id: CommandId) -> bool {
        self.ended.iter().any(|ended| ended.status.id == id)
    }

    pub fn statuses(&self) -> impl Iterator<Item = CommandStatus> + '_ {
        self.ended.iter().map(|ended| ended.status.clone())
    }
}
