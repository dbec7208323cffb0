//! The text that experience is kept as: a line a batch or a shift, each with a number made of it, so that what was cut or
//! changed by hand is known. One file a task.

use std::fmt;

use model::hash::Fnv;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::batch::{Batch, Forget, Shift};
use crate::gathered::shift;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    Batch(Box<Batch>),
    Shift(Shift),
    Forget(Forget),
}

#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(flatten)]
    line: Line,
    check: String,
}

/// What a file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// With their shifts done.
    pub batches: Vec<Batch>,
    pub wrong: Vec<WrongLine>,
}

/// A line that is not used; it stays where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongLine {
    /// From 1 on.
    pub line: usize,
    pub why: &'static str,
}

impl fmt::Display for WrongLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {} is not used: {}", self.line, self.why)
    }
}

/// Reads what it can; nothing of it is changed.
pub fn read(text: &str) -> Lines {
    let mut lines = Lines::default();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match read_line(line) {
            Ok(Line::Batch(batch)) => lines.batches.push(*batch),
            Ok(Line::Shift(by)) => shift(lines.batches.iter_mut(), &by),
            Ok(Line::Forget(what)) => lines.batches.retain(|batch| !what.is_of(batch)),
            Err(why) => lines.wrong.push(WrongLine { line: number + 1, why }),
        }
    }
    lines
}

fn read_line(text: &str) -> Result<Line, &'static str> {
    let written: Written = serde_json::from_str(text).map_err(|_| "it was cut, or is none of an experience")?;
    if written.check != check(&written.line) {
        return Err("it was changed by hand, or damaged");
    }
    Ok(written.line)
}

/// With the end of the line.
pub fn write(line: &Line) -> String {
    let written = Written { line: line.clone(), check: check(line) };
    serde_json::to_string(&written).map_or_else(|_| String::new(), |text| text + "\n")
}

fn check(line: &Line) -> String {
    let text = serde_json::to_string(line).unwrap_or_default();
    format!("{:016x}", Fnv::new().with(text.as_bytes()).mixed())
}

/// What a task may be called: its experience is a file of that name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskName(String);

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` cannot name a task: write it as a file's name without its ending, as `needle-valve/tighten`")]
pub struct WrongName(String);

impl TaskName {
    pub fn new(name: &str) -> Result<TaskName, WrongName> {
        let file = format!("{name}.json");
        match model::file::inside(&file) {
            Ok(folded) if folded == file && !name.is_empty() && name.trim() == name => Ok(TaskName(name.to_owned())),
            _ => Err(WrongName(name.escape_debug().to_string())),
        }
    }

    /// Under the folder of all experience.
    pub fn file(&self) -> String {
        format!("{}.jsonl", self.0)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}
