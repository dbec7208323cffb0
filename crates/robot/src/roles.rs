//! Joints by what they are for, whatever a robot calls them and however they turn.

use std::f64::consts::PI;

use geometry::Vector3;

use crate::{LinkPoses, Model, Part, PartName, Robot, Side};

/// A joint that has a role. Angles and torques are counted in its own way: 0 when the limb is straight, rising as it bends,
/// as it goes up at the front or outwards; of spine and neck about x, y and z of the trunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoleJoint {
    pub role: &'static str,
    pub part: PartName,
    /// Of the model.
    pub coordinate: usize,
    pub sign: f64,
    /// The position that counts as 0.
    pub zero: f64,
}

impl RoleJoint {
    pub fn angle(&self, position: f64) -> f64 {
        self.sign * (position - self.zero)
    }

    /// Where it is at an angle, rad.
    pub fn position(&self, angle_rad: f64) -> f64 {
        self.zero + self.sign * angle_rad
    }
}

/// In how many places a joint is looked at to find how its limb bends.
const PLACES: u32 = 120;

impl Robot {
    /// The joint that has a role in a part of the body. None: there is no such part, or it has none for it.
    pub fn role(&self, part: PartName, role: &str) -> Option<RoleJoint> {
        self.roles().iter().find(|joint| joint.part == part && joint.role == role).copied()
    }

    /// Of all its parts.
    pub fn roles(&self) -> &[RoleJoint] {
        self.roles.get_or_init(|| self.parts.iter().flat_map(|part| roles_of(self, part)).collect())
    }
}

fn roles_of(robot: &Robot, part: &Part) -> Vec<RoleJoint> {
    match part.name {
        PartName::Arm(side) => limb(robot, part, side, ["shoulder", "elbow", ""]),
        PartName::Leg(side) => limb(robot, part, side, ["hip", "knee", "ankle"]),
        PartName::Spine | PartName::Neck => {
            let axes = axes(robot, part);
            let trunk = |(coordinate, axis): (usize, Vector3<f64>)| {
                let (along, role) = dominant(&axis);
                RoleJoint { role, part: part.name, coordinate, sign: axis[along].signum(), zero: 0.0 }
            };
            once_each(axes.into_iter().map(trunk))
        }
        PartName::Hand(_) => Vec::new(),
    }
}

/// Its joints before the one that bends it, that one, and those behind it, each by their word.
fn limb(robot: &Robot, part: &Part, side: Side, words: [&'static str; 3]) -> Vec<RoleJoint> {
    let Some((bend, zero, sign)) = bend(robot, part) else { return Vec::new() };
    let outwards = if side == Side::Left { 1.0 } else { -1.0 };
    let [near, middle, far] = words;
    let mut word = near;
    let joints = axes(robot, part).into_iter().filter_map(|(coordinate, axis)| {
        if coordinate == bend {
            word = far;
            return Some(RoleJoint { role: middle, part: part.name, coordinate, sign, zero });
        }
        let (along, turn) = dominant(&axis);
        let front_or_out = if along == 1 { -1.0 } else { outwards };
        let role = role_word(word, turn)?;
        Some(RoleJoint { role, part: part.name, coordinate, sign: front_or_out * axis[along].signum(), zero: 0.0 })
    });
    once_each(joints)
}

fn role_word(limb: &str, turn: &str) -> Option<&'static str> {
    let known = [
        ("shoulder", "pitch", "shoulder_pitch"),
        ("shoulder", "roll", "shoulder_roll"),
        ("shoulder", "yaw", "shoulder_yaw"),
        ("hip", "pitch", "hip_pitch"),
        ("hip", "roll", "hip_roll"),
        ("hip", "yaw", "hip_yaw"),
        ("ankle", "pitch", "ankle_pitch"),
        ("ankle", "roll", "ankle_roll"),
    ];
    known.iter().find(|(of, by, _)| *of == limb && *by == turn).map(|(_, _, word)| *word)
}

fn once_each(joints: impl Iterator<Item = RoleJoint>) -> Vec<RoleJoint> {
    let mut found: Vec<RoleJoint> = Vec::new();
    for joint in joints {
        if !found.iter().any(|known| known.role == joint.role) {
            found.push(joint);
        }
    }
    found
}

fn dominant(axis: &Vector3<f64>) -> (usize, &'static str) {
    let along = axis.iamax();
    (along, ["roll", "pitch", "yaw"][along])
}

/// The coordinates of a part with their axes, in the frame of the pelvis, in the neutral configuration.
fn axes(robot: &Robot, part: &Part) -> Vec<(usize, Vector3<f64>)> {
    let model = &robot.model;
    let mut poses = model.new_poses();
    model.forward(&model.neutral(), &mut poses);
    let pelvis_from_base = poses.base_from(robot.frames.pelvis).inverse();
    let axis = |coordinate: &usize| {
        let link = model.link_of(*coordinate)?;
        let drive = model.links[link].drive.as_ref()?;
        let base_axis = poses.base_from(link).transform_vector(&(drive.axis * drive.multiplier));
        Some((*coordinate, pelvis_from_base.transform_vector(&base_axis)))
    };
    part.coordinates.iter().filter_map(axis).collect()
}

/// The joint that changes most how far the end of a limb is from its root: where it is straight, and which way it bends.
fn bend(robot: &Robot, part: &Part) -> Option<(usize, f64, f64)> {
    let mut best: Option<(f64, (usize, f64, f64))> = None;
    for coordinate in &part.coordinates {
        let Some(sweep) = Sweep::of(robot, part, *coordinate) else { continue };
        let change_m = sweep.longest_m - sweep.shortest_m;
        if best.is_none_or(|(most_m, _)| change_m > most_m) {
            best = Some((change_m, (*coordinate, sweep.straight, (sweep.bent - sweep.straight).signum())));
        }
    }
    best.map(|(_, bend)| bend)
}

/// What becomes of the length of a limb while one of its joints goes through its range.
pub(crate) struct Sweep {
    pub longest_m: f64,
    shortest_m: f64,
    straight: f64,
    bent: f64,
}

impl Sweep {
    fn of(robot: &Robot, part: &Part, coordinate: usize) -> Option<Sweep> {
        let model = &robot.model;
        let root = root(model, part)?;
        let (mut positions, mut poses) = (model.neutral(), model.new_poses());
        let limits = model.coordinates()[coordinate].limits;
        let (low, high) = (limits.lower.max(-PI), limits.upper.min(PI));
        let mut sweep: Option<Sweep> = None;
        for place in 0..=PLACES {
            let position = low + (high - low) * f64::from(place) / f64::from(PLACES);
            positions[coordinate] = position;
            model.forward(&positions, &mut poses);
            let length_m = apart_m(&poses, root, part.tip);
            let known = sweep.get_or_insert(Sweep {
                longest_m: length_m,
                shortest_m: length_m,
                straight: position,
                bent: position,
            });
            if length_m > known.longest_m {
                (known.longest_m, known.straight) = (length_m, position);
            }
            if length_m < known.shortest_m {
                (known.shortest_m, known.bent) = (length_m, position);
            }
        }
        sweep
    }

    /// Of the joint that bends a limb.
    pub fn of_bend(robot: &Robot, part: &Part) -> Option<Sweep> {
        Sweep::of(robot, part, bend(robot, part)?.0)
    }
}

/// The link in which a limb begins to turn every way: shoulder or hip.
pub(crate) fn root(model: &Model, part: &Part) -> Option<usize> {
    let second = part.coordinates.get(1).or_else(|| part.coordinates.first())?;
    model.link_of(*second)
}

pub(crate) fn apart_m(poses: &LinkPoses, one: usize, other: usize) -> f64 {
    let links = poses.base_from_links();
    (links[one].translation_m - links[other].translation_m).norm()
}
