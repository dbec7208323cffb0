//! How wide the panel of a door is, and on which side its hinge: by where its face ends to both sides.

use geometry::Pose;

use crate::Cloud;
use crate::points::{Shape, inside};

/// Of the panel, along y of its frame, whose origin is at the handle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edges {
    pub left_m: f64,
    pub right_m: f64,
}

const COLUMN_M: f64 = 0.02;
/// To each side of the handle: the widest panel and the frame beside it.
const REACH_M: f64 = 1.45;
const COLUMNS: usize = 2 * (REACH_M / COLUMN_M) as usize;
/// The mean of a column is as near to the face as this, or it is none of the panel: a frame stands 3 cm before it.
const NEAR_M: f64 = 0.014;
/// The handle and its shadow are not looked at.
const HANDLE_M: f64 = 0.12;
const FEWEST: usize = 5;
/// So many columns without points, as behind a handle, do not end a panel.
const GAP: usize = 3;
/// Beyond an edge something else is seen within this.
const BEYOND: usize = 6;
const WIDTHS_M: std::ops::RangeInclusive<f64> = 0.5..=1.35;

impl Edges {
    /// None: not both edges are seen. `start_m`: somewhere on the panel, along y.
    pub fn of(cloud: &Cloud, world_from_panel: &Pose, start_m: f64) -> Option<Edges> {
        let columns = columns(cloud, world_from_panel);
        let start = usize::try_from(((start_m + REACH_M) / COLUMN_M) as i64).ok()?;
        let left = end(columns.get(start..)?.iter())?;
        let right = end(columns.get(..=start)?.iter().rev())?;
        let at_m = |column: f64| column * COLUMN_M - REACH_M;
        let edges = Edges { left_m: at_m((start + left) as f64 + 1.0), right_m: at_m(start as f64 - right as f64) };
        WIDTHS_M.contains(&edges.width_m()).then_some(edges)
    }

    pub fn width_m(&self) -> f64 {
        self.left_m - self.right_m
    }
}

#[derive(Clone, Copy, Default)]
struct Column {
    points: usize,
    sum_m: f64,
}

impl Column {
    fn is_seen(&self) -> bool {
        self.points >= FEWEST
    }

    fn is_panel(&self) -> bool {
        self.is_seen() && (self.sum_m / self.points as f64).abs() < NEAR_M
    }
}

fn columns(cloud: &Cloud, world_from_panel: &Pose) -> Vec<Column> {
    let mut columns = vec![Column::default(); COLUMNS];
    let shape = Shape::Box { size_m: [0.24, 2.0 * REACH_M, 1.2] };
    let panel_from_world = world_from_panel.inverse();
    for point in inside(cloud, &shape, world_from_panel, None) {
        let at = panel_from_world.transform_point(&point.world_position);
        let index = ((at.y + REACH_M) / COLUMN_M) as usize;
        if let Some(column) = columns.get_mut(index).filter(|_| at.z.abs() > HANDLE_M) {
            column.points += 1;
            column.sum_m += at.x;
        }
    }
    columns
}

/// How many columns on the last one of the panel is. None: it goes on, or what is beyond it is not seen.
fn end<'c>(columns: impl Iterator<Item = &'c Column> + Clone) -> Option<usize> {
    let mut last = None;
    for (index, column) in columns.clone().enumerate() {
        if column.is_panel() {
            last = Some(index);
        } else if index > last.unwrap_or(0) + GAP {
            break;
        }
    }
    let last = last?;
    let mut beyond = columns.skip(last + 1).take(BEYOND);
    beyond.any(|column| column.is_seen() && !column.is_panel()).then_some(last)
}
