//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod clocks;
mod properties;
mod restarts;
mod shaped;
mod strangers;
mod udp;
