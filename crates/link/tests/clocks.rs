//! Two machines whose clocks differ: fresh commands are done, late ones refused, and both know how late is late.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use link::{Event, LinkConfig, Message, Outcome, Quality, Refusal};
use testkit::shaped::{self, MS, Network, OPERATOR, Path, ROBOT, SECOND, both};

fn network(robot_clock_ns: u64, operator_clock_ns: u64) -> Network {
    let mut network = Network::new(both(LinkConfig::narrow, 3), vec![[Path::narrow(), Path::narrow()]], 1).unwrap();
    network.clock_ns = [robot_clock_ns, operator_clock_ns];
    network
}

fn command(valid_for_ns: u64) -> Message {
    Message::Command { bytes: b"step".to_vec(), valid_for_ns }
}

/// The outcome of each command, in order of its answer.
fn outcomes(network: &mut Network, until_ns: u64) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    while network.now_ns < until_ns {
        network.run_until(network.now_ns + 20 * MS);
        for happened in network.take_log() {
            match happened.event {
                Event::Command { id, .. } => {
                    network.offer(ROBOT, Message::Answer { to: id, bytes: Vec::new() }).unwrap();
                }
                Event::Answered { outcome, .. } => outcomes.push(outcome),
                _ => {}
            }
        }
    }
    outcomes
}

const DONE: Outcome = Outcome::Answered(Vec::new());
const LATE: Outcome = Outcome::Refused(Refusal::Late);

#[test]
fn ten_seconds_apart_in_either_direction() {
    let day = 86_400 * SECOND;
    for (robot_ns, operator_ns) in
        [(11 * SECOND, SECOND), (SECOND, 11 * SECOND), (40 * day, SECOND), (SECOND, 40 * day)]
    {
        let mut network = network(robot_ns, operator_ns);
        outcomes(&mut network, 5 * SECOND);
        network.offer(OPERATOR, command(SECOND)).unwrap();
        assert_eq!(outcomes(&mut network, 8 * SECOND), [DONE], "clocks {robot_ns}, {operator_ns}");
        // Its way takes 10 ms of a line that is busy and 15 of delay: 5 ms are too few.
        network.offer(OPERATOR, command(5 * MS)).unwrap();
        assert_eq!(outcomes(&mut network, 11 * SECOND), [LATE]);
        network.path(0, OPERATOR).delay_ns = 900 * MS;
        network.offer(OPERATOR, command(500 * MS)).unwrap();
        assert_eq!(outcomes(&mut network, 16 * SECOND), [LATE], "a slow network makes commands late");
        let status = network.ends[ROBOT].status(network.local_ns(ROBOT));
        let ahead_ns = i128::from(robot_ns) - i128::from(operator_ns);
        let error_ns = (i128::from(status.clock_ahead_ns.unwrap()) - ahead_ns).unsigned_abs();
        assert!(error_ns <= u128::from(status.clock_error_ns.unwrap()) + 1_000_000, "{status:?}");
    }
}

#[test]
fn a_command_given_before_a_blackout_is_late_after_it() {
    let mut network = network(SECOND, 11 * SECOND);
    outcomes(&mut network, 5 * SECOND);
    network.path(0, OPERATOR).dark.push(5 * SECOND..30 * SECOND);
    network.path(0, ROBOT).dark.push(5 * SECOND..30 * SECOND);
    network.offer(OPERATOR, command(2 * SECOND)).unwrap();
    network.offer(OPERATOR, command(60 * SECOND)).unwrap();
    let mut found = outcomes(&mut network, 33 * SECOND);
    found.sort_by_key(|outcome| *outcome == LATE);
    assert_eq!(found, [DONE, LATE]);
}

#[test]
fn clocks_that_drift_stay_known() {
    let mut network = network(SECOND, 11 * SECOND);
    network.drift_ppm = [100, 0];
    for minute in 1..=20 {
        outcomes(&mut network, minute * 60 * SECOND);
        network.offer(OPERATOR, command(300 * MS)).unwrap();
        assert_eq!(outcomes(&mut network, minute * 60 * SECOND + 2 * SECOND), [DONE], "minute {minute}");
    }
}

#[test]
fn the_age_of_state_is_its_true_age() {
    let mut network = network(11 * SECOND, SECOND);
    network.path(0, ROBOT).delay_ns = 115 * MS;
    network.path(0, OPERATOR).delay_ns = 115 * MS;
    outcomes(&mut network, 5 * SECOND);
    network.offer(ROBOT, shaped::run(7)).unwrap();
    network.run_until(7 * SECOND);
    let age_ns = network.ends[OPERATOR].status(network.local_ns(OPERATOR)).run_age_ns.unwrap();
    assert!(age_ns.abs_diff(2 * SECOND) < 60 * MS, "{age_ns}");
}

#[test]
fn a_stop_voids_the_commands_given_before_it() {
    let mut network = network(SECOND, SECOND);
    outcomes(&mut network, 5 * SECOND);
    // The command is lost, the stop given after it is not.
    network.path(0, OPERATOR).dark.push(5 * SECOND..5 * SECOND + 100 * MS);
    network.offer(OPERATOR, command(60 * SECOND)).unwrap();
    network.run_until(5 * SECOND + 200 * MS);
    network.offer(OPERATOR, Message::Stop).unwrap();
    network.offer(OPERATOR, command(60 * SECOND)).unwrap();
    let mut found = outcomes(&mut network, 12 * SECOND);
    found.sort_by_key(|outcome| *outcome != DONE);
    assert_eq!(found, [DONE, Outcome::Refused(Refusal::OvertakenByStop)]);
}

/// Acknowledgements of mere state take their time; that is no loss, and sending again what is there costs the robot.
#[test]
fn a_link_that_loses_nothing_says_so() {
    let wide = Path { rate_bit_s: 100_000_000, delay_ns: MS, jitter_ns: 0, ..Path::narrow() };
    let mut network = Network::new(both(LinkConfig::wide, 3), vec![[wide.clone(), wide]], 1).unwrap();
    for tick in 0..1_000 {
        network.run_until(2 * SECOND + tick * 10 * MS);
        network.offer(ROBOT, shaped::robot(30, tick as f64 * 1e-3)).unwrap();
    }
    for end in [ROBOT, OPERATOR] {
        let status = network.ends[end].status(network.local_ns(end));
        assert_eq!((status.quality, status.loss), (Quality::Good, 0.0));
    }
}

/// The link as the robot's end sees it after ten seconds of state over this path.
fn status_after(path: &Path) -> (Quality, f64) {
    let mut network = Network::new(both(LinkConfig::wide, 3), vec![[path.clone(), path.clone()]], 1).unwrap();
    for tick in 0..1_000 {
        network.run_until(2 * SECOND + tick * 10 * MS);
        network.offer(ROBOT, shaped::robot(30, tick as f64 * 1e-3)).unwrap();
    }
    let status = network.ends[ROBOT].status(network.local_ns(ROBOT));
    (status.quality, status.loss)
}

/// Two processes on one busy machine wait for their turn, now and then for a tenth of a second.
#[test]
fn what_is_acknowledged_late_was_not_lost() {
    let busy = Path { rate_bit_s: 100_000_000, delay_ns: MS / 10, jitter_ns: 150 * MS, ..Path::narrow() };
    assert_eq!(status_after(&busy), (Quality::Good, 0.0));
}

#[test]
fn what_never_comes_was_lost() {
    let lossy = Path { rate_bit_s: 100_000_000, delay_ns: MS, jitter_ns: 0, loss: 0.3, ..Path::narrow() };
    let (quality, loss) = status_after(&lossy);
    assert!(quality == Quality::Poor && (0.15..0.5).contains(&loss), "{loss}");
}
