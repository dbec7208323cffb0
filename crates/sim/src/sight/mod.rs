//! Simulated cameras and the simulated detector behind them. What is in front of a camera comes from the physics.

#[cfg(test)]
pub(crate) mod brute;
mod cast;
mod cover;
mod detector;
mod form;
mod lens;
mod things;

#[cfg(test)]
pub(crate) use cast::Grid;
pub(crate) use cast::Hits;
pub use detector::SimulatedDetector;
pub(crate) use form::{Form, Solid};
pub(crate) use lens::Lens;
pub(crate) use things::{Thing, things};
