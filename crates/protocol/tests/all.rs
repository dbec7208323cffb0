//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod docs;
mod numbers;
mod packed;
mod typescript;
