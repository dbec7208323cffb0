//! Ticks that took longer than they may: counted, and told without a flood of words.

use protocol::talk::LateTicks;

/// Somebody is warned this often at most.
const WARN_NS: i64 = 10_000_000_000;

#[derive(Debug)]
pub struct Overruns {
    period_ns: u64,
    late: LateTicks,
    warned_ns: Option<i64>,
    /// Since the last warning: how many, and the longest.
    since: (u32, u64),
}

impl Overruns {
    pub fn new(rate_hz: f64) -> Overruns {
        Overruns { period_ns: (1e9 / rate_hz) as u64, late: LateTicks::default(), warned_ns: None, since: (0, 0) }
    }

    /// A tick of this engine time took so long. Some: it was too long, with what people are to be warned of now, if so.
    pub fn ticked(&mut self, time_ns: i64, took_ns: u64) -> Option<(LateTicks, Option<String>)> {
        if took_ns <= self.period_ns {
            return None;
        }
        let us = |ns: u64| u32::try_from(ns / 1_000).unwrap_or(u32::MAX);
        self.late.count = self.late.count.saturating_add(1);
        self.late.worst_us = self.late.worst_us.max(us(took_ns));
        self.late.last_us = us(took_ns);
        self.late.last_at_ms = crate::runner::to_ms(time_ns);
        self.since = (self.since.0 + 1, self.since.1.max(took_ns));
        let due = self.warned_ns.is_none_or(|warned_ns| time_ns - warned_ns >= WARN_NS);
        Some((self.late, due.then(|| self.warning(time_ns))))
    }

    fn warning(&mut self, time_ns: i64) -> String {
        let (count, worst_ns) = std::mem::take(&mut self.since);
        self.warned_ns = Some(time_ns);
        let ms = |ns: u64| ns as f64 / 1e6;
        let (worst_ms, period_ms) = (ms(worst_ns), ms(self.period_ns));
        let ticks = if count == 1 { "a tick".to_owned() } else { format!("{count} ticks") };
        format!(
            "{ticks} took longer than {period_ms:.0} ms, up to {worst_ms:.1} ms: the robot's computer is too slow for \
             this rate, or something else keeps it busy"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: i64 = 1_000_000_000;
    const MS: u64 = 1_000_000;

    #[test]
    fn ticks_that_overrun_are_counted_and_warned_of_once_in_a_while() {
        let mut overruns = Overruns::new(100.0);
        assert_eq!(overruns.ticked(S, 10 * MS), None, "in time");
        let (late, warning) = overruns.ticked(2 * S, 12 * MS).unwrap();
        assert_eq!(late, LateTicks { count: 1, worst_us: 12_000, last_us: 12_000, last_at_ms: 2_000 });
        assert!(warning.unwrap().starts_with("a tick took longer than 10 ms, up to 12.0 ms"));
        for second in 3..12 {
            let (late, warning) = overruns.ticked(second * S, 11 * MS).unwrap();
            assert_eq!((late.worst_us, late.last_us, warning), (12_000, 11_000, None));
        }
        let (late, warning) = overruns.ticked(12 * S, 30 * MS).unwrap();
        assert_eq!((late.count, late.worst_us), (11, 30_000));
        assert!(warning.unwrap().starts_with("10 ticks took longer than 10 ms, up to 30.0 ms"));
    }
}
