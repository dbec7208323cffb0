use std::collections::BTreeMap;

use geometry::{Unit, Vector3};
use roxmltree::Node;

use super::element::{Report, child};
use super::joint_label;
use crate::description::{Joint, Limits, Mimic, Motion, Moving, MovingKind};
use crate::problem::Severity;

/// Joints between links that exist; indices are those of the links in the file.
pub(super) fn read_all(robot: Node, link_of_name: &BTreeMap<String, usize>, report: &mut Report) -> Vec<Joint> {
    let mut joints: Vec<Joint> = Vec::new();
    let mut names = BTreeMap::new();
    for element in robot.children().filter(|e| e.has_tag_name("joint")) {
        let name = element.attribute("name").unwrap_or_default().to_owned();
        let label = joint_label(&name);
        if name.is_empty() {
            report.add(Severity::Error, element, &label, "the joint has no name");
        }
        if names.contains_key(&name) {
            report.add(Severity::Error, element, &label, "there is a joint of this name above; left out");
            continue;
        }
        let mut end = |tag: &str| {
            let link = child(element, tag).and_then(|end| end.attribute("link"));
            let found = link.and_then(|link| link_of_name.get(link)).copied();
            if found.is_none() {
                let message = match link {
                    Some(link) => format!("its {tag} link `{link}` does not exist; left out"),
                    None => format!("it names no {tag} link; left out"),
                };
                report.add(Severity::Error, element, &label, message);
            }
            found
        };
        let (parent, child) = (end("parent"), end("child"));
        let (Some(parent), Some(child)) = (parent, child) else { continue };
        let parent_from_joint = report.origin(element, &label);
        let motion = motion(element, &label, report);
        names.insert(name.clone(), joints.len());
        joints.push(Joint { name, line: report.line(element), parent, child, parent_from_joint, motion });
    }
    settle_mimics(&mut joints, &names, report);
    joints
}

fn motion(element: Node, label: &str, report: &mut Report) -> Motion {
    let kind = match element.attribute("type").unwrap_or_default() {
        "revolute" => MovingKind::Revolute,
        "continuous" => MovingKind::Continuous,
        "prismatic" => MovingKind::Prismatic,
        "fixed" => return Motion::Fixed,
        free @ ("floating" | "planar") => {
            report.add(
                Severity::Note,
                element,
                label,
                format!("a {free} joint is taken as fixed: the base moves by itself"),
            );
            return Motion::Fixed;
        }
        other => {
            report.add(Severity::Error, element, label, format!("unknown type `{other}`; taken as fixed"));
            return Motion::Fixed;
        }
    };
    let written =
        child(element, "axis").and_then(|axis| report.numbers::<3>(axis, "xyz", label)).unwrap_or([1.0, 0.0, 0.0]);
    let Some(axis) = Unit::try_new(Vector3::from(written), 1e-9) else {
        report.add(Severity::Error, element, label, "the axis is zero; taken as fixed");
        return Motion::Fixed;
    };
    Motion::Moving(Moving {
        kind,
        axis,
        limits: limits(element, kind, label, report),
        mimic: mimic(element, label, report),
    })
}

fn limits(element: Node, kind: MovingKind, label: &str, report: &mut Report) -> Limits {
    let ends = kind != MovingKind::Continuous;
    let Some(written) = child(element, "limit") else {
        if ends {
            report.add(Severity::Warning, element, label, "no <limit>: it may move without end");
        }
        return Limits::NONE;
    };
    let mut limits = Limits::NONE;
    // Many exporters write 0 for what they do not know.
    let positive = |number: Option<f64>| number.filter(|number| *number > 0.0).unwrap_or(f64::INFINITY);
    limits.effort = positive(report.number(written, "effort", label));
    limits.speed = positive(report.number(written, "velocity", label));
    if ends {
        // Left out, the format says zero.
        let lower = report.number(written, "lower", label).unwrap_or(0.0);
        let upper = report.number(written, "upper", label).unwrap_or(0.0);
        if lower > upper {
            report.add(
                Severity::Error,
                written,
                label,
                format!("lower limit {lower} is above upper limit {upper}; swapped"),
            );
        }
        (limits.lower, limits.upper) = (lower.min(upper), lower.max(upper));
    }
    limits
}

fn mimic(element: Node, label: &str, report: &mut Report) -> Option<Mimic> {
    let written = child(element, "mimic")?;
    Some(Mimic {
        leader: written.attribute("joint").unwrap_or_default().to_owned(),
        multiplier: report.number(written, "multiplier", label).unwrap_or(1.0),
        offset: report.number(written, "offset", label).unwrap_or(0.0),
    })
}

/// A joint may mimic one that mimics: afterwards every leader moves by itself.
fn settle_mimics(joints: &mut [Joint], names: &BTreeMap<String, usize>, report: &mut Report) {
    let written: Vec<Option<Mimic>> = joints.iter().map(|joint| joint.mimic().cloned()).collect();
    for index in 0..joints.len() {
        let Some(mut mimic) = written[index].clone() else { continue };
        let mut settled = Err("in a circle");
        for _ in 0..joints.len() {
            match names.get(&mimic.leader).map(|leader| (&joints[*leader].motion, &written[*leader])) {
                None => settled = Err("a joint that does not exist"),
                Some((Motion::Fixed, _)) => settled = Err("a joint that does not move"),
                Some((Motion::Moving(_), None)) => settled = Ok(()),
                Some((Motion::Moving(_), Some(next))) => {
                    mimic.offset += mimic.multiplier * next.offset;
                    mimic.multiplier *= next.multiplier;
                    mimic.leader.clone_from(&next.leader);
                    continue;
                }
            }
            break;
        }
        let joint = &mut joints[index];
        if let Err(why) = settled {
            let message = format!("it mimics `{}`, {why}; it moves by itself", mimic.leader);
            report.add_at(Severity::Warning, joint.line, &joint_label(&joint.name), message);
        }
        if let Motion::Moving(moving) = &mut joint.motion {
            moving.mimic = settled.is_ok().then_some(mimic);
        }
    }
}

impl Joint {
    pub fn mimic(&self) -> Option<&Mimic> {
        match &self.motion {
            Motion::Moving(moving) => moving.mimic.as_ref(),
            Motion::Fixed => None,
        }
    }
}
