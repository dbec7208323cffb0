use expect_test::expect;
use geometry::{Pose, RollPitchYaw, Vector3};
use robot::{BodyFrame, Robot, Side};
use testkit::{Stage, check_on};

use super::kit::*;

/// Steps by foot and place on the ground, x, y, yaw in degrees.
type Steps = Vec<(Side, [f64; 3])>;

fn written(steps: &Steps) -> String {
    let step = |(side, [x_m, y_m, yaw_deg]): &(Side, [f64; 3])| {
        format!(r#"{{"side":"{}","pose":{{"x_m":{x_m},"y_m":{y_m},"yaw_deg":{yaw_deg}}}}}"#, side.word())
    };
    format!("[{}]", steps.iter().map(step).collect::<Vec<_>>().join(","))
}

fn pose([x_m, y_m, yaw_deg]: [f64; 3]) -> Pose {
    Pose::from_rpy(Vector3::new(x_m, y_m, 0.0), RollPitchYaw::new(0.0, 0.0, yaw_deg.to_radians()))
}

/// Two feet beside a middle.
fn square(robot: &Robot, [x_m, y_m, yaw_deg]: [f64; 3], first: Side) -> Steps {
    let foot = |side: Side| {
        let half_m = robot.walking.stance_width_m / 2.0 * if side == Side::Left { 1.0 } else { -1.0 };
        let at = (pose([x_m, y_m, yaw_deg]) * Pose::from_translation(0.0, half_m, 0.0)).translation_m();
        (side, [at.x, at.y, yaw_deg])
    };
    vec![foot(first), foot(first.other())]
}

fn ways(robot: &Robot) -> Vec<(&'static str, Steps)> {
    let limits = &robot.walking;
    let half_m = limits.stance_width_m / 2.0;
    let stride_m = 0.8 * limits.max_forward_m;
    let back_m = 0.7 * limits.max_backward_m;
    let aside_m = 0.7 * (limits.max_width_m - limits.stance_width_m);
    let mut forward = vec![(Side::Left, [stride_m, half_m, 0.0])];
    forward.extend(square(robot, [2.0 * stride_m, 0.0, 0.0], Side::Right));
    let mut backward = vec![(Side::Right, [-back_m, -half_m, 0.0])];
    backward.extend(square(robot, [-2.0 * back_m, 0.0, 0.0], Side::Left));
    let mut turning = square(robot, [0.0, 0.0, 30.0], Side::Left);
    turning.extend(square(robot, [0.0, 0.0, 60.0], Side::Left));
    vec![
        ("forward", forward),
        ("backward", backward),
        ("sideways", square(robot, [0.0, aside_m, 0.0], Side::Left)),
        ("turning", turning),
    ]
}

#[test]
fn given_steps_are_done_one_by_one() {
    on_every_robot(|name, robot| {
        for (way, steps) in ways(robot) {
            let outline = format!("walk Go by=steps steps={} swing_s=0.7 transfer_s=0.3", written(&steps));
            let mut stage = Stage::new(name, &outline, "");
            let world_from_walking = stage.poses().world_from(BodyFrame::Walking);
            let mut most_done = 0;
            while stage.tick() {
                most_done = most_done.max(stage.state().walking.steps_done);
            }
            assert!(end_of(&stage, "Go").contains("success"), "{name} {way}: {}", stage.trace());
            assert!(most_done + 1 >= steps.len(), "{name} {way}: {most_done}");
            for (side, place) in steps.iter().rev().take(2) {
                assert_near(&soles(&stage)[side.index()], &(world_from_walking * pose(*place)), 2e-3, 0.2);
            }
            let nominal_s = steps.len() as f64;
            assert!(
                stage.time_s() >= nominal_s && stage.time_s() < nominal_s + 1.5,
                "{name} {way}: {}",
                stage.time_s()
            );
            assert!(is_at_rest(&stage));
        }
    });
}

#[test]
fn a_goal_is_walked_to_and_faced() {
    on_every_robot(|name, robot| {
        for (stance, focal, yaw_deg) in [([0.8, 0.1], [2.0, 0.1], 0.0), ([0.3, -0.4], [0.3, -2.0], -90.0)] {
            let outline = format!(
                r#"walk Go stance={{"x_m":{},"y_m":{}}} focal={{"x_m":{},"y_m":{}}} swing_s=0.6 transfer_s=0.3"#,
                stance[0], stance[1], focal[0], focal[1]
            );
            let mut stage = Stage::new(name, &outline, "end 60");
            let world_from_walking = stage.poses().world_from(BodyFrame::Walking);
            assert_succeeds(&mut stage, "Go");
            for (side, place) in square(robot, [stance[0], stance[1], yaw_deg], Side::Left) {
                assert_near(&soles(&stage)[side.index()], &(world_from_walking * pose(place)), 5e-3, 0.5);
            }
        }
    });
}

#[test]
fn feet_of_a_goal_may_be_staggered_and_every_planner_gets_there() {
    on_every_robot(|name, robot| {
        let half_m = robot.walking.stance_width_m / 2.0;
        for planner in ["quick", "turn_walk_turn", "a_star"] {
            let outline = format!(
                r#"walk Go frame=door stance={{"x_m":-0.4}} focal={{}} left_foot={{"x_m":0.1,"y_m":{half_m}}} planner={planner}"#
            );
            let mut stage = Stage::new(name, &outline, "end 60\n0 frame door 1.0 0.2 0");
            assert_succeeds(&mut stage, "Go");
            assert_near(&soles(&stage)[0], &pose([0.7, 0.2 + half_m, 0.0]), 5e-3, 0.5);
            assert_near(&soles(&stage)[1], &pose([0.6, 0.2 - half_m, 0.0]), 5e-3, 0.5);
        }
    });
}

#[test]
fn whoever_stands_there_has_arrived() {
    on_every_robot(|name, _| {
        let mut stage = Stage::new(name, "walk Stay", "");
        assert_succeeds(&mut stage, "Stay");
        assert!(stage.time_s() < 0.1, "{}", stage.time_s());
    });
}

#[test]
fn a_step_too_far_is_refused_with_its_number() {
    on_every_robot(|name, robot| {
        let half_m = robot.walking.stance_width_m / 2.0;
        let steps = vec![(Side::Left, [0.1, half_m, 0.0]), (Side::Right, [1.5, -half_m, 0.0])];
        let mut stage = Stage::new(name, &format!("walk Go by=steps steps={}", written(&steps)), "");
        let before = soles(&stage);
        stage.run();
        let end = end_of(&stage, "Go");
        assert!(end.contains("step 2 (right foot") && end.contains("ahead of the other foot"), "{end}");
        assert_near(&soles(&stage)[0], &before[0], 1e-6, 1e-3);
    });
}

#[test]
fn a_walk_without_steps_says_so() {
    let trace = testkit::run_on("coact-one", "walk Go by=steps", "");
    assert!(trace.contains("it has no steps"), "{trace}");
}

#[test]
fn a_stop_in_a_swing_lets_the_foot_land_and_nothing_more() {
    on_every_robot(|name, robot| {
        let (_, steps) = ways(robot).swap_remove(0);
        for verb in ["stop", "delete Go"] {
            let outline = format!("sequence S\n  walk Go by=steps steps={}\n  wait W", written(&steps));
            let mut stage = Stage::new(name, &outline, &format!("0.9 {verb}\n4 why"));
            stage.run_until(0.89);
            assert_eq!(stage.state().walking.swinging, Some(Side::Left), "{name}");
            stage.run_until(3.5);
            assert!(is_at_rest(&stage), "{name}: {verb}");
            assert!(stage.state().feet.iter().all(|foot| foot.contact), "{name}: {verb}");
            assert!(end_of(&stage, "Go").contains("halted"), "{}", stage.trace());
            assert_near(&soles(&stage)[0], &pose(steps[0].1), 5e-3, 0.5);
        }
    });
}

#[test]
fn after_a_stop_it_walks_again() {
    on_every_robot(|name, _| {
        let outline = r#"walk Go frame=world stance={"x_m":0.5} focal={"x_m":2}"#;
        let mut stage = Stage::new(name, outline, "0.9 stop\n4 automatic on");
        assert_succeeds(&mut stage, "Go");
        let middle = stage.poses().world_from(BodyFrame::Walking).translation_m();
        assert!((middle.x - 0.5).abs() < 5e-3, "{middle:?}");
    });
}

const TWO: &str = r#"
    parallel Both
      walk First frame=world stance={"x_m":0.9} focal={"x_m":3}
      sequence
        wait Then duration_s=1.7
        walk Second frame=world stance={"x_m":0.3} focal={"x_m":3} on_conflict="#;

#[test]
fn a_second_walk_waits_for_the_first() {
    check_on(
        "coact-one",
        &format!("{TWO}wait"),
        "",
        expect![[r#"
            0.00 + Both
            0.00 + First
            0.00 + Then
            1.70 - Then success
            1.70 ! Second held: `left_leg` is held by `First`
            6.02 - First success
            6.02 + Second
            10.74 - Second success
            10.74 - Both success
            10.74 # the behavior succeeded
        "#]],
    );
}

#[test]
fn a_second_walk_takes_over_after_the_step_under_way() {
    check_on(
        "coact-one",
        &format!("{TWO}override"),
        "",
        expect![[r#"
            0.00 + Both
            0.00 + First
            0.00 + Then
            1.70 - Then success
            1.70 + Second
            1.72 - First halted: overridden by `Second`
            5.12 - Second success
            5.12 - Both success
            5.12 # the behavior succeeded
        "#]],
    );
}

#[test]
fn whichever_walk_comes_last_is_where_the_robot_ends() {
    on_every_robot(|name, _| {
        let times_s = ["wait", "override"].map(|policy| {
            let mut stage = Stage::new(name, &format!("{TWO}{policy}"), "end 60");
            assert_succeeds(&mut stage, "Second");
            let middle = stage.poses().world_from(BodyFrame::Walking).translation_m();
            assert!((middle.x - 0.3).abs() < 5e-3, "{name} {policy}: {middle:?}");
            stage.time_s()
        });
        assert!(times_s[1] < times_s[0], "{times_s:?}");
    });
}

#[test]
fn arms_and_head_move_while_it_walks() {
    on_every_robot(|name, robot| {
        let outline = r#"
            sequence S
              walk Go stance={"x_m":0.6} focal={"x_m":2}
              arm Raise by=preset preset=ready duration_s=2 after=Beginning
              neck Look yaw_deg=20 duration_s=1 after=Beginning"#;
        let mut stage = Stage::new(name, outline, "");
        stage.run_until(0.5);
        assert_eq!(stage.engine.running().len(), 3, "{}", stage.trace());
        assert_succeeds(&mut stage, "Go");
        let goal = robot.configuration("ready").expect("it has it");
        for at in &robot.part(robot::PartName::Arm(Side::Right)).expect("an arm").coordinates {
            assert!((stage.state().positions[*at] - goal[*at]).abs() < 1e-3);
        }
    });
}
