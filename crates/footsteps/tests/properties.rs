//! What holds for every plan of every planner on a level floor, with and without obstacles, for two robots.

use crate::common;

use std::sync::Arc;

use common::{assert_good, at, flat, planned, small};
use footsteps::{Goal, Obstacle, Obstacles, Planar, Planner, Problem, stance_feet};
use geometry::Pose;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robot::WalkingLimits;

fn limits() -> impl Strategy<Value = WalkingLimits> {
    prop_oneof![Just(WalkingLimits::default()), Just(small())]
}

fn goal() -> impl Strategy<Value = Planar> {
    (-3.0..3.0, -3.0..3.0, -180.0..180.0).prop_map(|(x, y, yaw)| at(x, y, yaw))
}

/// Feet that do not stand square, and a goal that is staggered.
fn problem() -> impl Strategy<Value = Problem> {
    let shift = || (-0.08..0.08, 0.0..0.04, 0.0..12.0);
    (limits(), goal(), shift(), shift()).prop_map(|(limits, goal, start, stagger)| {
        let moved = |feet: [Planar; 2], (x, y, yaw): (f64, f64, f64)| [feet[0].then(&at(x, y, yaw)), feet[1]];
        let [left, right] = moved(stance_feet(&limits, &goal), stagger).map(|foot| foot.level(0.0));
        let mut problem = flat(&limits, Goal::Feet { left, right });
        problem.start = moved(stance_feet(&limits, &at(0.0, 0.0, 0.0)), start).map(|foot| foot.level(0.0));
        problem.parameters.search.max_expansions = 400;
        problem
    })
}

fn mirrored(problem: &Problem) -> Problem {
    let [left, right] = problem.start.map(|pose| pose.mirrored());
    let mut mirrored = problem.clone();
    mirrored.start = [right, left];
    if let Goal::Feet { left, right } = &problem.goal {
        mirrored.goal = Goal::Feet { left: right.mirrored(), right: left.mirrored() };
    }
    mirrored
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn every_step_is_possible_and_the_goal_is_met(problem in problem()) {
        for planner in [Planner::Quick, Planner::TurnWalkTurn] {
            assert_good(&problem, &planned(&problem, planner).unwrap());
        }
    }

    #[test]
    fn mirrored_problems_have_mirrored_plans(problem in problem()) {
        for planner in [Planner::Quick, Planner::TurnWalkTurn] {
            assert_mirrored(&problem, planner);
        }
    }

    #[test]
    fn quick_never_needs_more_steps_than_turn_walk_turn(limits in limits(), goal in goal()) {
        let problem = flat(&limits, Goal::at(&goal));
        let count = |planner| planned(&problem, planner).unwrap().steps.len();
        prop_assert!(count(Planner::Quick) <= count(Planner::TurnWalkTurn));
    }
}

fn assert_mirrored(problem: &Problem, planner: Planner) {
    let one = planned(problem, planner).expect("a plan");
    let other = planned(&mirrored(problem), planner).expect("a plan");
    assert_eq!(one.steps.len(), other.steps.len());
    for (one, other) in one.steps.iter().zip(&other.steps) {
        assert_eq!(one.side, other.side.other());
        let apart = one.world_from_sole.distance(&other.world_from_sole.mirrored());
        assert!(apart.position_m < 1e-6 && apart.angle_rad < 1e-6, "{apart:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn the_search_keeps_the_same_promises(problem in problem()) {
        let plan = planned(&problem, Planner::AStar).unwrap();
        assert_good(&problem, &plan);
        let again = planned(&problem, Planner::AStar).unwrap();
        prop_assert_eq!(&again.steps, &plan.steps);
        assert_mirrored(&problem, Planner::AStar);
    }

    /// A box somewhere between start and goal: around it or not at all, and never through it.
    #[test]
    fn no_plan_touches_an_obstacle(
        goal in (1.6..2.4, -0.6..0.6, -90.0..90.0),
        place in (0.7..1.0, -0.5..0.5, 0.0..90.0),
        size in (0.1..0.3, 0.1..0.5),
    ) {
        let mut problem = flat(&WalkingLimits::default(), Goal::at(&at(goal.0, goal.1, goal.2)));
        problem.parameters.search.max_expansions = 60;
        let pose = at(place.0, place.1, place.2).level(0.5);
        let crate_ = Obstacle::cuboid("crate", &pose, [size.0, size.1, 1.0]).unwrap();
        problem.obstacles = Arc::new(Obstacles::new(vec![crate_], Vec::new()));
        for planner in [Planner::Quick, Planner::AStar] {
            match planned(&problem, planner) {
                Ok(plan) => assert_good(&problem, &plan),
                Err(failure) => prop_assert!(!failure.to_string().is_empty()),
            }
        }
        prop_assert!(planned(&problem, Planner::Quick).is_ok(), "there is room around a crate");
    }
}

#[test]
fn the_same_problem_has_the_same_plan_bit_for_bit() {
    let problem = flat(&WalkingLimits::default(), Goal::at(&at(1.3, -0.7, 130.0)));
    for planner in [Planner::Quick, Planner::TurnWalkTurn] {
        assert_eq!(planned(&problem, planner).unwrap().steps, planned(&problem, planner).unwrap().steps);
    }
}

#[test]
fn where_the_world_begins_does_not_matter() {
    let limits = WalkingLimits::default();
    let here = flat(&limits, Goal::at(&at(1.3, -0.7, 130.0)));
    let moved = at(-7.0, 4.0, 77.0);
    let mut there = flat(&limits, Goal::at(&moved.then(&at(1.3, -0.7, 130.0))));
    there.start = stance_feet(&limits, &moved).map(|foot| foot.level(0.0));
    let (one, other) = (planned(&here, Planner::Quick).unwrap(), planned(&there, Planner::Quick).unwrap());
    assert_eq!(one.steps.len(), other.steps.len());
    for (one, other) in one.steps.iter().zip(&other.steps) {
        let apart = (moved.level(0.0) * one.world_from_sole).distance(&other.world_from_sole);
        assert!(apart.position_m < 1e-6 && apart.angle_rad < 1e-6);
    }
}

#[test]
fn bad_numbers_are_refused() {
    let limits = WalkingLimits::default();
    let mut problem = flat(&limits, Goal::at(&at(f64::NAN, 0.0, 0.0)));
    assert!(planned(&problem, Planner::Quick).is_err());
    problem.goal = Goal::at(&at(1e6, 0.0, 0.0));
    assert!(planned(&problem, Planner::Quick).unwrap_err().to_string().contains("100 m"));
    problem.goal = Goal::Feet { left: Pose::identity(), right: Pose::identity() };
    assert!(planned(&problem, Planner::Quick).unwrap_err().to_string().contains("do not fit"));
    problem.goal = Goal::at(&at(1.0, 0.0, 0.0));
    problem.limits.max_forward_m = f64::NAN;
    assert!(planned(&problem, Planner::Quick).is_err());
}
