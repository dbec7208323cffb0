//! Ways to goals: what is asked crosses the link, what is looked for does not.

use std::sync::Arc;

use engine::FindingSteps;
use protocol::talk::{Goal, Reply};

use super::{Desk, Pending};
use crate::runner::Request;

/// Each is a thread of its own beside the ticks.
const MOST: usize = 4;

impl Desk {
    /// With the capabilities that the robot began with, if those are meant.
    pub(super) fn finding_of(&self, goal: Goal) -> Result<FindingSteps, String> {
        if self.finding.len() >= MOST {
            return Err(format!("{MOST} ways are looked for already: ask again when one of them is found"));
        }
        let Some(able) = self.settings.able.iter().find(|able| able.name == goal.by) else {
            let known: Vec<&str> = self.settings.able.iter().map(|able| &*able.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(format!(
                "the robot does not know the capabilities `{}`, it has {known}: start it with --capabilities",
                goal.by
            ));
        };
        if able.capabilities.digest != goal.digest {
            return Err(format!(
                "the file of the capabilities `{}` is another here than on the robot: give both the same one, and start \
                 the robot anew",
                goal.by
            ));
        }
        Ok(FindingSteps { capabilities: Arc::clone(&able.capabilities), request: goal.request })
    }

    pub(super) fn begin_to_find(&mut self, finding: FindingSteps, pending: Pending) {
        self.next_command += 1;
        let id = self.next_command;
        self.finding.insert(id, pending);
        self.requests.push(Request::Find { id, finding: Box::new(finding) });
    }

    pub(super) fn found(&mut self, id: u64, found: Result<Vec<String>, String>) {
        if let Some(Pending { from, id, entry }) = self.finding.remove(&id) {
            self.reply_with(from, id, entry, &Reply::Behavior(found));
        }
    }
}
