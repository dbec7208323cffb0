//! Rough ground for the footstep benchmarks: a field of cinder blocks between two landings, with nothing beside it and
//! nothing between the blocks, so that every step must find a block.

use std::sync::Arc;

use footsteps::terrain::{Region, Terrain};
use footsteps::{Goal, Parameters, Planar, Problem, foothold_at, stance_feet};
use geometry::{Pose, RollPitchYaw, Vector3};
use model::Random;
use robot::WalkingLimits;

/// Pitch of the blocks, and how much of it each covers.
const PITCH_M: f64 = 0.4;
const SIDE_M: f64 = 0.39;
const COLUMNS: usize = 8;
const ROWS: usize = 6;
/// Where the field begins.
const FROM_M: f64 = 0.5;
const TILT_DEG: f64 = 15.0;

/// Seed of the blocks; where it starts and ends across the field, and how it is turned in the end.
const PROBLEMS: [(u64, f64, f64, f64); 5] =
    [(1, 0.0, 0.0, 0.0), (2, -0.5, 0.5, 0.0), (3, 0.6, -0.4, 45.0), (4, 0.2, 0.2, 180.0), (5, -0.6, -0.6, -90.0)];

fn rectangle(name: &str, pose: &Pose, length_m: f64, width_m: f64) -> Region {
    let (x, y) = (length_m / 2.0, width_m / 2.0);
    Region::new(name, pose, &[[-x, -y], [x, -y], [x, y], [-x, y]]).expect("it lies flat enough")
}

/// On one to three levels, level or tilted to one of four sides.
fn field(seed: u64) -> Terrain {
    let mut random = Random::new(seed);
    let length_m = COLUMNS as f64 * PITCH_M;
    let mut regions = Vec::new();
    for (name, middle_m) in [("first landing", FROM_M - 0.75), ("last landing", FROM_M + length_m + 0.75)] {
        regions.push(rectangle(name, &Pose::from_translation(middle_m, 0.0, 0.0), 1.5, 3.0));
    }
    for index in 0..COLUMNS * ROWS {
        let (column, row) = ((index % COLUMNS) as f64 + 0.5, (index / COLUMNS) as f64 + 0.5 - ROWS as f64 / 2.0);
        let z_m = 0.09 * random.below(3) as f64;
        let tilt_rad = TILT_DEG.to_radians();
        let [roll, pitch] = match random.below(6) {
            0 => [tilt_rad, 0.0],
            1 => [-tilt_rad, 0.0],
            2 => [0.0, tilt_rad],
            3 => [0.0, -tilt_rad],
            _ => [0.0, 0.0],
        };
        let at_m = Vector3::new(FROM_M + column * PITCH_M, row * PITCH_M, z_m);
        let pose = Pose::from_rpy(at_m, RollPitchYaw::new(roll, pitch, 0.0));
        regions.push(rectangle(&format!("block {index}"), &pose, SIDE_M, SIDE_M));
    }
    Terrain::new(None, regions, None)
}

pub fn problems() -> Vec<Problem> {
    let problem = |(seed, from_m, to_m, yaw_deg): &(u64, f64, f64, f64)| {
        let limits = WalkingLimits::default();
        let feet = stance_feet(&limits, &Planar::new(0.0, *from_m, 0.0));
        let x_m = FROM_M + COLUMNS as f64 * PITCH_M + 0.5;
        let goal = Goal::at(&Planar::new(x_m, *to_m, yaw_deg.to_radians()));
        let mut problem = Problem::new(limits, feet.map(|foot| foot.level(0.0)), goal);
        problem.terrain = Some(Arc::new(field(*seed)));
        problem.parameters = Parameters::built_in("rough").expect("a set of ours");
        problem.start = feet.map(|foot| foothold_at(&problem, &foot).expect("level ground").pose());
        problem
    };
    PROBLEMS.iter().map(problem).collect()
}
