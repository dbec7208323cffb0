//! A thread for each preview: what one of them computes keeps nobody waiting.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::core::Input;
use super::inbox::Inbox;
use crate::rehearsal::{Beginning, Rehearsal, RehearsalOrder, Rehearsed, TICK_S};

/// What it shows is told this often.
const TELL: Duration = Duration::from_millis(33);
/// One that is slower than its clock makes up for this much and lets the rest go: its time stands back.
const MOST_BEHIND: Duration = Duration::from_millis(100);

#[derive(Default)]
pub struct Rehearsals(BTreeMap<u64, Sender<RehearsalOrder>>);

impl Rehearsals {
    pub fn begin(&mut self, beginning: Beginning, results: &Arc<Inbox>) {
        let number = beginning.number;
        let (give, orders) = channel();
        let to = Arc::clone(results);
        let run = move || {
            let tell = |told| drop(to.give(Input::Rehearsed(number, told)));
            let ran = catch_unwind(AssertUnwindSafe(|| run(beginning, &orders, tell)));
            match ran {
                Ok(Ok(())) => {}
                Ok(Err(why)) => tell(Rehearsed::Failed(why)),
                Err(_) => {
                    tell(Rehearsed::Failed("it failed by a fault of the program, which its log shows".to_owned()))
                }
            }
        };
        match std::thread::Builder::new().name("preview".to_owned()).spawn(run) {
            Ok(_) => drop(self.0.insert(number, give)),
            Err(error) => drop(results.give(Input::Rehearsed(number, Rehearsed::Failed(error.to_string())))),
        }
    }

    /// One that has ended hears nothing.
    pub fn order(&mut self, number: u64, order: RehearsalOrder) {
        if matches!(order, RehearsalOrder::End) {
            // Its thread ends with the line to it.
            self.0.remove(&number);
        } else if let Some(give) = self.0.get(&number) {
            let _ = give.send(order);
        }
    }
}

fn run(beginning: Beginning, orders: &Receiver<RehearsalOrder>, tell: impl Fn(Rehearsed)) -> Result<(), String> {
    let mut rehearsal = Rehearsal::begin(beginning)?;
    let (mut begun, mut ticks, mut told) = (Instant::now(), 0_u64, Instant::now());
    loop {
        let speed = rehearsal.speed();
        let due = |tick: u64| Duration::from_secs_f64(tick as f64 * TICK_S / speed);
        if begun.elapsed() > due(ticks) + MOST_BEHIND || rehearsal.rests() {
            (begun, ticks) = (Instant::now(), 0);
        }
        while due(ticks) <= begun.elapsed() && !rehearsal.rests() {
            rehearsal.tick();
            ticks += 1;
        }
        if told.elapsed() >= TELL || rehearsal.rests() {
            told = Instant::now();
            let seen = rehearsal.take_seen();
            if seen.is_news() {
                tell(Rehearsed::Seen(Box::new(seen)));
            }
        }
        let wait =
            if rehearsal.rests() { Duration::from_secs(3600) } else { due(ticks + 1).saturating_sub(begun.elapsed()) };
        let mut order = match orders.recv_timeout(wait) {
            Ok(order) => Some(order),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        let before = rehearsal.speed();
        while let Some(one) = order {
            rehearsal.take(one);
            order = orders.try_recv().ok();
        }
        if rehearsal.speed() != before {
            (begun, ticks) = (Instant::now(), 0);
        }
    }
}
