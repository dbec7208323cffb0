//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod mirror;
mod mirrored_use;
#[path = "operations/main.rs"]
mod operations;
mod properties;
mod saving;
