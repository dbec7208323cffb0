//! Ways people ask for, in the terrains of `terrains/`.

use crate::common;

use std::sync::Arc;

use common::{assert_good, at, flat, inside, planned};
use footsteps::{Goal, Obstacles, Parameters, Planner, Problem, Sole, Waypoint, feet_after, svg};
use robot::WalkingLimits;

fn quick(problem: &Problem) -> footsteps::Plan {
    let plan = planned(problem, Planner::Quick).unwrap_or_else(|failure| panic!("{failure}"));
    assert_good(problem, &plan);
    plan
}

fn searched(problem: &Problem, expansions: usize) -> footsteps::Plan {
    let mut problem = problem.clone();
    problem.parameters.search.max_expansions = expansions;
    let plan = planned(&problem, Planner::AStar).unwrap_or_else(|failure| panic!("{failure}"));
    assert_good(&problem, &plan);
    plan
}

/// To a pull door: the right foot back and turned out, as the arm will need it.
#[test]
fn pull_door_with_a_staggered_stance() {
    let (left, right) = (at(1.2, 0.14, 0.0).level(0.0), at(1.0, -0.14, -15.0).level(0.0));
    let problem = flat(&WalkingLimits::default(), Goal::Feet { left, right });
    let plan = quick(&problem);
    assert!(plan.steps.len() <= 5, "{}", plan.steps.len());
}

#[test]
fn through_a_door_frame() {
    let problem = inside("door-frame.json", "flat", at(0.0, 0.4, 0.0), Goal::at(&at(2.8, -0.3, 0.0)));
    quick(&problem);
    searched(&problem, 300);
}

/// Narrower than the shoulders: somewhere on the way the hips face along the wall.
#[test]
fn sideways_through_a_narrow_frame() {
    let problem = inside("narrow-frame.json", "flat", at(0.0, 0.0, 0.0), Goal::at(&at(3.0, 0.0, 0.0)));
    let plan = quick(&problem);
    let sideways = (0..plan.steps.len()).any(|count| {
        let feet = feet_after(problem.start, &plan.steps[..count]).map(|pose| Sole::of(&pose).at);
        let hips = feet[0].middle(&feet[1]);
        (hips.x_m - 1.5).abs() < 0.2 && libm::sin(hips.yaw_rad).abs() > 0.9
    });
    assert!(sideways, "{:?}", plan.way);
}

#[test]
fn around_a_table_and_around_its_points() {
    let mut problem = inside("table.json", "flat", at(0.0, 0.0, 0.0), Goal::at(&at(3.2, 0.0, 0.0)));
    let plan = quick(&problem);
    assert!(!plan.way.is_empty());
    let seen = (0..2000).map(|index| {
        let (x, y) = (f64::from(index % 40) * 0.02, f64::from(index / 40) * 0.032);
        [1.2 + x, -0.8 + y, 0.74]
    });
    problem.obstacles = Arc::new(Obstacles::new(Vec::new(), seen.collect()));
    quick(&problem);
}

#[test]
fn stairs_up_and_down() {
    let up = inside("stairs.json", "stairs", at(0.0, 0.0, 0.0), Goal::at(&at(2.7, 0.0, 0.0)));
    let plan = searched(&up, 400);
    assert!((plan.steps.last().unwrap().world_from_sole.translation_m().z - 0.85).abs() < 1e-6);
    let down = inside("stairs.json", "stairs", at(2.7, 0.0, 0.0), Goal::at(&at(4.9, 0.0, 0.0)));
    searched(&down, 400);
}

#[test]
fn over_cinder_blocks_feet_are_tilted_as_the_blocks_are() {
    let problem = inside("cinder-blocks.json", "rough", at(0.0, 0.0, 0.0), Goal::at(&at(3.4, 0.0, 0.0)));
    let plan = searched(&problem, 2_000);
    let tilted = plan.steps.iter().filter(|step| {
        let rpy = step.world_from_sole.rpy();
        libm::hypot(rpy.pitch_rad, rpy.roll_rad) > 0.1
    });
    assert!(tilted.count() > 0);
    assert!(plan.steps.iter().any(|step| step.world_from_sole.translation_m().z > 0.1));
}

#[test]
fn ramp_hills_stones_and_a_scan() {
    for (file, goal, expansions) in [
        ("ramp.json", at(3.4, 0.0, 0.0), 300),
        ("hills.json", at(2.8, 0.3, 0.0), 300),
        ("stepping-stones.json", at(3.2, 0.0, 0.0), 3_000),
        ("scan.json", at(1.8, 0.0, 0.0), 500),
    ] {
        let problem = inside(file, "rough", at(0.0, 0.0, 0.0), Goal::at(&goal));
        searched(&problem, expansions);
    }
}

#[test]
fn goals_that_cannot_be_reached_say_why_and_where() {
    let ditch = inside("ditch.json", "rough", at(0.0, 0.0, 0.0), Goal::at(&at(2.9, 0.0, 0.0)));
    let failure = planned(&ditch, Planner::AStar).unwrap_err();
    assert!(failure.to_string().contains("before the goal"), "{failure}");
    assert!(failure.at_m.is_some_and(|[x, _]| x < 1.1), "{failure}");
    let quick = planned(&ditch, Planner::Quick).unwrap_err();
    assert!(quick.to_string().contains("no ground"), "{quick}");

    let inside_the_table = inside("table.json", "flat", at(0.0, 0.0, 0.0), Goal::at(&at(1.6, 0.0, 0.0)));
    let failure = planned(&inside_the_table, Planner::Quick).unwrap_err();
    assert!(failure.to_string().contains("table top"), "{failure}");

    let mut closed = inside("narrow-frame.json", "flat", at(0.0, 0.0, 0.0), Goal::at(&at(3.0, 0.0, 0.0)));
    closed.parameters.body.depth_m = 0.5;
    let over_the_wall = planned(&closed, Planner::Quick);
    // The walls end 2.3 m to either side: there is a long way around.
    assert_good(&closed, &over_the_wall.unwrap());
}

#[test]
fn waypoints_are_passed_without_squaring_up() {
    let limits = WalkingLimits::default();
    let mut problem = flat(&limits, Goal::at(&at(2.0, 0.0, 0.0)));
    let straight = quick(&problem).steps.len();
    problem.waypoints = vec![Waypoint { at_m: [1.0, 0.0], yaw_rad: None }];
    assert!(quick(&problem).steps.len() <= straight + 1);
    problem.waypoints = vec![Waypoint { at_m: [1.0, 0.8], yaw_rad: Some(0.0) }];
    let plan = quick(&problem);
    let nearest = (0..=plan.steps.len()).map(|count| {
        let feet = feet_after(problem.start, &plan.steps[..count]).map(|pose| Sole::of(&pose).at);
        feet[0].middle(&feet[1]).distance_m(&at(1.0, 0.8, 0.0))
    });
    assert!(nearest.fold(f64::INFINITY, f64::min) < 0.15);
}

#[test]
fn without_squaring_up_a_step_is_saved() {
    let limits = WalkingLimits::default();
    let square = flat(&limits, Goal::at(&at(2.0, 0.0, 0.0)));
    let goal = Goal::Stance { stance_m: [2.0, 0.0], focal_m: [4.0, 0.0], square_up: false };
    let open = flat(&limits, goal);
    for planner in [Planner::Quick, Planner::AStar] {
        let count = |problem: &Problem| {
            let mut problem = problem.clone();
            problem.parameters.search.max_expansions = 100;
            planned(&problem, planner).unwrap().steps.len()
        };
        assert!(count(&open) < count(&square));
    }
}

#[test]
fn short_ways_go_backward_and_sideways() {
    let limits = WalkingLimits::default();
    for goal in [at(-0.5, 0.0, 0.0), at(0.0, 0.4, 0.0)] {
        let plan = quick(&flat(&limits, Goal::at(&goal)));
        assert!(plan.steps.iter().all(|step| step.world_from_sole.rpy().yaw_rad.abs() < 0.2));
        assert!(plan.steps.len() <= 4, "{}", plan.steps.len());
    }
}

#[test]
fn a_search_that_is_stopped_gives_the_best_so_far() {
    let problem = inside("cinder-blocks.json", "rough", at(0.0, 0.0, 0.0), Goal::at(&at(3.4, 0.0, 0.0)));
    let stopped = footsteps::plan(&problem, Planner::AStar, &|| true).unwrap_err();
    assert!(stopped.to_string().contains("stopped"), "{stopped}");
    let mut longer = problem.clone();
    longer.parameters = Parameters::built_in("rough").unwrap();
    longer.parameters.search.max_expansions = 1_500;
    let plan = planned(&longer, Planner::AStar).unwrap();
    assert!(plan.search.improvements.windows(2).all(|pair| pair[1].cost < pair[0].cost));
    assert_eq!(plan.search.improvements.last().unwrap().cost, plan.cost);
}

#[test]
fn a_search_ends_when_better_plans_do_not_come() {
    let problem = inside("cinder-blocks.json", "rough", at(0.0, 0.0, 0.0), Goal::at(&at(3.4, 0.0, 0.0)));
    let mut longest = problem.clone();
    longest.parameters.search.max_expansions = 20_000;
    let plan = planned(&longest, Planner::AStar).unwrap();
    let last = plan.search.improvements.last().unwrap();
    assert!(plan.search.expansions <= (3 * last.expansions).max(last.expansions + 100), "{:?}", plan.search);
    assert!(plan.search.expansions < 20_000 / 2, "{:?}", plan.search);
    // What a walk may spend by default, all of it.
    longest.parameters.search.patience = 1e9;
    longest.parameters.search.max_expansions = 2_000;
    let all = planned(&longest, Planner::AStar).unwrap();
    assert!(plan.cost <= 1.05 * all.cost, "{} is far above the {} of all that time", plan.cost, all.cost);
}

#[test]
fn a_picture_shows_every_step() {
    let problem = inside("table.json", "flat", at(0.0, 0.0, 0.0), Goal::at(&at(3.2, 0.0, 0.0)));
    let plan = quick(&problem);
    let picture = svg(&problem, Some(&plan));
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    for number in 1..=plan.steps.len() {
        assert!(picture.contains(&format!(">{number}</text>")), "{number}");
    }
}
