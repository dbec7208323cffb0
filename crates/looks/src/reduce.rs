//! Fewer triangles of the same form: points that share a cell become the one that lies best on all their faces.

use nalgebra::{Matrix3, Vector3};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::soup::{Part, Soup};

/// Cells along the longest side of the box around a mesh.
const MOST_CELLS: u32 = 2048;
/// Where a picture tears, points of one cell stay two.
const CELLS_OF_PICTURE: f32 = 24.0;
/// Of how well a point lies on faces, what its distance from the middle counts: it decides on planes and along edges.
const PULL_TO_MIDDLE: f64 = 2e-3;

type Cell = (i32, i32, i32, i32);

/// Joins points that are the same, then makes cells as small as the budget allows.
pub(crate) fn to_budget(soup: &mut Soup, budget: usize) {
    let Some((low, high)) = soup.extent() else { return };
    soup.parts.iter_mut().for_each(weld);
    if soup.triangles() <= budget {
        return;
    }
    let longest = (0..3).map(|axis| high[axis] - low[axis]).fold(f32::MIN_POSITIVE, f32::max);
    let grid = |cells: u32| Grid { low, cell: longest / cells as f32 };
    let count = |cells: u32| soup.parts.iter().map(|part| grid(cells).faces(part).1.len()).sum::<usize>();
    let (mut fits, mut too_many) = (1, MOST_CELLS);
    while too_many - fits > 1 && too_many * 16 > fits * 17 {
        let middle = (fits + too_many) / 2;
        if count(middle) <= budget { fits = middle } else { too_many = middle }
    }
    let grid = grid(fits);
    soup.parts.iter_mut().for_each(|part| *part = grid.reduced(part));
    soup.parts.retain(|part| !part.triangles.is_empty());
}

fn weld(part: &mut Part) {
    let mut known: FxHashMap<([u32; 3], [u32; 2]), u32> = FxHashMap::default();
    let (mut points, mut places) = (Vec::new(), Vec::new());
    let mut same = |index: u32| {
        let point = part.points[index as usize];
        let place = part.places.get(index as usize).copied();
        let key = (point.map(|at| (at + 0.0).to_bits()), place.unwrap_or_default().map(f32::to_bits));
        *known.entry(key).or_insert_with(|| {
            points.push(point);
            places.extend(place);
            points.len() as u32 - 1
        })
    };
    let triangles: Vec<[u32; 3]> =
        part.triangles.iter().map(|triangle| triangle.map(&mut same)).filter(has_area).collect();
    (part.points, part.places, part.triangles) = (points, places, triangles);
}

fn has_area(&[a, b, c]: &[u32; 3]) -> bool {
    a != b && b != c && c != a
}

struct Grid {
    low: [f32; 3],
    cell: f32,
}

impl Grid {
    fn cell_of(&self, part: &Part, index: usize) -> Cell {
        let [x, y, z] = [0, 1, 2].map(|axis| ((part.points[index][axis] - self.low[axis]) / self.cell) as i32);
        let picture = part
            .places
            .get(index)
            .map_or(0, |[u, v]| ((u * CELLS_OF_PICTURE) as i32).wrapping_mul(8191) ^ ((v * CELLS_OF_PICTURE) as i32));
        (x, y, z, picture)
    }

    /// The cell of each point, counted from zero, and the triangles that are left, in cells.
    fn faces(&self, part: &Part) -> (Vec<u32>, Vec<[u32; 3]>) {
        let mut known: FxHashMap<Cell, u32> = FxHashMap::default();
        let mut cell_of = |index| {
            let next = known.len() as u32;
            *known.entry(self.cell_of(part, index)).or_insert(next)
        };
        let cells: Vec<u32> = (0..part.points.len()).map(&mut cell_of).collect();
        let mut seen = FxHashSet::default();
        let mut faces = Vec::new();
        for triangle in part.triangles.iter().map(|triangle| triangle.map(|index| cells[index as usize])) {
            // The same, whichever corner comes first.
            let first = (0..3).min_by_key(|at| triangle[*at]).unwrap_or(0);
            let turned = [triangle[first], triangle[(first + 1) % 3], triangle[(first + 2) % 3]];
            if has_area(&turned) && seen.insert(turned) {
                faces.push(turned);
            }
        }
        (cells, faces)
    }

    fn reduced(&self, part: &Part) -> Part {
        let (cells, triangles) = self.faces(part);
        let count = cells.iter().max().map_or(0, |last| *last as usize + 1);
        let mut best = vec![Best::default(); count];
        let mut places = vec![[0.0; 2]; if part.places.is_empty() { 0 } else { count }];
        for (index, cell) in cells.iter().enumerate() {
            best[*cell as usize].add_point(&part.points[index]);
            if let Some(place) = places.get_mut(*cell as usize) {
                *place = part.places[index];
            }
        }
        for triangle in &part.triangles {
            let corners = triangle.map(|index| Vector3::from(part.points[index as usize]).cast::<f64>());
            for index in triangle {
                best[cells[*index as usize] as usize].add_face(&corners);
            }
        }
        let points = best.iter().map(|best| best.point(f64::from(self.cell))).collect();
        Part { points, places, triangles, material: part.material.clone() }
    }
}

/// Looks for the point that is nearest to all planes that were added, about the first point for the sake of digits.
#[derive(Clone, Default)]
struct Best {
    origin: Option<Vector3<f64>>,
    sum: Vector3<f64>,
    count: f64,
    normals: Matrix3<f64>,
    heights: Vector3<f64>,
}

impl Best {
    fn add_point(&mut self, point: &[f32; 3]) {
        let point = Vector3::from(*point).cast::<f64>();
        let origin = *self.origin.get_or_insert(point);
        self.sum += point - origin;
        self.count += 1.0;
    }

    fn add_face(&mut self, corners: &[Vector3<f64>; 3]) {
        let Some(origin) = self.origin else { return };
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        let area = normal.norm();
        let Some(unit) = normal.try_normalize(1e-30) else { return };
        self.normals += unit * unit.transpose() * area;
        self.heights += unit * (unit.dot(&(corners[0] - origin)) * area);
    }

    /// No further from the middle of its points than a cell is wide: nearly parallel planes meet anywhere.
    fn point(&self, cell: f64) -> [f32; 3] {
        let Some(origin) = self.origin else { return [0.0; 3] };
        let middle = self.sum / self.count;
        let pull = PULL_TO_MIDDLE * self.normals.trace();
        let pulled = self.normals + Matrix3::identity() * pull;
        let on_planes = pulled.try_inverse().map(|inverse| inverse * (self.heights + middle * pull));
        let best = on_planes.filter(|point| (point - middle).norm() <= cell).unwrap_or(middle);
        (origin + best).cast::<f32>().into()
    }
}
