//! Never more than the rate in any window of one second, and no bursts: a shaper with a short buffer drops them.

use std::collections::VecDeque;

use crate::config::ChannelConfig;

const WINDOW_NS: u64 = 1_000_000_000;

/// What was sent within a millisecond counts as one entry, so that a fast channel keeps a short list.
const CELL_NS: u64 = 1_000_000;

#[derive(Debug)]
struct Cell {
    first_ns: u64,
    last_ns: u64,
    bytes: u64,
}

#[derive(Debug)]
pub struct Pacer {
    bytes_per_s: u64,
    reserve_bytes: u64,
    slack_ns: u64,
    /// The line is busy until then with what was sent before.
    free_at_ns: u64,
    sent: VecDeque<Cell>,
    in_window: u64,
}

impl Pacer {
    pub fn new(config: &ChannelConfig) -> Self {
        Self {
            bytes_per_s: config.rate_bit_s / 8,
            reserve_bytes: config.reserve_bytes as u64,
            slack_ns: config.slack_ns,
            free_at_ns: 0,
            sent: VecDeque::new(),
            in_window: 0,
        }
    }

    /// When so many bytes may go, not before `from_ns`. Urgent ones wait neither for the line nor for the reserve, only
    /// for the rate.
    pub fn ready_at_ns(&mut self, now_ns: u64, from_ns: u64, bytes: usize, urgent: bool) -> u64 {
        self.forget(now_ns);
        let reserve = if urgent { 0 } else { self.reserve_bytes };
        let allowed = self.bytes_per_s.saturating_sub(reserve);
        let mut in_window = self.in_window;
        let mut ready_ns = now_ns.max(from_ns).max(if urgent { 0 } else { self.free_at_ns });
        for cell in &self.sent {
            // Both ends of a window count: one nanosecond past a second is outside.
            let outside_ns = cell.last_ns + WINDOW_NS + 1;
            if outside_ns > ready_ns && in_window + bytes as u64 <= allowed {
                break;
            }
            in_window -= cell.bytes;
            ready_ns = ready_ns.max(outside_ns);
        }
        ready_ns
    }

    /// The line's part of [`Self::ready_at_ns`], which needs no size.
    pub fn line_free_at_ns(&self) -> u64 {
        self.free_at_ns
    }

    pub fn sent(&mut self, now_ns: u64, bytes: usize) {
        let bytes = bytes as u64;
        let takes_ns = bytes * WINDOW_NS / self.bytes_per_s.max(1);
        self.free_at_ns = self.free_at_ns.max(now_ns.saturating_sub(self.slack_ns)) + takes_ns;
        self.in_window += bytes;
        match self.sent.back_mut() {
            Some(cell) if now_ns.saturating_sub(cell.first_ns) < CELL_NS => {
                cell.last_ns = now_ns;
                cell.bytes += bytes;
            }
            _ => self.sent.push_back(Cell { first_ns: now_ns, last_ns: now_ns, bytes }),
        }
    }

    fn forget(&mut self, now_ns: u64) {
        while let Some(cell) = self.sent.front() {
            if cell.last_ns + WINDOW_NS >= now_ns {
                return;
            }
            self.in_window -= cell.bytes;
            self.sent.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

        #[test]
        fn no_window_of_a_second_holds_more_than_the_rate(
            steps in prop::collection::vec((0_u64..400_000_000, 40_usize..230, prop::bool::weighted(0.2)), 1..200)
        ) {
            let mut pacer = Pacer::new(&ChannelConfig::narrow());
            let mut sent: Vec<(u64, usize)> = Vec::new();
            let mut now_ns = 0;
            for (wait_ns, bytes, urgent) in steps {
                // Asking about the future must not change what is allowed now.
                pacer.ready_at_ns(now_ns, now_ns + 10 * wait_ns, bytes, urgent);
                now_ns = pacer.ready_at_ns(now_ns, now_ns + wait_ns / 10, bytes, urgent);
                prop_assert_eq!(pacer.ready_at_ns(now_ns, 0, bytes, urgent), now_ns);
                pacer.sent(now_ns, bytes);
                sent.push((now_ns, bytes));
            }
            for (index, &(start_ns, _)) in sent.iter().enumerate() {
                let window = sent[index..].iter().take_while(|(at_ns, _)| *at_ns <= start_ns + WINDOW_NS);
                prop_assert!(window.map(|(_, bytes)| bytes).sum::<usize>() <= 1200);
            }
        }
    }

    #[test]
    fn a_stop_finds_room_though_bulk_fills_the_line() {
        let config = ChannelConfig::narrow();
        let mut pacer = Pacer::new(&config);
        let mut now_ns = 0;
        for _ in 0..50 {
            now_ns = pacer.ready_at_ns(now_ns, 0, config.max_datagram, false);
            pacer.sent(now_ns, config.max_datagram);
            assert_eq!(pacer.ready_at_ns(now_ns, 0, config.reserve_bytes, true), now_ns);
        }
    }
}
