use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use footsteps::terrain::world_from_text;
use footsteps::{
    First, Goal, Optimum, Parameters, Plan, PlanFailure, Planar, Planner, Problem, Waypoint, check_plan, foothold_at,
    stance_feet, svg, table,
};
use geometry::Pose;
use robot::{Robot, Side, WalkingLimits};
use serde_json::{Value as Json, json};

use crate::out::{self, Done, FAILED, SUCCESS, count};

#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 there is a plan, 1 there is none, 2 a file or the usage is wrong.")]
pub struct Args {
    /// A robot of ours, or its folder.
    #[arg(long, default_value = "coact-one")]
    robot: String,
    /// Where the robot stands, square: x and y in metres, heading in degrees.
    #[arg(long, value_name = "X,Y,YAW", default_value = "0,0,0", allow_hyphen_values = true)]
    from: String,
    /// Where it shall stand, square.
    #[arg(long, value_name = "X,Y,YAW", allow_hyphen_values = true, required_unless_present_any = ["left", "table"])]
    to: Option<String>,
    /// Where the left foot shall stand, instead of --to.
    #[arg(long, value_name = "X,Y,YAW", allow_hyphen_values = true, requires = "right", conflicts_with = "to")]
    left: Option<String>,
    /// Where the right foot shall stand.
    #[arg(long, value_name = "X,Y,YAW", allow_hyphen_values = true, requires = "left")]
    right: Option<String>,
    /// A place to pass on the way; the heading may be left out.
    #[arg(long, value_name = "X,Y[,YAW]", allow_hyphen_values = true)]
    via: Vec<String>,
    /// The ground and what stands on it.
    #[arg(long, value_name = "FILE")]
    terrain: Option<String>,
    /// A set of parameters: flat, rough, stairs, narrow, or a file.
    #[arg(long, value_name = "NAME or FILE", default_value = "flat")]
    parameters: String,
    #[arg(long, default_value = "quick", value_parser = ["quick", "turn-walk-turn", "a-star"])]
    planner: String,
    /// The foot that steps first.
    #[arg(long, default_value = "auto", value_parser = ["auto", "left", "right"])]
    first: String,
    /// End as soon as one foot is at the goal.
    #[arg(long)]
    no_square_up: bool,
    /// After this a search answers with the best plan it has.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    time_limit_s: f64,
    /// The same limit counted instead of timed, so that it repeats.
    #[arg(long, value_name = "COUNT")]
    max_expansions: Option<usize>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// Draw the plan.
    #[arg(long, value_name = "OUT")]
    svg: Option<String>,
    /// Print how many steps the planners need on a level floor, over a grid of goals.
    #[arg(long)]
    table: bool,
}

pub fn run(args: &Args) -> Done {
    let (robot, _) = Robot::find(&args.robot).map_err(|error| anyhow!("{error}"))?;
    if args.table {
        out::print(&quality(&robot.walking))?;
        return Ok(SUCCESS);
    }
    let problem = problem(args, robot.walking)?;
    let planner = Planner::ALL.into_iter().find(|planner| planner.word() == args.planner).unwrap_or_default();
    let limit = Duration::try_from_secs_f64(args.time_limit_s).context("--time-limit-s")?;
    let begin = Instant::now();
    let first_s = Cell::new(None);
    let note = || first_s.set(first_s.get().or(Some(begin.elapsed().as_secs_f64())));
    let planned = footsteps::plan_watched(&problem, planner, &|| begin.elapsed() > limit, &note);
    let times = first_s.get().map(|first_s| Times { first_s, all_s: begin.elapsed().as_secs_f64() });
    if let Some(path) = &args.svg {
        std::fs::write(path, svg(&problem, planned.as_ref().ok())).with_context(|| format!("cannot write {path}"))?;
    }
    let told = match args.json {
        true => format!("{}\n", as_json(&problem, planner, &planned)),
        false => as_text(&planned, times),
    };
    out::print(&told)?;
    Ok(if planned.is_ok() { SUCCESS } else { FAILED })
}

/// Of planning, by the clock: for people alone, what scripts read is the same every time.
#[derive(Clone, Copy)]
struct Times {
    /// Until there was a plan at all.
    first_s: f64,
    all_s: f64,
}

fn problem(args: &Args, limits: WalkingLimits) -> anyhow::Result<Problem> {
    let from = placed("--from", &args.from)?;
    let goal = match (&args.to, &args.left, &args.right) {
        (Some(to), _, _) => {
            let to = placed("--to", to)?;
            let focal_m = to.point(1.0, 0.0);
            Goal::Stance { stance_m: [to.x_m, to.y_m], focal_m, square_up: !args.no_square_up }
        }
        (None, Some(left), Some(right)) => {
            let foot = |name: &str, text: &str| anyhow::Ok(placed(name, text)?.level(0.0));
            Goal::Feet { left: foot("--left", left)?, right: foot("--right", right)? }
        }
        _ => return Err(anyhow!("give --to, or --left and --right")),
    };
    let mut problem = Problem::new(limits, [Pose::identity(); 2], goal);
    problem.parameters = parameters(&args.parameters)?;
    if let Some(expansions) = args.max_expansions {
        problem.parameters.search.max_expansions = expansions;
    }
    if let Some(path) = &args.terrain {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
        let world = world_from_text(&text).map_err(|error| anyhow!("{path}: {error}"))?;
        problem.terrain = Some(Arc::new(world.terrain));
        problem.obstacles = Arc::new(world.obstacles);
    }
    for via in &args.via {
        let numbers = numbers("--via", via)?;
        ensure!(numbers.len() == 2 || numbers.len() == 3, "--via {via}: give X,Y or X,Y,YAW");
        let yaw_rad = numbers.get(2).map(|yaw_deg| yaw_deg.to_radians());
        problem.waypoints.push(Waypoint { at_m: [numbers[0], numbers[1]], yaw_rad });
    }
    problem.first = match args.first.as_str() {
        "left" => First::Left,
        "right" => First::Right,
        _ => First::Auto,
    };
    for (index, at) in stance_feet(&problem.limits, &from).into_iter().enumerate() {
        let foothold = foothold_at(&problem, &at);
        problem.start[index] = foothold.map_err(|why| anyhow!("the robot cannot stand at --from: {why}"))?.pose();
    }
    Ok(problem)
}

fn parameters(name: &str) -> anyhow::Result<Parameters> {
    if let Some(known) = Parameters::built_in(name) {
        return Ok(known);
    }
    let known: Vec<&str> = Parameters::names().collect();
    let text = std::fs::read_to_string(name)
        .with_context(|| format!("no parameters “{name}”: there are {}, or give a file", known.join(", ")))?;
    Parameters::from_text(&text).map_err(|error| anyhow!("{name}: {error}"))
}

fn numbers(name: &str, text: &str) -> anyhow::Result<Vec<f64>> {
    let parsed: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse::<f64>()).collect();
    let numbers = parsed.with_context(|| format!("{name} {text}"))?;
    ensure!(numbers.iter().all(|number| number.is_finite()), "{name} {text}: numbers must be finite");
    Ok(numbers)
}

fn placed(name: &str, text: &str) -> anyhow::Result<Planar> {
    match numbers(name, text)?[..] {
        [x_m, y_m, yaw_deg] => Ok(Planar::new(x_m, y_m, yaw_deg.to_radians())),
        _ => Err(anyhow!("{name} {text}: give X,Y,YAW, in metres and degrees")),
    }
}

fn as_json(problem: &Problem, planner: Planner, planned: &Result<Plan, PlanFailure>) -> Json {
    match planned {
        Err(failure) => json!({
            "result": "failure",
            "planner": planner.word(),
            "reason": failure.reason.to_string(),
            "at_m": failure.at_m,
        }),
        Ok(plan) => {
            let steps = plan.steps.iter().map(|step| {
                json!({
                    "side": step.side,
                    "sole": step.world_from_sole,
                    "swing_s": step.swing_s,
                    "transfer_s": step.transfer_s,
                    "swing_height_m": step.swing_height_m,
                })
            });
            let problems = check_plan(problem, &plan.steps);
            json!({
                "result": "success",
                "planner": planner.word(),
                "steps": steps.collect::<Vec<Json>>(),
                "duration_s": duration_s(plan),
                "cost": plan.cost,
                "search": plan.search,
                "goal_moved_m": plan.goal_moved_m,
                "problems": problems.iter().map(ToString::to_string).collect::<Vec<String>>(),
            })
        }
    }
}

fn duration_s(plan: &Plan) -> f64 {
    plan.steps.iter().map(|step| step.swing_s + step.transfer_s).sum()
}

fn as_text(planned: &Result<Plan, PlanFailure>, times: Option<Times>) -> String {
    let plan = match planned {
        Ok(plan) => plan,
        Err(failure) => return format!("no plan: {failure}\n"),
    };
    let mut text = String::new();
    for (index, step) in plan.steps.iter().enumerate() {
        let (at, rpy) = (step.world_from_sole.translation_m(), step.world_from_sole.rpy());
        text += &format!(
            "{:>3}  {:<5}  x {:>6.3} m  y {:>6.3} m  z {:>6.3} m  yaw {:>6.1}°  pitch {:>5.1}°  roll {:>5.1}°  {:.2} s\n",
            index + 1,
            step.side.word(),
            at.x,
            at.y,
            at.z,
            rpy.yaw_rad.to_degrees(),
            rpy.pitch_rad.to_degrees(),
            rpy.roll_rad.to_degrees(),
            step.swing_s
        );
    }
    for (side, moved_m) in Side::BOTH.iter().zip(plan.goal_moved_m).filter(|(_, moved_m)| *moved_m > 0.0) {
        text += &format!("the {} foot has no foothold at the goal and ends {moved_m:.2} m beside it\n", side.word());
    }
    if let (Some(first), Some(times)) = (plan.search.improvements.first(), times) {
        let (steps, all) = (count(first.steps, "step"), times.all_s);
        text += &format!("a first plan of {steps} was there after {:.3} s, this one after {all:.3} s\n", times.first_s);
    }
    text + &format!("{}, {:.1} s\n", count(plan.steps.len(), "step"), duration_s(plan))
}

/// The optimum is sought on a lattice of thirds of the half stance and 10°.
fn quality(limits: &WalkingLimits) -> String {
    let optimum = Optimum::of(limits, 3.6, 3, 36);
    let rows = table::Grid::default().rows(limits, &optimum);
    let within = table::within_two(&rows) * 100.0;
    format!("{}\n{within:.1} % of the goals at most 2 steps above the optimum\n", table::markdown(&rows))
}
