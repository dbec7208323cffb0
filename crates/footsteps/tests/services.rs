//! What operators do with a plan.

use crate::common;

use std::sync::Arc;

use common::{assert_good, at, flat, inside, planned};
use footsteps::terrain::Terrain;
use footsteps::{
    Direction, Goal, Pattern, Planner, StepFault, check_plan, edit_step, footsteps_of, manual_steps, pattern, replan,
    revalidate, stitch,
};
use robot::WalkingLimits;

#[test]
fn replanning_keeps_what_is_walked() {
    let limits = WalkingLimits::default();
    let mut problem = flat(&limits, Goal::at(&at(3.0, 0.0, 0.0)));
    let plan = planned(&problem, Planner::Quick).unwrap();
    problem.goal = Goal::at(&at(2.0, 1.0, 90.0));
    let again = replan(&problem, &plan.steps, 3, Planner::Quick, &|| false).unwrap();
    assert_eq!(again.steps[..3], plan.steps[..3]);
    assert_good(&problem, &again);
    assert_ne!(again.steps[3].side, again.steps[2].side);
}

#[test]
fn stitched_plans_are_one_plan() {
    let limits = WalkingLimits::default();
    let first = flat(&limits, Goal::at(&at(1.0, 0.0, 0.0)));
    let mut second = flat(&limits, Goal::at(&at(1.0, 1.0, 90.0)));
    let one = planned(&first, Planner::Quick).unwrap();
    second.start = footsteps::feet_after(first.start, &one.steps);
    let other = planned(&second, Planner::Quick).unwrap();
    let both = stitch(&first, &one.steps, &other.steps);
    assert!(both.problems.is_empty(), "{:?}", both.problems);
    assert_eq!(both.steps.len(), one.steps.len() + other.steps.len());
    assert_eq!(stitch(&first, &one.steps, &one.steps[one.steps.len() - 2..]).steps, one.steps);
    assert!(!stitch(&first, &[], &other.steps).problems.is_empty());
}

#[test]
fn new_ground_lifts_the_steps_or_tells_what_is_wrong() {
    let limits = WalkingLimits::default();
    let mut problem = flat(&limits, Goal::at(&at(1.5, 0.0, 0.0)));
    let plan = planned(&problem, Planner::Quick).unwrap();
    problem.terrain = Some(Arc::new(Terrain::flat(0.1)));
    assert!(matches!(check_plan(&problem, &plan.steps)[0].fault, StepFault::OffGround { .. }));
    let revised = revalidate(&problem, &plan.steps);
    assert!(revised.problems.is_empty(), "{:?}", revised.problems);
    assert!(revised.steps.iter().all(|step| step.world_from_sole.translation_m().z == 0.1));
    problem.terrain = Some(Arc::new(Terrain::flat(1.0)));
    let revised = revalidate(&problem, &plan.steps);
    assert!(matches!(revised.problems[0].fault, StepFault::Reach(_)));
}

#[test]
fn an_edited_step_follows_the_ground_and_is_judged() {
    let problem = inside("ramp.json", "rough", at(0.0, 0.0, 0.0), Goal::at(&at(1.5, 0.0, 0.0)));
    let mut few = problem.clone();
    few.parameters.search.max_expansions = 300;
    let plan = planned(&few, Planner::AStar).unwrap();
    let index = plan.steps.len() - 2;
    let old = plan.steps[index].world_from_sole.translation_m();
    let moved = edit_step(&problem, &plan.steps, index, &at(old.x + 0.03, old.y, 0.0)).unwrap();
    assert!(moved.problems.is_empty(), "{}", moved.problems[0]);
    let sole = moved.steps[index].world_from_sole;
    assert!(sole.translation_m().z > old.z && sole.rpy().pitch_rad < -0.2);
    let far = edit_step(&problem, &plan.steps, index, &at(old.x + 1.0, old.y, 0.0)).unwrap();
    assert!(far.problems.iter().any(|problem| problem.step == index && matches!(problem.fault, StepFault::Reach(_))));
    assert!(edit_step(&problem, &plan.steps, 99, &at(0.0, 0.0, 0.0)).is_none());
}

#[test]
fn patterns_go_where_they_say() {
    let limits = WalkingLimits::default();
    let problem = flat(&limits, Goal::at(&at(0.0, 0.0, 0.0)));
    for (direction, x, y, yaw_deg) in [
        (Direction::Forward, 0.8, 0.0, 0.0),
        (Direction::Backward, -0.8, 0.0, 0.0),
        (Direction::Left, 0.0, 0.4, 0.0),
        (Direction::Right, 0.0, -0.4, 0.0),
        (Direction::TurnLeft, 0.0, 0.0, 0.4_f64.to_degrees()),
        (Direction::TurnRight, 0.0, 0.0, -0.4_f64.to_degrees()),
    ] {
        let stride = if matches!(direction, Direction::Left | Direction::Right) { 0.1 } else { 0.2 };
        let turning = matches!(direction, Direction::TurnLeft | Direction::TurnRight);
        let sideways = matches!(direction, Direction::Left | Direction::Right);
        let count = if turning {
            3
        } else if sideways {
            7
        } else {
            4
        };
        let made = pattern(&problem, &Pattern { direction, count, stride: Some(stride), square_up: true });
        assert_eq!(made.steps.len(), count + 1);
        assert!(made.problems.is_empty(), "{direction:?}: {}", made.problems[0]);
        let [left, right] = footsteps::feet_after(problem.start, &made.steps).map(|pose| footsteps::Planar::of(&pose));
        let hips = left.middle(&right);
        assert!(hips.turn_rad(&at(x, y, yaw_deg)).abs() < 1e-9, "{direction:?} {hips:?}");
        if !turning {
            assert!(hips.distance_m(&at(x, y, yaw_deg)) < 1e-9, "{direction:?} {hips:?}");
        }
    }
}

#[test]
fn manual_steps_move_with_their_frame() {
    let limits = WalkingLimits::default();
    let problem = flat(&limits, Goal::at(&at(1.0, 0.5, 30.0)));
    let steps = planned(&problem, Planner::Quick).unwrap().steps;
    let frame = at(0.7, -0.2, 40.0).level(0.0);
    let manual = manual_steps(&steps, &frame);
    for (back, step) in footsteps_of(&manual, &frame).iter().zip(&steps) {
        assert!(back.world_from_sole.distance(&step.world_from_sole).position_m < 1e-9);
        assert_eq!(back.swing_s, step.swing_s);
    }
}
