use std::collections::{BTreeMap, BTreeSet};

use cell::Cell;
use engine::Registry;
use model::file::{Disk, Files};
use model::{Problem, Severity};
use serde::de::IgnoredAny;
use serde_json::json;
use sim::{World, WorldError};
use site::stub::Script;
use trial::{Suite, SuiteError};

use crate::files::{self, Known};
use crate::out::{self, Done, SUCCESS, WRONG, count};
use crate::robot_args::{Choice, RobotArgs};
use crate::{synthesize, trial_check};

#[derive(clap::Args)]
pub struct Args {
    /// Behaviors, environments, cells, worlds, suites, stubs and capabilities; the skill files and cells they use are checked too.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The robot they are to run on: the name of a built-in one, or a robot.json, or the folder of one.
    #[arg(long, value_name = "ROBOT")]
    robot: Option<String>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Done {
    let registry = nodes::registry();
    let robot = RobotArgs::named(args.robot.clone()).choice()?;
    let mut problems: Vec<Problem> = Vec::new();
    let mut said = BTreeSet::new();
    for file in &args.files {
        for problem in problems_in(file, &registry, &robot) {
            // Two behaviors may use one broken skill.
            if said.insert(problem.to_string()) {
                problems.push(problem);
            }
        }
    }
    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    let warnings = problems.len() - errors;
    if args.json {
        let all = json!({"errors": errors, "warnings": warnings, "files": args.files.len(), "problems": problems});
        out::print(&format!("{all}\n"))?;
    } else {
        let mut text: String = problems.iter().map(|problem| format!("{problem}\n")).collect();
        text += &format!("{}\n", summary(errors, warnings, args.files.len()));
        out::print(&text)?;
    }
    Ok(if errors == 0 { SUCCESS } else { WRONG })
}

fn problems_in(file: &str, registry: &Registry, robot: &Choice) -> Vec<Problem> {
    let text = Disk.read(file).unwrap_or_default();
    let keys = keys(&text);
    if is_world(&keys) {
        return world_problems(file, &text);
    }
    if is_suite(&keys) {
        return suite_problems(file);
    }
    if is_stub(&keys) {
        return Script::from_text(&text, file).err().unwrap_or_default();
    }
    if is_capabilities(&keys) {
        return synthesize::problems_in(file, &text, registry, robot);
    }
    if !is_cell(&keys) {
        let found = files::open(file, &Disk, registry, &Known { robot: Some(robot), ..Known::default() }).1;
        return found.into_iter().chain(synthesize::annotation_problem(file, &text)).collect();
    }
    match Cell::load(file, &Disk) {
        Ok((_, problems)) => problems,
        Err(problem) => vec![problem],
    }
}

/// Of the outermost object; none: it is something else, or broken.
fn keys(text: &str) -> BTreeSet<String> {
    let keys: Result<BTreeMap<String, IgnoredAny>, _> = serde_json::from_str(text.trim_start_matches('\u{feff}'));
    keys.map(|keys| keys.into_keys().collect()).unwrap_or_default()
}

/// A cell has signals; a behavior has not.
fn is_cell(keys: &BTreeSet<String>) -> bool {
    keys.contains("signals") && !keys.contains("children")
}

/// A world has things in it, and neither steps nor signals.
fn is_world(keys: &BTreeSet<String>) -> bool {
    let has = |names: &[&str]| names.iter().any(|name| keys.contains(*name));
    has(&["objects", "disturbances", "floor", "mjcf", "camera", "detector"]) && !has(&["children", "signals"])
}

/// A suite has cases to try.
fn is_suite(keys: &BTreeSet<String>) -> bool {
    keys.contains("cases") && !keys.contains("children")
}

/// A scripted robot is one, and has no steps.
fn is_stub(keys: &BTreeSet<String>) -> bool {
    keys.contains("robot") && ["answers", "script"].iter().any(|key| keys.contains(*key)) && !keys.contains("children")
}

/// Capabilities have modes or actions, and no tree.
fn is_capabilities(keys: &BTreeSet<String>) -> bool {
    let has = |names: &[&str]| names.iter().any(|name| keys.contains(*name));
    has(&["modes", "actions"]) && !has(&["children", "signals", "robot", "type"])
}

fn suite_problems(file: &str) -> Vec<Problem> {
    let whole = |message: String| Problem::in_file(Severity::Error, file, message, "");
    match Suite::load(file) {
        Ok(suite) => trial_check::plans(&suite).err().into_iter().flatten().map(whole).collect(),
        Err(SuiteError::Unusable { problems, .. }) => problems.into_iter().map(as_of_a_file).collect(),
        Err(other) => vec![whole(other.to_string())],
    }
}

fn world_problems(file: &str, text: &str) -> Vec<Problem> {
    let whole = |message: String| vec![Problem::in_file(Severity::Error, file, message, "")];
    match World::from_json(file, text) {
        Ok(_) => Vec::new(),
        Err(WorldError::Unusable { problems, .. }) => problems.into_iter().map(as_of_a_file).collect(),
        Err(other) => whole(other.to_string()),
    }
}

fn as_of_a_file(problem: robot::Problem) -> Problem {
    let message = format!("line {}: {}", problem.line, problem.message);
    let told = Problem::in_file(Severity::Error, &problem.file, message, "");
    Problem { field: (!problem.element.is_empty()).then_some(problem.element), ..told }
}

fn summary(errors: usize, warnings: usize, files: usize) -> String {
    let files = count(files, "file");
    match (errors, warnings) {
        (0, 0) => format!("no problems in {files}"),
        (errors, 0) => format!("{} in {files}", count(errors, "error")),
        (0, warnings) => format!("{} in {files}", count(warnings, "warning")),
        (errors, warnings) => format!("{}, {} in {files}", count(errors, "error"), count(warnings, "warning")),
    }
}
