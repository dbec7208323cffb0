use robot::{PartName, Side};
use testkit::Stage;

use super::kit::*;

#[test]
fn every_grip_of_the_robot_is_reached() {
    on_every_robot(|name, robot| {
        for (grip, [left, _]) in &robot.grips {
            let mut stage = Stage::new(name, &format!("hand Grip side=left grip={grip}"), "");
            let end = end_of(&mut stage, "Grip");
            assert!(end.contains("success \"reached\""), "{name} {grip}: {end}");
            for (at, position) in left {
                assert!((stage.state().positions[*at] - position).abs() < 1e-3);
            }
        }
    });
}

#[test]
fn fingers_move_to_angles_at_their_speeds() {
    on_every_robot(|name, robot| {
        let count = joints(robot, PartName::Hand(Side::Right)).len();
        let list = |number: f64| format!("{:?}", vec![number; count]).replace(' ', "");
        let (angles, speeds) = (list(12.0), list(20.0));
        let outline = format!("hand Bend by=angles angles_deg={angles} speeds_deg_s={speeds}");
        let mut stage = Stage::new(name, &outline, "");
        while stage.tick() {
            for at in &robot.part(PartName::Hand(Side::Right)).expect("a hand").coordinates {
                assert!(stage.state().velocities[*at].abs() < 21_f64.to_radians());
            }
        }
        assert!(stage.trace().contains("- Bend success \"reached\""), "{}", stage.trace());
        let end = end_of(&mut Stage::new(name, "hand Grip grip=clench", ""), "Grip");
        assert!(end.contains("has no grip `clench`; it has around_bar, "), "{end}");
    });
}

#[test]
fn something_between_the_fingers_is_an_outcome() {
    on_every_robot(|name, robot| {
        let joint = joints(robot, PartName::Hand(Side::Right)).pop().expect("a finger");
        let stuck = format!("0 stuck {joint}");
        for (blocked, told) in [("success", "success \"blocked\": joint"), ("failure", "failure \"blocked\": joint")] {
            let mut stage = Stage::new(name, &format!("hand Grip grip=close blocked={blocked}"), &stuck);
            let end = end_of(&mut stage, "Grip");
            assert!(end.contains(told), "{end}");
        }
    });
}

#[test]
fn a_gripper_opens_as_wide_as_asked_and_no_wider_than_it_can() {
    on_every_robot(|name, robot| {
        let gripper = robot.gripper(Side::Right).expect("fingers that open");
        for (opening_deg, expected_deg) in [(20.0, 20.0), (0.0, 0.0), (300.0, gripper.widest_rad().to_degrees())] {
            let mut stage = Stage::new(name, &format!("gripper Open opening_deg={opening_deg}"), "");
            let end = end_of(&mut stage, "Open");
            assert!(end.contains("success \"reached\""), "{end}");
            let now_deg = gripper.opening_rad(&stage.state().positions).to_degrees();
            assert!((now_deg - expected_deg).abs() < 0.1, "{name}: {now_deg}° for {expected_deg}°");
        }
    });
}

#[test]
fn a_hand_that_does_not_answer_fails() {
    on_every_robot(|name, _| {
        let end = end_of(&mut Stage::new(name, "hand Grip grip=close", "0 silent right_hand"), "Grip");
        assert!(end.contains("failure: the robot has not answered its command for 1 s"), "{end}");
        let end = end_of(&mut Stage::new(name, "gripper Close", "0 silent right_hand says_running"), "Close");
        assert!(end.contains("failure: it got stuck at 0 % of its motion"), "{end}");
    });
}

#[test]
fn a_hand_presses_for_its_time_while_the_arm_moves() {
    on_every_robot(|name, _| {
        let outline = r#"
            parallel Both
              hand_wrench Press force={"x_n": 10} duration_s=1
              arm Raise by=preset preset=ready duration_s=2
        "#;
        let mut stage = Stage::new(name, outline, "");
        stage.run_until(0.5);
        assert!((stage.state().hand_wrenches[1].force_n.norm() - 10.0).abs() < 1e-6);
        stage.run_until(1.1);
        assert_eq!(stage.state().hand_wrenches[1].force_n.norm(), 0.0);
        assert!(!is_at_rest(&stage));
        assert_succeeds(&mut stage, "Both");
    });
}

#[test]
fn an_arm_becomes_soft_while_it_moves() {
    on_every_robot(|name, _| {
        let outline = r#"
            parallel Both
              arm_stiffness Soft share=0.2
              arm Raise by=preset preset=ready duration_s=1
        "#;
        let mut stage = Stage::new(name, outline, "");
        stage.run_until(0.5);
        assert!(!is_at_rest(&stage));
        assert_succeeds(&mut stage, "Both");
    });
}

#[test]
fn a_press_that_is_stopped_leaves_the_arm_moving() {
    on_every_robot(|name, _| {
        let outline = r#"
            parallel Both
              hand_wrench Press force={"x_n": 10} until="right_hand_force_n > 5"
              arm Raise by=preset preset=ready duration_s=1
        "#;
        let mut stage = Stage::new(name, outline, "");
        stage.run_until(0.5);
        assert_eq!(stage.state().hand_wrenches[1].force_n.norm(), 0.0);
        assert!(!is_at_rest(&stage));
        assert_succeeds(&mut stage, "Raise");
    });
}

#[test]
fn joints_move_on_schedule_or_until_an_event() {
    on_every_robot(|name, robot| {
        let joint = joints(robot, PartName::Neck)[0];
        let events = r#"events=[{"name":"touched","condition":"right_hand_force_n > 20"}]"#;
        let outline = format!("joint_move Turn angles_deg={{\"{joint}\":20}} duration_s=2 {events}");
        let end = end_of(&mut Stage::new(name, &outline, ""), "Turn");
        assert!(end.contains("success \"on_schedule\""), "{end}");

        let mut stage = Stage::new(name, &outline, "1 hand_force right 30");
        let end = end_of(&mut stage, "Turn");
        assert!(end.contains("success \"touched\": `right_hand_force_n > 20` became true"), "{end}");
        let angle_deg = stage.state().positions[robot.model.coordinate(joint).expect("a joint")].to_degrees();
        assert!(is_at_rest(&stage) && angle_deg > 5.0 && angle_deg < 15.0, "{name}: {angle_deg}°");
        assert!(stage.time_s() < 1.3, "{}", stage.time_s());
    });
}

#[test]
fn what_held_at_the_start_is_no_event() {
    on_every_robot(|name, robot| {
        let joint = joints(robot, PartName::Neck)[0];
        let events = r#"events=[{"name":"touched","condition":"right_hand_force_n > 20"},{"name":"free","condition":"right_hand_force_n > 20","edge":"fall"}]"#;
        let outline = format!("joint_move Turn angles_deg={{\"{joint}\":20}} duration_s=2 {events}");
        let end = end_of(&mut Stage::new(name, &outline, "0 hand_force right 30 1"), "Turn");
        assert!(end.contains("success \"free\": `right_hand_force_n > 20` became false"), "{end}");
    });
}

#[test]
fn joints_that_do_not_exist_and_joints_to_stand_on_are_refused() {
    on_every_robot(|name, robot| {
        let end = end_of(&mut Stage::new(name, r#"joint_move Turn angles_deg={"tail":20}"#, ""), "Turn");
        assert!(end.contains("has no joint `tail`"), "{end}");
        let leg = joints(robot, PartName::Leg(Side::Left))[3];
        let end = end_of(&mut Stage::new(name, &format!(r#"joint_move Kick angles_deg={{"{leg}":20}}"#), ""), "Kick");
        assert!(end.contains("the robot refused it: joint"), "{end}");
    });
}
