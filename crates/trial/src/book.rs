//! The results of a trial on disk, a line each: whatever ends the program, what was written stays.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::outcome::Outcome;

const RESULTS: &str = "results.jsonl";

/// What the runs of a case were made of; each part a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    pub case: String,
    /// What the suite says of it, with the world.
    pub suite: String,
    /// Behavior, skills, cells, templates, robot.
    pub files: String,
    pub program: String,
}

#[derive(Debug, Error)]
pub enum BookError {
    #[error("cannot write results to {}: {error}", file.display())]
    Io { file: PathBuf, error: io::Error },
    #[error("{} is in use by another trial: wait for it, or name another folder with --out", file.display())]
    InUse { file: PathBuf },
    #[error("{} line {line}: this is no result of a trial: name another folder with --out", file.display())]
    NotOurs { file: PathBuf, line: usize },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Plan(Provenance),
    Run(Outcome),
}

#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    file: File,
    plans: BTreeMap<String, Provenance>,
    outcomes: BTreeMap<(String, u64), Outcome>,
}

impl Book {
    /// Reads what is there; a line that was cut off while it was written is dropped.
    pub fn open(folder: &Path) -> Result<Book, BookError> {
        let path = folder.join(RESULTS);
        let at = |error: io::Error| BookError::Io { file: path.clone(), error };
        std::fs::create_dir_all(folder).map_err(at)?;
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(at)?;
        if file.try_lock().is_err() {
            return Err(BookError::InUse { file: path });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(at)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(at)?;
        file.seek(SeekFrom::End(0)).map_err(at)?;
        let mut book = Book { path, file, plans: BTreeMap::new(), outcomes: BTreeMap::new() };
        for (index, line) in bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).enumerate() {
            match serde_json::from_slice(line) {
                Ok(line) => book.take(line),
                Err(_) => return Err(BookError::NotOurs { file: book.path, line: index + 1 }),
            }
        }
        Ok(book)
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Plan(plan) => {
                // What was made otherwise does not count any more.
                self.outcomes.retain(|(case, _), _| *case != plan.case);
                self.plans.insert(plan.case.clone(), plan);
            }
            Line::Run(outcome) => drop(self.outcomes.insert((outcome.case.clone(), outcome.seed), outcome)),
        }
    }

    fn write(&mut self, line: Line) -> Result<(), BookError> {
        let at = |error: io::Error| BookError::Io { file: self.path.clone(), error };
        let text = serde_json::to_string(&line).map_err(|error| at(error.into()))?;
        self.file.write_all(format!("{text}\n").as_bytes()).map_err(at)?;
        self.take(line);
        Ok(())
    }

    /// What the results that are there were made of.
    pub fn plan(&self, case: &str) -> Option<&Provenance> {
        self.plans.get(case)
    }

    /// From now on its runs are made so; what was made otherwise is dropped.
    pub fn begin(&mut self, plan: Provenance) -> Result<(), BookError> {
        if self.plan(&plan.case) == Some(&plan) { Ok(()) } else { self.write(Line::Plan(plan)) }
    }

    pub fn add(&mut self, outcome: Outcome) -> Result<(), BookError> {
        self.write(Line::Run(outcome))
    }

    pub fn outcome(&self, case: &str, seed: u64) -> Option<&Outcome> {
        self.outcomes.get(&(case.to_owned(), seed))
    }

    pub fn count(&self, case: &str) -> usize {
        self.outcomes.keys().filter(|(of, _)| of == case).count()
    }
}

/// What became of the runs of a folder so far, also while a trial writes it: what is not whole yet is left out.
pub fn outcomes(folder: &Path) -> BTreeMap<(String, u64), Outcome> {
    let text = std::fs::read_to_string(folder.join(RESULTS)).unwrap_or_default();
    let mut outcomes: BTreeMap<(String, u64), Outcome> = BTreeMap::new();
    for line in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
        match line {
            // What was made otherwise does not count any more.
            Line::Plan(plan) => outcomes.retain(|(case, _), _| *case != plan.case),
            Line::Run(outcome) => drop(outcomes.insert((outcome.case.clone(), outcome.seed), outcome)),
        }
    }
    outcomes
}

impl Provenance {
    /// What differs, in words.
    pub fn changes(&self, since: &Provenance) -> Vec<&'static str> {
        let parts = [
            ("what the suite says of it", self.suite != since.suite),
            ("its behavior or another file it uses", self.files != since.files),
            ("the program", self.program != since.program),
        ];
        parts.into_iter().filter(|(_, differs)| *differs).map(|(part, _)| part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(program: &str) -> Provenance {
        Provenance { case: "a".into(), suite: "1".into(), files: "2".into(), program: program.into() }
    }

    fn outcome(seed: u64) -> Outcome {
        let text = format!(
            r#"{{"case": "a", "seed": {seed}, "success": true, "result": "success", "reason": "", "ended_s": 1, "duration_s": 1}}"#
        );
        serde_json::from_str(&text).expect("an outcome")
    }

    #[test]
    fn what_was_written_is_there_again_and_what_was_cut_off_is_not() {
        let folder = std::env::temp_dir().join(format!("coact-book-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut book = Book::open(&folder).expect("a new one");
        book.begin(plan("3")).expect("written");
        book.add(outcome(5)).expect("written");
        assert!(matches!(Book::open(&folder), Err(BookError::InUse { .. })));
        drop(book);
        let path = folder.join("results.jsonl");
        let mut text = std::fs::read_to_string(&path).expect("it is there");
        let whole = text.clone();
        text.push_str(r#"{"run": {"case": "a", "se"#);
        std::fs::write(&path, &text).expect("written");
        let mut book = Book::open(&folder).expect("it opens");
        assert_eq!((book.outcome("a", 5), book.count("a")), (Some(&outcome(5)), 1));
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), whole);
        book.begin(plan("3")).expect("the same");
        assert_eq!(book.count("a"), 1);
        assert_eq!(plan("4").changes(book.plan("a").expect("a plan")), ["the program"]);
        book.begin(plan("4")).expect("another");
        assert_eq!(book.count("a"), 0);
        drop(book);
        assert_eq!(Book::open(&folder).expect("it opens").count("a"), 0);
        std::fs::write(&path, "hello\n").expect("written");
        assert!(matches!(Book::open(&folder), Err(BookError::NotOurs { line: 1, .. })));
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
