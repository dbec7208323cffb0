use geometry::{Pose, Vector3};
use robot::{BodyFrame, PartName, Side};
use testkit::Stage;

use super::kit::*;

const RIGHT: PartName = PartName::Arm(Side::Right);

#[test]
fn by_angles_and_by_preset_the_arm_ends_there() {
    on_every_robot(|name, robot| {
        let angles = preset_deg(robot, "ready", RIGHT);
        for settings in [format!("by=angles angles_deg={angles}"), "by=preset preset=ready".to_owned()] {
            let mut stage = Stage::new(name, &format!("arm Raise {settings} duration_s=2"), "");
            assert_succeeds(&mut stage, "Raise");
            let goal = robot.configuration("ready").expect("it has it");
            for at in &robot.part(RIGHT).expect("an arm").coordinates {
                assert!((stage.state().positions[*at] - goal[*at]).abs() < 1e-3);
            }
            assert!(is_at_rest(&stage) && (stage.time_s() - 2.0).abs() < 0.2, "{}", stage.time_s());
        }
    });
}

/// The hand of a bent arm is in the same place beside any robot: at the front and outside of the shoulder.
#[test]
fn by_posture_every_robot_bends_alike_on_both_sides() {
    on_every_robot(|name, robot| {
        for (word, side) in [("right", Side::Right), ("left", Side::Left)] {
            let bent = r#"posture={"shoulder_pitch_deg":20,"shoulder_roll_deg":30,"elbow_deg":50}"#;
            let outline = format!("arm Bend by=posture side={word} {bent} duration_s=2");
            let mut stage = Stage::new(name, &outline, "preset ready");
            let chest_from_hand =
                |stage: &Stage| stage.poses().world_from(BodyFrame::Chest).inverse() * hand(stage, side);
            assert_succeeds(&mut stage, "Bend");
            let arm = PartName::Arm(side);
            for (role, angle_deg) in
                [("shoulder_pitch", 20.0), ("shoulder_roll", 30.0), ("shoulder_yaw", 0.0), ("elbow", 50.0)]
            {
                let joint = robot.role(arm, role).expect(role);
                let is_deg = joint.angle(stage.state().positions[joint.coordinate]).to_degrees();
                assert!((is_deg - angle_deg).abs() < 0.1, "{name}, {word} {role}: {is_deg}");
            }
            let outside_m = chest_from_hand(&stage).translation_m().y * if side == Side::Left { 1.0 } else { -1.0 };
            assert!(
                chest_from_hand(&stage).translation_m().x > 0.1 && outside_m > 0.2,
                "{name}: {:?}",
                chest_from_hand(&stage)
            );
        }
    });
}

/// What is beyond a joint's limit is not: a posture is for robots of which the writer knows nothing.
#[test]
fn a_posture_goes_as_far_as_the_joints_go() {
    on_every_robot(|name, robot| {
        let mut stage =
            Stage::new(name, r#"arm Bend by=posture posture={"elbow_deg":170} duration_s=3"#, "preset ready");
        stage.run();
        let joint = robot.role(RIGHT, "elbow").expect("an elbow");
        let limits = robot.model.coordinates()[joint.coordinate].limits;
        let bent_deg = joint.angle(stage.state().positions[joint.coordinate]).to_degrees();
        let most_deg = joint.angle(limits.lower).max(joint.angle(limits.upper)).to_degrees();
        assert!(most_deg < 170.0 && bent_deg <= most_deg + 0.01, "{name}: {bent_deg}° of {most_deg}°");
    });
}

#[test]
fn by_pose_the_hand_ends_there_in_any_frame() {
    on_every_robot(|name, robot| {
        for (frame, seen_from) in [("chest", BodyFrame::Chest), ("world", BodyFrame::Walking)] {
            let goal = hand_in(robot, "ready", seen_from, Side::Right);
            let outline = format!("arm Reach frame={frame} pose={} duration_s=2", setting(&goal));
            let mut stage = Stage::new(name, &outline, "");
            assert_succeeds(&mut stage, "Reach");
            let now = stage.poses().world_from(seen_from).inverse() * hand(&stage, Side::Right);
            assert_near(&now, &goal, 1e-3, 0.2);
        }
    });
}

#[test]
fn an_object_that_moves_is_followed_only_if_asked() {
    on_every_robot(|name, robot| {
        let world_from_goal = hand_in(robot, "ready", BodyFrame::Walking, Side::Right);
        let at = world_from_goal.translation_m();
        let box_from_goal = Pose::from_translation(at.x, at.y, at.z).inverse() * world_from_goal;
        for follow in [false, true] {
            let outline = format!("arm Reach frame=box follow={follow} pose={} duration_s=2", setting(&box_from_goal));
            let moved =
                format!("0 frame box {} {} {}\n1 frame box {} {} {}", at.x, at.y, at.z, at.x, at.y, at.z + 0.05);
            let mut stage = Stage::new(name, &outline, &moved);
            assert_succeeds(&mut stage, "Reach");
            let raised_m = if follow { 0.05 } else { 0.0 };
            let goal = Pose::from_translation(0.0, 0.0, raised_m) * world_from_goal;
            assert_near(&hand(&stage, Side::Right), &goal, 2e-3, 0.5);
        }
    });
}

#[test]
fn the_hands_own_frame_counts_as_it_stands_at_the_start() {
    on_every_robot(|name, _| {
        let outline = r#"arm Forward frame=right_hand pose={"z_m": 0.05} duration_s=2"#;
        let mut stage = Stage::new(name, outline, "preset ready");
        let goal = hand(&stage, Side::Right) * Pose::from_translation(0.0, 0.0, 0.05);
        assert_succeeds(&mut stage, "Forward");
        assert_near(&hand(&stage, Side::Right), &goal, 1e-3, 0.2);
    });
}

#[test]
fn waypoints_are_moved_through_without_stopping() {
    on_every_robot(|name, robot| {
        let goal = hand_in(robot, "ready", BodyFrame::Chest, Side::Right);
        let up = Pose::from_translation(0.0, 0.0, 0.06) * goal;
        let angles = [preset_deg(robot, "home", RIGHT), preset_deg(robot, "ready", RIGHT)];
        let by_pose = format!(
            r#"arm Go pose={} waypoints=[{{"at":0.5,"pose":{}}}] duration_s=2"#,
            setting(&goal),
            setting(&(Pose::from_translation(0.03, 0.0, 0.03) * up))
        );
        let halfway = preset_deg(robot, "door_clearance", RIGHT);
        let by_angles = format!(
            r#"arm Go by=angles angles_deg={} waypoints=[{{"at":0.5,"angles_deg":{halfway}}}] duration_s=2"#,
            angles[0]
        );
        for (outline, preset) in [(by_pose, "ready"), (by_angles, "ready")] {
            let mut stage = Stage::new(name, &outline, &format!("preset {preset}"));
            stage.run_until(1.02);
            let fastest = stage.state().velocities.iter().fold(0.0_f64, |fastest, each| fastest.max(each.abs()));
            assert!(fastest > 0.01, "{name}: {fastest} rad/s at the waypoint");
            assert_succeeds(&mut stage, "Go");
        }
    });
}

#[test]
fn with_joints_only_the_hand_ends_there_as_well() {
    on_every_robot(|name, robot| {
        let goal = hand_in(robot, "ready", BodyFrame::Chest, Side::Left);
        let outline = format!("arm Reach side=left joints_only=true pose={} duration_s=2", setting(&goal));
        let mut stage = Stage::new(name, &outline, "");
        assert_succeeds(&mut stage, "Reach");
        let now = stage.poses().world_from(BodyFrame::Chest).inverse() * hand(&stage, Side::Left);
        assert_near(&now, &goal, 2e-3, 1.0);
    });
}

#[test]
fn the_spine_helps_to_reach_further() {
    on_every_robot(|name, robot| {
        let goal = hand_in(robot, "ready", BodyFrame::Pelvis, Side::Right);
        let outline = format!("arm Reach frame=pelvis reach=arm_and_spine pose={} duration_s=2", setting(&goal));
        let mut stage = Stage::new(name, &outline, "");
        assert_succeeds(&mut stage, "Reach");
        let now = stage.poses().world_from(BodyFrame::Pelvis).inverse() * hand(&stage, Side::Right);
        assert_near(&now, &goal, 1e-3, 0.2);
    });
}

#[test]
fn a_pose_out_of_reach_fails_with_the_error() {
    on_every_robot(|name, _| {
        let mut stage = Stage::new(name, r#"arm Far frame=chest pose={"x_m": 1.5} duration_s=1"#, "");
        let end = end_of(&mut stage, "Far");
        assert!(end.contains("failure: the right hand ended ") && end.contains(" m and "), "{end}");
        assert!(end.contains("from its goal; 0.15 m and 20° are allowed"), "{end}");
        assert!(is_at_rest(&stage));
        let mut stage = Stage::new(name, r#"arm Far joints_only=true pose={"x_m": 1.5} duration_s=1"#, "");
        let end = end_of(&mut stage, "Far");
        assert!(end.contains("cannot get there: the nearest is "), "{end}");
    });
}

#[test]
fn a_stuck_joint_fails_with_the_error() {
    on_every_robot(|name, robot| {
        let joint = joints(robot, RIGHT)[3];
        let mut stage = Stage::new(name, "arm Raise by=preset preset=ready duration_s=2", &format!("0 stuck {joint}"));
        let end = end_of(&mut stage, "Raise");
        assert!(end.contains("failure: its joints ended ") && end.contains("all errors added up"), "{end}");
        assert!((stage.time_s() - 3.0).abs() < 0.1, "settles up to 1.5 times its time: {}", stage.time_s());
    });
}

#[test]
fn mistakes_in_the_settings_are_told() {
    on_every_robot(|name, _| {
        for (settings, told) in [
            ("by=preset preset=raedy", "has no preset `raedy`; it has "),
            ("by=angles angles_deg=[1,2]", "`angles_deg` has 2 numbers, but the right arm of robot"),
            ("frame=cup", "there is no frame `cup` now; there are world, "),
            (r#"waypoints=[{"at":1.5}]"#, "a waypoint is at 1.5 of the way"),
        ] {
            let end = end_of(&mut Stage::new(name, &format!("arm Go {settings}"), ""), "Go");
            assert!(end.contains(told), "{end}");
        }
    });
}

#[test]
fn a_screw_turns_a_handle_on_its_circle() {
    on_every_robot(|name, _| {
        let axis = r#"{"y_m": 0.08}"#;
        let outline = format!("screw Turn frame=right_hand axis={axis} translation_m=0 rotation_deg=40");
        let mut stage = Stage::new(name, &outline, "preset ready");
        let start = hand(&stage, Side::Right);
        let world_from_axis = start * Pose::from_translation(0.0, 0.08, 0.0);
        while stage.tick() {
            let axis_from_hand = world_from_axis.inverse() * hand(&stage, Side::Right);
            let at = axis_from_hand.translation_m();
            assert!((Vector3::new(0.0, at.y, at.z).norm() - 0.08).abs() < 1e-3 && at.x.abs() < 1e-3, "{name}: {at}");
        }
        assert!(stage.trace().contains("- Turn success"), "{}", stage.trace());
        let goal = start.moved_about_screw(&world_from_axis, 40_f64.to_radians(), 0.0);
        assert_near(&hand(&stage, Side::Right), &goal, 1e-3, 0.2);
    });
}

#[test]
fn a_screw_is_nowhere_faster_than_it_may() {
    on_every_robot(|name, _| {
        let mut stage =
            Stage::new(name, "screw Push frame=right_hand translation_m=0.06 max_linear_m_s=0.05", "preset ready");
        let (mut before, mut fastest_m_s) = (hand(&stage, Side::Right), 0.0_f64);
        while stage.tick() {
            let now = hand(&stage, Side::Right);
            fastest_m_s = fastest_m_s.max((now.translation_m() - before.translation_m()).norm() / 0.01);
            before = now;
        }
        assert!(stage.trace().contains("- Push success"), "{}", stage.trace());
        assert!(fastest_m_s < 0.055 && fastest_m_s > 0.02, "{name}: {fastest_m_s} m/s");
        let end = end_of(&mut Stage::new(name, "screw Push translation_m=0", ""), "Push");
        assert!(end.contains("failure: it neither turns nor moves the hand"), "{end}");
    });
}
