use std::collections::BTreeSet;
use std::sync::Arc;

use engine::{Command, Control, Engine, Options, Registry, RunState, TickInput, TickOutput, Verdict, What};
use model::file::{Files, join, load};
use model::{Library, Problem, Severity, Value};

use crate::cell::Cell;
use crate::wires::Wires;

/// Where the surroundings of a behavior come from.
#[derive(Clone, Debug, Default)]
pub struct Setup<'a> {
    /// The cell file; none: the one the behavior names, or else the one the environment names.
    pub cell: Option<&'a str>,
    /// The environment's behavior file; none: signals stay as they are unless commands change them.
    pub environment: Option<&'a str>,
    /// The run's seed; the environment's own is derived from it.
    pub seed: u64,
    /// Overrides of the environment's own variables.
    pub set: Vec<(Arc<str>, Value)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EnvironmentState {
    /// There is none.
    Absent,
    Running,
    /// It came to its end: from now on its signals stay as they are.
    Ended,
    /// The run has failed, for this reason; it names the environment's step.
    Failed(String),
}

/// What a run loop asks before each tick of the robot's engine. It holds the wires and the environment, a second engine
/// whose tree sees what the robot sends and sets the signals the robot sees.
pub struct Surroundings {
    wires: Wires,
    environment: Option<Engine>,
    state: EnvironmentState,
    warnings: Vec<String>,
    warned: BTreeSet<String>,
    /// Why and where steps of the environment failed, the latest last.
    failures: Vec<Failed>,
    began: bool,
}

struct Failed {
    tick: u64,
    path: String,
    reason: String,
}

impl Surroundings {
    /// Loads the cell and the environment of a behavior, with everything wrong with them and with how the behavior
    /// uses the cell. Fails only where a file cannot be opened, or an environment has no cell.
    pub fn load(
        behavior: &Library,
        setup: &Setup<'_>,
        files: &dyn Files,
        registry: Arc<Registry>,
    ) -> Result<(Surroundings, Vec<Problem>), Problem> {
        let mut problems = Vec::new();
        let environment = match setup.environment {
            None => None,
            Some(path) => {
                let loaded = load(path, files, registry.catalogue())?;
                problems.extend(loaded.problems);
                Some(loaded.library)
            }
        };
        let named_by = |library: &Library| {
            let main = library.main();
            main.header.cell.as_ref().map(|cell| join(&main.file, cell))
        };
        let path = setup.cell.map(str::to_owned);
        let path = path.or_else(|| named_by(behavior)).or_else(|| environment.as_ref().and_then(named_by));
        let cell = match (&path, setup.environment) {
            (Some(path), _) => {
                let (cell, wrong) = Cell::load(path, files)?;
                problems.extend(wrong);
                cell
            }
            (None, None) => Cell::empty(),
            (None, Some(environment)) => {
                let message = "an environment sets the signals of a cell, and no cell is given";
                let remedy = r#"write "cell": "cell.json" at the top of the behavior, or give one with --cell"#;
                return Err(Problem::in_file(Severity::Error, environment, message, remedy));
            }
        };
        if path.is_some() {
            problems.extend(cell.check_behavior(behavior));
        }
        if let Some(environment) = &environment {
            problems.extend(cell.check_environment(environment));
        }
        let environment = environment.map(|library| {
            let options = Options {
                seed: environment_seed(setup.seed),
                world: cell.environment_world(),
                set: setup.set.clone(),
                ..Options::default()
            };
            Engine::new(library, registry, &options)
        });
        Ok((Surroundings::new(Arc::new(cell), environment), problems))
    }

    /// `environment` is an engine whose world has [`Cell::environment_world`].
    pub fn new(cell: Arc<Cell>, environment: Option<Engine>) -> Surroundings {
        let state = if environment.is_some() { EnvironmentState::Running } else { EnvironmentState::Absent };
        Surroundings {
            wires: Wires::new(cell),
            environment,
            state,
            warnings: Vec::new(),
            warned: BTreeSet::new(),
            failures: Vec::new(),
            began: false,
        }
    }

    /// The cell's variables with their initial values, for `Options::world` of the robot's engine.
    pub fn world(&self) -> Vec<(Arc<str>, Option<Value>)> {
        self.wires.cell().world()
    }

    pub fn cell(&self) -> &Arc<Cell> {
        self.wires.cell()
    }

    pub fn wires(&self) -> &Wires {
        &self.wires
    }

    /// For signals that come from elsewhere than the environment: a test, an operator, real equipment.
    pub fn wires_mut(&mut self) -> &mut Wires {
        &mut self.wires
    }

    /// The environment's engine. Its recording holds what happened in its last tick.
    pub fn environment(&self) -> Option<&Engine> {
        self.environment.as_ref()
    }

    pub fn environment_state(&self) -> &EnvironmentState {
        &self.state
    }

    /// Why the run has failed, if its environment failed. Ask after each [`Surroundings::before_tick`].
    pub fn failure(&self) -> Option<&str> {
        match &self.state {
            EnvironmentState::Failed(reason) => Some(reason),
            _ => None,
        }
    }

    /// What went wrong without ending the run since this was last called: each thing is said once a run.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Brings the surroundings to this tick and gives the robot what it sees of them: the robot's commands of the last
    /// tick reach the wires and the environment, the environment ticks, and changed variables go into `input`. An
    /// environment that fails stops the robot.
    pub fn before_tick(&mut self, time_ns: i64, last_output: &TickOutput, input: &mut TickInput) {
        self.wires.advance(time_ns);
        // Without a cell there is nothing a command could get wrong.
        let has_cell = !self.cell().file.is_empty();
        for sent in last_output.sent.iter().filter(|_| has_cell) {
            if let Err(why) = self.wires.send(time_ns, sent) {
                self.warn(why);
            }
        }
        if self.state == EnvironmentState::Running {
            self.tick_environment(time_ns, last_output);
        }
        let mut warnings = Vec::new();
        input.signals.extend(self.wires.take_variables(&mut |why| warnings.push(why)));
        for why in warnings {
            self.warn(why);
        }
        if self.failure().is_some() {
            input.stop = true;
        }
    }

    fn tick_environment(&mut self, time_ns: i64, last_output: &TickOutput) {
        let Some(mut environment) = self.environment.take() else { return };
        let mut input = TickInput { time_ns, ..TickInput::default() };
        input.received.clone_from(&last_output.sent);
        input.signals = self.wires.take_outputs();
        if !std::mem::replace(&mut self.began, true) {
            input.commands.push(Command { id: 0, what: Control::Automatic { on: true } });
        }
        environment.clear_recording();
        environment.tick(&input);
        self.note_failures(&environment);
        let wrong = self.take_signals(&environment);
        self.state = match (wrong, environment.run_state()) {
            (Some(why), _) => EnvironmentState::Failed(why),
            (None, RunState::Ended(end)) if end.verdict == Verdict::Failure => {
                EnvironmentState::Failed(self.failure_text(end.reason_text()))
            }
            (None, RunState::Ended(_)) => EnvironmentState::Ended,
            (None, RunState::Active | RunState::Idle) => EnvironmentState::Running,
        };
        self.environment = Some(environment);
    }

    /// What the environment's steps set goes to the wires; gives what cannot.
    fn take_signals(&mut self, environment: &Engine) -> Option<String> {
        let changes = environment.recording().changes.iter();
        for change in changes.filter(|change| environment.scope_of(change).is_none()) {
            let (Some(by), Some(value)) = (change.by, &change.value) else { continue };
            if let Err(why) = self.wires.set(&change.name, value.clone()) {
                return Some(format!("the environment's step {} cannot be: {why}", environment.path_of(by)));
            }
        }
        None
    }

    fn note_failures(&mut self, environment: &Engine) {
        const MOST: usize = 64;
        let recording = environment.recording();
        for event in &recording.events {
            if let What::Ended { step, verdict: Verdict::Failure, detail } = event.what {
                let reason = recording.detail(detail).and_then(|detail| detail.reason.as_deref()).unwrap_or_default();
                let failed = Failed { tick: event.tick, path: environment.path_of(step), reason: reason.to_owned() };
                self.failures.push(failed);
            }
        }
        let surplus = self.failures.len().saturating_sub(MOST);
        self.failures.drain(..surplus);
    }

    /// Names the step whose failure went all the way up: composites repeat the reason of the step inside, after it.
    fn failure_text(&self, reason: &str) -> String {
        let tick = self.failures.iter().rev().find(|failed| failed.reason == reason).map(|failed| failed.tick);
        let first = self.failures.iter().find(|failed| Some(failed.tick) == tick && failed.reason == reason);
        match first {
            Some(Failed { path, .. }) if !reason.is_empty() => format!("the environment failed at {path}: {reason}"),
            Some(Failed { path, .. }) => format!("the environment failed at {path}"),
            None => format!("the environment failed: {reason}"),
        }
    }

    fn warn(&mut self, why: String) {
        // A message that quotes an ever new value must not fill the memory.
        const MOST: usize = 256;
        if self.warned.len() < MOST && self.warned.insert(why.clone()) {
            self.warnings.push(why);
        }
    }
}

/// The environment's random numbers are not the robot's, though both follow from the run's seed.
fn environment_seed(seed: u64) -> u64 {
    let mixed = (seed ^ 0x656e_7669_726f_6e73).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 31)
}
