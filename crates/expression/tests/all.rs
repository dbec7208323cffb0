//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod api;
mod depth;
mod kinds;
mod mistakes;
mod properties;
mod values;
mod world;
