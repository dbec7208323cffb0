//! Real sockets on the loopback interface. Nothing here waits for time to pass: every wait ends with what it waits for.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::SocketAddr;
use std::time::Duration;

use link::udp::{ChannelAddress, PeerId, UdpError, UdpNode};
use link::{Event, Keyed, LinkConfig, Message, Outcome, SecretKey, Security, Side, Stream};
use testkit::shaped::sealed;

const ANY: &str = "127.0.0.1:0";

fn at(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

fn robot(security: Security) -> UdpNode {
    let config = LinkConfig::wide(Side::Listens, security, [0; 32]);
    UdpNode::new(config, &[ChannelAddress { local: at(ANY), peer: None }]).unwrap()
}

fn operator(security: Security, robot: &UdpNode) -> UdpNode {
    let config = LinkConfig::wide(Side::Connects, security, [0; 32]);
    UdpNode::new(config, &[ChannelAddress { local: at(ANY), peer: robot.local_address(0) }]).unwrap()
}

/// Drives all nodes in turn until one of them tells what is looked for.
fn until<T>(nodes: &mut [&mut UdpNode], mut found: impl FnMut(usize, PeerId, Event) -> Option<T>) -> T {
    for _ in 0..20_000 {
        for (index, node) in nodes.iter_mut().enumerate() {
            for (peer, event) in node.drive(Duration::from_millis(1)) {
                if let Some(value) = found(index, peer, event) {
                    return value;
                }
            }
        }
    }
    panic!("it did not happen");
}

fn connect(robot: &mut UdpNode, operator: &mut UdpNode) -> PeerId {
    until(&mut [robot, operator], |node, peer, event| {
        (node == 0 && matches!(event, Event::Connected { .. })).then_some(peer)
    })
}

const ROBOT: PeerId = PeerId(0);

#[test]
fn everything_goes_over_sockets() {
    let [robot_security, operator_security] = sealed();
    let mut robot = robot(robot_security);
    let mut operator = operator(operator_security, &robot);
    let peer = connect(&mut robot, &mut operator);

    operator.offer(ROBOT, Message::Stop).unwrap();
    until(&mut [&mut robot, &mut operator], |_, _, event| (event == Event::Stop).then_some(()));
    until(&mut [&mut robot, &mut operator], |_, _, event| (event == Event::StopAcknowledged).then_some(()));

    let command = Message::Command { bytes: b"press".to_vec(), valid_for_ns: 60_000_000_000 };
    operator.offer(ROBOT, command).unwrap();
    let id = until(&mut [&mut robot, &mut operator], |_, _, event| match event {
        Event::Command { id, .. } => Some(id),
        _ => None,
    });
    robot.offer(peer, Message::Answer { to: id, bytes: b"done".to_vec() }).unwrap();
    let outcome = until(&mut [&mut robot, &mut operator], |_, _, event| match event {
        Event::Answered { outcome, .. } => Some(outcome),
        _ => None,
    });
    assert_eq!(outcome, Outcome::Answered(b"done".to_vec()));

    let tree: Vec<u8> = (0..100_000_u32).map(|index| (index / 7) as u8).collect();
    robot.offer(peer, Message::Document { stream: Stream::Snapshot, bytes: tree.clone() }).unwrap();
    let bytes = until(&mut [&mut robot, &mut operator], |_, _, event| match event {
        Event::Document { stream: Stream::Snapshot, bytes } => Some(bytes),
        _ => None,
    });
    assert!(bytes == tree);

    robot.offer(peer, Message::Keyed { kind: Keyed::Image, key: 3, bytes: vec![9; 1_000] }).unwrap();
    until(&mut [&mut robot, &mut operator], |_, _, event| matches!(event, Event::Keyed { key: 3, .. }).then_some(()));
}

#[test]
fn two_operators_at_one_robot_and_a_stranger() {
    let secrets: Vec<SecretKey> = (1..=4).map(|byte| SecretKey::new([byte; 32])).collect();
    let allowed = vec![secrets[1].public(), secrets[2].public()];
    let mut robot = robot(Security::Sealed { secret: secrets[0].clone(), peers: allowed });
    let towards = |secret: &SecretKey| Security::Sealed { secret: secret.clone(), peers: vec![secrets[0].public()] };
    let mut first = operator(towards(&secrets[1]), &robot);
    let mut second = operator(towards(&secrets[2]), &robot);
    let mut stranger = operator(towards(&secrets[3]), &robot);
    stranger.offer(ROBOT, Message::Stop).unwrap();
    let mut connected = Vec::new();
    until(&mut [&mut robot, &mut first, &mut second, &mut stranger], |node, peer, event| {
        assert_ne!(node, 3, "a stranger hears nothing");
        if let (0, Event::Connected { peer: Some(key), .. }) = (node, event) {
            connected.push((key, peer));
        }
        (connected.len() == 2).then_some(())
    });
    second.offer(ROBOT, Message::Stop).unwrap();
    let who = until(&mut [&mut robot, &mut first, &mut second, &mut stranger], |node, peer, event| {
        (node == 0 && event == Event::Stop).then_some(peer)
    });
    assert!(connected.contains(&(secrets[2].public(), who)));
    assert_eq!(robot.peers().count(), 2);

    // The second operator's process ends, and another takes its place.
    drop(second);
    let mut again = operator(towards(&secrets[2]), &robot);
    connect(&mut robot, &mut again);
    // Whether the older link of the key is one left behind or another process, only time tells: neither pushes the other out.
    assert_eq!(robot.peers().count(), 3);
    robot.forget(who);
    assert_eq!(robot.peers().count(), 2);
}

#[test]
fn without_keys_only_the_loopback_interface() {
    let mut robot = robot(Security::Open);
    let mut operator = operator(Security::Open, &robot);
    connect(&mut robot, &mut operator);
    let open = |local: &str, peer: &str| {
        let config = LinkConfig::narrow(Side::Connects, Security::Open, [0; 32]);
        UdpNode::new(config, &[ChannelAddress { local: at(local), peer: Some(at(peer)) }]).map(|_| ())
    };
    assert!(matches!(open("0.0.0.0:0", "127.0.0.1:9"), Err(UdpError::OpenBeyondLoopback { .. })));
    assert!(matches!(open(ANY, "192.0.2.1:9"), Err(UdpError::OpenBeyondLoopback { .. })));
}

#[test]
fn two_channels_over_two_sockets() {
    let [robot_security, operator_security] = sealed();
    // A free port for the operator's end of the fast channel, which the robot must know beforehand.
    let free = std::net::UdpSocket::bind(ANY).unwrap().local_addr().unwrap();
    let other = std::net::UdpSocket::bind(ANY).unwrap().local_addr().unwrap();
    let config = LinkConfig::finals(Side::Listens, robot_security, [0; 32]);
    let addresses = [ChannelAddress { local: at(ANY), peer: None }, ChannelAddress { local: other, peer: Some(free) }];
    let mut robot = UdpNode::new(config, &addresses).unwrap();
    let config = LinkConfig::finals(Side::Connects, operator_security, [0; 32]);
    let addresses = [
        ChannelAddress { local: at(ANY), peer: robot.local_address(0) },
        ChannelAddress { local: free, peer: Some(other) },
    ];
    let mut operator = UdpNode::new(config, &addresses).unwrap();
    let peer = connect(&mut robot, &mut operator);
    robot.offer(peer, Message::Keyed { kind: Keyed::Cloud, key: 1, bytes: vec![4; 1_000] }).unwrap();
    until(&mut [&mut robot, &mut operator], |_, _, event| matches!(event, Event::Keyed { key: 1, .. }).then_some(()));
}

#[test]
fn a_wait_can_be_ended_from_another_thread() {
    let mut robot = robot(Security::Open);
    let waker = robot.waker();
    let thread = std::thread::spawn(move || waker.wake());
    assert!(robot.drive(Duration::from_secs(3_600)).is_empty());
    thread.join().unwrap();
}
