use std::sync::Arc;

use ::robot::{PartName, Robot};
use check::Options;
use expect_test::expect;

use crate::common::{found, text};

const TREE: &str = "
    sequence Root
      joint_move Joints angles_deg={\"left_elbow_pich\":1,\"neck_yaw\":500}
      arm Preset by=preset preset=wild
      hand Grip grip=opn
      arm Frame frame=chst
      arm Object frame=mug
      arm Angles by=angles angles_deg=[1,2]
      neck Look pitch_deg=10
";

#[test]
fn what_a_robot_does_not_have() {
    assert_eq!(text(&found(TREE, &[], &Options::default())), "", "nothing is known of the robot");
    let mut robot = Robot::builtin("coact-one").expect("one of our own");
    robot.parts.retain(|part| part.name != PartName::Neck);
    let options = Options { robot: Some(Arc::new(robot)), ..Options::default() };
    expect![[r#"
        error: main.json /Joints [angles_deg]: robot `coact-one` has no joint `left_elbow_pich`; did you mean `left_elbow_pitch`?
            change `angles_deg`, or take another robot
        error: main.json /Joints [angles_deg]: joint `neck_yaw` of robot `coact-one` goes from -80.2° to 80.2°, not to 500°
            change `angles_deg`, or take another robot
        error: main.json /Preset [preset]: robot `coact-one` has no preset `wild`
            it has door_clearance, home, ready, wide, zero
        error: main.json /Grip [grip]: robot `coact-one` has no grip `opn`
            did you mean `open`?
        warning: main.json /Frame [frame]: `chst` is no frame of the robot; an object of that name has to be there when it runs
            did you mean `chest`?
        error: main.json /Angles [angles_deg]: the right arm of robot `coact-one` has 7 joints, and 2 angles are given
            change `angles_deg`, or take another robot
        error: main.json /Look: robot `coact-one` has no neck
            let a robot without it leave the step out, by `until` `!has('neck')`, or take another robot
    "#]].assert_eq(&text(&found(TREE, &[], &options)));
    // An object of that name will be there.
    let options = Options { frames: vec!["chst".into()], ..options };
    assert!(!text(&found(TREE, &[], &options)).contains("chst"));
}

/// What an expression asks of a robot is a constant of it: known before anything runs.
#[test]
fn what_is_asked_of_a_robot_is_known_before_it_runs() {
    let tree = r#"
        sequence Root
          define_frame Long object=a b=b distance_m={"=":"1000 * reach_m('right')"}
          define_frame Middle object=c b=b distance_m={"=":"reach_m('middle')"}
          define_frame Fine object=d b=b distance_m={"=":"reach_m('left') * 2"}
          wait_until Elbow condition="effort('right', 'elbo') > 3"
    "#;
    assert_eq!(text(&found(tree, &[], &Options::default())), "", "nothing is known of the robot");
    let robot = Robot::builtin("coact-one").expect("one of our own");
    let options = Options { robot: Some(Arc::new(robot)), ..Options::default() };
    expect![[r#"
        error: main.json /Long [distance_m]: `distance_m` must be at most 100 m, is 635.3148825582476
            mend the expression there
        error: main.json /Middle [distance_m]: `middle` is no side: write 'left' or 'right'
            name another, or take another robot
        error: main.json /Elbow [condition]: robot `coact-one` has no joint for the role `elbo` of `right`; there are shoulder_pitch, shoulder_roll, shoulder_yaw, elbow, hip_yaw, hip_roll, hip_pitch, knee, ankle_pitch, ankle_roll
            name another, or take another robot
    "#]]
    .assert_eq(&text(&found(tree, &[], &options)));
}

const LEGS: &str = "
    sequence Root
      neck Far yaw_deg=120 pitch_deg=10
      neck Near yaw_deg=20 pitch_deg=10
      spine Round yaw_deg=170
      spine Chest by=orientation yaw_deg=170
      pelvis High height_m=2
      pelvis Low height_m=-0.1
      pelvis Table frame=table height_m=-0.1
      pelvis Squat height_m=0.6
      leg Away pose={\"x_m\":5}
      leg Lift pose={\"y_m\":-0.1,\"z_m\":0.1}
      walk Onto left_foot={\"y_m\":-0.1}
      walk Stagger left_foot={\"x_m\":0.1,\"y_m\":0.12} right_foot={\"x_m\":-0.1,\"y_m\":-0.12}
      walk Long by=steps steps=[{\"side\":\"left\",\"pose\":{\"y_m\":0.1}},{\"side\":\"right\",\"pose\":{\"x_m\":1.5,\"y_m\":-0.1}}]
      walk Short by=steps steps=[{\"side\":\"left\",\"pose\":{\"y_m\":0.12}},{\"side\":\"right\",\"pose\":{\"x_m\":0.2,\"y_m\":-0.12}}]
";

#[test]
fn what_trunk_and_legs_cannot_do() {
    assert_eq!(text(&found(LEGS, &[], &Options::default())), "", "nothing is known of the robot");
    let robot = Robot::builtin("coact-one").expect("one of our own");
    let options = Options { robot: Some(Arc::new(robot)), frames: vec!["table".into()], ..Options::default() };
    expect![[r#"
        error: main.json /Far [yaw_deg]: joint `neck_yaw` of robot `coact-one` goes from -80.2° to 80.2°, not to 120°
            change `yaw_deg`, or take another robot
        error: main.json /Round [yaw_deg]: joint `spine_yaw` of robot `coact-one` goes from -68.8° to 68.8°, not to 170°
            change `yaw_deg`, or take another robot
        error: main.json /High [height_m]: the legs of robot `coact-one` reach 0.96 m, the pelvis cannot be 2 m high
            change `height_m`, or take another robot
        error: main.json /Low [height_m]: the pelvis of robot `coact-one` cannot be -0.1 m above its feet
            change `height_m`, or take another robot
        error: main.json /Away [pose]: the legs of robot `coact-one` reach 0.96 m, its foot cannot go 5.00 m away
            change `pose`, or take another robot
        error: main.json /Onto [left_foot]: the feet of robot `coact-one` cannot stand so: the left one is 0.000 m beside the other foot, at least 0.140 m is needed
            change `left_foot`, or take another robot
        error: main.json /Long [steps]: robot `coact-one` cannot take step 2: 1.500 m ahead of the other foot, the limit is 0.450 m
            change `steps`, or take another robot
    "#]].assert_eq(&text(&found(LEGS, &[], &options)));
}

const USED: &str = "
    skill Left file=inner.json mirrored=true
    --- inner.json
    arm Reach side=right by=angles angles_deg=[0,-150,0,0,0,0,0]
    arm Link frame=right_forearm pose={\"x_m\":0.1}
    hand Grip grip={\"=\":\"'open'\"}
";

/// A skill is checked as its uses run it: on the other side another joint is meant, and what has none is told.
#[test]
fn a_mirrored_use_is_checked_as_what_it_becomes() {
    let mut robot = Robot::builtin("coact-one").expect("one of our own");
    robot.parts.retain(|part| part.name != PartName::Hand(::robot::Side::Right));
    let options = Options { robot: Some(Arc::new(robot)), ..Options::default() };
    expect![[r#"
        error: inner.json /Reach [angles_deg]: joint `left_shoulder_roll` of robot `coact-one` goes from -20.1° to 149.0°, not to 150°
            change `angles_deg`, or take another robot
        error: inner.json /Link: a use of this skill is `mirrored`, and this step has no other side: nothing says what link `right_forearm` is on the other side: give the pose in another frame
            change it, or do not mirror the use
    "#]].assert_eq(&text(&found(USED, &[], &options)));
}

const OF_OTHERS: &str = "
    choose How
      arm Folded when=\"shoulder_height_m() > 9\" by=angles angles_deg=[0,-300,0,0,0,0,0]
      skill Other when=\"shoulder_height_m() > 9\" file=other.json
      arm Asked when=\"shoulder_height_m() > 9 && which == 1\" by=angles angles_deg=[0,-300,0,0,0,0,0]
    --- other.json
    arm There by=preset preset=wild
";

/// Only what asks the robot alone is known not to be chosen.
#[test]
fn cases_for_other_robots_need_not_be_possible() {
    let robot = Robot::builtin("coact-one").expect("one of our own");
    let options = Options { robot: Some(Arc::new(robot)), given: vec!["which".into()], ..Options::default() };
    expect![[r#"
        error: main.json /Asked [angles_deg]: joint `right_shoulder_roll` of robot `coact-one` goes from -149.0° to 20.1°, not to -300°
            change `angles_deg`, or take another robot
    "#]].assert_eq(&text(&found(OF_OTHERS, &[], &options)));
}

const LEFT_OUT: &str = "
    sequence Root
      neck Look until=\"!has('neck')\" pitch_deg=10
      sequence Around until=[{\"condition\":\"time() > 9\"},{\"condition\":\"!has('neck')\"}]
        neck Aside yaw_deg=10
      spine Bend pitch_deg={\"=\":\"has('spine_pitch') ? 10 : 0\"}
      neck Later until={\"condition\":\"!has('neck')\",\"edge\":\"rise\"} pitch_deg=10
      neck Perhaps until=\"!has('neck') && which == 1\" pitch_deg=10
";

/// A step that is done before it starts is none that the robot lacks something for. An edge comes after the start.
#[test]
fn steps_that_a_robot_leaves_out_need_not_be_possible() {
    let mut robot = Robot::builtin("coact-one").expect("one of our own");
    robot.parts.retain(|part| part.name != PartName::Neck);
    let options = Options { robot: Some(Arc::new(robot)), given: vec!["which".into()], ..Options::default() };
    expect![[r#"
        error: main.json /Later: robot `coact-one` has no neck
            let a robot without it leave the step out, by `until` `!has('neck')`, or take another robot
        error: main.json /Perhaps: robot `coact-one` has no neck
            let a robot without it leave the step out, by `until` `!has('neck')`, or take another robot
    "#]]
    .assert_eq(&text(&found(LEFT_OUT, &[], &options)));
}

/// Of a grip that only our own hands have others have one that is like it.
#[test]
fn grips_of_skills_have_their_like() {
    let mut robot = Robot::builtin("coact-one").expect("one of our own");
    robot.grips.retain(|name, _| name == "hook");
    let options = Options { robot: Some(Arc::new(robot)), ..Options::default() };
    let tree = "
        sequence Root
          hand Hooked grip=hooked
          hand Fist grip=fist
    ";
    expect![[r#"
        error: main.json /Fist [grip]: robot `coact-one` has no grip `fist`
            it has hook
    "#]]
    .assert_eq(&text(&found(tree, &[], &options)));
}
