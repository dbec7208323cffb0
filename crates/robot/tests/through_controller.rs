//! What the controller makes of hand paths that joints can follow.

use std::sync::Arc;

use robot::Robot;
use robot::interface::Reach;

use crate::common::hand_paths::{by_joints, configuration, shares};
use crate::common::through_controller::{chain, follow};

#[test]
fn hands_arrive_without_jumps() {
    let robot = Arc::new(Robot::builtin("coact-one").expect("our own"));
    for reach in [Reach::Arm, Reach::ArmAndSpine] {
        let chain = chain(&robot, reach);
        let mut share = shares(5);
        for number in 0..6 {
            let (from, to) = (configuration(&chain, &mut share), configuration(&chain, &mut share));
            let followed = follow(&robot, reach, &chain, &by_joints(&chain, &from, &to));
            assert!(followed.steps > 10, "{reach:?}, path {number}: {followed:?}");
            assert_eq!(followed.jumps, 0, "{reach:?}, path {number}: {followed:?}");
            assert!(followed.arrived(), "{reach:?}, path {number}: {followed:?}");
        }
    }
}
