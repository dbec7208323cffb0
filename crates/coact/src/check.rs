use std::collections::{BTreeMap, BTreeSet};

use cell::Cell;
use engine::Registry;
use model::Problem;
use model::file::{Disk, Files};
use serde::de::IgnoredAny;
use serde_json::json;

use crate::files::{self, Known};
use crate::out::{self, Done, SUCCESS, WRONG, count};
use crate::robot_args::{Choice, RobotArgs};

#[derive(clap::Args)]
pub struct Args {
    /// Behaviors, environments and cells; the skill files and cells they use are checked too.
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
    let is_cell = Disk.read(file).is_ok_and(|text| is_cell(&text));
    if !is_cell {
        return files::open(file, &Disk, registry, &Known { robot: Some(robot), ..Known::default() }).1;
    }
    match Cell::load(file, &Disk) {
        Ok((_, problems)) => problems,
        Err(problem) => vec![problem],
    }
}

/// A cell has signals; a behavior has not.
fn is_cell(text: &str) -> bool {
    let keys: Result<BTreeMap<String, IgnoredAny>, _> = serde_json::from_str(text.trim_start_matches('\u{feff}'));
    keys.is_ok_and(|keys| keys.contains_key("signals") && !keys.contains_key("children"))
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
