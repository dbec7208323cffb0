//! The ground of a world, as the robot in it knows it.

use std::sync::Arc;

use engine::Ground;
use footsteps::terrain::{Region, Terrain};
use sim::World;
use sim::world::Tread;

/// What was given counts; else the floor, blocks and stairs of the world as the seed draws it.
pub fn ground(given: &Ground, world: Option<&World>, seed: u64) -> Ground {
    let treads = world.map(|world| world.draw(seed).treads()).unwrap_or_default();
    if given.terrain.is_some() || treads.is_empty() {
        return given.clone();
    }
    let regions = treads.iter().filter_map(region).collect();
    let terrain = Terrain::new(Some(0.0), regions, None);
    Ground { terrain: Some(Arc::new(terrain)), obstacles: Arc::clone(&given.obstacles) }
}

/// None: it lies on its side.
fn region(tread: &Tread) -> Option<Region> {
    let [x_m, y_m] = tread.size_m.map(|size_m| size_m / 2.0);
    Region::new(&tread.name, &tread.world_from_top, &[[-x_m, -y_m], [x_m, -y_m], [x_m, y_m], [-x_m, y_m]])
}
