//! Every test of what needs no robot.

mod bad_input;
mod common;
mod random;
mod vigir;
