//! Draws the trees and timelines of the documentation anew: every `coact … --svg docs/…` that one of its pages names. A
//! picture of a run is kept only if the run succeeded and all is true of its world, first that the robot never fell.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value as Json;

use crate::words::tracked_files;

pub fn run(root: &Path, program: &Path) -> Result<Vec<String>> {
    let elsewhere = std::env::temp_dir().join(format!("coact-picture-{}.svg", std::process::id()));
    let mut problems = Vec::new();
    let mut drawn = 0;
    for path in tracked_files(root)?.iter().filter(|path| path.starts_with("docs/") && path.ends_with(".md")) {
        let page = std::fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        for command in commands(&page) {
            drawn += 1;
            if let Err(error) = draw(root, program, &command, &elsewhere) {
                problems.push(format!("{path}: coact {}: {error:#}: its picture stays as it was", command.join(" ")));
            }
        }
    }
    println!("{drawn} pictures of trees and runs");
    Ok(problems)
}

/// The words behind `coact` of each command that draws into the documentation, in a block of its own or in a sentence.
fn commands(page: &str) -> Vec<Vec<&str>> {
    let parts = page.lines().flat_map(|line| line.split('`'));
    let commands = parts.filter_map(|part| part.trim_start_matches("$ ").strip_prefix("coact "));
    let words = commands.map(|command| command.split_whitespace().collect::<Vec<_>>());
    words.filter(|words| target(words).is_some()).collect()
}

fn target<'a>(words: &[&'a str]) -> Option<&'a str> {
    let at = words.iter().position(|word| *word == "--svg")?;
    words.get(at + 1).copied().filter(|path| path.starts_with("docs/"))
}

fn draw(root: &Path, program: &Path, words: &[&str], elsewhere: &Path) -> Result<()> {
    let picture = target(words).context("it draws nothing")?;
    let _ = std::fs::remove_file(elsewhere);
    let mut command = Command::new(program);
    command.current_dir(root).args(words.iter().filter(|word| **word != picture && **word != "--svg"));
    command.arg("--svg").arg(elsewhere);
    let is_run = words[0] == "run";
    if is_run {
        command.arg("--json");
    }
    let output = command.output().with_context(|| format!("cannot start {}", program.display()))?;
    ensure!(output.status.success(), "{}{}", output.status, reason(&output.stdout, &output.stderr));
    if is_run {
        judge(&output.stdout)?;
    }
    std::fs::copy(elsewhere, root.join(picture)).with_context(|| format!("cannot write {picture}"))?;
    let _ = std::fs::remove_file(elsewhere);
    Ok(())
}

/// What the report of a failed run says, or else what the program complained of.
fn reason(out: &[u8], complaint: &[u8]) -> String {
    let report = serde_json::from_slice::<Json>(out).unwrap_or_default();
    let said = report["reason"].as_str().map_or_else(|| String::from_utf8_lossy(complaint), Into::into);
    if said.trim().is_empty() { String::new() } else { format!(": {}", said.trim()) }
}

fn judge(report: &[u8]) -> Result<()> {
    let report: Json = serde_json::from_slice(report).context("the report of the run")?;
    ensure!(report["result"] == "success", "the run ended as {}", report["result"]);
    for truth in report["truths"].as_array().into_iter().flatten() {
        ensure!(truth["met"] == true, "not true of the world: {}", truth["truth"]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_draw_are_found_in_blocks_and_in_sentences() {
        let page = "```console\n$ coact show a.json --svg docs/a.svg\n$ coact run a.json\n```\n\
                    A run, `coact run a.json --svg docs/b.svg --seed 1`: `coact run a.json --svg elsewhere.svg`";
        let found: Vec<_> = commands(page).iter().map(|words| words.join(" ")).collect();
        assert_eq!(found, ["show a.json --svg docs/a.svg", "run a.json --svg docs/b.svg --seed 1"]);
    }

    #[test]
    fn a_run_that_failed_or_of_a_robot_that_fell_is_refused() {
        assert!(judge(br#"{"result": "success"}"#).is_ok());
        assert!(judge(br#"{"result": "success", "truths": [{"truth": "stands", "met": true}]}"#).is_ok());
        assert!(judge(br#"{"result": "success", "truths": [{"truth": "stands", "met": false}]}"#).is_err());
        assert!(judge(br#"{"result": "halted"}"#).is_err());
    }

    #[test]
    fn the_picture_of_a_command_that_fails_stays_as_it_was() {
        let root = std::env::temp_dir().join(format!("coact-pictures-{}", std::process::id()));
        std::fs::create_dir_all(root.join("docs")).expect("a folder");
        std::fs::write(root.join("docs/a.svg"), "before").expect("a picture");
        let words = ["show", "a.json", "--svg", "docs/a.svg"];
        assert!(draw(&root, Path::new("false"), &words, &root.join("drawn.svg")).is_err());
        assert_eq!(std::fs::read_to_string(root.join("docs/a.svg")).expect("a picture"), "before");
        std::fs::remove_dir_all(root).expect("a folder");
    }
}
