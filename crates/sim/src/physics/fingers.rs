//! How far the tip of a finger is from the joint that moves it.

use robot::{Description, Geometry, Motion, MovingKind, Robot, Shape};

/// Of a joint that turns; 1 of one that slides, where effort is force.
pub(super) fn lever_m(robot: &Robot, coordinate: usize) -> f64 {
    let description = &robot.description;
    let name = &robot.model.coordinates()[coordinate].name;
    let Some(joint) = description.joints.iter().find(|joint| joint.name == *name) else { return 1.0 };
    match &joint.motion {
        Motion::Moving(moving) if moving.kind != MovingKind::Prismatic => reach_m(description, joint.child),
        _ => 1.0,
    }
}

/// From the frame of a link to the furthest point of what hangs on it.
fn reach_m(description: &Description, link: usize) -> f64 {
    let own = description.links[link].collisions.iter().map(|shape| {
        let middle_m = shape.link_from_shape.translation_m().norm();
        middle_m + half_m(shape)
    });
    let below = description.joints.iter().filter(|joint| joint.parent == link);
    let below = below.map(|joint| joint.parent_from_joint.translation_m().norm() + reach_m(description, joint.child));
    own.chain(below).fold(0.0, f64::max)
}

fn half_m(shape: &Shape) -> f64 {
    match &shape.geometry {
        Geometry::Box { size_m } => 0.5 * size_m.amax(),
        Geometry::Cylinder { radius_m, length_m } => (0.5 * length_m).max(*radius_m),
        Geometry::Capsule { radius_m, length_m } => 0.5 * length_m + radius_m,
        Geometry::Sphere { radius_m } => *radius_m,
        Geometry::Mesh { .. } => 0.0,
    }
}
