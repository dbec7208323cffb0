//! What a desk is told at its beginning.

use std::sync::Arc;

use link::{Allowed, Endpoint, Keyed, Latest, LinkConfig, LinkError, Message, PublicKey, Rank};
use model::Problem;
use model::file::Files;
use protocol::Role;
use protocol::report::{RobotPacker, RobotReport, RunMode, RunReport, RunningStep};
use replica::Peer;
use serde::{Deserialize, Serialize};
use synthesis::Capabilities;

const S: u64 = 1_000_000_000;

/// What happens when whoever is in control is out of reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhenLost {
    /// What was told to run by itself goes on; what is led step by step comes to its end.
    #[default]
    GoOn,
    /// Everything stops.
    Stop,
}

/// A capabilities file that the robot began with.
#[derive(Clone, Debug)]
pub struct Able {
    /// Of the file, without its ending.
    pub name: Arc<str>,
    pub capabilities: Arc<Capabilities>,
}

impl Able {
    /// Else everything that is wrong with the file.
    pub fn read(file: &str, text: &str, files: &dyn Files) -> Result<Able, Vec<Problem>> {
        let (capabilities, problems) = Capabilities::load_with(file, text, files);
        if problems.iter().any(Problem::is_error) {
            return Err(problems);
        }
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file).trim_end_matches(".json");
        Ok(Able { name: name.into(), capabilities: Arc::new(capabilities) })
    }
}

#[derive(Clone, Debug)]
pub struct Settings {
    /// The robot's name among robots.
    pub name: Arc<str>,
    /// The description, by name.
    pub robot: Arc<str>,
    /// What it is able to do.
    pub able: Vec<Able>,
    /// Robot and world are simulated.
    pub simulated: bool,
    /// Its world can begin anew.
    pub resets: bool,
    /// Who this is in the shared tree; its number is new whenever a process starts.
    pub peer: Peer,
    pub allowed: Vec<Allowed>,
    pub when_lost: WhenLost,
    pub hold_manual_after_ns: u64,
    pub free_control_after_ns: u64,
    /// An operator that was silent for so long is given up; until then it goes on where it was.
    pub forget_after_ns: u64,
    /// The longest value that fits a datagram.
    pub value_bytes: usize,
    /// The longest tile; none: no clouds and pictures on this link.
    pub tile_bytes: Option<usize>,
    /// Of one picture that somebody asks for: the longest tile, and the pixels; of a cloud a quarter of them.
    pub look_tile_bytes: usize,
    pub look_pixels: u32,
    /// Objects and detections are told at most this often.
    pub things_every_ns: u64,
    /// What the robot feels is told at most this often to those who look.
    pub body_every_ns: u64,
    /// So many running steps fit a report.
    pub running_steps: usize,
    /// So much history goes to somebody who joins, and waits at most.
    pub history_bytes: usize,
    /// Happenings are gathered for this long.
    pub gather_ns: u64,
    /// Nodes in an overview.
    pub top_nodes: usize,
}

/// So many running steps fit a report on this link.
fn most_running(link: &LinkConfig) -> Result<usize, LinkError> {
    const LARGEST: u64 = (1 << 56) - 1;
    let mut probe = Endpoint::new(link.clone())?;
    let step = RunningStep { node: LARGEST, progress_percent: None };
    let report = |steps: usize| RunReport {
        mode: RunMode::Automatic,
        tick: u64::from(u32::MAX),
        next: Some(LARGEST),
        document_version: u32::MAX,
        running: vec![step; steps],
    };
    Ok((1..=200)
        .rev()
        .find(|steps| {
            report(*steps)
                .to_bytes()
                .is_ok_and(|bytes| probe.offer(0, Message::Latest { of: Latest::Run, bytes }).is_ok())
        })
        .unwrap_or(0))
}

impl Settings {
    /// As the link has room for.
    pub fn new(name: &str, robot: &str, peer: Peer, link: &LinkConfig) -> Result<Settings, LinkError> {
        let probe = Endpoint::new(link.clone())?;
        let narrow = link.channels[0].rate_bit_s < 100_000;
        let bulk = link.channels.len() > 1;
        Ok(Settings {
            name: name.into(),
            robot: robot.into(),
            able: Vec::new(),
            simulated: false,
            resets: false,
            peer,
            allowed: Vec::new(),
            when_lost: WhenLost::default(),
            hold_manual_after_ns: 3 * S,
            free_control_after_ns: if narrow { 60 * S } else { 10 * S },
            forget_after_ns: if narrow { 600 * S } else { 60 * S },
            value_bytes: probe.max_keyed_bytes(Keyed::Detail),
            tile_bytes: (!narrow || bulk).then(|| probe.max_keyed_bytes(Keyed::Cloud)),
            look_tile_bytes: probe.max_keyed_bytes(Keyed::Cloud),
            look_pixels: if narrow && !bulk { 3_072 } else { 40_000 },
            things_every_ns: if narrow && !bulk { 3 * S } else { 0 },
            body_every_ns: if narrow && !bulk { S } else { 0 },
            running_steps: most_running(link)?,
            history_bytes: if narrow && !bulk { 4_000 } else { 256_000 },
            gather_ns: if narrow { S / 2 } else { S / 20 },
            top_nodes: if narrow { 40 } else { 120 },
        })
    }

    /// Why the reports of a robot with so many joints do not fit this link, if so.
    pub fn check_robot(&self, link: &LinkConfig, joints: usize) -> Result<(), String> {
        let mut probe = Endpoint::new(link.clone()).map_err(|error| error.to_string())?;
        let report = RobotReport { joints_rad: vec![0.0; joints], ..RobotReport::default() };
        let bytes = RobotPacker::default().pack(&report, 0).map_err(|error| error.to_string())?;
        let message = Message::Latest { of: Latest::Robot, bytes };
        probe.offer(0, message).map(|_| ()).map_err(|error| error.to_string())
    }

    /// The name and the rank of whoever has this key. Without keys it is somebody on this machine, who may do anything.
    pub fn rank_of(&self, key: Option<PublicKey>) -> (Arc<str>, Role) {
        let Some(key) = key else { return ("this machine".into(), Role::Supervisor) };
        match self.allowed.iter().find(|allowed| allowed.key == key) {
            Some(allowed) => {
                let role = match allowed.rank {
                    Rank::Observer => Role::Observer,
                    Rank::Operator => Role::Operator,
                    Rank::Supervisor => Role::Supervisor,
                };
                let name =
                    if allowed.name.is_empty() { key.to_string()[..8].into() } else { allowed.name.as_str().into() };
                (name, role)
            }
            None => (key.to_string()[..8].into(), Role::Observer),
        }
    }
}
