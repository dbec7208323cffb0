//! What kinematics, inverse kinematics and collisions of the default robot cost, and how much they solve.

#[path = "../../robot/tests/common/hand_paths.rs"]
pub mod hand_paths;
#[path = "../../robot/tests/common/through_controller.rs"]
pub mod through_controller;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use geometry::{Pose, Vector3};
use hand_paths::{HandPath, by_joints, configuration, largest_step, shares, straight};
use robot::control::Controller;
use robot::interface::{Command, CommandId, Footstep, Order, Queueing, Reach};
use robot::{
    BodyFrame, BodyPoses, Chain, CollisionModel, Description, Geometry, IkSettings, IkSolver, LinkPoses, Model,
    Obstacle, PathSettings, PathSolver, Robot, Side,
};

use crate::{best, pinocchio, short};

const CHAINS: [(&str, [&str; 2]); 2] =
    [("arm, 7 joints", ["chest", "left_palm"]), ("arm and spine, 10 joints", ["pelvis", "left_palm"])];
const TARGETS: usize = 1_000;
const PATHS: usize = 1_000;
const LINES: usize = 500;
const CONTROLLED_PATHS: usize = 100;
const ROUNDS: usize = 20;
const LARGEST_STEP_RAD: f64 = 0.2;

/// Of every target the best of several rounds, then over all targets.
pub struct Timed {
    pub solved: usize,
    pub count: usize,
    pub median_us: f64,
    pub p99_us: f64,
}

struct Bench {
    root: PathBuf,
    description: Description,
    model: Model,
    /// Random, within the limits.
    configurations: Vec<Vec<f64>>,
}

pub fn run(with_pinocchio: bool) {
    let bench = Bench::new();
    println!(
        "Robot `coact-one`: {} links, {} coordinates.\n",
        bench.model.link_count(),
        bench.model.coordinates().len()
    );
    println!("| what | ours | target |");
    println!("|---|---|---|");
    bench.kinematics();
    bench.collisions();
    Bench::rehearsal();
    println!();
    bench.inverse_kinematics(with_pinocchio);
    println!();
    bench.paths();
    println!();
    controlled_paths();
}

/// What comes out of the controller for paths that joints can follow.
fn controlled_paths() {
    println!(
        "Continuous paths through the controller: {CONTROLLED_PATHS} possible paths in a frame that stands still.\n"
    );
    println!("| what | steps of 1 cm or 2° | without a jump | largest joint step | refused | arrived |");
    println!("|---|---|---|---|---|---|");
    let robot = Arc::new(Robot::builtin("coact-one").expect("our own"));
    for (name, reach) in [("arm", Reach::Arm), ("arm and spine", Reach::ArmAndSpine)] {
        let chain = through_controller::chain(&robot, reach);
        let mut share = shares(2);
        let (mut steps, mut jumps, mut refused, mut arrived, mut largest_rad) = (0, 0, 0, 0, 0.0_f64);
        for _ in 0..CONTROLLED_PATHS {
            let (from, to) = (configuration(&chain, &mut share), configuration(&chain, &mut share));
            let followed = through_controller::follow(&robot, reach, &chain, &by_joints(&chain, &from, &to));
            (steps, jumps) = (steps + followed.steps, jumps + followed.jumps);
            refused += usize::from(followed.off.is_none());
            arrived += usize::from(followed.arrived());
            largest_rad = largest_rad.max(followed.largest_rad);
        }
        let share = 100.0 * (steps - jumps) as f64 / steps as f64;
        println!("| {name} | {steps} | {share:.3} % | {largest_rad:.2} rad | {refused} | {arrived} |");
    }
    println!("| target | | ≥ 99.9 % | ≤ 0.2 rad | 0 | all |");
}

fn row(what: &str, ours_ns: f64, target_us: Option<f64>) {
    let target = target_us.map_or(String::new(), |target_us| {
        format!("≤ {target_us} µs{}", if ours_ns > target_us * 1e3 { " (missed)" } else { "" })
    });
    println!("| {what} | {} µs | {target} |", short(ours_ns / 1e3));
}

impl Bench {
    fn new() -> Bench {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = root.join("robots/coact-one");
        let text = std::fs::read_to_string(folder.join("robot.urdf")).expect("the default robot is in the repository");
        let (description, _) = Description::from_urdf(&text, &folder).expect("the default robot is one");
        let model = Model::new(&description);
        let mut share = shares(1);
        let any = |_| {
            let limits = model.coordinates().iter().map(|coordinate| coordinate.limits);
            limits.map(|limits| limits.lower + share() * (limits.upper - limits.lower)).collect()
        };
        let configurations = (0..TARGETS).map(any).collect();
        Bench { root, description, model, configurations }
    }

    fn link(&self, name: &str) -> usize {
        self.model.link(name).expect("a link of the default robot")
    }

    fn chain(&self, [base, tip]: [&str; 2]) -> Chain {
        Chain::new(&self.model, self.link(base), self.link(tip)).expect("a chain of the default robot")
    }

    fn poses(&self, positions: &[f64]) -> LinkPoses {
        let mut poses = self.model.new_poses();
        self.model.forward(positions, &mut poses);
        poses
    }

    fn kinematics(&self) {
        let (model, mut poses) = (&self.model, self.model.new_poses());
        let each = |call: &mut dyn FnMut(&[f64])| {
            best(100, || {
                let begin = Instant::now();
                self.configurations.iter().for_each(|positions| call(black_box(positions)));
                begin.elapsed().as_nanos() as f64 / self.configurations.len() as f64
            })
        };
        let forward_ns = each(&mut |positions| {
            model.forward(positions, &mut poses);
            black_box(&poses);
        });
        row("forward kinematics of the whole body", forward_ns, Some(1.5));
        let (palm, mut jacobian) = (self.link("left_palm"), model.new_jacobian());
        let jacobian_ns = each(&mut |_| {
            model.jacobian(black_box(&poses), palm, &mut jacobian);
            black_box(&jacobian);
        });
        row("Jacobian of a palm, poses known", jacobian_ns, None);
        let centre_ns = each(&mut |_| {
            black_box(model.centre_of_mass_m(black_box(&poses)));
        });
        row("centre of mass, poses known", centre_ns, None);
        let (down, mut efforts) = (Vector3::new(0.0, 0.0, -9.81), model.neutral());
        let gravity_ns = each(&mut |_| {
            model.gravity_efforts(black_box(&poses), &down, &mut efforts);
            black_box(&efforts);
        });
        row("gravity efforts, poses known", gravity_ns, None);
    }

    fn collisions(&self) {
        let (collisions, _) = CollisionModel::new(&self.description, &self.model);
        let rest = vec![self.poses(&self.model.neutral()); 200];
        let random: Vec<LinkPoses> = self.configurations[..200].iter().map(|positions| self.poses(positions)).collect();
        let each = |set: &[LinkPoses], call: &dyn Fn(&LinkPoses)| {
            best(30, || {
                let begin = Instant::now();
                set.iter().for_each(|poses| call(black_box(poses)));
                begin.elapsed().as_nanos() as f64 / set.len() as f64
            })
        };
        let contacts = |poses: &LinkPoses| {
            black_box(collisions.self_collisions(poses));
        };
        let touching = random.iter().filter(|poses| collisions.is_self_colliding(poses)).count();
        row("self-collision of the whole body, at rest", each(&rest, &contacts), Some(50.0));
        row(&format!("the same, random, {touching} of 200 colliding, with depths"), each(&random, &contacts), None);
        let distance = |poses: &LinkPoses| {
            black_box(collisions.self_distance(poses, 0.1));
        };
        row("nearest two links within 10 cm, at rest", each(&rest, &distance), None);
        let size_m = Vector3::new(0.6, 1.2, 0.05);
        let table = Obstacle::new("table", &Geometry::Box { size_m }, &Pose::from_translation(0.7, 0.0, 0.8));
        let table = table.expect("a box is convex");
        let standing = Pose::from_translation(0.0, 0.0, 0.9);
        let obstacle = |poses: &LinkPoses| {
            black_box(collisions.distance_to(poses, &standing, &table, 0.5));
        };
        row("nearest link to a table within 50 cm, at rest", each(&rest, &obstacle), None);
    }

    /// What it takes before a walk is taken or refused.
    fn rehearsal() {
        let robot = Arc::new(Robot::builtin("coact-one").expect("our own"));
        let positions = robot.configuration("home").expect("a preset");
        let (width_m, height_m) = (robot.walking.stance_width_m, robot.walking.swing_height_m);
        let mut poses = BodyPoses::new(robot.clone());
        poses.place(&positions, &Pose::identity());
        let world_from_base = poses.world_from(BodyFrame::Walking).inverse();
        let walk = |rise_m: f64, tread_m: f64| -> Vec<Footstep> {
            let step = |index: usize| {
                let side = if index.is_multiple_of(2) { Side::Left } else { Side::Right };
                let aside_m = if side == Side::Left { 0.5 * width_m } else { -0.5 * width_m };
                let treads = (index + 1).min(9) as f64;
                Footstep {
                    side,
                    world_from_sole: Pose::from_translation(tread_m * treads, aside_m, rise_m * treads),
                    swing_s: 0.9,
                    transfer_s: 0.4,
                    swing_height_m: height_m,
                }
            };
            (0..10).map(step).collect()
        };
        let measure = |what: &str, steps: &[Footstep], taken: bool| {
            let rehearsal_ns = best(30, || {
                let begin = Instant::now();
                let answer = robot::control::rehearse(&robot, &positions, &world_from_base, black_box(steps), false);
                let passed_ns = begin.elapsed().as_nanos() as f64;
                assert_eq!(answer.is_ok(), taken, "{what}: {answer:?}");
                passed_ns
            });
            row(what, rehearsal_ns, Some(3_000.0));
        };
        measure("rehearsal of a walk of ten footsteps", &walk(0.0, 0.25), true);
        measure("the same, up stairs of 17 cm by 28 cm", &walk(0.17, 0.28), true);
        measure("the same, down them", &walk(-0.17, 0.28), true);
        let taken_up_ns = best(30, || {
            let mut controller = Controller::new(robot.clone(), &positions, &world_from_base);
            let steps = walk(0.17, 0.28);
            controller.walking().standing.go_through(&steps);
            let order = Order::Footsteps { steps };
            let command = Command { id: CommandId(1), queueing: Queueing::Override, order };
            let begin = Instant::now();
            let taken = black_box(controller.command(&command));
            controller.step(2_000_000);
            let passed_ns = begin.elapsed().as_nanos() as f64;
            assert_eq!(taken, Ok(()));
            passed_ns
        });
        row("control step that takes up the stairs, gone through before", taken_up_ns, Some(1_000.0));
        for at in [0, 5] {
            // Within what the robot says of its steps, but not of its legs.
            let mut steps = walk(0.17, 0.28);
            steps.pop();
            let more = [robot.walking.max_forward_m - 0.28, robot.walking.max_step_up_m - 0.17];
            for (index, step) in steps[at..].iter_mut().enumerate() {
                let [forward_m, up_m] = more.map(|more_m| more_m * (index + 1) as f64);
                step.world_from_sole = Pose::from_translation(forward_m, 0.0, up_m) * step.world_from_sole;
            }
            measure(&format!("a walk up steeper stairs, refused at step {}", at + 2), &steps, false);
        }
    }

    fn inverse_kinematics(&self, with_pinocchio: bool) {
        println!(
            "Inverse kinematics to 0.1 mm and 1 mrad: {TARGETS} random reachable poses of a palm, from neutral.\n"
        );
        println!("| what | solved | median | 99 of 100 | largest error |");
        println!("|---|---|---|---|---|");
        for (name, links) in CHAINS {
            let chain = self.chain(links);
            let targets: Vec<Pose> =
                self.configurations.iter().map(|positions| chain.base_from_tip(&chain.pick(positions))).collect();
            let (timed, largest_quality) = self.solve_all(&chain, &targets);
            timed_row(&format!("ours, {name}"), &timed, &format!("{} of the tolerance", short(largest_quality)));
            if with_pinocchio {
                match pinocchio::measure(&self.root, links, &targets, ROUNDS) {
                    Ok(timed) => timed_row(&format!("Pinocchio 4.1 in C++, {name}"), &timed, ""),
                    Err(reason) => println!("| Pinocchio, {name}: {reason} | | | | |"),
                }
            }
        }
        println!("| target, arm | ≥ 99.9 % | ≤ 10 µs | ≤ 300 µs | |");
        println!(
            "| reference: least squares with active-set limits, arms of Talos and G1 | 100 % | 7.5–9 µs | 150–300 µs | |"
        );
        println!("| reference: Pinocchio with 20 restarts, the same | 99.2–99.9 % | 15–23 µs | 1500–3100 µs | |");
    }

    fn solve_all(&self, chain: &Chain, targets: &[Pose]) -> (Timed, f64) {
        let mut solver = IkSolver::new(chain.clone(), IkSettings::default());
        let neutral = chain.pick(&self.model.neutral());
        let mut best_us = vec![f64::INFINITY; targets.len()];
        let (mut solved, mut largest_quality) = (0, 0.0_f64);
        for round in 0..ROUNDS {
            for (target, best_us) in targets.iter().zip(&mut best_us) {
                let mut positions = neutral.clone();
                let begin = Instant::now();
                let result = solver.solve(black_box(target), &mut positions);
                *best_us = best_us.min(begin.elapsed().as_nanos() as f64 / 1e3);
                if round == 0 {
                    solved += usize::from(result.is_solved());
                    largest_quality = largest_quality.max(result.quality);
                }
            }
        }
        best_us.sort_by(f64::total_cmp);
        let count = targets.len();
        (Timed { solved, count, median_us: best_us[count / 2], p99_us: best_us[count * 99 / 100] }, largest_quality)
    }

    fn paths(&self) {
        println!(
            "Along paths of a palm, a pose every 1 cm or 2° at most, no joint further than 0.2 rad a step; as the"
        );
        println!(
            "controller does it: known as a whole while the frame of the path stands still, pose by pose while it moves.\n"
        );
        println!("| what | steps | solved | jumps | largest joint step | a step |");
        println!("|---|---|---|---|---|---|");
        for (name, links) in CHAINS {
            let chain = self.chain(links);
            let mut share = shares(2);
            let mut two = || (configuration(&chain, &mut share), configuration(&chain, &mut share));
            let possible: Vec<HandPath> = (0..PATHS)
                .map(|_| {
                    let (from, to) = two();
                    by_joints(&chain, &from, &to)
                })
                .collect();
            walk(&format!("{name}: {PATHS} possible paths, known as a whole"), &chain, &possible, true);
            walk(&format!("{name}: the same, pose by pose"), &chain, &possible, false);
            let mut lines = Vec::new();
            while lines.len() < LINES {
                let (from, to) = two();
                lines.extend(reachable_line(&chain, &from, &to));
            }
            walk(&format!("{name}: {LINES} straight lines, known as a whole"), &chain, &lines, true);
            walk(&format!("{name}: the same, pose by pose"), &chain, &lines, false);
        }
        println!("| target | | ≥ 99.9 % | 0 | ≤ 0.2 rad | |");
    }
}

/// None: some pose of it cannot be reached by any motion.
fn reachable_line(chain: &Chain, from: &[f64], to: &[f64]) -> Option<HandPath> {
    let path = straight(chain, from, to, (0.3, 30_f64.to_radians()));
    let mut solver = IkSolver::new(chain.clone(), IkSettings::default());
    let mut positions = from.to_vec();
    path.base_from_hand.iter().all(|pose| solver.solve(pose, &mut positions).is_solved()).then_some(path)
}

fn walk(what: &str, chain: &Chain, paths: &[HandPath], as_a_whole: bool) {
    let mut solver = PathSolver::new(chain.clone(), PathSettings::default());
    let (mut steps, mut solved, mut jumps, mut largest_rad, mut spent_us) = (0, 0, 0, 0.0_f64, 0.0);
    for path in paths {
        let begin = Instant::now();
        let (configurations, results) = if as_a_whole {
            let solved = solver.solve(&path.base_from_hand, &path.start);
            (solved.configurations, solved.results)
        } else {
            let mut positions = path.start.clone();
            let step = |pose| {
                let result = solver.step(pose, &mut positions);
                (positions.clone(), result)
            };
            path.base_from_hand.iter().map(step).unzip()
        };
        spent_us += begin.elapsed().as_nanos() as f64 / 1e3;
        steps += results.len();
        solved += results.iter().filter(|result| result.is_solved()).count();
        let mut last = &path.start;
        for next in &configurations {
            let step_rad = largest_step(last, std::slice::from_ref(next));
            jumps += usize::from(step_rad > LARGEST_STEP_RAD + 1e-9);
            largest_rad = largest_rad.max(step_rad);
            last = next;
        }
    }
    let share = 100.0 * solved as f64 / steps as f64;
    println!(
        "| {what} | {steps} | {share:.3} % | {jumps} | {largest_rad:.2} rad | {} µs |",
        short(spent_us / steps as f64)
    );
}

fn timed_row(what: &str, timed: &Timed, note: &str) {
    let share = 100.0 * timed.solved as f64 / timed.count as f64;
    println!("| {what} | {share:.1} % | {} µs | {} µs | {note} |", short(timed.median_us), short(timed.p99_us));
}
