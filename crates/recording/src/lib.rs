//! From what an engine recorded to a run report, and from the report to a timeline people can read.

mod columns;
mod report;
mod rows;
mod timeline;

pub use columns::width_of;
pub use report::{
    BalanceReport, Changed, Held, Logged, MeasuredAt, ObjectChanged, Report, SentCommand, StepRun, StoppedBy,
    TruthReport,
};
pub use rows::Row;
pub use timeline::{Layout, timeline};

/// `7.6`, `0.01`, `12`: as short as it can be without losing a nanosecond.
pub fn seconds_text(seconds: f64) -> String {
    format!("{}", (seconds * 1e9).round() / 1e9)
}
