//! STL of both kinds.

use crate::soup::{LookError, MOST_TRIANGLES, Part, Soup, damaged};

const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(crate) fn read(bytes: &[u8]) -> Result<Soup, LookError> {
    let points = if is_text(bytes) { text(bytes)? } else { binary(bytes)? };
    if points.len() / 3 > MOST_TRIANGLES {
        return Err(LookError::ManyTriangles);
    }
    let triangles = (0..points.len() as u32 / 3).map(|index| [3 * index, 3 * index + 1, 3 * index + 2]).collect();
    let mut soup = Soup::default();
    soup.add(Part { points, triangles, ..Part::default() })?;
    Ok(soup)
}

fn told(bytes: &[u8]) -> Option<usize> {
    let count: [u8; 4] = bytes.get(80..HEADER)?.try_into().ok()?;
    Some(u32::from_le_bytes(count) as usize)
}

/// A binary one may begin with the word `solid`, too: then its length tells.
fn is_text(bytes: &[u8]) -> bool {
    let fits = told(bytes).and_then(|count| count.checked_mul(TRIANGLE)?.checked_add(HEADER)) == Some(bytes.len());
    !fits && bytes.trim_ascii_start().starts_with(b"solid") && bytes.iter().take(1000).all(|byte| *byte != 0)
}

fn binary(bytes: &[u8]) -> Result<Vec<[f32; 3]>, LookError> {
    let Some(count) = told(bytes) else {
        return Err(damaged("STL", format!("{} bytes are less than its header", bytes.len())));
    };
    let there = (bytes.len() - HEADER) / TRIANGLE;
    if there < count {
        return Err(damaged("STL", format!("it is cut off: {count} triangles are told, {there} are there")));
    }
    let mut points = Vec::with_capacity(3 * count);
    for triangle in bytes[HEADER..].chunks_exact(TRIANGLE).take(count) {
        // Behind its normal, and before two bytes that mean nothing.
        for corner in triangle[12..48].chunks_exact(12) {
            let part = |at: usize| f32::from_le_bytes([0, 1, 2, 3].map(|byte| corner[4 * at + byte]));
            points.push([part(0), part(1), part(2)]);
        }
    }
    Ok(points)
}

fn text(bytes: &[u8]) -> Result<Vec<[f32; 3]>, LookError> {
    let text = String::from_utf8_lossy(bytes);
    let mut points = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("vertex") else { continue };
        let mut parts = rest.split_ascii_whitespace().map(|part| part.parse::<f32>().ok());
        let mut next = || parts.next().flatten();
        match (next(), next(), next()) {
            (Some(x), Some(y), Some(z)) => points.push([x, y, z]),
            _ => return Err(damaged("STL", format!("line {}: a vertex without three numbers", number + 1))),
        }
    }
    if points.len() % 3 != 0 {
        return Err(damaged("STL", "it is cut off: a triangle has fewer than three corners"));
    }
    Ok(points)
}
