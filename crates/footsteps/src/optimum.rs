//! The fewest steps that could do: every place the feet can come to from a square stance on a level floor, by the
//! number of steps, on a fine lattice, with the last two steps exactly onto the goal.

use robot::{Side, WalkingLimits};

use crate::planar::Planar;
use crate::problem::stance_feet;
use crate::reach::{Reach, Sole};

pub struct Optimum {
    reach: Reach,
    cell_m: f64,
    yaws: usize,
    /// Cells from the middle to the border.
    half: i32,
    /// Steps until a foot stands there; left, then right.
    steps: [Vec<u8>; 2],
}

/// Landings from a foot of one heading: cells along x and y, and headings turned.
type Landings = Vec<(i32, i32, usize)>;

const NEVER: u8 = u8::MAX;

impl Optimum {
    /// Out to a distance. The cell divides the half stance, so that the feet start on the lattice.
    pub fn of(limits: &WalkingLimits, radius_m: f64, cells_in_half_stance: u32, yaws: usize) -> Optimum {
        let cell_m = limits.stance_width_m / 2.0 / f64::from(cells_in_half_stance);
        let half = libm::ceil(radius_m / cell_m) as i32;
        let size = (2 * half + 1) as usize;
        let empty = vec![NEVER; size * size * yaws];
        let mut optimum = Optimum { reach: Reach::of(limits), cell_m, yaws, half, steps: [empty.clone(), empty] };
        optimum.spread(cells_in_half_stance as i32);
        optimum
    }

    fn yaw_rad(&self, yaw: usize) -> f64 {
        yaw as f64 / self.yaws as f64 * std::f64::consts::TAU
    }

    fn index(&self, x: i32, y: i32, yaw: usize) -> Option<usize> {
        let size = 2 * self.half + 1;
        let (x, y) = (x + self.half, y + self.half);
        let inside = x >= 0 && y >= 0 && x < size && y < size;
        inside.then(|| ((y * size + x) as usize) * self.yaws + yaw)
    }

    fn sole(&self, x: i32, y: i32, yaw: usize) -> Sole {
        let at = Planar::new(f64::from(x) * self.cell_m, f64::from(y) * self.cell_m, self.yaw_rad(yaw));
        Sole { at, z_m: 0.0 }
    }

    /// Where a foot of a side can land beside a foot of every heading.
    fn landings(&self, side: Side) -> Vec<Landings> {
        let limits = &self.reach.limits;
        let radius_m = limits.max_forward_m.max(limits.max_backward_m) + limits.max_width_m;
        let radius = libm::ceil(radius_m / self.cell_m) as i32;
        let mut all = vec![Landings::new(); self.yaws];
        for (yaw, landings) in all.iter_mut().enumerate() {
            let stance = self.sole(0, 0, yaw);
            for turned in 0..self.yaws {
                for y in -radius..=radius {
                    for x in -radius..=radius {
                        let landing = self.sole(x, y, (yaw + turned) % self.yaws);
                        if self.reach.check_place(side, &stance.at, &landing.at).is_ok() {
                            landings.push((x, y, turned));
                        }
                    }
                }
            }
        }
        all
    }

    /// Layer by layer: what is first come to with n steps is not come to with fewer. Where a foot swings from is left
    /// open, which can only make the optimum better than it is.
    fn spread(&mut self, half_stance: i32) {
        let landings = Side::BOTH.map(|side| self.landings(side));
        let mut layer: Vec<(Side, i32, i32, usize)> =
            vec![(Side::Left, 0, half_stance, 0), (Side::Right, 0, -half_stance, 0)];
        for (side, x, y, yaw) in &layer {
            if let Some(index) = self.index(*x, *y, *yaw) {
                self.steps[side.index()][index] = 0;
            }
        }
        for count in 1..NEVER {
            let mut next = Vec::new();
            for (stance_side, x, y, yaw) in layer {
                let side = stance_side.other();
                for (dx, dy, turned) in &landings[side.index()][yaw] {
                    let (x, y, yaw) = (x + dx, y + dy, (yaw + turned) % self.yaws);
                    let Some(index) = self.index(x, y, yaw) else { continue };
                    let known = &mut self.steps[side.index()][index];
                    if *known == NEVER {
                        *known = count;
                        next.push((side, x, y, yaw));
                    }
                }
            }
            if next.is_empty() {
                return;
            }
            layer = next;
        }
    }

    /// To a square stance at a place; None beyond the border.
    pub fn steps(&self, goal: &Planar) -> Option<usize> {
        let feet = stance_feet(&self.reach.limits, goal).map(|at| Sole { at, z_m: 0.0 });
        let start = stance_feet(&self.reach.limits, &Planar::new(0.0, 0.0, 0.0));
        let there = |side: Side| {
            let (one, other) = (&start[side.index()], &feet[side.index()].at);
            one.distance_m(other) < 1e-6 && one.turn_rad(other).abs() < 1e-6
        };
        match (there(Side::Left), there(Side::Right)) {
            (true, true) => return Some(0),
            (true, false) | (false, true) => return Some(1),
            (false, false) => {}
        }
        Side::BOTH.into_iter().filter_map(|first| self.last_two(first, &feet)).min()
    }

    /// The foot of a side onto its goal from any place of the lattice, then the other.
    fn last_two(&self, first: Side, feet: &[Sole; 2]) -> Option<usize> {
        let landing = &feet[first.index()];
        let limits = &self.reach.limits;
        self.reach.check_place(first.other(), &landing.at, &feet[first.other().index()].at).ok()?;
        let radius_m = limits.max_forward_m.max(limits.max_backward_m) + limits.max_width_m;
        let cell = |m: f64| libm::floor(m / self.cell_m) as i32;
        let mut best = NEVER;
        for y in cell(landing.at.y_m - radius_m)..=cell(landing.at.y_m + radius_m) {
            for x in cell(landing.at.x_m - radius_m)..=cell(landing.at.x_m + radius_m) {
                for yaw in 0..self.yaws {
                    let Some(index) = self.index(x, y, yaw) else { continue };
                    let known = self.steps[first.other().index()][index];
                    if known < best && self.reach.check_place(first, &self.sole(x, y, yaw).at, &landing.at).is_ok() {
                        best = known;
                    }
                }
            }
        }
        (best != NEVER).then_some(usize::from(best) + 2)
    }
}
