//! What is around a behavior while it runs: a robot, which stays, the cell of whichever behavior is open, and who does its
//! long jobs.

mod follow;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use cell::Setup;
use engine::{
    Body, EditBatch, Engine, FrameAt, Ground, Job, JobAnswer, JobId, Options, Registry, TickInput, TickOutput,
};
use model::file::{Disk, Files};
use model::{Library, Problem, Value};
use recording::Report;
use thiserror::Error;

use crate::attached::Attached;
use crate::driver::{Clock, Driver, Solid};
use crate::jobs::Jobs;
use crate::memory::Memory;
use crate::witness::{Heard, Tick, Witness};

/// Numbers of work that no step gave away. Engines count from below.
const BESIDE: u64 = 1 << 63;

pub struct Site {
    robot: Option<Attached>,
    cell: Option<cell::Surroundings>,
    /// The cell file that is in use, as the behavior names it.
    cell_named: Option<String>,
    /// Variables of a cell that came with an edit, for the next tick.
    new_variables: Vec<(Arc<str>, Value)>,
    /// Where the behavior and what lies beside it came from.
    files: Rc<dyn Files>,
    jobs: Jobs,
    around: Around,
    registry: Arc<Registry>,
    /// What the last tick gave out, whichever engine made it: the cell and the jobs hear of it with the next.
    last_output: TickOutput,
    /// Given since the last tick by somebody else than a step; they begin with the next, as those of its steps do.
    beside: Vec<(JobId, Job)>,
    /// Of jobs that were done later in the run that it went along with.
    early: Vec<(JobId, JobAnswer)>,
    failure: Option<String>,
    warnings: Vec<String>,
    witness: Option<Box<dyn Witness>>,
    memory: Option<Box<dyn Memory>>,
}

/// What a robot knows of the world from the start.
#[derive(Clone, Default)]
pub struct Around {
    pub frames: Vec<FrameAt>,
    pub ground: Ground,
}

impl Around {
    /// The body as this robot is now.
    pub fn body(&self, driver: &dyn Driver) -> Body {
        let capabilities = Arc::new(driver.capabilities().clone());
        let mut body = Body::new(Arc::clone(driver.robot()), capabilities, Arc::clone(driver.state()));
        self.frames.iter().for_each(|frame| body.place(frame));
        body.stand_on(self.ground.clone());
        body
    }
}

/// A behavior that was opened.
pub struct Opened {
    /// What its engine is to know from the start.
    pub options: Options,
    /// What is wrong with what lies beside it and does not keep it from running.
    pub problems: Vec<String>,
}

#[derive(Debug, Error)]
pub enum OpenError {
    #[error("{0}")]
    Cell(Box<Problem>),
    #[error("{0}")]
    Eyes(String),
}

/// What a tick told beside what the engine recorded.
#[derive(Debug, Default)]
pub struct Told {
    pub warnings: Vec<String>,
    /// What happened around the robot that it did not do, and when.
    pub notes: Vec<(i64, String)>,
    /// What became of work that no step gave away, by its number.
    pub done: Vec<(u64, JobAnswer)>,
    /// Nothing can succeed any more from this tick on, and the behavior was stopped for that.
    pub failed: Option<String>,
}

impl Site {
    pub fn new(robot: Option<Box<dyn Driver>>, around: Around, jobs: Jobs, registry: Arc<Registry>) -> Site {
        Site {
            robot: robot.map(|driver| Attached::new(driver, around.frames.clone())),
            cell: None,
            cell_named: None,
            new_variables: Vec::new(),
            files: Rc::new(Disk),
            jobs,
            around,
            registry,
            last_output: TickOutput::default(),
            beside: Vec::new(),
            early: Vec::new(),
            failure: None,
            warnings: Vec::new(),
            witness: None,
            memory: None,
        }
    }

    /// What attempts show is kept there, and taken from there. Without it an engine begins with nothing.
    pub fn remember_in(&mut self, memory: Option<Box<dyn Memory>>) {
        self.memory = memory;
    }

    /// From the next tick on, in place of who looked on before.
    pub fn show_to(&mut self, witness: Option<Box<dyn Witness>>) {
        self.witness = witness;
    }

    /// Nothing is there: what waits and what speaks needs no more.
    pub fn bare(registry: Arc<Registry>) -> Site {
        Site::new(None, Around::default(), Jobs::modelled(), registry)
    }

    /// For whoever looks on.
    pub fn hear(&mut self, heard: Heard) {
        if let Some(witness) = &mut self.witness {
            witness.heard(heard);
        }
    }

    pub fn driver(&self) -> Option<&dyn Driver> {
        self.robot.as_ref().map(|robot| &*robot.driver)
    }

    pub fn driver_mut(&mut self) -> Option<&mut dyn Driver> {
        match &mut self.robot {
            Some(robot) => Some(&mut *robot.driver),
            None => None,
        }
    }

    /// Without a robot nothing goes on by itself.
    pub fn clock(&self) -> Clock {
        self.driver().map_or(Clock::Given, Driver::clock)
    }

    /// The body as the robot is now, on its ground and among what is known from the start.
    pub fn body(&self) -> Option<Body> {
        Some(self.around.body(self.driver()?))
    }

    /// Gets ready for this behavior, with the cell and the templates that are among the files. On an error all stays as it
    /// was.
    pub fn open(&mut self, library: &Library, setup: &Setup<'_>, files: Rc<dyn Files>) -> Result<Opened, OpenError> {
        let cell = self.load_cell(library, setup, &*files).map_err(OpenError::Cell)?;
        // Pictures cost time: a run that never looks at them takes none.
        if check::looks_around(library, &self.registry) {
            self.open_eyes().map_err(OpenError::Eyes)?;
        }
        let mut problems = Vec::new();
        let body = self.body().map(|mut body| {
            let (templates, wrong) = check::templates_beside(&library.main().file, &*files);
            problems = wrong.iter().map(ToString::to_string).collect();
            body.use_templates(Arc::new(templates));
            body
        });
        let options = Options { seed: setup.seed, world: cell.world(), body, ..Options::default() };
        self.cell = Some(cell);
        self.cell_named.clone_from(&library.main().header.cell);
        self.new_variables.clear();
        self.files = files;
        Ok(Opened { options, problems })
    }

    fn load_cell(
        &self,
        library: &Library,
        setup: &Setup<'_>,
        files: &dyn Files,
    ) -> Result<cell::Surroundings, Box<Problem>> {
        let loaded = cell::Surroundings::load(library, setup, files, Arc::clone(&self.registry));
        loaded.map(|(cell, _)| cell).map_err(Box::new)
    }

    /// Warns of detectors that the tree names and the robot does not have.
    pub fn expect_detectors(&mut self, library: &Library) {
        let Some(robot) = &mut self.robot else { return };
        let nodes = library.iter().flat_map(|(_, tree)| tree.walk(tree.root).map(|id| tree.node(id)));
        let named: BTreeSet<Arc<str>> = nodes.flat_map(|node| self.registry.detectors(node)).collect();
        robot.expect_detectors(&named);
    }

    /// Where the behavior and what lies beside it came from.
    pub fn files(&self) -> Rc<dyn Files> {
        Rc::clone(&self.files)
    }

    /// Somebody wants to see what cameras see.
    pub fn open_eyes(&mut self) -> Result<(), String> {
        self.robot.as_mut().map_or(Ok(()), Attached::open_eyes)
    }

    /// Work that no step gives away, done as theirs is: from the next tick on, and told of in [`Told::done`].
    pub fn do_beside(&mut self, number: u64, job: Job) {
        self.beside.push((JobId(BESIDE | number), job));
    }

    /// One tick, and the only one: what is around reaches the engine through its input, and what the engine gives out
    /// reaches the robot at once. `input` is as complete afterwards as the engine saw it.
    pub fn tick(&mut self, engine: &mut Engine, input: &mut TickInput) -> Told {
        if let Some(robot) = &mut self.robot {
            robot.gather(input);
        }
        input.signals.append(&mut self.new_variables);
        if let Some(cell) = &mut self.cell {
            // What the equipment sees of the robot is of the same tick.
            cell.before_tick(input.time_ns, &self.last_output, input);
        }
        input.finished.append(&mut self.early);
        self.jobs.before_tick(&self.last_output, input);
        if let Some(memory) = self.memory.as_mut().filter(|_| engine.tick_count() == 0) {
            input.experience = Some(memory.stored());
        }
        let mut told = self.told();
        input.finished.retain(|(id, answer)| {
            let is_beside = id.0 & BESIDE != 0;
            told.done.extend(is_beside.then(|| (id.0 & !BESIDE, answer.clone())));
            !is_beside
        });
        if let Some(why) = &told.failed {
            input.stop = true;
            input.stop_why = Some(why.as_str().into());
        }
        let since = engine.recording().events.len();
        let output = engine.tick(input);
        if let Some(robot) = &mut self.robot {
            robot.obey(input.time_ns, output);
        }
        self.last_output.clone_from(output);
        self.last_output.jobs.append(&mut self.beside);
        if let Some(memory) = self.memory.as_mut().filter(|_| !output.learned.is_empty()) {
            memory.keep(&output.learned);
        }
        if !input.edits.is_empty() {
            told.warnings.extend(self.suit(engine.library(), &input.edits).err());
        }
        if let Some(mut witness) = self.witness.take() {
            witness.ticked(&Tick { engine, input, told: &told, since, driver: self.driver() });
            self.witness = Some(witness);
        }
        told
    }

    fn told(&mut self) -> Told {
        let mut told = Told { warnings: std::mem::take(&mut self.warnings), ..Told::default() };
        if let Some(robot) = &mut self.robot {
            told.warnings.append(&mut robot.warnings);
            told.notes.append(&mut robot.notes);
        }
        told.warnings.extend(self.cell.iter_mut().flat_map(cell::Surroundings::take_warnings));
        told.warnings.extend(self.jobs.take_warnings());
        told.warnings.extend(self.memory.iter_mut().flat_map(|memory| memory.take_warnings()));
        let of_robot = self.driver().and_then(Driver::failure);
        let failure = of_robot.or_else(|| self.cell.as_ref().and_then(cell::Surroundings::failure));
        if failure != self.failure.as_deref() {
            self.failure = failure.map(str::to_owned);
            told.failed.clone_from(&self.failure);
        }
        told
    }

    /// The tree is another one after these edits: what it needs now and did not need before is made ready, as if it had
    /// been opened so.
    fn suit(&mut self, library: &Library, edits: &[EditBatch]) -> Result<(), String> {
        if library.main().header.cell != self.cell_named {
            self.change_cell(library)?;
        }
        if edits.iter().any(|batch| check::begins_to_look(&batch.edits, &self.registry)) {
            self.expect_detectors(library);
            self.open_eyes().map_err(|why| format!("no pictures: {why}"))?;
        }
        Ok(())
    }

    /// The tree names another cell than it did.
    fn change_cell(&mut self, library: &Library) -> Result<(), String> {
        let cell = self
            .load_cell(library, &Setup::default(), &*Rc::clone(&self.files))
            .map_err(|why| format!("the behavior names another cell now, and the one before goes on: {why}"))?;
        let known = cell.world().into_iter().filter_map(|(name, value)| Some((name, value?)));
        self.new_variables = known.collect();
        let before = self.cell.iter().flat_map(cell::Surroundings::world).map(|(name, _)| name);
        let is_gone = |name: &Arc<str>| !self.new_variables.iter().any(|(known, _)| known == name);
        let gone: Vec<String> = before.filter(is_gone).map(|name| format!("`{name}`")).collect();
        if !gone.is_empty() {
            let names = gone.join(", ");
            self.warnings.push(format!(
                "the cell is another one now; {names} of the one before stay as they are until the behavior is opened again"
            ));
        }
        self.cell = Some(cell);
        self.cell_named.clone_from(&library.main().header.cell);
        Ok(())
    }

    /// Something may still lift a gate or free a claim although nothing runs. Signals cannot: they are only read.
    pub fn may_still_act(&self) -> bool {
        self.robot.as_ref().is_some_and(Attached::may_still_act) || self.jobs.may_still_act()
    }

    /// For people to look at.
    pub fn solids(&self) -> Vec<Solid> {
        self.driver().map(Driver::solids).unwrap_or_default()
    }

    pub(crate) fn sum_up(&self, report: &mut Report) {
        if let Some(driver) = self.driver() {
            report.robot = Some(driver.robot().name.clone());
            driver.sum_up(report);
        }
    }
}
