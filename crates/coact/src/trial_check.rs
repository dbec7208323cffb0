//! Before a trial: everything that is wrong with what its cases name, and what their results will depend on.

use std::path::Path;
use std::sync::Arc;

use engine::Registry;
use model::file::Files as _;
use trial::{Case, Provenance, Suite, fingerprint};

use crate::edit;
use crate::files::{self, Known, Once};
use crate::out::Stop;
use crate::robot_args::RobotArgs;
use crate::set;

/// What the runs of each case are made of, or everything that is wrong with them.
pub fn plans(suite: &Suite) -> Result<Vec<Provenance>, Vec<String>> {
    let registry = nodes::registry();
    let program = program();
    let mut plans = Vec::new();
    let mut wrong = Vec::new();
    for case in &suite.cases {
        match files_of(suite, case, &registry) {
            Ok(files) => plans.push(Provenance {
                case: case.name.clone(),
                suite: hex(fingerprint(case.identity().to_string().as_bytes())),
                files: hex(files),
                program: program.clone(),
            }),
            Err(told) => wrong.extend(told),
        }
    }
    if wrong.is_empty() { Ok(plans) } else { Err(wrong) }
}

fn hex(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// Of this very build: another one may run the same behavior otherwise.
fn program() -> String {
    let bytes = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    hex(fingerprint(&bytes))
}

/// A fingerprint of all files of a case, or what is wrong with them.
fn files_of(suite: &Suite, case: &Case, registry: &Arc<Registry>) -> Result<u64, Vec<String>> {
    let at = |key: &str, message: &str| vec![format!("{}: {message}", suite.place(case, key))];
    let told = |key: &str, stop: Stop| match stop {
        Stop::Wrong(error) => at(key, &format!("{error:#}")),
        Stop::ReaderLeft => Vec::new(),
    };
    let mut choice = RobotArgs::named(case.robot.clone()).choice_or_default().map_err(|stop| told("robot", stop))?;
    choice.needed = case.world.is_some();
    let files = Once::default();
    let given = case.set.iter().map(|(name, _)| name.as_str().into()).collect();
    let known = Known { cell: case.cell.as_deref(), given, robot: Some(&choice) };
    let (loaded, problems) = files::open(&case.behavior, &files, registry, &known);
    let errors: Vec<String> = problems.iter().filter(|problem| problem.is_error()).map(ToString::to_string).collect();
    let loaded = match loaded {
        Some(loaded) if errors.is_empty() => loaded,
        _ => return Err(errors.iter().flat_map(|error| at("behavior", error)).collect()),
    };
    let sets: Vec<String> = case.set.iter().map(|(name, value)| format!("{name}={value}")).collect();
    set::parse(&sets, loaded.library.main()).map_err(|error| at("set", &error.to_string()))?;
    if case.mirror {
        edit::mirrored(loaded.library, registry, &choice).map_err(|error| at("mirror", &format!("{error:#}")))?;
    }
    for (key, path) in [("cell", &case.cell), ("env", &case.env)] {
        if let Some(path) = path {
            files.read(path).map_err(|error| at(key, &error))?;
        }
    }
    let mut parts: Vec<(String, Vec<u8>)> =
        files.read_so_far().into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
    parts.extend(in_folder(&Path::new(&case.behavior).parent().unwrap_or(Path::new("")).join("templates")));
    if let Some(robot) = case.robot.as_deref().map(Path::new).filter(|path| path.exists()) {
        let folder = if robot.is_dir() { robot } else { robot.parent().unwrap_or(Path::new("")) };
        parts.extend(in_folder(folder));
    }
    if let Some(mjcf) = case.world.as_ref().and_then(|world| world.draw(0).mjcf) {
        parts.push((String::new(), std::fs::read(mjcf).unwrap_or_default()));
    }
    let whole: Vec<u8> = parts.into_iter().flat_map(|(path, bytes)| [path.into_bytes(), bytes].concat()).collect();
    Ok(fingerprint(&whole))
}

fn in_folder(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).map(|entries| entries.flatten().collect::<Vec<_>>()).unwrap_or_default();
    let mut paths: Vec<_> = entries.iter().map(std::fs::DirEntry::path).filter(|path| path.is_file()).collect();
    paths.sort();
    let bytes = |path: &std::path::PathBuf| std::fs::read(path).unwrap_or_default();
    paths.iter().map(|path| (path.to_string_lossy().into_owned(), bytes(path))).collect()
}
