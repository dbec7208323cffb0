use geometry::Point3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A region of space, centred on the frame it is placed in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    Sphere {
        #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
        radius_m: f64,
    },
    Box {
        /// Whole lengths along x, y and z.
        #[schemars(extend("x-unit" = "m"))]
        size_m: [f64; 3],
    },
    /// Along z.
    Capsule {
        #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
        radius_m: f64,
        /// Between the centres of its round ends.
        #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
        length_m: f64,
    },
    /// Along z.
    Cylinder {
        #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
        radius_m: f64,
        #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
        length_m: f64,
    },
}

impl Default for Shape {
    fn default() -> Shape {
        Shape::Sphere { radius_m: 0.1 }
    }
}

impl Shape {
    pub fn contains(&self, shape_from_point: &Point3<f64>) -> bool {
        let point = shape_from_point;
        match *self {
            Shape::Sphere { radius_m } => point.coords.norm_squared() <= radius_m * radius_m,
            Shape::Box { size_m } => point.iter().zip(size_m).all(|(at_m, size_m)| at_m.abs() <= size_m / 2.0),
            Shape::Capsule { radius_m, length_m } => {
                let beyond_m = (point.z.abs() - length_m / 2.0).max(0.0);
                point.x * point.x + point.y * point.y + beyond_m * beyond_m <= radius_m * radius_m
            }
            Shape::Cylinder { radius_m, length_m } => {
                point.x * point.x + point.y * point.y <= radius_m * radius_m && point.z.abs() <= length_m / 2.0
            }
        }
    }

    /// Why nothing could ever be inside.
    pub fn check(&self) -> Result<(), String> {
        let named: &[(&str, f64)] = &match *self {
            Shape::Sphere { radius_m } => vec![("radius_m", radius_m)],
            Shape::Box { size_m: [x_m, y_m, z_m] } => vec![("size_m", x_m), ("size_m", y_m), ("size_m", z_m)],
            Shape::Capsule { radius_m, .. } => vec![("radius_m", radius_m)],
            Shape::Cylinder { radius_m, length_m } => vec![("radius_m", radius_m), ("length_m", length_m)],
        };
        if let Some((name, length_m)) = named.iter().find(|(_, length_m)| !length_m.is_finite() || *length_m <= 0.0) {
            return Err(format!("`{name}` is {length_m}: give a length above 0"));
        }
        match *self {
            Shape::Capsule { length_m, .. } if !length_m.is_finite() || length_m < 0.0 => {
                Err(format!("`length_m` is {length_m}: give a length, 0 or more"))
            }
            _ => Ok(()),
        }
    }
}
