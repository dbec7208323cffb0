//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod kit;
mod libraries;
mod objects;
mod templates;
mod tracking;
