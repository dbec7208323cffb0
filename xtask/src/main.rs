//! Checks and generators of this repository, run as `cargo xtask COMMAND`.

mod arrows;
mod codegen;
mod contents;
mod licences;
mod metadata;
mod orphans;
mod pictures;
mod sentences;
mod words;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

const HELP: &str = "\
cargo xtask COMMAND

  arrows             which crate may depend on which, against `cargo metadata`
  words              leftovers in tracked files: unfinished code, ignored tests, home paths, long files
  sentences          code that decides by reading words for people
  orphans            Rust files that nothing compiles, so that their tests never run
  licences           of the crates that are built in, and crates that are built in twice
  codegen [--check]  write the generated files; with --check only say which are out of date
  pictures PROGRAM   draw the trees and runs that pages of docs/ show anew, with this `coact`; refuses runs that failed
  sbom               print what a package is made of, as CycloneDX
  notices            print the licences of what is in a package and not ours
  help               this text
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let problems = match args.as_slice() {
        ["arrows"] => root().and_then(arrows::run),
        ["words"] => root().and_then(words::run),
        ["sentences"] => root().and_then(sentences::run),
        ["orphans"] => root().and_then(orphans::run),
        ["licences"] => root().and_then(licences::run),
        ["codegen"] => root().and_then(codegen::write),
        ["codegen", "--check"] => root().and_then(codegen::check),
        ["pictures", program] => root().and_then(|root| pictures::run(root, Path::new(program))),
        ["sbom"] => root().and_then(contents::sbom),
        ["notices"] => root().and_then(contents::notices),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        [] => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
        other => {
            eprint!("unknown command: {}\n\n{HELP}", other.join(" "));
            return ExitCode::from(2);
        }
    };
    report(args[0], problems)
}

/// All problems at once, so that one run is enough to mend them.
fn report(command: &str, problems: Result<Vec<String>>) -> ExitCode {
    match problems {
        Ok(problems) if problems.is_empty() => ExitCode::SUCCESS,
        Ok(problems) => {
            for problem in &problems {
                eprintln!("{problem}");
            }
            eprintln!("cargo xtask {command}: {} found", count(problems.len(), "problem"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("cargo xtask {command}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn root() -> Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the xtask folder has no parent")
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
