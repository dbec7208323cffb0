//! Walking: where the feet come, what stays planted, what is refused.

use crate::common;

use common::{DT_S, Watched, robots, walk};
use geometry::{Pose, Vector3};
use robot::interface::{Mode, Order, Phase};
use robot::{BodyFrame, Side};
use sim::FaultPlan;

#[track_caller]
fn assert_near(pose: &Pose, expected: &Pose) {
    let distance = pose.distance(expected);
    assert!(distance.position_m < 1e-3, "{} m away", distance.position_m);
    assert!(distance.angle_rad < 0.1_f64.to_radians(), "{} rad away", distance.angle_rad);
}

#[test]
fn ten_steps_forward_sideways_and_turning() {
    for robot in robots() {
        for (name, way) in [
            ("forward", (0.25, 0.0, 0.0)),
            ("back", (-0.15, 0.0, 0.0)),
            ("left", (0.0, 0.12, 0.0)),
            ("right", (0.0, -0.12, 0.0)),
            ("turn left", (0.0, 0.0, 0.35)),
            ("turn right", (0.0, 0.0, -0.35)),
        ] {
            let mut watched = Watched::new(robot.clone(), &FaultPlan::default());
            let steps = walk(&robot, 10, way);
            let id = watched.send(Order::Footsteps { steps: steps.clone() });
            let height_m = watched.world_from(BodyFrame::Pelvis).translation_m().z;
            let mut planted = watched.soles();
            let mut pelvis_before: Option<Moving> = None;
            let mut done = 0;
            while matches!(watched.phase(id), Phase::Running { .. }) {
                watched.step();
                let walking = watched.state().walking.clone();
                if walking.steps_done > done {
                    planted[steps[done].side.index()] = steps[done].world_from_sole;
                    done = walking.steps_done;
                }
                for side in Side::BOTH {
                    if walking.swinging != Some(side) && watched.state().feet[side.index()].contact {
                        assert_near(&watched.soles()[side.index()], &planted[side.index()]);
                    }
                }
                let pelvis = watched.world_from(BodyFrame::Pelvis);
                assert!(
                    (pelvis.translation_m().z - height_m).abs() < 0.1,
                    "{} {name}: {}",
                    robot.name,
                    pelvis.translation_m().z - height_m
                );
                pelvis_before = Some(smooth(pelvis, pelvis_before));
            }
            assert_eq!(watched.phase(id), Phase::Done, "{} {name}", robot.name);
            let duration_s = watched.state().time_ns as f64 * 1e-9;
            assert!((11.8 - 0.1..14.0).contains(&duration_s), "{} {name}: {duration_s} s", robot.name);
            for side in Side::BOTH {
                let last = steps.iter().rev().find(|step| step.side == side).unwrap();
                assert_near(&watched.soles()[side.index()], &last.world_from_sole);
            }
            assert_eq!(watched.state().mode, Mode::Standing);
        }
    }
}

/// The pelvis, and its velocity.
type Moving = (Pose, Option<Vector3<f64>>);

#[track_caller]
fn smooth(now: Pose, before: Option<Moving>) -> Moving {
    let Some((last, last_velocity)) = before else { return (now, None) };
    let velocity = (now.translation_m() - last.translation_m()) / DT_S;
    if let Some(last_velocity) = last_velocity {
        let jump = (velocity - last_velocity).amax();
        assert!(jump < 0.06, "the pelvis jumps by {jump} m/s");
    }
    (now, Some(velocity))
}
