use std::cell::OnceCell;

use geometry::{Pose, UnitQuaternion, Vector3};

use super::points::points_m;
use crate::words::other_side;
use crate::{Description, Model, Motion};

/// The tree of links with what guessing asks of it, all joints at zero, in a frame that is turned as the robot stands: x
/// forward, y left, z up, its origin in the root.
pub(super) struct Body<'a> {
    pub description: &'a Description,
    pub children: Vec<Vec<usize>>,
    /// Most joints that move on a way from here to a leaf.
    pub reach: Vec<usize>,
    poses: Vec<Pose>,
    /// Of the plane between left and right.
    pub middle_y_m: f64,
    /// Of the shapes of each link, in its frame; read when they are asked for.
    points: Vec<OnceCell<Vec<Vector3<f64>>>>,
}

/// Smallest and largest corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub low_m: Vector3<f64>,
    pub high_m: Vector3<f64>,
}

impl Extent {
    pub fn of(points: impl IntoIterator<Item = Vector3<f64>>) -> Option<Extent> {
        points.into_iter().fold(None, |all: Option<Extent>, point| {
            let (low_m, high_m) = all.map_or((point, point), |all| (all.low_m.inf(&point), all.high_m.sup(&point)));
            Some(Extent { low_m, high_m })
        })
    }

    pub fn middle_m(&self) -> Vector3<f64> {
        (self.low_m + self.high_m) / 2.0
    }

    pub fn size_m(&self) -> Vector3<f64> {
        self.high_m - self.low_m
    }
}

impl<'a> Body<'a> {
    /// `up` is the axis of the root that points up.
    pub fn of(description: &'a Description, model: &Model, up: Vector3<f64>) -> Body<'a> {
        let mut children = vec![Vec::new(); description.links.len()];
        for joint in &description.joints {
            children[joint.parent].push(joint.child);
        }
        let mut poses = model.new_poses();
        model.forward(&vec![0.0; model.coordinates().len()], &mut poses);
        let upright = UnitQuaternion::rotation_between(&up, &Vector3::z())
            .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI));
        let upright = Pose::new(Vector3::zeros(), upright);
        let mut body = Body {
            description,
            children,
            reach: vec![0; description.links.len()],
            poses: (0..description.links.len()).map(|link| upright * poses.base_from(link)).collect(),
            middle_y_m: 0.0,
            points: vec![OnceCell::new(); description.links.len()],
        };
        for link in (1..description.links.len()).rev() {
            let (parent, below) = (description.joints[link - 1].parent, body.reach[link] + body.moves(link));
            body.reach[parent] = body.reach[parent].max(below);
        }
        body.face_forward();
        body
    }

    /// Left is where names say it is; nameless robots look along x.
    fn face_forward(&mut self) {
        let named = self.named_pairs();
        let leftward: Vector3<f64> = named.iter().map(|[left, right]| self.at_m(*left) - self.at_m(*right)).sum();
        if leftward.xy().norm() > 1e-3 {
            let turn_rad = libm::atan2(leftward.y, leftward.x) - std::f64::consts::FRAC_PI_2;
            let quarter = (turn_rad / std::f64::consts::FRAC_PI_2).round() * std::f64::consts::FRAC_PI_2;
            let facing = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -quarter);
            self.poses.iter_mut().for_each(|pose| *pose = Pose::new(Vector3::zeros(), facing) * *pose);
        }
        let mut middles_m: Vec<f64> =
            named.iter().map(|[left, right]| (self.at_m(*left).y + self.at_m(*right).y) / 2.0).collect();
        middles_m.sort_unstable_by(f64::total_cmp);
        self.middle_y_m = middles_m.get(middles_m.len() / 2).copied().unwrap_or(0.0);
    }

    pub fn name(&self, link: usize) -> &str {
        &self.description.links[link].name
    }

    /// Whether a word of the name, without sides and numbers, begins so.
    pub fn is_called(&self, link: usize, words: &[&str]) -> bool {
        let name = self.name(link);
        let mut parts: Vec<String> = Vec::new();
        for part in name.split(|letter: char| !letter.is_alphabetic()) {
            let mut word = String::new();
            for letter in part.chars() {
                if letter.is_uppercase() && word.chars().last().is_some_and(char::is_lowercase) {
                    parts.push(std::mem::take(&mut word));
                }
                word.push(letter);
            }
            parts.push(word);
        }
        parts.iter().map(|part| part.to_lowercase()).any(|part| words.iter().any(|word| part.starts_with(word)))
    }

    pub fn parent(&self, link: usize) -> Option<usize> {
        link.checked_sub(1).map(|joint| self.description.joints[joint].parent)
    }

    /// 1 if the joint above the link moves.
    pub fn moves(&self, link: usize) -> usize {
        let joint = link.checked_sub(1).map(|joint| &self.description.joints[joint].motion);
        usize::from(matches!(joint, Some(Motion::Moving(_))))
    }

    pub fn pose(&self, link: usize) -> Pose {
        self.poses[link]
    }

    pub fn at_m(&self, link: usize) -> Vector3<f64> {
        self.poses[link].translation_m()
    }

    /// The link, its parent and so on to the root.
    pub fn upward(&self, link: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(link), |link| self.parent(*link))
    }

    /// Links that move on the way down from one to another, which may be the last.
    pub fn moving_between(&self, above: usize, link: usize) -> Vec<usize> {
        let mut way: Vec<usize> =
            self.upward(link).take_while(|link| *link != above).filter(|link| self.moves(*link) == 1).collect();
        way.reverse();
        way
    }

    pub fn is_below(&self, link: usize, above: usize) -> bool {
        self.upward(link).any(|link| link == above)
    }

    /// The lowest link that both hang on.
    pub fn meeting(&self, a: usize, b: usize) -> usize {
        self.upward(a).find(|link| self.is_below(b, *link)).unwrap_or(0)
    }

    /// The link that is moved, of the rigid piece that this one is of.
    pub fn piece_of(&self, link: usize) -> usize {
        self.upward(link).find(|link| self.moves(*link) == 1).unwrap_or(0)
    }

    /// The link and what is fixed to it, outward.
    pub fn cluster(&self, link: usize) -> Vec<usize> {
        self.below(link, |child| self.moves(child) == 0)
    }

    /// Everything on a link and below it.
    pub fn subtree(&self, link: usize) -> Vec<usize> {
        self.below(link, |_| true)
    }

    fn below(&self, link: usize, takes: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut all = vec![link];
        let mut next = 0;
        while let Some(at) = all.get(next).copied() {
            all.extend(self.children[at].iter().filter(|child| takes(**child)));
            next += 1;
        }
        all
    }

    fn leaves(&self) -> Vec<usize> {
        (0..self.children.len()).filter(|link| self.children[*link].is_empty()).collect()
    }

    fn named(&self, link: usize) -> Option<usize> {
        other_side(self.name(link)).iter().find_map(|other| self.description.link(other)).filter(|other| *other != link)
    }

    /// The link of the other side: by its name, else where its mirror image is.
    pub fn partner(&self, link: usize) -> Option<usize> {
        self.named(link).or_else(|| (0..self.children.len()).find(|other| self.mirrors(link, *other)))
    }

    /// Ends of the tree that are called each other's other side, left first.
    fn named_pairs(&self) -> Vec<[usize; 2]> {
        let pair = |leaf: usize| {
            let other = self.named(leaf).filter(|other| *other > leaf)?;
            Some(match left_letter(self.name(leaf), self.name(other)) {
                Some(false) => [other, leaf],
                _ => [leaf, other],
            })
        };
        self.leaves().into_iter().filter_map(pair).collect()
    }

    /// Ends of the tree that have a mirror image, left first.
    pub fn pairs_of_leaves(&self) -> Vec<[usize; 2]> {
        let mut pairs = self.named_pairs();
        // What has a partner by name is nobody else's, even if another frame lies there too.
        let nameless: Vec<usize> = self.leaves().into_iter().filter(|leaf| self.named(*leaf).is_none()).collect();
        for leaf in &nameless {
            let partner = nameless.iter().find(|other| **other > *leaf && self.mirrors(*leaf, **other));
            let Some(partner) = partner else { continue };
            let is_left = self.at_m(*leaf).y > self.at_m(*partner).y;
            pairs.push(if is_left { [*leaf, *partner] } else { [*partner, *leaf] });
        }
        pairs.sort_unstable();
        pairs
    }

    fn mirrors(&self, a: usize, b: usize) -> bool {
        let (here, there) = (self.at_m(a), self.at_m(b));
        let sides_m = [here.y, there.y].map(|y_m| y_m - self.middle_y_m);
        let off = Vector3::new(here.x - there.x, sides_m[0] + sides_m[1], here.z - there.z);
        let joints = |link| self.moving_between(0, link).len();
        a != b && sides_m[0].abs() > 0.01 && off.norm() < 0.02 && joints(a) == joints(b)
    }

    /// Of the shapes that touch things, else of those that are seen; along the axes of the body.
    pub fn points(&self, link: usize) -> impl Iterator<Item = Vector3<f64>> {
        let pose = self.poses[link];
        self.own_points(link).iter().map(move |point| pose.transform_point(&(*point).into()).coords)
    }

    pub fn own_points(&self, link: usize) -> &[Vector3<f64>] {
        self.points[link].get_or_init(|| {
            let link = &self.description.links[link];
            let of = |shapes: &[crate::Shape]| shapes.iter().flat_map(points_m).collect::<Vec<_>>();
            let touching = of(&link.collisions);
            if touching.is_empty() { of(&link.visuals) } else { touching }
        })
    }

    pub fn extent(&self, links: &[usize]) -> Option<Extent> {
        Extent::of(links.iter().flat_map(|link| self.points(*link)))
    }

    /// Between the lowest and the highest link.
    pub fn height_m(&self) -> f64 {
        let heights_m = (0..self.children.len()).map(|link| self.at_m(link).z);
        let (low_m, high_m) =
            heights_m.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z_m| (low.min(z_m), high.max(z_m)));
        (high_m - low_m).max(1e-3)
    }
}

/// Whether the first name is of the left, by the first letters in which they differ; None: these tell nothing.
pub(super) fn left_letter(name: &str, other: &str) -> Option<bool> {
    let mut letters = name.chars().zip(other.chars());
    match letters.find(|(here, there)| here != there) {
        Some(('l' | 'L', 'r' | 'R')) => Some(true),
        Some(('r' | 'R', 'l' | 'L')) => Some(false),
        _ => None,
    }
}
