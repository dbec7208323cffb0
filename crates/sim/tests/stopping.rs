//! A stop, in every state; holding; determinism; faults.

use crate::common;

use common::{Watched, hand, joints, robots, standing, walk};
use geometry::Pose;
use robot::interface::{Frame, Mode, Order, Phase};
use robot::{BodyFrame, Side};
use sim::{FaultKind, FaultPlan, PlannedFault};
use site::Driver;

const ELBOW: &str = "right_elbow_pitch";

fn pelvis_down(watched: &Watched) -> Order {
    let height_m = watched.world_from(BodyFrame::Pelvis).translation_m().z - 0.1;
    Order::Pelvis {
        frame: Frame::Walking,
        frame_from_pelvis: Pose::from_translation(0.0, 0.0, height_m),
        moves_sideways: false,
        duration_s: 1.0,
    }
}

fn orders(watched: &Watched) -> Vec<(&'static str, Vec<Order>)> {
    let steps = walk(watched.poses.robot(), 6, (0.2, 0.0, 0.0));
    let reach = hand(Side::Right, Frame::Link("chest".into()), &[(1.0, Pose::from_translation(0.3, -0.3, 0.1))]);
    let lifted = Pose::from_translation(0.1, 0.0, 0.1) * watched.soles()[0];
    let foot = Order::Foot { side: Side::Left, frame: Frame::World, frame_from_sole: lifted, duration_s: 1.0 };
    vec![
        ("nothing", vec![]),
        ("arm path", vec![joints(ELBOW, &[(1.0, -0.2)])]),
        ("hand path", vec![reach.clone()]),
        ("pelvis", vec![pelvis_down(watched)]),
        ("foot", vec![foot]),
        ("walking", vec![Order::Footsteps { steps: steps.clone() }]),
        ("walking and reaching", vec![Order::Footsteps { steps }, reach]),
    ]
}

#[test]
fn a_stop_in_every_state_brings_rest() {
    let names = orders(&standing());
    for case in 0..names.len() {
        // Transfers and swings at all their moments.
        for after in 0..16 {
            let mut watched = standing();
            let (name, orders) = orders(&watched).swap_remove(case);
            let ids: Vec<_> = orders.into_iter().map(|order| watched.send(order)).collect();
            watched.run(0.01 + 0.13 * f64::from(after));
            let swings = watched.state().walking.swinging;
            watched.sim.stop();
            watched.step();
            for id in ids {
                assert!(matches!(watched.phase(id), Phase::Ended { .. } | Phase::Done), "{name}");
            }
            let start_ns = watched.state().time_ns;
            while watched.state().mode == Mode::Stopping {
                let reason = watched.refused(joints(ELBOW, &[(1.0, -1.0)]));
                assert!(reason.contains("is stopping"));
                watched.step();
                assert!(watched.state().time_ns - start_ns < 3_000_000_000, "{name} does not come to rest");
            }
            let rest_s = (watched.state().time_ns - start_ns) as f64 * 1e-9;
            assert!(swings.is_some() || name == "foot" || rest_s < 0.3, "{name} after {after}: {rest_s} s");
            let there = watched.state().positions.clone();
            watched.run(0.5);
            for (now, there) in watched.state().positions.iter().zip(&there) {
                assert!((now - there).abs() < 1e-4, "{name} moves on");
            }
            assert_eq!(watched.state().mode, Mode::Standing);
            watched.send(joints(ELBOW, &[(1.0, -1.0)]));
        }
    }
}

#[test]
fn a_foot_in_the_air_finishes_its_step() {
    let mut watched = standing();
    let steps = walk(watched.poses.robot(), 4, (0.2, 0.0, 0.0));
    watched.send(Order::Footsteps { steps: steps.clone() });
    watched.run(0.7);
    assert_eq!(watched.state().walking.swinging, Some(Side::Left));
    watched.sim.stop();
    watched.run(1.5);
    assert_eq!(watched.state().mode, Mode::Standing);
    assert!(watched.soles()[0].distance(&steps[0].world_from_sole).position_m < 1e-4);
    assert_eq!(watched.state().feet.map(|foot| foot.contact), [true; 2]);
    // And it walks again.
    let id = watched.send(Order::Footsteps { steps: steps[1..].to_vec() });
    watched.finish(id);
    assert_eq!(watched.phase(id), Phase::Done);
}

#[test]
fn walking_is_overridden_after_the_present_step_and_queued_after_the_last() {
    let mut watched = standing();
    let steps = walk(watched.poses.robot(), 4, (0.2, 0.0, 0.0));
    let one = watched.send(Order::Footsteps { steps: steps.clone() });
    watched.run(0.7);
    let two = watched.send(Order::Footsteps { steps: steps[1..2].to_vec() });
    watched.step();
    assert_eq!(watched.phase(one), Phase::Ended { reason: "overridden by command 2".to_owned() });
    let three = watched.queue(Order::Footsteps { steps: steps[2..].to_vec() });
    watched.step();
    assert_eq!(watched.phase(three), Phase::Queued);
    watched.finish(two);
    assert_eq!(watched.phase(two), Phase::Done);
    assert!(watched.soles()[0].distance(&steps[0].world_from_sole).position_m < 1e-4);
    assert!(watched.soles()[1].distance(&steps[1].world_from_sole).position_m < 1e-4);
    watched.finish(three);
    assert_eq!(watched.phase(three), Phase::Done);
    assert!(watched.soles()[1].distance(&steps[3].world_from_sole).position_m < 1e-4);
}

#[test]
fn held_commands_stand_still_and_go_on() {
    let mut watched = standing();
    let steps = walk(watched.poses.robot(), 2, (0.2, 0.0, 0.0));
    let walks = watched.send(Order::Footsteps { steps: steps.clone() });
    let moves = watched.send(joints(ELBOW, &[(2.0, -0.2)]));
    watched.run(0.6);
    watched.sim.hold(true);
    watched.run(1.5);
    let there = watched.state().positions.clone();
    assert_eq!(watched.state().feet.map(|foot| foot.contact), [true; 2], "the foot has landed");
    watched.run(1.0);
    assert_eq!(watched.state().positions, there);
    assert!(matches!(watched.phase(moves), Phase::Running { .. }));
    watched.sim.hold(false);
    watched.finish(walks);
    watched.finish(moves);
    assert_eq!((watched.phase(walks), watched.phase(moves)), (Phase::Done, Phase::Done));
    assert!(watched.soles()[1].distance(&steps[1].world_from_sole).position_m < 1e-4);
}

fn plan(kind: FaultKind, at_s: f64, until_s: Option<f64>) -> FaultPlan {
    FaultPlan { seed: 7, faults: vec![PlannedFault { at_s, until_s, kind }] }
}

fn with(kind: FaultKind, at_s: f64, until_s: Option<f64>) -> Watched {
    Watched::new(robots().remove(0), &plan(kind, at_s, until_s))
}

#[test]
fn a_stuck_joint_is_noticed_after_a_while() {
    let mut watched = with(FaultKind::JointStuck { joint: ELBOW.to_owned() }, 0.2, None);
    let id = watched.send(joints(ELBOW, &[(1.0, -0.2)]));
    watched.run(0.2);
    let there = watched.position(ELBOW);
    watched.run(0.4);
    assert_eq!(watched.state().faults, []);
    watched.finish(id);
    watched.run(0.3);
    assert!((watched.position(ELBOW) - there).abs() < 0.02);
    assert_eq!(watched.state().faults[0].place, ELBOW);
    assert!(watched.state().faults[0].text.contains('°'));
}

#[test]
fn a_silent_hand_either_says_nothing_or_that_it_runs() {
    for says_running in [false, true] {
        let mut watched = with(FaultKind::PartSilent { part: "left_hand".to_owned(), says_running }, 0.0, None);
        let before = watched.position("left_index_curl");
        let id = watched.send(Order::Gripper { side: Side::Left, opening_rad: 0.0, force_limit_n: 10.0 });
        watched.run(2.0);
        assert_eq!(watched.position("left_index_curl"), before);
        assert_eq!(watched.state().command(id).is_some(), says_running);
        let other = watched.send(Order::Gripper { side: Side::Right, opening_rad: 0.0, force_limit_n: 10.0 });
        watched.finish(other);
        assert_eq!(watched.phase(other), Phase::Done);
    }
}

#[test]
fn delayed_commands_come_late_and_in_order() {
    let mut watched = with(FaultKind::CommandDelay { delay_s: 0.3 }, 0.0, Some(0.1));
    let one = watched.send(joints(ELBOW, &[(0.5, -0.5)]));
    watched.run(0.2);
    let two = watched.send(joints("neck_yaw", &[(0.5, 0.5)]));
    assert_eq!((watched.state().command(one), watched.state().command(two)), (None, None));
    assert!(watched.at_rest());
    watched.run(0.15);
    assert!(matches!(watched.phase(one), Phase::Running { .. }));
    watched.finish(two);
    watched.finish(one);
    assert!((watched.position(ELBOW) + 0.5).abs() < 1e-6);
}

#[test]
fn forces_lags_and_lost_states() {
    let force = FaultKind::HandForce { side: Side::Right, force_n: [0.0, 0.0, 15.0], torque_nm: [0.0; 3] };
    let mut watched = with(force, 0.5, Some(1.0));
    for (run_s, expected_n) in [(0.4, 0.0), (0.2, 15.0), (0.5, 0.0)] {
        watched.run(run_s);
        assert_eq!(watched.state().hand_wrenches[1].force_n.z, expected_n);
    }

    let joints_away = vec![ELBOW.to_owned()];
    let error = FaultKind::TrackingError { joints: joints_away, offset_rad: 0.02, lag_s: 0.05 };
    let mut watched = with(error, 0.0, None);
    let id = watched.send(joints(ELBOW, &[(1.0, -1.0)]));
    watched.finish(id);
    watched.run(1.0);
    assert!((watched.position(ELBOW) + 0.98).abs() < 1e-6);

    let mut watched = with(FaultKind::StateLost, 0.2, Some(0.4));
    let mut latest_ns = Vec::new();
    for tick in 1..=60 {
        watched.sim.advance(tick * 10_000_000);
        latest_ns.push(watched.state().time_ns);
    }
    assert_eq!(latest_ns[29], latest_ns[19]);
    assert_eq!(latest_ns[59], 600_000_000);
}

#[test]
fn a_plan_is_json_and_checked() {
    let text = r#"{"faults": [{"at_s": 2, "kind": {"joint_stuck": {"joint": "right_elbow_pitch"}}},
        {"at_s": 1, "until_s": 3, "kind": "state_lost"},
        {"kind": {"hand_force": {"side": "left", "force_n": [0, 0, 5]}}}]}"#;
    let plan = FaultPlan::from_json(text).unwrap();
    let robot = robots().remove(0);
    plan.check(&robot).unwrap();
    assert_eq!(FaultPlan::from_json(&serde_json::to_string(&plan).unwrap()).unwrap(), plan);
    assert!(FaultPlan::from_json(r#"{"faults": [{"untill_s": 2, "kind": "state_lost"}]}"#).is_err());
    let unknown = FaultPlan::from_json(&text.replace("right_elbow_pitch", "tail")).unwrap();
    assert_eq!(unknown.check(&robot).unwrap_err().to_string(), "fault 1 of the plan: the robot has no joint `tail`");
}
