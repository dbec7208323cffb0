//! A second run of the open behavior, on a robot without dynamics, beside the real one, which does not notice.
//!
//! It is the runner of the robot process with another robot and nothing around it: it has no clock and no thread.

use std::sync::Arc;

use engine::{Command, Control, EditBatch, Ground, Instance, Registry, seconds_to_ns};
use geometry::Pose;
use model::{Beside, Edit, Library, Value};
use onboard::{Inbox, Request, Runner, Start, Ticked};
use robot::Robot;
use scene::SceneUpdate;
use sim::{FaultPlan, KinematicRobot};
use site::{Around, Jobs, Site};

/// Of its own time.
pub const TICK_S: f64 = 0.01;

/// So many previews at a time, of all sessions.
pub const MOST: usize = 8;

pub const SPEEDS: std::ops::RangeInclusive<f64> = 1.0..=8.0;

/// All that one begins with; may change threads, unlike what is made of it.
pub struct Beginning {
    pub number: u64,
    pub library: Library,
    pub beside: Option<Beside>,
    pub registry: Arc<Registry>,
    pub robot: Arc<Robot>,
    pub positions: Vec<f64>,
    pub world_from_walking: Pose,
    pub ground: Ground,
    pub objects: Vec<SceneUpdate>,
    pub variables: Vec<(Arc<str>, Value)>,
    /// None: the first step.
    pub next: Option<Instance>,
    pub speed: f64,
}

impl std::fmt::Debug for Beginning {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "preview {} of {}", self.number, self.library.main().file)
    }
}

#[derive(Debug)]
pub enum RehearsalOrder {
    Control { id: u64, what: Control },
    Edits(Vec<Edit>),
    Speed(f64),
    End,
}

/// For [`crate::Operator::rehearsed`].
#[derive(Debug)]
pub enum Rehearsed {
    Seen(Box<Ticked>),
    /// It could not begin, or failed by a fault of ours.
    Failed(String),
}

pub struct Rehearsal {
    runner: Runner,
    inbox: Inbox,
    tick: u64,
    edits: u64,
    seen: Ticked,
    speed: f64,
    quiet_ticks: u64,
}

/// What is told at intervals has been told by then.
const QUIET_TICKS: u64 = 30;

impl Rehearsal {
    pub fn begin(beginning: Beginning) -> Result<Rehearsal, String> {
        let Beginning { library, beside, registry, robot, positions, world_from_walking, ground, .. } = beginning;
        let driver = KinematicRobot::new(robot, &positions, &world_from_walking, &FaultPlan::default());
        let driver = driver.map_err(|error| error.to_string())?;
        let around = Around { ground, ..Around::default() };
        let site = Site::new(Some(Box::new(driver)), around, Jobs::modelled(), Arc::clone(&registry));
        let start = Start { objects: beginning.objects, variables: beginning.variables };
        let runner = Runner::previewing(library, beside.as_ref(), registry, site, start)?;
        let mut rehearsal = Rehearsal {
            runner,
            inbox: Inbox::default(),
            tick: 0,
            edits: 0,
            seen: Ticked::default(),
            speed: beginning.speed,
            quiet_ticks: 0,
        };
        // Nobody waits for this answer.
        if let Some(to) = beginning.next {
            rehearsal.take(RehearsalOrder::Control { id: 0, what: Control::SetNext { to } });
        }
        Ok(rehearsal)
    }

    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// [`RehearsalOrder::End`] is for whoever has it.
    pub fn take(&mut self, order: RehearsalOrder) {
        self.quiet_ticks = 0;
        match order {
            RehearsalOrder::Control { what: Control::Stop, id } => {
                self.inbox.press_stop();
                self.seen.answers.push(engine::Answer { id, refused: None });
            }
            RehearsalOrder::Control { id, what } => {
                let stops = self.inbox.stops;
                self.inbox.requests.push_back(Request::Command { command: Command { id, what }, stops });
            }
            RehearsalOrder::Edits(edits) => {
                self.edits += 1;
                self.inbox.requests.push_back(Request::Edit(EditBatch { id: self.edits, edits, by: None }));
            }
            RehearsalOrder::Speed(speed) => self.speed = speed,
            RehearsalOrder::End => {}
        }
    }

    pub fn tick(&mut self) {
        let time_ns = seconds_to_ns(self.tick as f64 * TICK_S);
        self.tick += 1;
        self.inbox.edits_a_tick = self.runner.edits_a_tick();
        let inbox = self.inbox.take();
        let seen = self.runner.tick(time_ns, inbox);
        self.seen.append(seen);
        let is_quiet = self.runner.is_at_rest() && self.inbox.requests.is_empty();
        self.quiet_ticks = if is_quiet { self.quiet_ticks + 1 } else { 0 };
    }

    /// Nothing happens until somebody wants something: its time stands still.
    pub fn rests(&self) -> bool {
        self.quiet_ticks > QUIET_TICKS
    }

    /// What it told since this was last called.
    pub fn take_seen(&mut self) -> Ticked {
        std::mem::take(&mut self.seen)
    }
}
