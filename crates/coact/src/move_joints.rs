use anyhow::{Result, anyhow};
use robot::MovingKind;
use serde_json::{Map, Value as Json, json};

use crate::files::Once;
use crate::out::Done;
use crate::robot_args::RobotArgs;
use crate::run::{self, How, Level};
use crate::world::WorldArgs;

#[derive(clap::Args)]
pub struct Args {
    /// Joints with where they go, in degrees, or in metres where a joint slides. They move together.
    #[arg(required = true, value_name = "JOINT=POSITION")]
    joints: Vec<String>,
    /// How long the motion takes, in seconds.
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    duration: f64,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    robot: RobotArgs,
}

/// The name that problems give the behavior which is in no file.
const FILE: &str = "move";

pub fn run(args: &Args) -> Done {
    let robot = args.robot.choice_or_default()?.any_robot();
    let (mut angles_deg, mut positions_m) = (Map::new(), Map::new());
    for given in &args.joints {
        let (joint, position) = goal(given)?;
        let slides =
            robot.model.coordinate(joint).is_some_and(|at| robot.model.coordinates()[at].kind == MovingKind::Prismatic);
        let goals = if slides { &mut positions_m } else { &mut angles_deg };
        if goals.insert(joint.to_owned(), json!(position)).is_some() {
            return Err(anyhow!("joint `{joint}` is given twice").into());
        }
    }
    let step = json!({
        "type": "joint_move", "angles_deg": angles_deg, "positions_m": positions_m, "duration_s": args.duration
    });
    let behavior: Json = json!({"version": 1, "name": "Move", "children": [step]});
    let run = run::Args {
        file: FILE.to_owned(),
        sets: Vec::new(),
        seed: 0,
        repeat: 1,
        mirror: false,
        experience: None,
        experience_out: None,
        autonomy: Level::Full,
        how: args.how.clone(),
        robot: args.robot.clone(),
        world: WorldArgs::default(),
    };
    run::run_from(&run, Once::holding(FILE, behavior.to_string()))
}

fn goal(given: &str) -> Result<(&str, f64)> {
    let wrong = || anyhow!("{given}: write JOINT=POSITION, as in right_elbow_pitch=-60");
    let (joint, position) = given.split_once('=').ok_or_else(wrong)?;
    let position: f64 = position.trim().parse().map_err(|_| wrong())?;
    if joint.is_empty() || !position.is_finite() {
        return Err(wrong());
    }
    Ok((joint, position))
}
