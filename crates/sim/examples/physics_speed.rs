//! How fast worlds with physics are: `cargo run --release -p sim --features mujoco --example physics_speed`.

use std::sync::Arc;
use std::time::Instant;

use robot::{Robot, RobotInterface};
use sim::{PhysicsWorld, World};

const SECONDS: i64 = 10;

#[expect(clippy::disallowed_methods, reason = "it measures")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("| world | × real time |\n|---|---|");
    let robot = Arc::new(Robot::find("coact-one")?.0);
    for name in World::names() {
        let mut sim = PhysicsWorld::open(&World::find(name)?, robot.clone(), 1)?;
        let start = Instant::now();
        (1..=SECONDS * 100).for_each(|tick| sim.advance(tick * 10_000_000));
        println!("| {name} | {:.1} |", SECONDS as f64 / start.elapsed().as_secs_f64());
    }
    Ok(())
}
