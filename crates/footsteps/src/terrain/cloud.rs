//! From points in the world to a height map: thin out, take heights, fill small gaps, smooth along the surface.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::HeightMap;
use super::height_map::EDGE_M;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CloudSettings {
    /// Points of one cube become one, at their mean.
    pub voxel_m: f64,
    /// Cubes with fewer points are noise.
    pub min_points: usize,
    pub cell_m: f64,
    /// A gap is filled from this many nearest cells, no farther away than `gap_m`.
    pub neighbours: usize,
    pub gap_m: f64,
    /// What stands higher than this above the lowest point is no ground.
    pub ceiling_m: f64,
}

impl Default for CloudSettings {
    fn default() -> CloudSettings {
        CloudSettings { voxel_m: 0.02, min_points: 1, cell_m: 0.025, neighbours: 6, gap_m: 0.08, ceiling_m: 1.0 }
    }
}

/// A map with more cells than this is a mistake in a file, not a room.
const MAX_CELLS: f64 = 4e6;
/// What a cell is higher or lower than all around it by no more than this is a slope, or noise that smoothing takes.
const SPIKE_M: f64 = 0.015;

/// None: no finite points, or so far apart that no map could hold them.
pub fn height_map_of(points_m: &[[f64; 3]], settings: &CloudSettings) -> Option<HeightMap> {
    let points_m = thinned(points_m, settings);
    let floor_m = points_m.iter().map(|point| point[2]).fold(f64::INFINITY, f64::min);
    let ground: Vec<[f64; 3]> = points_m.into_iter().filter(|point| point[2] <= floor_m + settings.ceiling_m).collect();
    let range = |axis: usize| {
        let along = ground.iter().map(|point| point[axis]);
        (along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max))
    };
    let ((x0, x1), (y0, y1)) = (range(0), range(1));
    let (columns, rows) = ((x1 - x0) / settings.cell_m + 1.0, (y1 - y0) / settings.cell_m + 1.0);
    // Without points the sizes are not numbers.
    if ground.is_empty() || columns * rows > MAX_CELLS {
        return None;
    }
    let (columns, rows) = (columns as usize, rows as usize);
    let mut heights_m = vec![f64::NAN; columns * rows];
    for [x, y, z] in ground {
        let column = (((x - x0) / settings.cell_m) as usize).min(columns - 1);
        let row = (((y - y0) / settings.cell_m) as usize).min(rows - 1);
        let height = &mut heights_m[row * columns + column];
        // The highest: a foot meets it first.
        *height = height.max(z);
    }
    let map = HeightMap::new([x0, y0], settings.cell_m, columns, heights_m)?;
    Some(tidied(map, settings.neighbours, settings.gap_m))
}

/// Small gaps filled, then smoothed along the surface.
fn tidied(mut map: HeightMap, neighbours: usize, gap_m: f64) -> HeightMap {
    fill_gaps(&mut map, neighbours, gap_m);
    smoothed(&map)
}

/// A map that was measured gets what a cloud gets. Of a floor that is known a robot sees a cell here and there, often too
/// high: what lies between such cells is the floor, no surface from one to the next.
pub(super) fn tidied_over(mut map: HeightMap, floor_m: Option<f64>) -> HeightMap {
    let CloudSettings { neighbours, gap_m, .. } = CloudSettings::default();
    let Some(floor_m) = floor_m else { return tidied(without_spikes(&map), neighbours, gap_m) };
    let unseen = |map: &HeightMap| cells(map).filter(|(x, y)| map.cell(*x, *y).is_none()).collect::<Vec<_>>();
    let among_few: Vec<_> = unseen(&map).into_iter().filter(|(x, y)| !is_among_many(&map, *x, *y)).collect();
    among_few.into_iter().for_each(|(column, row)| map.set(column, row, floor_m));
    fill_gaps(&mut map, neighbours, gap_m);
    unseen(&map).into_iter().for_each(|(column, row)| map.set(column, row, floor_m));
    smoothed(&without_spikes(&map))
}

/// Whether half of the cells around one were seen.
fn is_among_many(map: &HeightMap, column: usize, row: usize) -> bool {
    let around = |at: usize| at.saturating_sub(2)..=at + 2;
    let seen =
        around(row).flat_map(|y| around(column).map(move |x| (x, y))).filter(|(x, y)| map.cell(*x, *y).is_some());
    seen.count() >= 12
}

fn cells(map: &HeightMap) -> impl Iterator<Item = (usize, usize)> + use<> {
    let columns = map.columns();
    (0..map.rows()).flat_map(move |row| (0..columns).map(move |column| (column, row)))
}

/// A cell that stands out from all but two of those around it becomes as high as they are in the middle: a sensor, no
/// ground, makes such. A corner of a block has three like it, a beam of one cell two.
fn without_spikes(map: &HeightMap) -> HeightMap {
    let mut calm = map.clone();
    for (column, row) in cells(map) {
        let Some(own) = map.cell(column, row) else { continue };
        let mut around: Vec<f64> = (0..9)
            .filter(|at| *at != 4)
            .filter_map(|at| map.cell((column + at % 3).checked_sub(1)?, (row + at / 3).checked_sub(1)?))
            .collect();
        around.sort_by(f64::total_cmp);
        let like = around.iter().filter(|height| (*height - own).abs() <= SPIKE_M).count();
        if around.len() >= 5 && like < 2 {
            calm.set(column, row, around[around.len() / 2]);
        }
    }
    calm
}

fn thinned(points_m: &[[f64; 3]], settings: &CloudSettings) -> Vec<[f64; 3]> {
    let mut cubes: BTreeMap<[i64; 3], ([f64; 3], usize)> = BTreeMap::new();
    let sized = settings.voxel_m > 0.0 && settings.cell_m > 0.0;
    for point in points_m.iter().filter(|point| sized && point.iter().all(|number| number.abs() < 1e6)) {
        let key = point.map(|number| libm::floor(number / settings.voxel_m) as i64);
        let (sum, count) = cubes.entry(key).or_insert(([0.0; 3], 0));
        for (sum, number) in sum.iter_mut().zip(point) {
            *sum += number;
        }
        *count += 1;
    }
    let full = cubes.into_values().filter(|(_, count)| *count >= settings.min_points);
    full.map(|(sum, count)| sum.map(|sum| sum / count as f64)).collect()
}

/// Only from cells that were seen, not from filled ones: what is far from all of them stays unknown.
fn fill_gaps(map: &mut HeightMap, neighbours: usize, gap_m: f64) {
    let radius = (gap_m / map.cell_m()) as usize;
    let mut filled = Vec::new();
    for row in 0..map.rows() {
        for column in 0..map.columns() {
            if map.cell(column, row).is_none()
                && let Some(height_m) = filling(map, column, row, radius, neighbours)
            {
                filled.push((column, row, height_m));
            }
        }
    }
    for (column, row, height_m) in filled {
        map.set(column, row, height_m);
    }
}

fn filling(map: &HeightMap, column: usize, row: usize, radius: usize, neighbours: usize) -> Option<f64> {
    let mut near: Vec<(f64, f64, [bool; 4])> = Vec::new();
    for y in row.saturating_sub(radius)..=row + radius {
        for x in column.saturating_sub(radius)..=column + radius {
            if let Some(height) = map.cell(x, y) {
                let (dx, dy) = (x as f64 - column as f64, y as f64 - row as f64);
                near.push((dx * dx + dy * dy, height, [dx < 0.0, dx > 0.0, dy < 0.0, dy > 0.0]));
            }
        }
    }
    near.sort_by(|one, other| one.0.total_cmp(&other.0));
    // Without ground on opposite sides it is no gap but the end of what was seen.
    let seen = near.iter().fold([false; 4], |seen, (_, _, sides)| [0, 1, 2, 3].map(|side| seen[side] || sides[side]));
    let enclosed = (seen[0] && seen[1]) || (seen[2] && seen[3]);
    near.truncate(neighbours.max(2));
    let (low, high) = near.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), n| (l.min(n.1), h.max(n.1)));
    // Between two levels a mean would invent a slope that is not there.
    if !enclosed || near.len() < 2 || high - low > EDGE_M {
        return None;
    }
    Some(weighted(&near.iter().map(|(squared, height, _)| (*squared, *height)).collect::<Vec<_>>()))
}

/// The k weights 1 − d²/Σd² add up to k − 1: dividing by k would sink every filled cell.
fn weighted(near: &[(f64, f64)]) -> f64 {
    let all: f64 = near.iter().map(|(squared, _)| squared).sum();
    let sum: f64 = near.iter().map(|(squared, height)| height * (1.0 - squared / all)).sum();
    sum / (near.len() - 1) as f64
}

fn smoothed(map: &HeightMap) -> HeightMap {
    let mut smooth = map.clone();
    for row in 0..map.rows() {
        for column in 0..map.columns() {
            if let Some(plane) = map.plane(column, row, 2)
                && plane.rms_m < 0.01
            {
                smooth.set(column, row, plane.height_m);
            }
        }
    }
    smooth
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A floor at 0.3 m with a block of 0.15 m on it, points every 2 cm, some missing.
    fn scan(missing: impl Fn(f64, f64) -> bool) -> Vec<[f64; 3]> {
        let mut points = Vec::new();
        for index in 0..10_000 {
            let (x, y) = (f64::from(index % 100) * 0.02, f64::from(index / 100) * 0.02);
            if !missing(x, y) {
                let noise = f64::from((index * 7919) % 100) * 1e-4 - 0.005;
                let block = if (0.5..1.0).contains(&x) && (0.5..1.0).contains(&y) { 0.15 } else { 0.0 };
                points.push([x, y, 0.3 + block + noise]);
            }
        }
        points
    }

    #[test]
    fn noise_is_smoothed_and_gaps_keep_their_height() {
        let hole = |x: f64, y: f64| libm::hypot(x - 1.5, y - 1.5) < 0.05;
        let map = height_map_of(&scan(hole), &CloudSettings::default()).unwrap();
        assert!((map.height_m(1.5, 1.5).unwrap() - 0.3).abs() < 0.005);
        assert!((map.height_m(0.75, 0.75).unwrap() - 0.45).abs() < 0.004);
        assert!((map.height_m(0.2, 1.7).unwrap() - 0.3).abs() < 0.004);
    }

    #[test]
    fn wide_gaps_and_edges_stay_unknown_or_sharp() {
        let map = height_map_of(&scan(|x, y| x > 1.2 && y > 1.2), &CloudSettings::default()).unwrap();
        assert_eq!(map.height_m(1.6, 1.6), None);
        for step in 0..40 {
            let height = map.height_m(0.4 + f64::from(step) * 0.005, 0.75).unwrap();
            assert!((height - 0.3).abs() < 0.01 || (height - 0.45).abs() < 0.01, "{height}");
        }
    }

    #[test]
    fn weights_of_a_filled_cell_add_up_to_one() {
        assert!((weighted(&[(1.0, 0.7), (2.0, 0.7), (5.0, 0.7)]) - 0.7).abs() < 1e-12);
    }

    #[test]
    fn bad_clouds_give_no_map() {
        assert!(height_map_of(&[], &CloudSettings::default()).is_none());
        assert!(height_map_of(&[[f64::NAN, 0.0, 0.0]], &CloudSettings::default()).is_none());
        assert!(height_map_of(&[[0.0, 0.0, 0.0], [9e5, 9e5, 0.0]], &CloudSettings::default()).is_none());
    }
}
