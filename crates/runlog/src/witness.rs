//! Who looks on in the thread that ticks: takes what is to be written, and writes nothing itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};

use engine::{Engine, RunState, TickInput};
use onboard::{Ticked, Viewer};
use scene::Cloud;
use site::{Driver, Heard, Tick, Witness};

use crate::line::{Aside, Fact, SeenLine, facts};

const SEEN_NS: i64 = 100_000_000;
const AROUND_NS: i64 = 200_000_000;
/// While nothing runs, the robot's state is written this often.
const IDLE_NS: i64 = 500_000_000;

/// One tick, for the thread that writes.
pub struct Recorded {
    pub tick: u64,
    pub input: TickInput,
    pub did: Vec<Fact>,
    pub seen: SeenLine,
    /// Clouds that somebody looked at in this tick.
    pub looked: Vec<(Arc<str>, Arc<Cloud>)>,
    pub asides: Vec<Aside>,
    pub idle: u64,
    pub doing: Doing,
}

/// What a moment of a run goes to, the first that is so: for who asks where the time went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doing {
    /// Nothing is asked to run.
    Nothing,
    /// A person is asked.
    Person,
    Moving,
    Planning,
    /// A step waits for what cameras see.
    Perception,
    /// Something keeps the next step from starting.
    Held,
    /// Waits, and steps that take no time.
    Other,
}

pub enum ToWriter {
    Tick(Box<Recorded>),
    Aside(Aside),
}

/// What becomes of a tick that the writer has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// It waits: the run is in simulated time, and nothing outside goes on.
    Wait,
    /// It is left out and counted: nothing may delay a tick.
    LeaveOut,
}

/// A recording ends when this is dropped and what waits for the writer is written.
pub struct Recorder {
    to: SyncSender<ToWriter>,
    room: Room,
    lost: Arc<AtomicU64>,
    viewer: Viewer,
    seen_ns: i64,
    around_ns: i64,
    around: Around,
    marks: Option<onboard::Marks>,
    run: Option<protocol::report::RunReport>,
    dirty: bool,
    idle: u64,
    idle_ns: i64,
    pending_jobs: usize,
    is_first: bool,
}

#[derive(Default)]
struct Around {
    objects: Option<Vec<protocol::talk::SceneAt>>,
    detections: Option<Vec<protocol::talk::SceneAt>>,
    solids: Option<Vec<protocol::talk::SceneAt>>,
    details: Option<Vec<protocol::talk::Detail>>,
}

impl Recorder {
    pub(crate) fn new(to: SyncSender<ToWriter>, room: Room, lost: Arc<AtomicU64>) -> Recorder {
        Recorder {
            to,
            room,
            lost,
            viewer: Viewer::default(),
            seen_ns: i64::MIN / 2,
            around_ns: i64::MIN / 2,
            around: Around::default(),
            marks: None,
            run: None,
            dirty: true,
            idle: 0,
            idle_ns: i64::MIN / 2,
            pending_jobs: 0,
            is_first: true,
        }
    }

    fn give(&self, message: ToWriter) {
        match self.room {
            // A writer that has ended has said why.
            Room::Wait => drop(self.to.send(message)),
            Room::LeaveOut => {
                if let Err(TrySendError::Full(_)) = self.to.try_send(message) {
                    self.lost.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }

    fn seen(&mut self, tick: &Tick<'_>) -> SeenLine {
        let (engine, time_ns) = (tick.engine, tick.input.time_ns);
        let mut ticked = Ticked::default();
        self.dirty |= self.viewer.note_events(engine, tick.since, &mut ticked);
        let mut line = SeenLine { tick: engine.tick_count(), time_ns, ..SeenLine::default() };
        line.happenings = ticked.happenings;
        self.dirty |= !tick.input.commands.is_empty() || !tick.input.edits.is_empty() || tick.input.stop;
        let is_due = time_ns - self.seen_ns >= SEEN_NS;
        if is_due && (self.dirty || engine.is_active()) {
            self.seen_ns = time_ns;
            self.dirty = false;
            let version = 0;
            let run = self.viewer.state(engine, version).run;
            line.run = Some(run).filter(|run| self.run.as_ref() != Some(run));
            self.run = line.run.clone().or(self.run.take());
            line.details = changed(&mut self.around.details, self.viewer.details(engine));
            line.variables = self.viewer.take_variables();
            let marks = marks_of(engine);
            line.marks = changed(&mut self.marks, marks);
        }
        if time_ns - self.around_ns >= AROUND_NS {
            self.around_ns = time_ns;
            self.look_around(engine, tick.driver, &mut line);
        }
        line
    }

    fn look_around(&mut self, engine: &Engine, driver: Option<&dyn Driver>, line: &mut SeenLine) {
        if let Some(body) = engine.body() {
            line.objects = changed(&mut self.around.objects, onboard::objects(body));
            line.detections = changed(&mut self.around.detections, onboard::detections(engine));
            if self.is_first {
                line.outlines = Some(onboard::outlines(body.ground(), 0));
            }
        }
        let solids = driver.map(Driver::solids).unwrap_or_default();
        if !solids.is_empty() {
            line.solids = changed(&mut self.around.solids, onboard::solids(&solids, 0));
        }
    }

    /// Nothing runs, and nothing has come but how the robot stands.
    fn is_idle(&self, tick: &Tick<'_>, did: &[Fact]) -> bool {
        let TickInput {
            stop,
            signals,
            frames,
            sights,
            received,
            finished,
            still,
            edits,
            commands,
            experience,
            time_ns: _,
            stop_why: _,
            robot: _,
        } = tick.input;
        let nothing_came = !stop
            && signals.is_empty()
            && frames.is_empty()
            && sights.is_empty()
            && received.is_empty()
            && finished.is_empty()
            && still.is_empty()
            && edits.is_empty()
            && commands.is_empty()
            && experience.is_none();
        let engine = tick.engine;
        nothing_came && did.is_empty() && !engine.is_active() && engine.running().is_empty() && !self.is_first
    }

    fn doing(&mut self, tick: &Tick<'_>) -> Doing {
        let (engine, out) = (tick.engine, tick.engine.output());
        self.pending_jobs += out.jobs.len();
        self.pending_jobs = self.pending_jobs.saturating_sub(tick.input.finished.len() + out.cancelled_jobs.len());
        if *engine.run_state() != RunState::Active {
            return Doing::Nothing;
        }
        if !engine.asked().is_empty() {
            return Doing::Person;
        }
        let moves = |state: &robot::interface::RobotState| {
            state.commands.iter().any(|status| matches!(status.phase, robot::interface::Phase::Running { .. }))
        };
        if engine.body().is_some_and(|body| moves(body.state())) {
            return Doing::Moving;
        }
        if self.pending_jobs > 0 {
            return Doing::Planning;
        }
        let running = engine.running();
        let leaves = || running.iter().filter(|id| engine.measured_of(**id).is_some());
        if engine.body().is_some_and(|body| body.scene().has_seen()) && leaves().next().is_some() {
            return Doing::Perception;
        }
        if running.is_empty() && engine.tracks().iter().any(|track| !track.waits.is_empty() || !track.held.is_empty()) {
            return Doing::Held;
        }
        Doing::Other
    }
}

fn marks_of(engine: &Engine) -> onboard::Marks {
    let (locks, breakpoints) = engine.marks();
    onboard::Marks {
        autonomy: engine.autonomy(),
        concurrency: engine.concurrency(),
        paused: engine.is_paused(),
        locks,
        breakpoints,
    }
}

/// What it is now, where that is another than was last told.
fn changed<T: PartialEq + Clone>(told: &mut Option<T>, now: T) -> Option<T> {
    if told.as_ref() == Some(&now) {
        return None;
    }
    *told = Some(now.clone());
    Some(now)
}

impl Witness for Recorder {
    fn ticked(&mut self, tick: &Tick<'_>) {
        if self.is_first {
            self.viewer.all_variables(tick.engine);
        }
        let did = facts(tick.engine, tick.since);
        let time_ns = tick.input.time_ns;
        let looked = tick.engine.body().map(|body| {
            let clouds = body.scene().take_looked();
            clouds.map(|(camera, cloud)| (Arc::clone(camera), Arc::clone(cloud))).collect()
        });
        let asides: Vec<Aside> = asides(tick);
        if self.is_idle(tick, &did) && asides.is_empty() && time_ns - self.idle_ns < IDLE_NS {
            self.idle += 1;
            return;
        }
        self.idle_ns = time_ns;
        let seen = self.seen(tick);
        let doing = self.doing(tick);
        self.is_first = false;
        let recorded = Recorded {
            tick: tick.engine.tick_count(),
            input: tick.input.clone(),
            did,
            seen,
            looked: looked.unwrap_or_default(),
            asides,
            idle: std::mem::take(&mut self.idle),
            doing,
        };
        self.give(ToWriter::Tick(Box::new(recorded)));
    }

    fn heard(&mut self, heard: Heard) {
        let aside = match heard {
            Heard::Deed { by, text } => Aside::Deed { by, text },
            Heard::Link { operator, is_up } => Aside::Link { operator, is_up },
        };
        self.give(ToWriter::Aside(aside));
    }
}

fn asides(tick: &Tick<'_>) -> Vec<Aside> {
    let warnings = tick.told.warnings.iter().chain(&tick.told.failed);
    let warnings = warnings.map(|text| Aside::Warning { text: text.clone() });
    let notes = tick.told.notes.iter().map(|(_, text)| Aside::Note { text: text.clone() });
    warnings.chain(notes).collect()
}
