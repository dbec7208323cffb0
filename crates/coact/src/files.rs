//! Behavior files from disk, with everything that is wrong with them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::anyhow;
use cell::Cell;
use engine::Registry;
use model::file::{Disk, Files, Loaded, join, load};
use model::{Library, Problem};

use crate::out::{Stop, complain, count};

/// Reads each file once: all runs of a command see the same text, whatever happens to the file meanwhile.
#[derive(Default)]
pub struct Once(RefCell<BTreeMap<String, Result<String, String>>>);

impl Files for Once {
    fn read(&self, path: &str) -> Result<String, String> {
        self.0.borrow_mut().entry(path.to_owned()).or_insert_with(|| Disk.read(path)).clone()
    }
}

/// What a file is checked against.
#[derive(Default)]
pub struct Known<'a> {
    /// A cell that counts instead of the one the file names.
    pub cell: Option<&'a str>,
    /// Variables that get a value from outside.
    pub given: Vec<Arc<str>>,
}

/// The one place that decides what counts as a problem of a behavior or an environment.
pub fn problems_of(loaded: &Loaded, files: &dyn Files, registry: &Registry, known: &Known<'_>) -> Vec<Problem> {
    let main = loaded.library.main();
    let named = main.header.cell.as_ref().map(|cell| join(&main.file, cell));
    let path = known.cell.map(str::to_owned).or(named);
    let (cell, mut more) = match path {
        None => (None, Vec::new()),
        Some(path) => match Cell::load(&path, files) {
            Ok((cell, problems)) => (Some(cell), problems),
            Err(problem) => (None, vec![problem]),
        },
    };
    let is_environment = hears_commands(&loaded.library);
    let is_skill = !main.header.inputs.is_empty() || !main.header.outputs.is_empty();
    // A skill alone does not say in which cell it will be used.
    let open_world = cell.is_none() && (is_skill || is_environment || !more.is_empty());
    let world: Vec<Arc<str>> = match &cell {
        None => Vec::new(),
        Some(cell) if is_environment => cell.environment_world().into_iter().map(|(name, _)| name).collect(),
        Some(cell) => cell.world().into_iter().map(|(name, _)| name).collect(),
    };
    if let Some(cell) = &cell {
        let wrong =
            if is_environment { cell.check_environment(&loaded.library) } else { cell.check_behavior(&loaded.library) };
        more.extend(wrong);
    }
    // The cell itself says which commands it has, and which values they need.
    let options = check::Options { commands: None, given: known.given.clone(), open_world };
    let mut problems = check::check(loaded, registry, &world, &options);
    problems.extend(more);
    problems
}

/// Only an environment waits for what a robot sends.
fn hears_commands(library: &Library) -> bool {
    library.iter().any(|(_, tree)| tree.walk(tree.root).any(|id| &*tree.node(id).kind == "receive"))
}

/// A file with its problems; none where there is nothing to open.
pub fn open(file: &str, files: &dyn Files, registry: &Registry, known: &Known<'_>) -> (Option<Loaded>, Vec<Problem>) {
    match load(file, files, registry.catalogue()) {
        Ok(loaded) => {
            let problems = problems_of(&loaded, files, registry, known);
            (Some(loaded), problems)
        }
        Err(problem) => (None, vec![problem]),
    }
}

/// A file without errors. Its problems go to standard error; warnings only if `with_warnings`.
pub fn sound(file: &str, opened: (Option<Loaded>, Vec<Problem>), with_warnings: bool) -> Result<Loaded, Stop> {
    let (loaded, problems) = opened;
    for problem in problems.iter().filter(|problem| with_warnings || problem.is_error()) {
        complain(&problem.to_string());
    }
    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    match loaded {
        Some(loaded) if errors == 0 => Ok(loaded),
        _ => Err(Stop::Wrong(anyhow!("{file} has {}: mend it first", count(errors, "error")))),
    }
}
