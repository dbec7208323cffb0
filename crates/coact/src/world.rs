//! Which surroundings a run is to have.

use anyhow::anyhow;
use engine::Registry;
use model::Library;
use model::file::Files;

use crate::files::{self, Known};
use crate::out::Stop;

/// Which surroundings a run is to have.
#[derive(clap::Args, Default)]
pub struct WorldArgs {
    /// The cell whose signals and commands the behavior uses, instead of the one its file names.
    #[arg(long, value_name = "CELL")]
    cell: Option<String>,
    /// A behavior file that plays the equipment of the cell.
    #[arg(long, value_name = "ENV")]
    env: Option<String>,
    /// A world with physics to run in: the name of a built-in one, a world file, or an MJCF file (.xml).
    #[arg(long, value_name = "WORLD")]
    world: Option<String>,
    /// Record the run into this MCAP file; of several runs, each into one with its seed in the name.
    #[arg(long, value_name = "OUT.mcap")]
    pub log: Option<std::path::PathBuf>,
}

impl WorldArgs {
    /// Without a world.
    pub fn of_cell(cell: Option<String>, env: Option<String>) -> WorldArgs {
        WorldArgs { cell, env, ..WorldArgs::default() }
    }

    /// The world that was asked for, with its ranges.
    pub fn world(&self) -> Result<Option<sim::World>, Stop> {
        let found = self.world.as_deref().map(sim::World::find).transpose();
        found.map_err(|error| Stop::Wrong(anyhow!("--world: {error}")))
    }

    /// Where a run of this seed is recorded.
    pub fn log_of(&self, seed: u64, of_many: bool) -> Option<std::path::PathBuf> {
        let log = self.log.as_ref()?;
        let stem = log.file_stem().unwrap_or_default().to_string_lossy();
        Some(if of_many { log.with_file_name(format!("{stem}-{seed}.mcap")) } else { log.clone() })
    }

    pub fn cell(&self) -> Option<&str> {
        self.cell.as_deref()
    }

    /// Says what is wrong with the environment, before anything runs.
    pub fn check_environment(
        &self,
        behavior: &Library,
        files: &dyn Files,
        registry: &Registry,
        with_warnings: bool,
    ) -> Result<(), Stop> {
        let Some(env) = &self.env else { return Ok(()) };
        let main = behavior.main();
        let named = main.header.cell.as_ref().map(|cell| model::file::join(&main.file, cell));
        let cell = self.cell.clone().or(named);
        let known = Known { cell: cell.as_deref(), ..Known::default() };
        files::sound(env, files::open(env, files, registry, &known), with_warnings).map(|_| ())
    }

    pub fn setup(&self, seed: u64) -> cell::Setup<'_> {
        cell::Setup { cell: self.cell.as_deref(), environment: self.env.as_deref(), seed, set: Vec::new() }
    }
}
