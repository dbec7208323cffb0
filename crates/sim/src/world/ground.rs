//! What feet can stand on besides the floor.

use std::sync::Arc;

use geometry::Pose;

use super::{Kind, Object, PlacedWorld};

/// A flat top, about its middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Tread {
    pub name: Arc<str>,
    pub world_from_top: Pose,
    /// Along x and y.
    pub size_m: [f64; 2],
}

impl PlacedWorld {
    /// Of blocks and stairs. What an MJCF file has in it is not known.
    pub fn treads(&self) -> Vec<Tread> {
        self.objects.iter().flat_map(treads).collect()
    }
}

fn treads(object: &Object) -> Vec<Tread> {
    let tread = |x_m: f64, z_m: f64, size_m: [f64; 2]| Tread {
        name: Arc::clone(&object.name),
        world_from_top: object.world_from_object * Pose::from_translation(x_m, 0.0, z_m),
        size_m,
    };
    match &object.kind {
        Kind::Block(block) => vec![tread(0.0, block.size_m.z, [block.size_m.x, block.size_m.y])],
        Kind::Stairs(stairs) => {
            let top = |step: usize| {
                let x_m = stairs.run_m * (step as f64 + 0.5);
                tread(x_m, stairs.rise_m * (step + 1) as f64, [stairs.run_m, stairs.width_m])
            };
            (0..stairs.count).map(top).collect()
        }
        _ => Vec::new(),
    }
}
