//! What a robot cannot do of angles that were written, known before anything moves.

use robot::{MovingKind, PartName, Robot};

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
