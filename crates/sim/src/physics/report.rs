//! What only the world knows of a run, for its report.

use recording::{BalanceReport, Report, TruthReport};

use super::PhysicsRobot;

pub(super) fn sum_up(robot: &PhysicsRobot, report: &mut Report) {
    let balance = robot.balance();
    if balance.min_margin_m.is_finite() {
        report.balance = Some(BalanceReport {
            min_margin_m: balance.min_margin_m,
            at_s: balance.min_margin_at_s,
            longest_outside_s: balance.longest_outside_s,
            outside_at_s: balance.longest_outside_at_s,
            max_friction: balance.max_friction,
        });
    }
    let why = robot.fallen().unwrap_or_default().to_owned();
    let stands = TruthReport {
        truth: "the robot never fell".to_owned(),
        of_balance: true,
        met: why.is_empty(),
        at_s: None,
        things: None,
        why,
    };
    let expected = robot.truths().into_iter().map(|seen| TruthReport {
        truth: seen.text,
        of_balance: false,
        met: seen.met,
        at_s: seen.at_s,
        things: seen.things.map(|(done, of)| [done, of]),
        why: seen.why,
    });
    report.truths = std::iter::once(stands).chain(expected).collect();
}
