//! The robot process without its threads: events in, messages out, in simulated time.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;
mod control;
mod edits;
mod growth;
mod orders;
mod pictures;
mod restart;
mod stopping;
mod telling;
mod things;
