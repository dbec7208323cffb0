//! Who looks on at every tick: a recorder.

use engine::{Engine, TickInput};

use crate::driver::Driver;
use crate::site::Told;

/// It takes no part: nothing that it does reaches the engine or the robot. Called in the thread that ticks, so it may not
/// wait.
pub trait Witness {
    fn ticked(&mut self, tick: &Tick<'_>);

    /// What somebody did beside the run, before the tick that follows.
    fn heard(&mut self, _heard: Heard) {}
}

/// Something that reaches no tick and belongs to the run.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// Who did what, and what became of it.
    Deed { by: String, text: String },
    /// Whether an operator can be reached.
    Link { operator: String, is_up: bool },
}

/// A tick that is over.
pub struct Tick<'a> {
    pub engine: &'a Engine,
    /// All that the engine saw.
    pub input: &'a TickInput,
    pub told: &'a Told,
    /// The first event of this tick in the engine's recording.
    pub since: usize,
    pub driver: Option<&'a dyn Driver>,
}
