//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod cameras;
mod commands;
mod common;
mod control_mode;
mod disturbances;
mod furniture;
mod grasp;
mod judged;
mod laws;
mod mjcf_limits;
#[cfg(feature = "mujoco")]
mod outside;
mod physics;
#[cfg(feature = "mujoco")]
mod physics_common;
mod properties;
mod stopping;
mod truths;
mod walking;
mod worlds;
