//! What a robot process has around its behaviors: the robot, which stays, and the cell of whichever behavior is open.

use std::sync::Arc;

use engine::{FrameAt, Ground, Options, Registry, TickInput, TickOutput};
use model::Library;
use onboard::{Site, Surroundings};
use protocol::talk::SceneAt;
use robot::Robot;

use crate::files::Once;
use crate::robot_args::{self, RobotArgs};
use crate::robot_world::RobotWorld;
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
    jobs: Box<dyn Surroundings>,
    frames: Vec<FrameAt>,
    ground: Ground,
    registry: Arc<Registry>,
}

impl RobotSite {
    pub fn new(parts: SiteParts) -> Result<RobotSite, String> {
        let SiteParts { robot, world, args, frames, ground, registry } = parts;
        let simulated = args.simulated(&robot, world.as_ref(), 0).map_err(|error| format!("{error:#}"))?;
        let ground = world_ground::ground(&ground, world.as_ref(), 0);
        let robot = RobotWorld::new(simulated, frames.clone());
        Ok(RobotSite { robot, cell: None, jobs: onboard::jobs(true), frames, ground, registry })
    }
}

impl Surroundings for RobotSite {
    fn before_tick(&mut self, time_ns: i64, last_output: &TickOutput, input: &mut TickInput) {
        self.robot.before_tick(time_ns, last_output, input);
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
        let mut warnings = self.jobs.take_warnings();
        warnings.extend(self.cell.iter_mut().flat_map(Surroundings::take_warnings));
        warnings
    }
}

impl Site for RobotSite {
    fn open(&mut self, library: &Library) -> Result<Options, String> {
        let setup = cell::Setup { cell: None, environment: None, seed: 0, set: Vec::new() };
        let loaded = cell::Surroundings::load(library, &setup, &Once::default(), Arc::clone(&self.registry));
        let (cell, _) = loaded.map_err(|problem| problem.to_string())?;
        let mut body = robot_args::body(self.robot.interface(), &self.frames, &self.ground);
        body.use_templates(robot_args::templates_beside(&library.main().file));
        let world = cell.world();
        self.cell = Some(cell);
        if author::looks_around(library, &self.registry) {
            self.open_eyes()?;
        }
        Ok(Options { attended: true, world, body: Some(body), ..Options::default() })
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
