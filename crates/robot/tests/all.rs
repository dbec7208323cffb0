//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod collision;
mod common;
mod frames;
mod fuzz;
mod guess;
mod ik;
mod own_robots;
mod paths;
mod random_robots;
mod reference;
mod roles;
mod small_file;
mod strangers;
mod through_controller;
mod urdf;
