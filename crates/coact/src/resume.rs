//! What was around a recorded run, made again: to run it with another tree.

use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use cell::Setup;
use engine::Registry;
use runlog::{Begin, Simulate};
use site::{Jobs, Site};

use crate::site_parts::SiteParts;

/// None: the robot was none of a simulation.
pub fn simulator(begin: &Begin, registry: &Arc<Registry>) -> Result<Option<Site>> {
    if !begin.simulated {
        return Ok(None);
    }
    let mut site = SiteParts::of_recording(begin, registry)?.site(begin.seed, Jobs::modelled())?;
    let setup = Setup { seed: begin.seed, ..Setup::default() };
    site.open(&begin.library(), &setup, Rc::new(begin.beside.clone()))?;
    Ok(Some(site))
}

/// For whoever serves recordings.
pub fn simulate() -> Simulate {
    Arc::new(|begin, registry| {
        let site = simulator(begin, registry).map_err(|error| format!("{error:#}"))?;
        site.ok_or_else(|| anyhow!("the robot of this run was not simulated").to_string())
    })
}
