//! What it takes a controller until a walk is begun or refused.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use geometry::Pose;
use robot::control::{Controller, rehearse};
use robot::interface::{Command, CommandId, Footstep, Order, Phase, Queueing};
use robot::{BodyFrame, BodyPoses, Robot, Side};

use crate::{best, short};

const ROUNDS: usize = 30;
const STEP_NS: i64 = 2_000_000;
const TARGET_US: f64 = 1_000.0;

struct Standing {
    robot: Arc<Robot>,
    positions: Vec<f64>,
    world_from_base: Pose,
    must_balance: bool,
}

pub fn run() {
    println!("| walk | gone through, all of it | the longest control step of it | control steps | target of each |");
    println!("|---|---|---|---|---|");
    for must_balance in [false, true] {
        let standing = Standing::new(must_balance);
        standing.row("ten footsteps", &standing.walk(10, 0.0, 0.25));
        standing.row("forty footsteps", &standing.walk(40, 0.0, 0.25));
        standing.row("up stairs of 17 cm by 28 cm", &standing.walk(10, 0.17, 0.28));
        standing.row("down them", &standing.walk(10, -0.17, 0.28));
        for at in [0, 5] {
            standing.row(&format!("up steeper stairs, refused at step {}", at + 2), &standing.too_steep(at));
        }
    }
}

impl Standing {
    fn new(must_balance: bool) -> Standing {
        let robot = Arc::new(Robot::builtin("coact-one").expect("our own"));
        let positions = robot.configuration("home").expect("a preset");
        let mut poses = BodyPoses::new(robot.clone());
        poses.place(&positions, &Pose::identity());
        let world_from_base = poses.world_from(BodyFrame::Walking).inverse();
        Standing { robot, positions, world_from_base, must_balance }
    }

    /// A foot on each tread, both on the ninth and last of stairs.
    fn walk(&self, count: usize, rise_m: f64, tread_m: f64) -> Vec<Footstep> {
        let (width_m, swing_height_m) = (self.robot.walking.stance_width_m, self.robot.walking.swing_height_m);
        let step = |index: usize| {
            let side = if index.is_multiple_of(2) { Side::Left } else { Side::Right };
            let aside_m = if side == Side::Left { 0.5 * width_m } else { -0.5 * width_m };
            let treads = (index + 1).min(count - 1) as f64;
            let world_from_sole = Pose::from_translation(tread_m * treads, aside_m, rise_m * treads);
            Footstep { side, world_from_sole, swing_s: 0.9, transfer_s: 0.4, swing_height_m }
        };
        (0..count).map(step).collect()
    }

    /// Within what the robot says of its steps, but not of its legs.
    fn too_steep(&self, at: usize) -> Vec<Footstep> {
        let mut steps = self.walk(10, 0.17, 0.28);
        steps.pop();
        let more = [self.robot.walking.max_forward_m - 0.28, self.robot.walking.max_step_up_m - 0.17];
        for (index, step) in steps[at..].iter_mut().enumerate() {
            let [forward_m, up_m] = more.map(|more_m| more_m * (index + 1) as f64);
            step.world_from_sole = Pose::from_translation(forward_m, 0.0, up_m) * step.world_from_sole;
        }
        steps
    }

    fn row(&self, what: &str, steps: &[Footstep]) {
        let whole_us = best(ROUNDS, || {
            let begin = Instant::now();
            let answer =
                rehearse(&self.robot, &self.positions, &self.world_from_base, black_box(steps), self.must_balance);
            black_box(answer.is_ok());
            begin.elapsed().as_nanos() as f64 / 1e3
        });
        let mut control_steps = 0;
        let longest_us = best(ROUNDS, || {
            let (longest_us, count) = self.take_up(steps);
            control_steps = count;
            longest_us
        });
        let missed = if longest_us > TARGET_US { " (missed)" } else { "" };
        let balance = if self.must_balance { ", in balance" } else { "" };
        println!(
            "| {what}{balance} | {} µs | {} µs | {control_steps} | ≤ {TARGET_US} µs{missed} |",
            short(whole_us),
            short(longest_us)
        );
    }

    /// The longest control step until it is begun or refused, the command with the first; and how many there were.
    fn take_up(&self, steps: &[Footstep]) -> (f64, usize) {
        let mut controller = Controller::new(self.robot.clone(), &self.positions, &self.world_from_base);
        if self.must_balance {
            controller.must_balance();
        }
        let order = Order::Footsteps { steps: steps.to_vec() };
        let command = Command { id: CommandId(1), queueing: Queueing::Override, order };
        let (mut longest_us, mut count) = (0.0_f64, 0);
        loop {
            let begin = Instant::now();
            if count == 0 {
                black_box(controller.command(&command).is_ok());
            }
            controller.step(STEP_NS);
            longest_us = longest_us.max(begin.elapsed().as_nanos() as f64 / 1e3);
            count += 1;
            let waits = |phase: &Phase| matches!(phase, Phase::Running { progress } if *progress == 0.0);
            if !controller.statuses().iter().any(|status| waits(&status.phase)) {
                return (longest_us, count);
            }
        }
    }
}
