//! Trials: a suite of cases, each run over many seeds; what became of each run, and what all of them say. `docs/trials.md`
//! has the form of the files. Nothing here runs a behavior or reads a clock: whoever does hands in the runs' reports.

mod book;
mod case;
mod cause;
mod command;
mod html;
mod outcome;
mod report;
mod statistics;
mod suite;
mod text;
mod timeline;

pub use book::{Book, BookError, Provenance, outcomes};
pub use case::{Case, Ends, Target};
pub use cause::Cause;
pub use command::shell_line;
pub use html::{FailedRun, page};
pub use outcome::{Again, Outcome, Ran, TruthLine};
pub use report::{CaseReport, Report, Summary};
pub use statistics::{Durations, Share};
pub use suite::{Suite, SuiteError};
pub use text::text;
pub use timeline::{escaped, picture as timeline_picture};

/// Of some bytes, the same on every machine: equal ones have the same, others almost never.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    let mut mixed = 0xCBF2_9CE4_8422_2325 ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mixed = (mixed ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^= mixed >> 29;
    }
    mixed
}
