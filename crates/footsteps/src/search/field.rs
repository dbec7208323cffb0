//! How far it is to the goal around what cannot be walked through or climbed, for every spot of the floor plan.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::planar::Planar;
use crate::setup::Setup;

pub(super) struct Field {
    origin_m: [f64; 2],
    cell_m: f64,
    columns: usize,
    rows: usize,
    distances_m: Vec<f64>,
}

const CELL_M: f64 = 0.1;
const MARGIN_M: f64 = 1.5;
const MAX_CELLS: f64 = 400_000.0;

impl Field {
    pub fn of(setup: &Setup) -> Field {
        let [[x0, x1], [y0, y1]] = bounds_m(setup);
        let cell_m = CELL_M.max(((x1 - x0) * (y1 - y0) / MAX_CELLS).sqrt());
        let (columns, rows) = (((x1 - x0) / cell_m) as usize + 1, ((y1 - y0) / cell_m) as usize + 1);
        let distances_m = vec![f64::INFINITY; columns * rows];
        let mut field = Field { origin_m: [x0, y0], cell_m, columns, rows, distances_m };
        let ground: Vec<Option<f64>> = (0..columns * rows).map(|index| field.ground_m(setup, index)).collect();
        field.spread(setup, &ground);
        field
    }

    fn centre_m(&self, index: usize) -> [f64; 2] {
        let along = |origin: f64, cell: usize| origin + (cell as f64 + 0.5) * self.cell_m;
        [along(self.origin_m[0], index % self.columns), along(self.origin_m[1], index / self.columns)]
    }

    fn index(&self, x_m: f64, y_m: f64) -> Option<usize> {
        let (column, row) = ((x_m - self.origin_m[0]) / self.cell_m, (y_m - self.origin_m[1]) / self.cell_m);
        let inside = column >= 0.0 && row >= 0.0 && column < self.columns as f64 && row < self.rows as f64;
        inside.then(|| row as usize * self.columns + column as usize)
    }

    /// None where the narrowest part of the body would not fit: what is free for a part of it may still be too narrow.
    fn ground_m(&self, setup: &Setup, index: usize) -> Option<f64> {
        let [x_m, y_m] = self.centre_m(index);
        let z_m = setup.view.height_m(x_m, y_m)?;
        let core_m = setup.parameters.body.depth_m.min(setup.parameters.body.width_m) * 0.35;
        setup.view.core_is_free(&Planar::new(x_m, y_m, 0.0), z_m, core_m).then_some(z_m)
    }

    fn spread(&mut self, setup: &Setup, ground: &[Option<f64>]) {
        let goal = setup.goal_hips();
        let limits = &setup.reach.limits;
        // Between two cells lies at most one edge, in either direction.
        let climb_m = limits.max_step_up_m.max(limits.max_step_down_m) + 0.02;
        let mut open = BinaryHeap::new();
        for foot in setup.goal.map(|foothold| foothold.sole.at).iter().chain([&goal]) {
            if let Some(index) = self.index(foot.x_m, foot.y_m) {
                let [x_m, y_m] = self.centre_m(index);
                self.distances_m[index] = libm::hypot(x_m - goal.x_m, y_m - goal.y_m);
                open.push(Reverse((Ordered(self.distances_m[index]), index)));
            }
        }
        while let Some(Reverse((Ordered(distance_m), index))) = open.pop() {
            if distance_m > self.distances_m[index] {
                continue;
            }
            let (column, row) = (index % self.columns, index / self.columns);
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
                let (Some(x), Some(y)) = (column.checked_add_signed(dx), row.checked_add_signed(dy)) else { continue };
                if x >= self.columns || y >= self.rows {
                    continue;
                }
                let next = y * self.columns + x;
                let Some(z_m) = ground[next] else { continue };
                let farther_m =
                    distance_m + if dx != 0 && dy != 0 { std::f64::consts::SQRT_2 } else { 1.0 } * self.cell_m;
                let climbed_m = ground[index].map_or(0.0, |here_m| (here_m - z_m).abs());
                if farther_m < self.distances_m[next] && climbed_m <= climb_m {
                    self.distances_m[next] = farther_m;
                    open.push(Reverse((Ordered(farther_m), next)));
                }
            }
        }
    }

    /// Infinite where there is no way.
    pub fn distance_m(&self, at: &Planar) -> f64 {
        self.index(at.x_m, at.y_m).map_or(f64::INFINITY, |index| self.distances_m[index])
    }

    /// Hips may be over a blocked cell while both feet are beside it.
    pub fn near_distance_m(&self, at: &Planar) -> f64 {
        let mut nearest_m = self.distance_m(at);
        if nearest_m.is_finite() {
            return nearest_m;
        }
        for (dx, dy) in [(-3.0, 0.0), (3.0, 0.0), (0.0, -3.0), (0.0, 3.0)] {
            let beside = Planar { x_m: at.x_m + dx * self.cell_m, y_m: at.y_m + dy * self.cell_m, ..*at };
            nearest_m = nearest_m.min(self.distance_m(&beside));
        }
        nearest_m
    }
}

/// Around all that may matter.
fn bounds_m(setup: &Setup) -> [[f64; 2]; 2] {
    let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    let mut add = |x: f64, y: f64| {
        for (range, number) in bounds.iter_mut().zip([x, y]) {
            *range = [range[0].min(number), range[1].max(number)];
        }
    };
    for at in [setup.start_hips(), setup.goal_hips()] {
        add(at.x_m, at.y_m);
    }
    for obstacle in setup.view.obstacles.boxes() {
        for [x, y] in obstacle.footprint.corners() {
            add(x, y);
        }
    }
    for [x, y, _] in setup.view.obstacles.points_m() {
        add(*x, *y);
    }
    bounds.map(|[low, high]| [low - MARGIN_M, high + MARGIN_M])
}

#[derive(Clone, Copy, PartialEq)]
pub(super) struct Ordered(pub f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Ordered) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Ordered) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
