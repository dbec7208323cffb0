//! What the engine's side tells the desk's side after ticks: the newest of what has a newest, and in order what happened.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Answer, Control};
use model::Autonomy;
use protocol::report::{RobotReport, RunReport};
use protocol::talk::{Detail, Happening, LateTicks, SceneAt};
use scene::Sight;

use crate::feeling::Felt;

/// More of these wait only when nobody takes them: then the newest are left out and counted.
const MAX_HAPPENINGS: usize = 10_000;

#[derive(Debug, Default)]
pub struct Ticked {
    pub answers: Vec<Answer>,
    pub happenings: Vec<Happening>,
    pub left_out: u64,
    pub state: Option<State>,
    /// All of tracks, tokens, questions and measured values; what is not among them has gone.
    pub details: Option<Vec<Detail>>,
    /// Changed variables, by their key.
    pub variables: BTreeMap<u32, Detail>,
    pub things: Things,
    pub marks: Option<Marks>,
    pub late: Option<LateTicks>,
    /// The world began anew in this tick, which takes its time and delays nothing that runs.
    pub world_anew: bool,
    /// For those who look at the body.
    pub felt: Option<Felt>,
    /// The newest of each camera.
    pub sights: Vec<Arc<Sight>>,
    /// What became of opening behaviors, by the number of the request.
    pub opened: Vec<(u64, Result<(), String>)>,
    /// What became of looking for a way to goals, by the number of the request: what is done, else why there is none.
    pub found: Vec<(u64, Result<Vec<String>, String>)>,
}

/// All of each kind; what is not among them has gone. None: as they were.
#[derive(Debug, Default)]
pub struct Things {
    pub objects: Option<Vec<SceneAt>>,
    pub detections: Option<Vec<SceneAt>>,
    /// Of a simulated world.
    pub solids: Option<Vec<SceneAt>>,
    /// Of the terrain.
    pub outlines: Option<Vec<SceneAt>>,
}

impl Things {
    pub fn append(&mut self, newer: Things) {
        let Things { objects, detections, solids, outlines } = newer;
        self.objects = objects.or(self.objects.take());
        self.detections = detections.or(self.detections.take());
        self.solids = solids.or(self.solids.take());
        self.outlines = outlines.or(self.outlines.take());
    }
}

/// How it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub time_ns: i64,
    pub robot: Option<RobotReport>,
    pub run: RunReport,
    /// Nothing runs, and nothing starts by itself.
    pub at_rest: bool,
    /// What runs was started step by step, or is only a part: somebody is to watch it.
    pub needs_operator: bool,
}

/// What operators have set, for people to see and for a restart.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marks {
    pub autonomy: Autonomy,
    pub concurrency: bool,
    pub paused: bool,
    pub locks: Vec<engine::Instance>,
    pub breakpoints: Vec<engine::Instance>,
}

impl Marks {
    /// What sets them in an engine that has none. A pause is none: nothing runs, and a press should not find one.
    pub(crate) fn controls(self) -> Vec<Control> {
        let mut all =
            vec![Control::AutonomyLevel { level: self.autonomy }, Control::Concurrency { on: self.concurrency }];
        all.extend(self.locks.into_iter().map(|node| Control::Lock { node, on: true }));
        all.extend(self.breakpoints.into_iter().map(|node| Control::Breakpoint { node, on: true }));
        all
    }
}

impl State {
    /// Only time has passed, as far as anybody is told: the joints of a robot with weight are never quite at rest.
    pub fn is_like(&self, other: &State) -> bool {
        let run = RunReport { tick: self.run.tick, ..other.run.clone() };
        let rest = (self.at_rest, self.needs_operator) == (other.at_rest, other.needs_operator);
        let robot = match (&self.robot, &other.robot) {
            (Some(robot), Some(other)) => robot.is_like(other),
            (robot, other) => robot.is_none() && other.is_none(),
        };
        rest && robot && self.run == run
    }
}

impl Default for Marks {
    /// As an engine begins.
    fn default() -> Marks {
        Marks { autonomy: Autonomy::Full, concurrency: true, paused: false, locks: Vec::new(), breakpoints: Vec::new() }
    }
}

impl Ticked {
    pub fn happened(&mut self, happening: Happening) {
        if self.happenings.len() < MAX_HAPPENINGS {
            self.happenings.push(happening);
        } else {
            self.left_out += 1;
        }
    }

    pub fn saw(&mut self, sight: &Arc<Sight>) {
        self.sights.retain(|known| known.camera != sight.camera);
        self.sights.push(Arc::clone(sight));
    }

    /// There is something for the desk to do.
    pub fn is_news(&self) -> bool {
        let state = self.state.is_some() || self.details.is_some() || self.marks.is_some() || self.felt.is_some();
        self.is_urgent() || state || !self.sights.is_empty()
    }

    /// Somebody waits for it.
    pub fn is_urgent(&self) -> bool {
        !self.answers.is_empty() || !self.happenings.is_empty() || !self.opened.is_empty() || !self.found.is_empty()
    }

    /// Puts what is newer behind.
    pub fn append(&mut self, newer: Ticked) {
        let Ticked { answers, happenings, left_out, state, details, variables, things, marks, late, sights, .. } =
            newer;
        let (opened, found, world_anew, felt) = (newer.opened, newer.found, newer.world_anew, newer.felt);
        self.felt = felt.or(self.felt.take());
        self.world_anew |= world_anew;
        self.answers.extend(answers);
        self.left_out += left_out;
        happenings.into_iter().for_each(|happening| self.happened(happening));
        self.state = state.or(self.state.take());
        self.details = details.or(self.details.take());
        self.variables.extend(variables);
        self.things.append(things);
        self.marks = marks.or(self.marks.take());
        self.late = late.or(self.late.take());
        sights.iter().for_each(|sight| self.saw(sight));
        self.opened.extend(opened);
        self.found.extend(found);
    }
}
