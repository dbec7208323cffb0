//! What surrounds a behavior while it runs: the only door between ticks through which a cell, an environment or a
//! robot reaches the engine.

use std::sync::Arc;

use anyhow::{Result, bail};
use engine::{TickInput, TickOutput};
use model::Value;

pub trait Surroundings {
    /// Called before each tick: sees what the last one gave out, and adds what reaches the engine now.
    fn before_tick(&mut self, time_ns: i64, last_output: &TickOutput, input: &mut TickInput);

    /// Something may still come in although nothing runs. A run in surroundings that are silent ends when it waits.
    fn may_still_act(&self) -> bool;
}

/// Nothing is sent, nothing comes in.
pub struct Nothing;

impl Surroundings for Nothing {
    fn before_tick(&mut self, _time_ns: i64, _last_output: &TickOutput, _input: &mut TickInput) {}

    fn may_still_act(&self) -> bool {
        false
    }
}

/// The surroundings of one run.
pub struct World {
    /// World variables that exist from the start.
    pub variables: Vec<(Arc<str>, Option<Value>)>,
    pub surroundings: Box<dyn Surroundings>,
}

/// Which surroundings a run is to have.
#[derive(clap::Args)]
pub struct WorldArgs {
    /// The cell whose signals and commands the behavior uses; not available yet.
    #[arg(long, value_name = "CELL", hide = true)]
    cell: Option<String>,
    /// A behavior that plays the environment; not available yet.
    #[arg(long, value_name = "ENV", hide = true)]
    env: Option<String>,
    /// A simulated world; not available yet.
    #[arg(long, value_name = "WORLD", hide = true)]
    world: Option<String>,
    /// The robot to run on; not available yet.
    #[arg(long, value_name = "ROBOT", hide = true)]
    robot: Option<String>,
    /// A log file of the run; not available yet.
    #[arg(long, value_name = "OUT.mcap", hide = true)]
    log: Option<String>,
}

impl WorldArgs {
    /// Made anew for each run, so that one run leaves nothing behind for the next.
    pub fn open(&self) -> Result<World> {
        let asked = [
            ("--cell", &self.cell),
            ("--env", &self.env),
            ("--world", &self.world),
            ("--robot", &self.robot),
            ("--log", &self.log),
        ];
        if let Some((option, _)) = asked.into_iter().find(|(_, value)| value.is_some()) {
            bail!("{option} is not available yet in this version: run without it");
        }
        Ok(World { variables: Vec::new(), surroundings: Box::new(Nothing) })
    }
}
