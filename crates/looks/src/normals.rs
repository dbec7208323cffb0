//! Which way the surface looks at each corner: smooth where it bends a little, sharp at edges.

use nalgebra::Vector3;
use rustc_hash::FxHashMap;

use crate::soup::Part;

/// Cosine of the angle beyond which two faces meet in an edge: 35°.
const EDGE: f32 = 0.82;
/// At a point with more faces each corner takes their mean: to compare all of them would take long.
const MANY_FACES: usize = 48;

/// A part as it is drawn: points that look different ways are several.
#[derive(Default)]
pub(crate) struct Lit {
    pub points: Vec<[f32; 3]>,
    /// In 127ths.
    pub normals: Vec<[i8; 3]>,
    pub places: Vec<[f32; 2]>,
    pub indices: Vec<u32>,
}

pub(crate) fn lit(part: &Part) -> Lit {
    let point = |index: u32| Vector3::from(part.points[index as usize]);
    // As long as twice its area, so that small faces count little.
    let faces: Vec<Vector3<f32>> =
        part.triangles.iter().map(|&[a, b, c]| (point(b) - point(a)).cross(&(point(c) - point(a)))).collect();
    let around = around(part);
    let mut known: FxHashMap<(u32, [i8; 3]), u32> = FxHashMap::default();
    let mut lit = Lit::default();
    for (triangle, own) in part.triangles.iter().zip(&faces) {
        for &corner in triangle {
            let normal = rounded(&at_corner(own, around.of(corner), &faces));
            let index = *known.entry((corner, normal)).or_insert_with(|| {
                lit.points.push(part.points[corner as usize]);
                lit.places.extend(part.places.get(corner as usize));
                lit.normals.push(normal);
                lit.points.len() as u32 - 1
            });
            lit.indices.push(index);
        }
    }
    lit
}

fn at_corner(own: &Vector3<f32>, others: &[u32], faces: &[Vector3<f32>]) -> Vector3<f32> {
    let all = others.len() > MANY_FACES;
    let is_near = |face: &&Vector3<f32>| all || face.dot(own) >= EDGE * face.norm() * own.norm();
    let sum: Vector3<f32> = others.iter().map(|face| &faces[*face as usize]).filter(is_near).sum();
    sum.try_normalize(0.0).or_else(|| own.try_normalize(0.0)).unwrap_or_else(Vector3::z)
}

fn rounded(normal: &Vector3<f32>) -> [i8; 3] {
    [normal.x, normal.y, normal.z].map(|part| (part * 127.0).round() as i8)
}

/// The faces at each point.
struct Around {
    first: Vec<u32>,
    faces: Vec<u32>,
}

impl Around {
    fn of(&self, point: u32) -> &[u32] {
        &self.faces[self.first[point as usize] as usize..self.first[point as usize + 1] as usize]
    }
}

fn around(part: &Part) -> Around {
    let mut first = vec![0_u32; part.points.len() + 1];
    for &corner in part.triangles.iter().flatten() {
        first[corner as usize + 1] += 1;
    }
    for at in 1..first.len() {
        first[at] += first[at - 1];
    }
    let mut next = first.clone();
    let mut faces = vec![0; part.triangles.len() * 3];
    for (face, triangle) in part.triangles.iter().enumerate() {
        for &corner in triangle {
            faces[next[corner as usize] as usize] = face as u32;
            next[corner as usize] += 1;
        }
    }
    Around { first, faces }
}
