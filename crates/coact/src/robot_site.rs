//! What a robot process has around its behaviors: the robot, which stays, and the cell of whichever behavior is open.

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::{EditBatch, FrameAt, Ground, Options, Registry, TickInput, TickOutput};
use model::file::Files;
use model::{Beside, Library, Value};
use onboard::{Site, Surroundings};
use protocol::talk::SceneAt;
use robot::Robot;

use crate::files::Once;
use crate::robot_args::{self, RobotArgs};
use crate::robot_world::RobotWorld;
use crate::simulated::Simulated;
use crate::world_ground;

/// All that it is made of; may change threads, unlike what is made of it.
pub struct SiteParts {
    pub robot: Arc<Robot>,
    pub world: Option<sim::World>,
    pub args: RobotArgs,
    pub frames: Vec<FrameAt>,
    pub ground: Ground,
    pub registry: Arc<Registry>,
}

pub struct RobotSite {
    robot: RobotWorld,
    cell: Option<cell::Surroundings>,
    /// The cell file that is in use, as the behavior names it.
    cell_named: Option<String>,
    /// Variables of a cell that came with an edit, for the next tick.
    new_variables: Vec<(Arc<str>, Value)>,
    /// What came with the behavior; none: it is on this machine.
    beside: Option<Beside>,
    jobs: Box<dyn Surroundings>,
    frames: Vec<FrameAt>,
    ground: Ground,
    registry: Arc<Registry>,
    warnings: Vec<String>,
}

impl RobotSite {
    pub fn new(parts: SiteParts) -> Result<RobotSite, String> {
        let SiteParts { robot, world, args, frames, ground, registry } = parts;
        let simulated = args.simulated(&robot, world.as_ref(), 0).map_err(|error| format!("{error:#}"))?;
        let ground = world_ground::ground(&ground, world.as_ref(), 0);
        Ok(RobotSite::with(simulated, onboard::jobs(true), (frames, ground), registry))
    }

    fn with(
        simulated: Box<dyn Simulated>,
        jobs: Box<dyn Surroundings>,
        (frames, ground): (Vec<FrameAt>, Ground),
        registry: Arc<Registry>,
    ) -> RobotSite {
        RobotSite {
            robot: RobotWorld::new(simulated, frames.clone()),
            cell: None,
            cell_named: None,
            new_variables: Vec::new(),
            beside: None,
            jobs,
            frames,
            ground,
            registry,
            warnings: Vec::new(),
        }
    }

    fn load_cell(&self, library: &Library, beside: Option<&Beside>) -> Result<cell::Surroundings, String> {
        let setup = cell::Setup { cell: None, environment: None, seed: 0, set: Vec::new() };
        let disk = Once::default();
        let files: &dyn Files = beside.map_or(&disk, |beside| beside);
        let loaded = cell::Surroundings::load(library, &setup, files, Arc::clone(&self.registry));
        loaded.map(|(cell, _)| cell).map_err(|problem| problem.to_string())
    }

    /// Those that the tree names.
    fn expect_detectors(&mut self, library: &Library) {
        let nodes = library.iter().flat_map(|(_, tree)| tree.walk(tree.root).map(|id| tree.node(id)));
        let named: BTreeSet<Arc<str>> = nodes.flat_map(|node| self.registry.detectors(node)).collect();
        self.robot.expect_detectors(&named);
    }

    /// The tree names another cell than it did.
    fn change_cell(&mut self, library: &Library) -> Result<(), String> {
        let cell = self
            .load_cell(library, self.beside.as_ref())
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
}

impl Surroundings for RobotSite {
    fn before_tick(&mut self, time_ns: i64, last_output: &TickOutput, input: &mut TickInput) {
        self.robot.before_tick(time_ns, last_output, input);
        input.signals.append(&mut self.new_variables);
        if let Some(cell) = &mut self.cell {
            Surroundings::before_tick(cell, time_ns, last_output, input);
        }
        self.jobs.before_tick(time_ns, last_output, input);
    }

    fn may_still_act(&self) -> bool {
        self.robot.may_still_act() || self.jobs.may_still_act()
    }

    fn failure(&self) -> Option<String> {
        self.robot.failure().or_else(|| self.cell.as_ref().and_then(Surroundings::failure))
    }

    fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut self.warnings);
        warnings.extend(self.robot.take_warnings());
        warnings.extend(self.jobs.take_warnings());
        warnings.extend(self.cell.iter_mut().flat_map(Surroundings::take_warnings));
        warnings
    }
}

impl Site for RobotSite {
    fn open(&mut self, library: &Library, beside: Option<&Beside>) -> Result<Options, String> {
        let cell = self.load_cell(library, beside)?;
        let disk = Once::default();
        let files: &dyn Files = beside.map_or(&disk, |beside| beside);
        let (templates, wrong) = author::templates_beside(&library.main().file, files);
        let mut body = robot_args::body(self.robot.interface(), &self.frames, &self.ground);
        body.use_templates(Arc::new(templates));
        if author::looks_around(library, &self.registry) {
            self.open_eyes()?;
        }
        self.warnings.extend(wrong.iter().map(ToString::to_string));
        let world = cell.world();
        self.cell = Some(cell);
        self.cell_named.clone_from(&library.main().header.cell);
        self.new_variables.clear();
        self.beside = beside.cloned();
        self.expect_detectors(library);
        Ok(Options { attended: true, world, body: Some(body), ..Options::default() })
    }

    fn edited(&mut self, library: &Library, edits: &[EditBatch]) -> Result<(), String> {
        if library.main().header.cell != self.cell_named {
            self.change_cell(library)?;
        }
        if edits.iter().any(|batch| author::begins_to_look(&batch.edits, &self.registry)) {
            self.expect_detectors(library);
            self.open_eyes().map_err(|why| format!("no pictures: {why}"))?;
        }
        Ok(())
    }

    fn can_wait(&self) -> bool {
        true
    }

    fn solids(&self) -> Vec<SceneAt> {
        self.robot.solids()
    }

    fn open_eyes(&mut self) -> Result<(), String> {
        self.robot.open_eyes().map_err(|error| format!("{error:#}"))
    }
}

#[cfg(test)]
#[path = "robot_site_tests.rs"]
mod tests;
