//! A capsule as URDF 1.0 has to say it: a cylinder, and behind it a ball of its radius at each of its ends.

use geometry::Vector3;

use crate::description::{Geometry, Shape};

/// Files are written with few digits.
const SAME_M: f64 = 1e-4;

/// Reads those three as the one shape that they are: quicker to judge for collisions, and without seams.
pub(super) fn fused(shapes: Vec<Shape>) -> Vec<Shape> {
    let mut fused = Vec::with_capacity(shapes.len());
    let mut at = 0;
    while let Some(shape) = shapes.get(at) {
        let geometry = capsule(shape, shapes.get(at + 1..at + 3).unwrap_or_default());
        at += if geometry.is_some() { 3 } else { 1 };
        fused.push(Shape { geometry: geometry.unwrap_or_else(|| shape.geometry.clone()), ..shape.clone() });
    }
    fused
}

fn capsule(shape: &Shape, ahead: &[Shape]) -> Option<Geometry> {
    let (&Geometry::Cylinder { radius_m, length_m }, [one, other]) = (&shape.geometry, ahead) else { return None };
    let pose = &shape.link_from_shape;
    let end = |z_m: f64| pose.translation_m() + pose.transform_vector(&Vector3::new(0.0, 0.0, z_m));
    let is_at = |ball: &Shape, end: Vector3<f64>| {
        matches!(ball.geometry, Geometry::Sphere { radius_m: ball_m } if (ball_m - radius_m).abs() < SAME_M)
            && (ball.link_from_shape.translation_m() - end).norm() < SAME_M
            && ball.colour == shape.colour
    };
    let (top, bottom) = (end(length_m / 2.0), end(-length_m / 2.0));
    let fits = (is_at(one, top) && is_at(other, bottom)) || (is_at(one, bottom) && is_at(other, top));
    fits.then_some(Geometry::Capsule { radius_m, length_m })
}
