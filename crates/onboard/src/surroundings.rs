//! What surrounds a behavior while it runs: the only door between ticks through which a cell, an environment or a
//! robot reaches the engine.

use engine::{EditBatch, Options, TickInput, TickOutput};
use model::{Beside, Library};
use protocol::talk::SceneAt;
use recording::Report;

pub trait Surroundings {
    /// Called before each tick: sees what the last one gave out, and adds what reaches the engine now.
    fn before_tick(&mut self, time_ns: i64, last_output: &TickOutput, input: &mut TickInput);

    /// Something may still lift a gate or free a claim although nothing runs. Signals cannot: they are only read.
    fn may_still_act(&self) -> bool {
        false
    }

    /// Why the run has failed, if what surrounds it says so.
    fn failure(&self) -> Option<String> {
        None
    }

    /// What went wrong without ending the run since this was last called.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Called once, when the run is over: adds to its report what only the surroundings know.
    fn sum_up(&mut self, _report: &mut Report) {}
}

impl Surroundings for cell::Surroundings {
    fn before_tick(&mut self, time_ns: i64, last_output: &TickOutput, input: &mut TickInput) {
        cell::Surroundings::before_tick(self, time_ns, last_output, input);
    }

    fn failure(&self) -> Option<String> {
        cell::Surroundings::failure(self).map(str::to_owned)
    }

    fn take_warnings(&mut self) -> Vec<String> {
        cell::Surroundings::take_warnings(self)
    }
}

/// Each in its turn.
impl Surroundings for Vec<Box<dyn Surroundings>> {
    fn before_tick(&mut self, time_ns: i64, last_output: &TickOutput, input: &mut TickInput) {
        self.iter_mut().for_each(|each| each.before_tick(time_ns, last_output, input));
    }

    fn may_still_act(&self) -> bool {
        self.iter().any(|each| each.may_still_act())
    }

    fn failure(&self) -> Option<String> {
        self.iter().find_map(|each| each.failure())
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.iter_mut().flat_map(|each| each.take_warnings()).collect()
    }

    fn sum_up(&mut self, report: &mut Report) {
        self.iter_mut().for_each(|each| each.sum_up(report));
    }
}

/// The surroundings of a robot process: the robot stays while behaviors come and go.
pub trait Site: Surroundings {
    /// Gets ready for this behavior, with the cell and the templates that came with it; gives what its engine is to know
    /// from the start. None came: they are where the behavior was loaded from. On an error all stays as it was.
    fn open(&mut self, library: &Library, beside: Option<&Beside>) -> Result<Options, String>;

    /// The tree is another one after these edits: what it needs now and did not need before is made ready, as if it had
    /// been opened so. What cannot be made ready is told.
    fn edited(&mut self, _library: &Library, _edits: &[EditBatch]) -> Result<(), String> {
        Ok(())
    }

    /// All around is simulated: its time may be slower than the clock.
    fn can_wait(&self) -> bool {
        false
    }

    /// The bodies of a simulated world as they truly are, each a [`SceneAt::Solid`]: for people to look at, never for a
    /// behavior.
    fn solids(&self) -> Vec<SceneAt> {
        Vec::new()
    }

    /// Somebody wants to see what cameras see.
    fn open_eyes(&mut self) -> Result<(), String> {
        Ok(())
    }
}
