//! Terrain files: `docs/footsteps.md` tells their form.

use geometry::Pose;
use serde::Deserialize;

use super::cloud::tidied_over;
use super::message::Message;
use super::{CloudSettings, HeightMap, Region, Terrain, height_map_of};
use crate::obstacles::{Obstacle, Obstacles};

/// What a terrain file holds.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub name: String,
    pub terrain: Terrain,
    pub obstacles: Obstacles,
}

#[derive(Debug, thiserror::Error)]
pub enum TerrainError {
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// All of them, each with its place.
    #[error("{}", .0.join("\n"))]
    Content(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    #[serde(default)]
    name: String,
    #[serde(default)]
    #[allow(dead_code, reason = "for people who read the file")]
    notes: String,
    floor_m: Option<f64>,
    #[serde(default)]
    regions: Vec<WrittenRegion>,
    height_map: Option<WrittenMap>,
    /// Points of the ground.
    cloud: Option<WrittenCloud>,
    #[serde(default)]
    obstacles: Vec<WrittenObstacle>,
    /// Points of what stands in the way, x, y, z.
    #[serde(default)]
    obstacle_points_m: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRegion {
    #[serde(default)]
    name: String,
    #[serde(default)]
    pose: Pose,
    /// In the plane of the region; or a rectangle about its middle.
    outline_m: Option<Vec<[f64; 2]>>,
    size_m: Option<[f64; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMap {
    /// Corner of the first cell of the first row.
    origin_m: [f64; 2],
    cell_m: f64,
    /// Each along x, the next one farther along y; null where nothing is known.
    rows_m: Vec<Vec<Option<f64>>>,
    /// Not measured: nothing is filled or smoothed.
    #[serde(default)]
    exact: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCloud {
    #[serde(default)]
    settings: CloudSettings,
    points_m: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenObstacle {
    #[serde(default)]
    name: String,
    /// Of the middle of the box.
    #[serde(default)]
    pose: Pose,
    size_m: [f64; 3],
}

pub fn world_from_text(text: &str) -> Result<World, TerrainError> {
    let text = text.trim_start_matches('\u{feff}');
    if let Some(message) = Message::of(text) {
        let terrain = message.terrain().map_err(|problem| TerrainError::Content(vec![problem]))?;
        return Ok(World { terrain, ..World::default() });
    }
    let written: Written = serde_json::from_str(text)?;
    let mut problems = Vec::new();
    if written.version != 1 {
        problems.push(format!("version: {} is not known, this program reads version 1", written.version));
    }
    let regions = regions(&written.regions, &mut problems);
    let height_map = height_map(&written, &mut problems);
    let mut boxes = Vec::new();
    for (index, obstacle) in written.obstacles.iter().enumerate() {
        match Obstacle::cuboid(&obstacle.name, &obstacle.pose, obstacle.size_m) {
            Some(obstacle) => boxes.push(obstacle),
            None => problems.push(format!("obstacles[{index}]: size_m needs three positive numbers")),
        }
    }
    if written.floor_m.is_none() && regions.is_empty() && height_map.is_none() && problems.is_empty() {
        problems.push("nothing to stand on: give floor_m, regions, height_map or cloud".to_owned());
    }
    if !problems.is_empty() {
        return Err(TerrainError::Content(problems));
    }
    let terrain = Terrain::new(written.floor_m, regions, height_map);
    Ok(World { name: written.name, terrain, obstacles: Obstacles::new(boxes, written.obstacle_points_m) })
}

fn regions(written: &[WrittenRegion], problems: &mut Vec<String>) -> Vec<Region> {
    let mut regions = Vec::new();
    for (index, region) in written.iter().enumerate() {
        let outline_m = match (&region.outline_m, region.size_m) {
            (Some(outline_m), None) => outline_m.clone(),
            (None, Some([x, y])) => {
                let (x, y) = (x / 2.0, y / 2.0);
                vec![[-x, -y], [x, -y], [x, y], [-x, y]]
            }
            _ => {
                problems.push(format!("regions[{index}]: give either outline_m or size_m"));
                continue;
            }
        };
        match Region::new(&region.name, &region.pose, &outline_m) {
            Some(region) => regions.push(region),
            None => problems.push(format!("regions[{index}]: it stands upright, or its outline has no three corners")),
        }
    }
    regions
}

fn height_map(written: &Written, problems: &mut Vec<String>) -> Option<HeightMap> {
    if let Some(map) = &written.height_map {
        let columns = map.rows_m.first().map_or(0, Vec::len);
        let even = map.rows_m.iter().all(|row| row.len() == columns);
        let heights = map.rows_m.iter().flatten().map(|height| height.unwrap_or(f64::NAN)).collect();
        let made = HeightMap::new(map.origin_m, map.cell_m, columns, heights).filter(|_| even);
        let made = made.map(|made| if map.exact { made } else { tidied_over(made, written.floor_m) });
        if made.is_none() {
            problems.push("height_map: rows_m needs rows of one length, cell_m a positive number".to_owned());
        }
        if written.cloud.is_some() {
            problems.push("height_map and cloud: give one of them".to_owned());
        }
        return made;
    }
    let cloud = written.cloud.as_ref()?;
    let made = height_map_of(&cloud.points_m, &cloud.settings);
    if made.is_none() {
        problems.push("cloud: no finite points, sizes that are not positive, or points too far apart".to_owned());
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_problems_are_told_with_their_places() {
        let text = r#"{"version": 2, "regions": [{"name": "a"}, {"size_m": [1, 1], "pose": {"pitch_deg": 90}}],
            "obstacles": [{"size_m": [1, 0, 1]}], "height_map": {"origin_m": [0, 0], "cell_m": 0.1, "rows_m": [[1], []]}}"#;
        let told = world_from_text(text).unwrap_err().to_string();
        for place in ["version", "regions[0]", "regions[1]", "obstacles[0]", "height_map"] {
            assert!(told.contains(place), "{told}");
        }
        assert!(world_from_text(r#"{"version": 1}"#).unwrap_err().to_string().contains("nothing to stand on"));
        assert!(world_from_text(r#"{"version": 1, "floor": 1}"#).unwrap_err().to_string().contains("floor_m"));
    }

    #[test]
    fn a_map_has_holes_where_the_file_says_null() {
        let text =
            r#"{"version": 1, "height_map": {"origin_m": [0, 0], "cell_m": 1, "rows_m": [[0.5, null], [0.5, 0.7]]}}"#;
        let world = world_from_text(text).unwrap();
        assert_eq!(world.terrain.height_m(0.2, 0.2), Some(0.5));
        assert_eq!(world.terrain.height_m(1.5, 0.5), None);
        assert_eq!(world.terrain.height_m(1.8, 1.8), Some(0.7));
    }
}
