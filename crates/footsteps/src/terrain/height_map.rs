use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// Heights on a grid, not a number where nothing is known.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HeightMap {
    /// Corner of the first cell.
    origin_m: [f64; 2],
    cell_m: f64,
    columns: usize,
    rows: usize,
    /// Row by row, each along x.
    #[serde(with = "unknown")]
    heights_m: Vec<f64>,
}

/// JSON has nothing that is not a number.
mod unknown {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(heights_m: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(heights_m.iter().map(|height_m| Some(*height_m).filter(|height_m| !height_m.is_nan())))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let heights_m = Vec::<Option<f64>>::deserialize(deserializer)?;
        Ok(heights_m.into_iter().map(|height_m| height_m.unwrap_or(f64::NAN)).collect())
    }
}

/// Unknown heights are equal to each other.
impl PartialEq for HeightMap {
    fn eq(&self, other: &HeightMap) -> bool {
        let sizes = |map: &HeightMap| (map.origin_m, map.cell_m, map.columns, map.rows);
        let bits = |map: &HeightMap| map.heights_m.iter().map(|height_m| height_m.to_bits()).collect::<Vec<_>>();
        sizes(self) == sizes(other) && bits(self) == bits(other)
    }
}

/// Neighbours farther apart in height than this lie on two surfaces: between them is an edge, no slope.
pub(super) const EDGE_M: f64 = 0.03;

impl HeightMap {
    /// None: the sizes do not fit together or are no sizes.
    pub fn new(origin_m: [f64; 2], cell_m: f64, columns: usize, heights_m: Vec<f64>) -> Option<HeightMap> {
        let fits = columns > 0 && !heights_m.is_empty() && heights_m.len().is_multiple_of(columns);
        let finite = origin_m.iter().all(|number| number.is_finite()) && cell_m.is_finite() && cell_m > 0.0;
        let rows = heights_m.len() / columns.max(1);
        (fits && finite).then_some(HeightMap { origin_m, cell_m, columns, rows, heights_m })
    }

    pub fn cell_m(&self) -> f64 {
        self.cell_m
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn bounds_m(&self) -> [[f64; 2]; 2] {
        let [x, y] = self.origin_m;
        [[x, x + self.columns as f64 * self.cell_m], [y, y + self.rows as f64 * self.cell_m]]
    }

    pub fn centre_m(&self, column: usize, row: usize) -> [f64; 2] {
        let along = |origin: f64, index: usize| origin + (index as f64 + 0.5) * self.cell_m;
        [along(self.origin_m[0], column), along(self.origin_m[1], row)]
    }

    pub fn cell(&self, column: usize, row: usize) -> Option<f64> {
        if column >= self.columns || row >= self.rows {
            return None;
        }
        let height_m = self.heights_m[row * self.columns + column];
        height_m.is_finite().then_some(height_m)
    }

    pub(super) fn set(&mut self, column: usize, row: usize, height_m: f64) {
        self.heights_m[row * self.columns + column] = height_m;
    }

    /// Between the centres of cells of one surface evenly; at an edge, that of the nearest cell.
    pub fn height_m(&self, x_m: f64, y_m: f64) -> Option<f64> {
        let across = (x_m - self.origin_m[0]) / self.cell_m;
        let along = (y_m - self.origin_m[1]) / self.cell_m;
        if !(across >= 0.0 && along >= 0.0 && across < self.columns as f64 && along < self.rows as f64) {
            return None;
        }
        let nearest = self.cell(across as usize, along as usize)?;
        let (left, low) = (libm::floor(across - 0.5), libm::floor(along - 0.5));
        if left < 0.0 || low < 0.0 {
            return Some(nearest);
        }
        let (column, row) = (left as usize, low as usize);
        let around = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, up)| self.cell(column + right, row + up));
        let [Some(a), Some(b), Some(c), Some(d)] = around else { return Some(nearest) };
        if a.max(b).max(c).max(d) - a.min(b).min(c).min(d) > EDGE_M {
            return Some(nearest);
        }
        let (u, v) = (across - 0.5 - left, along - 0.5 - low);
        Some((a * (1.0 - u) + b * u) * (1.0 - v) + (c * (1.0 - u) + d * u) * v)
    }

    /// The plane through the cells of one surface around a cell: its height there, slopes along x and y, and how far
    /// the cells lie off it (root of the mean square). None: too few cells.
    pub fn plane(&self, column: usize, row: usize, radius_cells: usize) -> Option<Plane> {
        let centre = self.cell(column, row)?;
        let mut sums = Sums::default();
        for y in row.saturating_sub(radius_cells)..=row + radius_cells {
            for x in column.saturating_sub(radius_cells)..=column + radius_cells {
                let Some(height) = self.cell(x, y) else { continue };
                let apart = x.abs_diff(column).max(y.abs_diff(row));
                // A neighbour on another surface would tilt this one.
                if (height - centre).abs() <= EDGE_M * apart.max(1) as f64 {
                    let dx = (x as f64 - column as f64) * self.cell_m;
                    let dy = (y as f64 - row as f64) * self.cell_m;
                    sums.add(dx, dy, height);
                }
            }
        }
        sums.plane()
    }

    /// Of the surface at a place, upward, of length 1.
    pub fn normal(&self, x_m: f64, y_m: f64) -> Option<Vector3<f64>> {
        let [[x0, _], [y0, _]] = self.bounds_m();
        let (across, along) = ((x_m - x0) / self.cell_m, (y_m - y0) / self.cell_m);
        if !(across >= 0.0 && along >= 0.0) {
            return None;
        }
        let radius = (0.06 / self.cell_m) as usize;
        let plane = self.plane(across as usize, along as usize, radius.max(1))?;
        Some(Vector3::new(-plane.slope[0], -plane.slope[1], 1.0).normalize())
    }
}

/// z = height + slope · (x, y), from the place it was fitted at.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    pub height_m: f64,
    pub slope: [f64; 2],
    pub rms_m: f64,
}

/// Least squares of z over x and y.
#[derive(Default)]
pub(super) struct Sums {
    n: f64,
    x: f64,
    y: f64,
    z: f64,
    xx: f64,
    xy: f64,
    yy: f64,
    xz: f64,
    yz: f64,
    zz: f64,
}

impl Sums {
    pub fn add(&mut self, x: f64, y: f64, z: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.z += z;
        self.xx += x * x;
        self.xy += x * y;
        self.yy += y * y;
        self.xz += x * z;
        self.yz += y * z;
        self.zz += z * z;
    }

    /// None: fewer than three points, or all of them on a line.
    pub fn plane(&self) -> Option<Plane> {
        let (n, mx, my, mz) = (self.n, self.x / self.n, self.y / self.n, self.z / self.n);
        let (xx, xy, yy) = (self.xx - n * mx * mx, self.xy - n * mx * my, self.yy - n * my * my);
        let (xz, yz) = (self.xz - n * mx * mz, self.yz - n * my * mz);
        let determinant = xx * yy - xy * xy;
        if n < 3.0 || determinant <= 1e-6 * xx * yy || xx * yy <= 0.0 {
            return None;
        }
        let a = (xz * yy - yz * xy) / determinant;
        let b = (yz * xx - xz * xy) / determinant;
        let rest = (self.zz - n * mz * mz - a * xz - b * yz).max(0.0);
        Some(Plane { height_m: mz - a * mx - b * my, slope: [a, b], rms_m: (rest / n).sqrt() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(height: impl Fn(f64, f64) -> f64) -> HeightMap {
        let heights = (0..30 * 20).map(|i| height((i % 30) as f64 * 0.05 + 0.025, (i / 30) as f64 * 0.05 + 0.025));
        HeightMap::new([0.0, 0.0], 0.05, 30, heights.collect()).unwrap()
    }

    #[test]
    fn slopes_are_smooth_and_edges_are_sharp() {
        let slope = map(|x, y| 0.2 * x - 0.1 * y);
        assert!((slope.height_m(0.613, 0.437).unwrap() - (0.2 * 0.613 - 0.1 * 0.437)).abs() < 1e-12);
        let step = map(|x, _| if x < 0.5 { 0.0 } else { 0.2 });
        assert_eq!(step.height_m(0.499, 0.3), Some(0.0));
        assert_eq!(step.height_m(0.501, 0.3), Some(0.2));
        assert_eq!(step.height_m(-0.01, 0.3), None);
    }

    #[test]
    fn normals_stay_with_their_surface() {
        let slope = map(|x, y| 0.2 * x - 0.1 * y).normal(0.7, 0.5).unwrap();
        assert!((slope - Vector3::new(-0.2, 0.1, 1.0).normalize()).norm() < 1e-9);
        let beside_an_edge = map(|x, _| if x < 0.5 { 0.0 } else { 0.2 }).normal(0.48, 0.5).unwrap();
        assert!((beside_an_edge - Vector3::z()).norm() < 1e-9);
    }
}
