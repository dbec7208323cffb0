//! The real robot process over loopback: killed, restarted, its files damaged.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use engine::Control;
use link::udp::{ChannelAddress, PeerId, UdpNode};
use link::{Event, Latest, LinkConfig, Message, Outcome, Receipt, Security, Side, Stream};
use model::{Edit, Library};
use protocol::Role;
use protocol::report::{PACKING, RunMode, RunReport};
use protocol::talk::{Demand, News, Pieces, Reply, Sent, ToRobot, Update, Want, Whole, pack, unpack};
use replica::{Peer, Replica};

const BEHAVIOR: &str = r#"{"version": 1, "type": "sequence", "name": "all", "children": [
  {"type": "wait", "name": "first", "duration_s": 60},
  {"type": "wait", "name": "second", "duration_s": 60}
]}"#;

/// Far more than is needed on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

struct Robot {
    child: Child,
    address: SocketAddr,
}

impl Robot {
    fn start(folder: &Path) -> Robot {
        let mut child = Command::new(env!("CARGO_BIN_EXE_coact"))
            .args(["robot", "--listen", "127.0.0.1:0", "--name", "one", "--behavior"])
            .arg(folder.join("behavior.json"))
            .arg("--state")
            .arg(folder.join("state"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit(' ').next().and_then(|address| address.parse().ok());
        Robot { child, address: address.unwrap_or_else(|| panic!("no address in {line:?}")) }
    }

    /// As a power cut would.
    fn kill(mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let mut told = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        told
    }
}

impl Drop for Robot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Operator {
    node: UdpNode,
    robot: PeerId,
    events: Vec<Event>,
}

impl Operator {
    fn connect(robot: &Robot) -> Operator {
        let local = "127.0.0.1:0".parse().unwrap();
        let config = LinkConfig::wide(Side::Connects, Security::Open, [0; 32]);
        let node =
            UdpNode::new(config.packed(PACKING), &[ChannelAddress { local, peer: Some(robot.address) }]).unwrap();
        let robot = node.peers().next().unwrap();
        Operator { node, robot, events: Vec::new() }
    }

    /// Waits for something that the robot tells.
    fn wait<T>(&mut self, what: &str, find: impl Fn(&Event) -> Option<T>) -> T {
        let until = Instant::now() + PATIENCE;
        let mut looked = 0;
        loop {
            if let Some(found) = self.events[looked..].iter().find_map(&find) {
                return found;
            }
            looked = self.events.len();
            assert!(Instant::now() < until, "no {what}");
            self.events.extend(self.node.drive(Duration::from_millis(50)).into_iter().map(|(_, event)| event));
        }
    }

    fn tree(&mut self) -> (Replica, Library) {
        let update = self.wait("tree", |event| match event {
            Event::Document { stream: Stream::Snapshot, bytes } => Pieces::default().take(bytes),
            _ => None,
        });
        let whole: Whole = unpack(&Update::from_bytes(&update).unwrap().bytes).unwrap();
        let peer =
            Peer { number: u64::from_le_bytes(link::random().unwrap()[..8].try_into().unwrap()), name: "ana".into() };
        let (mut replica, mut library) = Replica::from_genesis(&whole.genesis, peer).unwrap();
        if !whole.updates.is_empty() {
            let merged = replica.merge(&whole.updates, &library).unwrap();
            library.apply_all(&merged.edits).unwrap();
        }
        (replica, library)
    }

    fn order(&mut self, what: Want) -> Reply {
        let bytes = Demand { by: "ana".into(), role: Role::Operator, team_role: None, session: 1, what }.to_bytes();
        let command = Message::Command { bytes, valid_for_ns: PATIENCE.as_nanos() as u64 };
        let Receipt::Command(given) = self.node.offer(self.robot, command).unwrap() else { panic!("no receipt") };
        let outcome = self.wait("answer", |event| match event {
            Event::Answered { id, outcome } if *id == given => Some(outcome.clone()),
            _ => None,
        });
        let Outcome::Answered(bytes) = outcome else { panic!("{outcome:?}") };
        serde_json::from_slice(&bytes).unwrap()
    }

    fn wait_for_mode(&mut self, wanted: RunMode) {
        self.events.clear();
        self.wait("mode", |event| match event {
            Event::Latest { of: Latest::Run, bytes, .. } => {
                (RunReport::from_bytes(bytes)?.mode == wanted).then_some(())
            }
            _ => None,
        });
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("coact-robot-process-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("behavior.json"), BEHAVIOR).unwrap();
    folder
}

fn names(library: &Library) -> Vec<String> {
    let main = library.main();
    main.walk(main.root).map(|id| main.node(id).label().to_string()).collect()
}

/// Waits until a file whose name begins so has this in it: the audit is a file a day.
fn wait_for_file(operator: &mut Operator, folder: &Path, name: &str, part: &[u8]) {
    let until = Instant::now() + PATIENCE;
    let has =
        |path: PathBuf| std::fs::read(path).is_ok_and(|bytes| bytes.windows(part.len()).any(|window| window == part));
    let is_it = |path: &PathBuf| path.file_name().is_some_and(|each| each.to_string_lossy().starts_with(name));
    while !std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_it).any(has) {
        assert!(Instant::now() < until, "{name} in {} has no such content", folder.display());
        operator.node.drive(Duration::from_millis(20));
    }
}

#[test]
fn killed_while_it_runs_it_comes_back_stopped_with_the_tree_it_had() {
    let folder = folder("kill");
    let robot = Robot::start(&folder);
    let mut ana = Operator::connect(&robot);
    let (mut replica, mut library) = ana.tree();
    assert_eq!(names(&library), ["all", "first", "second"]);
    let main = library.main();
    let second = main.walk(main.root).nth(2).unwrap();
    let edits = [Edit::Rename { node: second, name: "renamed-on-the-way".into() }];
    library.apply_all(&edits).unwrap();
    let update = replica.record(&edits, 0).unwrap();
    let (desk, number) = (replica.peer().number, replica.last_number());
    let sent = Sent { desk, number, refusals: 0, epoch: replica.epoch(), update };
    ana.node.offer(ana.robot, Message::Document { stream: Stream::Edits, bytes: pack(&ToRobot::Edit(sent)) }).unwrap();
    ana.wait("word that it is on disk", |event| match event {
        Event::Document { stream: Stream::Edits, bytes } => {
            unpack::<News>(bytes).filter(|news| *news == News::Kept { number })
        }
        _ => None,
    });
    assert_eq!(ana.order(Want::TakeControl), Reply::Done);
    assert_eq!(ana.order(Want::Run(Control::Automatic { on: true })), Reply::Done);
    ana.wait_for_mode(RunMode::Automatic);
    wait_for_file(
        &mut ana,
        &folder.join("state"),
        "audit-",
        br#"{\"do\":\"automatic\",\"on\":true}","outcome":"done""#,
    );
    robot.kill();

    let robot = Robot::start(&folder);
    let mut ana = Operator::connect(&robot);
    let (_, library) = ana.tree();
    assert_eq!(names(&library), ["all", "first", "renamed-on-the-way"]);
    ana.wait_for_mode(RunMode::Stopped);
    assert!(matches!(ana.order(Want::Run(Control::Automatic { on: true })), Reply::Refused(_)), "nobody is in control");
    assert_eq!(ana.order(Want::TakeControl), Reply::Done);
    assert_eq!(ana.order(Want::Run(Control::Automatic { on: true })), Reply::Done);
    ana.wait_for_mode(RunMode::Automatic);
    ana.node.offer(ana.robot, Message::Stop).unwrap();
    ana.wait_for_mode(RunMode::Stopped);
    let told = robot.kill();
    assert_eq!(told, "");

    let tree = folder.join("state/tree");
    std::fs::write(&tree, b"nonsense").unwrap();
    let robot = Robot::start(&folder);
    let mut ana = Operator::connect(&robot);
    assert_eq!(names(&ana.tree().1), ["all", "first", "second"], "the configured behavior");
    let told = robot.kill();
    assert!(told.contains("it is damaged; it is now") && told.contains("tree.damaged-1"), "{told}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_the_robot_and_ends_the_process() {
    let folder = folder("interrupt");
    let mut robot = Robot::start(&folder);
    let mut ana = Operator::connect(&robot);
    ana.tree();
    assert_eq!(ana.order(Want::TakeControl), Reply::Done);
    assert_eq!(ana.order(Want::Run(Control::Automatic { on: true })), Reply::Done);
    let sent = Command::new("kill").args(["-INT", &robot.child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert!(robot.child.wait().unwrap().success());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn wrong_settings_are_told_all_at_once() {
    let folder = folder("settings");
    let config = folder.join("robot.json");
    std::fs::write(&config, r#"{"mode": "slow", "rate_hz": 1e9, "colour": "red"}"#).unwrap();
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_coact")).arg("robot").args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let told = run(&["--config", config.to_str().unwrap()]);
    for part in
        ["`mode` is wide", "`rate_hz` is a number from 10 to 1000 Hz", "`colour` is no setting", "has 3 problems"]
    {
        assert!(told.contains(part), "{told}");
    }
    assert!(run(&["--listen", "0.0.0.0:0"]).contains("--keys"), "beyond this machine only with keys");
    assert!(run(&["--listen", "here"]).contains("such as 127.0.0.1:4440"));
    std::fs::remove_dir_all(&folder).unwrap();
}
