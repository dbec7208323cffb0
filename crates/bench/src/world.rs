//! How much faster than real time a robot acts in a door world, with its hand closed on the handle.

use std::sync::Arc;
use std::time::Instant;

use geometry::{Point3, Pose};
use robot::interface::{Command, CommandId, Order, Queueing};
use robot::{BodyFrame, BodyPoses, Robot, Side};
use sim::{PhysicsRobot, PhysicsWorld, World};
use site::Driver;

const TICK_NS: i64 = 10_000_000;
const GRASP_S: f64 = 2.0;
const SECONDS: i64 = 20;

pub fn run() {
    println!("| door world, the hand closed on the handle | × real time | × of processor time | a picture | target |");
    println!("|---|---|---|---|---|");
    let mut blind_s = 0.0;
    for (what, camera, target) in [
        ("without camera", None, 20.0),
        ("camera at 10 Hz and detector, 160 × 120", Some((160, 120)), 6.0),
        ("camera at 10 Hz and detector, 320 × 240", Some((320, 240)), 3.0),
    ] {
        match speed(camera) {
            Err(error) => {
                println!("| {what} | {error} | | | ≥ {target} |");
                return;
            }
            Ok((wall, processor)) => {
                let missed = if processor < target { " (missed)" } else { "" };
                // What a second takes more than without a camera, in ten pictures.
                let picture = match camera {
                    None => {
                        blind_s = 1.0 / processor;
                        String::new()
                    }
                    Some(_) => format!("{:.2} ms", 1e3 * (1.0 / processor - blind_s) / 10.0),
                };
                println!("| {what} | {wall:.1} | {processor:.1} | {picture} | ≥ {target}{missed} |");
            }
        }
    }
}

fn speed(camera: Option<(u32, u32)>) -> Result<(f64, f64), String> {
    let mut sim = holding(camera)?;
    let mut time_ns = sim.state().time_ns;
    let mut pass = |seconds: i64| {
        let until_ns = time_ns + seconds * 1_000_000_000;
        let mut sights = 0;
        while time_ns < until_ns {
            time_ns += TICK_NS;
            sim.advance(time_ns);
            sights += sim.take_sights().len();
        }
        sights
    };
    let (start, processor_s) = (Instant::now(), processor_s());
    let sights = pass(SECONDS);
    let (wall_s, processor_s) = (start.elapsed().as_secs_f64(), self::processor_s() - processor_s);
    if camera.is_some() && sights as i64 != SECONDS * 10 {
        return Err(format!("{sights} pictures"));
    }
    Ok((SECONDS as f64 / wall_s, SECONDS as f64 / processor_s))
}

/// What this process has used, all threads together: other programs on the machine do not count.
pub fn processor_s() -> f64 {
    const TICKS_PER_S: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(f64::NAN);
    (ticks(11) + ticks(12)) / TICKS_PER_S
}

/// The bar handle of a door that stands across, in the right hand.
fn holding(camera: Option<(u32, u32)>) -> Result<PhysicsRobot, String> {
    let robot = Arc::new(Robot::builtin("coact-one").ok_or("no robot")?);
    let mut poses = BodyPoses::new(robot.clone());
    poses.place(&robot.configuration("ready").ok_or("no preset `ready`")?, &Pose::identity());
    let walking_from_hand =
        poses.world_from(BodyFrame::Walking).inverse() * poses.world_from(BodyFrame::Hand(Side::Right));
    let bar = walking_from_hand.transform_point(&Point3::new(0.0, 0.02, 0.0));
    let (inset_m, width_m, standoff_m) = (0.05, 0.9, 0.075);
    let (width, height) = camera.unwrap_or((160, 120));
    let world = format!(
        r#"{{"version": 1, "robot": {{"preset": "ready"}}, "camera": {{"width": {width}, "height": {height}}}, "objects": [
            {{"type": "door", "hinge": "right", "opens": "pull", "handle": "fixed", "wall_m": 0,
              "width_m": {width_m}, "handle_inset_m": {inset_m}, "handle_height_m": {},
              "at": {{"x_m": {}, "y_m": {}, "yaw_deg": 90}}}}]}}"#,
        bar.z,
        bar.x + 0.5 * width_m - inset_m,
        bar.y + standoff_m,
    );
    let world = World::from_json("door.json", &world).map_err(|error| error.to_string())?;
    let mut sim = PhysicsWorld::open(&world, robot.clone(), 1).map_err(|error| error.to_string())?;
    let grip = robot.grip("close", Side::Right).ok_or("no grip `close`")?;
    let names = robot.model.coordinates();
    let order = Order::Fingers {
        side: Side::Right,
        targets: grip.iter().map(|(coordinate, at)| (names[*coordinate].name.as_str().into(), *at)).collect(),
        speeds: vec![2.0; grip.len()],
    };
    let command = Command { id: CommandId(1), queueing: Queueing::Override, order };
    sim.command(&command).map_err(|refusal| refusal.0)?;
    sim.advance((GRASP_S * 1e9) as i64);
    let touching = sim.hand_contacts(Side::Right);
    if touching < 3 {
        return Err(format!("the hand is not closed on the handle: {touching} contacts"));
    }
    if camera.is_some() {
        sim.open_eyes().map_err(|error| error.to_string())?;
    }
    Ok(sim)
}
