//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod damaged;
mod epochs;
mod kit;
mod merging;
mod properties;
