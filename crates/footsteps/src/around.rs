//! A way for the hips around what is in the way. The body is a rectangle that turns: where a frame is narrower than the
//! shoulders are wide, the way leads through sideways. Every place is tried on a lattice, so a way is found if there is
//! one, and it is the one with the fewest steps, not the first that chance throws up.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::{FRAC_PI_2, TAU};

use rustc_hash::FxHashMap;

use crate::ordered::Ordered;
use crate::plan::{PlanFailure, Reason};
use crate::planar::{Planar, wrap_rad};
use crate::setup::Setup;

const CELL_M: f64 = 0.05;
const MARGIN_M: f64 = 1.5;
const HEADINGS: u32 = 16;
/// With more places looked at than this it gives up; a large hall has fewer.
const MAX_PLACES: usize = 600_000;

type Cell = (i32, i32, u16);

struct Around<'a, 'b> {
    setup: &'a Setup<'b>,
    origin: Planar,
    to: Planar,
    headings_rad: Vec<f64>,
    bounds_m: [[f64; 2]; 2],
    z_m: f64,
    room_m: f64,
    places: FxHashMap<Cell, Place>,
    hit: Option<(f64, String)>,
}

#[derive(Clone, Copy)]
struct Place {
    cost: f64,
    parent: Cell,
    free: bool,
    done: bool,
}

/// Without the place it begins at, with the one it ends at.
pub(crate) fn way_around(setup: &Setup, from: &Planar, to: &Planar) -> Result<Vec<Planar>, PlanFailure> {
    let mut failure = None;
    // With some room first: feet do not follow to the millimetre.
    for room_m in [0.04, 0.015, 0.0] {
        let mut around = Around::of(setup, from, to, room_m);
        let found = around.search();
        setup.count(0, around.places.len());
        match found {
            Some(way) => return Ok(around.shortened(way)),
            None => failure = around.hit,
        }
    }
    let name = failure.map_or_else(|| "the obstacles".to_owned(), |(_, name)| name);
    Err(setup.failure(Reason::NoWay(name), Some(to)))
}

impl<'a, 'b> Around<'a, 'b> {
    fn of(setup: &'a Setup<'b>, from: &Planar, to: &Planar, room_m: f64) -> Around<'a, 'b> {
        Around {
            setup,
            origin: *from,
            to: *to,
            headings_rad: headings(setup, from, to),
            bounds_m: setup.bounds_m(MARGIN_M),
            z_m: setup.start[0].z_m.min(setup.start[1].z_m),
            room_m,
            places: FxHashMap::default(),
            hit: None,
        }
    }

    fn at(&self, (x, y, heading): Cell) -> Planar {
        let heading_rad = self.headings_rad[usize::from(heading)];
        Planar::new(self.origin.x_m + f64::from(x) * CELL_M, self.origin.y_m + f64::from(y) * CELL_M, heading_rad)
    }

    fn heading(&self, yaw_rad: f64) -> u16 {
        let apart = |known: &f64| wrap_rad(known - yaw_rad).abs();
        let nearest = (0..self.headings_rad.len())
            .min_by(|one, other| apart(&self.headings_rad[*one]).total_cmp(&apart(&self.headings_rad[*other])));
        nearest.unwrap_or(0) as u16
    }

    fn search(&mut self) -> Option<Vec<Planar>> {
        let start: Cell = (0, 0, self.heading(self.origin.yaw_rad));
        let goal_heading = self.heading(self.to.yaw_rad);
        self.places.insert(start, Place { cost: 0.0, parent: start, free: true, done: false });
        let mut open = BinaryHeap::from([Reverse((Ordered(0.0), start))]);
        while let Some(Reverse((_, cell))) = open.pop() {
            let place = self.places.get_mut(&cell)?;
            if std::mem::replace(&mut place.done, true) {
                continue;
            }
            let cost = place.cost;
            let at = self.at(cell);
            if cell.2 == goal_heading && at.distance_m(&self.to) < CELL_M {
                return Some(self.way_to(cell));
            }
            if self.places.len() > MAX_PLACES {
                return None;
            }
            for (next, step_cost) in self.neighbours(cell, &at) {
                if let Some(total) = self.relax(cell, next, cost + step_cost) {
                    open.push(Reverse((Ordered(total), next)));
                }
            }
        }
        None
    }

    /// The cost with the estimate of the rest, if this is a better way to a free place.
    fn relax(&mut self, cell: Cell, next: Cell, cost: f64) -> Option<f64> {
        let at = self.at(next);
        let left_m = at.distance_m(&self.to);
        let known = self.places.get(&next).copied();
        let free = match known {
            Some(place) => place.free && !place.done && cost < place.cost - 1e-12,
            None => self.is_free(&at, left_m),
        };
        if free || known.is_none() {
            self.places.insert(next, Place { cost, parent: cell, free, done: false });
        }
        let turn = at.turn_rad(&self.to).abs() / self.turn_rad();
        free.then(|| cost + (left_m / self.setup.reach.limits.max_forward_m).max(turn))
    }

    fn is_free(&mut self, at: &Planar, left_m: f64) -> bool {
        let [[x0, x1], [y0, y1]] = self.bounds_m;
        if at.x_m < x0 || at.x_m > x1 || at.y_m < y0 || at.y_m > y1 {
            return false;
        }
        let Some(hit) = self.hit_at(at) else { return true };
        if self.hit.as_ref().is_none_or(|(nearest_m, _)| left_m < *nearest_m) {
            self.hit = Some((left_m, hit));
        }
        false
    }

    fn hit_at(&self, at: &Planar) -> Option<String> {
        self.setup.view.stance_hit(at, self.z_m, self.setup.reach.limits.stance_width_m, self.room_m)
    }

    /// A radian a step, both feet together.
    fn turn_rad(&self) -> f64 {
        let limits = &self.setup.reach.limits;
        ((limits.max_turn_out_deg + limits.max_turn_in_deg) / 2.0).to_radians().max(0.01)
    }

    /// Steps for a small move.
    fn cost(&self, at: &Planar, to: &Planar) -> f64 {
        let limits = &self.setup.reach.limits;
        let [ahead_m, left_m] = at.local(to.x_m, to.y_m);
        let along =
            if ahead_m > 0.0 { ahead_m / limits.max_forward_m } else { -ahead_m / limits.max_backward_m.max(0.01) };
        let across = left_m.abs() / ((limits.max_width_m - limits.min_width_m) / 2.0).max(0.01);
        let turn = at.turn_rad(to).abs() / self.turn_rad();
        // A little of the smaller ones too, or the way would wander for nothing.
        along.max(across).max(turn) + 0.1 * (along + across + turn)
    }

    fn neighbours(&self, (x, y, heading): Cell, at: &Planar) -> Vec<(Cell, f64)> {
        const MOVES: [(i32, i32); 16] = [
            (1, 0),
            (-1, 0),
            (0, 1),
            (0, -1),
            (1, 1),
            (1, -1),
            (-1, 1),
            (-1, -1),
            (2, 1),
            (2, -1),
            (-2, 1),
            (-2, -1),
            (1, 2),
            (1, -2),
            (-1, 2),
            (-1, -2),
        ];
        let count = self.headings_rad.len() as u16;
        let moved = MOVES.iter().map(|(dx, dy)| (x + dx, y + dy, heading));
        let turned = [(x, y, (heading + 1) % count), (x, y, (heading + count - 1) % count)];
        moved.chain(turned).map(|cell| (cell, self.cost(at, &self.at(cell)))).collect()
    }

    fn way_to(&self, mut cell: Cell) -> Vec<Planar> {
        let mut way = vec![self.to];
        while let Some(place) = self.places.get(&cell).filter(|place| place.parent != cell) {
            way.push(self.at(cell));
            cell = place.parent;
        }
        way.push(self.origin);
        way.reverse();
        way
    }

    /// Corners that straight walking does not need are cut.
    fn shortened(&self, way: Vec<Planar>) -> Vec<Planar> {
        let mut costs = vec![0.0];
        for pair in way.windows(2) {
            costs.push(costs[costs.len() - 1] + self.cost(&pair[0], &pair[1]));
        }
        let mut short = Vec::new();
        let mut index = 0;
        while index + 1 < way.len() {
            let farthest = (index + 2..way.len())
                .rev()
                .find(|next| self.is_better(&way[index], &way[*next], costs[*next] - costs[index]));
            index = farthest.unwrap_or(index + 1);
            short.push(way[index]);
        }
        short
    }

    fn is_better(&self, from: &Planar, to: &Planar, cost: f64) -> bool {
        let parts = (from.distance_m(to) / 0.04).max(from.turn_rad(to).abs() / 0.08) as u32 + 1;
        let mut straight = 0.0;
        let mut last = *from;
        for part in 1..=parts {
            let at = from.toward(to, f64::from(part) / f64::from(parts));
            straight += self.cost(&last, &at);
            if straight > cost + 0.05 || (part < parts && self.hit_at(&at).is_some()) {
                return false;
            }
            last = at;
        }
        true
    }
}

/// Even headings, those of both ends, and those along and across what is in the way: a narrow frame is passed exactly
/// square or exactly sideways, or not at all.
fn headings(setup: &Setup, from: &Planar, to: &Planar) -> Vec<f64> {
    let mut headings_rad = vec![wrap_rad(from.yaw_rad), wrap_rad(to.yaw_rad)];
    let mut add = |yaw_rad: f64, apart_rad: f64| {
        let yaw_rad = wrap_rad(yaw_rad);
        if headings_rad.iter().all(|known| wrap_rad(known - yaw_rad).abs() > apart_rad) {
            headings_rad.push(yaw_rad);
        }
    };
    for obstacle in setup.view.obstacles.boxes().iter().take(32) {
        for quarter in 0..4 {
            add(obstacle.footprint.at.yaw_rad + f64::from(quarter) * FRAC_PI_2, 0.03);
        }
    }
    for part in 0..HEADINGS {
        add(f64::from(part) / f64::from(HEADINGS) * TAU, TAU / f64::from(HEADINGS) * 0.6);
    }
    headings_rad.sort_by(f64::total_cmp);
    headings_rad
}
