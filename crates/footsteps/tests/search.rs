//! What holds for every plan of the search, on random ground of several kinds and among random obstacles.

use crate::common;

use std::sync::Arc;

use common::{assert_good, at, flat, planned, small};
use footsteps::terrain::{HeightMap, Region, Terrain};
use footsteps::{Goal, Obstacle, Obstacles, Parameters, Planar, Planner, Problem, foothold_at, stance_feet};
use geometry::{Pose, RollPitchYaw, Vector3};
use model::Random;
use robot::WalkingLimits;

fn below(random: &mut Random, end: usize) -> usize {
    random.between(0.0, end as f64) as usize
}

/// Pieces of ground and boxes on it, as they are mirrored.
#[derive(Default)]
struct Scene {
    floor_m: Option<f64>,
    /// Pose, length, width.
    plates: Vec<(Pose, f64, f64)>,
    /// Rows of heights from y −1.5 m on, each from x −1 m on, every 0.1 m.
    heights_m: Vec<Vec<f64>>,
    boxes: Vec<(Pose, [f64; 3])>,
}

impl Scene {
    fn terrain(&self) -> Terrain {
        let plate = |(pose, length_m, width_m): &(Pose, f64, f64)| {
            let (x, y) = (length_m / 2.0, width_m / 2.0);
            Region::new("plate", pose, &[[-x, -y], [x, -y], [x, y], [-x, y]]).expect("a plate lies")
        };
        let columns = self.heights_m.first().map_or(0, Vec::len);
        let map = (columns > 0)
            .then(|| HeightMap::new([-1.0, -1.5], 0.1, columns, self.heights_m.concat()).expect("rows of one length"));
        Terrain::new(self.floor_m, self.plates.iter().map(plate).collect(), map)
    }

    fn obstacles(&self) -> Obstacles {
        let cuboid = |(pose, size_m): &(Pose, [f64; 3])| Obstacle::cuboid("box", pose, *size_m).expect("a box");
        Obstacles::new(self.boxes.iter().map(cuboid).collect(), Vec::new())
    }

    fn mirrored(&self) -> Scene {
        Scene {
            floor_m: self.floor_m,
            plates: self.plates.iter().map(|(pose, x, y)| (pose.mirrored(), *x, *y)).collect(),
            heights_m: self.heights_m.iter().rev().cloned().collect(),
            boxes: self.boxes.iter().map(|(pose, size_m)| (pose.mirrored(), *size_m)).collect(),
        }
    }

    fn problem(&self, limits: &WalkingLimits, goal: &Planar, set: &str) -> Option<Problem> {
        let mut problem = flat(limits, Goal::at(goal));
        problem.terrain = Some(Arc::new(self.terrain()));
        problem.obstacles = Arc::new(self.obstacles());
        problem.parameters = Parameters::built_in(set).expect("a set of ours");
        problem.parameters.search.max_expansions = 150;
        let [left, right] = stance_feet(limits, &at(0.0, 0.0, 0.0)).map(|foot| foothold_at(&problem, &foot).ok());
        problem.start = [left?.pose(), right?.pose()];
        Some(problem)
    }
}

/// Blocks from 0.6 m to 2.2 m, as high as `up_m` times 0, 1 or 2, some of them tilted.
fn blocks(random: &mut Random, up_m: f64) -> Vec<(Pose, f64, f64)> {
    let mut plates = Vec::new();
    for index in 0..24 {
        let at_m = [0.8 + 0.4 * f64::from(index % 4), 0.4 * f64::from(index / 4) - 1.0];
        let z_m = up_m * below(random, 3) as f64;
        let mut tilt_rad = || [0.0, 0.0, 0.15, -0.15][below(random, 4)];
        let turn = RollPitchYaw::new(tilt_rad(), tilt_rad(), 0.0);
        plates.push((Pose::from_rpy(Vector3::new(at_m[0], at_m[1], z_m), turn), 0.39, 0.39));
    }
    plates
}

fn landings() -> [(Pose, f64, f64); 2] {
    [0.0, 2.8].map(|x_m| (Pose::from_translation(x_m, 0.0, 0.0), 1.2, 2.4))
}

fn boxes(random: &mut Random, count: usize) -> Vec<(Pose, [f64; 3])> {
    let mut one = |_| {
        let place = at(random.between(0.8, 2.0), random.between(-1.0, 1.0), random.between(0.0, 90.0));
        (place.level(0.4), [random.between(0.1, 0.3), random.between(0.1, 0.4), 0.8])
    };
    (0..count).map(&mut one).collect()
}

/// Waves and steps of less than what a sole may tilt.
fn waves(random: &mut Random) -> Vec<Vec<f64>> {
    let (x_rad, y_rad) = (random.between(0.0, 6.0), random.between(0.0, 6.0));
    let (rise, high_m) = (random.between(-0.06, 0.06), random.between(0.0, 0.03));
    let height_m = |row: i32, column: i32| {
        let (x_m, y_m) = (0.1 * f64::from(column), 0.1 * f64::from(row) - 1.45);
        rise * x_m + high_m * (wave(2.0 * x_m + x_rad) + wave(2.0 * y_m + y_rad))
    };
    (0..30).map(|row| (0..50).map(|column| height_m(row, column)).collect()).collect()
}

/// Bhaskara's sine: near enough for hills.
fn wave(angle_rad: f64) -> f64 {
    let turn = angle_rad.rem_euclid(std::f64::consts::TAU);
    let (half, sign) = if turn > std::f64::consts::PI { (turn - std::f64::consts::PI, -1.0) } else { (turn, 1.0) };
    let product = half * (std::f64::consts::PI - half);
    sign * 16.0 * product / (5.0 * std::f64::consts::PI * std::f64::consts::PI - 4.0 * product)
}

fn goal(random: &mut Random) -> Planar {
    at(random.between(2.6, 2.9), random.between(-0.4, 0.4), random.between(-60.0, 60.0))
}

#[track_caller]
fn assert_mirrored(problem: &Problem, other: &Problem) {
    let plans = [problem, other].map(|problem| planned(problem, Planner::AStar));
    let [Ok(one), Ok(other)] = &plans else {
        return assert!(plans.iter().all(Result::is_err), "only one of two mirrored problems has a plan");
    };
    assert_eq!(one.steps.len(), other.steps.len());
    for (one, other) in one.steps.iter().zip(&other.steps) {
        assert_eq!(one.side, other.side.other());
        let apart = one.world_from_sole.distance(&other.world_from_sole.mirrored());
        assert!(apart.position_m < 1e-6 && apart.angle_rad < 1e-6, "{apart:?}");
    }
}

/// Most of these have a plan, and every plan is good, the same again and mirrored where the ground is.
#[track_caller]
fn check(kind: &str, set: &str, count: u64, make: impl Fn(&mut Random) -> Scene) {
    let mut found = 0;
    for seed in 0..count {
        let mut random = Random::new(seed);
        let scene = make(&mut random);
        let limits = if seed % 4 == 3 { small() } else { WalkingLimits::default() };
        let goal = goal(&mut random);
        let Some(problem) = scene.problem(&limits, &goal, set) else { continue };
        match planned(&problem, Planner::AStar) {
            Ok(plan) => {
                found += 1;
                assert_good(&problem, &plan);
                let again = planned(&problem, Planner::AStar).expect("as before");
                assert_eq!(again.steps, plan.steps, "{kind} {seed}");
            }
            Err(failure) => assert!(failure.to_string().len() > 10, "{kind} {seed}"),
        }
        let mirrored = scene.mirrored().problem(&limits, &goal.mirrored(), set).expect("as possible as the other");
        assert_mirrored(&problem, &mirrored);
    }
    assert!(found * 2 > count, "{kind}: {found} of {count}");
}

#[test]
fn over_blocks_on_a_floor() {
    check("blocks", "rough", 16, |random| Scene {
        floor_m: Some(0.0),
        plates: blocks(random, 0.05),
        ..Scene::default()
    });
}

#[test]
fn over_blocks_with_nothing_between_them() {
    check("stones", "rough", 16, |random| {
        let plates = blocks(random, 0.04).into_iter().chain(landings()).collect();
        Scene { plates, ..Scene::default() }
    });
}

#[test]
fn over_hills_of_a_height_map() {
    check("hills", "rough", 16, |random| Scene { heights_m: waves(random), ..Scene::default() });
}

#[test]
fn among_boxes() {
    check("boxes", "flat", 16, |random| {
        let count = 1 + below(random, 3);
        Scene { floor_m: Some(0.0), boxes: boxes(random, count), ..Scene::default() }
    });
}

#[test]
fn over_blocks_among_boxes() {
    check("both", "rough", 12, |random| {
        let plates = blocks(random, 0.03);
        Scene { floor_m: Some(0.0), plates, boxes: boxes(random, 1), ..Scene::default() }
    });
}
