//! Conditions and values over blackboard variables: CEL text, compiled once, evaluated without allocation.
//!
//! The parser is that of the `cel` crate. What it parses is compiled here into a flat program whose variables are
//! slots, so that a guard that runs each tick neither parses, hashes nor allocates.

mod calls;
mod code;
mod collections;
mod compile;
mod diagnose;
mod error;
mod evaluate;
mod expression;
mod function;
mod given;
mod names;
mod numbers;
mod parse;
mod pose;
mod query;
mod serial;
mod tokens;
mod val;

pub use error::{EvaluationError, ExpressionError, Kind};
pub use expression::Expression;
pub use function::{FUNCTIONS, Function, Gives};
pub use given::{Given, unit_of_name};
pub use names::{Env, Names, Slot};
pub use parse::{Cache, MAX_CHARACTERS};
pub use pose::{frame_of, pose_of, pose_value};
pub use query::Query;
