//! Results go to standard output, what is wrong to standard error.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use anyhow::Context as _;

/// Why a subcommand ends early.
pub enum Stop {
    /// As in `coact nodes | head`: not worth a word.
    ReaderLeft,
    Wrong(anyhow::Error),
}

impl From<anyhow::Error> for Stop {
    fn from(error: anyhow::Error) -> Stop {
        Stop::Wrong(error)
    }
}

/// The exit code of a subcommand that came to its end.
pub type Done = Result<u8, Stop>;

pub const SUCCESS: u8 = 0;
pub const FAILED: u8 = 1;
pub const WRONG: u8 = 2;

/// Writes to standard output at once: a run that goes on shows what it has.
pub fn print(text: &str) -> Result<(), Stop> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Stop::ReaderLeft),
        Err(error) => Err(Stop::Wrong(anyhow::anyhow!("cannot write the result: {error}"))),
    }
}

pub fn write(path: &Path, text: &str) -> Result<(), Stop> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(())
}

/// A line for standard error. If nobody reads that, the exit code still tells.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

pub fn width() -> usize {
    const WITHOUT: usize = 100;
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    columns.filter(|columns| (20..=1000).contains(columns)).unwrap_or(WITHOUT)
}

pub fn colour() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && !refused && !dumb
}

/// `1 error`, `3 errors`.
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
