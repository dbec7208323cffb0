//! Convex shapes on the floor.

use crate::planar::Planar;

/// A rectangle with an orientation: a sole, or a body seen from above.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Rectangle {
    pub at: Planar,
    pub half_length_m: f64,
    pub half_width_m: f64,
}

impl Rectangle {
    pub fn corners(&self) -> [[f64; 2]; 4] {
        let (l, w) = (self.half_length_m, self.half_width_m);
        [self.at.point(l, w), self.at.point(-l, w), self.at.point(-l, -w), self.at.point(l, -w)]
    }

    pub fn overlaps(&self, other: &Rectangle) -> bool {
        let reach_m = self.half_length_m + self.half_width_m + other.half_length_m + other.half_width_m;
        let (dx, dy) = (other.at.x_m - self.at.x_m, other.at.y_m - self.at.y_m);
        if dx * dx + dy * dy > reach_m * reach_m {
            return false;
        }
        let cos = (self.at.cos * other.at.cos + self.at.sin * other.at.sin).abs();
        let sin = (self.at.cos * other.at.sin - self.at.sin * other.at.cos).abs();
        let apart = |one: &Rectangle, other: &Rectangle| {
            let along = (one.at.cos * dx + one.at.sin * dy).abs();
            let across = (-one.at.sin * dx + one.at.cos * dy).abs();
            let along_m = one.half_length_m + other.half_length_m * cos + other.half_width_m * sin;
            let across_m = one.half_width_m + other.half_length_m * sin + other.half_width_m * cos;
            along >= along_m || across >= across_m
        };
        !apart(self, other) && !apart(other, self)
    }

    /// Grown on all sides.
    #[must_use]
    pub fn grown(&self, margin_m: f64) -> Rectangle {
        Rectangle {
            at: self.at,
            half_length_m: self.half_length_m + margin_m,
            half_width_m: self.half_width_m + margin_m,
        }
    }

    pub fn contains(&self, point_m: [f64; 2]) -> bool {
        let [x, y] = self.at.local(point_m[0], point_m[1]);
        x.abs() < self.half_length_m && y.abs() < self.half_width_m
    }
}

/// A closed outline; corners counterclockwise.
pub fn inside_outline(outline_m: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut inside = false;
    let mut before = match outline_m.last() {
        Some(corner) => *corner,
        None => return false,
    };
    for corner in outline_m {
        if (corner[1] > y) != (before[1] > y) {
            let at_x = (before[0] - corner[0]) * (y - corner[1]) / (before[1] - corner[1]) + corner[0];
            inside ^= x < at_x;
        }
        before = *corner;
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sole(x_m: f64, y_m: f64, yaw_rad: f64) -> Rectangle {
        Rectangle { at: Planar::new(x_m, y_m, yaw_rad), half_length_m: 0.1, half_width_m: 0.05 }
    }

    #[test]
    fn side_by_side_touching_is_no_overlap_and_turned_is() {
        assert!(!sole(0.0, 0.0, 0.0).overlaps(&sole(0.0, 0.1, 0.0)));
        assert!(sole(0.0, 0.0, 0.0).overlaps(&sole(0.0, 0.1, 0.5)));
        assert!(!sole(0.0, 0.0, 0.0).overlaps(&sole(0.0, 0.16, 0.5)));
    }

    #[test]
    fn a_corner_inside_or_a_cross_without_corners_inside_overlap() {
        assert!(sole(0.0, 0.0, 0.0).overlaps(&sole(0.15, 0.08, 0.0)));
        assert!(sole(0.0, 0.0, 0.0).overlaps(&sole(0.0, 0.0, std::f64::consts::FRAC_PI_2)));
    }

    #[test]
    fn outlines_may_be_hollow() {
        let corner = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 2.0], [1.0, 1.0], [0.0, 1.0]];
        assert!(inside_outline(&corner, [1.5, 1.5]));
        assert!(!inside_outline(&corner, [0.5, 1.5]));
    }
}
