//! The robot process without its threads: events in, messages out, in simulated time.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod actor;
mod admit;
mod as_opened;
mod bench;
mod body;
mod control;
mod edits;
mod finding;
mod flood;
mod growth;
mod held;
mod orders;
mod pictures;
mod restart;
mod stopping;
mod telling;
mod things;
