//! The points of a shape: what guessing sees of feet and hands.

use geometry::Vector3;

use crate::description::{Geometry, Shape};
use crate::mesh_points;

/// In the frame of the link. None of a mesh that cannot be read.
pub(super) fn points_m(shape: &Shape) -> Vec<Vector3<f64>> {
    let corners = |half_m: Vector3<f64>| {
        [-1.0, 1.0].iter().flat_map(move |x| {
            [-1.0, 1.0]
                .iter()
                .flat_map(move |y| [-1.0, 1.0].iter().map(move |z| half_m.component_mul(&Vector3::new(*x, *y, *z))))
        })
    };
    let points: Vec<Vector3<f64>> = match &shape.geometry {
        Geometry::Box { size_m } => corners(size_m / 2.0).collect(),
        Geometry::Sphere { radius_m } => round(*radius_m, &[0.0]),
        Geometry::Cylinder { radius_m, length_m } => {
            let rim = |z_m: f64| {
                (0..16).map(move |at| {
                    let turn = f64::from(at) * std::f64::consts::TAU / 16.0;
                    Vector3::new(radius_m * libm::cos(turn), radius_m * libm::sin(turn), z_m)
                })
            };
            [-0.5, 0.5].iter().flat_map(|end| rim(end * length_m)).collect()
        }
        Geometry::Capsule { radius_m, length_m } => round(*radius_m, &[-0.5 * length_m, 0.5 * length_m]),
        Geometry::Mesh { path, scale } => mesh_points::points(path, scale).unwrap_or_default(),
    };
    points.iter().map(|point| shape.link_from_shape.transform_point(&(*point).into()).coords).collect()
}

/// The six outermost points of balls along z.
fn round(radius_m: f64, middles_m: &[f64]) -> Vec<Vector3<f64>> {
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
    let outermost = axes.into_iter().flat_map(move |axis: Vector3<f64>| [axis * radius_m, -axis * radius_m]);
    let outermost: Vec<Vector3<f64>> = outermost.collect();
    middles_m.iter().flat_map(|z_m| outermost.iter().map(move |point| point + Vector3::z() * *z_m)).collect()
}
