//! How a motion of fingers ends: what they hold may stop them, and that is often what was wanted.

use engine::{End, Tick, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What it means that fingers are stopped on their way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Blocked {
    /// They hold something: success, with the outcome `blocked`.
    #[default]
    Success,
    /// Failure, with the outcome `blocked`.
    Failure,
}

/// Fingers slow down before they are there, whatever their speed.
pub const SETTLE_S: f64 = 1.0;

/// Names how a motion of fingers has ended. `done`: the robot did what it was told, as far as it went.
pub fn ended(tick: Tick, done: bool, blocked: Blocked) -> Tick {
    let Tick::Ended(end) = tick else { return tick };
    Tick::Ended(match (end.verdict, blocked) {
        (Verdict::Success, _) => end.with_outcome("reached"),
        (Verdict::Failure, Blocked::Success) if done => {
            let reason = end.reason_text().to_owned();
            End::SUCCESS.with_outcome("blocked").with_reason(reason)
        }
        (Verdict::Failure, Blocked::Failure) if done => end.with_outcome("blocked"),
        _ => end,
    })
}
