use model::Problem;
use serde_json::json;

use crate::files;
use crate::out::{self, Done, SUCCESS, WRONG, count};

#[derive(clap::Args)]
pub struct Args {
    /// Behavior files; the skill files they use are checked too.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Done {
    let registry = nodes::registry();
    let mut problems: Vec<Problem> = Vec::new();
    for file in &args.files {
        for problem in files::open(file, &registry).1 {
            // Two behaviors may use one broken skill.
            if !problems.contains(&problem) {
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

fn summary(errors: usize, warnings: usize, files: usize) -> String {
    let files = count(files, "file");
    match (errors, warnings) {
        (0, 0) => format!("no problems in {files}"),
        (errors, 0) => format!("{} in {files}", count(errors, "error")),
        (0, warnings) => format!("{} in {files}", count(warnings, "warning")),
        (errors, warnings) => format!("{}, {} in {files}", count(errors, "error"), count(warnings, "warning")),
    }
}
