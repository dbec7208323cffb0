//! What each step would do, found without moving anything.

use std::sync::Arc;

use anyhow::anyhow;
use check::{Row, WORST_QUALITY};
use engine::Measured;
use geometry::Pose;
use recording::seconds_text;
use robot::Robot;
use serde_json::json;
use site::Jobs;

use crate::files::{self, Known, Once};
use crate::out::{self, Done, FAILED, SUCCESS, count};
use crate::robot_args::{self, RobotArgs};
use crate::run::{self, How, Level};
use crate::site_parts::SiteParts;
use crate::world::WorldArgs;

#[derive(clap::Args)]
pub struct Args {
    /// The behavior file.
    file: String,
    /// Only this node and what is below it, by name or path; what comes before still counts.
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// Run the tree on a simulated robot, with objects at their nominal poses, instead of looking at step by step.
    #[arg(long, conflicts_with = "node")]
    run: bool,
    /// With --run: as fast as the wall clock, not as fast as the machine can.
    #[arg(long, requires = "run")]
    realtime: bool,
    /// With --run: gives a variable of the behavior another value: JSON, or else taken as text. May be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", requires = "run")]
    sets: Vec<String>,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
    /// With --run: the cell whose signals and commands the behavior uses, instead of the one its file names.
    #[arg(long, value_name = "CELL", requires = "run")]
    cell: Option<String>,
    /// With --run: a behavior file that plays the equipment of the cell.
    #[arg(long, value_name = "ENV", requires = "run")]
    env: Option<String>,
    #[command(flatten)]
    robot: RobotArgs,
}

pub fn run(args: &Args) -> Done {
    if args.run {
        return run_whole(args);
    }
    let registry = nodes::registry();
    let choice = args.robot.choice_or_default()?;
    let known = Known { robot: Some(&choice), ..Known::default() };
    let loaded = files::sound(&args.file, files::open(&args.file, &Once::default(), &registry, &known), true)?;
    let Some(robot) = choice.robot(&loaded.library, &registry) else {
        return finish(args, None, &[]);
    };
    let wanted = args.node.as_deref().map(|name| files::node_named(loaded.library.main(), name)).transpose()?;
    let parts = SiteParts::new(&args.robot, choice, Some(Arc::clone(&robot)), None, Arc::clone(&registry))?;
    let site = parts.site(0, Jobs::modelled())?;
    let mut body = site.body().ok_or_else(|| anyhow!("a robot has a body"))?;
    body.use_templates(robot_args::templates_beside(&args.file));
    let rows = check::preview(&loaded.library, &registry, body, wanted);
    finish(args, Some(&robot), &rows)
}

/// The same tree, on the kinematic robot, beside whatever the real one does.
fn run_whole(args: &Args) -> Done {
    let (realtime, json) = (args.realtime, args.json);
    let whole = run::Args {
        file: args.file.clone(),
        sets: args.sets.clone(),
        seed: 0,
        repeat: 1,
        mirror: false,
        experience: None,
        experience_out: None,
        autonomy: Level::Full,
        how: How { realtime, json, rate: 100.0, max_time: 3600.0, ascii: false, quiet: false, svg: None },
        robot: args.robot.clone(),
        world: WorldArgs::of_cell(args.cell.clone(), args.env.clone()),
    };
    run::run_as(&whole, Once::default(), true)
}

fn cells(row: &Row) -> [String; 4] {
    let Some(preview) = &row.preview else {
        let (what, note) = without_motion(row);
        return [row.path.clone(), "–".to_owned(), what, note];
    };
    let quality = match preview.quality {
        quality if quality > WORST_QUALITY => format!("not reached ({quality:.2})"),
        0.0 => "good".to_owned(),
        quality => format!("good ({quality:.2})"),
    };
    let pairs: Vec<String> = preview.collisions.iter().map(|(one, other)| format!("{one} and {other}")).collect();
    let touches = if pairs.is_empty() { "none".to_owned() } else { pairs.join(", ") };
    [row.path.clone(), format!("{} s", seconds_text(preview.duration_s)), quality, touches]
}

fn without_motion(row: &Row) -> (String, String) {
    if let Some(Measured { value, unit, holds }) = row.measured {
        return (if holds { "holds" } else { "does not hold" }.to_owned(), format!("{value} {unit}"));
    }
    match &row.objects {
        None => ("cannot be done".to_owned(), String::new()),
        Some(_) if row.problem.is_some() => ("cannot be judged".to_owned(), String::new()),
        Some(objects) => {
            let place = |(name, pose): (&Arc<str>, &Pose)| {
                let [x, y, z] = <[f64; 3]>::from(pose.translation_m()).map(|metres| (metres * 1e3).round() / 1e3 + 0.0);
                format!("{name} at {x} {y} {z} m")
            };
            ("scene".to_owned(), objects.iter().map(place).collect::<Vec<_>>().join(", "))
        }
    }
}

fn finish(args: &Args, robot: Option<&Robot>, rows: &[Row]) -> Done {
    let impossible = rows.iter().filter(|row| !row.is_possible()).count();
    if args.json {
        let robot = robot.map(|robot| &robot.name);
        out::print(&format!("{}\n", json!({"robot": robot, "possible": impossible == 0, "steps": rows})))?;
    } else {
        out::print(&text(rows, impossible))?;
    }
    Ok(if impossible == 0 { SUCCESS } else { FAILED })
}

fn text(rows: &[Row], impossible: usize) -> String {
    if rows.is_empty() {
        return "nothing here moves a body\n".to_owned();
    }
    let head = ["step", "duration", "quality", "collisions"].map(str::to_owned);
    let table: Vec<[String; 4]> = std::iter::once(head).chain(rows.iter().map(cells)).collect();
    let widths = [0, 1, 2].map(|column| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for (place, row) in table.iter().enumerate() {
        let [step, duration, quality, touches] = row;
        let [a, b, c] = widths;
        text += format!("{step:<a$}  {duration:>b$}  {quality:<c$}  {touches}").trim_end();
        text.push('\n');
        if let Some(problem) = place.checked_sub(1).and_then(|place| rows[place].problem.as_ref()) {
            text += &format!("  {problem}\n");
        }
    }
    let total_s: f64 = rows.iter().filter_map(|row| row.preview.as_ref()).map(|preview| preview.duration_s).sum();
    let moving = rows.iter().filter(|row| row.moves_body()).count();
    text += &match impossible {
        0 => format!("\n{}, {} s one after the other\n", count(moving, "step"), seconds_text(total_s)),
        some => format!("\n{some} of {} cannot be done\n", count(rows.len(), "step")),
    };
    text
}
