//! Points of a cloud inside a shape.

mod colour;
mod count;
mod shape;

pub use colour::ColourRange;
pub use count::{Inside, count, inside};
pub use shape::Shape;
