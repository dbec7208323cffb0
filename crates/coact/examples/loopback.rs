//! Figures of the robot process on this machine, with three operators and a tree of 1,000 nodes:
//! `cargo build --release -p coact && cargo run --release -p coact --example loopback`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "it prints, and ends where something is wrong")]

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use engine::Control;
use link::udp::{ChannelAddress, PeerId, UdpNode};
use link::{Event, Latest, LinkConfig, Message, Security, Side, Stream};
use model::{Edit, Library, NodeId};
use protocol::Role;
use protocol::report::PACKING;
use protocol::talk::{Demand, Pieces, Sent, ToRobot, Update, Want, Whole, pack, unpack};
use replica::{Peer, Replica};

const NODES: usize = 1_000;
const IDLE: Duration = Duration::from_secs(10);
const EDITS: usize = 200;

struct Operator {
    node: UdpNode,
    robot: PeerId,
}

fn main() {
    let mut robot = start();
    let line = read_line(&mut robot);
    let address: SocketAddr = line.trim().rsplit(' ').next().unwrap().parse().unwrap();
    let mut operators: Vec<Operator> = (0..3).map(|_| connect(address)).collect();
    let copies: Vec<(Replica, Library)> = operators.iter_mut().map(tree).collect();
    drive(&mut operators, Duration::from_secs(2));

    let (before_s, began) = (cpu_s(&robot), Instant::now());
    let reports = drive(&mut operators, IDLE);
    let passed_s = began.elapsed().as_secs_f64();
    println!("| idle, three operators, {NODES} nodes | measured |\n|---|---|");
    println!("| of a core | {:.2} % |", 100.0 * (cpu_s(&robot) - before_s) / passed_s);
    println!(
        "| robot and run reports a second, each operator | {:.1}, {:.1} |",
        reports.0 / passed_s / 3.0,
        reports.1 / passed_s / 3.0
    );

    command(&mut operators[0], Want::TakeControl);
    command(&mut operators[0], Want::Run(Control::Automatic { on: true }));
    let (before_s, began) = (cpu_s(&robot), Instant::now());
    let reports = drive(&mut operators, IDLE);
    let passed_s = began.elapsed().as_secs_f64();
    println!("\n| the same while it runs, a step a second | measured |\n|---|---|");
    println!("| of a core | {:.2} % |", 100.0 * (cpu_s(&robot) - before_s) / passed_s);
    println!("| run reports a second, each operator | {:.1} |", reports.1 / passed_s / 3.0);

    let (replica, library) = copies.into_iter().next().unwrap();
    let (times_ms, bytes) = edits(&mut operators, replica, library);
    println!("\n| an edit of one field, {EDITS} of them | measured |\n|---|---|");
    println!("| bytes of the update | {bytes} |");
    println!("| given by one operator, merged, and with another one: median | {:.2} ms |", times_ms[EDITS / 2]);
    println!("| 99 of 100 | {:.2} ms |", times_ms[EDITS * 99 / 100]);
    robot.kill().unwrap();
    robot.wait().unwrap();
}

/// Its answer is not waited for.
fn command(operator: &mut Operator, what: Want) {
    let order = Demand { by: "ana".into(), role: Role::Operator, team_role: None, session: 1, what };
    let bytes = order.to_bytes();
    operator.node.offer(operator.robot, Message::Command { bytes, valid_for_ns: 5_000_000_000 }).unwrap();
}

fn start() -> Child {
    let file = std::env::temp_dir().join(format!("coact-loopback-{}.json", std::process::id()));
    let steps: Vec<String> =
        (1..NODES).map(|number| format!(r#"{{"type": "wait", "name": "step {number}", "duration_s": 1}}"#)).collect();
    let text = format!(r#"{{"version": 1, "type": "sequence", "name": "all", "children": [{}]}}"#, steps.join(","));
    std::fs::write(&file, text).unwrap();
    let binary = std::env::current_exe().unwrap().parent().unwrap().join("../coact");
    Command::new(binary)
        .args(["robot", "--listen", "127.0.0.1:0", "--behavior"])
        .arg(&file)
        .stdout(Stdio::piped())
        .spawn()
        .expect("build coact first")
}

fn read_line(robot: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(robot.stdout.take().unwrap()).read_line(&mut line).unwrap();
    line
}

fn connect(robot: SocketAddr) -> Operator {
    let local = "127.0.0.1:0".parse().unwrap();
    let config = LinkConfig::wide(Side::Connects, Security::Open, [0; 32]);
    let node = UdpNode::new(config.packed(PACKING), &[ChannelAddress { local, peer: Some(robot) }]).unwrap();
    let robot = node.peers().next().unwrap();
    Operator { node, robot }
}

fn tree(operator: &mut Operator) -> (Replica, Library) {
    loop {
        for (_, event) in operator.node.drive(Duration::from_millis(100)) {
            if let Event::Document { stream: Stream::Snapshot, bytes } = event {
                let update = Update::from_bytes(&Pieces::default().take(&bytes).unwrap()).unwrap();
                let whole: Whole = unpack(&update.bytes).unwrap();
                let number = u64::from_le_bytes(link::random().unwrap()[..8].try_into().unwrap());
                return Replica::from_genesis(&whole.genesis, Peer { number, name: "ana".into() }).unwrap();
            }
        }
    }
}

/// How many robot and run reports arrived.
fn drive(operators: &mut [Operator], time: Duration) -> (f64, f64) {
    let until = Instant::now() + time;
    let mut reports = (0.0, 0.0);
    while Instant::now() < until {
        for operator in &mut *operators {
            for (_, event) in operator.node.drive(Duration::from_millis(1)) {
                match event {
                    Event::Latest { of: Latest::Robot, .. } => reports.0 += 1.0,
                    Event::Latest { of: Latest::Run, .. } => reports.1 += 1.0,
                    _ => {}
                }
            }
        }
    }
    reports
}

/// User and system time of all its threads.
fn cpu_s(robot: &Child) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", robot.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: f64 = fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap();
    ticks / 100.0
}

fn edits(operators: &mut [Operator], mut replica: Replica, mut library: Library) -> (Vec<f64>, usize) {
    let ids: Vec<NodeId> = library.main().walk(library.main().root).skip(1).collect();
    let mut times_ms = Vec::new();
    let mut bytes = 0;
    for (number, node) in ids.into_iter().take(EDITS).enumerate() {
        let value = Some(model::Field::from_json(serde_json::json!(number as f64 / 10.0)));
        let edits = [Edit::Set { node, field: "duration_s".into(), value, at: None }];
        library.apply_all(&edits).unwrap();
        let update = replica.record(&edits, 0).unwrap();
        let (desk, number) = (replica.peer().number, replica.last_number());
        let sent = Sent { desk, number, refusals: 0, epoch: replica.epoch(), update };
        let packed = pack(&ToRobot::Edit(sent));
        bytes = packed.len();
        let given = Instant::now();
        let [ana, ben, ..] = operators else { panic!("three operators") };
        ana.node.offer(ana.robot, Message::Document { stream: Stream::Edits, bytes: packed }).unwrap();
        let mut there = false;
        while !there {
            ana.node.drive(Duration::ZERO);
            let events = ben.node.drive(Duration::from_micros(100));
            there = events.iter().any(|(_, event)| matches!(event, Event::Document { stream: Stream::Edits, .. }));
        }
        times_ms.push(given.elapsed().as_secs_f64() * 1e3);
    }
    times_ms.sort_by(f64::total_cmp);
    (times_ms, bytes)
}
