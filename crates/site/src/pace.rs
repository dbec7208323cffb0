//! When ticks come, and which time each of them has.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::seconds_to_ns;

/// So many ticks a simulation may be behind the clock and catch up with it.
const MOST_BEHIND: u64 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As fast as the machine can.
    Free,
    /// By the clock on the wall; every tick is made, however late.
    Whole,
    /// By the clock on the wall; what was missed is left out, and the next tick sees the time that has passed.
    Latest,
    /// By the clock on the wall, but every tick is made: where they take longer than their time, time stands back behind
    /// the clock. What runs in a simulation does not fail because the machine was busy.
    Patient,
}

/// Ticks at a rate, from time zero.
pub struct Ticks {
    rate_hz: f64,
    pace: Pace,
    tick: u64,
    begin: Instant,
}

impl Ticks {
    pub fn new(rate_hz: f64, pace: Pace) -> Ticks {
        Ticks { rate_hz, pace, tick: 0, begin: Instant::now() }
    }

    /// Until `tick` says that it is over, by giving false. `interrupted`: somebody is waiting for the end.
    pub fn run(mut self, interrupted: &AtomicBool, mut tick: impl FnMut(i64) -> bool) {
        loop {
            let time_ns = seconds_to_ns(self.tick as f64 / self.rate_hz);
            if self.pace != Pace::Free {
                let is_in_haste = || self.pace == Pace::Whole && interrupted.load(Ordering::Relaxed);
                sleep_until(self.begin + Duration::from_nanos(time_ns.unsigned_abs()), is_in_haste);
            }
            if !tick(time_ns) {
                return;
            }
            self.go_on();
        }
    }

    fn go_on(&mut self) {
        let passed = match self.pace {
            Pace::Free | Pace::Whole => self.tick + 1,
            Pace::Latest | Pace::Patient => (self.begin.elapsed().as_secs_f64() * self.rate_hz) as u64,
        };
        let (next, lost) = next_tick(self.tick, passed, self.pace == Pace::Patient);
        self.begin += Duration::from_secs_f64(lost as f64 / self.rate_hz);
        self.tick = next;
    }
}

/// The tick after this one, where the clock is at `passed`; then the ticks by which time stands back behind the clock.
fn next_tick(tick: u64, passed: u64, can_wait: bool) -> (u64, u64) {
    if can_wait { (tick + 1, passed.saturating_sub(tick + MOST_BEHIND)) } else { ((tick + 1).max(passed), 0) }
}

/// In short naps, so that who is in haste is not kept waiting.
fn sleep_until(wanted: Instant, is_in_haste: impl Fn() -> bool) {
    const NAP: Duration = Duration::from_millis(50);
    while let Some(left) = wanted.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        if is_in_haste() {
            return;
        }
        #[expect(clippy::disallowed_methods, reason = "ticks may keep to the wall clock; the engine does not")]
        std::thread::sleep(left.min(NAP));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robot_keeps_to_the_clock_and_a_simulation_that_is_too_slow_falls_behind_it() {
        for can_wait in [false, true] {
            assert_eq!(next_tick(7, 7, can_wait), (8, 0), "in time");
        }
        assert_eq!(next_tick(7, 10, false), (10, 0), "what was missed is not made up for");
        assert_eq!(next_tick(7, 10, true), (8, 0), "a little late: the next ones follow at once");
        assert_eq!(next_tick(7, 500, true), (8, 488), "far behind: so is its time from then on");
    }

    #[test]
    fn as_fast_as_the_machine_can_no_tick_is_left_out() {
        let mut times_ns = Vec::new();
        Ticks::new(100.0, Pace::Free).run(&AtomicBool::new(false), |time_ns| {
            times_ns.push(time_ns);
            times_ns.len() < 4
        });
        assert_eq!(times_ns, [0, 10_000_000, 20_000_000, 30_000_000]);
    }
}
