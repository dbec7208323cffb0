use robot::{BodyFrame, PartName};
use testkit::Stage;

use super::kit::*;

#[test]
fn the_head_turns_as_it_is_told_whatever_its_joints_are_called() {
    on_every_robot(|name, _| {
        let mut stage = Stage::new(name, "neck Look yaw_deg=30 pitch_deg=12 duration_s=1.5", "");
        assert_succeeds(&mut stage, "Look");
        assert_turned(turned_deg(&stage.poses(), BodyFrame::Chest, BodyFrame::Head), [30.0, 12.0, 0.0], 0.1);
        assert!((stage.time_s() - 1.5).abs() < 0.2, "{}", stage.time_s());
    });
}

#[test]
fn beyond_the_limits_of_a_joint_is_refused() {
    on_every_robot(|name, _| {
        let mut stage = Stage::new(name, "neck Look yaw_deg=170", "");
        stage.run();
        assert!(end_of(&stage, "Look").contains("cannot go to"), "{}", stage.trace());
    });
}

#[test]
fn the_spine_turns_by_the_angles_of_its_joints() {
    on_every_robot(|name, _| {
        let mut stage = Stage::new(name, "spine Turn yaw_deg=20 pitch_deg=10 duration_s=2", "");
        assert_succeeds(&mut stage, "Turn");
        assert_turned(turned_deg(&stage.poses(), BodyFrame::Pelvis, BodyFrame::Chest), [20.0, 10.0, 0.0], 0.1);
    });
}

#[test]
fn a_spine_without_a_joint_for_it_says_so() {
    on_every_robot(|name, robot| {
        let mut stage = Stage::new(name, "spine Turn roll_deg=5 duration_s=1", "");
        stage.run();
        let end = end_of(&stage, "Turn");
        let can = robot.part(PartName::Spine).is_some_and(|spine| spine.coordinates.len() > 2);
        let told = end.contains("has no joint that makes it roll");
        assert!(if can { end.contains("success") } else { told }, "{end}");
    });
}

#[test]
fn the_chest_gets_its_orientation_in_any_frame() {
    on_every_robot(|name, _| {
        for frame in ["pelvis", "world", "box"] {
            let outline = format!("spine Turn by=orientation frame={frame} yaw_deg=15 pitch_deg=10 duration_s=2");
            let mut stage = Stage::new(name, &outline, "0 frame box 1 0 1 10");
            assert_succeeds(&mut stage, "Turn");
            let world_from_chest = stage.poses().world_from(BodyFrame::Chest);
            let yaw_deg = if frame == "box" { 25.0 } else { 15.0 };
            let rpy = world_from_chest.rpy();
            assert_turned([rpy.yaw_rad, rpy.pitch_rad, rpy.roll_rad].map(f64::to_degrees), [yaw_deg, 10.0, 0.0], 0.2);
        }
    });
}

#[test]
fn an_orientation_that_no_spine_has_is_refused_with_how_much_is_missing() {
    on_every_robot(|name, _| {
        let mut stage = Stage::new(name, "spine Turn by=orientation yaw_deg=178", "");
        stage.run();
        assert!(end_of(&stage, "Turn").contains("cannot turn the chest so: it stays"), "{}", stage.trace());
    });
}

#[test]
fn head_and_trunk_move_at_once() {
    on_every_robot(|name, _| {
        let outline = "
            sequence S
              neck Look yaw_deg=20 duration_s=2
              spine Turn yaw_deg=15 duration_s=2 after=Beginning";
        let mut stage = Stage::new(name, outline, "");
        assert_succeeds(&mut stage, "Turn");
        assert!(stage.time_s() < 2.3, "{}", stage.time_s());
    });
}
