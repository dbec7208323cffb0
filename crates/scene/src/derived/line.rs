/// y = offset + slope · x through points, by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub offset: f64,
    pub slope: f64,
}

impl Line {
    pub fn at(&self, x: f64) -> f64 {
        self.offset + self.slope * x
    }

    /// None where the points are too few or not spread.
    pub fn through(points: impl Iterator<Item = (f64, f64)> + Clone) -> Option<Line> {
        let count = points.clone().count() as f64;
        if count < 3.0 {
            return None;
        }
        let (sum_x, sum_y) = points.clone().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
        let (mean_x, mean_y) = (sum_x / count, sum_y / count);
        let (mut square, mut product) = (0.0, 0.0);
        for (x, y) in points {
            square += (x - mean_x) * (x - mean_x);
            product += (x - mean_x) * (y - mean_y);
        }
        if square < 1e-6 * count {
            return None;
        }
        let slope = product / square;
        Some(Line { offset: mean_y - slope * mean_x, slope })
    }
}
