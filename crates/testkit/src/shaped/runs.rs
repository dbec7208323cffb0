//! What the runs have in common: a robot that walks and works.

use super::{MS, Network, Path, ROBOT, SECOND};
use geometry::Pose;
use link::{Latest, LinkError, Message, OfferError};
use protocol::report::{RobotPacker, RobotReport, RunMode, RunReport, RunningStep};

pub(super) const STEP_NS: u64 = 10 * MS;
pub(super) const EDIT_BYTES: usize = 107;

/// A robot of 30 joints that walks: everything moves, all the time.
fn robot_report(at_ns: u64) -> RobotReport {
    let time_s = at_ns as f64 / SECOND as f64;
    // A triangle wave: moves like a joint, with the same bits on every machine.
    let wave = |phase: f64| ((time_s * 0.7 + phase).fract() - 0.5).abs() * 4.0 - 1.0;
    RobotReport {
        world_from_base: Pose::from_numbers([
            time_s * 0.4,
            wave(0.1) * 0.02,
            0.95 + wave(0.3) * 0.01,
            wave(0.2) * 0.02,
            wave(0.4) * 0.02,
            wave(0.6) * 0.1,
            1.0,
        ])
        .unwrap_or_default(),
        joints_rad: (0..30).map(|joint| wave(f64::from(joint) * 0.037) * 0.8).collect(),
        flags: 1,
    }
}

/// Ten steps that run, each with a progress of its own; now and then one ends and another begins.
fn run_report(at_ns: u64) -> RunReport {
    let step = |index: u64| RunningStep {
        node: 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(index * 1_000 + at_ns / (4 + index) / SECOND) >> 8,
        progress_percent: Some((at_ns / MS / (23 + index) % 101) as u8),
    };
    RunReport {
        mode: RunMode::Automatic,
        tick: at_ns / (10 * MS),
        next: Some(at_ns / (7 * SECOND)),
        document_version: 12,
        running: (0..10).map(step).collect(),
    }
}

fn run_message(report: &RunReport) -> Message {
    let bytes = report.to_bytes().expect("its steps are few, and their numbers short");
    Message::Latest { of: Latest::Run, bytes }
}

/// A robot that stands, with all its joints at one angle.
pub fn robot(joints: usize, angle_rad: f64) -> Message {
    let report = RobotReport { joints_rad: vec![angle_rad; joints], ..RobotReport::default() };
    let bytes = RobotPacker::default().pack(&report, 0).expect("a robot that stands at the origin");
    Message::Latest { of: Latest::Robot, bytes }
}

/// A run in which nothing happens.
pub fn run(tick: u64) -> Message {
    run_message(&RunReport { tick, ..RunReport::default() })
}

/// Of a report of a run.
pub fn tick_of(bytes: &[u8]) -> Option<u64> {
    RunReport::from_bytes(bytes).map(|report| report.tick)
}

pub(super) fn report(network: &mut Network) -> Result<(), OfferError> {
    if network.now_ns.is_multiple_of(2 * STEP_NS) {
        let report = robot_report(network.now_ns);
        let bytes = network.packer.pack(&report, network.now_ns).expect("this robot is near and has few joints");
        network.offer(ROBOT, Message::Latest { of: Latest::Robot, bytes })?;
    }
    if network.now_ns.is_multiple_of(10 * STEP_NS) {
        network.offer(ROBOT, run_message(&run_report(network.now_ns)))?;
    }
    Ok(())
}

/// From offering to arrival, or from the light coming back where it was dark in between.
pub(super) fn latency_ns(path: &Path, offered_ns: u64, arrived_ns: u64) -> u64 {
    arrived_ns - offered_ns.max(path.light_since_ns(arrived_ns))
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Offer(#[from] OfferError),
}
