//! Hands: where arms end, where the palm is and which way it looks.

use geometry::{Matrix3, Pose, UnitQuaternion, Vector3};

use super::body::Body;
use super::frames::placed;
use super::said::BY_A_PERSON;
use super::told::Confidence;
use super::{Found, Frame};
use crate::{Description, Model, Motion, Transform};

/// Joints on a way through the fingers, at most: a longer way is still the arm.
const LONGEST_FINGER: usize = 5;
/// Of an arm: what comes after is a gripper.
const MOST_ARM_JOINTS: usize = 7;
const FINGERS: [&str; 11] =
    ["finger", "thumb", "grip", "jaw", "index", "middle", "pinky", "pinkie", "knuckle", "claw", "fing"];
/// Likeliest first.
const PALMS: [&str; 7] = ["palm", "grasp", "tcp", "tool", "end", "ee", "hand"];
const NO_HANDS: [&str; 12] =
    ["cam", "optical", "imu", "sensor", "force", "skin", "led", "ft", "light", "mount", "collision", "rotor"];
/// A turn that shows which way a finger goes.
const SMALL_RAD: f64 = 0.05;
const ALIKE_RAD: f64 = 0.35;
const LEVEL_RAD: f64 = 0.02;

/// Outward along the way with most joints, until it divides into fingers or ends: the last link that the arm moves.
pub(super) fn wrist(body: &Body, shoulder: usize) -> usize {
    let (mut at, mut wrist, mut joints) = (shoulder, shoulder, 1);
    loop {
        let ways: Vec<usize> =
            body.children[at].iter().copied().filter(|child| body.reach[*child] + body.moves(*child) > 0).collect();
        let Some(next) = ways.iter().rev().copied().max_by_key(|way| body.reach[*way] + body.moves(*way)) else {
            break;
        };
        if ways.len() > 1 && body.reach[at] <= LONGEST_FINGER {
            break;
        }
        let is_last = joints >= MOST_ARM_JOINTS && !body.is_called(next, &["hand", "wrist"]);
        if body.moves(next) == 1 && (is_last || joints > 2 && is_finger(body, next)) {
            break;
        }
        at = next;
        if body.moves(at) == 1 {
            (wrist, joints) = (at, joints + 1);
        }
    }
    wrist
}

fn is_finger(body: &Body, link: usize) -> bool {
    let joint = &body.description.joints[link - 1];
    let slides = matches!(&joint.motion, Motion::Moving(moving) if moving.kind == crate::MovingKind::Prismatic);
    slides || body.is_called(link, &FINGERS)
}

/// What the fingers tell of a hand, along the axes of the body.
struct Fingers {
    /// Of each finger: where it begins and where it ends.
    ends_m: Vec<[Vector3<f64>; 2]>,
    /// Where their tips go when they bend.
    curl: Vector3<f64>,
    /// Across which two fingers close that meet each other.
    closing: Option<Vector3<f64>>,
    /// Where the thumb begins, seen from the others.
    thumb: Option<Vector3<f64>>,
}

impl Fingers {
    /// None: nothing moves beyond the wrist.
    fn of(body: &Body, model: &Model, wrist: usize) -> Option<Fingers> {
        let begins: Vec<usize> = body
            .cluster(wrist)
            .iter()
            .flat_map(|link| body.children[*link].clone())
            .filter(|link| body.moves(*link) == 1)
            .collect();
        let mut fingers = Fingers { ends_m: Vec::new(), curl: Vector3::zeros(), closing: None, thumb: None };
        let mut ways = Vec::new();
        for begin in &begins {
            let tip = tip(body, *begin);
            let way_m = curl_m(body, model, wrist, *begin, &tip);
            fingers.ends_m.push([body.at_m(*begin), body.pose(tip.0).transform_point(&tip.1.into()).coords]);
            ways.push(way_m);
            fingers.curl += way_m;
        }
        let opposed = ways.len() == 2 && ways[0].dot(&ways[1]) < -0.3 * ways[0].norm() * ways[1].norm();
        if opposed || ways.len() == 1 {
            fingers.closing = ways.first().and_then(|way| way.try_normalize(1e-9));
        }
        let thumb = begins.iter().position(|begin| {
            body.subtree(*begin).iter().any(|link| body.is_called(*link, &["thumb"]))
                || body.description.joints[*begin - 1].name.to_lowercase().contains("thumb")
        });
        if let Some(thumb) = thumb.filter(|_| begins.len() > 2) {
            let others = || fingers.ends_m.iter().enumerate().filter(|(at, _)| *at != thumb).map(|(_, ends)| ends[0]);
            let middle_m = others().sum::<Vector3<f64>>() / others().count().max(1) as f64;
            fingers.thumb = Some(fingers.ends_m[thumb][0] - middle_m);
            // A thumb curls across the palm.
            fingers.curl -= ways[thumb];
        }
        (!begins.is_empty()).then_some(fingers)
    }

    fn middle_m(&self, end: usize) -> Vector3<f64> {
        self.ends_m.iter().map(|ends| ends[end]).sum::<Vector3<f64>>() / self.ends_m.len().max(1) as f64
    }
}

/// The furthest point of a finger from where it begins: its link, and where on it.
fn tip(body: &Body, begin: usize) -> (usize, Vector3<f64>) {
    let from_m = body.at_m(begin);
    let mut best = (begin, Vector3::zeros(), 0.0);
    for link in body.subtree(begin) {
        let own = body.own_points(link);
        // Of a fine mesh some points do.
        let points = own.iter().step_by(own.len() / 500 + 1).copied().chain([Vector3::zeros()]);
        for point in points {
            let away_m = (body.pose(link).transform_point(&point.into()).coords - from_m).norm();
            if away_m > best.2 {
                best = (link, point, away_m);
            }
        }
    }
    (best.0, best.1)
}

/// Where the tip goes when all joints of the finger bend a little towards the further end of their range.
fn curl_m(body: &Body, model: &Model, wrist: usize, begin: usize, tip: &(usize, Vector3<f64>)) -> Vector3<f64> {
    let mut positions = vec![0.0; model.coordinates().len()];
    for link in body.upward(tip.0).take_while(|link| body.parent(begin) != Some(*link)) {
        let Some(drive) = link.checked_sub(1).and_then(|_| model.links[link].drive) else { continue };
        let limits = &model.coordinates()[drive.coordinate].limits;
        positions[drive.coordinate] = if limits.upper >= -limits.lower { SMALL_RAD } else { -SMALL_RAD };
    }
    let mut poses = model.new_poses();
    model.forward(&vec![0.0; positions.len()], &mut poses);
    let wrist_from = |poses: &crate::LinkPoses| poses.base_from(wrist).inverse() * poses.base_from(tip.0);
    let still = wrist_from(&poses).transform_point(&tip.1.into()).coords;
    model.forward(&positions, &mut poses);
    let moved = wrist_from(&poses).transform_point(&tip.1.into()).coords;
    body.pose(wrist).transform_vector(&(moved - still))
}

/// Which way the palm of the left hand faces, all joints at zero.
#[derive(Clone, Debug)]
pub(crate) struct Palm {
    pub facing: Facing,
    /// By quarter turns from where the guess has it: the angle, and where it faces then.
    pub turns: [(f64, Facing); 3],
    pub reason: String,
    pub confidence: Confidence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Facing {
    Forward,
    Backward,
    Outward,
    Inward,
    Up,
    Down,
}

impl Facing {
    /// Of a direction along the axes of the body, on its left.
    fn of(way: Vector3<f64>) -> Facing {
        match (way.iamax(), way[way.iamax()] > 0.0) {
            (0, true) => Facing::Forward,
            (0, false) => Facing::Backward,
            (1, true) => Facing::Outward,
            (1, false) => Facing::Inward,
            (_, true) => Facing::Up,
            (_, false) => Facing::Down,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Facing::Forward => "forward",
            Facing::Backward => "backward",
            Facing::Outward => "outward",
            Facing::Inward => "inward",
            Facing::Up => "up",
            Facing::Down => "down",
        }
    }
}

fn palm_told(pose: &Pose, thought: &Thought, turn_rad: f64) -> Palm {
    let facing = |more_rad: f64| {
        let turned = pose.rotation() * UnitQuaternion::from_axis_angle(&Vector3::z_axis(), more_rad);
        Facing::of(turned * -Vector3::y())
    };
    let turn = |quarters: f64| {
        let more_deg = 90.0 * quarters;
        ((turn_rad.to_degrees() + more_deg).rem_euclid(360.0).round(), facing(more_deg.to_radians()))
    };
    Palm {
        facing: facing(0.0),
        turns: [1.0, 2.0, 3.0].map(turn),
        reason: thought.reason.clone(),
        confidence: thought.confidence,
    }
}

/// `said`: links that a person says are the hands, and how far the palms are turned.
pub(super) fn hands(
    body: &Body,
    model: &Model,
    wrists: [usize; 2],
    (said, turn_rad): (Option<[usize; 2]>, f64),
) -> ([Found; 2], Palm) {
    let (left, thought) = left_hand(body, model, wrists[0], (said.map(|said| said[0]), turn_rad));
    let right_cluster = body.cluster(wrists[1]);
    let plane = Pose::from_translation(0.0, body.middle_y_m, 0.0);
    let at = |frame: &Frame| body.pose(frame.link) * frame.link_from_frame.unwrap_or_else(Pose::identity);
    let mirrored = plane * (plane.inverse() * at(&left)).mirrored();
    // The link of the other side's name, where it lies as it should.
    let alike = right_cluster.iter().copied().find(|link| {
        let off = mirrored.distance(&body.pose(*link));
        off.angle_rad < LEVEL_RAD && off.position_m < 0.02
    });
    let right = match alike.filter(|_| left.link_from_frame.is_none()) {
        Some(link) => Frame { link, link_from_frame: None },
        None => placed(body, wrists[1], &mirrored),
    };
    let wrist_off = (plane.inverse() * body.pose(wrists[0])).mirrored().translation_m()
        - (plane.inverse() * body.pose(wrists[1])).translation_m();
    let palm = palm_told(&at(&left), &thought, turn_rad);
    let mut thought = thought;
    if said.is_some() {
        (thought.confidence, thought.reason) = (Confidence::Sure, format!("{BY_A_PERSON}; {}", thought.reason));
    }
    let mut right_thought = thought.clone();
    right_thought.reason = "the mirror image of the left hand".to_owned();
    if wrist_off.norm() > 0.02 {
        right_thought.confidence = Confidence::Doubtful;
        right_thought.reason += &format!(", though its wrist is {:.0} mm off", wrist_off.norm() * 1e3);
    }
    let others = |wrist: usize, frame: &Frame| -> Vec<usize> {
        let ends = body.cluster(wrist).into_iter().chain(body.parent(wrist).map(|parent| body.piece_of(parent)));
        ends.filter(|link| *link != frame.link && !body.is_called(*link, &NO_HANDS)).take(8).collect()
    };
    let found = |frame: Frame, wrist: usize, thought: Thought| Found {
        others: others(wrist, &frame),
        frame,
        reason: thought.reason,
        confidence: thought.confidence,
    };
    ([found(left, wrists[0], thought), found(right, wrists[1], right_thought)], palm)
}

#[derive(Clone)]
struct Thought {
    reason: String,
    confidence: Confidence,
}

fn left_hand(body: &Body, model: &Model, wrist: usize, (said, turn_rad): (Option<usize>, f64)) -> (Frame, Thought) {
    let palm = said.filter(|link| *link != wrist).or_else(|| palm(body, wrist));
    let fingers = Fingers::of(body, model, wrist);
    let (mut rotation, mut thought, mut knows_palm) = turn(body, wrist, palm, fingers.as_ref());
    if turn_rad != 0.0 {
        rotation *= UnitQuaternion::from_axis_angle(&Vector3::z_axis(), turn_rad).to_rotation_matrix().into_inner();
        knows_palm = true;
        thought = Thought {
            reason: format!("{BY_A_PERSON}: turned by {:.0}°", turn_rad.to_degrees()),
            confidence: Confidence::Sure,
        };
    }
    let at_m = place_m(body, wrist, palm, fingers.as_ref(), &rotation);
    let wanted = Pose::from(&Transform { rotation, translation_m: at_m });
    // The file may know better which way a palm faces, where its fingers point so.
    if let Some(palm) = palm {
        let own = body.pose(palm);
        let along = |pose: &Pose, axis: Vector3<f64>| pose.transform_vector(&axis);
        let fingers_agree = along(&own, -Vector3::z()).angle(&along(&wanted, -Vector3::z())) < ALIKE_RAD;
        let palms_agree = !knows_palm || along(&own, Vector3::y()).angle(&along(&wanted, Vector3::y())) < ALIKE_RAD;
        if fingers_agree && palms_agree {
            thought.confidence = if knows_palm { Confidence::Sure } else { Confidence::Likely };
            thought.reason = format!("link `{}` is called so, and lies as a hand does", body.name(palm));
            return (Frame { link: palm, link_from_frame: None }, thought);
        }
    }
    (placed(body, wrist, &wanted), thought)
}

/// A link that is named as one, fixed to the wrist.
fn palm(body: &Body, wrist: usize) -> Option<usize> {
    let cluster = body.cluster(wrist);
    let called = |word: &str| {
        cluster.iter().rev().copied().find(|link| {
            body.name(*link).to_lowercase().split(['_', '-', '/']).any(|part| part == word)
                && !body.is_called(*link, &NO_HANDS)
        })
    };
    PALMS.iter().find_map(|word| called(word))
}

fn place_m(
    body: &Body,
    wrist: usize,
    palm: Option<usize>,
    fingers: Option<&Fingers>,
    rotation: &Matrix3<f64>,
) -> Vector3<f64> {
    let is_apart = |link: &usize| (body.at_m(*link) - body.at_m(wrist)).norm() > 0.01;
    if let Some(palm) = palm.filter(is_apart) {
        return body.at_m(palm);
    }
    let along = -rotation.column(2).into_owned();
    let from_m = body.at_m(wrist);
    match fingers {
        // Between the tips of a gripper; in the palm of a hand, where the fingers begin.
        Some(fingers) if fingers.closing.is_some() => {
            let far_m = (fingers.middle_m(1) - from_m).dot(&along);
            let near_m = (fingers.middle_m(0) - from_m).dot(&along);
            from_m + along * (near_m + 0.7 * (far_m - near_m))
        }
        Some(fingers) => from_m + along * (0.8 * (fingers.middle_m(0) - from_m).dot(&along)).max(0.0),
        None => {
            let far_m = body
                .cluster(wrist)
                .iter()
                .flat_map(|link| body.points(*link).collect::<Vec<_>>())
                .map(|point| (point - from_m).dot(&along))
                .fold(0.0, f64::max);
            from_m + along * far_m * 0.7
        }
    }
}

/// Axes of the hand as columns; whether the fingers tell where the palm is.
fn turn(body: &Body, wrist: usize, palm: Option<usize>, fingers: Option<&Fingers>) -> (Matrix3<f64>, Thought, bool) {
    let along = along_fingers(body, wrist, palm, fingers);
    let z = -along;
    let across = |way: Vector3<f64>| (way - along * way.dot(&along)).try_normalize(1e-9);
    // Arms that reach forward have the thumb up; hanging or spread ones have it in front.
    let usual = if along.x.abs() > 0.7 { Vector3::z() } else { Vector3::x() };
    let from_x = |x: Vector3<f64>| Matrix3::from_columns(&[x, z.cross(&x), z]);
    let fallback = across(usual).or_else(|| across(Vector3::y())).unwrap_or_else(Vector3::x);
    if let Some(fingers) = fingers {
        if let Some(closing) = fingers.closing.and_then(across) {
            let x = closing.cross(&along);
            let x = if x.dot(&fallback) < 0.0 { -x } else { x };
            let reason = "between its fingers, which close from both sides; which one is the thumb is not told";
            return (from_x(x), Thought { reason: reason.to_owned(), confidence: Confidence::Likely }, false);
        }
        // The palm of a left hand faces -y: the thumb is where the palm's way crossed with the fingers' goes.
        let bends_m = fingers.curl - along * fingers.curl.dot(&along);
        if let Some(facing) = bends_m.try_normalize(1e-4) {
            let x = facing.cross(&along);
            let (sure, thumb) = match fingers.thumb.and_then(across) {
                Some(thumb) if thumb.dot(&x) > 0.3 => (Confidence::Sure, "the thumb is where it then should be"),
                Some(thumb) if thumb.dot(&x) < -0.3 => (Confidence::Doubtful, "but the thumb is on the other side"),
                _ => (Confidence::Likely, "no thumb tells more"),
            };
            let reason = format!("the palm faces where its fingers curl; {thumb}");
            return (from_x(x), Thought { reason, confidence: sure }, true);
        }
    }
    let reason = "nothing bends beyond the wrist: which way the palm faces is not told, the thumb is taken to be in front \
                  of a hanging hand and above a stretched one";
    (from_x(fallback), Thought { reason: reason.to_owned(), confidence: Confidence::Doubtful }, false)
}

fn along_fingers(body: &Body, wrist: usize, palm: Option<usize>, fingers: Option<&Fingers>) -> Vector3<f64> {
    let from_m = body.at_m(wrist);
    let centre = |description: &Description| {
        let inertial = description.links[wrist].inertial.as_ref()?;
        Some((body.pose(wrist) * inertial.link_from_centre).translation_m() - from_m)
    };
    let elbow = body.upward(wrist).find(|link| (body.at_m(*link) - from_m).norm() > 0.05).unwrap_or(0);
    let shape = body.extent(&body.cluster(wrist)).map(|extent| extent.middle_m() - from_m);
    let ways = [
        fingers.map(|fingers| fingers.middle_m(1) - from_m),
        palm.map(|palm| body.at_m(palm) - from_m),
        shape,
        centre(body.description),
        Some(from_m - body.at_m(elbow)),
    ];
    ways.into_iter().flatten().find(|way| way.norm() > 0.02).unwrap_or(-Vector3::z()).normalize()
}
