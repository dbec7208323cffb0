//! The ground: a level floor, planar regions, a height map, or all of them; where they lie over each other, the highest
//! counts.

mod cloud;
mod file;
mod height_map;
mod message;
mod region;
mod snap;

pub use cloud::{CloudSettings, height_map_of};
pub use file::{TerrainError, World, world_from_text};
pub use height_map::HeightMap;
pub use region::Region;
pub use snap::{Foothold, FootholdProblem, Sampling, tilt_of};

pub(crate) use snap::{is_before_riser, snap};

use region::Bins;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Terrain {
    floor_m: Option<f64>,
    regions: Vec<Region>,
    bins: Bins,
    height_map: Option<HeightMap>,
}

/// As in a record.
#[derive(Serialize, Deserialize)]
struct Written {
    floor_m: Option<f64>,
    regions: Vec<Region>,
    height_map: Option<HeightMap>,
}

impl From<Terrain> for Written {
    fn from(terrain: Terrain) -> Written {
        let Terrain { floor_m, regions, bins: _, height_map } = terrain;
        Written { floor_m, regions, height_map }
    }
}

impl From<Written> for Terrain {
    fn from(written: Written) -> Terrain {
        Terrain::new(written.floor_m, written.regions, written.height_map)
    }
}

impl Terrain {
    /// Level everywhere, or nothing at all.
    pub fn is_floor(&self) -> bool {
        self.regions.is_empty() && self.height_map.is_none()
    }

    /// Without a floor there is nothing to stand on outside the regions and the map.
    pub fn new(floor_m: Option<f64>, regions: Vec<Region>, height_map: Option<HeightMap>) -> Terrain {
        let bins = Bins::of(&regions);
        Terrain { floor_m, regions, bins, height_map }
    }

    pub fn flat(floor_m: f64) -> Terrain {
        Terrain::new(Some(floor_m), Vec::new(), None)
    }

    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    pub fn height_map(&self) -> Option<&HeightMap> {
        self.height_map.as_ref()
    }

    pub fn floor_m(&self) -> Option<f64> {
        self.floor_m
    }

    /// None: nothing is known there, or there is nothing.
    pub fn height_m(&self, x_m: f64, y_m: f64) -> Option<f64> {
        let mut highest = self.floor_m;
        let mut raise = |z_m: f64| highest = Some(highest.map_or(z_m, |highest| highest.max(z_m)));
        for index in self.bins.near(x_m, y_m) {
            if let Some(z_m) = self.regions[*index as usize].height_m(x_m, y_m) {
                raise(z_m);
            }
        }
        if let Some(z_m) = self.height_map.as_ref().and_then(|map| map.height_m(x_m, y_m)) {
            raise(z_m);
        }
        highest
    }

    /// Smallest and largest x, then y, of what is not the floor.
    pub fn bounds_m(&self) -> Option<[[f64; 2]; 2]> {
        let mut bounds: Option<[[f64; 2]; 2]> = None;
        let mut add = |x: f64, y: f64| {
            let [[x0, x1], [y0, y1]] = bounds.unwrap_or([[x, x], [y, y]]);
            bounds = Some([[x0.min(x), x1.max(x)], [y0.min(y), y1.max(y)]]);
        };
        for corner in self.regions.iter().flat_map(Region::outline_m) {
            add(corner[0], corner[1]);
        }
        if let Some(map) = &self.height_map {
            let [[x0, x1], [y0, y1]] = map.bounds_m();
            add(x0, y0);
            add(x1, y1);
        }
        bounds
    }
}
