//! Prints what a robot process takes after 100,000 edits on a tree of 300 nodes, against one that was never edited, and
//! how long joining a tree of 100,000 nodes takes. Real processes on one machine. Fails where a bound is broken.
//!
//! `cargo run --release -p onboard --example growth [EDITS]`
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program that prints figures, and ends where it cannot")]

#[path = "../../coact/src/memory.rs"]
mod memory;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use link::udp::{ChannelAddress, PeerId, UdpNode};
use link::{Event, LinkConfig, Message, Security, Side, Stream};
use model::file::MemoryFiles;
use model::{Edit, Field, Fields, Library, NodeId, Subtree};
use onboard::{Desk, Marks, RobotProcess, Runner, Settings, Shared, Store, serve};
use protocol::talk::{News, Pieces, Sent, ToRobot, Update, Whole, pack, unpack};
use replica::{NewEpoch, Peer, Replica, Version};
use site::Site;

const EDITS: u64 = 100_000;
const NODES: usize = 300;
const MANY_NODES: usize = 100_000;
const MOST_GROWTH: f64 = 1.2;
const MOST_JOIN_S: f64 = 10.0;
/// Edits on their way at once.
const WINDOW: usize = 1_000;

/// Groups of up to a hundred.
fn behavior(nodes: usize) -> String {
    let groups = (nodes - 1).div_ceil(100);
    let waits = |group: usize| {
        let count = ((nodes - 1) - group * 100).min(100) - 1;
        // As many different values as the edits leave: equal ones pack into nothing.
        let seconds = |at: usize| (100 * group + at) * 37 % 977;
        let wait = |at| format!(r#"{{"type": "wait", "name": "wait {group} {at}", "duration_s": {}}}"#, seconds(at));
        (0..count).map(wait).collect::<Vec<String>>().join(",")
    };
    let group = |at| format!(r#"{{"type": "sequence", "name": "group {at}", "children": [{}]}}"#, waits(at));
    let groups: Vec<String> = (0..groups).map(group).collect();
    format!(r#"{{"version": 1, "type": "sequence", "name": "all", "children": [{}]}}"#, groups.join(","))
}

/// The robot process: says where it listens and runs until it is killed.
fn robot(nodes: usize, folder: &Path) {
    let text = behavior(nodes);
    let files = MemoryFiles::from([("main.json", text.as_str())]);
    let library = model::file::load("main.json", &files, nodes::registry().catalogue()).unwrap().library;
    drop(text);
    let link = LinkConfig::wide(Side::Listens, Security::Open, link::random().unwrap());
    let peer = Peer { number: 1, name: "robot".into() };
    let settings = Settings::new("one", "nobody", peer.clone(), &link).unwrap();
    let desk = Desk::new(settings, Shared::from_library(library.clone(), peer, 100).unwrap(), Marks::default());
    let plan = RobotProcess {
        desk,
        link,
        addresses: vec![ChannelAddress { local: "127.0.0.1:0".parse().unwrap(), peer: None }],
        rate_hz: 100.0,
        store: Some(Store::open(folder).unwrap()),
        runner: Box::new(move || {
            Runner::new(library, nodes::registry(), Site::bare(nodes::registry())).map_err(|error| error.to_string())
        }),
    };
    serve(plan, &AtomicBool::new(false), |address| println!("{address}")).unwrap();
}

struct Process {
    child: Child,
    address: SocketAddr,
    folder: PathBuf,
}

impl Process {
    fn start(name: &str, nodes: usize) -> Process {
        let folder = std::env::temp_dir().join(format!("coact-growth-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let program = std::env::current_exe().unwrap();
        let mut command = Command::new(program);
        command.args(["robot", &nodes.to_string()]).arg(&folder).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Process { child, address: line.trim().parse().unwrap(), folder }
    }

    fn resident_bytes(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap() * 1_024
    }

    /// Of the tree and its edits; then of the audit trail, which follows time and people.
    fn disk_bytes(&self) -> (u64, u64) {
        let mut sums = (0, 0);
        for entry in std::fs::read_dir(&self.folder).unwrap().map(Result::unwrap) {
            let is_audit = entry.file_name().to_string_lossy().starts_with("audit");
            *if is_audit { &mut sums.1 } else { &mut sums.0 } += entry.metadata().unwrap().len();
        }
        sums
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// An operator's end, with its copy of the tree.
struct Operator {
    node: UdpNode,
    robot: PeerId,
    replica: Replica,
    library: Library,
    joined_s: f64,
    joined_bytes: usize,
}

impl Operator {
    fn join(address: SocketAddr) -> Operator {
        let begun = Instant::now();
        let config =
            LinkConfig::wide(Side::Connects, Security::Open, link::random().unwrap()).packed(protocol::report::PACKING);
        let local = "127.0.0.1:0".parse().unwrap();
        let mut node = UdpNode::new(config, &[ChannelAddress { local, peer: Some(address) }]).unwrap();
        let robot = node.peers().next().unwrap();
        let (mut pieces, mut whole) = (Pieces::default(), None);
        while whole.is_none() {
            for (_, event) in node.drive(Duration::from_millis(20)) {
                if let Event::Document { stream: Stream::Snapshot, bytes } = event {
                    whole = pieces.take(&bytes).or(whole);
                }
            }
        }
        let bytes = whole.unwrap();
        let whole: Whole = unpack(&Update::from_bytes(&bytes).unwrap().bytes).unwrap();
        let peer =
            Peer { number: u64::from_le_bytes(link::random().unwrap()[..8].try_into().unwrap()), name: "ana".into() };
        let (mut replica, mut library) = Replica::from_genesis(&whole.genesis, peer).unwrap();
        if !whole.updates.is_empty() {
            let merged = replica.merge(&whole.updates, &library).unwrap();
            library.apply_all(&merged.edits).unwrap();
        }
        let (joined_s, joined_bytes) = (begun.elapsed().as_secs_f64(), bytes.len());
        Operator { node, robot, replica, library, joined_s, joined_bytes }
    }

    fn send(&mut self, from: usize) {
        let desk = self.replica.peer().number;
        for unsent in &self.replica.unsent()[from..] {
            let sent =
                Sent { desk, number: unsent.number, refusals: 0, epoch: unsent.epoch, update: unsent.update.clone() };
            let bytes = pack(&ToRobot::Edit(sent));
            self.node.offer(self.robot, Message::Document { stream: Stream::Edits, bytes }).unwrap();
        }
    }

    fn hear(&mut self) {
        for (_, event) in self.node.drive(Duration::from_millis(5)) {
            let Event::Document { stream: Stream::Edits, bytes } = event else { continue };
            match unpack::<News>(&bytes).unwrap() {
                News::Kept { number } => self.replica.settle(number),
                News::Epoch { epoch, holds, check } => {
                    let new = NewEpoch { epoch, holds: Version::from_bytes(&holds).unwrap(), check };
                    let rebased = self.replica.advance(&new, &self.library).unwrap();
                    self.library.apply_all(&rebased.edits).unwrap();
                    self.send(0);
                }
                other => panic!("{other:?}"),
            }
        }
    }

    /// Settings, and steps that come and go, each an edit that the robot says to have on disk.
    fn edit(&mut self, edits: u64) {
        let main = self.library.main();
        let nodes: Vec<NodeId> = main.walk(main.root).filter(|id| &*main.node(*id).kind == "wait").collect();
        for number in 0..edits {
            while self.replica.unsent().len() >= WINDOW {
                self.hear();
            }
            let edits = [edit(number, &nodes, self.library.main().root)];
            self.library.apply_all(&edits).unwrap();
            self.replica.record(&edits, 0).unwrap();
            self.send(self.replica.unsent().len() - 1);
            if number % 32 == 0 {
                self.hear();
            }
        }
        while !self.replica.unsent().is_empty() {
            self.hear();
        }
    }

    fn stay(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until {
            self.hear();
        }
    }
}

/// Each fourth inserts a step that the next one deletes.
fn edit(number: u64, nodes: &[NodeId], root: NodeId) -> Edit {
    let new = |number: u64| NodeId((1 << 40) + number);
    match number % 4 {
        2 => {
            let (kind, name) = ("wait".into(), format!("new {number}").into());
            let (notes, fields) = ("".into(), Fields::default());
            let subtree =
                Subtree { id: new(number), kind, name, notes, fields, id_written: false, children: Vec::new() };
            Edit::Insert { parent: root, index: 0, subtree }
        }
        3 => Edit::Delete { node: new(number - 1) },
        _ => {
            let value = Some(Field::from_json((number % 977).into()));
            Edit::Set { node: nodes[number as usize % nodes.len()], field: "duration_s".into(), value, at: None }
        }
    }
}

struct Figures {
    memory: f64,
    disk: f64,
    audit: f64,
    join_bytes: f64,
    join_s: f64,
}

fn figures(name: &str, edits: u64) -> Figures {
    let robot = Process::start(name, NODES);
    let mut operator = Operator::join(robot.address);
    operator.edit(edits);
    // Long enough for the robot to see that nobody edits.
    operator.stay(Duration::from_secs(4));
    let joins: Vec<Operator> = (0..9).map(|_| Operator::join(robot.address)).collect();
    let join_s = joins.iter().map(|each| each.joined_s).fold(f64::INFINITY, f64::min);
    let (disk, audit) = robot.disk_bytes();
    let same = joins.iter().all(|each| {
        let text = |library: &Library| model::file::save(library.main(), nodes::registry().catalogue());
        text(&each.library) == text(&operator.library)
    });
    assert!(same, "whoever joins has the tree that was edited");
    Figures {
        memory: robot.resident_bytes() as f64,
        disk: disk as f64,
        audit: audit as f64,
        join_bytes: joins[0].joined_bytes as f64,
        join_s,
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [role, nodes, folder] = &*args
        && role == "robot"
    {
        robot(nodes.parse().unwrap(), Path::new(folder));
        return ExitCode::SUCCESS;
    }
    let edits = args.first().map_or(EDITS, |text| text.parse().unwrap());
    let fresh = figures("fresh", 0);
    let begun = Instant::now();
    let after = figures("edited", edits);
    println!(
        "{NODES} nodes, {edits} edits in {:.0} s; fresh, after, and what it grew by",
        begun.elapsed().as_secs_f64()
    );
    let rows = [
        ("memory, MB", fresh.memory / 1e6, after.memory / 1e6),
        ("disk, kB", fresh.disk / 1e3, after.disk / 1e3),
        ("join, kB", fresh.join_bytes / 1e3, after.join_bytes / 1e3),
        ("join, ms", fresh.join_s * 1e3, after.join_s * 1e3),
    ];
    let mut well = true;
    for (what, fresh, after) in rows {
        let holds = after <= MOST_GROWTH * fresh;
        well &= holds;
        let broken = if holds { "" } else { "  BROKEN" };
        println!("{what:12} {fresh:9.2} {after:9.2} {:6.2} × (at most {MOST_GROWTH}){broken}", after / fresh);
    }
    println!("audit, kB    {:9.2} {:9.2}", fresh.audit / 1e3, after.audit / 1e3);
    let many = Process::start("many", MANY_NODES);
    let join = Operator::join(many.address);
    let holds = join.library.main().len() == MANY_NODES && join.joined_s <= MOST_JOIN_S;
    well &= holds;
    let broken = if holds { "" } else { "  BROKEN" };
    let (nodes, megabytes, seconds) = (join.library.main().len(), join.joined_bytes as f64 / 1e6, join.joined_s);
    println!("{nodes} nodes joined: {megabytes:.2} MB in {seconds:.2} s (at most {MOST_JOIN_S} s){broken}");
    if well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
