//! An operator begins, on a narrow link.

use std::collections::BTreeMap;

use super::runs::{EDIT_BYTES, RunError, STEP_NS, report};
use super::{Dice, Network, OPERATOR, Path, ROBOT, SECOND, blackouts, both, worst_second_bytes};
use link::{ByteCounts, Event, Latest, LinkConfig, Message, Stream};

/// An operator joins a tree of 300 nodes.
#[derive(Debug)]
pub struct JoinFigures {
    /// All in time of light since the operator's process began.
    pub connected_s: f64,
    pub overview_s: f64,
    pub snapshot_s: f64,
    pub history_s: f64,
    pub robot_hz: f64,
    pub stop_s: f64,
    pub edit_s: f64,
    pub worst_second_bytes: [usize; 2],
    pub counts: [ByteCounts; 2],
}

pub const OVERVIEW_BYTES: usize = 1_500;
pub const SNAPSHOT_BYTES: usize = 300 * 60;
pub const HISTORY_BYTES: usize = 12_000;

pub fn join(dark: bool, seed: u64) -> Result<JoinFigures, RunError> {
    let until_ns = 400 * SECOND;
    let mut path = Path::narrow();
    if dark {
        let mut dice = Dice::new(seed);
        path.dark = blackouts(12 * SECOND..35 * SECOND, 25 * SECOND..25 * SECOND + 1, until_ns, &mut dice);
    }
    let mut network = Network::new(both(LinkConfig::narrow, 9), vec![[path.clone(), path.clone()]], seed)?;
    let mut at = BTreeMap::new();
    let mut robots = 0_u32;
    for at_ns in (0..until_ns).step_by(STEP_NS as usize) {
        network.run_until(at_ns);
        report(&mut network)?;
        for happened in network.take_log() {
            let light_s = path.light_ns(0, happened.at_ns) as f64 / SECOND as f64;
            match (happened.event, happened.end) {
                (Event::Connected { .. }, ROBOT) => {
                    at.insert("connected", light_s);
                    for (stream, bytes) in [
                        (Stream::Overview, OVERVIEW_BYTES),
                        (Stream::Snapshot, SNAPSHOT_BYTES),
                        (Stream::History, HISTORY_BYTES),
                    ] {
                        network.offer(ROBOT, Message::Document { stream, bytes: vec![1; bytes] })?;
                    }
                }
                (Event::Document { stream, .. }, OPERATOR) => {
                    let name = match stream {
                        Stream::Overview => "overview",
                        Stream::Edits => "edits",
                        Stream::Snapshot => "snapshot",
                        Stream::History => "history",
                    };
                    at.insert(name, light_s);
                    if stream == Stream::Overview {
                        network.offer(OPERATOR, Message::Stop)?;
                        let edit = Message::Document { stream: Stream::Edits, bytes: vec![5; EDIT_BYTES] };
                        network.offer(OPERATOR, edit)?;
                    }
                }
                (Event::Document { stream: Stream::Edits, .. }, ROBOT) => drop(at.insert("edit", light_s)),
                (Event::Stop, ROBOT) => drop(at.insert("stop", light_s)),
                (Event::Latest { of: Latest::Robot, .. }, OPERATOR) => {
                    robots += u32::from(!at.contains_key("snapshot"))
                }
                _ => {}
            }
        }
    }
    let time = |name: &str| at.get(name).copied().unwrap_or(f64::INFINITY);
    Ok(JoinFigures {
        connected_s: time("connected"),
        overview_s: time("overview"),
        snapshot_s: time("snapshot"),
        history_s: time("history"),
        robot_hz: f64::from(robots) / (time("snapshot") - time("connected")),
        stop_s: time("stop") - time("overview"),
        edit_s: time("edit") - time("overview"),
        worst_second_bytes: [ROBOT, OPERATOR].map(|end| worst_second_bytes(&network.sent, end, 0)),
        counts: [ROBOT, OPERATOR].map(|end| *network.ends[end].byte_counts()),
    })
}
