//! A line that can be cut, and what strangers throw at a port.

use std::collections::BTreeMap;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Of IP and UDP, for each datagram.
const HEADERS: usize = 28;

/// Passes datagrams between one robot and whoever connects here.
pub struct Relay {
    pub address: SocketAddr,
    cut: Arc<AtomicBool>,
    end: Arc<AtomicBool>,
    shape: Arc<Shape>,
}

/// What a line carries in a second, each way, headers counted; what comes beyond is dropped.
#[derive(Default)]
struct Shape {
    bytes_s: Option<u64>,
    dropped: AtomicU64,
}

/// One direction of a shaped line: how full its buffer of a second is.
struct Bucket {
    bytes: f64,
    at: Instant,
}

impl Bucket {
    fn new() -> Bucket {
        Bucket { bytes: 0.0, at: Instant::now() }
    }

    fn takes(&mut self, length: usize, shape: &Shape) -> bool {
        let Some(bytes_s) = shape.bytes_s else { return true };
        let passed_s = self.at.elapsed().as_secs_f64();
        self.at = Instant::now();
        self.bytes = (self.bytes - passed_s * bytes_s as f64).max(0.0) + (length + HEADERS) as f64;
        let takes = self.bytes <= bytes_s as f64;
        if !takes {
            shape.dropped.fetch_add(1, Ordering::Relaxed);
        }
        takes
    }
}

impl Relay {
    pub fn to(robot: SocketAddr) -> Relay {
        Relay::with(robot, None)
    }

    /// With room for so many bytes a second each way.
    #[cfg(feature = "mujoco")]
    pub fn shaped(robot: SocketAddr, bytes_s: u64) -> Relay {
        Relay::with(robot, Some(bytes_s))
    }

    /// Datagrams for which there was no room.
    #[cfg(feature = "mujoco")]
    pub fn dropped(&self) -> u64 {
        self.shape.dropped.load(Ordering::Relaxed)
    }

    fn with(robot: SocketAddr, bytes_s: Option<u64>) -> Relay {
        let front = Arc::new(UdpSocket::bind("127.0.0.1:0").unwrap());
        front.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let shape = Arc::new(Shape { bytes_s, dropped: AtomicU64::new(0) });
        let relay = Relay { address: front.local_addr().unwrap(), cut: Arc::default(), end: Arc::default(), shape };
        let line = Line { cut: Arc::clone(&relay.cut), end: Arc::clone(&relay.end), shape: Arc::clone(&relay.shape) };
        std::thread::spawn(move || pass(&front, robot, &line));
        relay
    }

    pub fn cut(&self) {
        self.cut.store(true, Ordering::Relaxed);
    }

    pub fn mend(&self) {
        self.cut.store(false, Ordering::Relaxed);
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
    }
}

/// What the threads of a relay share.
#[derive(Clone)]
struct Line {
    cut: Arc<AtomicBool>,
    end: Arc<AtomicBool>,
    shape: Arc<Shape>,
}

impl Line {
    fn is_over(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    fn takes(&self, bucket: &mut Bucket, length: usize) -> bool {
        !self.cut.load(Ordering::Relaxed) && bucket.takes(length, &self.shape)
    }
}

fn pass(front: &Arc<UdpSocket>, robot: SocketAddr, line: &Line) {
    let backs: Mutex<BTreeMap<SocketAddr, Arc<UdpSocket>>> = Mutex::default();
    let mut buffer = [0; 2_048];
    let mut bucket = Bucket::new();
    while !line.is_over() {
        let Ok((length, from)) = front.recv_from(&mut buffer) else { continue };
        let mut backs = backs.lock().unwrap();
        let back = backs.entry(from).or_insert_with(|| behind(front, robot, from, line));
        if line.takes(&mut bucket, length) {
            let _ = back.send(&buffer[..length]);
        }
    }
}

fn behind(front: &Arc<UdpSocket>, robot: SocketAddr, operator: SocketAddr, line: &Line) -> Arc<UdpSocket> {
    let back = Arc::new(UdpSocket::bind("127.0.0.1:0").unwrap());
    back.connect(robot).unwrap();
    back.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let (front, line, reads) = (Arc::clone(front), line.clone(), Arc::clone(&back));
    std::thread::spawn(move || {
        let mut buffer = [0; 2_048];
        let mut bucket = Bucket::new();
        while !line.is_over() {
            if let Ok(length) = reads.recv(&mut buffer)
                && line.takes(&mut bucket, length)
            {
                let _ = front.send_to(&buffer[..length], operator);
            }
        }
    });
    back
}

/// A fast channel from a robot, open for half a second in each two.
#[cfg(feature = "mujoco")]
pub struct Bursts {
    pub address: SocketAddr,
    end: Arc<AtomicBool>,
}

#[cfg(feature = "mujoco")]
impl Bursts {
    pub fn to(operator: SocketAddr) -> Bursts {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let bursts = Bursts { address: socket.local_addr().unwrap(), end: Arc::default() };
        let (end, begun) = (Arc::clone(&bursts.end), Instant::now());
        std::thread::spawn(move || {
            let mut buffer = [0; 2_048];
            while !end.load(Ordering::Relaxed) {
                let Ok(length) = socket.recv(&mut buffer) else { continue };
                if begun.elapsed().as_millis() % 2_000 < 500 {
                    let _ = socket.send_to(&buffer[..length], operator);
                }
            }
        });
        bursts
    }
}

#[cfg(feature = "mujoco")]
impl Drop for Bursts {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
    }
}

/// Every length, every first byte, and many of them.
pub fn throw_garbage(at: SocketAddr) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    for round in 0..20_u8 {
        for first in 0..=255_u8 {
            let length = usize::from(first) * 7 % 1_500 + 1;
            let bytes: Vec<u8> =
                (0..length).map(|at| if at == 0 { first } else { (at as u8).wrapping_mul(31) ^ round }).collect();
            let _ = socket.send_to(&bytes, at);
        }
    }
}
