//! Two robots and an operator in a mesh on the loopback interface: `cargo test -p mesh --features zenoh`.
#![cfg(feature = "zenoh")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use link::udp::{ChannelAddress, PeerId, UdpNode};
use link::{Event, LinkConfig, Message, Outcome, Security, Side, Stream};
use mesh::{Mesh, MeshConfig, MeshError, OperatorGateway, RobotGateway};
use testkit::shaped::sealed;

const PATIENCE: Duration = Duration::from_secs(60);
const ROBOT: PeerId = PeerId(0);

fn local() -> SocketAddr {
    "127.0.0.1:0".parse().unwrap()
}

/// A port nobody has at this moment.
fn free_port() -> u16 {
    std::net::TcpListener::bind(local()).unwrap().local_addr().unwrap().port()
}

fn listening(port: u16) -> MeshConfig {
    MeshConfig { listen: vec![format!("tcp/127.0.0.1:{port}")], ..MeshConfig::default() }
}

fn connecting(port: u16) -> MeshConfig {
    MeshConfig { connect: vec![format!("tcp/127.0.0.1:{port}")], ..MeshConfig::default() }
}

fn node(side: Side, security: Security, peer: Option<SocketAddr>) -> UdpNode {
    UdpNode::new(LinkConfig::wide(side, security, [0; 32]), &[ChannelAddress { local: local(), peer }]).unwrap()
}

fn until<T>(nodes: [&mut UdpNode; 2], mut found: impl FnMut(usize, PeerId, Event) -> Option<T>) -> T {
    let start = Instant::now();
    let [robot, operator] = nodes;
    while start.elapsed() < PATIENCE {
        for (index, node) in [&mut *robot, &mut *operator].into_iter().enumerate() {
            for (peer, event) in node.drive(Duration::from_millis(2)) {
                if let Some(value) = found(index, peer, event) {
                    return value;
                }
            }
        }
    }
    panic!("it did not happen");
}

fn robots(mesh: &Mesh, wanted: &[&str]) -> Vec<String> {
    let start = Instant::now();
    loop {
        let found = mesh.robots(Duration::from_millis(500)).unwrap();
        if found == wanted || start.elapsed() > PATIENCE {
            return found;
        }
    }
}

#[test]
fn an_operator_finds_robots_by_name_and_works_with_one() {
    let port = free_port();
    let meeting_point = Mesh::join(&listening(port)).unwrap();
    let [robot_security, operator_security] = sealed();
    let mut robot = node(Side::Listens, robot_security, None);
    let first = RobotGateway::open(&meeting_point, "first", robot.local_address(0).unwrap()).unwrap();
    let elsewhere = Mesh::join(&connecting(port)).unwrap();
    let second = RobotGateway::open(&elsewhere, "second", local()).unwrap();

    let operators_mesh = Mesh::join(&connecting(port)).unwrap();
    assert_eq!(robots(&operators_mesh, &["first", "second"]), ["first", "second"]);
    let gateway = OperatorGateway::open(&operators_mesh, "first", "desk").unwrap();
    let mut operator = node(Side::Connects, operator_security, Some(gateway.address()));
    let peer = until([&mut robot, &mut operator], |node, peer, event| {
        (node == 0 && matches!(event, Event::Connected { .. })).then_some(peer)
    });

    operator.offer(ROBOT, Message::Stop).unwrap();
    until([&mut robot, &mut operator], |_, _, event| (event == Event::StopAcknowledged).then_some(()));
    let command = Message::Command { bytes: b"press".to_vec(), valid_for_ns: 60_000_000_000 };
    operator.offer(ROBOT, command).unwrap();
    let id = until([&mut robot, &mut operator], |_, _, event| match event {
        Event::Command { id, .. } => Some(id),
        _ => None,
    });
    robot.offer(peer, Message::Answer { to: id, bytes: b"done".to_vec() }).unwrap();
    let outcome = until([&mut robot, &mut operator], |_, _, event| match event {
        Event::Answered { outcome, .. } => Some(outcome),
        _ => None,
    });
    assert_eq!(outcome, Outcome::Answered(b"done".to_vec()));
    let tree: Vec<u8> = (0..100_000_u32).map(|index| (index / 7) as u8).collect();
    robot.offer(peer, Message::Document { stream: Stream::Snapshot, bytes: tree.clone() }).unwrap();
    let bytes = until([&mut robot, &mut operator], |_, _, event| match event {
        Event::Document { stream: Stream::Snapshot, bytes } => Some(bytes),
        _ => None,
    });
    assert!(bytes == tree);

    drop((second, elsewhere));
    assert_eq!(robots(&operators_mesh, &["first"]), ["first"], "who left is not found");
    drop(first);
}

#[test]
fn names_that_are_no_part_of_a_key_are_refused() {
    let mesh = Mesh::join(&listening(free_port())).unwrap();
    for name in ["", "a/b", "*", "**", "nadia 2", &"x".repeat(65)] {
        let refused = RobotGateway::open(&mesh, name, local());
        assert!(matches!(refused, Err(MeshError::Name(_))), "{name}");
    }
}

#[test]
fn only_a_mesh_on_this_machine_counts_as_local() {
    assert!(listening(7447).is_local());
    assert!(!MeshConfig { scouting: true, ..listening(7447) }.is_local());
    let far = MeshConfig { connect: vec!["tcp/192.0.2.1:7447".to_owned()], ..MeshConfig::default() };
    assert!(!far.is_local());
    let name = MeshConfig { listen: vec!["tcp/127.example.org:1".to_owned()], ..MeshConfig::default() };
    assert!(!name.is_local(), "a name that looks like the loopback interface");
}
