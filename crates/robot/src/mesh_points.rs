//! The points of a mesh file, as far as a shape around them is wanted: STL, OBJ and COLLADA.

use std::fs;

use geometry::Vector3;

use crate::collada;
use crate::mesh::MeshPath;

/// What a larger file is meant for is looks, not collisions.
const MOST_BYTES: u64 = 64 << 20;
/// Directions in which the outermost points are kept: the hull of these is smaller than that of all by millimetres.
const DIRECTIONS: usize = 200;

const STL_HEADER: usize = 84;
const STL_TRIANGLE: usize = 50;

/// The outermost points of the first candidate that is a file; an error says why there are none.
pub(crate) fn outermost_points(path: &MeshPath, scale: &Vector3<f64>) -> Result<Vec<Vector3<f64>>, String> {
    points(path, scale).map(|points| outermost(&points))
}

/// All of them.
pub(crate) fn points(path: &MeshPath, scale: &Vector3<f64>) -> Result<Vec<Vector3<f64>>, String> {
    let file = path.candidates.iter().find(|file| file.is_file()).ok_or("its file is not there")?;
    let size = fs::metadata(file).map_err(|error| error.to_string())?.len();
    if size > MOST_BYTES {
        return Err(format!("its file has {} MB, at most {} are read", size >> 20, MOST_BYTES >> 20));
    }
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let points = match ending.as_str() {
        "stl" => stl(&bytes),
        "obj" => words_after(&bytes, "v"),
        "dae" => collada::points(&bytes)?,
        _ => return Err(format!("`.{ending}` files are not read, only .stl, .obj and .dae")),
    };
    let points: Vec<Vector3<f64>> = points.iter().map(|point| point.component_mul(scale)).collect();
    if points.is_empty() || points.iter().any(|point| !point.iter().all(|part| part.is_finite())) {
        return Err("its file has no points, or some that are no numbers".to_owned());
    }
    Ok(points)
}

/// Of both kinds: a binary one may begin with the word `solid`, too.
fn stl(bytes: &[u8]) -> Vec<Vector3<f64>> {
    let told = bytes.get(80..STL_HEADER).and_then(|count| count.try_into().ok()).map_or(0, u32::from_le_bytes);
    if bytes.len() != (told as usize).saturating_mul(STL_TRIANGLE).saturating_add(STL_HEADER) {
        return words_after(bytes, "vertex");
    }
    let mut points = Vec::with_capacity(3 * told as usize);
    for triangle in bytes[STL_HEADER..].chunks_exact(STL_TRIANGLE) {
        // Behind its normal, and before two bytes that mean nothing.
        for corner in triangle[12..48].chunks_exact(12) {
            let part = |at: usize| f64::from(f32::from_le_bytes([0, 1, 2, 3].map(|byte| corner[4 * at + byte])));
            points.push(Vector3::new(part(0), part(1), part(2)));
        }
    }
    points
}

/// Of each line that begins with a word: the three numbers behind it.
fn words_after(bytes: &[u8], word: &str) -> Vec<Vector3<f64>> {
    let text = String::from_utf8_lossy(bytes);
    let point = |line: &str| {
        let mut words = line.split_ascii_whitespace();
        (words.next() == Some(word)).then_some(())?;
        let mut number = || words.next().map_or(f64::NAN, |word| word.parse().unwrap_or(f64::NAN));
        Some(Vector3::new(number(), number(), number()))
    };
    text.lines().filter_map(point).collect()
}

fn outermost(points: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    let mut kept: Vec<usize> = (0..DIRECTIONS).map(|index| furthest_along(points, &direction(index))).collect();
    for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
        kept.extend([furthest_along(points, &axis), furthest_along(points, &-axis)]);
    }
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|index| points[index]).collect()
}

fn furthest_along(points: &[Vector3<f64>], direction: &Vector3<f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, point) in points.iter().enumerate() {
        let along = point.dot(direction);
        if along > best.1 {
            best = (index, along);
        }
    }
    best.0
}

/// Evenly over the sphere, on a spiral.
fn direction(index: usize) -> Vector3<f64> {
    let z = 1.0 - (2.0 * index as f64 + 1.0) / DIRECTIONS as f64;
    let turn = index as f64 * std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let across = (1.0 - z * z).sqrt();
    Vector3::new(across * libm::cos(turn), across * libm::sin(turn), z)
}
