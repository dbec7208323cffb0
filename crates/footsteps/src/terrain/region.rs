use geometry::{Point3, Pose};

use crate::shapes::inside_outline;

/// A flat piece of ground, level or tilted.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Region {
    pub name: String,
    /// Seen from above, in the world.
    outline_m: Vec<[f64; 2]>,
    /// z = x · slope[0] + y · slope[1] + base
    slope: [f64; 2],
    base_m: f64,
    bounds_m: [[f64; 2]; 2],
}

impl Region {
    /// The outline is given in the plane of the region. None: it stands upright, has no area or is not finite.
    pub fn new(name: &str, world_from_region: &Pose, outline_m: &[[f64; 2]]) -> Option<Region> {
        let normal = world_from_region.transform_vector(&geometry::Vector3::z());
        if !world_from_region.is_finite() || normal.z.abs() < 0.1 || outline_m.len() < 3 {
            return None;
        }
        let corners: Vec<Point3<f64>> = outline_m
            .iter()
            .map(|corner| world_from_region.transform_point(&Point3::new(corner[0], corner[1], 0.0)))
            .collect();
        if !corners.iter().all(|corner| corner.coords.iter().all(|number| number.is_finite())) {
            return None;
        }
        let at = world_from_region.translation_m();
        let slope = [-normal.x / normal.z, -normal.y / normal.z];
        let outline_m: Vec<[f64; 2]> = corners.iter().map(|corner| [corner.x, corner.y]).collect();
        let range = |axis: usize| {
            let along = outline_m.iter().map(|corner| corner[axis]);
            [along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max)]
        };
        let bounds_m = [range(0), range(1)];
        let base_m = at.z - at.x * slope[0] - at.y * slope[1];
        Some(Region { name: name.to_owned(), outline_m, slope, base_m, bounds_m })
    }

    pub fn outline_m(&self) -> &[[f64; 2]] {
        &self.outline_m
    }

    pub fn height_m(&self, x_m: f64, y_m: f64) -> Option<f64> {
        let [[x0, x1], [y0, y1]] = self.bounds_m;
        let near = x_m >= x0 && x_m <= x1 && y_m >= y0 && y_m <= y1;
        (near && inside_outline(&self.outline_m, [x_m, y_m])).then(|| self.plane_m(x_m, y_m))
    }

    pub(crate) fn plane_m(&self, x_m: f64, y_m: f64) -> f64 {
        x_m * self.slope[0] + y_m * self.slope[1] + self.base_m
    }
}

/// Which regions may lie under a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Bins {
    origin_m: [f64; 2],
    bin_m: f64,
    columns: usize,
    rows: usize,
    inside: Vec<Vec<u32>>,
}

impl Bins {
    pub fn of(regions: &[Region]) -> Bins {
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for region in regions {
            for axis in 0..2 {
                low[axis] = low[axis].min(region.bounds_m[axis][0]);
                high[axis] = high[axis].max(region.bounds_m[axis][1]);
            }
        }
        if regions.is_empty() {
            return Bins::default();
        }
        // A file with one region a kilometre away must not ask for a billion bins.
        let bin_m = (high[0] - low[0]).max(high[1] - low[1]).max(0.1) / 200.0;
        let bin_m = bin_m.max(0.2);
        let count = |axis: usize| ((high[axis] - low[axis]) / bin_m) as usize + 1;
        let (columns, rows) = (count(0), count(1));
        let mut bins = Bins { origin_m: low, bin_m, columns, rows, inside: vec![Vec::new(); columns * rows] };
        for (index, region) in regions.iter().enumerate() {
            let cell = |axis: usize, end: usize| ((region.bounds_m[axis][end] - low[axis]) / bin_m) as usize;
            for row in cell(1, 0)..=cell(1, 1).min(rows - 1) {
                for column in cell(0, 0)..=cell(0, 1).min(columns - 1) {
                    bins.inside[row * columns + column].push(index as u32);
                }
            }
        }
        bins
    }

    pub fn near(&self, x_m: f64, y_m: f64) -> &[u32] {
        if self.inside.is_empty() {
            return &[];
        }
        let column = (x_m - self.origin_m[0]) / self.bin_m;
        let row = (y_m - self.origin_m[1]) / self.bin_m;
        if !(0.0..self.columns as f64).contains(&column) || !(0.0..self.rows as f64).contains(&row) {
            return &[];
        }
        &self.inside[row as usize * self.columns + column as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_rises_along_its_slope() {
        let turn = geometry::RollPitchYaw::new(0.0, -0.2, 0.0);
        let ramp = Pose::from_rpy(geometry::Vector3::new(1.0, 0.0, 0.1), turn);
        let region = Region::new("ramp", &ramp, &[[0.0, -1.0], [2.0, -1.0], [2.0, 1.0], [0.0, 1.0]]).unwrap();
        let height = region.height_m(2.0, 0.0).unwrap();
        assert!((height - 0.1 - libm::tan(0.2)).abs() < 1e-12, "{height}");
        assert_eq!(region.height_m(0.9, 0.0), None);
    }

    #[test]
    fn walls_are_no_ground() {
        let turn = geometry::RollPitchYaw::new(0.0, 1.55, 0.0);
        let wall = Pose::from_rpy(geometry::Vector3::zeros(), turn);
        assert!(Region::new("wall", &wall, &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]).is_none());
    }
}
