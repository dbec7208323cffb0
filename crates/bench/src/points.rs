//! Points of a cloud inside a shape: `./dev bench points`.

use std::hint::black_box;
use std::time::Instant;

use geometry::{Pose, UnitQuaternion, Vector3};
use scene::points::count;
use scene::{Cloud, ColourRange, Shape};

use crate::best;

const WIDTH: u32 = 600;
const HEIGHT: u32 = 500;

pub fn run() {
    println!("Points in a shape, over a cloud of {} points.\n", WIDTH * HEIGHT);
    println!("| shape | points inside | ours | target |");
    println!("|---|---|---|---|");
    let cloud = wall();
    let turned = UnitQuaternion::from_euler_angles(0.3, 0.2, 0.1);
    let placed = Pose::new(Vector3::new(2.0, 0.1, 1.2), turned);
    row(&cloud, "sphere", &Shape::Sphere { radius_m: 0.3 }, &placed, None);
    row(&cloud, "box", &Shape::Box { size_m: [0.6, 0.4, 0.5] }, &placed, None);
    row(&cloud, "capsule", &Shape::Capsule { radius_m: 0.2, length_m: 0.6 }, &placed, None);
    row(&cloud, "cylinder", &Shape::Cylinder { radius_m: 0.2, length_m: 0.6 }, &placed, None);
    let red = ColourRange { hue_from_deg: 340.0, hue_to_deg: 20.0, ..ColourRange::default() };
    row(&cloud, "capsule, red points only", &Shape::Capsule { radius_m: 0.2, length_m: 0.6 }, &placed, Some(&red));
    row(&cloud, "box around all", &Shape::Box { size_m: [20.0; 3] }, &placed, None);
    row(&cloud, "box around all, red points only", &Shape::Box { size_m: [20.0; 3] }, &placed, Some(&red));
}

/// A coloured wall 2 m away with a hole, seen from 1.2 m height.
fn wall() -> Cloud {
    let mut cloud = Cloud::new(0, Pose::from_translation(0.0, 0.0, 1.2), WIDTH, HEIGHT);
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            let (across, up) = (0.5 - column as f32 / WIDTH as f32, 0.5 - row as f32 / HEIGHT as f32);
            let point = [2.0 + 0.1 * across * up, 2.4 * across, 1.2 + 2.0 * up];
            let hole = across.abs() < 0.05 && up.abs() < 0.05;
            let colour = [column, row, column + row].map(|number| (number * 37 % 256) as u8);
            cloud.set(cloud.index(column, row), (!hole).then_some(point), colour);
        }
    }
    cloud
}

fn row(cloud: &Cloud, what: &str, shape: &Shape, world_from_shape: &Pose, colours: Option<&ColourRange>) {
    let inside = count(cloud, shape, world_from_shape, colours);
    let ns = best(200, || {
        let begin = Instant::now();
        black_box(count(black_box(cloud), shape, world_from_shape, colours));
        begin.elapsed().as_secs_f64() * 1e9
    });
    let met = if ns <= 0.5e6 { "" } else { " (missed)" };
    println!("| {what} | {inside} | {:.3} ms{met} | ≤ 0.5 ms |", ns / 1e6);
}
