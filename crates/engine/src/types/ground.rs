//! What walks are planned on.

use std::sync::Arc;

use footsteps::Obstacles;
use footsteps::terrain::{Terrain, TerrainError, world_from_text};
use serde::{Deserialize, Serialize};

/// The ground and what stands on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ground {
    /// None: nobody measured it. Walks take it for level, as high as the feet stand.
    pub terrain: Option<Arc<Terrain>>,
    pub obstacles: Arc<Obstacles>,
}

impl Ground {
    /// From the text of a terrain file.
    pub fn from_text(text: &str) -> Result<Ground, TerrainError> {
        let world = world_from_text(text)?;
        Ok(Ground { terrain: Some(Arc::new(world.terrain)), obstacles: Arc::new(world.obstacles) })
    }
}
