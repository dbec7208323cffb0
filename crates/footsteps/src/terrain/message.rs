//! Height maps as robots of IHMC publish them: the cells that were seen, by key, over the height of the ground.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::cloud::tidied_over;
use super::{HeightMap, Terrain};

#[derive(Deserialize)]
pub(super) struct Message {
    xy_resolution: f64,
    grid_size_xy: f64,
    grid_center_x: f64,
    grid_center_y: f64,
    estimated_ground_height: f64,
    keys: Vec<usize>,
    heights: Vec<f64>,
}

/// More cells along a side are a mistake in a file.
const MOST_ACROSS: f64 = 2000.0;

impl Message {
    /// None: the text is of another form. The message stands in an object under the name of its type.
    pub fn of(text: &str) -> Option<Message> {
        let named: BTreeMap<String, Message> = serde_json::from_str(text).ok()?;
        let mut messages = named.into_values();
        messages.next().filter(|_| messages.next().is_none())
    }

    pub fn terrain(&self) -> Result<Terrain, String> {
        let cell_m = self.xy_resolution;
        let half = libm::round(self.grid_size_xy / 2.0 / cell_m);
        if !(cell_m > 0.0 && half > 0.0 && 2.0 * half < MOST_ACROSS) {
            return Err(format!("xy_resolution {cell_m} and grid_size_xy {} give no map", self.grid_size_xy));
        }
        let across = 2 * half as usize + 1;
        let mut heights_m = vec![f64::NAN; across * across];
        for (key, height_m) in self.keys.iter().zip(&self.heights) {
            *heights_m.get_mut(*key).ok_or_else(|| format!("keys: {key} is beyond the {across} × {across} cells"))? =
                *height_m;
        }
        let corner = |centre_m: f64| centre_m - (half + 0.5) * cell_m;
        let origin_m = [corner(self.grid_center_x), corner(self.grid_center_y)];
        let map = HeightMap::new(origin_m, cell_m, across, heights_m).ok_or("the middle of the map is no number")?;
        let floor_m = self.estimated_ground_height;
        Ok(Terrain::new(Some(floor_m), Vec::new(), Some(tidied_over(map, Some(floor_m)))))
    }
}
