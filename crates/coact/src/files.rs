//! Behavior files from disk, with everything that is wrong with them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::anyhow;
use engine::Registry;
use model::file::{Disk, Files, Loaded, load};
use model::{Definition, NodeId, Problem};

use crate::out::{Stop, complain, count};
use crate::robot_args::{self, Choice};

/// Reads each file once: all runs of a command see the same text, whatever happens to the file meanwhile.
#[derive(Default)]
pub struct Once(RefCell<BTreeMap<String, Result<String, String>>>);

impl Once {
    /// With a file that is on no disk.
    pub fn holding(path: &str, text: String) -> Once {
        Once(RefCell::new(BTreeMap::from([(path.to_owned(), Ok(text))])))
    }
}

impl Once {
    /// What was read so far, by path.
    pub fn read_so_far(&self) -> Vec<(String, String)> {
        let texts = self.0.borrow();
        texts.iter().map(|(path, text)| (path.clone(), text.clone().unwrap_or_default())).collect()
    }
}

impl Files for Once {
    fn read(&self, path: &str) -> Result<String, String> {
        self.0.borrow_mut().entry(path.to_owned()).or_insert_with(|| Disk.read(path)).clone()
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        Disk.names_in(folder)
    }
}

/// What a file is checked against.
#[derive(Default)]
pub struct Known<'a> {
    /// A cell that counts instead of the one the file names.
    pub cell: Option<&'a str>,
    /// Variables that get a value from outside.
    pub given: Vec<Arc<str>>,
    pub robot: Option<&'a Choice>,
}

/// A file with its problems; none where there is nothing to open.
pub fn open(file: &str, files: &dyn Files, registry: &Registry, known: &Known<'_>) -> (Option<Loaded>, Vec<Problem>) {
    match load(file, files, registry.catalogue()) {
        Ok(loaded) => {
            let robot = known.robot.and_then(|choice| choice.robot(&loaded.library, registry));
            let frames =
                known.robot.into_iter().flat_map(|choice| &choice.around.frames).map(|frame| Arc::clone(&frame.name));
            let known = check::Known {
                cell: known.cell,
                given: known.given.clone(),
                robot,
                frames: frames.collect(),
                detectors: Some(known.robot.map_or_else(robot_args::simulated_detectors, Choice::detectors)),
            };
            let problems = check::problems_of(&loaded, files, registry, &known);
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

/// A node of a file, by its path from the root, or by a name that only one node has.
pub fn node_named(tree: &Definition, name: &str) -> anyhow::Result<NodeId> {
    if name.starts_with('/') {
        let found = tree.walk(tree.root).find(|id| tree.path(*id) == name);
        return found.ok_or_else(|| anyhow!("{} has no node {name}", tree.file));
    }
    let found: Vec<NodeId> = tree.walk(tree.root).filter(|id| **tree.node(*id).label() == *name).collect();
    match found[..] {
        [only] => Ok(only),
        [] => {
            let labels = tree.walk(tree.root).map(|id| &**tree.node(id).label());
            let near =
                model::file::nearest(name, labels).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            Err(anyhow!("{} has no node `{name}`{near}", tree.file))
        }
        _ => {
            let paths: Vec<String> = found.iter().map(|id| tree.path(*id)).collect();
            Err(anyhow!("{} has several nodes `{name}`: take one of {}", tree.file, paths.join(", ")))
        }
    }
}
