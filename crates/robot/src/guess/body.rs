use geometry::{UnitQuaternion, Vector3};

use crate::description::{Geometry, Shape};
use crate::words::other_side;
use crate::{Description, LinkPoses, Model, Motion, Transform};

/// The tree of links with what guessing asks of it, all joints at zero.
pub(super) struct Body<'a> {
    pub description: &'a Description,
    pub children: Vec<Vec<usize>>,
    /// Most joints that move on a way from here to a leaf.
    pub reach: Vec<usize>,
    pub poses: LinkPoses,
    /// In the root: x forward, y left. Some roots look backward.
    pub facing: UnitQuaternion<f64>,
}

/// Smallest and largest corner, along the axes of the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub low_m: Vector3<f64>,
    pub high_m: Vector3<f64>,
}

impl<'a> Body<'a> {
    pub fn of(description: &'a Description, model: &Model) -> Body<'a> {
        let mut children = vec![Vec::new(); description.links.len()];
        for joint in &description.joints {
            children[joint.parent].push(joint.child);
        }
        let mut poses = model.new_poses();
        model.forward(&vec![0.0; model.coordinates().len()], &mut poses);
        let mut body = Body {
            description,
            children,
            reach: vec![0; description.links.len()],
            poses,
            facing: UnitQuaternion::identity(),
        };
        for link in (1..description.links.len()).rev() {
            let (parent, below) = (description.joints[link - 1].parent, body.reach[link] + body.moves(link));
            body.reach[parent] = body.reach[parent].max(below);
        }
        let leftward_m: f64 =
            body.pairs_of_leaves().iter().map(|[left, right]| body.at_m(*left).y - body.at_m(*right).y).sum();
        if leftward_m < 0.0 {
            body.facing = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI);
        }
        body
    }

    pub fn name(&self, link: usize) -> &str {
        &self.description.links[link].name
    }

    pub fn parent(&self, link: usize) -> Option<usize> {
        link.checked_sub(1).map(|joint| self.description.joints[joint].parent)
    }

    /// 1 if the joint above the link moves.
    pub fn moves(&self, link: usize) -> usize {
        let joint = link.checked_sub(1).map(|joint| &self.description.joints[joint].motion);
        usize::from(matches!(joint, Some(Motion::Moving(_))))
    }

    pub fn at_m(&self, link: usize) -> Vector3<f64> {
        self.poses.base_from_link[link].translation_m
    }

    /// The link, its parent and so on to the root.
    pub fn upward(&self, link: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(link), |link| self.parent(*link))
    }

    /// Joints that move between the two.
    pub fn joints_between(&self, above: usize, link: usize) -> usize {
        self.upward(link).take_while(|link| *link != above).map(|link| self.moves(link)).sum()
    }

    pub fn is_below(&self, link: usize, above: usize) -> bool {
        self.upward(link).any(|link| link == above)
    }

    /// The lowest link that both hang on.
    pub fn meeting(&self, a: usize, b: usize) -> usize {
        self.upward(a).find(|link| self.is_below(b, *link)).unwrap_or(0)
    }

    /// The link and what is fixed to it, outward.
    pub fn cluster(&self, link: usize) -> Vec<usize> {
        let mut cluster = vec![link];
        let mut next = 0;
        while let Some(at) = cluster.get(next).copied() {
            cluster.extend(self.children[at].iter().filter(|child| self.moves(**child) == 0));
            next += 1;
        }
        cluster
    }

    /// Everything on a link and below it.
    pub fn subtree(&self, link: usize) -> Vec<usize> {
        let mut all = vec![link];
        let mut next = 0;
        while let Some(at) = all.get(next).copied() {
            all.extend(&self.children[at]);
            next += 1;
        }
        all
    }

    /// Ends of the tree that have a mirror image, left first.
    pub fn pairs_of_leaves(&self) -> Vec<[usize; 2]> {
        let leaves: Vec<usize> = (0..self.children.len()).filter(|link| self.children[*link].is_empty()).collect();
        let mut pairs = Vec::new();
        for leaf in &leaves {
            let named = other_side(self.name(*leaf)).iter().find_map(|other| self.description.link(other));
            let partner = named.or_else(|| leaves.iter().copied().find(|other| self.mirrors(*leaf, *other)));
            let Some(partner) = partner.filter(|partner| partner > leaf) else { continue };
            pairs.push(if self.is_left(*leaf, partner) { [*leaf, partner] } else { [partner, *leaf] });
        }
        pairs
    }

    fn mirrors(&self, a: usize, b: usize) -> bool {
        let (here, there) = (self.at_m(a), self.at_m(b));
        let off = Vector3::new(here.x - there.x, here.y + there.y, here.z - there.z);
        a != b && here.y.abs() > 0.01 && off.norm() < 0.02 && self.joints_between(0, a) == self.joints_between(0, b)
    }

    /// By name where the names differ in that; else by place.
    fn is_left(&self, link: usize, other: usize) -> bool {
        let mut letters = self.name(link).chars().zip(self.name(other).chars());
        match letters.find(|(here, there)| here != there) {
            Some(('l' | 'L', 'r' | 'R')) => true,
            Some(('r' | 'R', 'l' | 'L')) => false,
            _ => self.at_m(link).y > self.at_m(other).y,
        }
    }

    /// Of the shapes of some links that have a size of their own; meshes are not read.
    pub fn extent(&self, links: &[usize], poses: &LinkPoses) -> Option<Extent> {
        let mut all: Option<Extent> = None;
        for link in links {
            let base_from_link = &poses.base_from_link[*link];
            let link_shapes = &self.description.links[*link];
            let touching =
                if link_shapes.collisions.is_empty() { &link_shapes.visuals } else { &link_shapes.collisions };
            for extent in touching.iter().filter_map(|shape| extent_of(shape, base_from_link)) {
                all = Some(match all {
                    None => extent,
                    Some(all) => Extent { low_m: all.low_m.inf(&extent.low_m), high_m: all.high_m.sup(&extent.high_m) },
                });
            }
        }
        all
    }
}

fn extent_of(shape: &Shape, base_from_link: &Transform) -> Option<Extent> {
    let base_from_shape = base_from_link.then(&Transform::from(&shape.link_from_shape));
    let along = base_from_shape.rotation.column(2).abs();
    let half_m = match &shape.geometry {
        Geometry::Box { size_m } => base_from_shape.rotation.abs() * size_m / 2.0,
        Geometry::Sphere { radius_m } => Vector3::repeat(*radius_m),
        Geometry::Capsule { radius_m, length_m } => along * (length_m / 2.0) + Vector3::repeat(*radius_m),
        Geometry::Cylinder { radius_m, length_m } => {
            let across = along.map(|part| (1.0 - part * part).max(0.0).sqrt());
            along * (length_m / 2.0) + across * *radius_m
        }
        Geometry::Mesh { .. } => return None,
    };
    let centre_m = base_from_shape.translation_m;
    Some(Extent { low_m: centre_m - half_m, high_m: centre_m + half_m })
}
