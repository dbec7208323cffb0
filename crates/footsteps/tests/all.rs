//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod common;
mod measured;
mod properties;
mod quality;
mod scenarios;
mod search;
mod services;
