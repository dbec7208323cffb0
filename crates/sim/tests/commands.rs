//! Commands on shared joints, paths, frames, refusals.

use crate::common;

use std::f64::consts::FRAC_PI_2;

use common::{DT_S, Watched, hand, joints, standing, walk};
use geometry::{Pose, Vector3};
use robot::interface::{Frame, HandPath, JointPath, JointWaypoint, Order, Phase, Queueing, Reach, Wrench};
use robot::{BodyFrame, Screw, Side};
use site::Driver;

const ELBOW: &str = "right_elbow_pitch";
const YAW: &str = "neck_yaw";

fn ended(reason: &str) -> Phase {
    Phase::Ended { reason: reason.to_owned() }
}

#[test]
fn queue_and_override() {
    // First command, second, whether it queues; then how both stand at once and what the first becomes.
    let table = [
        (joints(ELBOW, &[(1.0, -0.5)]), joints(ELBOW, &[(1.0, -2.0)]), false, Some("overridden by command 2")),
        (joints(ELBOW, &[(1.0, -0.5)]), joints(ELBOW, &[(1.0, -2.0)]), true, None),
        (joints(ELBOW, &[(1.0, -0.5)]), joints(YAW, &[(1.0, 0.5)]), false, None),
        (joints(ELBOW, &[(1.0, -0.5)]), joints(YAW, &[(1.0, 0.5)]), true, None),
        (
            joints(ELBOW, &[(1.0, -0.5)]),
            hand(Side::Right, Frame::Link("chest".into()), &[(1.0, Pose::from_translation(0.3, -0.3, 0.0))]),
            false,
            Some("overridden by command 2"),
        ),
        (
            joints(ELBOW, &[(1.0, -0.5)]),
            Order::Stop { joints: vec![ELBOW.into()] },
            false,
            Some("stopped by command 2"),
        ),
        (joints(ELBOW, &[(1.0, -0.5)]), Order::Stop { joints: vec![YAW.into()] }, false, None),
    ];
    for (first, second, queues, first_ends) in table {
        let mut watched = standing();
        let one = watched.send(first.clone());
        watched.run(0.3);
        let shared = queues && format!("{second:?}").contains(ELBOW);
        let queueing = if queues { Queueing::Queue } else { Queueing::Override };
        let two = watched.try_send(queueing, second.clone()).unwrap();
        watched.step();
        match first_ends {
            Some(reason) => assert_eq!(watched.phase(one), ended(reason), "{second:?}"),
            None => assert!(matches!(watched.phase(one), Phase::Running { progress } if progress > 0.2)),
        }
        assert_eq!(watched.phase(two) == Phase::Queued, shared, "{second:?}");
        watched.finish(one);
        watched.finish(two);
        assert_eq!(watched.phase(two), Phase::Done, "{second:?}");
        if shared {
            assert!((watched.position(ELBOW) + 2.0).abs() < 1e-6);
        }
    }
}

#[test]
fn three_in_a_queue_run_in_order() {
    let mut watched = standing();
    let ids = [-0.5, -1.0, -0.7].map(|goal| watched.queue(joints(ELBOW, &[(0.5, goal)])));
    for (id, goal) in ids.into_iter().zip([-0.5, -1.0, -0.7]) {
        watched.finish(id);
        assert!((watched.position(ELBOW) - goal).abs() < 0.05, "{id:?}");
    }
    // An override ends those that wait, too.
    let ids = [-0.5, -1.0].map(|goal| watched.queue(joints(ELBOW, &[(0.5, goal)])));
    watched.send(joints(ELBOW, &[(0.5, -1.5)]));
    watched.step();
    for id in ids {
        assert_eq!(watched.phase(id), ended("overridden by command 6"));
    }
}

#[test]
fn an_override_does_not_jump_in_velocity() {
    let mut watched = standing();
    let elbow = watched.coordinate(ELBOW);
    let limits = watched.poses.robot().model.coordinates()[elbow].limits;
    watched.send(joints(ELBOW, &[(1.0, -0.1)]));
    let mut last = 0.0;
    for step in 0..600 {
        match step {
            100 => drop(watched.send(joints(ELBOW, &[(0.6, -2.4)]))),
            150 => {
                let goal = Pose::from_translation(0.35, -0.25, 0.1);
                watched.send(hand(Side::Right, Frame::Link("chest".into()), &[(0.8, goal)]));
            }
            200 => drop(watched.send(joints(ELBOW, &[(0.4, 0.0)]))),
            _ => {}
        }
        watched.step();
        let velocity = watched.velocity(ELBOW);
        assert!((velocity - last).abs() <= limits.speed / 0.1 * DT_S + 1e-6, "step {step}: {last} to {velocity}");
        last = velocity;
    }
    assert!(watched.at_rest());
}

#[test]
fn waypoints_are_passed_without_stopping() {
    let mut watched = standing();
    let id = watched.send(joints(YAW, &[(0.5, 0.3), (1.0, 0.6), (1.5, 0.9)]));
    watched.run(0.5);
    assert!((watched.position(YAW) - 0.3).abs() < 1e-9 && watched.velocity(YAW) > 0.3);
    watched.run(0.5);
    assert!((watched.position(YAW) - 0.6).abs() < 1e-9 && watched.velocity(YAW) > 0.3);
    let rest_s = watched.finish(id);
    assert!((0.5..0.51).contains(&rest_s), "{rest_s}");
    assert_eq!(watched.position(YAW), 0.9);
}

#[test]
fn too_short_a_time_is_stretched() {
    let mut watched = standing();
    let id = watched.send(joints(YAW, &[(0.01, 1.4)]));
    let duration_s = watched.finish(id);
    assert!((0.28..0.6).contains(&duration_s), "1.4 rad at up to 5 rad/s: {duration_s}");
    assert_eq!(watched.phase(id), Phase::Done);
}

#[test]
fn a_hand_comes_to_its_pose_in_every_frame() {
    for (frame, follows) in [
        (Frame::World, false),
        (Frame::Walking, false),
        (Frame::Walking, true),
        (Frame::Link("chest".into()), false),
        (Frame::Link("pelvis".into()), false),
        (Frame::Named("door".into()), false),
        (Frame::Named("door".into()), true),
    ] {
        let mut watched = standing();
        watched.sim.place_frame("door", &Pose::from_translation(1.0, 0.2, 1.0));
        let seen = match &frame {
            Frame::World => BodyFrame::World,
            Frame::Walking => BodyFrame::Walking,
            Frame::Link(name) => BodyFrame::find(watched.poses.robot(), name).unwrap(),
            Frame::Named(_) => BodyFrame::World,
        };
        let world_from_frame = match &frame {
            Frame::Named(_) => Pose::from_translation(1.0, 0.2, 1.0),
            _ => watched.world_from(seen),
        };
        let further = Pose::from_axis_angle(Vector3::new(0.08, 0.05, 0.1), Vector3::new(0.1, -0.2, 0.3));
        let goal = world_from_frame.inverse() * watched.world_from(BodyFrame::Hand(Side::Left)) * further;
        let Order::Hand(path) = hand(Side::Left, frame.clone(), &[(1.5, goal)]) else { unreachable!() };
        let id = watched.send(Order::Hand(HandPath { follow: follows, ..path }));
        let duration_s = watched.finish(id);
        assert!((1.5..1.52).contains(&duration_s), "{frame:?}: {duration_s}");
        let distance = watched.world_from(BodyFrame::Hand(Side::Left)).distance(&(world_from_frame * goal));
        assert!(distance.position_m < 1e-4 && distance.angle_rad < 1e-3, "{frame:?}: {distance:?}");
    }
}

#[test]
fn a_hand_follows_a_frame_that_moves_only_if_told_to() {
    for follow in [true, false] {
        let mut watched = standing();
        let start = watched.world_from(BodyFrame::Hand(Side::Right));
        watched.sim.place_frame("cart", &start);
        let Order::Hand(path) =
            hand(Side::Right, Frame::Named("cart".into()), &[(0.2, Pose::identity()), (4.0, Pose::identity())])
        else {
            unreachable!()
        };
        let id = watched.send(Order::Hand(HandPath { follow, ..path }));
        for step in 0..400 {
            let moved = Pose::from_translation(0.0, 0.0, 0.1 * f64::from(step) / 400.0) * start;
            watched.sim.place_frame("cart", &moved);
            watched.step();
        }
        watched.finish(id);
        let risen_m = (watched.world_from(BodyFrame::Hand(Side::Right)).translation_m() - start.translation_m()).z;
        let expected_m = if follow { 0.1 } else { 0.0 };
        assert!((risen_m - expected_m).abs() < 1e-3, "{risen_m}");
    }
}

#[test]
fn a_hand_stays_put_in_the_world_while_the_pelvis_moves() {
    let mut watched = standing();
    let hand_at = watched.world_from(BodyFrame::Hand(Side::Right));
    let soles = watched.soles();
    let Order::Hand(path) = hand(Side::Right, Frame::World, &[(0.1, hand_at), (3.0, hand_at)]) else { unreachable!() };
    watched.send(Order::Hand(HandPath { follow: true, ..path }));
    let height_m = watched.world_from(BodyFrame::Pelvis).translation_m().z;
    let id = watched.send(Order::Pelvis {
        frame: Frame::Walking,
        frame_from_pelvis: Pose::from_axis_angle(Vector3::new(0.0, 0.0, height_m - 0.12), Vector3::new(0.0, 0.1, 0.2)),
        moves_sideways: false,
        duration_s: 2.0,
    });
    while matches!(watched.phase(id), Phase::Running { .. }) {
        watched.step();
        let away = watched.world_from(BodyFrame::Hand(Side::Right)).distance(&hand_at);
        assert!(away.position_m < 1e-3 && away.angle_rad < 5e-3, "{away:?}");
        for (sole, planted) in watched.soles().iter().zip(&soles) {
            let slip = sole.distance(planted);
            assert!(slip.position_m < 1e-4 && slip.angle_rad < 1e-3);
        }
    }
    let pelvis = watched.world_from(BodyFrame::Pelvis);
    assert!((pelvis.translation_m().z - (height_m - 0.12)).abs() < 1e-6);
    assert!((pelvis.rpy().yaw_rad - 0.2).abs() < 0.02);
}

#[test]
fn arm_and_spine_reach_further() {
    let reached = [Reach::Arm, Reach::ArmAndSpine].map(|reach| {
        let mut watched = standing();
        let goal = Pose::from_axis_angle(Vector3::new(0.75, -0.3, 1.1), Vector3::new(0.0, -FRAC_PI_2, 0.0));
        let Order::Hand(path) = hand(Side::Right, Frame::World, &[(3.0, goal)]) else { unreachable!() };
        let id = watched.send(Order::Hand(HandPath { reach, ..path }));
        watched.finish(id);
        assert_eq!(watched.phase(id), Phase::Done);
        watched.world_from(BodyFrame::Hand(Side::Right)).distance(&goal).position_m
    });
    assert!(reached[1] < reached[0] - 0.02, "{reached:?}");
}

#[test]
fn a_screw_keeps_the_hand_on_its_circle() {
    let mut watched = standing();
    let hand_at = watched.world_from(BodyFrame::Hand(Side::Right));
    // About an axis along x, 15 cm below the hand.
    let frame_from_screw =
        Pose::new(hand_at.translation_m() - Vector3::new(0.0, 0.0, 0.15), Pose::identity().rotation());
    let screw =
        Screw { frame_from_screw, advance_m: 0.05, turn_rad: -0.7, max_linear_m_s: 0.2, max_angular_rad_s: 0.8 };
    let path = HandPath {
        side: Side::Right,
        reach: Reach::Arm,
        frame: Frame::World,
        waypoints: screw.path(&hand_at),
        follow: false,
        hold: false,
    };
    let id = watched.send(Order::Hand(path));
    let start_ns = watched.state().time_ns;
    while matches!(watched.phase(id), Phase::Running { .. }) {
        watched.step();
        let at = (frame_from_screw.inverse() * watched.world_from(BodyFrame::Hand(Side::Right))).translation_m();
        let radius_m = at.yz().norm();
        assert!((radius_m - 0.15).abs() < 1e-3, "{radius_m}");
    }
    let duration_s = (watched.state().time_ns - start_ns) as f64 * 1e-9;
    assert!((duration_s - screw.duration_s(&hand_at)).abs() < 0.02);
    let expected = hand_at.moved_about_screw(&frame_from_screw, -0.7, 0.05);
    assert!(watched.world_from(BodyFrame::Hand(Side::Right)).distance(&expected).position_m < 1e-4);
}

#[test]
fn out_of_reach_is_tried_and_metres_out_of_reach_refused() {
    let mut watched = standing();
    let id = watched.send(hand(Side::Left, Frame::World, &[(1.0, Pose::from_translation(1.5, 0.2, 1.2))]));
    watched.finish(id);
    assert_eq!(watched.phase(id), Phase::Done);
    let there_m = watched.world_from(BodyFrame::Hand(Side::Left)).translation_m();
    assert!(there_m.x > 0.3, "as near as it can: {there_m}");
    let reason = watched.refused(hand(Side::Left, Frame::World, &[(1.0, Pose::from_translation(9.0, 0.2, 1.2))]));
    assert!(reason.contains("metres"), "{reason}");
}

#[test]
fn walking_with_both_arms_moving() {
    let mut watched = standing();
    let steps = walk(watched.poses.robot(), 4, (0.2, 0.0, 0.0));
    let walk_id = watched.send(Order::Footsteps { steps });
    let chest_from = |watched: &common::Watched, side: Side| {
        watched.world_from(BodyFrame::Chest).inverse() * watched.world_from(BodyFrame::Hand(side))
    };
    let goals = Side::BOTH.map(|side| Pose::from_translation(0.1, 0.0, 0.15) * chest_from(&watched, side));
    let ids =
        Side::BOTH.map(|side| watched.send(hand(side, Frame::Link("chest".into()), &[(2.0, goals[side.index()])])));
    watched.finish(walk_id);
    for side in Side::BOTH {
        assert_eq!(watched.phase(ids[side.index()]), Phase::Done);
        assert!(chest_from(&watched, side).distance(&goals[side.index()]).position_m < 1e-4);
    }
}

#[test]
fn fingers_gripper_press_and_stiffness() {
    let mut watched = standing();
    let targets = vec![("left_index_curl".into(), 1.0), ("left_thumb_curl".into(), 0.5)];
    let id = watched.send(Order::Fingers { side: Side::Left, targets, speeds: vec![1.0, 4.0] });
    let duration_s = watched.finish(id);
    assert!((1.0..3.0).contains(&duration_s), "{duration_s}");
    assert_eq!((watched.position("left_index_curl"), watched.position("left_thumb_curl")), (1.0, 0.5));

    let id = watched.send(Order::Gripper { side: Side::Left, opening_rad: 0.0, force_limit_n: 20.0 });
    watched.finish(id);
    let closed = watched.position("left_index_curl");
    let id = watched.send(Order::Gripper { side: Side::Left, opening_rad: 3.0, force_limit_n: 20.0 });
    watched.finish(id);
    assert!((closed - watched.position("left_index_curl")).abs() > 1.0);

    let wrench = Wrench { force_n: Vector3::new(0.0, 0.0, -20.0), torque_nm: Vector3::zeros() };
    let id = watched.send(Order::Wrench { side: Side::Left, frame: Frame::World, wrench, duration_s: 0.5 });
    watched.run(0.2);
    let felt = watched.state().hand_wrenches[0].force_n;
    let felt_in_world = watched.world_from(BodyFrame::Hand(Side::Left)).transform_vector(&felt);
    assert!((felt_in_world - Vector3::new(0.0, 0.0, 20.0)).norm() < 1e-9);
    watched.finish(id);
    watched.step();
    assert_eq!(watched.state().hand_wrenches[0], Wrench::NONE);

    let id = watched.send(Order::Stiffness { joints: vec![ELBOW.into()], share: 0.5 });
    watched.step();
    assert_eq!(watched.phase(id), Phase::Done);
}

#[test]
fn one_foot_up_and_down_again() {
    let mut watched = standing();
    let ground = watched.soles();
    let up = Pose::from_translation(0.1, 0.05, 0.15) * ground[0];
    let foot =
        |pose: Pose| Order::Foot { side: Side::Left, frame: Frame::World, frame_from_sole: pose, duration_s: 1.0 };
    let id = watched.send(foot(up));
    watched.finish(id);
    assert_eq!(watched.phase(id), Phase::Done);
    assert!(watched.soles()[0].distance(&up).position_m < 1e-4);
    assert!(watched.soles()[1].distance(&ground[1]).position_m < 1e-4);
    assert_eq!(watched.state().feet.map(|foot| foot.contact), [false, true]);
    assert_eq!(watched.state().feet[0].load_n, 0.0);
    let steps = walk(watched.poses.robot(), 2, (0.1, 0.0, 0.0));
    let reason = watched.refused(Order::Footsteps { steps: vec![steps[1].clone()] });
    assert!(reason.contains("left foot is in the air"), "{reason}");
    let id = watched.send(foot(Pose::from_translation(0.05, 0.0, 0.0) * ground[0]));
    watched.finish(id);
    assert_eq!(watched.state().feet.map(|foot| foot.contact), [true, true]);
    let id = watched.send(Order::Footsteps { steps });
    watched.finish(id);
    assert_eq!(watched.phase(id), Phase::Done);
}

#[test]
fn what_is_refused_says_why() {
    let path = |names: &[&str], waypoints: Vec<JointWaypoint>| {
        Order::Joints(JointPath { joints: names.iter().map(|name| (*name).into()).collect(), waypoints })
    };
    let at = |time_s: f64, positions: &[f64]| JointWaypoint { time_s, positions: positions.to_vec() };
    let far = Pose::from_translation(f64::NAN, 0.0, 0.0);
    let press = Wrench { force_n: Vector3::new(1e4, 0.0, 0.0), torque_nm: Vector3::zeros() };
    let table = [
        (path(&["elbow"], vec![at(1.0, &[0.0])]), "no joint `elbow`"),
        (path(&[], vec![at(1.0, &[])]), "names no joint"),
        (path(&[YAW, YAW], vec![at(1.0, &[0.0, 0.0])]), "named twice"),
        (path(&[YAW], vec![]), "no waypoint"),
        (path(&[YAW], vec![at(1.0, &[0.0, 1.0])]), "waypoint 1 has 2 positions for 1 joints"),
        (path(&[YAW], vec![at(1.0, &[0.0]), at(1.0, &[0.1])]), "not later than the one before"),
        (path(&[YAW], vec![at(f64::NAN, &[0.0])]), "waypoint 1"),
        (path(&[YAW], vec![at(1.0, &[f64::NAN])]), "cannot go to NaN"),
        (path(&[YAW], vec![at(1.0, &[2.0])]), "from -80.2° to 80.2°"),
        (path(&["left_knee_pitch"], vec![at(1.0, &[0.5])]), "stands on"),
        (hand(Side::Left, Frame::World, &[(1.0, far)]), "not finite"),
        (hand(Side::Left, Frame::Link("tail".into()), &[(1.0, Pose::identity())]), "no link `tail`"),
        (hand(Side::Left, Frame::Named("cup".into()), &[(1.0, Pose::identity())]), "`cup` is not known yet"),
        (Order::Footsteps { steps: vec![] }, "no footsteps"),
        (
            Order::Fingers { side: Side::Left, targets: vec![(ELBOW.into(), 0.0)], speeds: vec![1.0] },
            "not of the left hand",
        ),
        (Order::Gripper { side: Side::Left, opening_rad: -1.0, force_limit_n: 1.0 }, "0 is closed"),
        (Order::Wrench { side: Side::Left, frame: Frame::World, wrench: press, duration_s: 1.0 }, "at most"),
        (Order::Stiffness { joints: vec![YAW.into()], share: 1.5 }, "from 0 to 1"),
        (Order::Stop { joints: vec![] }, "no joint to stop"),
        (
            Order::Pelvis {
                frame: Frame::Walking,
                frame_from_pelvis: Pose::from_translation(0.0, 0.0, 2.0),
                moves_sideways: false,
                duration_s: 1.0,
            },
            "the legs do not reach",
        ),
    ];
    let mut watched = standing();
    let before = watched.state().positions.clone();
    for (order, expected) in table {
        let reason = watched.refused(order);
        assert!(reason.contains(expected), "{reason} / {expected}");
    }
    watched.run(0.1);
    assert_eq!(watched.state().positions, before);
    assert!(watched.state().commands.iter().all(|status| matches!(status.phase, Phase::Refused { .. })));
    assert_eq!(watched.state().commands.len(), 20);
}

#[test]
fn steps_a_robot_cannot_do_are_refused_by_number() {
    let mut watched = standing();
    let good = walk(watched.poses.robot(), 3, (0.2, 0.0, 0.0));
    let with = |index: usize, change: &dyn Fn(&mut robot::interface::Footstep)| {
        let mut steps = good.clone();
        change(&mut steps[index]);
        Order::Footsteps { steps }
    };
    let moved =
        |pose: Pose| move |step: &mut robot::interface::Footstep| step.world_from_sole = pose * step.world_from_sole;
    let table = [
        (with(1, &|step| step.swing_s = 0.1), "footstep 2 of 3 (right): swing of 0.1 s"),
        (with(2, &|step| step.transfer_s = 0.0), "footstep 3 of 3 (left): transfer"),
        (with(0, &|step| step.swing_height_m = -0.1), "swing height"),
        (with(0, &moved(Pose::from_translation(1.0, 0.0, 0.0))), "forward of the other foot"),
        (with(1, &moved(Pose::from_translation(-1.0, 0.0, 0.0))), "behind the other foot"),
        (with(0, &moved(Pose::from_translation(0.0, 0.5, 0.0))), "beside the other foot"),
        (with(0, &moved(Pose::from_translation(0.0, -0.2, 0.0))), "at least"),
        (with(2, &moved(Pose::from_translation(0.0, 0.0, 0.5))), "above the other foot"),
        (with(2, &moved(Pose::from_translation(0.0, 0.0, -0.5))), "below the other foot"),
        (
            with(0, &|step| {
                step.world_from_sole =
                    Pose::from_axis_angle(step.world_from_sole.translation_m(), Vector3::new(0.0, 0.0, 1.5))
            }),
            "outward",
        ),
        (with(0, &|step| step.world_from_sole = Pose::from_translation(f64::NAN, 0.0, 0.0)), "not finite"),
    ];
    for (order, expected) in table {
        let reason = watched.refused(order);
        assert!(reason.contains(expected), "{reason} / {expected}");
    }
}

#[test]
fn ids_must_rise() {
    use robot::interface::{Command, CommandId};
    let mut watched = standing();
    let command = |id| Command { id: CommandId(id), queueing: Queueing::Override, order: joints(YAW, &[(1.0, 0.1)]) };
    watched.sim.command(&command(5)).unwrap();
    let refusal = watched.sim.command(&command(5)).unwrap_err();
    assert!(refusal.0.contains("ids must rise"));
    assert!(watched.sim.command(&command(4)).is_err());
    watched.step();
    assert!(matches!(watched.phase(CommandId(5)), Phase::Running { .. }));
}

#[test]
fn a_hand_is_held_in_the_world_until_its_arm_is_told_something_else() {
    let mut watched = standing();
    let chest_from_hand =
        watched.world_from(BodyFrame::Chest).inverse() * watched.world_from(BodyFrame::Hand(Side::Right));
    let goal = Pose::from_translation(0.05, 0.0, 0.05) * chest_from_hand;
    let Order::Hand(path) = hand(Side::Right, Frame::Link("chest".into()), &[(1.0, goal)]) else { unreachable!() };
    let id = watched.send(Order::Hand(HandPath { hold: true, ..path }));
    watched.finish(id);
    assert_eq!(watched.phase(id), Phase::Done);
    let held_at = watched.world_from(BodyFrame::Hand(Side::Right));
    let lowered = |watched: &Watched, by_m: f64| Order::Pelvis {
        frame: Frame::Walking,
        frame_from_pelvis: Pose::from_translation(
            0.0,
            0.0,
            watched.world_from(BodyFrame::Pelvis).translation_m().z - by_m,
        ),
        moves_sideways: false,
        duration_s: 1.0,
    };
    let order = lowered(&watched, 0.08);
    let down = watched.send(order);
    while matches!(watched.phase(down), Phase::Running { .. }) {
        watched.step();
        let away = watched.world_from(BodyFrame::Hand(Side::Right)).distance(&held_at);
        assert!(away.position_m < 2e-3 && away.angle_rad < 5e-3, "{away:?}");
    }
    // Nothing queued behind it waits for it, and a stop lets it go.
    let elbow = watched.queue(joints(ELBOW, &[(0.5, -0.9)]));
    watched.finish(elbow);
    assert_eq!((watched.phase(elbow), watched.phase(id)), (Phase::Done, Phase::Done));
    let let_go_at = watched.world_from(BodyFrame::Hand(Side::Right));
    let order = lowered(&watched, -0.08);
    let up = watched.send(order);
    watched.finish(up);
    let moved_m = watched.world_from(BodyFrame::Hand(Side::Right)).distance(&let_go_at).position_m;
    assert!((moved_m - 0.08).abs() < 2e-3, "{moved_m} m");
}
