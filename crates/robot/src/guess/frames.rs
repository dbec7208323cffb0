//! Frames as behaviors expect them: a pelvis and soles with x forward and z up.

use geometry::{Pose, Vector3};

use super::body::{Body, Extent};
use super::said::BY_A_PERSON;
use super::told::Confidence;
use super::{Found, Frame};

/// Of what a person would not see.
const LEVEL_RAD: f64 = 0.02;
const NEAR_M: f64 = 0.003;
/// What is this near to the lowest point of a foot stands on the ground.
const GROUND_M: f64 = 0.008;
/// No robot's foot is smaller.
const SMALLEST_M: [f64; 2] = [0.04, 0.015];

pub(super) fn level(body: &Body, link: usize) -> Frame {
    placed(body, link, &Pose::new(body.at_m(link), Default::default()))
}

pub(super) fn placed(body: &Body, link: usize, upright_from_frame: &Pose) -> Frame {
    let link_from_frame = body.pose(link).inverse() * *upright_from_frame;
    let off = link_from_frame.distance(&Pose::identity());
    let there = off.position_m < NEAR_M && off.angle_rad < LEVEL_RAD;
    Frame { link, link_from_frame: (!there).then_some(link_from_frame) }
}

/// What of a foot stands on the ground, along the axes of the body. None: its shapes tell nothing.
pub(super) fn footprint(body: &Body, foot: usize) -> Option<Extent> {
    let cluster = body.cluster(foot);
    let points: Vec<Vector3<f64>> = cluster.iter().flat_map(|link| body.points(*link).collect::<Vec<_>>()).collect();
    let lowest_m = points.iter().map(|point| point.z).fold(f64::INFINITY, f64::min);
    let whole = Extent::of(points.iter().copied())?;
    let near = Extent::of(points.iter().copied().filter(|point| point.z < lowest_m + GROUND_M))?;
    let large_enough = |extent: &Extent| extent.size_m().x > SMALLEST_M[0] && extent.size_m().y > SMALLEST_M[1];
    // Round soles touch with little: then all of the foot counts.
    let print = if large_enough(&near) { near } else { whole };
    let flat = Extent { low_m: print.low_m, high_m: Vector3::new(print.high_m.x, print.high_m.y, lowest_m) };
    // A file whose shapes are turned otherwise than its links tells nothing of them.
    let foot_like = print.size_m().x > 0.8 * print.size_m().y;
    (large_enough(&print) && foot_like)
        .then_some(Extent { low_m: Vector3::new(flat.low_m.x, flat.low_m.y, lowest_m), ..flat })
}

/// In the middle of the lowest face of the foot, where the shapes tell; else where the file has one, or the lowest link.
/// `said`: links that a person says are the feet.
pub(super) fn soles(body: &Body, feet: [usize; 2], said: Option<[usize; 2]>) -> [Found; 2] {
    let plane = Pose::from_translation(0.0, body.middle_y_m, 0.0);
    let left = sole(body, feet[0], said.map(|said| said[0]));
    let right = sole(body, feet[1], said.map(|said| said[1]));
    let at = |frame: &Frame| body.pose(frame.link) * frame.link_from_frame.unwrap_or_else(Pose::identity);
    let mirrored = plane * (plane.inverse() * at(&left.frame)).mirrored();
    let off = mirrored.distance(&at(&right.frame));
    // Frames that nearly are mirror images are not touched.
    if off.position_m < 0.02 && off.angle_rad < LEVEL_RAD {
        return [left, right];
    }
    let confidence = if off.position_m < 0.03 { Confidence::Likely } else { Confidence::Doubtful };
    let reason = format!("the mirror image of the left sole; its own shape has it {:.0} mm off", off.position_m * 1e3);
    let right = Found { frame: placed(body, feet[1], &mirrored), reason, confidence, ..right };
    [left, right]
}

fn sole(body: &Body, foot: usize, said: Option<usize>) -> Found {
    let found = sole_of(body, foot, said);
    if said.is_none() {
        return found;
    }
    Found { confidence: Confidence::Sure, reason: format!("{BY_A_PERSON}; {}", found.reason), ..found }
}

fn sole_of(body: &Body, foot: usize, said: Option<usize>) -> Found {
    let cluster = body.cluster(foot);
    let named = said.or_else(|| cluster.iter().copied().find(|link| body.is_called(*link, &["sole"])));
    let others: Vec<usize> = cluster.iter().copied().filter(|link| *link != foot).take(8).collect();
    let found = |frame: Frame, reason: &str, confidence| Found {
        frame,
        reason: reason.to_owned(),
        confidence,
        others: others.clone(),
    };
    let lies_level = |link: usize| body.pose(link).rotation().angle() < LEVEL_RAD;
    let Some(print) = footprint(body, foot) else {
        if let Some(link) = named {
            return found(
                level(body, link),
                "by its link: the foot has no shape that could be measured",
                Confidence::Likely,
            );
        }
        let lowest = cluster.iter().copied().min_by(|a, b| body.at_m(*a).z.total_cmp(&body.at_m(*b).z)).unwrap_or(foot);
        let why = "the lowest frame of the foot: it has no shape that could be measured, so the sole is too high by what is \
                   below the ankle";
        return found(level(body, lowest), why, Confidence::Doubtful);
    };
    let middle_m = print.middle_m();
    let size_m = print.size_m();
    let lies_there = |link: &usize| {
        let off_m = body.at_m(*link) - middle_m;
        lies_level(*link) && off_m.z.abs() < 0.002 && off_m.x.abs() < 0.2 * size_m.x && off_m.y.abs() < 0.2 * size_m.y
    };
    if let Some(link) = named.filter(lies_there) {
        return found(
            Frame { link, link_from_frame: None },
            "by its link, which lies under the foot",
            Confidence::Sure,
        );
    }
    let unnamed = cluster.iter().copied().find(|link| lies_there(link) && (body.at_m(*link) - middle_m).norm() < 0.02);
    if let Some(link) = unnamed {
        return found(
            Frame { link, link_from_frame: None },
            "a link lies in the middle under the foot",
            Confidence::Sure,
        );
    }
    let reason = format!("the middle of what the foot stands on, {:.0} × {:.0} mm", size_m.x * 1e3, size_m.y * 1e3);
    let confidence = if size_m.x < 0.5 && size_m.y < 0.35 { Confidence::Likely } else { Confidence::Doubtful };
    found(placed(body, foot, &Pose::new(middle_m, Default::default())), &reason, confidence)
}
