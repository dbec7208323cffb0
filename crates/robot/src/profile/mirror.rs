//! What every position becomes when the robot is seen in a mirror that stands on the x-z plane of its pelvis.

use geometry::{Pose, Vector3};
use serde_json::{Map, Value};

use super::{BodyFrames, Mirrored, parts};
use crate::description::Description;
use crate::model::{LinkPoses, Model, Movement};
use crate::reader::Report;
use crate::reader::join;
use crate::words::other_side;

/// By names for the partner and by the axes for the sign; the file has the last word.
pub(super) fn mirror(file: &Map<String, Value>, model: &Model, pelvis: usize, reader: &mut Report) -> Vec<Mirrored> {
    let axes = Axes::of(model, pelvis);
    let mut mirror: Vec<Mirrored> = (0..model.coordinates().len()).map(|own| derived(own, model, &axes)).collect();
    let written = written(file, model, reader);
    for (own, to, path) in &written {
        mirror[*own] = *to;
        let back = written.iter().find(|(other, ..)| *other == to.coordinate && other != own);
        match back {
            Some((_, back, _)) if (back.coordinate, back.sign) != (*own, to.sign) => {
                let [here, there] = [*own, to.coordinate].map(|coordinate| &model.coordinates()[coordinate].name);
                let message =
                    format!("mirrored twice, `{here}` is not itself again: `{there}` must name it, with the same sign");
                reader.error(path, message);
            }
            _ => {}
        }
        mirror[to.coordinate] = Mirrored { coordinate: *own, sign: to.sign };
    }
    // What is left behind by an override that took its partner stays as it is.
    for own in 0..mirror.len() {
        if mirror[mirror[own].coordinate].coordinate != own {
            mirror[own] = Mirrored { coordinate: own, sign: 1.0 };
        }
    }
    limits_agree(&mirror, model, reader);
    mirror
}

fn written(file: &Map<String, Value>, model: &Model, reader: &mut Report) -> Vec<(usize, Mirrored, String)> {
    let section = reader.section(file, "mirror").cloned().unwrap_or_default();
    let mut written = Vec::new();
    for (name, to) in &section {
        let path = join("mirror", name);
        let Some(object) = reader.object(to, &path) else { continue };
        reader.only(object, &path, &["joint", "sign"]);
        let sign = object.get("sign").map_or(Some(1.0), |sign| reader.number(sign, &join(&path, "sign")));
        if sign.is_some_and(|sign| sign.abs() != 1.0) {
            reader.error(&join(&path, "sign"), "the sign is 1 or -1; left out");
            continue;
        }
        let partner = match object.get("joint") {
            Some(joint) => reader.text(joint, &join(&path, "joint")).unwrap_or(name),
            None => name,
        };
        let own = parts::joint(name, &path, model, reader);
        let coordinate = parts::joint(partner, &join(&path, "joint"), model, reader);
        if let (Some(own), Some(coordinate), Some(sign)) = (own, coordinate, sign) {
            written.push((own, Mirrored { coordinate, sign }, path));
        }
    }
    written
}

fn derived(own: usize, model: &Model, axes: &Axes) -> Mirrored {
    let kind = |coordinate: usize| model.coordinates()[coordinate].kind;
    let named = other_side(&model.coordinates()[own].name).iter().find_map(|other| model.coordinate(other));
    let there = || (0..model.coordinates().len()).find(|other| axes.mirrors(own, *other));
    let partner = named.or_else(there).filter(|partner| kind(*partner) == kind(own));
    let coordinate = partner.unwrap_or(own);
    let along = axes.mirrored(own).dot(&axes.pelvis_axis[coordinate]);
    // A joint that stands askew in the middle has no mirror image: it stays.
    let askew = partner.is_none() && along.abs() < 0.9;
    Mirrored { coordinate, sign: if along < 0.0 && !askew { -1.0 } else { 1.0 } }
}

/// Of the joints at zero, in the pelvis.
struct Axes {
    pelvis_axis: Vec<Vector3<f64>>,
    at_m: Vec<Vector3<f64>>,
    slides: Vec<bool>,
}

impl Axes {
    fn of(model: &Model, pelvis: usize) -> Axes {
        let count = model.coordinates().len();
        let zeros = vec![Vector3::zeros(); count];
        let mut axes = Axes { pelvis_axis: zeros.clone(), at_m: zeros, slides: vec![false; count] };
        let poses = at_zero(model);
        let pelvis_from_base = poses.base_from(pelvis).inverse();
        let mut known = vec![false; count];
        for (index, link) in model.links.iter().enumerate() {
            let Some(drive) = link.drive.filter(|drive| !known[drive.coordinate]) else { continue };
            known[drive.coordinate] = true;
            // The first link of a coordinate may be a follower that turns against its leader.
            let axis = drive.axis * drive.multiplier.signum();
            let pelvis_from_link = pelvis_from_base * poses.base_from(index);
            axes.pelvis_axis[drive.coordinate] = pelvis_from_link.transform_vector(&axis);
            axes.at_m[drive.coordinate] = pelvis_from_link.translation_m();
            axes.slides[drive.coordinate] = drive.movement == Movement::Slide;
        }
        axes
    }

    /// Whether one is where the other is in the mirror, off the middle.
    fn mirrors(&self, own: usize, other: usize) -> bool {
        let (here, there) = (self.at_m[own], self.at_m[other]);
        let off_m = Vector3::new(here.x - there.x, here.y + there.y, here.z - there.z).norm();
        here.y.abs() > 0.02 && off_m < 0.005 && self.mirrored(own).dot(&self.pelvis_axis[other]).abs() > 0.99
    }

    /// A direction seen in the mirror; an axis of turning is one of the other kind, its sense turns as well.
    fn mirrored(&self, coordinate: usize) -> Vector3<f64> {
        let [x, y, z] = self.pelvis_axis[coordinate].into();
        if self.slides[coordinate] { Vector3::new(x, -y, z) } else { Vector3::new(-x, y, -z) }
    }
}

pub(super) fn at_zero(model: &Model) -> LinkPoses {
    let mut poses = model.new_poses();
    model.forward(&vec![0.0; model.coordinates().len()], &mut poses);
    poses
}

fn limits_agree(mirror: &[Mirrored], model: &Model, reader: &mut Report) {
    for (own, to) in mirror.iter().enumerate().filter(|(own, to)| to.coordinate >= *own) {
        let [here, there] = [own, to.coordinate].map(|coordinate| &model.coordinates()[coordinate]);
        let (mut lower, mut upper) = (to.sign * here.limits.lower, to.sign * here.limits.upper);
        if to.sign < 0.0 {
            (lower, upper) = (upper, lower);
        }
        let differs = |a: f64, b: f64| a != b && (a - b).abs() > 0.01;
        if differs(lower, there.limits.lower) || differs(upper, there.limits.upper) {
            let message = format!(
                "joint `{}` in the mirror goes from {lower:.3} to {upper:.3}, but `{}` from {:.3} to {:.3}: mend the limits, or \
                 name partner and sign here",
                here.name, there.name, there.limits.lower, there.limits.upper
            );
            reader.warn(&join("mirror", &here.name), message);
        }
    }
}

/// Poses that are mirrored from one side to the other need frames that are mirror images, not only joints.
pub(super) fn frames_agree(
    description: &Description,
    model: &Model,
    frames: &BodyFrames,
    mirror: &[Mirrored],
    reader: &mut Report,
) {
    let positions: Vec<f64> = model
        .coordinates()
        .iter()
        .enumerate()
        .map(|(index, coordinate)| {
            let share = 0.2 + 0.06 * (index * 7 % 11) as f64;
            let (lower, upper) = (coordinate.limits.lower.max(-2.0), coordinate.limits.upper.min(2.0));
            lower + share * (upper - lower)
        })
        .collect();
    let other: Vec<f64> = mirror.iter().map(|to| to.sign * positions[to.coordinate]).collect();
    let (mut poses, mut other_poses) = (model.new_poses(), model.new_poses());
    model.forward(&positions, &mut poses);
    model.forward(&other, &mut other_poses);
    let pelvis_from = |poses: &LinkPoses, link: usize| poses.base_from(frames.pelvis).inverse() * poses.base_from(link);
    let [hands, soles] = [frames.hands, frames.soles];
    for (path, [left, right]) in [
        ("frames.right_hand", hands),
        ("frames.right_sole", soles),
        ("frames.chest", [frames.chest; 2]),
        ("frames.head", [frames.head; 2]),
    ] {
        let here: Pose = pelvis_from(&poses, left).mirrored();
        let off = here.distance(&pelvis_from(&other_poses, right));
        let [left, right] = [left, right].map(|link| &description.links[link].name);
        if off.position_m > 0.01 {
            let message = format!(
                "in the mirror, `{right}` is {:.3} m from where `{left}` is: the joints between differ, or a sign under `mirror` is wrong",
                off.position_m
            );
            reader.warn(path, message);
        } else if off.angle_rad > 0.02 {
            let message = format!(
                "`{right}` is turned by {:.0}° against the mirror image of `{left}`: mirrored hand poses will be wrong by that. \
                 Add links to the URDF that are mirror images",
                off.angle_rad.to_degrees()
            );
            reader.warn(path, message);
        }
    }
}
