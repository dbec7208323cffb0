//! Frames as behaviors expect them: a pelvis and soles with x forward and z up, hands with the fingers along -z, the thumb
//! along x, the right one the mirror image of the left.

use geometry::{Matrix3, Pose, Vector3};

use super::Frame;
use super::body::Body;
use crate::Transform;

/// Of what a person would not see.
const LEVEL_RAD: f64 = 0.02;
const NEAR_M: f64 = 0.003;
const HAND_NAMES: [&str; 7] = ["palm", "grasp", "tcp", "tool", "end_effector", "ee", "hand"];

pub(super) fn plain(link: usize) -> Frame {
    Frame { link, link_from_frame: None }
}

/// The pelvis with x forward: left is where the left leg is.
pub(super) fn level(body: &Body, pelvis: usize) -> Frame {
    let wanted = Pose::new(body.at_m(pelvis), body.facing);
    placed(body, pelvis, &wanted)
}

/// In the middle of the lowest face of the foot, where the shapes tell; else the lowest link.
pub(super) fn soles(body: &Body, pelvis: usize, feet: [usize; 2]) -> [Frame; 2] {
    let plane = plane(body, pelvis);
    let left = sole(body, feet[0]);
    let right = sole(body, feet[1]);
    let base_from_left = plane.inverse() * pose_of(body, &left);
    let mirrored = plane * base_from_left.mirrored();
    let off = mirrored.distance(&pose_of(body, &right));
    // Frames that nearly are mirror images are not touched.
    if off.position_m < 0.02 && off.angle_rad < LEVEL_RAD {
        [left, right]
    } else {
        [left, placed(body, right.link, &mirrored)]
    }
}

fn sole(body: &Body, foot: usize) -> Frame {
    let cluster = body.cluster(foot);
    let lowest = cluster.iter().copied().min_by(|a, b| body.at_m(*a).z.total_cmp(&body.at_m(*b).z)).unwrap_or(foot);
    let mut at_m = body.at_m(lowest);
    if let Some(extent) = body.extent(&cluster, &body.poses).filter(|extent| at_m.z - extent.low_m.z > 0.01) {
        let middle_m = (extent.low_m + extent.high_m) / 2.0;
        at_m = Vector3::new(middle_m.x, middle_m.y, extent.low_m.z);
    }
    placed(body, lowest, &Pose::new(at_m, body.facing))
}

pub(super) fn hands(body: &Body, pelvis: usize, wrists: [usize; 2]) -> [Frame; 2] {
    let plane = plane(body, pelvis);
    let [left, right] = wrists.map(|wrist| palm(body, wrist));
    let wanted =
        Pose::from(&Transform { rotation: along_fingers(body, wrists[0], left), translation_m: body.at_m(left) });
    // The file may know better which way a palm faces: only where its fingers point is asked of it.
    let own = body.poses.base_from(left);
    let down = |pose: &Pose| pose.transform_vector(&-Vector3::z());
    let left = if down(&own).angle(&down(&wanted)) < 0.35 { plain(left) } else { placed(body, left, &wanted) };
    let mirrored = plane * (plane.inverse() * pose_of(body, &left)).mirrored();
    let off = mirrored.distance(&body.poses.base_from(right));
    let right =
        if off.angle_rad < LEVEL_RAD && off.position_m < 0.02 { plain(right) } else { placed(body, right, &mirrored) };
    [left, right]
}

/// A link that is named as one, fixed to the wrist; else the wrist.
fn palm(body: &Body, wrist: usize) -> usize {
    let cluster = body.cluster(wrist);
    let named = |word: &&str| {
        let has = |link: &&usize| body.name(**link).to_lowercase().split(['_', '-', '/']).any(|part| part == *word);
        cluster.iter().rev().find(has).copied()
    };
    HAND_NAMES.iter().find_map(named).unwrap_or(wrist)
}

fn along_fingers(body: &Body, wrist: usize, palm: usize) -> Matrix3<f64> {
    let from_m = body.at_m(wrist);
    let tips: Vec<usize> = body.subtree(wrist).into_iter().filter(|link| body.children[*link].is_empty()).collect();
    let middle_m = tips.iter().map(|tip| body.at_m(*tip)).sum::<Vector3<f64>>() / tips.len().max(1) as f64;
    let centre = body.description.links[wrist].inertial.as_ref().map(|inertial| inertial.link_from_centre);
    let centre_m = centre.map_or(from_m, |centre| (body.poses.base_from(wrist) * centre).translation_m());
    let elbow = body.upward(wrist).find(|link| (body.at_m(*link) - from_m).norm() > 0.05).unwrap_or(0);
    let ways = [middle_m - from_m, body.at_m(palm) - from_m, centre_m - from_m, from_m - body.at_m(elbow)];
    let fingers = ways.into_iter().find(|way| way.norm() > 0.02).unwrap_or(-Vector3::z()).normalize();
    // Arms that reach forward have the thumb up; hanging or spread ones have it in front.
    let thumb = if fingers.x.abs() > 0.7 { Vector3::z() } else { body.facing * Vector3::x() };
    let z = -fingers;
    let x = (thumb - z * thumb.dot(&z)).normalize();
    Matrix3::from_columns(&[x, z.cross(&x), z])
}

/// The plane between left and right: x forward, z up.
fn plane(body: &Body, pelvis: usize) -> Pose {
    Pose::new(body.at_m(pelvis), body.facing)
}

fn pose_of(body: &Body, frame: &Frame) -> Pose {
    body.poses.base_from(frame.link) * frame.link_from_frame.unwrap_or_else(Pose::identity)
}

fn placed(body: &Body, link: usize, base_from_frame: &Pose) -> Frame {
    let link_from_frame = body.poses.base_from(link).inverse() * *base_from_frame;
    let off = link_from_frame.distance(&Pose::identity());
    let there = off.position_m < NEAR_M && off.angle_rad < LEVEL_RAD;
    Frame { link, link_from_frame: (!there).then_some(link_from_frame) }
}
