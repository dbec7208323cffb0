//! Ticks an engine until its behavior has ended, or nothing can happen any more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::{Command, Control, Engine, InstanceId, RunState, TickInput, Verdict, seconds_to_ns};
use model::Autonomy;
use onboard::Surroundings;
use recording::{Report, SentCommand, seconds_text};

pub struct Plan {
    pub rate_hz: f64,
    pub max_time_s: f64,
    pub realtime: bool,
    pub autonomy: Autonomy,
}

/// After a stop, steps get this long to come to rest.
const REST_S: f64 = 10.0;

/// A wait counts as endless when nothing has happened for this many ticks: some things take effect a tick later.
const IDLE_TICKS: u64 = 3;

/// Runs to the end. `interrupted` is set from outside when a person wants it to stop.
pub fn run(
    engine: &mut Engine,
    plan: &Plan,
    seed: u64,
    surroundings: &mut dyn Surroundings,
    interrupted: &AtomicBool,
) -> Report {
    let mut running = Running { engine, plan, sent: Vec::new(), warnings: Vec::new(), stopped: None, idle_ticks: 0 };
    let start = Instant::now();
    let mut tick = 0;
    loop {
        let time_ns = seconds_to_ns(tick as f64 / plan.rate_hz);
        if plan.realtime {
            sleep_until(start + Duration::from_nanos(time_ns.unsigned_abs()), interrupted);
        }
        if !running.tick(time_ns, surroundings, interrupted) {
            break;
        }
        tick += 1;
    }
    let Running { engine, sent, warnings, stopped, .. } = running;
    let mut report = Report::new(engine, seed, sent);
    for (time_ns, text) in warnings {
        report.warn(time_ns, text);
    }
    if let Some(stopped) = stopped {
        report.result = stopped.result;
        report.reason = stopped.reason;
    }
    report
}

/// Why the run was stopped before its own end, and how that counts.
struct Stopped {
    result: Verdict,
    reason: String,
    at_ns: i64,
}

struct Running<'a> {
    engine: &'a mut Engine,
    plan: &'a Plan,
    sent: Vec<SentCommand>,
    warnings: Vec<(i64, String)>,
    stopped: Option<Stopped>,
    idle_ticks: u64,
}

impl Running<'_> {
    /// False: it is over.
    fn tick(&mut self, time_ns: i64, surroundings: &mut dyn Surroundings, interrupted: &AtomicBool) -> bool {
        let mut input = TickInput { time_ns, ..TickInput::default() };
        if time_ns == 0 {
            input.commands = first_commands(self.plan.autonomy);
        }
        if self.stopped.is_none() {
            self.stopped = self.reason_to_stop(time_ns, surroundings, interrupted);
            input.stop = self.stopped.is_some();
        }
        surroundings.before_tick(time_ns, self.engine.output(), &mut input);
        self.warnings.extend(surroundings.take_warnings().into_iter().map(|text| (time_ns, text)));
        if self.stopped.is_none()
            && let Some(reason) = surroundings.failure()
        {
            self.stopped = Some(Stopped { result: Verdict::Failure, reason, at_ns: time_ns });
            input.stop = true;
        }
        let events = self.engine.recording().events.len();
        let output = self.engine.tick(&input);
        self.sent.extend(output.sent.iter().map(|sent| SentCommand::new(time_ns, sent)));
        let happened = self.engine.recording().events.len() > events;
        self.idle_ticks = if happened { 0 } else { self.idle_ticks + 1 };
        if !matches!(self.engine.run_state(), RunState::Ended(_)) {
            return self.stopped.is_none();
        }
        // What was halted may take a while to come to rest.
        let until_ns = match &self.stopped {
            Some(stopped) => stopped.at_ns.saturating_add(seconds_to_ns(REST_S)),
            None => seconds_to_ns(self.plan.max_time_s),
        };
        time_ns < until_ns && !self.engine.running().is_empty()
    }

    fn reason_to_stop(&self, at_ns: i64, around: &dyn Surroundings, interrupted: &AtomicBool) -> Option<Stopped> {
        if interrupted.load(Ordering::Relaxed) {
            return Some(Stopped { result: Verdict::Halted, reason: "interrupted".to_owned(), at_ns });
        }
        // Once is enough: a wait that is not endless now does not become so while nothing happens.
        if self.idle_ticks == IDLE_TICKS
            && !around.may_still_act()
            && let Some(reason) = self.endless_wait()
        {
            return Some(Stopped { result: Verdict::Failure, reason, at_ns });
        }
        if at_ns >= seconds_to_ns(self.plan.max_time_s) {
            let most = seconds_text(self.plan.max_time_s);
            let reason = format!("stopped after {most} s of simulated time (--max-time)");
            return Some(Stopped { result: Verdict::Halted, reason, at_ns });
        }
        None
    }

    /// Why nothing can happen any more, if that is so: no step runs, and no guard or timeout watches what waits.
    fn endless_wait(&self) -> Option<String> {
        let tracks = self.engine.tracks();
        let is_composite = |id: &InstanceId| tracks.iter().any(|track| track.owner == Some(*id));
        let running = self.engine.running();
        let is_held = |id: &InstanceId| tracks.iter().flat_map(|track| &track.held).any(|held| held.step == *id);
        if !running.iter().all(|id| is_held(id) || (is_composite(id) && !self.is_watched(*id))) {
            return None;
        }
        let waiting = tracks.iter().filter(|track| !track.waits.is_empty());
        let held = waiting.filter_map(|track| {
            let next = track.next?;
            let is_step = !running.contains(&next);
            is_step.then(|| format!("`{}` waits for ever: {}", self.engine.label_of(next), track.waits))
        });
        let at_end = tracks.iter().filter(|track| track.next.is_none()).flat_map(|track| &track.held);
        let results = at_end.map(|held| format!("its result waits for ever: {}", held.reason));
        let reasons: Vec<String> = held.chain(results).collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }

    /// Something beside its steps can end it.
    fn is_watched(&self, id: InstanceId) -> bool {
        const WATCHES: [&str; 5] = ["until", "while", "timeout_s", "goal", "retry"];
        let node = self.engine.instance_of_id(id).node;
        let library = self.engine.library();
        let node = library.owner_of(node).and_then(|owner| library.get(owner).get(node));
        node.is_some_and(|node| WATCHES.iter().any(|key| node.fields.get(key).is_some()))
    }
}

fn first_commands(autonomy: Autonomy) -> Vec<Command> {
    vec![
        Command { id: 1, what: Control::AutonomyLevel { level: autonomy } },
        Command { id: 2, what: Control::Automatic { on: true } },
    ]
}

/// In short naps, so that an interrupt is not kept waiting.
fn sleep_until(wanted: Instant, interrupted: &AtomicBool) {
    const NAP: Duration = Duration::from_millis(50);
    while let Some(left) = wanted.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        if interrupted.load(Ordering::Relaxed) {
            return;
        }
        #[expect(clippy::disallowed_methods, reason = "--realtime paces ticks by the wall clock; the engine does not")]
        std::thread::sleep(left.min(NAP));
    }
}
