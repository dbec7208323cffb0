//! Who does the long jobs of a behavior while it runs.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use engine::{Job, JobAnswer, JobId, ModelledJobs, TickInput, TickOutput};

use crate::surroundings::Surroundings;

/// In simulated time jobs take as long as is modelled; with `realtime` as long as they take, beside the ticks.
pub fn jobs(realtime: bool) -> Box<dyn Surroundings> {
    if realtime { Box::new(Workers::new()) } else { Box::new(Modelled(ModelledJobs::default())) }
}

struct Modelled(ModelledJobs);

impl Surroundings for Modelled {
    fn before_tick(&mut self, time_ns: i64, last_output: &TickOutput, input: &mut TickInput) {
        self.0.before_tick(time_ns, last_output, input);
    }

    fn may_still_act(&self) -> bool {
        !self.0.is_idle()
    }
}

/// A thread for each job: a tick never waits for one.
struct Workers {
    tell: Sender<(JobId, JobAnswer)>,
    told: Receiver<(JobId, JobAnswer)>,
    pending: Vec<JobId>,
    warnings: Vec<String>,
}

impl Workers {
    fn new() -> Workers {
        let (tell, told) = channel();
        Workers { tell, told, pending: Vec::new(), warnings: Vec::new() }
    }

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
}

impl Surroundings for Workers {
    fn before_tick(&mut self, _time_ns: i64, last_output: &TickOutput, input: &mut TickInput) {
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

    fn may_still_act(&self) -> bool {
        !self.pending.is_empty()
    }

    fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}
