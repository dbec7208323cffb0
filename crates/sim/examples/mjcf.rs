//! Prints a world with a robot in it as MJCF: `cargo run -p sim --example mjcf -- push-door-lever coact-one 1`.

use geometry::Pose;
use robot::{BodyFrame, BodyPoses, Robot};
use sim::World;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |index: usize, usual: &str| args.get(index).map_or(usual.to_owned(), Clone::clone);
    let world = World::find(&arg(0, "empty"))?.draw(arg(2, "0").parse()?);
    let (robot, _) = Robot::find(&arg(1, "coact-one"))?;
    let robot = std::sync::Arc::new(robot);
    let mut poses = BodyPoses::new(robot.clone());
    poses.place(&robot.configuration("home").unwrap_or_else(|| robot.model.neutral()), &Pose::identity());
    let world_from_base = world.world_from_walking * poses.world_from(BodyFrame::Walking).inverse();
    print!("{}", sim::scene_mjcf(&world, &robot, &world_from_base, &[]));
    Ok(())
}
