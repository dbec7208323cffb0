use geometry::{Matrix3, Pose, Unit, Vector3};

use crate::mesh::MeshPath;

/// A robot as its URDF has it, as far as it is usable: one tree, parents before children.
#[derive(Clone, Debug)]
pub struct Description {
    pub name: String,
    /// The first is the root.
    pub links: Vec<Link>,
    /// The joint at `i` moves the link at `i + 1`.
    pub joints: Vec<Joint>,
}

#[derive(Clone, Debug)]
pub struct Link {
    pub name: String,
    /// Of the URDF; 0 for a frame that another file adds.
    pub line: u32,
    pub inertial: Option<Inertial>,
    pub visuals: Vec<Shape>,
    pub collisions: Vec<Shape>,
}

#[derive(Clone, Debug)]
pub struct Inertial {
    pub mass_kg: f64,
    /// The inertia is about the origin of this frame, which is the centre of mass.
    pub link_from_centre: Pose,
    pub inertia_kg_m2: Matrix3<f64>,
}

#[derive(Clone, Debug)]
pub struct Shape {
    pub link_from_shape: Pose,
    pub geometry: Geometry,
    /// Red, green, blue, opacity, each 0 to 1; none where the file gives none.
    pub colour: Option<[f64; 4]>,
}

#[derive(Clone, Debug)]
pub enum Geometry {
    Box {
        size_m: Vector3<f64>,
    },
    Cylinder {
        radius_m: f64,
        length_m: f64,
    },
    /// The length is that of the cylinder between the two half spheres.
    Capsule {
        radius_m: f64,
        length_m: f64,
    },
    Sphere {
        radius_m: f64,
    },
    Mesh {
        path: MeshPath,
        scale: Vector3<f64>,
    },
}

#[derive(Clone, Debug)]
pub struct Joint {
    pub name: String,
    pub line: u32,
    /// Index of the link it hangs on.
    pub parent: usize,
    /// Index of the link it moves.
    pub child: usize,
    pub parent_from_joint: Pose,
    pub motion: Motion,
}

#[derive(Clone, Debug)]
pub enum Motion {
    Fixed,
    Moving(Moving),
}

#[derive(Clone, Debug)]
pub struct Moving {
    pub kind: MovingKind,
    /// In the frame of the joint, which is the frame of its link.
    pub axis: Unit<Vector3<f64>>,
    pub limits: Limits,
    pub mimic: Option<Mimic>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovingKind {
    Revolute,
    /// Turns without end.
    Continuous,
    Prismatic,
}

/// Positions and speeds in rad or m, efforts in N·m or N; infinite where the file says nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    pub lower: f64,
    pub upper: f64,
    pub speed: f64,
    pub effort: f64,
}

impl Limits {
    pub const NONE: Limits =
        Limits { lower: f64::NEG_INFINITY, upper: f64::INFINITY, speed: f64::INFINITY, effort: f64::INFINITY };
}

/// The joint is at `multiplier` × the position of the leader + `offset`. The leader mimics nobody.
#[derive(Clone, Debug, PartialEq)]
pub struct Mimic {
    pub leader: String,
    pub multiplier: f64,
    pub offset: f64,
}

impl Shape {
    /// From the origin of the link to its furthest point; of a mesh that cannot be read only to where that is put.
    pub fn furthest_m(&self) -> f64 {
        let middle_m = self.link_from_shape.translation_m().norm();
        middle_m
            + match &self.geometry {
                Geometry::Box { size_m } => 0.5 * size_m.amax(),
                Geometry::Cylinder { radius_m, length_m } => (0.5 * length_m).max(*radius_m),
                Geometry::Capsule { radius_m, length_m } => 0.5 * length_m + radius_m,
                Geometry::Sphere { radius_m } => *radius_m,
                Geometry::Mesh { .. } => {
                    let place = |point: &Vector3<f64>| self.link_from_shape.transform_point(&(*point).into()).coords;
                    let furthest_m = self.hull_m().iter().map(|point| place(point).norm()).fold(middle_m, f64::max);
                    return furthest_m;
                }
            }
    }

    /// Of a mesh its outermost points, in its frame; none of one that cannot be read.
    pub fn hull_m(&self) -> Vec<Vector3<f64>> {
        match &self.geometry {
            Geometry::Mesh { path, scale } => crate::mesh_points::outermost_points(path, scale).unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}

impl Description {
    pub fn root(&self) -> &Link {
        &self.links[0]
    }

    pub fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// Adds a link without shape or weight; the name gets longer if there is one of it.
    pub(crate) fn fix(&mut self, name: &str, parent: usize, parent_from_joint: Pose) -> usize {
        let mut name = name.to_owned();
        while self.link(&name).is_some() || self.joint(&name).is_some() {
            name.push('_');
        }
        let child = self.links.len();
        self.links.push(Link {
            name: name.clone(),
            line: 0,
            inertial: None,
            visuals: Vec::new(),
            collisions: Vec::new(),
        });
        self.joints.push(Joint { name, line: 0, parent, child, parent_from_joint, motion: Motion::Fixed });
        child
    }

    pub fn mass_kg(&self) -> f64 {
        self.links.iter().filter_map(|link| link.inertial.as_ref()).map(|inertial| inertial.mass_kg).sum()
    }
}
