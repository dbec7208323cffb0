//! What feet and body must not touch: boxes of the scene, and points seen by a camera.

use geometry::{Point3, Pose};
use serde::{Deserialize, Serialize};

use crate::planar::Planar;
use crate::shapes::Rectangle;

/// A box, as high and as wide as its tilt makes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    pub name: String,
    pub footprint: Rectangle,
    pub bottom_m: f64,
    pub top_m: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Obstacles {
    boxes: Vec<Obstacle>,
    points: Points,
}

/// Sorted into square bins, so that a query meets only what is near.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Points {
    origin_m: [f64; 2],
    columns: usize,
    rows: usize,
    /// For each bin where its points begin.
    begins: Vec<u32>,
    points_m: Vec<[f64; 3]>,
}

impl Obstacle {
    /// None: a size is not positive, or a number is not finite.
    pub fn cuboid(name: &str, world_from_box: &Pose, size_m: [f64; 3]) -> Option<Obstacle> {
        if !world_from_box.is_finite() || !size_m.iter().all(|size| *size > 0.0 && size.is_finite()) {
            return None;
        }
        let at = Planar::of(world_from_box);
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for corner in 0..8 {
            let half = |axis: usize| if corner >> axis & 1 == 0 { -0.5 } else { 0.5 } * size_m[axis];
            let world = world_from_box.transform_point(&Point3::new(half(0), half(1), half(2)));
            let [x, y] = at.local(world.x, world.y);
            for (axis, number) in [x, y, world.z].into_iter().enumerate() {
                low[axis] = low[axis].min(number);
                high[axis] = high[axis].max(number);
            }
        }
        let [x_m, y_m] = at.point((low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0);
        let footprint = Rectangle {
            at: Planar { x_m, y_m, ..at },
            half_length_m: (high[0] - low[0]) / 2.0,
            half_width_m: (high[1] - low[1]) / 2.0,
        };
        Some(Obstacle { name: name.to_owned(), footprint, bottom_m: low[2], top_m: high[2] })
    }
}

impl Obstacles {
    pub fn new(boxes: Vec<Obstacle>, points_m: Vec<[f64; 3]>) -> Obstacles {
        Obstacles { boxes, points: Points::of(points_m) }
    }

    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty() && self.points.points_m.is_empty()
    }

    pub fn boxes(&self) -> &[Obstacle] {
        &self.boxes
    }

    pub fn points_m(&self) -> &[[f64; 3]] {
        &self.points.points_m
    }

    /// What a rectangle that reaches from one height to another touches.
    pub fn touching(&self, rectangle: &Rectangle, from_m: f64, to_m: f64) -> Option<Hit<'_>> {
        for obstacle in &self.boxes {
            if obstacle.top_m > from_m && obstacle.bottom_m < to_m && obstacle.footprint.overlaps(rectangle) {
                return Some(Hit::Box(&obstacle.name));
            }
        }
        self.points.touching(rectangle, from_m, to_m).map(Hit::Point)
    }

    /// As another frame sees them: `map` takes a place of the world to a place there.
    pub(crate) fn mapped(&self, map: impl Fn(&Planar) -> Planar) -> Obstacles {
        let boxes = self.boxes.iter().map(|obstacle| Obstacle {
            footprint: Rectangle { at: map(&obstacle.footprint.at), ..obstacle.footprint },
            ..obstacle.clone()
        });
        let points = self.points.points_m.iter().map(|[x, y, z]| {
            let at = map(&Planar { x_m: *x, y_m: *y, yaw_rad: 0.0, cos: 1.0, sin: 0.0 });
            [at.x_m, at.y_m, *z]
        });
        Obstacles::new(boxes.collect(), points.collect())
    }
}

/// What is in the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit<'a> {
    Box(&'a str),
    Point([f64; 3]),
}

impl std::fmt::Display for Hit<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Hit::Box("") => formatter.write_str("an obstacle"),
            Hit::Box(name) => write!(formatter, "“{name}”"),
            Hit::Point([x, y, z]) => write!(formatter, "a point of the cloud at ({x:.2}, {y:.2}, {z:.2}) m"),
        }
    }
}

const BIN_M: f64 = 0.25;
const MAX_BINS: f64 = 1e6;

impl Points {
    fn of(points_m: Vec<[f64; 3]>) -> Points {
        let mut points_m: Vec<[f64; 3]> =
            points_m.into_iter().filter(|point| point.iter().all(|number| number.abs() < 1e6)).collect();
        let range = |axis: usize| {
            let along = points_m.iter().map(|point| point[axis]);
            (along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max))
        };
        let ((x0, x1), (y0, y1)) = (range(0), range(1));
        let (columns, rows) = (libm::floor((x1 - x0) / BIN_M) + 1.0, libm::floor((y1 - y0) / BIN_M) + 1.0);
        if points_m.is_empty() || columns * rows > MAX_BINS {
            // One bin of all: slower, and still right.
            let begins = vec![0, points_m.len() as u32];
            return Points { origin_m: [x0, y0], columns: 0, rows: 0, begins, points_m };
        }
        let (columns, rows) = (columns as usize, rows as usize);
        let bin = |point: &[f64; 3]| {
            let column = (((point[0] - x0) / BIN_M) as usize).min(columns - 1);
            let row = (((point[1] - y0) / BIN_M) as usize).min(rows - 1);
            row * columns + column
        };
        points_m.sort_by_key(bin);
        let mut begins = vec![0_u32; columns * rows + 1];
        for point in &points_m {
            begins[bin(point) + 1] += 1;
        }
        for index in 1..begins.len() {
            begins[index] += begins[index - 1];
        }
        Points { origin_m: [x0, y0], columns, rows, begins, points_m }
    }

    fn touching(&self, rectangle: &Rectangle, from_m: f64, to_m: f64) -> Option<[f64; 3]> {
        let touches =
            |point: &&[f64; 3]| point[2] > from_m && point[2] < to_m && rectangle.contains([point[0], point[1]]);
        if self.columns == 0 {
            return self.points_m.iter().find(touches).copied();
        }
        let radius_m = rectangle.half_length_m + rectangle.half_width_m;
        let range = |at: f64, origin: f64, count: usize| {
            let low = ((at - radius_m - origin) / BIN_M).max(0.0) as usize;
            let high = libm::floor((at + radius_m - origin) / BIN_M);
            if high < 0.0 { 0..0 } else { low..(high as usize + 1).min(count) }
        };
        let columns = range(rectangle.at.x_m, self.origin_m[0], self.columns);
        for row in range(rectangle.at.y_m, self.origin_m[1], self.rows) {
            for column in columns.clone() {
                let bin = row * self.columns + column;
                let inside = &self.points_m[self.begins[bin] as usize..self.begins[bin + 1] as usize];
                if let Some(point) = inside.iter().find(touches) {
                    return Some(*point);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_found_wherever_they_lie() {
        let points: Vec<[f64; 3]> =
            (0..200).map(|i| [f64::from(i % 17) * 0.31 - 2.0, f64::from(i % 23) * 0.27 - 3.0, 0.5]).collect();
        let obstacles = Obstacles::new(Vec::new(), points.clone());
        for i in 0..500 {
            let at = Planar::new(f64::from(i % 25) * 0.3 - 4.0, f64::from(i / 25) * 0.4 - 4.0, f64::from(i));
            let body = Rectangle { at, half_length_m: 0.2, half_width_m: 0.4 };
            let any = points.iter().any(|point| body.contains([point[0], point[1]]));
            assert_eq!(obstacles.touching(&body, 0.0, 1.0).is_some(), any);
            assert_eq!(obstacles.touching(&body, 0.6, 1.0), None);
        }
    }

    #[test]
    fn a_box_that_hangs_above_is_walked_under() {
        let shelf = Obstacle::cuboid("shelf", &Pose::from_translation(0.0, 0.0, 2.0), [1.0, 1.0, 0.2]).unwrap();
        let obstacles = Obstacles::new(vec![shelf], Vec::new());
        let body = Rectangle { at: Planar::new(0.0, 0.0, 0.3), half_length_m: 0.2, half_width_m: 0.3 };
        assert_eq!(obstacles.touching(&body, 0.2, 1.7), None);
        assert_eq!(obstacles.touching(&body, 0.2, 1.95), Some(Hit::Box("shelf")));
    }
}
