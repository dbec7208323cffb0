//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod mirror;
#[path = "operations/main.rs"]
mod operations;
mod properties;
mod saving;
