use std::fmt;

use geometry::{Pose, Vector3};

use crate::collision_pairs::unfiltered_pairs;
use crate::collision_shape::{At, Placed};
use crate::description::{Description, Geometry};
use crate::model::{LinkPoses, Model};
use crate::problem::{Problem, Severity};
use crate::transform::Transform;

/// The collision shapes of a robot: whether it touches itself, how near it comes to what is around it.
#[derive(Clone)]
pub struct CollisionModel {
    pub(crate) shapes: Vec<LinkShape>,
    /// Of shapes, that are not meant to touch.
    pairs: Vec<[usize; 2]>,
}

#[derive(Clone)]
pub(crate) struct LinkShape {
    pub link: usize,
    pub placed: Placed,
}

impl fmt::Debug for CollisionModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "CollisionModel({} shapes, {} pairs)", self.shapes.len(), self.pairs.len())
    }
}

/// Two links that are in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkContact {
    /// The lower index first.
    pub links: [usize; 2],
    pub depth_m: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkGap {
    /// The lower index first.
    pub links: [usize; 2],
    /// Below zero: how deep they are in each other.
    pub distance_m: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstacleGap {
    pub link: usize,
    /// Below zero: how deep they are in each other.
    pub distance_m: f64,
}

/// A convex thing in the world.
#[derive(Clone)]
pub struct Obstacle {
    pub name: String,
    placed: Placed,
}

impl Obstacle {
    /// None for a mesh that cannot be read and for what has no extent.
    pub fn new(name: &str, geometry: &Geometry, world_from_obstacle: &Pose) -> Option<Obstacle> {
        Some(Obstacle { name: name.to_owned(), placed: Placed::new(geometry, world_from_obstacle).ok()? })
    }
}

impl CollisionModel {
    /// `model` is made from `description`. What cannot be used is left out and told.
    pub fn new(description: &Description, model: &Model) -> (CollisionModel, Vec<Problem>) {
        let (mut shapes, mut problems) = (Vec::new(), Vec::new());
        for (link, described) in description.links.iter().enumerate() {
            for shape in &described.collisions {
                match Placed::new(&shape.geometry, &shape.link_from_shape) {
                    Ok(placed) => shapes.push(LinkShape { link, placed }),
                    Err(why) => problems.push(Problem {
                        severity: Severity::Warning,
                        file: String::new(),
                        line: described.line,
                        element: format!("link {}", described.name),
                        message: unusable(&shape.geometry, &why),
                    }),
                }
            }
        }
        let pairs = unfiltered_pairs(model, &shapes);
        (CollisionModel { shapes, pairs }, problems)
    }

    /// Every two links that are not meant to touch, the lower index first.
    pub fn kept_apart(&self) -> std::collections::BTreeSet<[usize; 2]> {
        self.pairs.iter().map(|pair| self.links(*pair)).collect()
    }

    /// Without the cost of finding where and how deep.
    pub fn is_self_colliding(&self, poses: &LinkPoses) -> bool {
        let at = self.at(poses);
        self.pairs.iter().any(|[one, two]| !at[*one].is_beyond(&at[*two], 0.0) && at[*one].meets(&at[*two]))
    }

    /// Every two links that touch and are not meant to, by rising indices; once, as deep as they are anywhere.
    pub fn self_collisions(&self, poses: &LinkPoses) -> Vec<LinkContact> {
        self.contacts(poses, &self.pairs)
    }

    /// Of shapes that are not meant to touch: those on links that are chosen.
    pub(crate) fn pairs_of(&self, is_chosen: impl Fn([usize; 2]) -> bool) -> Vec<[usize; 2]> {
        self.pairs.iter().filter(|pair| is_chosen(self.links(**pair))).copied().collect()
    }

    /// As [`Self::self_collisions`], of some of the pairs.
    pub(crate) fn contacts(&self, poses: &LinkPoses, pairs: &[[usize; 2]]) -> Vec<LinkContact> {
        let at = self.at(poses);
        let mut contacts: Vec<LinkContact> = Vec::new();
        for [one, two] in pairs.iter().filter(|[one, two]| !at[*one].is_beyond(&at[*two], 0.0)) {
            let Some(depth_m) = at[*one].depth_m(&at[*two]) else { continue };
            let links = self.links([*one, *two]);
            match contacts.iter_mut().find(|contact| contact.links == links) {
                Some(contact) => contact.depth_m = contact.depth_m.max(depth_m),
                None => contacts.push(LinkContact { links, depth_m }),
            }
        }
        contacts.sort_by_key(|contact| contact.links);
        contacts
    }

    /// The nearest two links that are not meant to touch. None: all are further apart than `within_m`.
    pub fn self_distance(&self, poses: &LinkPoses, within_m: f64) -> Option<LinkGap> {
        let at = self.at(poses);
        let mut nearest: Option<LinkGap> = None;
        for [one, two] in &self.pairs {
            let bound_m = nearest.map_or(within_m, |nearest| nearest.distance_m);
            if at[*one].is_beyond(&at[*two], bound_m) {
                continue;
            }
            let distance_m = at[*one].distance_m(&at[*two]);
            if distance_m < bound_m {
                nearest = Some(LinkGap { links: self.links([*one, *two]), distance_m });
            }
        }
        nearest
    }

    /// The link nearest to an obstacle. None: all are further away than `within_m`.
    pub fn distance_to(
        &self,
        poses: &LinkPoses,
        world_from_base: &Pose,
        obstacle: &Obstacle,
        within_m: f64,
    ) -> Option<ObstacleGap> {
        let base_from_world = Transform::from(&world_from_base.inverse());
        let obstacle = obstacle.placed.at(&base_from_world);
        let mut nearest: Option<ObstacleGap> = None;
        for (shape, at) in self.shapes.iter().zip(self.at(poses)) {
            let bound_m = nearest.map_or(within_m, |nearest| nearest.distance_m);
            if at.is_beyond(&obstacle, bound_m) {
                continue;
            }
            let distance_m = at.distance_m(&obstacle);
            if distance_m < bound_m {
                nearest = Some(ObstacleGap { link: shape.link, distance_m });
            }
        }
        nearest
    }

    /// Whether a point of the world is in the body, or nearer to it than the margin. To be made once for many points.
    pub fn body_at<'a>(
        &'a self,
        poses: &'a LinkPoses,
        world_from_base: &Pose,
        margin_m: f64,
    ) -> impl Fn(&Vector3<f64>) -> bool + 'a {
        let (base_from_world, at) = (world_from_base.inverse(), self.at(poses));
        move |world_at_m| {
            let base_at_m = base_from_world.transform_vector(world_at_m) + base_from_world.translation_m();
            at.iter().any(|shape| shape.is_within(&base_at_m, margin_m))
        }
    }

    /// Which links are watched for touching each other, by rising indices.
    pub fn watched_links(&self) -> Vec<[usize; 2]> {
        let mut links: Vec<[usize; 2]> = self.pairs.iter().map(|pair| self.links(*pair)).collect();
        links.sort_unstable();
        links.dedup();
        links
    }

    fn at<'a>(&'a self, poses: &'a LinkPoses) -> Vec<At<'a>> {
        all_at(&self.shapes, poses)
    }

    fn links(&self, shapes: [usize; 2]) -> [usize; 2] {
        shapes.map(|shape| self.shapes[shape].link)
    }
}

pub(crate) fn all_at<'a>(shapes: &'a [LinkShape], poses: &'a LinkPoses) -> Vec<At<'a>> {
    shapes.iter().map(|shape| shape.placed.at(&poses.base_from_link[shape.link])).collect()
}

fn unusable(geometry: &Geometry, why: &str) -> String {
    match geometry {
        Geometry::Mesh { path, .. } => format!(
            "the mesh `{}` is not watched for collisions: {why}. Give the link boxes, cylinders, capsules or spheres, \
             or an .stl, .obj or .dae that is there",
            path.uri
        ),
        Geometry::Box { .. } | Geometry::Cylinder { .. } | Geometry::Capsule { .. } | Geometry::Sphere { .. } => {
            "a collision shape without extent is left out".to_owned()
        }
    }
}
