//! Who does the long jobs of a behavior while it runs.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use engine::{Job, JobAnswer, JobId, ModelledJobs, TickInput, TickOutput};

pub enum Jobs {
    /// They take as long as is modelled, in simulated time.
    Modelled(ModelledJobs),
    /// They take as long as they take, beside the ticks.
    Beside(Workers),
}

/// A thread for each job: a tick never waits for one.
pub struct Workers {
    tell: Sender<(JobId, JobAnswer)>,
    told: Receiver<(JobId, JobAnswer)>,
    pending: Vec<JobId>,
    warnings: Vec<String>,
}

impl Jobs {
    pub fn modelled() -> Jobs {
        Jobs::Modelled(ModelledJobs::default())
    }

    pub fn beside() -> Jobs {
        let (tell, told) = channel();
        Jobs::Beside(Workers { tell, told, pending: Vec::new(), warnings: Vec::new() })
    }

    pub(crate) fn before_tick(&mut self, last_output: &TickOutput, input: &mut TickInput) {
        match self {
            Jobs::Modelled(jobs) => jobs.before_tick(input.time_ns, last_output, input),
            Jobs::Beside(workers) => workers.before_tick(last_output, input),
        }
    }

    /// An answer may still come.
    pub(crate) fn may_still_act(&self) -> bool {
        match self {
            Jobs::Modelled(jobs) => !jobs.is_idle(),
            Jobs::Beside(workers) => !workers.pending.is_empty(),
        }
    }

    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        match self {
            Jobs::Modelled(_) => Vec::new(),
            Jobs::Beside(workers) => std::mem::take(&mut workers.warnings),
        }
    }
}

impl Workers {
    fn begin(&mut self, id: JobId, job: Job) {
        let tell = self.tell.clone();
        let work = move || {
            let until = Instant::now() + Duration::from_secs_f64(job.limit_s().clamp(0.0, 3600.0));
            let done = job.run(&|| Instant::now() >= until);
            // Nobody is there any more when the run is over.
            let _ = tell.send((id, done.answer));
        };
        match std::thread::Builder::new().name("job".to_owned()).spawn(work) {
            Ok(_) => self.pending.push(id),
            Err(error) => self.warnings.push(format!("a long job could not be begun: {error}")),
        }
    }

    fn before_tick(&mut self, last_output: &TickOutput, input: &mut TickInput) {
        for (id, job) in &last_output.jobs {
            if !last_output.cancelled_jobs.contains(id) {
                self.begin(*id, job.clone());
            }
        }
        self.pending.retain(|id| !last_output.cancelled_jobs.contains(id));
        for (id, answer) in self.told.try_iter() {
            self.pending.retain(|pending| *pending != id);
            input.finished.push((id, answer));
        }
    }
}
