use serde::{Deserialize, Serialize};

use crate::derived::HingeSide;
use crate::points::Shape;

/// What was measured of an object beside where it is, along its own axes: depth along x, width along y, height along z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measures {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width_m: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height_m: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_m: Option<f64>,
    /// Of a door.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hinge: Option<HingeSide>,
    /// Of a door, from its handle along the panel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hinge_m: Option<f64>,
}

impl Measures {
    pub fn is_empty(&self) -> bool {
        *self == Measures::default()
    }

    pub fn has_size(&self) -> bool {
        self.width_m.or(self.height_m).or(self.depth_m).or(self.hinge_m).is_some()
    }

    /// What is known anew counts before what was known.
    #[must_use]
    pub fn or(self, anew: Measures) -> Measures {
        Measures {
            width_m: anew.width_m.or(self.width_m),
            height_m: anew.height_m.or(self.height_m),
            depth_m: anew.depth_m.or(self.depth_m),
            hinge: anew.hinge.or(self.hinge),
            hinge_m: anew.hinge_m.or(self.hinge_m),
        }
    }

    pub fn of_shape(shape: &Shape) -> Measures {
        let [depth_m, width_m, height_m] = match shape {
            Shape::Sphere { radius_m } => [2.0 * radius_m; 3],
            Shape::Box { size_m } => *size_m,
            Shape::Capsule { radius_m, length_m } => [2.0 * radius_m, 2.0 * radius_m, length_m + 2.0 * radius_m],
            Shape::Cylinder { radius_m, length_m } => [2.0 * radius_m, 2.0 * radius_m, *length_m],
        };
        Measures { width_m: Some(width_m), height_m: Some(height_m), depth_m: Some(depth_m), ..Measures::default() }
    }
}
