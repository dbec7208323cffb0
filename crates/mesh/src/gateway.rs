//! Between the loopback interface and Zenoh. A gateway reads no datagram: it cannot, they are sealed.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use zenoh::liveliness::LivelinessToken;
use zenoh::pubsub::{Publisher, Subscriber};
use zenoh::qos::{CongestionControl, Priority};
use zenoh::sample::Sample;
use zenoh::{Session, Wait};

use crate::{Mesh, MeshError, names};

/// As many as a robot takes.
const MOST_OPERATORS: usize = 16;
/// One who is silent for longer makes room for another.
const IDLE: Duration = Duration::from_secs(60);
/// No datagram of the link is longer.
const MAX_DATAGRAM: usize = 2_048;
const LOOK_FOR_END: Duration = Duration::from_millis(200);

/// Everything lost on the way the link sends again; a queue in between would only make it old.
fn publisher(session: &Session, key: String) -> Result<Publisher<'static>, MeshError> {
    let publisher = session.declare_publisher(key).congestion_control(CongestionControl::Drop);
    Ok(publisher.priority(Priority::RealTime).express(true).wait()?)
}

fn loopback() -> Result<UdpSocket, MeshError> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    socket.set_read_timeout(Some(LOOK_FOR_END))?;
    Ok(socket)
}

/// Gives what arrives at a socket to `take` until told to end.
fn forward(socket: Arc<UdpSocket>, end: Arc<AtomicBool>, take: impl Fn(SocketAddr, &[u8]) + Send + 'static) {
    let read = move || {
        let mut buffer = [0; MAX_DATAGRAM];
        while !end.load(Ordering::Relaxed) {
            if let Ok((length, from)) = socket.recv_from(&mut buffer) {
                take(from, &buffer[..length]);
            }
        }
    };
    // Without a thread nothing arrives, which the link shows as what it is: no connection.
    let _ = std::thread::Builder::new().name("mesh gateway".to_owned()).spawn(read);
}

struct Operator {
    socket: Arc<UdpSocket>,
    end: Arc<AtomicBool>,
    heard: Instant,
}

impl Drop for Operator {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
    }
}

/// Beside a robot: every operator in the mesh looks to it like one on this machine.
pub struct RobotGateway {
    _subscriber: Subscriber<()>,
    _token: LivelinessToken,
}

impl RobotGateway {
    /// `robot_address`: where the robot process listens on this machine.
    pub fn open(mesh: &Mesh, robot: &str, robot_address: SocketAddr) -> Result<RobotGateway, MeshError> {
        names::check(robot)?;
        let operators = Mutex::new(BTreeMap::new());
        let (session, name) = (mesh.session.clone(), robot.to_owned());
        let arrived = move |sample: Sample| {
            let Some(operator) = names::last(sample.key_expr().as_str()) else { return };
            let mut operators = operators.lock().unwrap_or_else(PoisonError::into_inner);
            if !operators.contains_key(operator) {
                make_room(&mut operators);
                if operators.len() >= MOST_OPERATORS {
                    return;
                }
                let Ok(new) = meet(&session, &name, operator, robot_address) else { return };
                operators.insert(operator.to_owned(), new);
            }
            if let Some(known) = operators.get_mut(operator) {
                known.heard = Instant::now();
                // What the system does not take is lost, as on the way.
                let _ = known.socket.send(&sample.payload().to_bytes());
            }
        };
        let subscriber = mesh.session.declare_subscriber(names::to_robot(robot, "*")).callback(arrived).wait()?;
        Ok(RobotGateway { _subscriber: subscriber, _token: mesh.announce(robot)? })
    }
}

fn make_room(operators: &mut BTreeMap<String, Operator>) {
    if operators.len() >= MOST_OPERATORS {
        operators.retain(|_, operator| operator.heard.elapsed() < IDLE);
    }
}

/// A socket of its own for each operator: the robot tells them apart by their address.
fn meet(session: &Session, robot: &str, operator: &str, robot_address: SocketAddr) -> Result<Operator, MeshError> {
    let socket = Arc::new(loopback()?);
    socket.connect(robot_address)?;
    let end = Arc::new(AtomicBool::new(false));
    let publisher = publisher(session, names::from_robot(robot, operator))?;
    forward(Arc::clone(&socket), Arc::clone(&end), move |_, bytes| {
        let _ = publisher.put(bytes).wait();
    });
    Ok(Operator { socket, end, heard: Instant::now() })
}

/// Beside an operator: one robot of the mesh looks to it like one on this machine.
pub struct OperatorGateway {
    address: SocketAddr,
    end: Arc<AtomicBool>,
    _subscriber: Subscriber<()>,
}

impl OperatorGateway {
    /// `operator`: a name no other operator process has now.
    pub fn open(mesh: &Mesh, robot: &str, operator: &str) -> Result<OperatorGateway, MeshError> {
        names::check(robot)?;
        names::check(operator)?;
        let socket = Arc::new(loopback()?);
        let address = socket.local_addr()?;
        let end = Arc::new(AtomicBool::new(false));
        // Learned from its first datagram; it may start again on another port.
        let process = Arc::new(Mutex::new(None));
        let publisher = publisher(&mesh.session, names::to_robot(robot, operator))?;
        let learned = Arc::clone(&process);
        forward(Arc::clone(&socket), Arc::clone(&end), move |from, bytes| {
            *learned.lock().unwrap_or_else(PoisonError::into_inner) = Some(from);
            let _ = publisher.put(bytes).wait();
        });
        let arrived = move |sample: Sample| {
            let to = *process.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(to) = to {
                let _ = socket.send_to(&sample.payload().to_bytes(), to);
            }
        };
        let subscriber =
            mesh.session.declare_subscriber(names::from_robot(robot, operator)).callback(arrived).wait()?;
        Ok(OperatorGateway { address, end, _subscriber: subscriber })
    }

    /// What the operator process connects to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for OperatorGateway {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
    }
}
