//! Marks of a recording that is still written: they lie beside the file until it is closed, then they are put into it.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use protocol::api::{Failure, FailureCode, MarkView};
use runlog::{File, Mark, ReadError};

use crate::operator::failure;

fn beside(path: &Path) -> PathBuf {
    path.with_extension("marks")
}

fn unread(error: ReadError) -> Failure {
    failure(FailureCode::Failed, error.to_string())
}

/// A mark, in the order of those that were made; a line that was cut off is left out.
fn waiting(path: &Path) -> Vec<Mark> {
    let text = fs::read_to_string(beside(path)).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// `live`: somebody writes the file.
pub fn add(path: &Path, mark: &Mark, live: bool) -> Result<(), Failure> {
    if !live {
        settle(path)?;
        return runlog::mark(path, mark).map_err(unread);
    }
    let line = serde_json::to_string(mark).unwrap_or_default();
    let write = || writeln!(OpenOptions::new().create(true).append(true).open(beside(path))?, "{line}");
    write().map_err(|error| failure(FailureCode::Failed, format!("the mark cannot be written: {error}")))
}

/// Those that wait go into the file, which nobody writes any more.
pub fn settle(path: &Path) -> Result<(), Failure> {
    if !beside(path).exists() {
        return Ok(());
    }
    for mark in waiting(path) {
        runlog::mark(path, &mark).map_err(unread)?;
    }
    fs::remove_file(beside(path)).map_err(|error| failure(FailureCode::Failed, error.to_string()))
}

/// Of the file and beside it, those that were not taken away again.
pub fn all(file: &File) -> Result<Vec<MarkView>, Failure> {
    let mut marks = runlog::marks(file).map_err(unread)?;
    for mark in waiting(file.path()) {
        if mark.text.is_empty() {
            marks.retain(|known| (known.at_s - mark.at_s).abs() > 1e-6);
        } else {
            marks.push(mark);
        }
    }
    marks.sort_by(|one, other| one.at_s.total_cmp(&other.at_s));
    Ok(marks.into_iter().map(|Mark { at_s, by, text }| MarkView { at_s, by, text }).collect())
}
