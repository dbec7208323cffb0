//! A behavior by itself: ticks until it has ended, or nothing can happen any more.

use std::sync::atomic::{AtomicBool, Ordering};

use engine::{Command, Control, Engine, InstanceId, RunState, TickInput, Verdict, seconds_to_ns};
use model::Autonomy;
use recording::{Report, SentCommand, StoppedBy, seconds_text};

use crate::driver::Clock;
use crate::pace::{Pace, Ticks};
use crate::site::Site;

pub struct RunPlan {
    pub rate_hz: f64,
    pub max_time_s: f64,
    /// By the clock on the wall, also where nothing around it needs that.
    pub realtime: bool,
    pub autonomy: Autonomy,
    pub seed: u64,
}

/// After a stop, steps get this long to come to rest.
const REST_S: f64 = 10.0;

/// A wait counts as endless when nothing has happened for this many ticks: some things take effect a tick later.
const IDLE_TICKS: u64 = 3;

/// Runs to the end. `interrupted` is set from outside when a person wants it to stop.
pub fn run(engine: &mut Engine, site: &mut Site, plan: &RunPlan, interrupted: &AtomicBool) -> Report {
    let mut running = Running {
        engine,
        plan,
        sent: Vec::new(),
        warnings: Vec::new(),
        notes: Vec::new(),
        stopped: None,
        idle_ticks: 0,
    };
    let pace = match (site.clock(), plan.realtime) {
        (Clock::Own, _) => Pace::Latest,
        (Clock::Given, true) => Pace::Whole,
        (Clock::Given, false) => Pace::Free,
    };
    Ticks::new(plan.rate_hz, pace).run(interrupted, |time_ns| running.tick(time_ns, site, interrupted));
    let Running { engine, sent, warnings, notes, stopped, .. } = running;
    let mut report = Report::new(engine, plan.seed, sent);
    for (time_ns, text) in warnings {
        report.warn(time_ns, text);
    }
    for (time_ns, text) in notes {
        report.note(time_ns, "world", text);
    }
    if let Some(stopped) = stopped {
        report.result = stopped.result;
        report.reason = stopped.reason;
        report.stopped = Some(stopped.by);
    }
    site.sum_up(&mut report);
    report
}

/// Why the run was stopped before its own end, and how that counts.
struct Stopped {
    by: StoppedBy,
    result: Verdict,
    reason: String,
    at_ns: i64,
}

struct Running<'a> {
    engine: &'a mut Engine,
    plan: &'a RunPlan,
    sent: Vec<SentCommand>,
    warnings: Vec<(i64, String)>,
    notes: Vec<(i64, String)>,
    stopped: Option<Stopped>,
    idle_ticks: u64,
}

impl Running<'_> {
    /// False: it is over.
    fn tick(&mut self, time_ns: i64, site: &mut Site, interrupted: &AtomicBool) -> bool {
        let mut input = TickInput { time_ns, ..TickInput::default() };
        if time_ns == 0 {
            input.commands = first_commands(self.plan.autonomy);
        }
        if self.stopped.is_none() {
            self.stopped = self.reason_to_stop(time_ns, site, interrupted);
            input.stop = self.stopped.is_some();
            input.stop_why = self.stopped.as_ref().map(|stopped| stopped.reason.as_str().into());
        }
        let events = self.engine.recording().events.len();
        let told = site.tick(self.engine, &mut input);
        self.warnings.extend(told.warnings.into_iter().map(|text| (time_ns, text)));
        self.notes.extend(told.notes);
        if let (None, Some(reason)) = (&self.stopped, told.failed) {
            self.stopped = Some(Stopped { by: StoppedBy::World, result: Verdict::Failure, reason, at_ns: time_ns });
        }
        let output = self.engine.output();
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

    fn reason_to_stop(&self, at_ns: i64, site: &Site, interrupted: &AtomicBool) -> Option<Stopped> {
        if interrupted.load(Ordering::Relaxed) {
            let reason = "interrupted".to_owned();
            return Some(Stopped { by: StoppedBy::Interrupt, result: Verdict::Halted, reason, at_ns });
        }
        // Once is enough: a wait that is not endless now does not become so while nothing happens.
        if self.idle_ticks == IDLE_TICKS
            && !site.may_still_act()
            && let Some(reason) = self.endless_wait()
        {
            return Some(Stopped { by: StoppedBy::Standstill, result: Verdict::Failure, reason, at_ns });
        }
        if at_ns >= seconds_to_ns(self.plan.max_time_s) {
            let most = seconds_text(self.plan.max_time_s);
            let reason = format!("stopped after {most} s of simulated time (--max-time)");
            return Some(Stopped { by: StoppedBy::Time, result: Verdict::Halted, reason, at_ns });
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
