//! Which pixels a shape can cover: all that it does cover, and few others.

use std::ops::Range;

use geometry::{Matrix3, Vector3};

use super::cast::Grid;
use super::form::Form;

/// What is not even so far before the camera is not seen at all.
const BEFORE_M: f64 = 1e-3;
/// What reaches past the camera is cut off so far before it, and what is nearer than the other may be at every pixel.
const CUT_M: f64 = 1e-6;
const AT_LENS_M: f64 = 1e-4;
/// An edge that rises less than this many pixels runs along the rows.
const LEVEL: f64 = 0.01;

/// The columns of each row, from the last shape that was put here.
pub(super) struct Cover<'a> {
    grid: &'a Grid,
    rows: Range<usize>,
    /// From left to right, in pixels; of all rows of the picture, but right for `rows` alone.
    columns: Vec<[f64; 2]>,
}

/// On the picture: columns and rows, from the top left.
type Spot = [f64; 2];

impl<'a> Cover<'a> {
    pub fn new(grid: &'a Grid) -> Cover<'a> {
        Cover { grid, rows: 0..0, columns: vec![[0.0; 2]; grid.height] }
    }

    /// False: it is out of the picture.
    pub fn put(&mut self, form: &Form, shape_from_lens: &Matrix3<f64>, from_m: &Vector3<f64>, far_m: f64) -> bool {
        let Some(half_m) = form.half_m() else { return self.put_everywhere() };
        if from_m.norm() - half_m.norm() > far_m {
            return false;
        }
        let lens_from_shape = shape_from_lens.transpose();
        let corners_m: [Vector3<f64>; 8] = std::array::from_fn(|corner| {
            let sign = |bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let corner_m = Vector3::new(sign(0) * half_m.x, sign(1) * half_m.y, sign(2) * half_m.z);
            lens_from_shape * (corner_m - from_m)
        });
        if corners_m.iter().all(|corner_m| corner_m.x < BEFORE_M) {
            return false;
        }
        if (from_m.abs() - half_m).map(|away_m| away_m.max(0.0)).norm() < AT_LENS_M {
            return self.put_everywhere();
        }
        self.put_box(&corners_m);
        !self.rows.is_empty()
    }

    pub fn rows(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let width = self.grid.width as f64;
        let whole = move |[left, right]: [f64; 2]| {
            (left.floor().clamp(0.0, width) as usize)..(right.ceil().clamp(0.0, width) as usize)
        };
        let covered = self.rows.clone().map(move |row| (row, whole(self.columns[row])));
        covered.filter(|(_, columns)| !columns.is_empty())
    }

    fn put_everywhere(&mut self) -> bool {
        self.rows = 0..self.grid.height;
        self.columns.fill([0.0, self.grid.width as f64]);
        true
    }

    /// The picture of a box is the hull of its edges, and where it is cut off, of those of the cut.
    fn put_box(&mut self, corners_m: &[Vector3<f64>; 8]) {
        let (mut edges, mut cut) = (Vec::with_capacity(27), Vec::with_capacity(6));
        for one in 0..8_usize {
            for other in [one | 1, one | 2, one | 4].into_iter().filter(|other| *other != one) {
                let [near_m, deep_m] = if corners_m[one].x < corners_m[other].x {
                    [corners_m[one], corners_m[other]]
                } else {
                    [corners_m[other], corners_m[one]]
                };
                if deep_m.x < CUT_M {
                    continue;
                }
                let mut ends = [self.spot(&near_m), self.spot(&deep_m)];
                if near_m.x < CUT_M {
                    let share = (CUT_M - near_m.x) / (deep_m.x - near_m.x);
                    let mut at_cut_m = near_m + (deep_m - near_m) * share;
                    at_cut_m.x = CUT_M;
                    ends[0] = self.spot(&at_cut_m);
                    cut.push(ends[0]);
                }
                edges.push(ends);
            }
        }
        for (index, one) in cut.iter().enumerate() {
            edges.extend(cut[..index].iter().map(|other| [*one, *other]));
        }
        let height = self.grid.height as f64;
        let [top, bottom] = span(edges.iter().flatten().map(|spot| spot[1]));
        self.rows = (top.floor().clamp(0.0, height) as usize)..(bottom.ceil().clamp(0.0, height) as usize);
        self.columns[self.rows.clone()].fill([f64::INFINITY, f64::NEG_INFINITY]);
        edges.iter().for_each(|[one, other]| self.put_edge(one, other));
    }

    fn spot(&self, seen_m: &Vector3<f64>) -> Spot {
        let place = |slope: f64, count: usize| 0.5 * count as f64 - slope / self.grid.pixel;
        [place(seen_m.y / seen_m.x, self.grid.width), place(seen_m.z / seen_m.x, self.grid.height)]
    }

    /// Its columns in each row that it passes.
    fn put_edge(&mut self, one: &Spot, other: &Spot) {
        let [top, bottom] = if one[1] <= other[1] { [one, other] } else { [other, one] };
        let (left, right) = (one[0].min(other[0]), one[0].max(other[0]));
        let rise = bottom[1] - top[1];
        let slope = (bottom[0] - top[0]) / rise;
        let column = |row: f64| (top[0] + (row - top[1]) * slope).clamp(left, right);
        let first = (top[1].floor().max(self.rows.start as f64)) as usize;
        let last = (bottom[1].ceil().min(self.rows.end as f64)).max(0.0) as usize;
        for row in first..last {
            let [from, to] = if rise < LEVEL {
                [left, right]
            } else {
                let [from, to] = [top[1].max(row as f64), bottom[1].min(row as f64 + 1.0)].map(column);
                [from.min(to), from.max(to)]
            };
            let columns = &mut self.columns[row];
            *columns = [columns[0].min(from), columns[1].max(to)];
        }
    }
}

fn span(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], number| [low.min(number), high.max(number)])
}
