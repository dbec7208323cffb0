use geometry::{Matrix3, Pose, Vector3};

use crate::description::{Description, Limits, Motion, Moving, MovingKind};
use crate::forward::{Plan, Sines};
use crate::transform::Transform;

/// The kinematics of a robot: its joint tree, flattened. Links have the indices of the description. A configuration is
/// one number, rad or m, for each coordinate: each joint that moves and mimics nobody.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) links: Vec<Body>,
    coordinates: Vec<Coordinate>,
    mass_kg: f64,
    plan: Plan,
}

#[derive(Clone, Debug)]
pub struct Coordinate {
    /// Of the joint.
    pub name: String,
    pub kind: MovingKind,
    /// Narrowed to what the joints that mimic this one can follow.
    pub limits: Limits,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub name: String,
    /// None for the root.
    pub parent: Option<usize>,
    pub parent_from_joint: Transform,
    /// The rotation of `parent_from_joint` is none: most joints of most robots.
    pub aligned: bool,
    pub drive: Option<Drive>,
    pub mass_kg: f64,
    pub centre_m: Vector3<f64>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    pub coordinate: usize,
    pub multiplier: f64,
    pub offset: f64,
    pub axis: Vector3<f64>,
    pub movement: Movement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movement {
    TurnX,
    TurnY,
    TurnZ,
    Turn,
    Slide,
}

impl Model {
    pub fn new(description: &Description) -> Model {
        let mut coordinates = Vec::new();
        let mut coordinate_of_joint = vec![None; description.joints.len()];
        for (index, joint) in description.joints.iter().enumerate() {
            let Motion::Moving(moving) = &joint.motion else { continue };
            // A leader that was left out of the description leaves its followers to themselves.
            if moving.mimic.as_ref().is_none_or(|mimic| description.joint(&mimic.leader).is_none()) {
                coordinate_of_joint[index] = Some(coordinates.len());
                coordinates.push(Coordinate { name: joint.name.clone(), kind: moving.kind, limits: moving.limits });
            }
        }
        let mut links = vec![body(description, 0)];
        for (index, joint) in description.joints.iter().enumerate() {
            let mut link = body(description, joint.child);
            link.parent = Some(joint.parent);
            link.parent_from_joint = Transform::from(&joint.parent_from_joint);
            link.aligned = link.parent_from_joint.rotation == Matrix3::identity();
            if let Motion::Moving(moving) = &joint.motion {
                let leader = moving.mimic.as_ref().and_then(|mimic| description.joint(&mimic.leader));
                if let Some(coordinate) = coordinate_of_joint[leader.unwrap_or(index)] {
                    let followed = moving.mimic.as_ref().filter(|_| leader.is_some());
                    let (multiplier, offset) = followed.map_or((1.0, 0.0), |mimic| (mimic.multiplier, mimic.offset));
                    let drive = drive(moving, coordinate, multiplier, offset);
                    narrow(&mut coordinates[coordinate].limits, &moving.limits, &drive);
                    link.drive = Some(drive);
                }
            }
            links.push(link);
        }
        let plan = Plan::new(&links);
        Model { links, coordinates, mass_kg: description.mass_kg(), plan }
    }

    pub fn coordinates(&self) -> &[Coordinate] {
        &self.coordinates
    }

    pub fn coordinate(&self, joint: &str) -> Option<usize> {
        self.coordinates.iter().position(|coordinate| coordinate.name == joint)
    }

    pub fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// The link that a coordinate moves before others that mimic it.
    pub(crate) fn link_of(&self, coordinate: usize) -> Option<usize> {
        self.links.iter().position(|link| link.drive.as_ref().is_some_and(|drive| drive.coordinate == coordinate))
    }

    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    pub fn mass_kg(&self) -> f64 {
        self.mass_kg
    }

    /// Zero, or the nearest position within the limits.
    pub fn neutral(&self) -> Vec<f64> {
        self.coordinates.iter().map(|c| 0.0_f64.max(c.limits.lower).min(c.limits.upper)).collect()
    }

    pub fn clamp(&self, positions: &mut [f64]) {
        for (position, coordinate) in positions.iter_mut().zip(&self.coordinates) {
            *position = position.max(coordinate.limits.lower).min(coordinate.limits.upper);
        }
    }

    /// False as well for what is not a number.
    pub fn within_limits(&self, positions: &[f64]) -> bool {
        positions.len() == self.coordinates.len()
            && positions.iter().zip(&self.coordinates).all(|(p, c)| (c.limits.lower..=c.limits.upper).contains(p))
    }

    pub fn new_poses(&self) -> LinkPoses {
        LinkPoses { base_from_link: vec![Transform::identity(); self.links.len()], sines: self.plan.new_sines() }
    }

    /// Where every link is, in the frame of the root link. `positions` has one number for each coordinate.
    pub fn forward(&self, positions: &[f64], poses: &mut LinkPoses) {
        assert_eq!(positions.len(), self.coordinates.len(), "one position for each coordinate");
        assert_eq!(poses.base_from_link.len(), self.links.len(), "poses made by this model");
        self.plan.run(&self.links, positions, poses);
    }
}

fn body(description: &Description, link: usize) -> Body {
    let link = &description.links[link];
    let inertial = link.inertial.as_ref();
    Body {
        name: link.name.clone(),
        parent: None,
        parent_from_joint: Transform::identity(),
        aligned: true,
        drive: None,
        mass_kg: inertial.map_or(0.0, |inertial| inertial.mass_kg),
        centre_m: inertial.map_or(Vector3::zeros(), |inertial| inertial.link_from_centre.translation_m()),
    }
}

fn drive(moving: &Moving, coordinate: usize, multiplier: f64, offset: f64) -> Drive {
    let axis = moving.axis.into_inner();
    let movement = match moving.kind {
        MovingKind::Prismatic => Movement::Slide,
        MovingKind::Revolute | MovingKind::Continuous if axis == Vector3::x() => Movement::TurnX,
        MovingKind::Revolute | MovingKind::Continuous if axis == Vector3::y() => Movement::TurnY,
        MovingKind::Revolute | MovingKind::Continuous if axis == Vector3::z() => Movement::TurnZ,
        MovingKind::Revolute | MovingKind::Continuous => Movement::Turn,
    };
    Drive { coordinate, multiplier, offset, axis, movement }
}

/// A leader goes no further than its followers can; limits that leave nothing are not believed.
fn narrow(leader: &mut Limits, follower: &Limits, drive: &Drive) {
    if drive.multiplier == 0.0 {
        return;
    }
    let ends = [follower.lower, follower.upper].map(|end| (end - drive.offset) / drive.multiplier);
    let (lower, upper) = (leader.lower.max(ends[0].min(ends[1])), leader.upper.min(ends[0].max(ends[1])));
    if lower <= upper {
        (leader.lower, leader.upper) = (lower, upper);
    }
    leader.speed = leader.speed.min(follower.speed / drive.multiplier.abs());
}

/// Where the links are: made once by the model, filled as often as wanted.
#[derive(Clone, Debug)]
pub struct LinkPoses {
    pub(crate) base_from_link: Vec<Transform>,
    pub(crate) sines: Sines,
}

impl LinkPoses {
    pub fn base_from(&self, link: usize) -> Pose {
        Pose::from(&self.base_from_link[link])
    }

    /// Without the cost of a quaternion.
    pub fn base_from_links(&self) -> &[Transform] {
        &self.base_from_link
    }
}
