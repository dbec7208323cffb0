//! What a robot cannot do of angles that were written, known before anything moves.

use std::sync::Arc;

use robot::{MovingKind, PartName, Robot};

use super::turns::{Turns, hinges_of};

/// Angles are written to a thousandth of a degree: that much past a limit is no mistake.
const ROUNDING: f64 = 1e-4;

/// A joint by name, in degrees, or in metres where `slides`.
pub fn joint(robot: &Robot, name: &str, position: f64, slides: bool) -> Option<String> {
    let Some(at) = robot.model.coordinate(name) else {
        let joints = robot.model.coordinates().iter().map(|each| each.name.as_str());
        let near = model::file::nearest(name, joints).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Some(format!("robot `{}` has no joint `{name}`{near}", robot.name));
    };
    match (robot.model.coordinates()[at].kind == MovingKind::Prismatic, slides) {
        (true, false) => Some(format!("joint `{name}` slides: give it in metres")),
        (false, true) => Some(format!("joint `{name}` turns: give it in degrees")),
        (true, true) => beyond(robot, at, position, (1.0, " m")),
        (false, false) => beyond(robot, at, position, (1_f64.to_degrees(), "°")),
    }
}

/// Angles of all joints of a part, in their order, in degrees. None written: nothing to judge.
pub fn part(robot: &Robot, name: PartName, angles_deg: &[f64]) -> Vec<String> {
    let Some(part) = robot.part(name).filter(|_| !angles_deg.is_empty()) else { return Vec::new() };
    if part.coordinates.len() != angles_deg.len() {
        let (has, written) = (part.coordinates.len(), angles_deg.len());
        return vec![format!("the {name} of robot `{}` has {has} joints, and {written} angles are given", robot.name)];
    }
    let in_order = part.coordinates.iter().zip(angles_deg);
    in_order.filter_map(|(at, angle_deg)| beyond(robot, *at, *angle_deg, (1_f64.to_degrees(), "°"))).collect()
}

/// A part that turns so: for yaw, pitch and roll the field and what is wrong.
pub fn turns(robot: &Robot, name: PartName, turns: &Turns) -> Vec<(&'static str, String)> {
    const FIELDS: [&str; 3] = ["roll_deg", "pitch_deg", "yaw_deg"];
    const WORDS: [&str; 3] = ["lean sideways", "bend", "turn"];
    // What it does not have at all is told by others.
    let Some(part) = robot.part(name) else { return Vec::new() };
    let hinges = hinges_of(&Arc::new(robot.clone()), part);
    let judge = |axis: usize| {
        let wanted_rad = turns.about(axis);
        match hinges.iter().find(|hinge| hinge.axis == axis) {
            Some(hinge) => {
                let written_deg = hinge.sign * libm::round(wanted_rad.to_degrees() * 1e6) / 1e6;
                beyond(robot, hinge.coordinate, written_deg, (1_f64.to_degrees(), "°"))
            }
            None if turns.is_still(axis) => None,
            None => Some(format!("the {name} of robot `{}` cannot {}", robot.name, WORDS[axis])),
        }
    };
    [2, 1, 0].into_iter().filter_map(|axis| judge(axis).map(|wrong| (FIELDS[axis], wrong))).collect()
}

fn beyond(robot: &Robot, at: usize, position: f64, (per_unit, unit): (f64, &str)) -> Option<String> {
    let coordinate = &robot.model.coordinates()[at];
    let (lower, upper) = (coordinate.limits.lower * per_unit, coordinate.limits.upper * per_unit);
    let fits = position >= lower - ROUNDING * per_unit && position <= upper + ROUNDING * per_unit;
    (!fits).then(|| {
        let name = &coordinate.name;
        format!(
            "joint `{name}` of robot `{}` goes from {lower:.1}{unit} to {upper:.1}{unit}, not to {position}{unit}",
            robot.name
        )
    })
}
