//! Figures from what happened.

use super::{SECOND, Sent};

/// Times from offering, or from the light coming back, to arrival.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Latencies {
    sorted_ns: Vec<u64>,
}

impl Latencies {
    pub fn add(&mut self, latency_ns: u64) {
        let at = self.sorted_ns.partition_point(|&other_ns| other_ns < latency_ns);
        self.sorted_ns.insert(at, latency_ns);
    }

    pub fn count(&self) -> usize {
        self.sorted_ns.len()
    }

    /// The value that this share of all does not exceed.
    pub fn quantile_ns(&self, share: f64) -> u64 {
        let index = (share * self.sorted_ns.len() as f64).ceil() as usize;
        self.sorted_ns.get(index.saturating_sub(1)).or(self.sorted_ns.last()).copied().unwrap_or_default()
    }

    pub fn max_ns(&self) -> u64 {
        self.sorted_ns.last().copied().unwrap_or_default()
    }
}

/// The most bytes that an end sent on a channel within any second, both its ends included.
pub fn worst_second_bytes(sent: &[Sent], end: usize, channel: usize) -> usize {
    let sent: Vec<&Sent> = sent.iter().filter(|sent| sent.end == end && sent.channel == channel).collect();
    let (mut first, mut bytes, mut worst) = (0, 0, 0);
    for last in &sent {
        bytes += last.bytes;
        while sent[first].at_ns + SECOND < last.at_ns {
            bytes -= sent[first].bytes;
            first += 1;
        }
        worst = worst.max(bytes);
    }
    worst
}
