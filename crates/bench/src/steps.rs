//! Times of the footstep planners: `./dev bench footsteps`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use footsteps::terrain::world_from_text;
use footsteps::{Goal, Improvement, Parameters, Plan, Planar, Planner, Problem, foothold_at, stance_feet};
use robot::WalkingLimits;

use crate::blocks;

const RAMP: &str = include_str!("../../../terrains/ramp.json");

pub fn run() {
    println!("Footsteps. References were measured by others, on other machines and robots.\n");
    println!("| what | ours | target | reference |");
    println!("|---|---|---|---|");
    let goals = [(3.0, 0.0, 0.0), (2.0, 2.2, 90.0), (-2.9, 0.5, 180.0), (0.0, 3.0, 0.0), (-3.0, 0.0, 0.0)];
    let slowest = |planner| goals.iter().map(|goal| first_plan_s(&flat(*goal), planner)).fold(0.0, f64::max);
    row("quick, 3 m, slowest of 5 goals", slowest(Planner::Quick) * 1e3, 0.2, "");
    row("turn-walk-turn, the same", slowest(Planner::TurnWalkTurn) * 1e3, f64::INFINITY, "");
    let ihmc = "IHMC 1050 ms for 8 steps; Karkowski 18 ms with the map";
    row("A*, level floor, first plan", slowest(Planner::AStar) * 1e3, 20.0, ihmc);
    row("A*, ramp, first plan", first_plan_s(&inside(RAMP, 3.4), Planner::AStar) * 1e3, f64::INFINITY, "ViGIR 700 ms");
    let blocks_s = blocks::problems().iter().map(|blocks| first_plan_s(blocks, Planner::AStar)).fold(0.0, f64::max);
    row("A*, 3.2 m of cinder blocks, first plan, slowest of 5", blocks_s * 1e3, 200.0, "ViGIR 1800 ms, chevron");
}

/// How soon the search is within a tenth of what it finds in a minute.
pub fn long() {
    let minutes: Vec<(f64, Plan)> = blocks::problems().into_iter().map(minute).collect();
    let slowest_s = minutes.iter().map(|(near_s, _)| *near_s).fold(0.0, f64::max);
    row("A*, 3.2 m of cinder blocks, within 10 % of 60 s, slowest of 5", slowest_s * 1e3, 2000.0, "");
    println!("\nA*, cinder blocks: the first plan, the first within 10 % of the last, and the last of 60 s.\n");
    println!("| problem | plan | expansions | weight | cost | steps | after |");
    println!("|---|---|---|---|---|---|---|");
    for (index, (near_s, plan)) in minutes.iter().enumerate() {
        let improvements = &plan.search.improvements;
        let last = if plan.search.finished { "the search had ended" } else { "60 s" };
        let rows = [
            ("first", improvements.first(), String::new()),
            ("within 10 %", near(plan), format!("{:.0} ms", near_s * 1e3)),
            ("last", improvements.last(), last.to_owned()),
        ];
        for (name, better, after) in rows {
            let Some(better) = better else { continue };
            let Improvement { expansions, weight, cost, steps } = better;
            println!("| {} | {name} | {expansions} | {weight:.1} | {cost:.3} | {steps} | {after} |", index + 1);
        }
    }
}

fn near(plan: &Plan) -> Option<&Improvement> {
    plan.search.improvements.iter().find(|better| better.cost <= plan.cost * 1.1)
}

/// The plan of a minute, and how long it takes to be within a tenth of it.
fn minute(problem: Problem) -> (f64, Plan) {
    let begin = Instant::now();
    let mut patient = problem.clone();
    patient.parameters.search.max_expansions = usize::MAX;
    patient.parameters.search.patience = 1e9;
    let plan = footsteps::plan(&patient, Planner::AStar, &|| begin.elapsed() > Duration::from_secs(60));
    let plan = plan.expect("there is a way over the blocks");
    let mut short = problem;
    short.parameters.search.max_expansions = near(&plan).expect("the last one is").expansions;
    (seconds(&short, Planner::AStar), plan)
}

fn row(what: &str, ours_ms: f64, target_ms: f64, reference: &str) {
    let met = if ours_ms <= target_ms { "" } else { " (missed)" };
    let target = if target_ms.is_finite() { format!("≤ {target_ms} ms") } else { String::new() };
    println!("| {what} | {ours_ms:.3} ms{met} | {target} | {reference} |");
}

fn flat((x_m, y_m, yaw_deg): (f64, f64, f64)) -> Problem {
    let limits = WalkingLimits::default();
    let start = stance_feet(&limits, &Planar::new(0.0, 0.0, 0.0)).map(|foot| foot.level(0.0));
    Problem::new(limits, start, Goal::at(&Planar::new(x_m, y_m, yaw_deg.to_radians())))
}

fn inside(text: &str, x_m: f64) -> Problem {
    let world = world_from_text(text).expect("a terrain of ours");
    let mut problem = flat((x_m, 0.0, 0.0));
    problem.terrain = Some(Arc::new(world.terrain));
    problem.parameters = Parameters::built_in("rough").expect("a set of ours");
    let feet = stance_feet(&problem.limits, &Planar::new(0.0, 0.0, 0.0));
    problem.start = feet.map(|foot| foothold_at(&problem, &foot).expect("level ground").pose());
    problem
}

/// The search counts its work: with as much as the first plan took, it ends there.
fn first_plan_s(problem: &Problem, planner: Planner) -> f64 {
    let mut problem = problem.clone();
    problem.parameters.search.max_expansions = 20_000;
    let found: Plan = footsteps::plan(&problem, planner, &|| false).expect("a plan");
    if let Some(first) = found.search.improvements.first() {
        problem.parameters.search.max_expansions = first.expansions;
    }
    seconds(&problem, planner)
}

/// The best of several rounds.
fn seconds(problem: &Problem, planner: Planner) -> f64 {
    let rounds = (0..10).map(|_| {
        let begin = Instant::now();
        black_box(footsteps::plan(black_box(problem), planner, &|| false).is_ok());
        begin.elapsed().as_secs_f64()
    });
    rounds.fold(f64::INFINITY, f64::min)
}
