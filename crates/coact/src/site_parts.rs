//! The site of a run or of a robot process, from what was asked for.

use std::sync::Arc;

use anyhow::Result;
use engine::{Ground, Registry};
use footsteps::terrain::{Region, Terrain};
use geometry::Pose;
use robot::Robot;
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
        let mut parts =
            SiteParts { robot, stub: choice.stub, world: None, args: args.clone(), around: choice.around, registry };
        world.map(|world| parts.enter(world)).transpose()?;
        Ok(parts)
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
