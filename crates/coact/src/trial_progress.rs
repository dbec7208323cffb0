//! How far a trial is, on standard error.

use std::io::{IsTerminal, Write as _, stderr};
use std::time::Instant;

use recording::seconds_text;
use trial::Outcome;

use crate::out::complain;

pub struct Progress {
    total: usize,
    done: usize,
    succeeded: usize,
    /// On a terminal, the bar is drawn over itself.
    bar: bool,
    start: Instant,
    made: usize,
}

impl Progress {
    /// `done` of `total` were made before, so many of them with success.
    pub fn new(total: usize, done: usize, succeeded: usize) -> Progress {
        let progress = Progress { total, done, succeeded, bar: stderr().is_terminal(), start: Instant::now(), made: 0 };
        if done > 0 {
            complain(&format!("going on: {done} of {total} runs are there already"));
        }
        progress
    }

    pub fn step(&mut self, outcome: &Outcome) {
        self.done += 1;
        self.made += 1;
        self.succeeded += usize::from(outcome.success);
        if self.bar {
            self.draw();
            return;
        }
        let what = match &outcome.cause {
            None => format!("success after {} s", seconds_text((outcome.duration_s * 100.0).round() / 100.0)),
            Some(cause) => cause.to_string(),
        };
        let (case, seed) = (&outcome.case, outcome.seed);
        complain(&format!("{}/{} {case} seed {seed}: {what}", self.done, self.total));
    }

    fn draw(&self) {
        const WIDTH: usize = 30;
        let filled = WIDTH * self.done / self.total.max(1);
        let failed = self.done - self.succeeded;
        let left_s = self.start.elapsed().as_secs_f64() / self.made.max(1) as f64 * (self.total - self.done) as f64;
        let bar = format!("{}{}", "█".repeat(filled), "░".repeat(WIDTH - filled));
        let line = format!("\r{bar} {}/{}, {failed} failed, about {} left\x1b[K", self.done, self.total, rough(left_s));
        // If nobody reads it, the report still tells.
        let _ = stderr().lock().write_all(line.as_bytes());
    }

    pub fn end(&self) {
        if self.bar && self.made > 0 {
            complain("");
        }
    }
}

fn rough(left_s: f64) -> String {
    match left_s {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
