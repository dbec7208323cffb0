//! Simulated cameras and the simulated detector behind them. What is in front of a camera comes from the physics.

mod cast;
mod detector;
mod lens;
mod things;

#[cfg(test)]
pub(crate) use cast::Grid;
pub(crate) use cast::{Form, Hits, Solid};
pub use detector::SimulatedDetector;
pub(crate) use lens::Lens;
pub(crate) use things::{Thing, things};
