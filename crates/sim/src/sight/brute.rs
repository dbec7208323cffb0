//! Every ray against every shape whose box is in the picture: slow, and simple enough to be believed. What is shown faster
//! is compared with this.

use std::ops::Range;

use geometry::{Matrix3, Pose, Vector3};

use super::cast::{Grid, Hits};
use super::form::{Form, Solid};

pub(crate) fn cast(
    grid: &Grid,
    world_from_camera: &Pose,
    solids: impl Iterator<Item = (u32, Solid)>,
    far_m: f64,
) -> Hits {
    let count = grid.rays.len();
    let mut hits = Hits { geoms: vec![None; count], distances_m: vec![f64::INFINITY; count], facing: vec![0.0; count] };
    let world_from_lens = world_from_camera.rotation().to_rotation_matrix().into_inner();
    let camera_m = world_from_camera.translation_m();
    for (number, solid) in solids {
        let shape_from_world = solid.turn.transpose();
        let shape_from_lens = shape_from_world * world_from_lens;
        let from_m = shape_from_world * (camera_m - solid.at_m);
        let Some([rows, columns]) = window(grid, &solid.form, &shape_from_lens, &from_m, far_m) else { continue };
        for row in rows {
            for pixel in row * grid.width + columns.start..row * grid.width + columns.end {
                let along = shape_from_lens * grid.rays[pixel];
                let Some(away_m) = solid.form.meets(&from_m, &along) else { continue };
                if away_m < hits.distances_m[pixel] && away_m <= far_m {
                    hits.distances_m[pixel] = away_m;
                    hits.geoms[pixel] = Some(number);
                    hits.facing[pixel] = solid.form.normal(&(from_m + along * away_m)).dot(&along).abs();
                }
            }
        }
    }
    hits
}

/// None: out of the picture.
fn window(
    grid: &Grid,
    form: &Form,
    shape_from_lens: &Matrix3<f64>,
    from_m: &Vector3<f64>,
    far_m: f64,
) -> Option<[Range<usize>; 2]> {
    let whole = || Some([0..grid.height, 0..grid.width]);
    let Some(half_m) = form.half_m() else { return whole() };
    if from_m.norm() - half_m.norm() > far_m {
        return None;
    }
    let (mut left, mut up) = ([f64::INFINITY, f64::NEG_INFINITY], [f64::INFINITY, f64::NEG_INFINITY]);
    let (mut before, mut behind) = (0, 0);
    for corner in 0..8 {
        let sign = |bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
        let corner_m = Vector3::new(sign(0) * half_m.x, sign(1) * half_m.y, sign(2) * half_m.z);
        let seen_m = shape_from_lens.transpose() * (corner_m - from_m);
        if seen_m.x < 1e-3 {
            behind += 1;
            continue;
        }
        before += 1;
        let (y, z) = (seen_m.y / seen_m.x, seen_m.z / seen_m.x);
        left = [left[0].min(y), left[1].max(y)];
        up = [up[0].min(z), up[1].max(z)];
    }
    match (before, behind) {
        (0, _) => None,
        (_, 0) => Some(clipped(grid, left, up)).filter(|[rows, columns]| !rows.is_empty() && !columns.is_empty()),
        // It reaches past the camera: its corners do not bound it.
        _ => whole(),
    }
}

/// Rows and columns in which slopes between these can be seen.
fn clipped(grid: &Grid, left: [f64; 2], up: [f64; 2]) -> [Range<usize>; 2] {
    let place = |slope: f64, count: usize| 0.5 * count as f64 - slope / grid.pixel;
    let clipped = |from: f64, to: f64, count: usize| {
        (from.floor().clamp(0.0, count as f64) as usize)..(to.ceil().clamp(0.0, count as f64) as usize)
    };
    [
        clipped(place(up[1], grid.height), place(up[0], grid.height), grid.height),
        clipped(place(left[1], grid.width), place(left[0], grid.width), grid.width),
    ]
}
