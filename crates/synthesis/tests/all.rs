//! Every test of what needs no robot.

mod bad_input;
mod common;
mod games;
mod random;
mod sensors;
mod vigir;
