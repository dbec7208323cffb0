//! Where something must be to count.

use engine::{Body, Cannot, Mirror};
use geometry::{Point3, Pose, Vector3};
use scene::Shape;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::setting::{FrameName, PoseSetting};

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Region {
    /// A sphere, box, capsule or cylinder, its middle in the pose.
    pub shape: Shape,
    /// The frame of the pose: of the body, or an object.
    pub frame: FrameName,
    /// Where the shape is.
    pub pose: PoseSetting,
    /// All that is not in the shape.
    pub outside: bool,
}

impl Default for Region {
    fn default() -> Region {
        Region {
            shape: Shape::default(),
            frame: FrameName::named("walking"),
            pose: PoseSetting::default(),
            outside: false,
        }
    }
}

impl Region {
    pub fn placed(&self, body: &Body) -> Result<PlacedRegion, Cannot> {
        let world_from_shape = body.world_from(&self.frame.0)? * self.pose.pose();
        Ok(PlacedRegion { shape: self.shape, shape_from_world: world_from_shape.inverse(), outside: self.outside })
    }

    pub fn mirror(&mut self, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        self.pose.mirror(&self.frame, mirror)?;
        self.frame.mirror(mirror);
        Ok(())
    }
}

pub struct PlacedRegion {
    shape: Shape,
    shape_from_world: Pose,
    outside: bool,
}

impl PlacedRegion {
    pub fn contains(&self, world_at_m: &Vector3<f64>) -> bool {
        self.shape.contains(&self.shape_from_world.transform_point(&Point3::from(*world_at_m))) != self.outside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_in_its_frame_and_may_be_all_that_is_outside() {
        let world_from_shape = Pose::from_translation(1.0, 0.0, 0.0);
        let region = |outside| PlacedRegion {
            shape: Shape::Box { size_m: [0.2, 0.4, 0.2] },
            shape_from_world: world_from_shape.inverse(),
            outside,
        };
        let (inside_m, beside_m) = (Vector3::new(1.05, -0.15, 0.05), Vector3::new(1.15, 0.0, 0.0));
        assert!(region(false).contains(&inside_m) && !region(false).contains(&beside_m));
        assert!(!region(true).contains(&inside_m) && region(true).contains(&beside_m));
    }
}
