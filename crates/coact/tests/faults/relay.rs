//! A line that can be cut, and what strangers throw at a port.

use std::collections::BTreeMap;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Passes datagrams between one robot and whoever connects here.
pub struct Relay {
    pub address: SocketAddr,
    cut: Arc<AtomicBool>,
    end: Arc<AtomicBool>,
}

impl Relay {
    pub fn to(robot: SocketAddr) -> Relay {
        let front = Arc::new(UdpSocket::bind("127.0.0.1:0").unwrap());
        front.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let relay = Relay { address: front.local_addr().unwrap(), cut: Arc::default(), end: Arc::default() };
        let (cut, end) = (Arc::clone(&relay.cut), Arc::clone(&relay.end));
        std::thread::spawn(move || pass(&front, robot, &cut, &end));
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

fn pass(front: &Arc<UdpSocket>, robot: SocketAddr, cut: &Arc<AtomicBool>, end: &Arc<AtomicBool>) {
    let backs: Mutex<BTreeMap<SocketAddr, Arc<UdpSocket>>> = Mutex::default();
    let mut buffer = [0; 2_048];
    while !end.load(Ordering::Relaxed) {
        let Ok((length, from)) = front.recv_from(&mut buffer) else { continue };
        let mut backs = backs.lock().unwrap();
        let back = backs.entry(from).or_insert_with(|| behind(front, robot, from, cut, end));
        if !cut.load(Ordering::Relaxed) {
            let _ = back.send(&buffer[..length]);
        }
    }
}

fn behind(
    front: &Arc<UdpSocket>,
    robot: SocketAddr,
    operator: SocketAddr,
    cut: &Arc<AtomicBool>,
    end: &Arc<AtomicBool>,
) -> Arc<UdpSocket> {
    let back = Arc::new(UdpSocket::bind("127.0.0.1:0").unwrap());
    back.connect(robot).unwrap();
    back.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let (front, cut, end, reads) = (Arc::clone(front), Arc::clone(cut), Arc::clone(end), Arc::clone(&back));
    std::thread::spawn(move || {
        let mut buffer = [0; 2_048];
        while !end.load(Ordering::Relaxed) {
            if let Ok(length) = reads.recv(&mut buffer)
                && !cut.load(Ordering::Relaxed)
            {
                let _ = front.send_to(&buffer[..length], operator);
            }
        }
    });
    back
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
