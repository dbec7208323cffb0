//! Goals anywhere on flat ground: every walk that is planned is taken, and every walk that is taken arrives.

use robot::interface::{Command, CommandId, Footstep, Order, Phase, Queueing};
use robot::{BodyFrame, Robot, Side};
use testkit::Stage;

use crate::kit::*;

struct Random(u64);

impl Random {
    fn between(&mut self, lower: f64, upper: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        lower + (upper - lower) * ((self.0 >> 33) as f64 / f64::from(1_u32 << 31))
    }
}

/// Up to 2 m away, faced anywhere.
fn walks_to_goals_arrive(name: &str, seed: u64, count: usize) {
    let mut random = Random(seed);
    for goal in 0..count {
        let (x_m, y_m) = (random.between(-2.0, 2.0), random.between(-2.0, 2.0));
        let yaw_rad = random.between(-3.1, 3.1);
        let (focal_x_m, focal_y_m) = (x_m + 3.0 * libm::cos(yaw_rad), y_m + 3.0 * libm::sin(yaw_rad));
        let outline = format!(
            r#"walk Go frame=world stance={{"x_m":{x_m},"y_m":{y_m}}} focal={{"x_m":{focal_x_m},"y_m":{focal_y_m}}}"#
        );
        let mut stage = Stage::new(name, &outline, "end 200");
        stage.run();
        let end = end_of(&stage, "Go");
        assert!(end.contains("- Go success"), "{name}, goal {goal} at {x_m:.3} {y_m:.3} {yaw_rad:.3}: {end}");
    }
}

#[test]
fn walks_arrive() {
    on_every_robot(|name, _| walks_to_goals_arrive(name, 3, 60));
}

/// Feet that alternate, each anywhere within the limits of a step, and a bit beyond.
fn any_steps(robot: &Robot, random: &mut Random, mut soles: [geometry::Pose; 2]) -> Vec<Footstep> {
    let limits = &robot.walking;
    let mut side = if random.between(0.0, 1.0) < 0.5 { Side::Left } else { Side::Right };
    let mut steps = Vec::new();
    for _ in 0..3 {
        let outward = if side == Side::Left { 1.0 } else { -1.0 };
        let x_m = random.between(-limits.max_backward_m, 1.02 * limits.max_forward_m);
        let width_m = random.between(limits.min_width_m, limits.max_width_m);
        let out_rad = random.between(-limits.max_turn_in_deg, limits.max_turn_out_deg).to_radians();
        let step = geometry::Pose::from_rpy(
            geometry::Vector3::new(x_m, outward * width_m, 0.0),
            geometry::RollPitchYaw::new(0.0, 0.0, outward * out_rad),
        );
        let world_from_sole = soles[side.other().index()] * step;
        soles[side.index()] = world_from_sole;
        let swing_height_m = limits.swing_height_m;
        steps.push(Footstep { side, world_from_sole, swing_s: 0.8, transfer_s: 0.3, swing_height_m });
        side = side.other();
    }
    steps
}

#[test]
fn any_steps_are_refused_at_once_or_done() {
    on_every_robot(|name, robot| {
        let (mut random, mut taken) = (Random(5), 0);
        for walk in 0..24 {
            let mut stage = Stage::new(name, "wait W", "");
            let before = stage.state().positions.clone();
            let steps = any_steps(robot, &mut random, soles(&stage));
            let id = CommandId(1);
            let order = Order::Footsteps { steps: steps.clone() };
            let command = Command { id, queueing: Queueing::Override, order };
            match stage.driver_mut().command(&command) {
                Err(refusal) => {
                    assert!(refusal.0.contains("footstep "), "{name}: {refusal}");
                    stage.driver_mut().advance(100_000_000);
                    assert_eq!(stage.state().positions, before, "{name}: nothing has moved");
                }
                Ok(()) => {
                    taken += 1;
                    let mut time_ns = 0;
                    while matches!(stage.state().command(id), Some(Phase::Running { .. })) {
                        time_ns += 100_000_000;
                        stage.driver_mut().advance(time_ns);
                        assert!(time_ns < 60_000_000_000, "{name}, walk {walk}: it does not end");
                    }
                    assert_eq!(stage.state().command(id), Some(&Phase::Done), "{name}, walk {walk}: {steps:?}");
                    let mut poses = robot::BodyPoses::new(stage.driver().robot().clone());
                    poses.update(stage.state());
                    for step in &steps[1..] {
                        let sole = poses.world_from(BodyFrame::Sole(step.side));
                        assert_near(&sole, &step.world_from_sole, 1e-3, 0.1);
                    }
                }
            }
        }
        assert!((3..24).contains(&taken), "{name}: {taken} of 24 taken");
    });
}
