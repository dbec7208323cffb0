//! Frames of the body: found by their whole names, where they should be.

use std::sync::Arc;

use geometry::{Pose, Vector3};
use robot::{BodyFrame, BodyPoses, Robot, Side};

fn placed(name: &str) -> BodyPoses {
    let robot = Arc::new(Robot::builtin(name).expect("one of our own"));
    let mut poses = BodyPoses::new(robot.clone());
    let world_from_base = Pose::from_axis_angle(Vector3::new(2.0, -1.0, 0.9), Vector3::new(0.05, 0.1, 0.8));
    poses.place(&robot.configuration("home").expect("every robot of ours has it"), &world_from_base);
    poses
}

#[test]
fn every_name_is_found_again_and_no_other() {
    for name in Robot::names() {
        let robot = Robot::builtin(name).unwrap();
        for frame in BodyFrame::NAMED {
            assert_eq!(BodyFrame::find(&robot, frame.word().unwrap()), Some(frame));
        }
        let link = robot.description.links.iter().position(|link| link.name.contains("foot")).unwrap();
        assert_eq!(BodyFrame::find(&robot, &robot.description.links[link].name), Some(BodyFrame::Link(link)));
        for unknown in ["", "left", "left_hand_", "Pelvis", "walk", "world "] {
            assert_eq!(BodyFrame::find(&robot, unknown), None, "{unknown}");
        }
    }
}

#[test]
fn poses_go_round() {
    for name in Robot::names() {
        let poses = placed(name);
        for frame in BodyFrame::NAMED {
            let world_from_frame = poses.world_from(frame);
            assert!((world_from_frame * world_from_frame.inverse()).distance(&Pose::identity()).position_m < 1e-12);
            if let Some(link) = frame.link(poses.robot()) {
                let base_from_link = poses.base_from_link(link);
                let world_from_base = poses.world_from_link(0);
                assert!((world_from_base * base_from_link).distance(&world_from_frame).position_m < 1e-12);
            }
        }
        assert_eq!(poses.world_from(BodyFrame::World), Pose::identity());
    }
}

#[test]
fn walking_is_on_the_ground_between_the_feet_and_faces_as_the_pelvis() {
    let poses = placed("coact-one");
    let walking = poses.world_from(BodyFrame::Walking);
    let [left_m, right_m] = Side::BOTH.map(|side| poses.world_from(BodyFrame::Sole(side)).translation_m());
    assert!((walking.translation_m().xy() - (left_m + right_m).xy() * 0.5).norm() < 1e-12);
    assert_eq!(walking.translation_m().z, left_m.z.min(right_m.z));
    let rpy = walking.rpy();
    assert!(rpy.roll_rad.abs() < 1e-12 && rpy.pitch_rad.abs() < 1e-12);
    assert!((rpy.yaw_rad - poses.world_from(BodyFrame::Pelvis).rpy().yaw_rad).abs() < 1e-12);
}
