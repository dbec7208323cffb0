//! Frozen and active: what a robot does, and what it refuses.

use crate::common;

use common::{Watched, joints, robots, walk};
use robot::interface::{Capability, ControlMode, Mode, Order, Phase, Queueing};
use robot::{PartName, Side};
use sim::FaultPlan;
use site::Driver;

const FREEZE: Order = Order::Mode { mode: ControlMode::Frozen };
const ACTIVATE: Order = Order::Mode { mode: ControlMode::Active };

fn on_every_robot(test: impl Fn(Watched)) {
    robots().into_iter().for_each(|robot| test(Watched::new(robot, &FaultPlan::default())));
}

/// The third joint of the right arm, which every robot of ours can turn to these angles.
fn elbow(watched: &Watched) -> String {
    let robot = watched.poses.robot();
    let arm = robot.part(PartName::Arm(Side::Right)).expect("an arm");
    robot.model.coordinates()[arm.coordinates[2]].name.clone()
}

fn walking(watched: &Watched) -> Order {
    Order::Footsteps { steps: walk(watched.poses.robot(), 4, (0.1, 0.0, 0.0)) }
}

#[test]
fn freezing_ends_what_moves_and_brings_rest() {
    on_every_robot(|mut watched| {
        let elbow_joint = elbow(&watched);
        assert!(watched.sim.capabilities().can(Capability::ControlMode));
        let walk = walking(&watched);
        let moving = [watched.send(walk), watched.send(joints(&elbow_joint, &[(3.0, -0.2)]))];
        let waiting = watched.queue(joints(&elbow_joint, &[(1.0, -1.0)]));
        watched.run(1.0);
        let freeze = watched.send(FREEZE);
        assert_eq!(watched.state().mode, Mode::Stopping);
        for id in moving {
            assert_eq!(watched.phase(id), Phase::Ended { reason: format!("stopped by command {}", freeze.0) });
        }
        assert!(matches!(watched.phase(waiting), Phase::Ended { .. }));
        assert!(watched.finish(freeze) < 3.0);
        assert_eq!(watched.phase(freeze), Phase::Done);
        assert_eq!(watched.state().mode, Mode::Frozen);
        assert_eq!(watched.state().feet.map(|foot| foot.contact), [true; 2]);
    });
}

#[test]
fn what_would_move_it_is_refused_until_it_is_active() {
    on_every_robot(|mut watched| {
        let elbow_joint = elbow(&watched);
        let freeze = watched.send(FREEZE);
        watched.finish(freeze);
        let there = watched.state().positions.clone();
        let walk = walking(&watched);
        let soft = Order::Stiffness { joints: vec![elbow_joint.as_str().into()], share: 0.5 };
        for order in [joints(&elbow_joint, &[(1.0, -0.2)]), walk.clone(), soft] {
            let reason = watched.refused(order);
            assert_eq!(reason, "the robot is frozen: set its control mode to active first");
        }
        watched.try_send(Queueing::Queue, walk.clone()).expect_err("not kept for later either");
        watched.send(Order::Stop { joints: vec![elbow_joint.as_str().into()] });
        watched.sim.stop();
        watched.run(1.0);
        assert_eq!((watched.state().mode, &watched.state().positions), (Mode::Frozen, &there));
        let activate = watched.send(ACTIVATE);
        assert_eq!((watched.phase(activate), watched.state().mode), (Phase::Done, Mode::Standing));
        let id = watched.send(walk);
        watched.finish(id);
        assert_eq!(watched.phase(id), Phase::Done);
    });
}

#[test]
fn queued_it_freezes_after_what_is_under_way() {
    on_every_robot(|mut watched| {
        let elbow_joint = elbow(&watched);
        let elbow = watched.send(joints(&elbow_joint, &[(0.5, -0.4)]));
        let freeze = watched.queue(FREEZE);
        let behind = watched.queue(joints(&elbow_joint, &[(0.5, -0.2)]));
        watched.finish(freeze);
        assert_eq!((watched.phase(elbow), watched.phase(freeze)), (Phase::Done, Phase::Done));
        assert_eq!(watched.phase(behind), Phase::Ended { reason: "the robot is frozen".to_owned() });
        assert!((watched.position(&elbow_joint) + 0.4).abs() < 1e-5);
    });
}

#[test]
fn to_be_active_ends_nothing_and_a_stop_works_in_both_modes() {
    on_every_robot(|mut watched| {
        let elbow_joint = elbow(&watched);
        let elbow = watched.send(joints(&elbow_joint, &[(0.5, -0.4)]));
        watched.run(0.1);
        watched.send(ACTIVATE);
        assert!(matches!(watched.phase(elbow), Phase::Running { .. }));
        watched.sim.stop();
        // While it comes to rest from a stop it can be frozen, too.
        let freeze = watched.send(FREEZE);
        watched.sim.stop();
        assert!(matches!(watched.phase(freeze), Phase::Ended { .. }));
        watched.run(0.5);
        assert_eq!(watched.state().mode, Mode::Frozen);
    });
}
