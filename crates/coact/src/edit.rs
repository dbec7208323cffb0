//! Operations of an editor, for scripts.

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::Subcommand;
use document::{Document, SidedSkills};
use engine::{Body, FrameAt, Mirror, Plane, Registry};
use geometry::Pose;
use model::file::{load, save_to_disk};
use model::{Library, NodeId};
use sim::{FaultPlan, KinematicRobot};

use crate::files::{self, Once};
use crate::out::{self, Done, SUCCESS, complain};
use crate::robot_args::{self, Choice, RobotArgs};

#[derive(clap::Args)]
pub struct Args {
    /// The behavior file; it is changed in place unless --output says otherwise.
    file: String,
    #[command(subcommand)]
    operation: Operation,
}

#[derive(Subcommand)]
enum Operation {
    /// Make of a node, with what is below it, what it is on the other side.
    Mirror {
        /// The node, by name or path; `/` is the whole behavior.
        node: String,
        /// Mirror across the x–z plane of this object instead of the robot's own.
        #[arg(long, value_name = "NAME")]
        object: Option<String>,
        /// Mirror the world with its objects, as for a door whose hinge is on the other side.
        #[arg(long, conflicts_with = "object")]
        objects: bool,
        /// Put a mirrored copy behind the node and leave the node as it is.
        #[arg(long)]
        copy: bool,
        /// Let uses of skills that have sides lead to mirrored copies of their files, instead of being `mirrored`.
        #[arg(long)]
        skills: bool,
        #[command(flatten)]
        common: Common,
    },
    /// Give the poses of a node in another frame, so that they stay where they are.
    ChangeFrame {
        node: String,
        frame: String,
        #[command(flatten)]
        common: Common,
    },
    /// Take over where the robot is in a preset: the pose of its hand, the angles of its joints.
    SetToRobot {
        node: String,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(clap::Args)]
struct Common {
    /// The preset the robot stands in, in the world's origin.
    #[arg(long, value_name = "PRESET", default_value = "home")]
    preset: String,
    /// Write the changed behavior to this file instead; `-` prints it.
    #[arg(long, value_name = "OUT")]
    output: Option<String>,
    #[command(flatten)]
    robot: RobotArgs,
}

pub fn run(args: &Args) -> Done {
    let (Operation::Mirror { common, .. }
    | Operation::ChangeFrame { common, .. }
    | Operation::SetToRobot { common, .. }) = &args.operation;
    let registry = nodes::registry();
    let loaded = load(&args.file, &Once::default(), registry.catalogue()).map_err(|problem| anyhow!("{problem}"))?;
    let errors: Vec<_> = loaded.problems.iter().filter(|problem| problem.is_error()).collect();
    errors.iter().for_each(|problem| complain(&problem.to_string()));
    if !errors.is_empty() {
        return Err(anyhow!("{} does not load whole: mend it first", args.file).into());
    }
    let choice = common.robot.choice_or_default()?;
    let robot = choice.robot(&loaded.library, &registry);
    let robot = robot.ok_or_else(|| anyhow!("nothing in {} moves a body: name the robot with --robot", args.file))?;
    let positions = robot_args::start(&robot, &common.preset)?;
    let standing = KinematicRobot::new(robot, &positions, &Pose::identity(), &FaultPlan::default());
    let body = choice.around.body(&standing.map_err(anyhow::Error::from)?);
    let mut document = Document::new(loaded.library, registry, 1);
    document.note_disk();
    let edits = args.operation.apply(&mut document, &body, &choice.around.frames)?;
    if edits == 0 {
        complain("nothing changes");
    }
    if common.output.as_deref() == Some("-") {
        let file = document.library().main().file.clone();
        out::print(&document.text(&file).unwrap_or_default())?;
        return Ok(SUCCESS);
    }
    let written = write(&mut document, common.output.as_deref())?;
    out::print(&written.iter().map(|file| format!("wrote {file}\n")).collect::<String>())?;
    Ok(SUCCESS)
}

/// The whole behavior as it is on the other side of the robot, with its uses of skills that have sides.
pub fn mirrored(library: Library, registry: &Arc<Registry>, choice: &Choice) -> Result<Library> {
    let robot = choice.any_robot();
    let positions = robot_args::start(&robot, "home")?;
    let standing = KinematicRobot::new(robot, &positions, &Pose::identity(), &FaultPlan::default())?;
    let body = choice.around.body(&standing);
    let root = library.main().root;
    let mut document = Document::new(library, Arc::clone(registry), 1);
    let mirror = Mirror { robot: body.robot(), plane: Plane::World, body: Some(&body) };
    document.mirror(&[root], &mirror, SidedSkills::Mirrored)?;
    Ok(document.library().clone())
}

impl Operation {
    /// How many edits it took.
    fn apply(&self, document: &mut Document, body: &Body, frames: &[FrameAt]) -> Result<usize> {
        let find = |document: &Document, name: &str| files::node_named(document.library().main(), name);
        let edits = match self {
            Operation::Mirror { node, object, objects, copy, skills, .. } => {
                let node: NodeId = find(document, node)?;
                let stays = if *objects { Plane::World } else { Plane::Sagittal };
                let plane = object.as_deref().map_or(stays, Plane::Object);
                if let Some(object) = object
                    && !frames.iter().any(|frame| *frame.name == **object)
                {
                    bail!("nothing says where `{object}` is: give it with --frame {object}=x,y,z");
                }
                let mirror = Mirror { robot: body.robot(), plane, body: Some(body) };
                let skills = if *skills { SidedSkills::Copy } else { SidedSkills::Mirrored };
                match copy {
                    true => document.mirror_copy(&[node], &mirror, skills)?,
                    false => document.mirror(&[node], &mirror, skills)?,
                }
            }
            Operation::ChangeFrame { node, frame, .. } => {
                let node = find(document, node)?;
                document.change_frame(&[node], frame, body)?
            }
            Operation::SetToRobot { node, .. } => {
                let node = find(document, node)?;
                document.set_to_robot(&[node], body)?
            }
        };
        Ok(edits.len())
    }
}

/// Gives the files that were written.
fn write(document: &mut Document, output: Option<&str>) -> Result<Vec<String>> {
    if let Some(output) = output {
        let main = document.library().main();
        let folder = |file: &str| file.rfind(['/', '\\']).map_or(String::new(), |end| file[..end].to_owned());
        if document.library().len() > 1 && folder(output) != folder(&main.file) {
            bail!("the behavior uses skills, which are found from its folder: write {output} into the same folder");
        }
        let file = main.file.clone();
        let text = document.text(&file).unwrap_or_default();
        save_to_disk(output, &text)?;
        document.mark_saved(&file);
        let mut written: Vec<String> = document.save_all()?.iter().map(|file| file.to_string()).collect();
        written.push(output.to_owned());
        return Ok(written);
    }
    Ok(document.save_all()?.iter().map(|file| file.to_string()).collect())
}
