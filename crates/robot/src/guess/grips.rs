//! Postures of the fingers: open, closed, and what behaviors ask for between.

use geometry::Vector3;

use crate::{LinkPoses, MovingKind, PartName, Robot, Side};

/// How far fingers and thumb are closed, of the way from open to closed.
const GRIPS: [(&str, f64, f64); 11] = [
    ("open", 0.0, 0.0),
    ("close", 0.9, 0.9),
    ("pinch", 0.65, 0.75),
    ("flat", 0.0, 0.6),
    ("hook", 0.7, 0.0),
    ("relax", 0.2, 0.2),
    ("door_lever_open", 0.3, 0.0),
    ("door_lever_close", 0.85, 0.0),
    ("door_lever_crush", 1.0, 1.0),
    ("key_open", 0.85, 0.0),
    ("key_close", 0.85, 0.7),
];
/// A gripper has no thumb to keep away: it gives the opening that serves the purpose.
const GRIPPER_GRIPS: [(&str, f64); 11] = [
    ("open", 0.0),
    ("close", 0.9),
    ("pinch", 0.8),
    ("flat", 0.5),
    ("hook", 0.7),
    ("relax", 0.35),
    ("door_lever_open", 0.0),
    ("door_lever_close", 0.75),
    ("door_lever_crush", 1.0),
    ("key_open", 0.3),
    ("key_close", 0.9),
];

/// A joint of the left hand, with where it is open and where it is closed.
struct Finger {
    coordinate: usize,
    open: f64,
    closed: f64,
    is_thumb: bool,
}

pub(super) struct Grip {
    pub name: &'static str,
    /// Of the left hand: coordinate and position.
    pub positions: Vec<(usize, f64)>,
}

/// Empty: there are no fingers. How much nearer the tips come to each other and to the palm, m, tells how sure that is.
/// `reversed`: a person says that they close the other way.
pub(super) fn grips(robot: &Robot, reversed: bool) -> (Vec<Grip>, f64) {
    let Some(hand) = robot.part(PartName::Hand(Side::Left)) else { return (Vec::new(), 0.0) };
    let (fingers, nearer_m): (Vec<Finger>, Vec<f64>) =
        hand.coordinates.iter().filter_map(|coordinate| finger(robot, *coordinate, reversed)).unzip();
    let has_thumb = fingers.iter().any(|finger| finger.is_thumb) && fingers.iter().any(|finger| !finger.is_thumb);
    let at = |share: f64, finger: &Finger| (finger.coordinate, finger.open + share * (finger.closed - finger.open));
    let grip = |(name, fingers_share, thumb_share): (&'static str, f64, f64)| Grip {
        name,
        positions: fingers.iter().map(|f| at(if f.is_thumb { thumb_share } else { fingers_share }, f)).collect(),
    };
    let grips = if has_thumb {
        GRIPS.into_iter().map(grip).collect()
    } else {
        GRIPPER_GRIPS.into_iter().map(|(name, share)| grip((name, share, share))).collect()
    };
    if fingers.is_empty() { (Vec::new(), 0.0) } else { (grips, nearer_m.into_iter().fold(0.0, f64::max)) }
}

/// The end of its range at which the tips are nearest to each other and to the palm is closed.
fn finger(robot: &Robot, coordinate: usize, reversed: bool) -> Option<(Finger, f64)> {
    let model = &robot.model;
    let known = &model.coordinates()[coordinate];
    let ends = [known.limits.lower, known.limits.upper];
    if known.kind == MovingKind::Continuous || !ends.iter().all(|end| end.is_finite()) || ends[0] == ends[1] {
        return None;
    }
    let neutral = model.neutral();
    let mut poses = model.new_poses();
    let mut spread_m = |position: f64| {
        let mut positions = neutral.clone();
        positions[coordinate] = position;
        model.forward(&positions, &mut poses);
        spread_m(robot, &poses)
    };
    let away = ends.map(&mut spread_m);
    let closed = usize::from((away[1] < away[0]) != reversed);
    // Fingers that bend back beyond straight are open where they are straight.
    let open = if known.kind == MovingKind::Revolute && ends[0] < 0.0 && ends[1] > 0.0 {
        let straight_m = spread_m(0.0);
        if reversed || straight_m > away[1 - closed] - 1e-3 { 0.0 } else { ends[1 - closed] }
    } else {
        ends[1 - closed]
    };
    let link = model.link_of(coordinate)?;
    let called = |name: &str| name.to_lowercase().contains("thumb");
    let is_thumb = called(&known.name) || called(&model.links[link].name);
    Some((Finger { coordinate, open, closed: ends[closed], is_thumb }, (away[0] - away[1]).abs()))
}

/// Sum of the distances of the ends of the fingers from each other and from the palm.
fn spread_m(robot: &Robot, poses: &LinkPoses) -> f64 {
    let palm_m = poses.base_from(robot.frames.hands[0]).translation_m();
    let tips_m = tips_m(robot, poses);
    let mut sum_m = 0.0;
    for (index, tip_m) in tips_m.iter().enumerate() {
        sum_m += (tip_m - palm_m).norm();
        sum_m += tips_m[..index].iter().map(|other_m| (other_m - tip_m).norm()).sum::<f64>();
    }
    sum_m
}

/// Of what the left hand moves: the ends of its branches. A link with no frame at its tip counts by its middle.
fn tips_m(robot: &Robot, poses: &LinkPoses) -> Vec<Vector3<f64>> {
    let Some(hand) = robot.part(PartName::Hand(Side::Left)) else { return Vec::new() };
    let links = &robot.model.links;
    let moved = |link: usize| links[link].drive.is_some_and(|drive| hand.coordinates.contains(&drive.coordinate));
    let below = |link: usize| std::iter::successors(Some(link), |link| links[*link].parent).any(moved);
    let is_end = |link: &usize| below(*link) && !links.iter().any(|other| other.parent == Some(*link));
    let middle = |link: usize| {
        let inertial = robot.description.links[link].inertial.as_ref();
        let at = inertial.map_or(Vector3::zeros(), |inertial| inertial.link_from_centre.translation_m());
        poses.base_from(link).transform_point(&at.into()).coords
    };
    (0..links.len()).filter(is_end).map(middle).collect()
}
