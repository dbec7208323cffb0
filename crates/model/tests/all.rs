//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod bad_input;
mod common;
mod edit_limits;
mod edits;
mod fuzz_files;
mod native;
mod references;
mod skills;
mod thesis;
mod values;
mod versions;
