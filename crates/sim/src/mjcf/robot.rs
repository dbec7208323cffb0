//! A robot's URDF as MJCF: bodies, joints, torque-limited servos. Its root is carried by a body that goes where it is put.

use geometry::{Matrix3, Pose, Vector3};
use robot::{Description, Geometry, Inertial, Joint, Motion, Moving, MovingKind, PartName, Robot, Shape, Side};

use super::{Element, Sections, armature_with, body, touch};

/// What the parts of a robot are called in MJCF.
pub(crate) struct RobotNames;

impl RobotNames {
    pub const BASE_JOINT: &str = "robot/base";
    pub const CARRIER: &str = "robot/carrier";
    pub const PREFIX: &str = "robot/";

    pub fn of(name: &str) -> String {
        format!("robot/{name}")
    }
}

/// Drives a joint towards a position, as hard as its motor can.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Servo {
    /// N·m/rad or N/m.
    pub stiffness: f64,
    /// N·m·s/rad or N·s/m.
    pub damping: f64,
    pub effort: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Leg,
    Arm(Side),
    Hand(Side),
    Trunk,
}

/// Of geoms that no camera sees.
pub(crate) const UNSEEN_GROUP: usize = 4;

/// At full effort a servo is this far off.
const GIVES_RAD: f64 = 0.08;
const LEG_GIVES_RAD: f64 = 0.03;
const FINGER_GIVES_RAD: f64 = 0.2;
/// Damping over stiffness.
const DAMPING_S: f64 = 0.04;
/// Where the file says nothing.
const USUAL_EFFORT: f64 = 100.0;

impl Servo {
    /// One for each coordinate of the model.
    pub fn all(robot: &Robot) -> Vec<Servo> {
        (0..robot.model.coordinates().len()).map(|coordinate| Servo::of(robot, coordinate)).collect()
    }

    fn of(robot: &Robot, coordinate: usize) -> Servo {
        let written = robot.model.coordinates()[coordinate].limits.effort;
        let effort = if written.is_finite() && written > 0.0 { written } else { USUAL_EFFORT };
        let gives = match place_of(robot, coordinate) {
            Place::Leg => LEG_GIVES_RAD,
            Place::Hand(_) => FINGER_GIVES_RAD,
            Place::Arm(_) | Place::Trunk => GIVES_RAD,
        };
        let stiffness = effort / gives;
        Servo { stiffness, damping: stiffness * DAMPING_S, effort }
    }
}

fn place_of(robot: &Robot, coordinate: usize) -> Place {
    let part = robot.parts.iter().find(|part| part.coordinates.contains(&coordinate));
    match part.map(|part| part.name) {
        Some(PartName::Leg(_)) => Place::Leg,
        Some(PartName::Arm(side)) => Place::Arm(side),
        Some(PartName::Hand(side)) => Place::Hand(side),
        Some(PartName::Spine | PartName::Neck) | None => Place::Trunk,
    }
}

/// Where each link is on the body: where the nearest moving joint above it is.
fn places(robot: &Robot) -> Vec<Place> {
    let description = &robot.description;
    let mut places = vec![Place::Trunk; description.links.len()];
    for joint in &description.joints {
        places[joint.child] = match leader(description, joint).and_then(|name| robot.model.coordinate(name)) {
            Some(coordinate) => place_of(robot, coordinate),
            None => places[joint.parent],
        };
        // What the wrist moves is the hand.
        let palm_of = |side: &Side| robot.part(PartName::Hand(*side)).is_some_and(|part| part.base == joint.child);
        if let Some(side) = Side::BOTH.into_iter().find(palm_of) {
            places[joint.child] = Place::Hand(side);
        }
    }
    places
}

fn leader<'a>(description: &'a Description, joint: &'a Joint) -> Option<&'a str> {
    let Motion::Moving(moving) = &joint.motion else { return None };
    Some(followed(description, moving).map_or(&joint.name, |mimic| &mimic.leader))
}

/// A leader that was left out of the description leaves its followers to themselves.
fn followed<'a>(description: &Description, moving: &'a Moving) -> Option<&'a robot::Mimic> {
    moving.mimic.as_ref().filter(|mimic| description.joint(&mimic.leader).is_some())
}

/// Links that are a hand: those that the wrist and the fingers move.
pub(crate) fn hand_links(robot: &Robot, side: Side) -> Vec<usize> {
    let places = places(robot);
    (0..places.len()).filter(|link| places[*link] == Place::Hand(side)).collect()
}

/// Links of legs, feet, trunk and head: those that no force of a hand is meant for.
pub(crate) fn body_links(robot: &Robot) -> Vec<usize> {
    let places = places(robot);
    (0..places.len()).filter(|link| matches!(places[*link], Place::Leg | Place::Trunk)).collect()
}

/// Links that are one rigid piece with this one.
pub(crate) fn rigid_links(robot: &Robot, link: usize) -> Vec<usize> {
    let root = |link: usize| rigid_root(&robot.description, link);
    (0..robot.description.links.len()).filter(|other| root(*other) == root(link)).collect()
}

pub(super) fn write(robot: &Robot, world_from_base: &Pose, out: &mut Sections) {
    let places = places(robot);
    hulls(robot, out);
    let root = link(robot, 0, &places, world_from_base);
    let base = Element::new("freejoint").with("name", RobotNames::BASE_JOINT);
    out.bodies.push(Element { children: [vec![base], root.children.clone()].concat(), ..root });
    out.bodies.push(body(RobotNames::CARRIER, world_from_base).with("mocap", "true"));
    out.equalities.push(
        Element::new("weld")
            .with("name", RobotNames::CARRIER)
            .with("body1", RobotNames::CARRIER)
            .with("body2", RobotNames::of(&robot.description.root().name))
            .numbers("relpose", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
            .numbers("solref", &[0.006, 1.0])
            .numbers("solimp", &[0.99, 0.999, 0.001, 0.5, 2.0]),
    );
    for joint in &robot.description.joints {
        drive(robot, joint, out);
    }
}

/// Meshes touch as the hulls of their outermost points. Hulls are larger than what they are of: of two links that the robot
/// itself does not keep apart, those with meshes do not push each other.
fn hulls(robot: &Robot, out: &mut Sections) {
    let links = &robot.description.links;
    let mut with_meshes = vec![false; links.len()];
    for (index, link) in links.iter().enumerate() {
        for (number, shape) in link.collisions.iter().enumerate() {
            let Some(points) = hull(shape) else { continue };
            with_meshes[index] = true;
            let numbers: Vec<f64> = points.iter().flat_map(|point| [point.x, point.y, point.z]).collect();
            out.assets
                .push(Element::new("mesh").with("name", geom_name(&link.name, number)).numbers("vertex", &numbers));
        }
    }
    let kept_apart = robot.collision_model().kept_apart();
    for one in 0..links.len() {
        for other in one + 1..links.len() {
            let solid = !links[one].collisions.is_empty() && !links[other].collisions.is_empty();
            if solid && (with_meshes[one] || with_meshes[other]) && !kept_apart.contains(&[one, other]) {
                let [one, other] = [one, other].map(|link| RobotNames::of(&links[link].name));
                out.exclusions.push(Element::new("exclude").with("body1", one).with("body2", other));
            }
        }
    }
}

fn geom_name(link: &str, number: usize) -> String {
    format!("{}/{number}", RobotNames::of(link))
}

/// None: it is no mesh, cannot be read, or is flat, which nothing solid is.
fn hull(shape: &Shape) -> Option<Vec<Vector3<f64>>> {
    const THINNEST_M: f64 = 1e-3;
    let points = shape.hull_m();
    let middle_m = points.iter().sum::<Vector3<f64>>() / points.len().max(1) as f64;
    let spread = points.iter().map(|point| (point - middle_m) * (point - middle_m).transpose()).sum::<Matrix3<f64>>();
    let axes = spread.symmetric_eigen().eigenvectors;
    let is_solid = axes.column_iter().all(|axis| {
        let along = points.iter().map(|point| point.dot(&axis));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        high - low > THINNEST_M
    });
    (points.len() > 3 && is_solid).then_some(points)
}

fn drive(robot: &Robot, joint: &Joint, out: &mut Sections) {
    let Motion::Moving(moving) = &joint.motion else { return };
    let name = RobotNames::of(&joint.name);
    if let Some(mimic) = followed(&robot.description, moving) {
        out.equalities.push(
            Element::new("joint")
                .with("joint1", &name)
                .with("joint2", RobotNames::of(&mimic.leader))
                .numbers("polycoef", &[mimic.offset, mimic.multiplier, 0.0, 0.0, 0.0])
                .numbers("solref", &[0.004, 1.0])
                .numbers("solimp", &[0.99, 0.999, 0.001, 0.5, 2.0]),
        );
        return;
    }
    if robot.model.coordinate(&joint.name).is_some() {
        out.actuators.push(Element::new("motor").with("name", &name).with("joint", &name));
    }
}

fn link(robot: &Robot, index: usize, places: &[Place], parent_from_link: &Pose) -> Element {
    let description = &robot.description;
    let link = &description.links[index];
    let mut element = body(RobotNames::of(&link.name), parent_from_link);
    if let Some(joint) = index.checked_sub(1).map(|joint| &description.joints[joint])
        && let Motion::Moving(moving) = &joint.motion
    {
        element.children.push(joint_element(robot, joint, moving));
    }
    element.children.extend(link.inertial.as_ref().filter(|inertial| inertial.mass_kg > 0.0).map(inertial_element));
    let shapes = link.collisions.iter().enumerate();
    element.children.extend(shapes.filter_map(|(number, shape)| {
        let name = geom_name(&link.name, number);
        // Cameras know simple shapes only.
        let is_mesh = matches!(shape.geometry, Geometry::Mesh { .. });
        let group = if is_mesh || carries_camera(robot, index) { UNSEEN_GROUP } else { 0 };
        Some(placed(geom(shape, &name)?, shape, places[index]).with("name", name).with("group", group))
    }));
    for joint in description.joints.iter().filter(|joint| joint.parent == index) {
        element.children.push(self::link(robot, joint.child, places, &joint.parent_from_joint));
    }
    element
}

/// A camera is drawn inside of what carries it, and would see nothing else.
fn carries_camera(robot: &Robot, link: usize) -> bool {
    let rigid = |link: usize| rigid_root(&robot.description, link);
    robot.cameras.iter().any(|camera| rigid(camera.link) == rigid(link))
}

/// The link that all links of one rigid piece hang on.
fn rigid_root(description: &Description, link: usize) -> usize {
    let above = link.checked_sub(1).map(|joint| &description.joints[joint]);
    match above {
        Some(joint) if !matches!(joint.motion, Motion::Moving(_)) => rigid_root(description, joint.parent),
        _ => link,
    }
}

fn joint_element(robot: &Robot, joint: &Joint, moving: &Moving) -> Element {
    let kind = if moving.kind == MovingKind::Prismatic { "slide" } else { "hinge" };
    let leader = leader(&robot.description, joint).and_then(|name| robot.model.coordinate(name));
    let servo = leader.map(|coordinate| (Servo::of(robot, coordinate), place_of(robot, coordinate)));
    let effort = servo.map_or(1.0, |(servo, _)| servo.effort);
    let in_hand = matches!(servo, Some((_, Place::Hand(_))));
    let follows = followed(&robot.description, moving).is_some();
    // What the servo of a joint damps is damping of the joint; a follower has no servo of its own.
    let of_servo = servo.filter(|_| !follows).map_or(0.0, |(servo, _)| servo.damping);
    let damping = effort * if in_hand { 2e-3 } else { 5e-3 } + of_servo;
    let mut element = Element::new("joint")
        .with("name", RobotNames::of(&joint.name))
        .with("type", kind)
        .numbers("axis", moving.axis.as_slice())
        .with("armature", armature_with(effort * if in_hand { 2e-4 } else { 1e-3 }, damping))
        .with("damping", damping);
    // A follower is held by its leader: two limits would fight.
    if !follows && moving.kind != MovingKind::Continuous && moving.limits.lower < moving.limits.upper {
        let ends = [moving.limits.lower, moving.limits.upper];
        if ends.iter().all(|end| end.is_finite()) {
            element = element.numbers("range", &ends);
        }
    }
    element
}

fn inertial_element(inertial: &Inertial) -> Element {
    let inertia = &inertial.inertia_kg_m2;
    let about = inertial.link_from_centre.rotation().to_rotation_matrix();
    let inertia = about.matrix() * inertia * about.matrix().transpose();
    let at_m = inertial.link_from_centre.translation_m();
    let full = [inertia.m11, inertia.m22, inertia.m33, inertia.m12, inertia.m13, inertia.m23];
    Element::new("inertial")
        .numbers("pos", at_m.as_slice())
        .with("mass", inertial.mass_kg)
        .numbers("fullinertia", &full)
}

/// `mesh` is what its hull is called. None: it has none.
fn geom(shape: &Shape, mesh: &str) -> Option<Element> {
    let geom = |kind: &str, size_m: &[f64]| Some(Element::new("geom").with("type", kind).numbers("size", size_m));
    match &shape.geometry {
        Geometry::Box { size_m } => geom("box", (size_m * 0.5).as_slice()),
        // Flat ends make contacts slow to find.
        Geometry::Cylinder { radius_m, length_m } => {
            geom("capsule", &[*radius_m, (0.5 * (length_m - radius_m)).max(0.001)])
        }
        Geometry::Capsule { radius_m, length_m } => geom("capsule", &[*radius_m, (0.5 * length_m).max(0.001)]),
        Geometry::Sphere { radius_m } => geom("sphere", &[*radius_m]),
        Geometry::Mesh { .. } => hull(shape).map(|_| Element::new("geom").with("type", "mesh").with("mesh", mesh)),
    }
}

fn placed(geom: Element, shape: &Shape, place: Place) -> Element {
    let (kind, meets) = match place {
        Place::Arm(Side::Left) | Place::Hand(Side::Left) => (touch::BODY | touch::LEFT_ARM, touch::RIGHT_ARM),
        Place::Arm(Side::Right) | Place::Hand(Side::Right) => (touch::BODY | touch::RIGHT_ARM, touch::LEFT_ARM),
        Place::Leg | Place::Trunk => (touch::BODY, touch::ARMS),
    };
    let in_hand = matches!(place, Place::Hand(_));
    let colour = shape.colour.unwrap_or(if in_hand { [0.2, 0.22, 0.25, 1.0] } else { [0.85, 0.87, 0.9, 1.0] });
    let friction = if in_hand { [0.7, 0.01, 0.001] } else { [0.6, 0.005, 0.0001] };
    geom.at(&shape.link_from_shape)
        .with("contype", kind)
        .with("conaffinity", meets)
        .with("condim", if in_hand { 4 } else { 3 })
        .numbers("friction", &friction)
        .numbers("rgba", &colour)
        .with("mass", 0)
}
