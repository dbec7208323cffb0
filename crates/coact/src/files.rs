//! Behavior files from disk, with everything that is wrong with them.

use anyhow::anyhow;
use engine::Registry;
use model::Problem;
use model::file::{Disk, Loaded, load};

use crate::out::{Stop, complain, count};

/// The one place that decides what counts as a problem of a file.
pub fn problems_of(loaded: &Loaded, _registry: &Registry) -> Vec<Problem> {
    loaded.problems.clone()
}

/// A file with its problems; none where there is nothing to open.
pub fn open(file: &str, registry: &Registry) -> (Option<Loaded>, Vec<Problem>) {
    match load(file, &Disk, registry.catalogue()) {
        Ok(loaded) => {
            let problems = problems_of(&loaded, registry);
            (Some(loaded), problems)
        }
        Err(problem) => (None, vec![problem]),
    }
}

/// A file that may be used as it is. Its problems go to standard error; warnings only if `with_warnings`.
pub fn open_sound(file: &str, registry: &Registry, with_warnings: bool) -> Result<Loaded, Stop> {
    let (loaded, problems) = open(file, registry);
    for problem in problems.iter().filter(|problem| with_warnings || problem.is_error()) {
        complain(&problem.to_string());
    }
    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    match loaded {
        Some(loaded) if errors == 0 => Ok(loaded),
        _ => Err(Stop::Wrong(anyhow!("{file} has {}: mend it first", count(errors, "error")))),
    }
}
