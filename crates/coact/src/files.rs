//! Behavior files from disk, with everything that is wrong with them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::anyhow;
use cell::Cell;
use engine::Registry;
use model::file::{Disk, Files, Loaded, join, load};
use model::{Definition, Library, NodeId, Problem};
use robot::Robot;

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
    pub robot: Option<&'a Choice>,
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
    let robot = known.robot.and_then(|choice| choice.robot(&loaded.library, registry));
    let mut world: Vec<Arc<str>> = match &cell {
        None => Vec::new(),
        Some(cell) if is_environment => cell.environment_world().into_iter().map(|(name, _)| name).collect(),
        Some(cell) => cell.world().into_iter().map(|(name, _)| name).collect(),
    };
    if let Some(cell) = &cell {
        let wrong =
            if is_environment { cell.check_environment(&loaded.library) } else { cell.check_behavior(&loaded.library) };
        more.extend(wrong);
    }
    world.extend(senses(robot.as_deref(), &loaded.library, registry));
    let given = known.robot.into_iter().flat_map(|choice| &choice.frames).map(|frame| Arc::clone(&frame.name));
    let frames = given.chain(objects(&loaded.library, registry));
    // The cell itself says which commands it has, and which values they need.
    let given = known.given.clone();
    let options = check::Options { commands: None, given, open_world, robot, frames: frames.collect() };
    let mut problems = check::check(loaded, registry, &world, &options);
    problems.extend(more);
    problems
}

/// The objects that its scene actions make.
fn objects<'a>(library: &'a Library, registry: &'a Registry) -> impl Iterator<Item = Arc<str>> + 'a {
    let nodes = library.iter().flat_map(|(_, tree)| tree.walk(tree.root).map(|id| tree.node(id)));
    let actions = nodes.filter(|node| registry.get(&node.kind).is_some_and(|entry| entry.info.group == "scene"));
    actions.filter_map(|node| {
        let named = ["object", "class"].into_iter().find_map(|key| node.fields.get(key)?.as_str());
        named.map(Arc::from)
    })
}

/// The variables that the robot brings; of every robot of our own where it is not known which.
fn senses(robot: Option<&Robot>, library: &Library, registry: &Registry) -> Vec<Arc<str>> {
    let names = match robot {
        Some(robot) => engine::sense_names(robot),
        None if robot_args::moves_body(library, registry) => {
            let ours = Robot::names().into_iter().filter_map(Robot::builtin);
            ours.flat_map(|robot| engine::sense_names(&robot)).collect()
        }
        None => Vec::new(),
    };
    names.into_iter().map(Arc::from).collect()
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
