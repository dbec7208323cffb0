//! All that an engine begins with, as a value that a file holds: with the inputs of its ticks it makes the run anew.

use std::path::Path;
use std::sync::Arc;

use engine::{Body, FrameAt, Ground, Options};
use model::hash::Fnv;
use model::{Beside, Definition, Header, Library, Node, NodeId, Subtree, Value};
use robot::Robot;
use robot::interface::{Capabilities, RobotState};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// Of the form of recordings. One that is newer is not read; 1 had points in place of depths.
pub const FORM: u32 = 2;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Begin {
    pub form: u32,
    /// Version of the program that recorded it.
    pub program: String,
    /// Milliseconds since 1970 at its first tick, and the engine's time then.
    pub began_unix_ms: u64,
    pub began_ns: i64,
    pub rate_hz: f64,
    pub seed: u64,
    pub attended: bool,
    pub preview: bool,
    pub numbered_from: u64,
    pub world_variables: Vec<(Arc<str>, Option<Value>)>,
    pub set: Vec<(Arc<str>, Value)>,
    pub files: Vec<TreeFile>,
    pub beside: Beside,
    pub body: Option<BodyAtFirst>,
    pub world: Option<WorldOf>,
    /// What the simulated robot was to do wrong: plans, as JSON.
    pub faults: Vec<String>,
    /// The robot was simulated: with the seed, its world can be made again.
    #[serde(default)]
    pub simulated: bool,
    pub digests: Digests,
}

/// A file of the behavior as it was loaded, with the ids of its nodes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TreeFile {
    pub file: Arc<str>,
    pub header: Header,
    pub root: Subtree,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BodyAtFirst {
    pub robot: RobotTexts,
    pub capabilities: Capabilities,
    pub state: RobotState,
    pub frames: Vec<FrameAt>,
    pub ground: Ground,
}

/// The files that a robot was read from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RobotTexts {
    pub name: String,
    pub small_file: Arc<str>,
    pub small_file_at: String,
    pub urdf: Arc<str>,
    pub urdf_file: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorldOf {
    pub name: String,
    /// With its ranges.
    pub json: Json,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Digests {
    pub program: String,
    pub robot: String,
    pub world: String,
    pub behavior: String,
}

/// What a recorder is told beside what the engine begins with.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub rate_hz: f64,
    pub beside: Beside,
    pub world: Option<WorldOf>,
    pub faults: Vec<String>,
    pub simulated: bool,
    /// Of the program.
    pub program: String,
    pub program_digest: String,
}

impl Begin {
    pub fn new(library: &Library, options: &Options, facts: &Facts, (began_ns, began_unix_ms): (i64, u64)) -> Begin {
        let files: Vec<TreeFile> = library.iter().map(|(_, tree)| TreeFile::of(tree)).collect();
        let body = options.body.as_ref().map(BodyAtFirst::of);
        let digests = Digests {
            program: facts.program_digest.clone(),
            robot: body.as_ref().map(|body| digest(&body.robot)).unwrap_or_default(),
            world: facts.world.as_ref().map(|world| digest(&world.json)).unwrap_or_default(),
            behavior: digest(&files),
        };
        Begin {
            form: FORM,
            program: facts.program.clone(),
            began_unix_ms,
            began_ns,
            rate_hz: facts.rate_hz,
            seed: options.seed,
            attended: options.attended,
            preview: options.preview,
            numbered_from: options.numbered_from,
            world_variables: options.world.clone(),
            set: options.set.clone(),
            files,
            beside: facts.beside.clone(),
            body,
            world: facts.world.clone(),
            faults: facts.faults.clone(),
            simulated: facts.simulated,
            digests,
        }
    }

    pub fn library(&self) -> Library {
        let mut library = Library::default();
        for file in &self.files {
            library.add(file.definition());
        }
        library
    }

    /// What the engine began with.
    pub fn options(&self) -> Result<Options, String> {
        let body = self.body.as_ref().map(|body| body.made(self)).transpose()?;
        Ok(Options {
            seed: self.seed,
            attended: self.attended,
            world: self.world_variables.clone(),
            body,
            preview: self.preview,
            dry: false,
            numbered_from: self.numbered_from,
            set: self.set.clone(),
        })
    }

    pub fn robot(&self) -> Result<Option<Arc<Robot>>, String> {
        self.body.as_ref().map(|body| body.robot.made().map(Arc::new)).transpose()
    }

    /// The behavior file.
    pub fn behavior(&self) -> &str {
        self.files.first().map_or("", |file| &file.file)
    }

    /// Nanoseconds since 1970, of a time of the engine.
    pub fn unix_ns(&self, time_ns: i64) -> u64 {
        let began_ns = i128::from(self.began_unix_ms) * 1_000_000;
        u64::try_from(began_ns + i128::from(time_ns) - i128::from(self.began_ns)).unwrap_or(0)
    }

    /// The engine's time, of nanoseconds since 1970.
    pub fn time_ns(&self, unix_ns: u64) -> i64 {
        let since_ns = i128::from(unix_ns) - i128::from(self.began_unix_ms) * 1_000_000;
        i64::try_from(since_ns + i128::from(self.began_ns)).unwrap_or(i64::MAX)
    }

    /// Seconds since the first tick.
    pub fn at_s(&self, time_ns: i64) -> f64 {
        (time_ns - self.began_ns) as f64 / 1e9
    }
}

impl TreeFile {
    fn of(tree: &Definition) -> TreeFile {
        TreeFile { file: Arc::clone(&tree.file), header: tree.header.clone(), root: tree.subtree(tree.root) }
    }

    fn definition(&self) -> Definition {
        let mut tree = Definition::new(Arc::clone(&self.file), self.header.clone(), node(None, &self.root));
        graft(&mut tree, &self.root);
        tree
    }
}

fn graft(tree: &mut Definition, above: &Subtree) {
    for child in &above.children {
        tree.insert_node(node(Some(above.id), child));
        graft(tree, child);
    }
}

fn node(parent: Option<NodeId>, subtree: &Subtree) -> Node {
    Node {
        id: subtree.id,
        parent,
        kind: subtree.kind.clone(),
        name: subtree.name.clone(),
        notes: subtree.notes.clone(),
        children: subtree.children.iter().map(|child| child.id).collect(),
        fields: subtree.fields.clone(),
        id_written: subtree.id_written,
    }
}

impl BodyAtFirst {
    fn of(body: &Body) -> BodyAtFirst {
        let robot = body.robot();
        let texts = RobotTexts {
            name: robot.name.clone(),
            small_file: Arc::clone(&robot.small_file),
            small_file_at: robot.small_file_at.clone(),
            urdf: Arc::clone(&robot.urdf),
            urdf_file: robot.urdf_file.display().to_string(),
        };
        let frame = |(name, at): (&Arc<str>, &geometry::Pose)| FrameAt { name: name.clone(), world_from_frame: *at };
        BodyAtFirst {
            robot: texts,
            capabilities: body.capabilities().clone(),
            state: (**body.state()).clone(),
            frames: body.objects().iter().map(frame).collect(),
            ground: body.ground().clone(),
        }
    }

    fn made(&self, begin: &Begin) -> Result<Body, String> {
        let robot = Arc::new(self.robot.made()?);
        let (capabilities, state) = (Arc::new(self.capabilities.clone()), Arc::new(self.state.clone()));
        let mut body = Body::new(robot, capabilities, state);
        self.frames.iter().for_each(|frame| body.place(frame));
        body.stand_on(self.ground.clone());
        let (templates, _) = check::templates_beside(begin.behavior(), &begin.beside);
        body.use_templates(Arc::new(templates));
        Ok(body)
    }
}

impl RobotTexts {
    pub fn made(&self) -> Result<Robot, String> {
        let made = Robot::from_texts(&self.small_file, &self.small_file_at, &self.urdf, Path::new(&self.urdf_file));
        let (mut robot, _) = made.map_err(|error| format!("the robot in the recording cannot be made: {error}"))?;
        robot.name.clone_from(&self.name);
        Ok(robot)
    }
}

/// Says whether two are the same, not who made them.
fn digest(value: &impl Serialize) -> String {
    let bytes = serde_json::to_vec(value).unwrap_or_default();
    format!("{:016x}", Fnv::new().with(&bytes).finish())
}
