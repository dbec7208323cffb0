//! Who commanded what, when, and what became of it: a line of JSON each, in a file a day. Everybody has a share of it,
//! [`Budget`], so that nobody writes over the lines of others.

use std::sync::Arc;

use protocol::{Role, plain};
use serde::Serialize;

pub use crate::audit_budget::Budget;

/// A moment on both clocks: one that does not jump, and the one on the wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Now {
    pub ns: u64,
    pub unix_ms: u64,
}

/// The kind of what was done: each has a share of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    Stop,
    Run,
    Control,
    Open,
    Watch,
    Edit,
    /// Something that never became an order.
    Lost,
}

pub const DONE: &str = "done";

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// `2026-11-16T06:00:00.000Z`.
    pub at: String,
    #[serde(skip)]
    pub at_ns: u64,
    pub by: Arc<str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Where it came from: the name of a key, or this machine.
    pub from: Arc<str>,
    #[serde(skip)]
    pub deed: Deed,
    pub what: String,
    /// The same for people.
    #[serde(skip)]
    pub said: String,
    pub outcome: String,
    /// So often since the last line about it: there was no room for a line each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
}

/// Of a line, `2026-11-16`; none: it is no line of ours.
pub fn day_of(line: &str) -> Option<&str> {
    let day = line.strip_prefix("{\"at\":\"")?.get(..10)?;
    day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-').then_some(day)
}

impl Entry {
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("texts are JSON") + "\n"
    }

    /// For people: `ana: switch automatic on`. One line, whatever is in it.
    pub fn text(&self) -> String {
        let times = self.times.map(|times| format!(" ({times} times)")).unwrap_or_default();
        let outcome = if self.outcome == DONE { String::new() } else { format!(": {}", self.outcome) };
        plain(&format!("{}: {}{outcome}{times}", self.by, self.said))
    }
}

/// In UTC, to the millisecond.
pub fn date(unix_ms: u64) -> String {
    let (days, ms) = ((unix_ms / 86_400_000) as i64, unix_ms % 86_400_000);
    // Of years that begin in March, so that a leap day is the last of its year.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hours, minutes) = (ms / 3_600_000, ms / 60_000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{:02}.{:03}Z", ms / 1000 % 60, ms % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(date(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(date(1_709_251_199_999), "2024-02-29T23:59:59.999Z");
        assert_eq!(date(4_102_444_800_000), "2100-01-01T00:00:00.000Z");
    }
}
