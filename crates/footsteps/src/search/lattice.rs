//! The places a search knows: cells over the floor, in even headings, and the exact places of start and goal.

use robot::Side;
use rustc_hash::FxHashMap;

use crate::planar::Planar;
use crate::setup::Setup;
use crate::terrain::{Foothold, FootholdProblem};

/// A cell of a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cell {
    pub x: i16,
    pub y: i16,
    pub yaw: u16,
}

/// Where a foot of a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Start(Side),
    On(Side, Cell),
    Goal(Side),
    /// Both feet are where they belong.
    Done,
}

/// From a stance cell: cells along x and y, and the heading to land in.
pub(super) type Landing = (i16, i16, u16);

pub(super) struct Lattice {
    cell_m: f64,
    yaws: u16,
    /// For each side and heading of the stance, once asked for.
    landings: [Vec<Option<Vec<Landing>>>; 2],
    footholds: FxHashMap<Cell, Result<Foothold, FootholdProblem>>,
}

/// Cells that fit in their numbers.
const FARTHEST: f64 = 30_000.0;

impl Lattice {
    pub fn new(cell_m: f64, yaw_cell_deg: f64) -> Lattice {
        let yaws = libm::round(360.0 / yaw_cell_deg).clamp(4.0, 360.0) as u16;
        let none = vec![None; usize::from(yaws)];
        Lattice { cell_m, yaws, landings: [none.clone(), none], footholds: FxHashMap::default() }
    }

    pub fn at(&self, cell: Cell) -> Planar {
        let yaw_rad = crate::planar::wrap_rad(f64::from(cell.yaw) / f64::from(self.yaws) * std::f64::consts::TAU);
        Planar::new(f64::from(cell.x) * self.cell_m, f64::from(cell.y) * self.cell_m, yaw_rad)
    }

    pub fn foothold(&mut self, setup: &Setup, cell: Cell) -> Result<Foothold, FootholdProblem> {
        if setup.view.is_flat() {
            return setup.view.foothold(&self.at(cell));
        }
        let at = self.at(cell);
        let room_m = setup.parameters.search.toe_room_m;
        *self.footholds.entry(cell).or_insert_with(|| setup.view.roomy_foothold(&at, room_m))
    }

    /// Cells where the foot of a side can land beside a stance cell, as far as the floor plan goes.
    pub fn landings(&mut self, setup: &Setup, side: Side, stance_yaw: u16) -> &[Landing] {
        let known = &self.landings[side.index()][usize::from(stance_yaw)];
        if known.is_none() {
            let stance = self.at(Cell { x: 0, y: 0, yaw: stance_yaw });
            let found = self.landings_beside(setup, side, &stance);
            let landings = found.into_iter().map(|cell| (cell.x, cell.y, cell.yaw)).collect();
            self.landings[side.index()][usize::from(stance_yaw)] = Some(landings);
        }
        self.landings[side.index()][usize::from(stance_yaw)].as_deref().unwrap_or_default()
    }

    /// The same for a stance foot that stands anywhere.
    pub fn landings_beside(&self, setup: &Setup, side: Side, stance: &Planar) -> Vec<Cell> {
        let limits = &setup.reach.limits;
        let radius_m = limits.max_forward_m.max(limits.max_backward_m) + limits.max_width_m;
        let range = |middle_m: f64| {
            let low = libm::ceil((middle_m - radius_m) / self.cell_m).max(-FARTHEST);
            let high = libm::floor((middle_m + radius_m) / self.cell_m).min(FARTHEST);
            low as i16..=high as i16
        };
        let headings =
            (0..self.yaws).map(|yaw| self.at(Cell { x: 0, y: 0, yaw })).enumerate().filter(|(_, heading)| {
                let nearest_rad =
                    setup.reach.nearest_heading_rad(side, stance, stance.yaw_rad + stance.turn_rad(heading));
                (nearest_rad - stance.yaw_rad - stance.turn_rad(heading)).abs() < 1e-9
            });
        let headings: Vec<(usize, Planar)> = headings.collect();
        let mut cells = Vec::new();
        for y in range(stance.y_m) {
            for x in range(stance.x_m) {
                for (yaw, heading) in &headings {
                    let landing =
                        Planar { x_m: f64::from(x) * self.cell_m, y_m: f64::from(y) * self.cell_m, ..*heading };
                    if setup.reach.check_place(side, stance, &landing).is_ok() {
                        cells.push(Cell { x, y, yaw: *yaw as u16 });
                    }
                }
            }
        }
        cells
    }
}
