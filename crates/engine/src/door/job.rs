//! Work too long for a tick. A step gives it away and keeps its number; the answer comes in with a later tick, so that
//! a recorded run has it among its inputs.

use std::sync::Arc;

use footsteps::{GoingThrough, Planning};
use robot::interface::Footstep;
use serde::{Deserialize, Serialize};
use synthesis::{Capabilities, Limit, Request};

use super::input::{TickInput, TickOutput};
use crate::seconds_to_ns;

/// Never given twice in the life of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobId(pub u64);

/// Work with all that it needs, to be done anywhere. A new kind is a line here, in [`JobAnswer`] and in [`Job::run`].
#[derive(Clone, Debug, PartialEq)]
pub enum Job {
    Footsteps(Box<Planning>),
    /// Its answer are the footsteps.
    GoingThrough(GoingThrough),
    /// Its answer is a behavior.
    Finding(Box<FindingSteps>),
}

/// What is needed to find the steps to a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct FindingSteps {
    pub capabilities: Arc<Capabilities>,
    pub request: Request,
}

/// As on the slowest of our machines: a figure of the model, not a measurement of the run.
const SITUATIONS_A_SECOND: f64 = 20_000.0;

/// A person who asked waits no longer.
const FINDING_LIMIT_S: f64 = 10.0;

impl FindingSteps {
    fn run(&self, stop: &dyn Fn() -> bool) -> JobDone {
        let limit = Limit::new(synthesis::LIMIT, stop);
        let found = synthesis::find(&self.capabilities, &self.request, &limit);
        let names = found.map(|plan| plan.activations.into_iter().map(|each| each.name).collect());
        // Whatever it came to, every ability was looked at.
        let looked_at = limit.looked_at() + self.capabilities.abilities().count();
        JobDone {
            answer: JobAnswer::Behavior(names.map_err(|why| why.to_string())),
            modelled_s: looked_at as f64 / SITUATIONS_A_SECOND,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobAnswer {
    /// None at all if the feet are there already; else why there are none.
    Footsteps(Result<Vec<Footstep>, String>),
    /// What is done one behind the other, by name; else why there is no way.
    Behavior(Result<Vec<String>, String>),
}

/// What became of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct JobDone {
    pub answer: JobAnswer,
    /// How long it takes in simulated time: from what was asked alone, the same on every machine.
    pub modelled_s: f64,
}

impl Job {
    /// What people read while it is done.
    pub fn word(&self) -> &'static str {
        match self {
            Job::Footsteps(_) | Job::GoingThrough(_) | Job::Finding(_) => "planning",
        }
    }

    /// After this long the best answer so far is wanted.
    pub fn limit_s(&self) -> f64 {
        match self {
            Job::Footsteps(planning) => planning.limit_s,
            Job::GoingThrough(_) => f64::INFINITY,
            Job::Finding(_) => FINDING_LIMIT_S,
        }
    }

    /// `stop` is asked again and again; once it says yes, the answer is the best so far.
    pub fn run(&self, stop: &dyn Fn() -> bool) -> JobDone {
        let planned = match self {
            Job::Footsteps(planning) => planning.run(stop),
            Job::GoingThrough(steps) => steps.run(),
            Job::Finding(finding) => return finding.run(stop),
        };
        JobDone { answer: JobAnswer::Footsteps(planned.steps), modelled_s: planned.modelled_s }
    }
}

/// Does jobs in simulated time: at once, but tells of each at the tick in which its modelled duration is over.
#[derive(Debug, Default)]
pub struct ModelledJobs {
    last_tick_ns: i64,
    due: Vec<(i64, JobId, JobAnswer)>,
}

impl ModelledJobs {
    /// To be called before each tick, with what the last one gave out.
    pub fn before_tick(&mut self, time_ns: i64, last_output: &TickOutput, input: &mut TickInput) {
        self.due.retain(|(_, id, _)| !last_output.cancelled_jobs.contains(id));
        for (id, job) in &last_output.jobs {
            if !last_output.cancelled_jobs.contains(id) {
                let JobDone { answer, modelled_s } = job.run(&|| false);
                self.due.push((self.last_tick_ns + seconds_to_ns(modelled_s), *id, answer));
            }
        }
        self.last_tick_ns = time_ns;
        let (done, due) = std::mem::take(&mut self.due).into_iter().partition(|(due_ns, ..)| *due_ns <= time_ns);
        self.due = due;
        let done: Vec<(i64, JobId, JobAnswer)> = done;
        input.finished.extend(done.into_iter().map(|(_, id, answer)| (id, answer)));
    }

    pub fn is_idle(&self) -> bool {
        self.due.is_empty()
    }
}
