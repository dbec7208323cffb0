//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod book;
mod check;
mod common;
mod docs;
mod doors;
mod examples;
mod experience;
mod footsteps;
mod import;
mod install;
mod mirrored;
mod perception;
mod preview;
mod previews;
mod recordings;
mod robot;
mod robot_check;
mod run;
mod show_and_nodes;
mod skills;
mod strangers;
mod stub;
mod synthesize;
mod tables;
mod trial;
#[path = "trust/main.rs"]
mod trust;
mod world;
