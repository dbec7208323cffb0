//! How far the tip of a finger is from the joint that moves it.

use robot::{Description, Motion, MovingKind, PartName, Robot, Side};

/// Of a finger whose links have neither shapes nor length.
const SHORTEST_M: f64 = 0.02;

/// Of each coordinate of the model that moves a finger.
pub(super) fn levers_m(robot: &Robot) -> Vec<f64> {
    let mut levers_m = vec![0.0; robot.model.coordinates().len()];
    for coordinate in
        Side::BOTH.iter().filter_map(|side| robot.part(PartName::Hand(*side))).flat_map(|hand| &hand.coordinates)
    {
        levers_m[*coordinate] = lever_m(robot, *coordinate);
    }
    levers_m
}

/// Of a joint that turns; 1 of one that slides, where effort is force.
fn lever_m(robot: &Robot, coordinate: usize) -> f64 {
    let description = &robot.description;
    let name = &robot.model.coordinates()[coordinate].name;
    let Some(joint) = description.joints.iter().find(|joint| joint.name == *name) else { return 1.0 };
    match &joint.motion {
        Motion::Moving(moving) if moving.kind != MovingKind::Prismatic => {
            reach_m(description, joint.child).max(SHORTEST_M)
        }
        _ => 1.0,
    }
}

/// From the frame of a link to the furthest point of what hangs on it.
fn reach_m(description: &Description, link: usize) -> f64 {
    let own = description.links[link].collisions.iter().map(robot::Shape::furthest_m);
    let below = description.joints.iter().filter(|joint| joint.parent == link);
    let below = below.map(|joint| joint.parent_from_joint.translation_m().norm() + reach_m(description, joint.child));
    own.chain(below).fold(0.0, f64::max)
}
