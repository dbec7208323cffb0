use std::sync::Arc;

use cell::Cell;
use engine::Registry;
use model::file::{Files, Loaded, join};
use model::{Edit, Library, Problem, Subtree};
use robot::Robot;

/// What a behavior is checked against.
#[derive(Default)]
pub struct Known<'a> {
    /// A cell that counts instead of the one the file names.
    pub cell: Option<&'a str>,
    /// Variables that get a value from outside.
    pub given: Vec<Arc<str>>,
    pub robot: Option<Arc<Robot>>,
    /// Objects that are there before it begins.
    pub frames: Vec<Arc<str>>,
    /// Models behind the cameras, where they are known.
    pub detectors: Option<Vec<Arc<str>>>,
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
    let is_environment = hears_commands(&loaded.library, registry);
    let is_skill = !main.header.inputs.is_empty() || !main.header.outputs.is_empty();
    // A skill alone does not say in which cell it will be used.
    let open_world = cell.is_none() && (is_skill || is_environment || !more.is_empty());
    let robot = known.robot.clone();
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
    let frames = known.frames.iter().cloned().chain(objects(&loaded.library, registry));
    // The cell itself says which commands it has, and which values they need.
    let given = known.given.clone();
    let (frames, detectors) = (frames.collect(), known.detectors.clone());
    let options = crate::Options { commands: None, given, open_world, robot, frames, detectors };
    let mut problems = crate::check(loaded, registry, &world, &options);
    problems.extend(more);
    problems.extend(super::templates::problems(&loaded.library, files, registry));
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
        None if moves_body(library, registry) => {
            let ours = Robot::names().into_iter().filter_map(Robot::builtin);
            ours.flat_map(|robot| engine::sense_names(&robot)).collect()
        }
        None => Vec::new(),
    };
    names.into_iter().map(Arc::from).collect()
}

/// Only an environment waits for what a robot sends.
fn hears_commands(library: &Library, registry: &Registry) -> bool {
    let hears = |kind: &str| registry.get(kind).is_some_and(|entry| entry.hears);
    library.iter().any(|(_, tree)| tree.walk(tree.root).any(|id| hears(&tree.node(id).kind)))
}

/// It moves a body, or asks where one is among what is seen.
pub fn moves_body(behavior: &Library, registry: &Registry) -> bool {
    let needs_body = |kind: &str| {
        let info = registry.get(kind).map(|entry| &entry.info);
        info.is_some_and(|info| {
            let names_frame = || info.fields.iter().any(|field| field.format.as_deref() == Some("frame"));
            ["body", "scene", "template"].contains(&info.group) || names_frame()
        })
    };
    behavior.iter().any(|(_, tree)| tree.walk(tree.root).any(|id| needs_body(&tree.node(id).kind)))
}

/// Something in it uses what cameras see.
pub fn looks_around(behavior: &Library, registry: &Registry) -> bool {
    behavior.iter().any(|(_, tree)| tree.walk(tree.root).any(|id| sees(&tree.node(id).kind, registry)))
}

/// One of these edits brings something that uses what cameras see.
pub fn begins_to_look(edits: &[Edit], registry: &Registry) -> bool {
    edits.iter().any(|edit| match edit {
        Edit::Insert { subtree, .. } | Edit::AddFile { root: subtree, .. } => any_sees(subtree, registry),
        Edit::Retype { kind, .. } => sees(kind, registry),
        Edit::Delete { .. }
        | Edit::Move { .. }
        | Edit::Set { .. }
        | Edit::Rename { .. }
        | Edit::Notes { .. }
        | Edit::Header { .. }
        | Edit::RemoveFile { .. } => false,
    })
}

fn any_sees(subtree: &Subtree, registry: &Registry) -> bool {
    // Not by calls within calls: a subtree may be very deep.
    let mut left = vec![subtree];
    while let Some(node) = left.pop() {
        if sees(&node.kind, registry) {
            return true;
        }
        left.extend(&node.children);
    }
    false
}

fn sees(kind: &str, registry: &Registry) -> bool {
    registry.get(kind).is_some_and(|entry| entry.sees)
}
