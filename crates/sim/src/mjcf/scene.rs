use geometry::Pose;
use robot::Robot;

use super::{Element, RobotNames, Sections, Surface, UNSEEN_GROUP, body, robot as robot_mjcf};
use crate::world::{Kind, PlacedWorld};

/// Of what stands in a doorway, while it does not.
pub(crate) const PARKED_M: f64 = -5.0;
pub(crate) const OWN_PREFIX: &str = "own/";

/// The world, with the robot in it, as MJCF. `apart` are links of the robot that never touch each other.
pub fn scene_mjcf(world: &PlacedWorld, robot: &Robot, world_from_base: &Pose, apart: &[(String, String)]) -> String {
    let mut sections = Sections::default();
    let floor = Surface { ground: true, ..Surface::of(world.floor.colour, world.floor.friction) };
    sections.bodies.push(floor.plane("floor".to_owned()));
    for object in &world.objects {
        let moves = world.disturbances.iter().any(|disturbance| disturbance.moved_table() == Some(&object.name));
        object.mjcf(moves, &mut sections);
        let blocked = world.disturbances.iter().any(|disturbance| disturbance.blocked_door() == Some(&object.name));
        if let Kind::Door(door) = &object.kind
            && blocked
        {
            sections.bodies.push(blocker(&object.name, door.width_m));
        }
    }
    robot_mjcf::write(robot, world_from_base, &mut sections);
    for (one, other) in apart {
        sections.exclusions.push(Element::new("exclude").with("body1", one).with("body2", other));
    }
    if let Some(mjcf) = &world.mjcf {
        let file = std::path::absolute(mjcf).unwrap_or_else(|_| mjcf.clone());
        sections.assets.push(Element::new("model").with("name", "own").with("file", file.display()));
        sections.bodies.push(Element::new("attach").with("model", "own").with("prefix", OWN_PREFIX));
    }
    sections.bodies.push(axes());
    // What a file of the user's own has in it may need it; ours damps its joints alone.
    let integrator = if world.mjcf.is_some() { "implicitfast" } else { "Euler" };
    whole(&world.name, integrator, sections).to_string()
}

/// MuJoCo looks for what may touch in boxes along the main axes of all that is there. Askew, the box around a door is
/// wide enough for half of the robot. These points, which touch nothing and are not seen, keep the boxes upright.
fn axes() -> Element {
    let point = |at_m: [f64; 3]| {
        Element::new("geom")
            .with("type", "sphere")
            .with("size", 0.001)
            .numbers("pos", &at_m)
            .with("contype", 0)
            .with("conaffinity", 0)
            .with("group", UNSEEN_GROUP)
            .numbers("rgba", &[0.0; 4])
            .with("mass", 0)
    };
    let along = |axis: usize, far_m: f64| {
        [far_m, -far_m].map(|far_m| point(std::array::from_fn(|index| if index == axis { far_m } else { 0.0 })))
    };
    Element::new("body").children(along(0, 100.0)).children(along(1, 300.0)).children(along(2, 200.0))
}

fn whole(name: &str, integrator: &str, sections: Sections) -> Element {
    let compiler = Element::new("compiler")
        .with("angle", "radian")
        .with("autolimits", "true")
        .with("balanceinertia", "true")
        .with("boundmass", 1e-4)
        .with("boundinertia", 1e-7);
    let option = Element::new("option")
        .with("timestep", crate::PHYSICS_PERIOD_NS as f64 * 1e-9)
        .with("integrator", integrator)
        .with("cone", "elliptic")
        .with("impratio", 10)
        .with("iterations", 30)
        .with("ls_iterations", 20)
        // Damped joints have what it takes in their armature.
        .child(Element::new("flag").with("eulerdamp", "disable"));
    // Softer, a ball sinks a centimetre into the hand that grips it.
    let hard = Element::new("geom").numbers("solref", &[0.005, 1.0]).numbers("solimp", &[0.95, 0.99, 0.001]);
    let light = Element::new("light").numbers("pos", &[0.0, 0.0, 4.0]).numbers("dir", &[0.0, 0.0, -1.0]);
    let size = Element::new("statistic").with("extent", 4).numbers("center", &[0.0, 0.0, 1.0]);
    Element::new("mujoco").with("model", name).child(compiler).child(option).child(size).children([
        Element::new("default").child(hard),
        Element::new("asset").children(sections.assets),
        Element::new("worldbody").child(light).children(sections.bodies),
        Element::new("contact").children(sections.exclusions),
        Element::new("equality").children(sections.equalities),
        Element::new("actuator").children(sections.actuators),
    ])
}

pub(crate) fn blocker_name(door: &str) -> String {
    format!("{door}/blocker")
}

fn blocker(door: &str, width_m: f64) -> Element {
    let surface = Surface::of(crate::world::Colour([0.6, 0.45, 0.25]), 0.6);
    let size_m = geometry::Vector3::new(0.3, width_m, 1.2);
    let geom = surface.cuboid(format!("{}/box", blocker_name(door)), size_m, geometry::Vector3::z() * 0.6);
    body(blocker_name(door), &Pose::from_translation(0.0, 0.0, PARKED_M)).with("mocap", "true").child(geom)
}

/// Whether a body is of the robot.
pub(crate) fn is_robot(body: &str) -> bool {
    body.starts_with(RobotNames::PREFIX)
}
