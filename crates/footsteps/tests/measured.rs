//! Ground as robots have measured it: cells of 3 cm, with noise, gaps and stray values.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use footsteps::terrain::world_from_text;
use footsteps::{
    Goal, Parameters, Plan, PlanFailure, Planar, Planner, Problem, check_plan, foothold_at, plan, stance_feet,
};
use robot::{Robot, WalkingLimits};

use crate::common::at;

struct Case {
    file: PathBuf,
    from: Planar,
    to: Planar,
}

/// A made-up map of the form that measured ones have: two blocks on a floor, the second one tilted.
fn ours() -> Case {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/measured/blocks.json");
    Case { file, from: at(0.1, 0.0, 0.0), to: at(1.6, 0.05, 10.0) }
}

/// Measured by others: in the folder that `COACT_TERRAINS` names.
fn measured() -> Vec<Case> {
    let Some(folder) = std::env::var_os("COACT_TERRAINS").map(PathBuf::from) else {
        eprintln!("SKIPPED: COACT_TERRAINS names no folder with height maps that were measured");
        return Vec::new();
    };
    let rad = |x_m, y_m, yaw_rad| Planar::new(x_m, y_m, yaw_rad);
    [
        ("cinders_1", rad(0.72, 0.2, 0.1), rad(2.95, 0.2, 0.1)),
        ("ramp", rad(0.3, 0.0, 0.0), rad(2.85, -0.4, 0.15)),
        ("stairs_2", rad(0.0, 0.0, 0.0), rad(3.6, 0.17, 0.6)),
        ("stepping_stones_1", rad(0.5, 0.1, 0.4), rad(3.8, -0.5, -0.9)),
    ]
    .map(|(name, from, to)| Case { file: folder.join(format!("{name}.json")), from, to })
    .into()
}

fn problem(case: &Case, limits: &WalkingLimits, parameters: &str) -> Problem {
    let text = std::fs::read_to_string(&case.file).unwrap_or_else(|error| panic!("{}: {error}", case.file.display()));
    let world = world_from_text(&text).unwrap_or_else(|error| panic!("{}: {error}", case.file.display()));
    let start = stance_feet(limits, &case.from).map(|foot| foot.level(0.0));
    let mut problem = Problem::new(limits.clone(), start, Goal::at(&case.to));
    problem.terrain = Some(Arc::new(world.terrain));
    problem.parameters = Parameters::built_in(parameters).expect("a built-in set");
    problem.parameters.search.max_expansions = 3000;
    let feet = stance_feet(limits, &case.from);
    problem.start = feet.map(|foot| {
        foothold_at(&problem, &foot).unwrap_or_else(|why| panic!("{}: start: {why}", case.file.display())).pose()
    });
    problem
}

fn planned(case: &Case, limits: &WalkingLimits, parameters: &str) -> (Problem, Result<Plan, PlanFailure>) {
    let problem = problem(case, limits, parameters);
    let plan = plan(&problem, Planner::AStar, &|| false);
    (problem, plan)
}

#[test]
fn a_map_of_3_cm_with_noise_gaps_and_spikes_is_walked() {
    let limits = Robot::builtin("coact-one").unwrap().walking;
    let case = ours();
    let (problem, plan) = planned(&case, &limits, "rough");
    let plan = plan.unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(check_plan(&problem, &plan.steps), vec![]);
    // It ends on the tilted block: 0.10 m and 0.15 for each metre behind its edge.
    let last = plan.steps.last().unwrap().world_from_sole.translation_m();
    assert!((last.z - (-0.05 + 0.15 * (last.x - 1.25))).abs() < 0.01, "{last:?}");
    // What is tidied is the ground itself, to a centimetre, where there is a block.
    let terrain = problem.terrain.as_ref().unwrap();
    for (x_m, z_m) in [(0.8, -0.05), (1.0, -0.05), (1.5, -0.0125), (1.8, 0.0325)] {
        let height_m = terrain.height_m(x_m, 0.2).unwrap();
        assert!((height_m - z_m).abs() < 0.01, "{height_m} at {x_m}, not {z_m}");
    }
    // And its edge is still one.
    assert!(terrain.height_m(0.66, 0.0).unwrap() - terrain.height_m(0.5, 0.0).unwrap() > 0.085);
}

#[test]
fn a_foot_without_a_foothold_at_the_goal_goes_to_one_near_by() {
    let limits = Robot::builtin("coact-one").unwrap().walking;
    // Half over the edge at the end of the tilted block.
    let case = Case { to: at(1.93, 0.0, 0.0), ..ours() };
    let (problem, plan) = planned(&case, &limits, "rough");
    let plan = plan.unwrap_or_else(|failure| panic!("{failure}"));
    let moved_m = plan.goal_moved_m.iter().fold(0.0, |most: f64, moved_m| most.max(*moved_m));
    assert!(moved_m > 0.01 && moved_m <= 0.15 + 1e-9, "{moved_m}");
    assert_eq!(check_plan(&problem, &plan.steps), vec![]);
    let mut exact = problem.clone();
    exact.parameters.search.goal_slack_m = 0.0;
    let failure = footsteps::plan(&exact, Planner::AStar, &|| false).unwrap_err().to_string();
    assert!(failure.contains("cannot stand at the goal"), "{failure}");
    // What has a foothold stays where it was asked for.
    let (_, plan) = planned(&ours(), &limits, "rough");
    assert!(plan.unwrap().goal_moved_m.iter().all(|moved_m| *moved_m <= 0.06));
}

#[test]
fn measured_maps_are_walked() {
    let limits = Robot::builtin("coact-one").unwrap().walking;
    let mut failed = Vec::new();
    for case in measured() {
        for parameters in ["rough", "stairs"] {
            // The ramp is steeper than what counts as stairs.
            if parameters == "stairs" && case.file.ends_with("ramp.json") {
                continue;
            }
            let name = format!("{} {parameters}", case.file.file_stem().unwrap().display());
            match planned(&case, &limits, parameters) {
                (problem, Ok(plan)) => {
                    assert_eq!(check_plan(&problem, &plan.steps), vec![], "{name}");
                    let first = plan.search.improvements.first().map_or(0, |first| first.expansions);
                    println!(
                        "{name}: {} steps, first after {first} expansions, goal moved {:.2?}",
                        plan.steps.len(),
                        plan.goal_moved_m
                    );
                }
                (_, Err(failure)) => failed.push(format!("{name}: {failure}")),
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn a_first_plan_is_told_when_it_is_there() {
    let limits = Robot::builtin("coact-one").unwrap().walking;
    let problem = problem(&ours(), &limits, "rough");
    for planner in Planner::ALL {
        let told = std::cell::Cell::new(0);
        let plan = footsteps::plan_watched(&problem, planner, &|| false, &|| told.set(told.get() + 1));
        assert_eq!(told.get(), usize::from(plan.is_ok()), "{}: once, if there is one", planner.word());
    }
}

#[test]
fn a_map_that_contradicts_itself_is_told() {
    let text = std::fs::read_to_string(ours().file).unwrap();
    let error = |from: &str, to: &str| world_from_text(&text.replacen(from, to, 1)).unwrap_err().to_string();
    assert!(error("\"keys\":[", "\"keys\":[99999999,").contains("99999999 is beyond the 91 × 91 cells"));
    assert!(error("\"xy_resolution\":0.03", "\"xy_resolution\":0").contains("give no map"));
    assert!(error("\"xy_resolution\":0.03", "\"xy_resolution\":0.00001").contains("give no map"));
}
