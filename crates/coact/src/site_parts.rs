//! The site of a run or of a robot process, from what was asked for.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use engine::{Ground, Registry};
use footsteps::terrain::{Region, Terrain};
use geometry::Pose;
use robot::Robot;
use runlog::{Begin, Playback};
use sim::world::Tread;
use sim::{KinematicRobot, PhysicsWorld, World};
use site::stub::{Script, Stub};
use site::{Around, Driver, Jobs, Site};

use crate::robot_args::{self, Choice, RobotArgs};

/// All that a site is made of; may change threads, unlike what is made of it.
pub struct SiteParts {
    /// None: the behavior moves no body.
    robot: Option<Arc<Robot>>,
    stub: Option<Script>,
    pub world: Option<World>,
    pub args: RobotArgs,
    around: Around,
    registry: Arc<Registry>,
}

impl SiteParts {
    pub fn new(
        args: &RobotArgs,
        choice: Choice,
        robot: Option<Arc<Robot>>,
        world: Option<World>,
        registry: Arc<Registry>,
    ) -> Result<SiteParts> {
        if choice.stub.is_some() {
            args.refuse_beside_stub(world.is_some())?;
        }
        if args.playback().is_some() && (choice.stub.is_some() || world.is_some()) {
            bail!(
                "--playback: a recording is in the world that it was made in: leave out --world, and a robot that is a stub"
            );
        }
        let mut parts =
            SiteParts { robot, stub: choice.stub, world: None, args: args.clone(), around: choice.around, registry };
        world.map(|world| parts.enter(world)).transpose()?;
        Ok(parts)
    }

    /// Those of a run that is on record, as it began. The error: what it was simulated with is not there any more.
    pub fn of_recording(begin: &Begin, registry: &Arc<Registry>) -> Result<SiteParts> {
        let robot = begin.robot().map_err(|why| anyhow!(why))?;
        let world =
            begin.world.as_ref().map(|world| World::from_json(&world.name, &world.json.to_string())).transpose()?;
        let around = begin
            .body
            .as_ref()
            .map_or_else(Around::default, |body| Around { frames: body.frames.clone(), ground: body.ground.clone() });
        let args = RobotArgs::with_faults(begin.faults.clone());
        Ok(SiteParts { robot, stub: None, world, args, around, registry: Arc::clone(registry) })
    }

    pub fn is_simulated(&self) -> bool {
        self.robot.is_some() && self.stub.is_none() && self.args.playback().is_none()
    }

    /// From now on in another world.
    pub fn enter(&mut self, world: World) -> Result<()> {
        self.world = Some(match &self.robot {
            Some(robot) if self.stub.is_none() => begun_where_free(world, robot)?,
            _ => world,
        });
        Ok(())
    }

    /// Made anew for each run, so that one run leaves nothing behind for the next.
    pub fn site(&self, seed: u64, jobs: Jobs) -> Result<Site> {
        let Some(robot) = &self.robot else {
            return Ok(Site::new(None, Around::default(), jobs, Arc::clone(&self.registry)));
        };
        let ground = ground(&self.around.ground, self.world.as_ref(), seed);
        let around = Around { ground, ..self.around.clone() };
        Ok(Site::new(Some(self.driver(robot, seed)?), around, jobs, Arc::clone(&self.registry)))
    }

    /// Scripted, or in simulation: without physics in the origin, or where a world has it.
    fn driver(&self, robot: &Arc<Robot>, seed: u64) -> Result<Box<dyn Driver>> {
        if let Some(script) = &self.stub {
            return Ok(Box::new(Stub::new(script.clone())));
        }
        if let Some(path) = self.args.playback() {
            return Ok(Box::new(Playback::open(path, || Arc::clone(robot)).context("--playback")?));
        }
        let plan = self.args.fault_plan(seed)?;
        if let Some(world) = &self.world {
            return Ok(Box::new(PhysicsWorld::open_faulty(world, Arc::clone(robot), seed, &plan)?));
        }
        let start = robot_args::start(robot, "home")?;
        Ok(Box::new(KinematicRobot::new(Arc::clone(robot), &start, &Pose::identity(), &plan)?))
    }
}

/// A world of MuJoCo's, made for another robot: ours starts where there is room for it.
fn begun_where_free(world: World, robot: &Arc<Robot>) -> Result<World> {
    let Some((moved, at)) = PhysicsWorld::free_start(&world, robot)? else { return Ok(world) };
    let name = world.name();
    eprintln!(
        "coact: in `{name}` the robot would start inside of something, so it starts at {at}. `robot` in a world file that names the MJCF file says where else"
    );
    Ok(moved)
}

/// What was given counts; else the floor, blocks and stairs of the world as the seed draws it, as the robot in it knows it.
fn ground(given: &Ground, world: Option<&World>, seed: u64) -> Ground {
    let treads = world.map(|world| world.draw(seed).treads()).unwrap_or_default();
    if given.terrain.is_some() || treads.is_empty() {
        return given.clone();
    }
    let regions = treads.iter().filter_map(region).collect();
    let terrain = Terrain::new(Some(0.0), regions, None);
    Ground { terrain: Some(Arc::new(terrain)), obstacles: Arc::clone(&given.obstacles) }
}

/// None: it lies on its side.
fn region(tread: &Tread) -> Option<Region> {
    let [x_m, y_m] = tread.size_m.map(|size_m| size_m / 2.0);
    Region::new(&tread.name, &tread.world_from_top, &[[-x_m, -y_m], [x_m, -y_m], [x_m, y_m], [-x_m, y_m]])
}
