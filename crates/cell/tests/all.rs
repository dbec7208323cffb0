//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod environment;
mod machine_tending;
mod mapping;
mod tending;
